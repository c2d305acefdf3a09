package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// places looks for the stores that values of --store stand for, without any for those
// that are found, and leaves out what --system does. A value is a path, a system, a
// system and a path, or the folder of a project.
func (e Env) places(ctx context.Context, all *flags, values []string) (memory.Survey, error) {
	if err := e.checkSystem(all.system); err != nil {
		return memory.Survey{}, err
	}
	var s memory.Survey
	if len(values) == 0 {
		s = e.survey(ctx, nil)
	}
	for _, v := range values {
		one := e.meant(ctx, v)
		for _, p := range one.Places {
			if !slices.ContainsFunc(s.Places, func(q memory.Place) bool { return q.Store == p.Store }) {
				s.Places = append(s.Places, p)
			}
		}
		s.Looked = append(s.Looked, one.Looked...)
	}
	if all.system != "" {
		s.Places = ofSystem(s.Places, memory.SystemID(all.system))
	}
	return s, ctx.Err()
}

// meant looks for the stores that one value of --store stands for.
func (e Env) meant(ctx context.Context, value string) memory.Survey {
	value = pathOf(value)
	if e.isSystem(value) && !e.Exists(value) {
		s := e.survey(ctx, nil)
		s.Places = ofSystem(s.Places, memory.SystemID(value))
		return s
	}
	s := e.survey(ctx, []string{value})
	dir := e.absolute(value)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return s
	}
	// A folder can be a project that has stores elsewhere too.
	for _, p := range e.survey(ctx, nil).Places {
		known := func(q memory.Place) bool { return q.Store == p.Store }
		if p.Project == dir && p.Exists && !slices.ContainsFunc(s.Places, known) {
			s.Places = append(s.Places, p)
		}
	}
	return s
}

// within reports whether path is dir or in it. Both are absolute.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// absolute returns a path from the root on.
func (e Env) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.Dir, path)
}

func ofSystem(places []memory.Place, id memory.SystemID) []memory.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p memory.Place) bool { return p.System != id })
}

func (e Env) isSystem(name string) bool {
	return slices.ContainsFunc(e.Library.Systems(), func(s memory.SystemInfo) bool { return string(s.ID) == name })
}

// checkSystem refuses the name of a system that nobody knows.
func (e Env) checkSystem(name string) error {
	if name == "" || e.isSystem(name) {
		return nil
	}
	var ids []string
	for _, s := range e.Library.Systems() {
		ids = append(ids, string(s.ID))
	}
	return oneOf("system", name, ids...)
}

// systemName returns the name of a system for a person.
func (e Env) systemName(id memory.SystemID) string {
	for _, s := range e.Library.Systems() {
		if s.ID == id {
			return s.Name
		}
	}
	return string(id)
}

// choose returns the store that a command works on: the one that was named, or the only
// one that is usual here. Of several the user picks one, if there is a terminal to ask
// on and input is free for the answer.
func (e Env) choose(ctx context.Context, all *flags, inputTaken bool) (memory.Place, error) {
	var values []string
	if all.store != "" {
		values = []string{all.store}
	}
	s, err := e.places(ctx, all, values)
	if err != nil {
		return memory.Place{}, err
	}
	if len(values) > 0 && len(s.Places) == 1 {
		return s.Places[0], nil
	}
	found := existing(s)
	if len(values) == 0 {
		found = e.usual(found, all.writes)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return memory.Place{}, noStore(s)
	case e.InTTY && e.ErrTTY && !inputTaken && len(found) <= shownStores:
		return e.ask(ctx, found)
	}
	return memory.Place{}, e.several(found)
}

// engine is the system whose store in the working folder the commands take when they
// only look, whatever else is found on the machine.
const engine memory.SystemID = "karnevil9"

// usual returns which of the stores that were found a command can mean without a name:
// those of the working folder and the project around it, and else all. The engine's is
// meant by a command that only looks; one that changes a store guesses nothing.
func (e Env) usual(found []memory.Place, writes bool) []memory.Place {
	here := slices.DeleteFunc(slices.Clone(found), func(p memory.Place) bool { return !e.isHere(p) })
	own := ofSystem(here, engine)
	switch {
	case len(own) == 1 && !writes:
		return own
	case len(here) > 0:
		return here
	}
	return found
}

// systemsHere returns the stores of the working folder and the project around it when
// they are of several systems, and else none.
func (e Env) systemsHere(ctx context.Context, all *flags) ([]memory.Place, error) {
	s, err := e.places(ctx, all, nil)
	found := existing(s)
	here := slices.DeleteFunc(slices.Clone(found), func(p memory.Place) bool { return !e.isHere(p) })
	for _, p := range here {
		if p.System != here[0].System {
			return here, err
		}
	}
	return nil, err
}

// isHere reports whether a store is of the working folder or the project around it.
func (e Env) isHere(p memory.Place) bool {
	return p.System == engine || p.Project != "" && e.Dir != "" && within(e.Dir, p.Project)
}

// several is the failure for stores of which none was named: it lists them as --store
// takes them.
func (e Env) several(found []memory.Place) error {
	f := &failure{code: exitUsage, err: fmt.Errorf("%d stores were found", len(found)), hint: "name one with --store PATH"}
	for _, p := range found[:min(shownStores, len(found))] {
		f.more = append(f.more, "  "+storeValue(p)+e.which(p, found))
	}
	if n := len(found) - shownStores; n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more; winnow stores shows them", n))
	}
	return f
}

// which says of a store, behind its name in a list, what it is where that differs.
func (e Env) which(p memory.Place, among []memory.Place) string {
	other := func(q memory.Place) bool { return q.System != p.System || q.Name != p.Name }
	if !slices.ContainsFunc(among, other) {
		return ""
	}
	return "  (" + e.kindName(p) + ")"
}

// kindName says what a store is: "Claude Code, auto memory".
func (e Env) kindName(p memory.Place) string {
	if p.Name == "" {
		return e.systemName(p.System)
	}
	return e.systemName(p.System) + ", " + p.Name
}

// storeValue is what --store takes for a store, in characters that can be printed.
func storeValue(p memory.Place) string {
	v := p.Path
	if p.Store.System() != "" || v == "" {
		v = string(p.Store)
	}
	if safe.Line(v) != v {
		return urlOf(p.Store)
	}
	return v
}

// storeFlag is --store for a store, as it is typed in a shell.
func storeFlag(p memory.Place) string {
	v := storeValue(p)
	if rest, home := strings.CutPrefix(v, "~/"); home { // which a shell leaves alone between quotes
		return "--store ~/" + quotedWord(rest)
	}
	return "--store " + quotedWord(v)
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
		what := safe.Line(p.Why)
		if p.System != engine {
			what = safe.Line(e.kindName(p))
		}
		fmt.Fprintf(e.Err, "  %d  %s  (%s)\n", i+1, safe.Line(e.Redact(p.Path)), what)
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
