package memory

// Description says how a store's records are shown and what a draft task for them can
// have. Systems fill it, so that no front end knows a system by its name. The zero value
// suits most: columns and fields appear as soon as a record has a value for them.
type Description struct {
	// System is the name of the product: "Claude Code".
	System string
	// Title and Body head the two texts of a record: "Task summary", "Lesson". Empty ones
	// mean "Title" and "Text".
	Title, Body string
	// Arrives says when an empty store gets its first record; may be empty.
	Arrives string
	// Columns are shown even when no record has a value for them: "outcome", "rel",
	// "used", "age", "next", "flags".
	Columns []string
	// Sort is the column that a newly opened store is sorted by, falling; empty for the
	// order of the store.
	Sort string
	// ByLine is set when a person knows a record by its line rather than by its ID.
	ByLine bool
	// FieldNames are what the store's format calls the id, title, body, outcome, tools,
	// session, creation, last use and count of a record, in this order; nil where it has
	// no names for them.
	FieldNames []string
	// Evicts is set when agents evict and prune records by themselves.
	Evicts bool
	Draft  Draft
	// GivenUnknown says why nobody knows which sessions of its agent were given a record, without a full stop;
	// empty where their files say it.
	GivenUnknown string
}

// Draft says what a draft task can have besides its text.
type Draft struct {
	// TextOnly is set when nothing but the text of a task counts: without one nothing is
	// injected, and folder and files make no difference.
	TextOnly bool
	Modes    bool // it has a Mode
	Tools    bool // tool names score
	Without  bool // words can be left out
	// Note says in a sentence how texts are cut on their way to the model; may be empty.
	Note string
}

// Columns returns the names of the columns that a list of records can have beside titles, in the order in
// which it has them unless a person chose another.
func Columns() []string {
	return []string{"outcome", "rel", "used", "age", "next", "flags", "kind", "scope", "heat"}
}
