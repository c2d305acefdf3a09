package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/statefile"
	"winnow/core/system"
	"winnow/core/trigger"
)

// toldStore is what a hook keeps of a store, so that the next one need not read it: the approved records that are
// told at another moment than with a task.
type toldStore struct {
	Store memory.StoreID `json:"store"`
	// Was identifies the state of the store and of the approvals from which Records were made.
	Was     string       `json:"was"`
	Records []toldRecord `json:"records,omitempty"`
}

type toldRecord struct {
	ID      memory.ID `json:"id"`
	Title   string    `json:"title"`
	Outcome string    `json:"outcome"`
	Body    string    `json:"body"`
	When    string    `json:"when"`
}

// mostTold is the size limit of the file in bytes. A hook reads all of it at each call.
const mostTold = 256 << 10

// toldFile holds one store a line, the newest last. It lies in the state folder, where no project can write, and
// has approved texts only.
func (sv *Server) toldFile() statefile.File {
	return statefile.File{Path: filepath.Join(sv.state.Dir, "learn", "told"), Most: mostTold}
}

// told returns the approved records of the person and of a session's project that are told at other moments than
// with a task, the project's first. What changed since it was last read goes into the index of a.
func (sv *Server) told(ctx context.Context, h memory.Hook, a *asking) (list []candidate, err error) {
	if sv.state.Untrusted != nil || sv.state.Dir == "" {
		return nil, sv.state.Untrusted
	}
	known, err := sv.toldFile().Read()
	if err != nil {
		known = nil // it is made anew
	}
	var decided *approvals.Decisions
	book := sv.bookStamp()
	places := slices.SortedStableFunc(sv.servingPlaces(h), func(p, o memory.Place) int {
		return projectFirst(p.Personal, o.Personal)
	})
	for _, p := range places {
		if !p.Exists || ctx.Err() != nil {
			continue
		}
		was := toldStamp(p.Store, book)
		line, ok := toldLine(known, p.Store, was)
		if !ok {
			if decided == nil {
				read, err := sv.book.Read()
				if err != nil {
					return list, err
				}
				decided = &read
			}
			if line, err = sv.readTold(ctx, p.Store, was, decided); err != nil {
				return list, err
			}
			a.index = append(a.index, line)
		}
		for _, r := range line.Records {
			list = append(list, candidate{own: p.Personal, store: p.Store, Served: system.Served{
				ID: r.ID, Title: r.Title, Outcome: r.Outcome, Body: r.Body, When: r.When,
			}})
		}
	}
	return list, nil
}

// indexed returns the lines of the index to write after a hook: those that were out of date, and those of the stores
// in which it counted what it gave. The latter are read again, because somebody else may have written meanwhile.
func (sv *Server) indexed(ctx context.Context, a *asking) ([]toldStore, error) {
	lines := a.index
	if len(a.list) == 0 {
		return lines, nil
	}
	book := sv.bookStamp()
	decided, err := sv.book.Read()
	if err != nil {
		return nil, err
	}
	counted := map[memory.StoreID]bool{}
	for i := range a.list {
		id := a.list[i].store
		if counted[id] {
			continue
		}
		counted[id] = true
		line, err := sv.readTold(ctx, id, toldStamp(id, book), &decided)
		if err != nil {
			return nil, err
		}
		lines = append(slices.DeleteFunc(lines, func(s toldStore) bool { return s.Store == id }), line)
	}
	return lines, nil
}

// bookStamp is taken before the approvals are read: what a person withdraws meanwhile then makes a line out of date.
func (sv *Server) bookStamp() string { return stamp(sv.book.Path()) }

func toldStamp(id memory.StoreID, book string) string { return stamp(id.Path()) + " " + book }

// stamp returns what changes when a file is written.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%d:%d", info.Size(), info.ModTime().UnixNano())
}

// toldLine returns the line of a store in the index, if the store and the approvals are as they were.
func toldLine(index []byte, store memory.StoreID, was string) (line toldStore, ok bool) {
	name, err := json.Marshal(store)
	if err != nil {
		return line, false
	}
	begin := append([]byte(`{"store":`), append(name, ',')...)
	for text := range bytes.Lines(index) {
		if bytes.HasPrefix(text, begin) {
			line = toldStore{}
			ok = json.Unmarshal(text, &line) == nil && line.Store == store && line.Was == was
		}
	}
	return line, ok
}

