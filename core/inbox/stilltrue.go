package inbox

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/problems"
	"winnow/core/problems/past"
	"winnow/core/sessions"
	"winnow/core/trigger"
)

// historyTime is how long a look at the inbox asks git what lessons name.
const historyTime = 3 * time.Second

// doubt is what speaks against an approved lesson. Key is the same for the same reason.
type doubt struct{ What, Key string }

// doubts is what speaks against the lessons of a store, by record. Asked is set if git told all.
type doubts struct {
	of    map[memory.ID][]doubt
	asked bool
}

// questionLessons finds what speaks against the lessons of a store that serves only what was approved, and notes that
// they are not told before a person says that they are still true. It does not ask again what a person decided
// already, and takes a question back when its reason is gone. It reports whether it noted anything. Git is asked here,
// so that no hook needs to.
func (b *Reviewer) questionLessons(ctx context.Context, st *visitedStore) (noted bool, err error) {
	if !st.look.Approving || len(st.records) == 0 {
		return false, nil
	}
	found := b.doubtsOf(ctx, st)
	if st.doubts = found.of; b.readOnly || ctx.Err() != nil {
		return false, ctx.Err()
	}
	raised, settled := st.open(&found)
	for v, marks := range map[approvals.Verdict][]approvals.Mark{approvals.Doubt: raised, approvals.Settle: settled} {
		if len(marks) == 0 {
			continue
		}
		if err := b.quarantine.Book.NoteMarks(ctx, v, b.now(), st.look.Store, marks...); err != nil {
			return noted, err
		}
		noted = true
	}
	return noted, nil
}

// open returns the doubts that nobody decided about yet, and the words that nothing speaks against any more.
func (st *visitedStore) open(found *doubts) (raised, settled []approvals.Mark) {
	d, store := st.look.Verdicts, st.look.Store
	for i := range st.records {
		words := learn.WordsOf(&st.records[i])
		m := d.Mark(words)
		switch open := d.Doubted(store, words); {
		case open && len(found.of[st.records[i].ID]) == 0 && found.asked:
			settled = append(settled, m)
		case !open && d.Approved(store, words):
			for _, doubt := range found.of[st.records[i].ID] {
				m.With = d.Digest("doubt\x00" + store + "\x00" + string(st.records[i].ID) + "\x00" + doubt.Key)
				if !d.Answered(m.With) {
					raised = append(raised, m)
				}
			}
		}
	}
	return raised, settled
}

// doubtsOf returns what speaks against lessons of a store.
func (b *Reviewer) doubtsOf(ctx context.Context, st *visitedStore) doubts {
	found := doubts{of: map[memory.ID][]doubt{}, asked: true}
	if st.place.Project == "" {
		return found // its lessons are about no project in particular
	}
	root := sessions.ProjectRoot(st.place.Project)
	found.asked = b.addGone(ctx, root, st.records, &found)
	if b.addWorking(ctx, root, st, &found) != nil {
		found.asked = false
	}
	return found
}

// addGone adds what lessons name and git says is gone. It reports whether git told it.
func (b *Reviewer) addGone(ctx context.Context, root string, records []memory.Record, found *doubts) bool {
	texts := map[string]string{}
	patterns := map[int]memory.When{} // by record
	for i := range records {
		texts[strconv.Itoa(i)] = learn.NamingText(&records[i])
		w, err := memory.ParseWhen(records[i].When)
		if err == nil && learn.IsPattern(w) && trigger.Check(w) == nil {
			patterns[i] = w
		}
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	look, known, err := b.lib.LookAtHistory(ctx, root, problems.NewLessons(root, texts), func(look *problems.Look) {
		for _, w := range patterns {
			look.AskPattern(patternKey(w), func(rel string) bool {
				return trigger.Matches(w, &trigger.Call{Files: []string{rel}})
			})
		}
	})
	if err != nil {
		return false
	}
	e := problems.Evidence{Fates: known.Fates, Removed: known.Removed, Ignored: known.Ignored}
	for i := range records {
		id := records[i].ID
		for _, g := range look.Doubts(strconv.Itoa(i), e) {
			found.of[id] = append(found.of[id], doubt{g.What, g.Key})
		}
		if w, is := patterns[i]; is && isPatternGone(look, &known, w) {
			what := fmt.Sprintf("It is told at %s, and the project has no such file any more.", w.Text)
			found.of[id] = append(found.of[id], doubt{what, patternKey(w)})
		}
	}
	return true
}

func patternKey(w memory.When) string { return "lesson\x00" + w.Text }

// isPatternGone reports whether git had a file that a pattern matches, and the project has none.
func isPatternGone(look *problems.Look, known *past.Known, w memory.When) bool {
	_, asked := look.Patterns[patternKey(w)]
	return asked && known.Matched[patternKey(w)]
}

// addWorking adds the dead ends whose command works by now.
func (b *Reviewer) addWorking(ctx context.Context, root string, st *visitedStore, found *doubts) error {
	isDeadEnd := func(r memory.Record) bool { return r.Outcome == memory.Failed }
	if !slices.ContainsFunc(st.records, isDeadEnd) {
		return nil
	}
	read, err := b.sessions.TracesIn(ctx, root, memory.FailureOrder{Within: sessions.ReadSoon})
	if err != nil {
		return err
	}
	for i := range st.records {
		r := &st.records[i]
		since := st.look.Verdicts.FirstApproved(learn.WordsOf(r))
		if w, ok := learn.WorksNow(r, since, read.Traces); ok && !since.IsZero() {
			what := fmt.Sprintf("%s worked in the last %s that ran it, last on %s.", w.Command,
				memory.Counted(w.Sessions, "session"), w.Last.UTC().Format("2 January 2006"))
			found.of[r.ID] = append(found.of[r.ID], doubt{what, "works\x00" + w.Command})
		}
	}
	return nil
}
