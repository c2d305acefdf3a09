package views

// LessonLegend explains the columns of the list of lessons and the letters in
// them, a line each: the name, a space, what it means.
func LessonLegend() []string {
	return []string{
		"O session: S succeeded, F failed, ? neither",
		"Rel times recalled   Used last recall   Age since learnt",
		"Next place in the eviction order; - new lessons never push it out",
		"Flags S secret   I injection   ! pruned in 3 days   N new   2 same id",
		" B never loaded   X damaged   H halts agents   R gone at next load",
		" P pinned, in Winnow only   D nearly the same as another",
	}
}

// RecallLegend explains the signs of the recall screen.
func RecallLegend() []string {
	return []string{
		"Score words of the task in the lesson, +2 for each tool that matches",
		"Rel times recalled: the more, the higher among equal scores",
		"~ noise: a stop word, or inside another word",
		"= same score as the last one recalled, and lost the tie",
		"<LF> a line break in a lesson; <ESC>, <U+202E>: invisible characters",
	}
}

// StoresLegend explains the columns of the stores screen.
func StoresLegend() []string {
	return []string{
		"Lessons held by an agent, of the most that it keeps",
		"Unused share of them that was never recalled",
		"Writer who writes now, or how long nobody has",
		"* the store that is open",
		"Watch live: changes arrive at once; poll: checked every 2 s",
	}
}

// StoresTreeLegend explains the columns of the stores of several systems.
func StoresTreeLegend() []string {
	return []string{
		"Holds records; of a store with a limit, held by an agent of the most it keeps",
		"Find audit findings: h high, m medium, l low; counted in what was read",
		"Start injected at every start, in bytes; Tokens at most",
		"Full how full the fullest part with a limit is",
		"Now who runs, or how long nobody has written",
		"RO read-only   * the store that is open   -/+ fold",
	}
}

// OtherLegend explains the signs of the recall screen of a system that is not the
// planner's.
func OtherLegend() []string {
	return []string{
		"Text what is injected, in order; Tokens at most, models differ",
		"Points as the system counts them; where a model chooses, our estimate",
		"| marks exact text   <U+202E>, <ESC>: invisible characters",
	}
}
