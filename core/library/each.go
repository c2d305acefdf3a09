package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"winnow/core/memory"
)

// codeTooLong is the code of a record that is too long to be read.
const codeTooLong = "too-long"

// Each calls fn with every record of the stores, store by store in that order, on the
// goroutine that called Each. Records are not kept. A store that cannot be read, or has
// records too long to be read, is in failed and does not end the rest. The error is that of
// fn or of ctx.
func (l *Library) Each(ctx context.Context, stores []memory.StoreID, fn func(memory.StoreID, *memory.Record) error) (failed []memory.Unread, err error) {
	for _, id := range stores {
		var stopped error
		long := 0
		err := l.list(ctx, id, func(r memory.Record) error {
			if r.Problem != nil && r.Problem.Code == codeTooLong {
				long++
			}
			stopped = fn(id, &r)
			return stopped
		})
		switch {
		case stopped != nil:
			return failed, stopped
		case ctx.Err() != nil:
			return failed, ctx.Err()
		case err != nil && !errors.Is(err, memory.ErrNotFound):
			failed = append(failed, memory.Unread{Path: l.short(id.Path()), Problem: problemOf(err)})
		case long > 0:
			failed = append(failed, memory.Unread{Path: l.short(id.Path()), Problem: &memory.Problem{
				Code: codeTooLong, What: fmt.Sprintf("Records longer than 1 MiB are left out: %d.", long),
				Hint: "look at them with another program: winnow doctor says on which lines they are",
			}})
		}
	}
	return failed, nil
}

func (l *Library) list(ctx context.Context, id memory.StoreID, fn func(memory.Record) error) error {
	s, err := l.store(id)
	if err != nil {
		return err
	}
	return s.List(ctx, fn)
}

// Tally counts the findings of a store. It reads all of it, and does not finish a change
// that a crash interrupted.
func (l *Library) Tally(ctx context.Context, id memory.StoreID) (memory.Tally, error) {
	snap, _, err := l.detailed(ctx, id)
	if err != nil {
		return memory.Tally{}, err
	}
	found := l.audited(ctx, snap).Findings
	return memory.Tally{
		High: memory.CountFindings(found, memory.High), Medium: memory.CountFindings(found, memory.Medium),
		Low: memory.CountFindings(found, memory.Low), Files: memory.CountFindings(found, 0),
	}, ctx.Err()
}

// Systems returns the known systems, in the order in which they are asked.
func (l *Library) Systems() []memory.SystemInfo {
	all := make([]memory.SystemInfo, 0, len(l.systems))
	for i := range l.systems {
		all = append(all, memory.SystemInfo{ID: l.systems[i].ID, Name: l.systems[i].Name, Variables: l.systems[i].Variables})
	}
	return all
}

// files returns the files that an audit of a store reads: the store's file, or for a
// folder the files of its records.
func (l *Library) files(ctx context.Context, id memory.StoreID) (paths []string) {
	if info, err := os.Stat(id.Path()); err == nil && !info.IsDir() {
		return []string{id.Path()}
	}
	_ = l.list(ctx, id, func(r memory.Record) error { // the audit of the path itself reports read errors
		if r.File != "" && !slices.Contains(paths, r.File) {
			paths = append(paths, r.File)
		}
		return nil
	})
	if len(paths) == 0 && id.System() == "" {
		paths = []string{id.Path()}
	}
	return paths
}
