package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views"
)

// storesListing is one call of stores, with its flags.
type storesListing struct {
	*program
	findings, long bool
}

func (p *program) stores() command {
	f := storesListing{program: p}
	return command{
		paged: true, use: "stores [PATH...]", short: "List stores, and where Winnow looked for them",
		long: `Lists all stores, or those at and below PATH, by system and project: how many records each
holds, what it adds to every session at the start, how full it is, which agents are
running, and what is wrong with it. PATH is anything that --store takes.

On a terminal each store takes one line; --long, and any other output, shows everything
known. --findings audits each store, which reads all of it.`,
		examples: []string{"winnow stores", "winnow stores --system SYSTEM --long", "winnow stores ~/src --json"},
		flags: []flag{
			{to: &f.findings, name: "findings", help: "count the audit findings of each store"},
			{to: &f.long, name: "long", help: "print everything known about each store"},
			p.jsonFlag(),
		},
		run: f.run,
	}
}

func (f *storesListing) run(ctx context.Context, args []string) error {
	s, err := f.places(ctx, output.NonEmpty(append([]string{f.store}, args...)...)...)
	if err != nil {
		return err
	}
	states := make([]state, len(s.Places))
	inParallel(len(states), func(i int) { states[i] = f.stateAt(ctx, s.Places[i], f.findings) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	none := len(existing(s)) == 0
	if f.json {
		f.out.JSON(storesJSON{
			Schema: schemaVersion,
			Stores: output.Each(states, func(s *state) stateJSON { return stateOf(f.out, s) }),
			Looked: output.Each(s.Looked, func(l *memory.Looked) lookedJSON {
				return lookedJSON{f.out.Text(l.Where), l.Found, f.out.Text(l.Note)}
			}),
			Systems: output.Each(f.grouped(states), groupOf),
		})
		if none {
			return silentExit(exitNotFound)
		}
		return nil
	}
	long := f.long || f.out.Width == 0
	f.printStores(states, long)
	for _, l := range s.Looked {
		if long || len(states) == 0 {
			f.out.Line("looked at %s: %d found%s", l.Where, l.Found, note(l.Note))
		}
	}
	if none {
		return &failure{code: exitNotFound, err: errNoStore, hint: "name a store or a folder: winnow stores PATH"}
	}
	return nil
}

// inParallel calls fn with 0 to n-1, several at a time because reading mostly waits for the disk,
// and returns after all calls. A panic in a call becomes a panic of the caller.
func inParallel(n int, fn func(i int)) {
	const atOnce = 4
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[string]
	for range min(n, atOnce) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					what := fmt.Sprintf("%v\n%s", r, debug.Stack())
					failed.Store(&what)
				}
			}()
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				fn(int(i))
			}
		})
	}
	wg.Wait()
	if what := failed.Load(); what != nil {
		panic(*what)
	}
}

// state is a store with its counts, and the counts of its audit unless that is nil.
type state struct {
	memory.Snapshot
	tally *memory.Tally
}

// stateAt reads the counts of a store. A store that cannot be read has a problem.
func (p *program) stateAt(ctx context.Context, q memory.Place, findings bool) (s state) {
	snap, err := p.Library.Summary(ctx, q.Store)
	snap.Place = q
	s.Snapshot = snap
	if err == nil && findings && q.Exists && snap.Problem == nil {
		var t memory.Tally
		if t, err = p.Library.Tally(ctx, q.Store); err == nil {
			s.tally = &t
		}
	}
	if err != nil && s.Problem == nil && !errors.As(err, &s.Problem) {
		f := asFailure(err)
		s.Problem = &memory.Problem{Code: "read-error", What: f.Error(), Hint: f.hint}
	}
	return s
}

// unreadable reports whether an existing store cannot be read.
func (s *state) unreadable() bool {
	return s.Problem != nil && s.Problem.Code != "empty" && s.Problem.Code != "missing"
}

// group is the stores of one system, by project, with their totals.
type group struct {
	id     memory.SystemID
	name   string
	states []*state

	projects, records, running, unreadable int
	nouns                                  []string // counts of records, each kind with its own noun
	tally                                  *memory.Tally
}

