package views

// RecallLegend explains the signs of the recall screen.
func RecallLegend() []string {
	return []string{
		"Score as the system reckons it; where a model chooses, our estimate",
		"Rel times recalled: the more, the higher among equal scores",
		"Tokens at most, models differ",
		"~ noise: a stop word, or inside another word",
		"= same score as the last one recalled, and lost the tie",
		"| marks exact text; <LF>, <ESC>, <U+202E>: invisible characters",
	}
}

// StoresLegend explains the columns of the stores screen.
func StoresLegend() []string {
	return []string{
		"Holds records; of a store with a limit, held by an agent of the most it keeps",
		"Findings of the audit: h high, m medium, l low; counted for stores on screen",
		"At start what is injected at every start, in bytes; Tokens at most",
		"Full how full the fullest part with a limit is",
		"Now who runs, or how long nobody has written",
		"RO read-only   * the store that is open   -/+ fold",
	}
}
