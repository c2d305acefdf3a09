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
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // agents know a project by its physical path
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() { // a project can have stores elsewhere too
		elsewhere := p.survey(ctx).Places
		addPlaces(
			&s,
			memory.Survey{
				Places: filterPlaces(elsewhere, func(q memory.Place) bool {
					return q.Exists && q.Project == dir
				}),
			},
		)
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

// inProject reports whether dir is in the project of a store.
func inProject(dir string, q memory.Place) bool {
	return q.Project != "" && inside(dir, q.Project) && !q.Surrounds
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
func (p *program) namesSystem(value string) bool { return p.isSystem(value) && !p.exists(value) }

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
	leftovers  bool // also among stores of Winnow's own that hold nothing any more
	// holds returns the store among several that holds what the command names, if it names anything. It may be
	// nil.
	holds func(ctx context.Context, found []memory.Place) (place memory.Place, named bool, err error)
}

// named returns the store as it was named, for a command in a hint.
func (p *program) named() string {
	store := p.store
	if safe.Line(store) != store {
		id := memory.StoreID(store)
		store = urlOf(id.System(), p.Absolute(id.Path()))
	}
	if p.held {
		return " " + storeFlag(p.place)
	}
	return output.When(store != "", " --store "+memory.ShellWord(store)) +
		output.When(p.system != "", " --system "+memory.ShellWord(p.system))
}

// choose returns the store that a command works on: the one that was named, the only one here, or the one that
// holds what the command names. If several are left, the user picks one, provided there is a terminal and
// standard input is free for the answer.
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
		found = p.usualStores(found, c.leftovers)
		if place, named, err := p.holder(ctx, c, found); named || err != nil {
			return place, err
		}
		found = p.preferred(found, c.writes)
	}
	switch len(found) {
	case 0:
		return memory.Place{}, noStore(s)
	case 1:
		return found[0], nil
	}
	return p.oneOf(ctx, c, found)
}

// preferred returns the only store of an agent if the others are Winnow's own, so that an approval changes no choice.
// A command that only reads takes the only one under a path of its own. Otherwise it returns all.
func (p *program) preferred(found []memory.Place, writes bool) []memory.Place {
	agents := filterPlaces(found, p.ofAgent)
	if byPath := filterPlaces(agents, func(q memory.Place) bool { return q.ByPath }); len(byPath) == 1 && !writes {
		return byPath
	}
	if len(agents) == 1 {
		return agents
	}
	return found
}

// holder returns the store among several that holds what the command names, and says which it is.
func (p *program) holder(ctx context.Context, c choice, found []memory.Place) (
	place memory.Place, named bool, err error,
) {
	if len(found) < 2 || c.holds == nil {
		return place, false, nil
	}
	place, named, err = c.holds(ctx, found)
	if p.held = named && err == nil; p.held && c.writes {
		p.notef("%s: in %s  %s", p.op, p.kindName(place), storeFlag(place))
	}
	return place, named, err
}

// oneOf lets the user pick one of several stores, or refuses and lists them if nobody can be asked.
func (p *program) oneOf(ctx context.Context, c choice, found []memory.Place) (memory.Place, error) {
	if p.InTTY && p.ErrTTY && !c.inputTaken && len(found) <= shownStores {
		return p.ask(ctx, found)
	}
	return memory.Place{}, p.severalStores(found)
}

// usualStores returns the stores that a command can mean if none is named: those of the working folder
// and the project around it, or otherwise all. With leftovers they include those that Winnow emptied.
func (p *program) usualStores(found []memory.Place, leftovers bool) []memory.Place {
	here := p.around(found)
	if len(here) == 0 {
		here = found
	}
	if leftovers {
		return here
	}
	return filterPlaces(here, func(q memory.Place) bool { return !p.isLeftOver(q) })
}

// isLeftOver reports whether a store of Winnow's own holds nothing, as after an approval that was undone.
func (e *Env) isLeftOver(q memory.Place) bool {
	info, err := os.Stat(q.Store.Path())
	return !e.ofAgent(q) && err == nil && info.Size() == 0
}

// ofAgent reports whether an agent keeps the store, and not Winnow.
func (e *Env) ofAgent(q memory.Place) bool {
	return !slices.ContainsFunc(
		e.Library.Systems(),
		func(s memory.SystemInfo) bool { return s.Own && s.ID == q.System },
	)
}

// SystemNames returns the display names of systems.
func (e *Env) SystemNames() map[memory.SystemID]string {
	names := map[memory.SystemID]string{}
	for _, info := range e.Library.Systems() {
		names[info.ID] = info.Name
	}
	return names
}