// grouped returns the stores by system, in the order in which systems are asked, and within each by
// project; stores for all projects come first.
func (p *program) grouped(states []state) []group {
	groups := output.Each(p.Library.Systems(), func(s *memory.SystemInfo) group {
		return group{id: s.ID, name: s.Name}
	})
	for i := range states {
		id := states[i].Place.System
		at := slices.IndexFunc(groups, func(g group) bool { return g.id == id })
		if at < 0 {
			at, groups = len(groups), append(groups, group{id: id, name: string(id)})
		}
		groups[at].states = append(groups[at].states, &states[i])
	}
	groups = slices.DeleteFunc(groups, func(g group) bool { return len(g.states) == 0 })
	for i := range groups {
		groups[i].add()
	}
	return groups
}

// add sorts the stores of a group, and adds up their totals.
func (g *group) add() {
	slices.SortStableFunc(g.states, func(a, b *state) int { return cmp.Compare(a.Place.Project, b.Place.Project) })
	projects, agents, counts := map[string]bool{}, map[memory.Running]bool{}, map[memory.Noun]int{}
	var nouns []memory.Noun
	for _, s := range g.states {
		projects[s.Place.Project] = true
		for _, r := range s.Running {
			if r.PID != 0 { // an agent that uses several stores counts once
				r = memory.Running{PID: r.PID}
			}
			agents[r] = true
		}
		n := s.Noun.OrRecord()
		if _, seen := counts[n]; !seen {
			nouns = append(nouns, n)
		}
		counts[n] += s.Counted()
		g.records += s.Counted()
		if s.unreadable() {
			g.unreadable++
		}
		g.count(s.tally)
	}
	delete(projects, "")
	g.projects, g.running = len(projects), len(agents)
	for _, n := range nouns {
		if counts[n] > 0 || len(nouns) == 1 {
			g.nouns = append(g.nouns, n.Count(counts[n]))
		}
	}
}

// count adds the counts of a store's audit.
func (g *group) count(t *memory.Tally) {
	if t != nil {
		sum := cmp.Or(g.tally, &memory.Tally{})
		g.tally = &memory.Tally{
			High:   sum.High + t.High,
			Medium: sum.Medium + t.Medium,
			Low:    sum.Low + t.Low,
			Files:  sum.Files + t.Files,
		}
	}
}

// sum describes the totals of a system's stores.
func (g *group) sum() string {
	of := output.When(g.projects > 0, " of "+output.Plural(g.projects, "project"))
	parts := append([]string{output.Plural(len(g.states), "store") + of}, g.nouns...)
	return output.Joined(", ", append(parts, output.When(g.running > 0, strconv.Itoa(g.running)+" running now"),
		tallyText(g.tally), output.When(g.unreadable > 0, strconv.Itoa(g.unreadable)+" cannot be read"))...)
}

// tallyText describes the counts of an audit, if there was one.
func tallyText(t *memory.Tally) string {
	if t == nil {
		return ""
	}
	counts := output.NonEmpty(
		output.When(t.High > 0, fmt.Sprintf("%d high", t.High)),
		output.When(t.Medium > 0, fmt.Sprintf("%d medium", t.Medium)),
		output.When(t.Low > 0, fmt.Sprintf("%d low", t.Low)),
		output.When(t.Files > 0, fmt.Sprintf("%d about the file", t.Files)),
	)
	if len(counts) == 0 {
		return "no findings"
	}
	return "findings: " + strings.Join(counts, " ")
}

// printStores prints the stores by system and project: each on one line, or in full if long is set.
func (p *program) printStores(states []state, long bool) {
	for _, g := range p.grouped(states) {
		p.out.Paragraph("", "%s: %s", g.name, g.sum())
		project := ""
		for _, s := range g.states {
			if q := s.Place.Project; q != project {
				project = q
				p.out.Line("  project %s", p.fromHome(q))
			}
			if long {
				p.printStore(s)
			} else {
				p.printBrief(s, len(states) <= shownStores)
			}
		}
		p.out.Printf("\n")
	}
}