// readTold reads a store for the index.
func (sv *Server) readTold(
	ctx context.Context,
	id memory.StoreID,
	was string,
	decided *approvals.Decisions,
) (line toldStore, err error) {
	line = toldStore{Store: id, Was: was}
	s, err := sv.lib.Store(id)
	if err != nil {
		return line, err
	}
	store, ok := s.(system.Approving)
	if !ok || !decided.AnyApproved() {
		return line, nil
	}
	name := library.ApprovalName(id)
	records, err := store.Told(ctx, func(m *memory.Record) bool { return decided.Approved(name, learn.WordsOf(m)) })
	if err != nil {
		return line, err
	}
	for _, r := range records {
		w, err := memory.ParseWhen(r.When)
		if err != nil || trigger.Check(w) != nil {
			continue // told at no moment
		}
		line.Records = append(line.Records, toldRecord{r.ID, r.Title, r.Outcome, r.Body, r.When})
	}
	return line, nil
}

// saveTold replaces the lines of stores in the index, and drops the oldest of other stores if there is no room. Where
// many hooks run at once it leaves that to the next one, which finds what is out of date.
func (sv *Server) saveTold(ctx context.Context, stores []toldStore) error {
	if len(stores) == 0 {
		return nil
	}
	err := sv.toldFile().Change(ctx, hookLogWait, func(now []byte) ([]byte, error) {
		return toldIndex(now, stores)
	})
	if statefile.IsBusy(err) {
		return nil
	}
	return err
}

// toldIndex returns an index with the lines of some stores replaced.
func toldIndex(now []byte, stores []toldStore) ([]byte, error) {
	var lines [][]byte
	for text := range bytes.Lines(now) {
		var old toldStore
		same := func(s toldStore) bool { return s.Store == old.Store }
		if json.Unmarshal(text, &old) == nil && !slices.ContainsFunc(stores, same) {
			lines = append(lines, text)
		}
	}
	for _, s := range stores {
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		lines = append(lines, append(text, '\n'))
	}
	size := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if size += len(lines[i]); size > mostTold {
			lines = lines[i+1:]
			break
		}
	}
	return bytes.Join(lines, nil), nil
}

// tellAlways adds what is told at the start of every session.
func (sv *Server) tellAlways(ctx context.Context, h memory.Hook, a *asking) error {
	list, err := sv.told(ctx, h, a)
	if len(list) == 0 {
		return err
	}
	had, hadErr := sv.hadBy(h)
	if hadErr != nil {
		return hadErr
	}
	for _, c := range list {
		if c.When == string(memory.WhenAlways) && !had[c.key()] {
			a.list = append(a.list, c)
		}
	}
	return err
}

// hadBy returns what a session was given and still has.
func (sv *Server) hadBy(h memory.Hook) (givenRecords, error) {
	if h.Session == "" || rebuilt(h) {
		return nil, nil
	}
	return sv.givenTo(h.Session)
}

// tellOfCall adds what is told of a call of a tool: before it what is about its command or file, and after it what
// is about its error. What an agent was not told before the call is told after it, as some agents take no text
// before. A session that has no name is told nothing, because it would be told at each call.
func (sv *Server) tellOfCall(ctx context.Context, h memory.Hook, a *asking) error {
	if !a.records {
		return nil
	}
	list, err := sv.told(ctx, h, a)
	if len(list) == 0 {
		return err
	}
	had, hadErr := sv.givenTo(h.Session)
	if hadErr != nil {
		return hadErr
	}
	folder := filepath.Clean(h.Folder)
	call := trigger.CallOf(h.Call, folder, sv.projectAt(folder))
	for _, c := range list {
		w, parseErr := memory.ParseWhen(c.When)
		if parseErr != nil || !trigger.Matches(w, &call) {
			continue
		}
		switch {
		case !had[c.key()]:
			a.list = append(a.list, c)
		case h.Call.Status == memory.CallFailed && w.Kind != memory.WhenError:
			a.failed = append(a.failed, c.key())
		}
	}
	return err
}

// projectAt returns the folder from which the files of a session are named: that of the project's store.
func (sv *Server) projectAt(folder string) string {
	for p := range sv.servingPlaces(memory.Hook{Folder: folder}) {
		if p.Project != "" {
			return p.Project
		}
	}
	return folder
}

// recordFailed records that calls failed although the session was told of them: it is told once more.
func (sv *Server) recordFailed(ctx context.Context, h memory.Hook, keys []string) error {
	release, err := sv.given().Hold(ctx, statefile.ForChange)
	if err != nil {
		return fmt.Errorf("note what failed again: %w", err)
	}
	defer release()
	var lines []string
	for _, key := range keys {
		lines = append(lines, sv.givenLine(h.Session, failedAgain+key))
	}
	return sv.given().Append(mostGiven, false, lines...)
}
