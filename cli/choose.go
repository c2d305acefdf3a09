package cli

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// survey looks for stores: at the paths, or where agents keep them when there is
// no path.
func (p *program) survey(ctx context.Context, paths ...string) memory.Survey {
	if len(paths) > 0 {
		return p.Library.FindIn(ctx, paths)
	}
	return p.Library.Find(ctx)
}

// places looks for the stores that values of --store stand for, or for all that can be
// found when there are none. Of a system it returns only the stores of that. A value is a
// path, a system, a system and a path, or the folder of a project.
func (p *program) places(ctx context.Context, system string, values ...string) (memory.Survey, error) {
	if system != "" {
		if err := oneOf("system", system, p.systemIDs()...); err != nil {
			return memory.Survey{}, err
		}
	}
	var s memory.Survey
	if len(values) == 0 {
		s = p.survey(ctx)
	}
	for _, v := range values {
		addPlaces(&s, p.placesOf(ctx, v))
	}
	if system != "" {
		s.Places = ofSystem(s.Places, system)
	}
	return s, ctx.Err()
}

// placesOf looks for the stores that one value of --store stands for.
func (p *program) placesOf(ctx context.Context, value string) memory.Survey {
	value = pathOf(value)
	if p.namesSystem(value) {
		s := p.survey(ctx)
		s.Places = ofSystem(s.Places, value)
		return s
	}
	s := p.survey(ctx, value)
	dir := p.absolute(value)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return s
	}
	// A folder can be a project that has stores elsewhere too.
	elsewhere := p.survey(ctx).Places
	addPlaces(&s, memory.Survey{Places: slices.DeleteFunc(elsewhere, func(q memory.Place) bool { return q.Project != dir || !q.Exists })})
	return s
}

// addPlaces adds to a survey what it does not have.
func addPlaces(s *memory.Survey, more memory.Survey) {
	for _, place := range more.Places {
		if !slices.ContainsFunc(s.Places, func(q memory.Place) bool { return q.Store == place.Store }) {
			s.Places = append(s.Places, place)
		}
	}
	s.Looked = append(s.Looked, more.Looked...)
}

// inside reports whether path is dir or below it. Both are absolute.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func (e *Env) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.Dir, path)
}

func ofSystem(places []memory.Place, id string) []memory.Place {
	return slices.DeleteFunc(slices.Clone(places), func(q memory.Place) bool { return string(q.System) != id })
}

func (p *program) systemIDs() []string {
	return output.Each(p.Library.Systems(), func(s *memory.SystemInfo) string { return string(s.ID) })
}

func (p *program) isSystem(name string) bool { return slices.Contains(p.systemIDs(), name) }

// namesSystem reports whether a value of --store names a system: a path goes before it.
func (p *program) namesSystem(value string) bool { return p.isSystem(value) && !exists(value) }

// systemName returns the name of a system for a person.
func (p *program) systemName(id memory.SystemID) string {
	for _, s := range p.Library.Systems() {
		if s.ID == id {
			return s.Name
		}
	}
	return string(id)
}

// choice says how a command chooses its store.
type choice struct {
	store, system string // as the flags name them
	writes        bool   // the store is to be changed
	inputTaken    bool   // standard input is read for something else
}

// given is the choice by the flags of every command.
func (p *program) given() choice { return choice{store: p.store, system: p.system} }

// named returns how the store was named, for a command in a hint.
func (c choice) named() (s string) {
	if c.store != "" {
		s = " --store " + quotedWord(c.store)
	}
	if c.system != "" {
		s += " --system " + quotedWord(c.system)
	}
	return s
}

// choose returns the store that a command works on: the named one, or the only one that
// is usual here. Of several the user picks one, if there is a terminal to ask on and
// input is free for the answer.
func (p *program) choose(ctx context.Context, c choice) (memory.Place, error) {
	s, err := p.places(ctx, c.system, nonEmpty(c.store)...)
	if err != nil {
		return memory.Place{}, err
	}
	if c.store != "" && len(s.Places) == 1 {
		return s.Places[0], nil
	}
	found := existing(s)
	if c.store == "" {
		found = p.usual(found, c.writes)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return memory.Place{}, noStore(s)
	case p.InTTY && p.ErrTTY && !c.inputTaken && len(found) <= shownStores:
		return p.ask(ctx, found)
	}
	return memory.Place{}, p.several(found)
}

// nonEmpty returns the texts that are not empty.
func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// usual returns which of the stores that were found a command can mean without a name:
// those of the working folder and the project around it, and else all. A command that
// only looks means the one that lies here under its own path, whatever else belongs to
// the project; one that changes a store guesses nothing.
func (p *program) usual(found []memory.Place, writes bool) []memory.Place {
	here := p.here(found)
	own := slices.DeleteFunc(slices.Clone(here), func(q memory.Place) bool { return !q.ByPath })
	switch {
	case len(own) == 1 && !writes:
		return own
	case len(here) > 0:
		return here
	}
	return found
}

// here returns the stores of the working folder and the project around it.
func (p *program) here(found []memory.Place) []memory.Place {
	return slices.DeleteFunc(slices.Clone(found), func(q memory.Place) bool {
		return !q.ByPath && (q.Project == "" || p.Dir == "" || !inside(p.Dir, q.Project))
	})
}

// systemsHere returns the stores of the working folder and the project around it when
// they are of several systems, and else none.
func (p *program) systemsHere(ctx context.Context) ([]memory.Place, error) {
	s, err := p.places(ctx, p.system)
	here := p.here(existing(s))
	if slices.ContainsFunc(here, func(q memory.Place) bool { return q.System != here[0].System }) {
		return here, err
	}
	return nil, err
}