// fromHome returns a path with ~ for the user's home.
func (e *Env) fromHome(path string) string {
	home, _ := e.Lookup("HOME")
	if home != "" && inside(path, home) && path != home {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}

// printBrief prints a store on one line: what it is, its size, what it adds to each session, and
// what is worth a look, most important first.
func (p *program) printBrief(s *state, few bool) {
	const nameWidth, countWidth, startWidth, roomForFlag = 26, 16, 9, 100
	o, indent := p.out, "  "+output.When(s.Place.Project != "", "  ")
	line := o.Sprintf("%s%s  ", indent, o.Cell(cmp.Or(s.Place.Name, s.Place.Path), nameWidth+2-len(indent)))
	if s.Problem != nil {
		line += o.Show(s.Problem.What)
	} else {
		start := output.When(s.Start.Bytes > 0, views.ByteSize(int64(s.Start.Bytes)))
		line += o.Sprintf("%s  %s  %s", o.Cell(s.Noun.Count(s.Counted()), countWidth), o.CellRight(start, startWidth), strings.Join(s.remarks(), "; "))
	}
	o.Line("%s", output.Safe(strings.TrimRight(string(line), " ")))
	if s.Place.Name != "" && o.Width >= roomForFlag && few {
		o.Line("%s  %s", indent, storeFlag(s.Place))
	}
}

// remarks returns what is worth a look in a store.
func (s *state) remarks() (list []string) {
	for _, r := range s.Running {
		list = append(list, runningText(r))
	}
	if s.tally != nil && *s.tally != (memory.Tally{}) {
		list = append(list, tallyText(s.tally))
	}
	for _, h := range s.Health {
		if h.Level >= memory.Warn {
			list = append(list, h.Level.String()+": "+h.What)
		}
	}
	for _, u := range s.Usage {
		list = append(list, fullness(u))
	}
	return output.NonEmpty(append(
		list,
		output.When(s.Held > 0 && s.Cap > 0, fmt.Sprintf("%d of at most %d held", s.Held, s.Cap)),
		output.When(s.ReadOnly != "", "read-only"),
	)...)
}

// runningText says which agent is running.
func runningText(r memory.Running) string {
	return output.Joined(", ", "running"+output.When(r.PID != 0, " (pid "+strconv.Itoa(r.PID)+")"), r.State)
}

// fullness says how full a part of a store is, in its system's own words if it has any.
func fullness(u memory.Usage) string {
	used := fmt.Sprint(u.Used) + output.When(u.Limit > 0, fmt.Sprintf("/%d", u.Limit))
	return strings.TrimPrefix(u.Name+" "+cmp.Or(u.Text, used), " ")
}

// printStore prints everything about a store.
func (p *program) printStore(s *state) {
	o, path := p.out, s.Place.Path
	if path == "." { // the working folder
		path = p.fromHome(s.Place.Store.Path())
	}
	o.Line("%s", path)
	o.Paragraph("  ", "%s", output.Joined(": ", s.Place.Name, s.Place.Why))
	if s.Place.Store.System() != "" {
		o.Line("  %s", storeFlag(s.Place))
	}
	if s.Problem != nil {
		o.Paragraph("  ", "%s", s.Problem.What)
		return
	}
	held := output.When(s.Cap > 0, fmt.Sprintf(", %d of at most %d held, %d never recalled", s.Held, s.Cap, s.Unused))
	o.Line("  %s%s", s.Noun.Count(s.Counted()), held)
	git := output.When(s.Git != memory.GitUnknown || s.Place.ByPath, ", git "+s.Git.String())
	hasMode := runtime.GOOS != "windows" && s.Mode != 0 // what is gone has none
	mode := output.When(hasMode, fmt.Sprintf(", mode %04o", uint32(s.Mode.Perm())))
	o.Line("  %d bytes%s%s, written %s", s.Size, mode, git, o.Dash(p.moment(memory.Moment{Time: s.ModTime})))
	for _, line := range p.details(s) {
		o.Paragraph("  ", "%s", line)
	}
	for _, h := range s.Health {
		if h.Level > memory.Good {
			o.Paragraph("  ", "%s: %s", h.Level, h.What)
		}
	}
}

// details are the facts that only some systems have.
func (p *program) details(s *state) []string {
	lines := []string{output.When(s.Start.Bytes > 0, fmt.Sprintf(
		"at every start: %d bytes, about %d to %d tokens",
		s.Start.Bytes,
		s.Start.TokensLow,
		s.Start.TokensHigh,
	))}
	for _, u := range s.Usage {
		lines = append(lines, fullness(u))
	}
	lines = append(lines, tallyText(s.tally))
	for _, r := range s.Running {
		lines = append(lines, output.Joined(
			", ",
			runningText(r),
			output.When(r.Session != "", "session "+r.Session),
			output.When(r.Folder != "", "in "+p.fromHome(r.Folder)),
			output.When(!r.Since.IsZero(), "since "+p.age(r.Since)),
		))
	}
	for _, c := range s.Scopes {
		lines = append(lines, "scope "+c.Name+": "+s.Noun.Count(c.Records)+note(c.Note))
	}
	for _, f := range s.Facts {
		lines = append(lines, f.Name+note(f.Text))
	}
	return output.NonEmpty(append(lines, output.When(s.ReadOnly != "", "read-only: "+s.ReadOnly), s.Writer)...)
}