// Here returns the stores that commands and screens mean when none is named: the existing ones of the working folder
// and the project around it. Those of agents come first, and those that Winnow keeps itself last and only if they
// hold anything, so that an approval and its undo change no choice.
func (e *Env) Here(found []memory.Place) []memory.Place {
	return filterPlaces(e.around(found), func(q memory.Place) bool { return !e.isLeftOver(q) })
}

// around is Here with the stores that hold nothing any more. A project in the home folder is not that of all
// folders below it.
func (e *Env) around(found []memory.Place) []memory.Place {
	here := filterPlaces(found, func(q memory.Place) bool {
		return q.Exists && (q.ByPath || e.Dir != "" && inProject(e.Dir, q) && (q.Project != e.Home || e.Dir == e.Home))
	})
	own := filterPlaces(here, func(q memory.Place) bool { return !e.ofAgent(q) })
	return append(filterPlaces(here, e.ofAgent), own...)
}

// severalStores returns the failure for several stores when none was named.
func (p *program) severalStores(found []memory.Place) error {
	return p.listingStores(failed(exitUsage, "name one with --store PATH", "%d stores were found", len(found)), found)
}

// listingStores adds to a failure the stores that it is about, as values for --store.
func (p *program) listingStores(f *failure, found []memory.Place) error {
	alike := !slices.ContainsFunc(
		found,
		func(q memory.Place) bool { return q.System != found[0].System || q.Name != found[0].Name },
	)
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
		return urlOf(q.Store.System(), q.Store.Path())
	}
	return v
}

// storeFlag returns the flag --store for a store as typed in a shell.
func storeFlag(q memory.Place) string {
	v, home := strings.CutPrefix(storeValue(q), "~/") // a shell does not expand ~ between quotes
	return "--store " + output.When(home, "~/") + memory.ShellWord(v)
}

// idWord returns the last words of a command that is printed and names a record by its ID, as it is printed.
func idWord(id string) string {
	return output.When(strings.HasPrefix(id, "-"), "-- ") + memory.ShellWord(safe.Line(id))
}

// fileURL begins a path in which bytes can be written as %XX. A path that is not UTF-8 has no other
// form in JSON or on a terminal.
const fileURL = "file://"

// pathOf replaces a file URL in a value of --store by the path it names.
func pathOf(value string) string {
	system, rest, ok := strings.Cut(value, fileURL)
	if !ok || !strings.HasPrefix(rest, "/") || strings.ContainsAny(system, "/ ") ||
		system != "" && !strings.HasSuffix(system, ":") {
		return value
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return value
	}
	return system + path
}

// urlOf returns the value of --store for a store of a system, or of any if that is empty, with its path as a file
// URL.
func urlOf(system memory.SystemID, path string) string {
	u := fileURL + (&url.URL{Path: path}).EscapedPath()
	if system != "" {
		u = string(system) + ":" + u
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
func noStore(s memory.Survey) *failure {
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

// nothingHere is noStore for the project around the working folder: it also says who would read files there.
func (p *program) nothingHere(ctx context.Context, s memory.Survey) error {
	f := noStore(s)
	var agents []string
	for _, a := range p.Library.Sources(ctx, "", false) {
		if n, _ := a.Count(memory.AtStart); n > 0 {
			agents = memory.AppendNew(agents, a.Agent)
		}
	}
	if len(agents) > 0 {
		f.more = append(f.more, "  files here would be read by "+strings.Join(agents, ", ")+": winnow sources")
	}
	return f
}

// note returns a remark to put after a name, if there is one.
func note(s string) string { return output.When(s != "", ": "+s) }

// ask lets the user pick one of several stores.
func (p *program) ask(ctx context.Context, found []memory.Place) (memory.Place, error) {
	p.out.Flush()
	p.prompt("%d stores were found:\n", len(found)) // not into a pager, which would show them too late
	for i, q := range found {
		what := q.Why
		if !q.ByPath {
			what = p.kindName(q)
		}
		p.prompt("  %d  %s  (%s)\n", i+1, q.Path, what)
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
	return output.Each(
		p.Library.Systems(),
		func(s *memory.SystemInfo) string { return p.completion(s.ID, "the stores of "+s.Name) },
	)
}

// agentFlag is the flag that names the agent whose sessions to use.
func (p *program) agentFlag(to *string, help string) flag {
	return flag{to: to, name: "from", help: help, offer: p.offerSystems}
}

// refuseAgent refuses a --from that names no system.
func (p *program) refuseAgent(from string) refusal {
	return refusal{
		from != "" && !p.isSystem(from),
		"use one of: " + strings.Join(p.systemIDs(), ", "),
		"--from " + from + ": no such system",
	}
}

// completion returns a value for completion with its description.
func (p *program) completion(value, means any) string {
	return cobra.CompletionWithDesc(string(p.out.Show(value)), string(p.out.Show(means)))
}