// several is the failure for stores of which none was named: it lists them as --store
// takes them.
func (p *program) several(found []memory.Place) error {
	f := failed(exitUsage, "name one with --store PATH", "%d stores were found", len(found))
	for _, q := range found[:min(shownStores, len(found))] {
		line := "  " + storeValue(q)
		if slices.ContainsFunc(found, func(r memory.Place) bool { return r.System != q.System || r.Name != q.Name }) {
			line += "  (" + p.kindName(q) + ")"
		}
		f.more = append(f.more, line)
	}
	if n := len(found) - shownStores; n > 0 {
		f.more = append(f.more, "  and "+strconv.Itoa(n)+" more; winnow stores lists them")
	}
	return f
}

// kindName says what a store is: the name of its system, and what the system calls it.
func (p *program) kindName(q memory.Place) string {
	return strings.Join(nonEmpty(p.systemName(q.System), q.Name), ", ")
}

// storeValue is what --store takes for a store, in characters that can be printed.
func storeValue(q memory.Place) string {
	v := q.Path
	if q.Store.System() != "" || v == "" {
		v = string(q.Store)
	}
	if safe.Line(v) != v {
		return urlOf(q.Store)
	}
	return v
}

// storeFlag is --store for a store, as it is typed in a shell.
func storeFlag(q memory.Place) string {
	v := storeValue(q)
	if rest, home := strings.CutPrefix(v, "~/"); home { // which a shell leaves alone between quotes
		return "--store ~/" + quotedWord(rest)
	}
	return "--store " + quotedWord(v)
}

// quotedWord returns s as one word of a shell.
func quotedWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// fileURL begins a path in which bytes can be written as %XX: one that is no UTF-8 has no
// other form in JSON or on a terminal.
const fileURL = "file://"

// pathOf returns a value of --store with a file URL in it replaced by the path it names.
func pathOf(value string) string {
	system, rest, ok := strings.Cut(value, fileURL)
	if !ok || !strings.HasPrefix(rest, "/") || strings.ContainsAny(system, "/ ") || system != "" && !strings.HasSuffix(system, ":") {
		return value
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return value
	}
	return system + path
}

// urlOf returns what --store takes for a store, with its path as a file URL.
func urlOf(id memory.StoreID) string {
	u := fileURL + (&url.URL{Path: id.Path()}).EscapedPath()
	if s := id.System(); s != "" {
		u = string(s) + ":" + u
	}
	return u
}

// shownStores is how many stores a message lists.
const shownStores = 20

// existing returns the places at which there is a store.
func existing(s memory.Survey) []memory.Place {
	return slices.DeleteFunc(slices.Clone(s.Places), func(q memory.Place) bool { return !q.Exists })
}

var errNoStore = errors.New("no store was found")

// noStore is the failure when no store was found. It lists where Winnow looked.
func noStore(s memory.Survey) error {
	f := &failure{code: exitNotFound, err: errNoStore, hint: "name a store with --store PATH, or try winnow --demo"}
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
func (p *program) ask(ctx context.Context, found []memory.Place) (memory.Place, error) {
	p.tell("%d stores were found:", len(found))
	for i, q := range found {
		what := q.Why
		if !q.ByPath {
			what = p.kindName(q)
		}
		p.tell("  %d  %s  (%s)", i+1, q.Path, what)
	}
	p.prompt("Which one (1-%d)? ", len(found))
	answer, err := p.answer(ctx)
	if err != nil {
		return memory.Place{}, err
	}
	n, err := strconv.Atoi(answer)
	if err != nil || n < 1 || n > len(found) {
		return memory.Place{}, usage("name one with --store PATH", "none of the %d stores was chosen", len(found))
	}
	return found[n-1], nil
}

// offerStores completes a value of --store with the systems and the stores that are
// found. Paths are completed by the shell as well.
func (p *program) offerStores(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	names := p.offerSystems(begun)
	s, err := p.places(c.Context(), p.system)
	if err != nil {
		return names, cobra.ShellCompDirectiveDefault
	}
	o := p.output(false)
	for _, q := range existing(s) {
		if v := storeValue(q); strings.HasPrefix(v, begun) && !strings.HasPrefix(v, "~") {
			names = append(names, offered(o, v, p.kindName(q)))
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

func (p *program) offerSystems(begun string) (names []string) {
	for _, s := range p.Library.Systems() {
		if id := string(s.ID); strings.HasPrefix(id, begun) {
			names = append(names, offered(p.output(false), id, "the stores of "+s.Name))
		}
	}
	return names
}

// offered is a value for completion with what it means.
func offered(o *output.Out, value, means any) string {
	return cobra.CompletionWithDesc(string(o.Show(value)), string(o.Show(means)))
}

// chosenQuietly chooses the store for a completion, which must not ask.
func (p *program) chosenQuietly(ctx context.Context) (memory.Place, error) {
	c := p.given()
	c.inputTaken = true
	return p.choose(ctx, c)
}

// description returns how the records of a store are called and shown.
func (p *program) description(ctx context.Context, q memory.Place) (memory.Noun, memory.Description) {
	snap, err := p.Library.Summary(ctx, q.Store)
	if err != nil { // the command itself will fail on it
		return memory.Noun{}, memory.Description{}
	}
	return snap.Noun, snap.Described
}
