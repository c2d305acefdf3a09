package cli

import (
	"context"
	"errors"
	"fmt"
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

// survey looks for stores at the paths or, without paths, where agents keep them.
func (p *program) survey(ctx context.Context, paths ...string) memory.Survey {
	if len(paths) > 0 {
		return p.Library.FindIn(ctx, paths)
	}
	return p.Library.Find(ctx)
}

// places looks for the stores that values of --store name, or for all stores if there are none.
// With --system it returns only the stores of that system. A value is a path, a system, a system
// and a path, or the folder of a project.
func (p *program) places(ctx context.Context, values ...string) (s memory.Survey, _ error) {
	if ids := p.systemIDs(); p.system != "" && !slices.Contains(ids, p.system) {
		return memory.Survey{}, noSuchValue("system", p.system, ids)
	}
	if len(values) == 0 {
		s = p.survey(ctx)
	}
	for _, v := range values {
		addPlaces(&s, p.placesOf(ctx, v))
	}
	if p.system != "" {
		s.Places = filterPlaces(s.Places, func(q memory.Place) bool { return string(q.System) == p.system })
	}
	return s, ctx.Err()
}

// placesOf looks for the stores that one value of --store names.
func (p *program) placesOf(ctx context.Context, value string) memory.Survey {
	value = pathOf(value)
	if p.namesSystem(value) {
		s := p.survey(ctx)
		s.Places = filterPlaces(s.Places, func(q memory.Place) bool { return string(q.System) == value })
		return s
	}
	s := p.survey(ctx, value)
	dir := p.Absolute(value)
	if info, err := os.Stat(dir); err == nil && info.IsDir() { // a project can have stores elsewhere too
		elsewhere := p.survey(ctx).Places
		addPlaces(&s, memory.Survey{Places: filterPlaces(elsewhere, func(q memory.Place) bool { return q.Project == dir && q.Exists })})
	}
	return s
}

// addPlaces adds to a survey the places and looks that it lacks.
func addPlaces(s *memory.Survey, more memory.Survey) {
	for _, place := range more.Places {
		s.Found(place)
	}
	s.Looked = append(s.Looked, more.Looked...)
}

// filterPlaces returns the places for which a condition holds.
func filterPlaces(places []memory.Place, holds func(memory.Place) bool) []memory.Place {
	return slices.DeleteFunc(slices.Clone(places), func(q memory.Place) bool { return !holds(q) })
}

// existing returns the existing stores among those that values of --store name, or among all stores
// if there are no values. It returns an error if there is none.
func (p *program) existing(ctx context.Context, values ...string) ([]memory.Place, error) {
	s, err := p.places(ctx, values...)
	found := existing(s)
	if err == nil && len(found) == 0 {
		err = noStore(s)
	}
	return found, err
}

// inside reports whether path is dir or below it. Both are absolute.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Absolute returns a path as absolute, relative to the working folder.
func (e *Env) Absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.Dir, path)
}

func (p *program) systemIDs() []string {
	return output.Each(p.Library.Systems(), func(s *memory.SystemInfo) string { return string(s.ID) })
}

func (p *program) isSystem(name string) bool { return slices.Contains(p.systemIDs(), name) }

// namesSystem reports whether a value of --store names a system. An existing path takes precedence.
func (p *program) namesSystem(value string) bool { return p.isSystem(value) && !exists(value) }

// systemName returns the display name of a system.
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
	writes     bool // the command changes the store
	dryRun     bool // the command only plans a change
	inputTaken bool // standard input is used for something else
	bare       bool // the display of its records is not needed
}

// named returns the store as it was named, for a command in a hint.
func (p *program) named() string {
	return output.When(p.store != "", " --store "+memory.ShellWord(p.store)) + output.When(p.system != "", " --system "+memory.ShellWord(p.system))
}

// choose returns the store that a command works on: the one that was named, or the only default
// here. If there are several, the user picks one, provided there is a terminal and standard input
// is free for the answer.
func (p *program) choose(ctx context.Context, c choice) (memory.Place, error) {
	s, err := p.places(ctx, output.NonEmpty(p.store)...)
	if err != nil {
		return memory.Place{}, err
	}
	if p.store != "" && len(s.Places) == 1 {
		return s.Places[0], nil
	}
	found := existing(s)
	if p.store == "" {
		found = p.usualStores(found, c.writes)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return memory.Place{}, noStore(s)
	case p.InTTY && p.ErrTTY && !c.inputTaken && len(found) <= shownStores:
		return p.ask(ctx, found)
	}
	return memory.Place{}, p.severalStores(found)
}

// usualStores returns the stores that a command can mean if none is named: those of the working folder
// and the project around it, or otherwise all. A command that only reads prefers the store under
// the working folder's own path. A command that changes a store never guesses.
func (p *program) usualStores(found []memory.Place, writes bool) []memory.Place {
	here := p.Here(found)
	own := filterPlaces(here, func(q memory.Place) bool { return q.ByPath })
	switch {
	case len(own) == 1 && !writes:
		return own
	case len(here) > 0:
		return here
	}
	return found
}

// SystemNames returns the display names of systems.
func (e *Env) SystemNames() map[memory.SystemID]string {
	names := map[memory.SystemID]string{}
	for _, info := range e.Library.Systems() {
		names[info.ID] = info.Name
	}
	return names
}

// Here returns the stores of the working folder and the project around it.
func (e *Env) Here(found []memory.Place) []memory.Place {
	return filterPlaces(found, func(q memory.Place) bool {
		return q.ByPath || q.Project != "" && e.Dir != "" && inside(e.Dir, q.Project)
	})
}

