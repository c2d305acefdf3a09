package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// survey looks for stores: at the paths, or where agents keep them when there is
// no path.
func (e Env) survey(ctx context.Context, paths []string) memory.Survey {
	if len(paths) > 0 {
		return e.Library.FindIn(ctx, paths)
	}
	return e.Library.Find(ctx)
}

// choose returns the store that a command works on: the one that was named, or
// the only one that is found. Of several the user picks one, if there is a
// terminal to ask on and input is free for the answer.
func (e Env) choose(ctx context.Context, all *flags, inputTaken bool) (memory.Place, error) {
	var paths []string
	if all.store != "" {
		paths = []string{all.store}
	}
	s := e.survey(ctx, paths)
	if err := ctx.Err(); err != nil {
		return memory.Place{}, err
	}
	if len(paths) > 0 && len(s.Places) == 1 {
		return s.Places[0], nil
	}
	found := existing(s)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return memory.Place{}, noStore(s)
	case e.InTTY && e.ErrTTY && !inputTaken:
		return e.ask(ctx, found)
	}
	f := &failure{code: exitUsage, err: fmt.Errorf("%d stores were found", len(found)), hint: "name one with --store PATH"}
	for _, p := range found[:min(shownStores, len(found))] {
		f.more = append(f.more, "  "+p.Path)
	}
	if n := len(found) - shownStores; n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more; winnow stores shows them", n))
	}
	return memory.Place{}, f
}

// shownStores is how many stores a message lists.
const shownStores = 20

// existing returns the places at which there is a store.
func existing(s memory.Survey) (found []memory.Place) {
	for _, p := range s.Places {
		if p.Exists {
			found = append(found, p)
		}
	}
	return found
}

var errNoStore = errors.New("no store was found")

// noStore says where was looked in vain.
func noStore(s memory.Survey) error {
	f := &failure{
		code: exitNotFound,
		err:  errNoStore,
		hint: "name a store with --store PATH, or try winnow --demo",
	}
	for _, l := range s.Looked {
		f.more = append(f.more, "  looked at "+l.Where+note(l.Note))
	}
	return f
}

func note(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

// ask lets the user pick one of several stores.
func (e Env) ask(ctx context.Context, found []memory.Place) (memory.Place, error) {
	fmt.Fprintf(e.Err, "%d stores were found:\n", len(found))
	for i, p := range found {
		fmt.Fprintf(e.Err, "  %d  %s  (%s)\n", i+1, safe.Line(p.Path), safe.Line(p.Why))
	}
	fmt.Fprintf(e.Err, "Which one (1-%d)? ", len(found))
	answer, err := await(ctx, func() (string, error) {
		return bufio.NewReader(io.LimitReader(e.In, 100)).ReadString('\n')
	})
	if ctx.Err() != nil {
		return memory.Place{}, ctx.Err()
	}
	n, notNumber := strconv.Atoi(strings.TrimSpace(answer))
	if err != nil || notNumber != nil || n < 1 || n > len(found) {
		return memory.Place{}, usage("name one with --store PATH", "none of the %d stores was chosen", len(found))
	}
	return found[n-1], nil
}
