package memory

import "testing"

func TestAPlanIsSaidWithTheRecordsThatWereAskedFor(t *testing.T) {
	changes := func(titles ...string) (all []Change) {
		for _, title := range titles {
			all = append(all, Change{Record: Record{Title: title}, Companion: title == "index"})
		}
		return all
	}
	noun := Noun{"memory", "memories"}
	for _, c := range []struct {
		what    string
		changes []Change
		undoes  EntryID
		want    string
	}{
		{"Deleted 1 memory", changes("a", "index"), "", "Deleted a"},
		{"Deleted 3 memories", changes("a", "b", "c"), "", "Deleted 3 memories, first a"},
		{"Undid: deleted 3 memories", changes("index", "c", "b", "a"), "7", "Undid: deleted 3 memories, first a"},
		{"Merged 2 memories into one", changes("a", "b"), "", "Merged 2 memories, first a, into one"},
		{"Deleted 1 memory", changes(""), "", "Deleted 1 memory"},
		{"Deleted 1 memory", changes("index"), "", "Deleted 1 memory"},
		{"Undid: deleted 11 memory", changes("a"), "7", "Undid: deleted 11 memory"},
		{"Undid: deleted 13 memories", changes("a", "b", "c"), "7", "Undid: deleted 13 memories"},
		{"Moved what is here", changes("a"), "", "Moved what is here"},
		{"Nothing to change", nil, "", "Nothing to change"},
	} {
		p := Plan{What: c.what, Changes: c.changes, Undoes: c.undoes}
		if got := p.Named(noun, func(c *Change) string { return c.Record.Title }); got != c.want {
			t.Errorf("%q of %d changes is said as %q, want %q", c.what, len(c.changes), got, c.want)
		}
	}
}
