package demo

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"winnow/core/jsonl"
)

// sessions are the agent's sessions, one a line, in order.
//
//go:embed sessions.jsonl
var sessions string

// session is one run of the agent: the ids of the lessons that it recalls at its start, and the
// lesson that it leaves at its end.
type session struct {
	Recalled []string        `json:"recalled"`
	Lesson   json.RawMessage `json:"lesson"`
}

// Agent plays an agent that works beside Winnow. A session ends about once in every, and never
// sooner than half of that: the agent counts what it recalled, adds a lesson, and saves the store
// at path by writing path.tmp and renaming it over the old file. The seed decides the pauses. Its sessions
// began before anybody deleted a lesson: the first save after a deletion brings one lesson back.
//
// Agent returns nil when ctx is done or its dozen sessions are over, and an error if a save fails.
// It touches nothing but path and path.tmp, and leaves no path.tmp behind.
func Agent(ctx context.Context, path string, every time.Duration, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 0))
	held, err := linesOf(path)
	if err != nil {
		return fmt.Errorf("play agent: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(sessions)); d.More(); {
		var s session
		if err := d.Decode(&s); err != nil {
			return fmt.Errorf("play agent: %w", err)
		}
		pause := every/2 + time.Duration(rng.Int64N(int64(every)+1))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		brought, err := s.end(path, held, time.Now())
		if err != nil {
			return fmt.Errorf("play agent: %w", err)
		}
		if brought {
			held = nil
		}
	}
	return nil
}

// linesOf returns the lines of a store.
func linesOf(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), err
}

// end saves the store with the session's changes, and reports whether it brought back one of the lessons held, one
// that is not in the store any more. Unlike a real agent, it keeps damaged lines and a person's changes, so that
// there is time to look at them.
func (s session) end(path string, held []string, now time.Time) (brought bool, err error) {
	lines, err := linesOf(path)
	if err != nil {
		return false, err
	}
	is := map[string]bool{}
	for _, line := range lines {
		is[lessonID(line)] = true
	}
	for _, id := range s.Recalled {
		i := slices.IndexFunc(lines, func(line string) bool { return lessonID(line) == id })
		if i < 0 {
			continue
		}
		if line, err := jsonl.Recalled(lines[i], now); err == nil {
			lines[i] = line
		}
	}
	if i := slices.IndexFunc(held, func(line string) bool { return !is[lessonID(line)] }); i >= 0 {
		lines, brought = append(lines, held[i]), true
	}
	lines = append(lines, render(string(s.Lesson), now))
	return brought, replace(path, []byte(strings.Join(lines, "\n")+"\n"))
}

// lessonID returns the id of a line of the store, or "".
func lessonID(line string) string {
	rest, _ := strings.CutPrefix(line, `{"lesson_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// replace writes text to a file beside path and renames it over path.
func replace(path string, text []byte) error {
	tmp := path + ".tmp"
	err := os.WriteFile(tmp, text, 0o600)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
}
