package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views"
)

type storesFlags struct{ json, findings, long bool }

func (p *program) stores() command {
	var f storesFlags
	return command{
		use: "stores [PATH...]", short: "List the stores, and where Winnow looked for them",
		long: `Lists all stores, or those at and below PATH, by system and project: how many records
each holds, what it adds to every session at the start, how full it is, which agents run
now, and what is wrong with it. PATH is anything that --store takes.

On a terminal each store is one line, and --long prints all that is known. Any other
output always gets that. --findings audits each store, which reads all of it.`,
		examples: []string{"winnow stores", "winnow stores --system SYSTEM --long", "winnow stores ~/src --json"},
		flags: []flag{
			{to: &f.findings, name: "findings", help: "count the audit findings of each store"},
			{to: &f.long, name: "long", help: "print all that is known of each store"},
			jsonFlag(&f.json),
		},
		run: func(c *cobra.Command, args []string) error {
			return p.runStores(c.Context(), nonEmpty(append([]string{p.store}, args...)...), f)
		},
	}
}

func (p *program) runStores(ctx context.Context, paths []string, f storesFlags) error {
	s, err := p.places(ctx, p.system, paths...)
	if err != nil {
		return err
	}
	states := make([]state, len(s.Places))
	inParallel(len(states), func(i int) { states[i] = p.stateAt(ctx, s.Places[i], f.findings) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	o := p.output(false)
	if f.json {
		if err := o.JSON(storesJSON{
			Schema: schemaVersion, Stores: output.Each(states, func(s *state) stateJSON { return stateOf(o, s) }),
			Looked: output.Each(s.Looked, func(l *memory.Looked) lookedJSON {
				return lookedJSON{Where: o.Text(l.Where), Found: l.Found, Note: o.Text(l.Note)}
			}),
			Systems: output.Each(p.grouped(states), groupOf),
		}); err != nil || len(existing(s)) > 0 {
			return err
		}
		return silent(exitNotFound)
	}
	long := f.long || o.Width == 0
	p.printStores(o, states, long)
	for _, l := range s.Looked {
		if long || len(states) == 0 {
			o.Line("looked at %s: %d found%s", l.Where, l.Found, note(l.Note))
		}
	}
	if err := o.Close(); err != nil {
		return err
	}
	if len(existing(s)) == 0 {
		return &failure{code: exitNotFound, err: errNoStore, hint: "name a store or a folder: winnow stores PATH"}
	}
	return nil
}

// inParallel calls fn with 0 to n-1, a few at a time since reading waits for the disk more
// than it computes, and returns after all calls. A panic in one of them is one of the
// caller.
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

// state is a store with its counts, and what an audit of it counts unless that is nil.
type state struct {
	memory.Snapshot
	tally *memory.Tally
}

// stateAt asks a store for its counts. One that cannot be read has a problem.
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

// group is the stores of one system, by project, with what they are together.
type group struct {
	id     memory.SystemID
	name   string
	states []*state

	projects, records, running, unreadable int
	nouns                                  []string // counts of records, each sort in its own word
	tally                                  *memory.Tally
}

// grouped returns the stores by system, in the order in which systems are asked, and in
// each by project: first those that hold for all.
func (p *program) grouped(states []state) []group {
	var groups []group
	for _, s := range p.Library.Systems() {
		groups = append(groups, group{id: s.ID, name: s.Name})
	}
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

// add sorts the stores of a group, and adds up what they are together.
func (g *group) add() {
	slices.SortStableFunc(g.states, func(a, b *state) int { return cmp.Compare(a.Place.Project, b.Place.Project) })
	projects, agents, counts := map[string]bool{}, map[memory.Running]bool{}, map[memory.Noun]int{}
	var nouns []memory.Noun
	for _, s := range g.states {
		projects[s.Place.Project] = true
		for _, r := range s.Running {
			if r.PID != 0 { // an agent that uses several stores is one
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
		if t := s.tally; t != nil {
			if g.tally == nil {
				g.tally = &memory.Tally{}
			}
			g.tally.High, g.tally.Medium, g.tally.Low, g.tally.Files = g.tally.High+t.High, g.tally.Medium+t.Medium, g.tally.Low+t.Low, g.tally.Files+t.Files
		}
	}
	delete(projects, "")
	g.projects, g.running = len(projects), len(agents)
	for _, n := range nouns {
		if counts[n] > 0 || len(nouns) == 1 {
			g.nouns = append(g.nouns, n.Count(counts[n]))
		}
	}
}

// sum says what the stores of a system are together.
func (g *group) sum() string {
	line := plural(len(g.states), "store")
	if g.projects > 0 {
		line += " of " + plural(g.projects, "project")
	}
	parts := append([]string{line}, g.nouns...)
	if g.running > 0 {
		parts = append(parts, strconv.Itoa(g.running)+" running now")
	}
	if g.tally != nil {
		parts = append(parts, tallied(g.tally))
	}
	if g.unreadable > 0 {
		parts = append(parts, strconv.Itoa(g.unreadable)+" cannot be read")
	}
	return strings.Join(parts, ", ")
}

// tallied says what an audit counts.
func tallied(t *memory.Tally) string {
	line := "findings:"
	for _, n := range []struct {
		count int
		word  string
	}{{t.High, "high"}, {t.Medium, "medium"}, {t.Low, "low"}, {t.Files, "about the file"}} {
		if n.count > 0 {
			line += " " + strconv.Itoa(n.count) + " " + n.word
		}
	}
	if line == "findings:" {
		return "no findings"
	}
	return line
}

// printStores prints the stores by system and project, a store a line, or with all that
// is known of each.
func (p *program) printStores(o *output.Out, states []state, long bool) {
	for _, g := range p.grouped(states) {
		o.Paragraph("", "%s: %s", g.name, g.sum())
		project := ""
		for _, s := range g.states {
			if q := s.Place.Project; q != project {
				project = q
				o.Line("  project %s", p.fromHome(q))
			}
			if long {
				p.printStore(o, s)
			} else {
				p.printBrief(o, s, len(states) <= shownStores)
			}
		}
		o.Printf("\n")
	}
}

// fromHome returns a path with ~ for the home of the user.
func (e *Env) fromHome(path string) string {
	home, _ := e.Lookup("HOME")
	if home != "" && inside(path, home) && path != home {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}

// printBrief prints a store in one line: what it is, how much it holds, what it adds to
// each session, and what is worth a look, first what matters most.
func (p *program) printBrief(o *output.Out, s *state, few bool) {
	const nameWidth, countWidth, startWidth = 26, 16, 9
	indent := "  "
	if s.Place.Project != "" {
		indent = "    "
	}
	cell := func(text string, width int) output.Safe { return output.Safe(views.Cell(string(o.Show(text)), width)) }
	line := o.Sprintf("%s%s  ", indent, cell(firstOf(s.Place.Name, s.Place.Path), nameWidth+2-len(indent)))
	if s.Problem != nil {
		line += o.Show(s.Problem.What)
	} else {
		start := ""
		if s.Start.Bytes > 0 {
			start = bytesText(s.Start.Bytes)
		}
		line += o.Sprintf("%s  %s  %s", cell(s.Noun.Count(s.Counted()), countWidth), output.Safe(views.Right(start, startWidth)), strings.Join(s.remarkable(), "; "))
	}
	o.Line("%s", output.Safe(strings.TrimRight(string(line), " ")))
	if s.Place.Name != "" && o.Width >= wide && few {
		o.Line("%s  %s", indent, storeFlag(s.Place))
	}
}

// remarkable is what is worth a look about a store.
func (s *state) remarkable() (list []string) {
	for _, r := range s.Running {
		list = append(list, runningText(r))
	}
	if s.tally != nil && *s.tally != (memory.Tally{}) {
		list = append(list, tallied(s.tally))
	}
	for _, h := range s.Health {
		if h.Level >= memory.Warn {
			list = append(list, h.Level.String()+": "+h.What)
		}
	}
	for _, u := range s.Usage {
		list = append(list, fullness(u))
	}
	if s.Held > 0 && s.Cap > 0 {
		list = append(list, fmt.Sprintf("%d of at most %d held", s.Held, s.Cap))
	}
	if s.ReadOnly != "" {
		list = append(list, "read-only")
	}
	return list
}

// bytesText says how large something is: "812 B", "6.1 kB".
func bytesText(n int) string {
	const unit = 1000
	switch {
	case n < unit:
		return strconv.Itoa(n) + " B"
	case n < unit*unit:
		return fmt.Sprintf("%.1f kB", float64(n)/unit)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/unit/unit)
}

// runningText says which agent runs now.
func runningText(r memory.Running) string {
	line := "running"
	if r.PID != 0 {
		line += " (pid " + strconv.Itoa(r.PID) + ")"
	}
	return strings.Join(nonEmpty(line, r.State), ", ")
}

// fullness says how full a part of a store is, in the words of its system where it has
// any.
func fullness(u memory.Usage) string {
	switch {
	case u.Text != "":
		return strings.TrimPrefix(u.Name+" "+u.Text, " ")
	case u.Limit > 0:
		return fmt.Sprintf("%s %d/%d", u.Name, u.Used, u.Limit)
	}
	return fmt.Sprintf("%s %d", u.Name, u.Used)
}

// printStore prints all that is known of a store.
func (p *program) printStore(o *output.Out, s *state) {
	path, what := s.Place.Path, s.Place.Why
	if path == "." { // the working folder
		path = p.fromHome(s.Place.Store.Path())
	}
	if s.Place.Name != "" {
		what = s.Place.Name + note(s.Place.Why)
	}
	o.Line("%s", path)
	o.Paragraph("  ", "%s", what)
	if s.Place.Store.System() != "" {
		o.Line("  %s", storeFlag(s.Place))
	}
	if s.Problem != nil {
		o.Paragraph("  ", "%s", s.Problem.What)
		return
	}
	holds := s.Noun.Count(s.Counted())
	if s.Cap > 0 {
		holds += fmt.Sprintf(", %d of at most %d held, %d never recalled", s.Held, s.Cap, s.Unused)
	}
	o.Line("  %s", holds)
	git := ""
	if s.Git != memory.GitUnknown || s.Place.ByPath {
		git = ", git " + s.Git.String()
	}
	o.Line("  %d bytes, mode %04o%s, written %s", s.Size, uint32(s.Mode.Perm()), git, o.Dash(p.moment(memory.Moment{Time: s.ModTime})))
	p.printDetails(o, s)
	if s.Writer != "" {
		o.Paragraph("  ", "%s", s.Writer)
	}
	for _, h := range s.Health {
		if h.Level > memory.Good {
			o.Paragraph("  ", "%s: %s", h.Level, h.What)
		}
	}
}

// printDetails prints what only some systems tell of a store.
func (p *program) printDetails(o *output.Out, s *state) {
	if n := s.Start; n.Bytes > 0 {
		o.Line("  at every start: %d bytes, about %d to %d tokens", n.Bytes, n.TokensLow, n.TokensHigh)
	}
	var lines []string
	for _, u := range s.Usage {
		lines = append(lines, fullness(u))
	}
	if s.tally != nil {
		lines = append(lines, tallied(s.tally))
	}
	for _, r := range s.Running {
		line := runningText(r)
		if r.Session != "" {
			line += ", session " + r.Session
		}
		if r.Folder != "" {
			line += ", in " + p.fromHome(r.Folder)
		}
		if !r.Since.IsZero() {
			line += ", since " + p.age(r.Since)
		}
		lines = append(lines, line)
	}
	for _, c := range s.Scopes {
		lines = append(lines, "scope "+c.Name+": "+s.Noun.Count(c.Records)+note(c.Note))
	}
	for _, f := range s.Facts {
		lines = append(lines, f.Name+note(f.Text))
	}
	if s.ReadOnly != "" {
		lines = append(lines, "read-only: "+s.ReadOnly)
	}
	for _, line := range lines {
		o.Paragraph("  ", "%s", line)
	}
}