// systemsHere returns the stores of the working folder and the project around it if they belong to
// several systems, and none otherwise.
func (p *program) systemsHere(ctx context.Context) ([]memory.Place, error) {
	s, err := p.places(ctx)
	here := p.Here(existing(s))
	if slices.ContainsFunc(here, func(q memory.Place) bool { return q.System != here[0].System }) {
		return here, err
	}
	return nil, err
}

// severalStores returns the failure for several stores when none was named. It lists them as values for
// --store.
func (p *program) severalStores(found []memory.Place) error {
	f := failed(exitUsage, "name one with --store PATH", "%d stores were found", len(found))
	alike := !slices.ContainsFunc(found, func(q memory.Place) bool { return q.System != found[0].System || q.Name != found[0].Name })
	for _, q := range found[:min(shownStores, len(found))] {
		f.more = append(f.more, "  "+storeValue(q)+output.When(!alike, "  ("+p.kindName(q)+")"))
	}
	if n := len(found) - shownStores; n > 0 {
		f.more = append(f.more, "  and "+strconv.Itoa(n)+" more; winnow stores lists them")
	}
	return f
}

// kindName describes a store by the names of its system and of its kind.
func (p *program) kindName(q memory.Place) string {
	return output.Joined(", ", p.systemName(q.System), q.Name)
}

// storeValue returns the value of --store for a store, in printable characters.
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

// storeFlag returns the flag --store for a store as typed in a shell.
func storeFlag(q memory.Place) string {
	v, home := strings.CutPrefix(storeValue(q), "~/") // a shell does not expand ~ between quotes
	return "--store " + output.When(home, "~/") + memory.ShellWord(v)
}

// fileURL begins a path in which bytes can be written as %XX. A path that is not UTF-8 has no other
// form in JSON or on a terminal.
const fileURL = "file://"

// pathOf replaces a file URL in a value of --store by the path it names.
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

// urlOf returns the value of --store for a store, with its path as a file URL.
func urlOf(id memory.StoreID) string {
	u := fileURL + (&url.URL{Path: id.Path()}).EscapedPath()
	if s := id.System(); s != "" {
		u = string(s) + ":" + u
	}
	return u
}

// shownStores is the number of stores that a message lists.
const shownStores = 20

// existing returns the places at which there is a store.
func existing(s memory.Survey) []memory.Place {
	return filterPlaces(s.Places, func(q memory.Place) bool { return q.Exists })
}

var errNoStore = errors.New("no store was found")

// noStore returns the failure that no store was found. It lists where Winnow looked if the list is
// short.
func noStore(s memory.Survey) error {
	f := &failure{code: exitNotFound, err: errNoStore, hint: "name a store with --store PATH, or try winnow --demo"}
	const short = 5
	if n := len(s.Looked); n > short {
		f.more = []string{fmt.Sprintf("  looked in %d places: winnow stores lists them", n)}
		return f
	}
	for _, l := range s.Looked {
		f.more = append(f.more, "  looked at "+l.Where+note(l.Note))
	}
	return f
}

// matchPrefix returns the index of a name with the prefix begun, and the number of such names. An exact
// match is the only one.
func matchPrefix(names []string, begun string) (at, fit int) {
	for i, name := range names {
		if name == begun {
			return i, 1
		}
		if strings.HasPrefix(name, begun) {
			at, fit = i, fit+1
		}
	}
	return at, fit
}

// note returns a remark to put after a name, if there is one.
func note(s string) string { return output.When(s != "", ": "+s) }

// ask lets the user pick one of several stores.
func (p *program) ask(ctx context.Context, found []memory.Place) (memory.Place, error) {
	p.notef("%d stores were found:", len(found))
	for i, q := range found {
		what := q.Why
		if !q.ByPath {
			what = p.kindName(q)
		}
		p.notef("  %d  %s  (%s)", i+1, q.Path, what)
	}
	p.prompt("Which one (1-%d)? ", len(found))
	answer, err := p.answer(ctx)
	n, _ := strconv.Atoi(answer)
	if err == nil && (n < 1 || n > len(found)) {
		err = usage("name one with --store PATH", "none of the %d stores was chosen", len(found))
	}
	if err != nil {
		return memory.Place{}, err
	}
	return found[n-1], nil
}

// offerStores completes the systems and the stores that were found.
func (p *program) offerStores(ctx context.Context, _ []string) []string {
	names := p.offerSystems(ctx, nil)
	s, _ := p.places(ctx) // an unknown system has no stores
	for _, q := range existing(s) {
		if v := storeValue(q); !strings.HasPrefix(v, "~") {
			names = append(names, p.completion(v, p.kindName(q)))
		}
	}
	return names
}

// offerSystems completes systems.
func (p *program) offerSystems(context.Context, []string) []string {
	return output.Each(p.Library.Systems(), func(s *memory.SystemInfo) string { return p.completion(s.ID, "the stores of "+s.Name) })
}

// agentFlag is the flag that names the agent whose sessions to use.
func (p *program) agentFlag(to *string, help string) flag {
	return flag{to: to, name: "from", help: help, offer: p.offerSystems}
}

// refuseAgent refuses a --from that names no system.
func (p *program) refuseAgent(from string) refusal {
	return refusal{from != "" && !p.isSystem(from), "use one of: " + strings.Join(p.systemIDs(), ", "), "--from " + from + ": no such system"}
}

// completion returns a value for completion with its description.
func (p *program) completion(value, means any) string {
	return cobra.CompletionWithDesc(string(p.out.Show(value)), string(p.out.Show(means)))
}

// description returns how the records of a store are called and shown. If the store cannot be read,
// the command itself will report it.
func (p *program) description(ctx context.Context, q memory.Place) (memory.Noun, memory.Description) {
	snap, _ := p.Library.Summary(ctx, q.Store)
	return snap.Noun, snap.Described
}
