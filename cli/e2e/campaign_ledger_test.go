package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"winnow/core/memory"
)

// ledger is what a driver said it did: how each of its lessons has to stand.
type ledger struct {
	mu      sync.Mutex
	forms   map[memory.ID]string // empty for a deleted lesson
	pending map[memory.ID]string // of the change that is under way
	known   map[string]bool      // every form that was ever about to be stored
	done    int
	failed  map[string]int
	acts    map[memory.Act]int
}

func newLedger() *ledger {
	return &ledger{
		forms:  map[memory.ID]string{},
		known:  map[string]bool{},
		failed: map[string]int{},
		acts:   map[memory.Act]int{},
	}
}

// heard takes a line of a driver. It is false for an answer.
func (l *ledger) heard(line string) bool {
	var s driverLine
	if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &s) != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch s.What {
	case "try":
		l.pending = map[memory.ID]string{}
		for _, ch := range s.Changes {
			l.pending[ch.ID] = ch.After
			l.known[ch.After] = true
		}
	case "done":
		for _, ch := range s.Changes {
			if ch.Fate != memory.Gone.String() || ch.After == "" { // no edit of what is not there
				l.forms[ch.ID] = ch.After
			}
		}
		l.pending = nil
		l.done++
		l.acts[s.Do]++
	default:
		l.pending = nil
		l.failed[s.Error[strings.LastIndex(": "+s.Error, ": "):]]++
	}
	return true
}

// storedID is the id of a stored lesson, empty for none.
func storedID(line string) memory.ID {
	var v struct {
		ID string `json:"lesson_id"`
	}
	if json.Unmarshal([]byte(line), &v) != nil {
		return ""
	}
	return memory.ID(v.ID)
}

// stored returns the lines of a store by id. A line that is no lesson, or the second
// of an id, is an error, but for those of the base.
func stored(raw []byte, base map[string]bool) (map[memory.ID]string, error) {
	lines := map[memory.ID]string{}
	text := string(raw)
	if !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("the store has no last line end: %q", text)
	}
	left := len(base)
	for line := range strings.Lines(text) {
		if base[line] {
			left--
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		id := storedID(line)
		switch {
		case id == "":
			return nil, fmt.Errorf("a line is no lesson: %q", line)
		case lines[id] != "":
			return nil, fmt.Errorf("%s is there twice", id)
		}
		lines[id] = line
	}
	if left != 0 {
		return nil, fmt.Errorf("%d lines of nobody's are missing:\n%s", left, text)
	}
	return lines, nil
}

// holds compares the lines with what was said, takes its own out of them, and settles
// what a kill left open: either way is right, as long as all of the change is one.
func (l *ledger) holds(lines map[memory.ID]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	made, unmade := 0, 0
	for id, form := range l.pending {
		switch lines[id] {
		case form:
			made++
		case l.forms[id]:
			unmade++
		default:
			return fmt.Errorf("%s is neither as it was nor as it should become: %q", id, lines[id])
		}
		delete(lines, id)
	}
	if made > 0 && unmade > 0 {
		return fmt.Errorf("a change was made in part: %v", l.pending)
	}
	for id, form := range l.forms {
		if _, open := l.pending[id]; open {
			continue
		}
		if lines[id] != form {
			return fmt.Errorf("%s was reported as %q and is %q", id, form, lines[id])
		}
		delete(lines, id)
	}
	if made > 0 {
		for id, form := range l.pending {
			l.forms[id] = form
		}
	}
	l.pending = nil
	return nil
}
