package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// group is the stores of one system, by project.
type group struct {
	id     memory.SystemID
	name   string
	states []*state
}

// grouped returns the stores by system, in the order in which systems are asked, and in
// each by project: first those that hold for all.
func (e Env) grouped(states []state) []group {
	var groups []group
	for _, s := range e.Library.Systems() {
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
	for _, g := range groups {
		slices.SortStableFunc(g.states, func(a, b *state) int { return cmp.Compare(a.Place.Project, b.Place.Project) })
	}
	return groups
}

// count returns how many of the stores is says something of.
func (g *group) count(is func(*state) bool) (n int) {
	for _, s := range g.states {
		if is(s) {
			n++
		}
	}
	return n
}

func (g *group) projects() int {
	seen := map[string]bool{}
	for _, s := range g.states {
		seen[s.Place.Project] = s.Place.Project != ""
	}
	delete(seen, "")
	return len(seen)
}

func (g *group) records() (n int) {
	for _, s := range g.states {
		n += s.Counted()
	}
	return n
}

// running is how many agents run now, each counted once.
func (g *group) running() int {
	seen := map[memory.Running]bool{}
	for _, s := range g.states {
		for _, r := range s.Running {
			if r.PID != 0 {
				r = memory.Running{PID: r.PID}
			}
			seen[r] = true
		}
	}
	return len(seen)
}

func (g *group) failed() int { return g.count(func(s *state) bool { return s.failed() }) }

// failed reports whether a store that is there cannot be read.
func (s *state) failed() bool {
	return s.Problem != nil && s.Problem.Code != "empty" && s.Problem.Code != "missing"
}

// tally is the sum of what was found, nil when nobody looked.
func (g *group) tally() *memory.Tally {
	var sum *memory.Tally
	for _, s := range g.states {
		if s.tally == nil {
			continue
		}
		if sum == nil {
			sum = &memory.Tally{}
		}
		sum.High, sum.Medium, sum.Low, sum.Files = sum.High+s.tally.High, sum.Medium+s.tally.Medium, sum.Low+s.tally.Low, sum.Files+s.tally.Files
	}
	return sum
}

// sum says what the stores of a system are together.
func (g *group) sum() string {
	said := plural(len(g.states), "store")
	if n := g.projects(); n > 0 {
		said += " of " + plural(n, "project")
	}
	for _, n := range g.nouns() {
		said += ", " + n
	}
	if n := g.running(); n > 0 {
		said += ", " + strconv.Itoa(n) + " running now"
	}
	if t := g.tally(); t != nil {
		said += ", " + tallied(t)
	}
	if n := g.failed(); n > 0 {
		said += ", " + strconv.Itoa(n) + " cannot be read"
	}
	return said
}

// nouns counts the records, each sort of them in its own word.
func (g *group) nouns() (said []string) {
	var nouns []memory.Noun
	counts := map[memory.Noun]int{}
	for _, s := range g.states {
		n := nounOf(s.Noun)
		if _, seen := counts[n]; !seen {
			nouns = append(nouns, n)
		}
		counts[n] += s.Counted()
	}
	for _, n := range nouns {
		if counts[n] > 0 || len(nouns) == 1 {
			said = append(said, n.Count(counts[n]))
		}
	}
	return said
}

// nounOf returns the word for the records of a store that may have told none.
func nounOf(n memory.Noun) memory.Noun {
	if n.One == "" {
		return memory.Noun{One: "record", Many: "records"}
	}
	return n
}

// tallied says what an audit counts.
func tallied(t *memory.Tally) string {
	var said []string
	for _, n := range []struct {
		count int
		word  string
	}{{t.High, "high"}, {t.Medium, "medium"}, {t.Low, "low"}, {t.Files, "about the file"}} {
		if n.count > 0 {
			said = append(said, strconv.Itoa(n.count)+" "+n.word)
		}
	}
	if len(said) == 0 {
		return "no findings"
	}
	return "findings: " + strings.Join(said, " ")
}

// printStores prints the stores by system and project, a store a line, or with all that
// is known of each.
func (e Env) printStores(o *output, all *flags, states []state, long bool) {
	groups := e.grouped(states)
	for i := range groups {
		g := &groups[i]
		o.paragraph("", safe.Line(g.name)+": "+safe.Line(g.sum()))
		project := ""
		for _, s := range g.states {
			if p := s.Place.Project; p != project {
				project = p
				o.line("  project " + o.sentence(e.fromHome(p)))
			}
			if long {
				e.printStore(o, all, s)
			} else {
				e.printBrief(o, s, len(states) <= shownStores)
			}
		}
		o.printf("\n")
	}
}

// fromHome returns a path with ~ for the home of the user.
func (e Env) fromHome(path string) string {
	home, _ := e.Lookup("HOME")
	if home != "" && within(path, home) && path != home {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}

// printBrief prints a store in one line: what it is, how much it holds, what it adds to
// each session, and what is worth a look, first what matters most.
func (e Env) printBrief(o *output, s *state, few bool) {
	const nameWidth, countWidth, startWidth = 26, 16, 9
	name := firstOf(s.Place.Name, s.Place.Path)
	indent := "  "
	if s.Place.Project != "" {
		indent = "    "
	}
	line := indent + views.Cell(o.sentence(name), nameWidth+2-len(indent)) + "  "
	switch {
	case s.Problem != nil:
		line += safe.Line(s.Problem.What)
	default:
		start := ""
		if s.Start.Bytes > 0 {
			start = bytesText(s.Start.Bytes)
		}
		line += views.Cell(safe.Line(nounOf(s.Noun).Count(s.Counted())), countWidth) + "  " + views.Right(start, startWidth) + "  " +
			safe.Line(strings.Join(o.worth(s), "; "))
	}
	o.line(strings.TrimRight(line, " "))
	if s.Place.Name != "" && o.width >= wide && few {
		o.line(indent + "  " + o.sentence(storeFlag(s.Place)))
	}
}

// wide is the number of columns from which there is room for what is nice to have.
const wide = 100

// worth is what is worth a look about a store.
func (o *output) worth(s *state) (said []string) {
	for _, r := range s.Running {
		said = append(said, o.hidden(runningText(r)))
	}
	if s.tally != nil && *s.tally != (memory.Tally{}) {
		said = append(said, tallied(s.tally))
	}
	for _, h := range s.Health {
		if h.Level >= memory.Warn {
			said = append(said, h.Level.String()+": "+o.hidden(h.What))
		}
	}
	for _, u := range s.Usage {
		said = append(said, o.hidden(usageText(u)))
	}
	if s.Held > 0 && s.Cap > 0 {
		said = append(said, fmt.Sprintf("%d of at most %d held", s.Held, s.Cap))
	}
	if s.ReadOnly != "" {
		said = append(said, "read-only")
	}
	return said
}

// bytesText says how large something is: "812 B", "6.1 kB".
func bytesText(n int) string {
	const unit = 1000
	if n < unit {
		return strconv.Itoa(n) + " B"
	}
	if n < unit*unit {
		return strconv.FormatFloat(float64(n)/unit, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/unit/unit, 'f', 1, 64) + " MB"
}

// runningText says which agent runs now.
func runningText(r memory.Running) string {
	said := "running"
	if r.PID != 0 {
		said += " (pid " + strconv.Itoa(r.PID) + ")"
	}
	if r.State != "" {
		said += ", " + r.State
	}
	return said
}

// usageText says how full a part of a store is, in the words of its system where it has
// any.
func usageText(u memory.Usage) string {
	switch {
	case u.Text != "":
		return strings.TrimPrefix(u.Name+" "+u.Text, " ")
	case u.Limit > 0:
		return fmt.Sprintf("%s %d/%d", u.Name, u.Used, u.Limit)
	}
	return fmt.Sprintf("%s %d", u.Name, u.Used)
}

// printStore prints all that is known of a store.
func (e Env) printStore(o *output, all *flags, s *state) {
	zone := all.zone(e)
	path := s.Place.Path
	if path == "." { // the working folder
		path = e.fromHome(s.Place.Store.Path())
	}
	o.line(o.sentence(path))
	what := s.Place.Why
	if s.Place.Name != "" {
		what = s.Place.Name + note(s.Place.Why)
	}
	o.paragraph("  ", o.sentence(what))
	if s.Place.Store.System() != "" {
		o.line("  " + o.sentence(storeFlag(s.Place)))
	}
	if s.Problem != nil {
		o.paragraph("  ", safe.Line(s.Problem.What))
		return
	}
	o.line("  " + holds(&s.Snapshot))
	git := ""
	if s.Git != memory.GitUnknown || s.Place.System == engine {
		git = ", git " + s.Git.String()
	}
	o.line(fmt.Sprintf("  %d bytes, mode %04o%s, written %s", s.Size, s.Mode.Perm(), git, moment(memory.Moment{Time: s.ModTime}, zone)))
	e.printMore(o, s)
	if s.Writer != "" {
		o.paragraph("  ", safe.Line(s.Writer))
	}
	for _, h := range s.Health {
		if h.Level > memory.Good {
			o.paragraph("  ", fmt.Sprintf("%s: %s", h.Level, safe.Line(h.What)))
		}
	}
}

// holds says how many records a store holds, and how many of them an agent would.
func holds(s *memory.Snapshot) string {
	said := safe.Line(nounOf(s.Noun).Count(s.Counted()))
	if s.Cap > 0 {
		said += fmt.Sprintf(", %d of at most %d held, %d never recalled", s.Held, s.Cap, s.Unused)
	}
	return said
}

// printMore prints what only some systems tell of a store.
func (e Env) printMore(o *output, s *state) {
	if n := s.Start; n.Bytes > 0 {
		o.line(fmt.Sprintf("  at every start: %d bytes, about %d to %d tokens", n.Bytes, n.TokensLow, n.TokensHigh))
	}
	for _, u := range s.Usage {
		o.paragraph("  ", o.sentence(usageText(u)))
	}
	if s.tally != nil {
		o.line("  " + tallied(s.tally))
	}
	for _, r := range s.Running {
		said := runningText(r)
		if r.Session != "" {
			said += ", session " + r.Session
		}
		if r.Folder != "" {
			said += ", in " + e.fromHome(r.Folder)
		}
		if !r.Since.IsZero() {
			said += ", since " + views.Age(e.Now().Sub(r.Since))
		}
		o.paragraph("  ", o.sentence(said))
	}
	for _, c := range s.Scopes {
		o.paragraph("  ", o.sentence("scope "+c.Name+": "+nounOf(s.Noun).Count(c.Records)+note(c.Note)))
	}
	for _, f := range s.Facts {
		o.paragraph("  ", o.sentence(f.Name+note(f.Text)))
	}
	if s.ReadOnly != "" {
		o.paragraph("  ", o.sentence("read-only: "+s.ReadOnly))
	}
}
