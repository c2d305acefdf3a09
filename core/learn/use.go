package learn

import (
	"slices"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
)

// UseOf returns for each record in how many of the sessions, newest first, it was given or read. Agent is the
// system of the records' store: the other sessions that show a record count too, but one of another agent that
// does not show it says nothing. Chosen reports whether the model reads a record only if it chooses to, which
// its session always shows; nil is never.
func UseOf(
	records []memory.Record,
	lessons bool,
	agent memory.SystemID,
	chosen func(*memory.Record) bool,
	sessions []SessionFacts,
) []memory.Use {
	uses, x, files := make([]memory.Use, len(records)), IndexOf(records, lessons), filesOf(records)
	var picked []bool
	for i := range records {
		picked = append(picked, chosen != nil && chosen(&records[i]))
		uses[i].Chosen = picked[i]
	}
	for _, f := range sessions {
		given, whole := f.shown(x, files), f.Whole(lessons)
		countsMisses := f.Head.System == agent && f.State != session.Running && !f.Partly
		for i := range uses {
			_, shown := slices.BinarySearch(given, i)
			missed := !shown && countsMisses && (picked[i] || whole)
			if shown || missed {
				countSession(&uses[i], f, shown, records[i].Created.Time)
			}
		}
	}
	return uses
}

// countSession counts a session, of which later ones are counted already, for a record made at a time.
func countSession(u *memory.Use, f SessionFacts, shown bool, made time.Time) {
	u.Of++
	u.Since = f.Began
	switch {
	case shown:
		u.Sessions++
		if f.At.After(u.Last) {
			u.Last = f.At
		}
	case u.Sessions == 0 && f.Began.After(made):
		u.Idle++
	}
}

// filesOf returns the records that are a whole file, by the digest of its path.
func filesOf(records []memory.Record) map[Sum]int {
	files, several := map[Sum]int{}, map[Sum]bool{}
	for i := range records {
		if records[i].File == "" {
			continue
		}
		path := SumOf(records[i].File)
		if _, known := files[path]; known {
			several[path] = true
		}
		files[path] = i
	}
	for path := range several {
		delete(files, path)
	}
	return files
}

// shown returns the indexes of the records that the session was given or read, in order.
func (f *SessionFacts) shown(x Index, files map[Sum]int) []int {
	found := x.Recalled(*f)
	add := func(path Sum) {
		if i, is := files[path]; is {
			found = append(found, i)
		}
	}
	for _, g := range f.Given {
		add(g.Path)
	}
	for _, path := range f.Opened {
		add(path)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
