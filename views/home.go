package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// HomeKind says what a row of Home is about.
type HomeKind uint8

// The kinds, in the order of their rows.
const (
	HomeAgent   HomeKind = iota // an agent that reads something here
	HomeIdle                    // all agents that read nothing here
	HomeIssue                   // something that is wrong with what agents read
	HomeShared                  // two files that are one text
	HomeOther                   // another project
	HomeMore                    // the other projects that are not listed
	HomeStore                   // a store, or the heading of several
	HomeFailing                 // what failed again and again
)

// HomeItem is a row of Home.
type HomeItem struct {
	Kind HomeKind
	N    int // index in Read.Agents, Read.Issues, Read.Same, Others or Stores.Lines
}

// OtherProject is a project with stores that is not the one that Home is about.
type OtherProject struct {
	Folder  string
	Systems []memory.SystemID
	Rows    []int // its stores, as indexes in Stores.Rows
}

// Home is the data of the first screen: what each agent reads in the folder, what is wrong with it,
// and all stores of the machine. Beside or below the list is what is known about the row under the
// cursor.
type Home struct {
	Stores
	Read memory.Home
	// Asked is set if somebody reads what agents read; Known once there is an answer.
	Asked, Known bool
	Dir          string // of the user, shown as ~
	Others       []OtherProject
	AllOthers    bool // Others are all listed, also below a project
	Items        []HomeItem
	Listing
}

// The groups whose headings are titles of columns.
const (
	agentsGroup = "Agents"
	storesGroup = "Stores"
)

// Arrange lists the rows again: those of agents and issues, which a filter leaves out, and the lines of
// the stores.
func (v *Home) Arrange() {
	v.Items, v.Groups = nil, nil
	group := ""
	add := func(name string, item HomeItem) {
		if name != group {
			v.Groups, group = append(v.Groups, Group{Name: name, From: len(v.Items), Apart: len(v.Items) > 0}), name
		}
		v.Items = append(v.Items, item)
	}
	if v.Filter == "" {
		idle := -1
		for i := range v.Read.Agents {
			if a := &v.Read.Agents[i]; a.Reads() || a.Stop != nil {
				add(agentsGroup, HomeItem{HomeAgent, i})
			} else if idle < 0 {
				idle = i
			}
		}
		if idle >= 0 {
			add(agentsGroup, HomeItem{HomeIdle, idle})
		}
		for i := range v.Read.Issues {
			if is := &v.Read.Issues[i]; is.Open() {
				add(is.Kind.Words(), HomeItem{HomeIssue, i})
			}
		}
		if v.Read.Failing != "" {
			add("Failed again and again", HomeItem{HomeFailing, 0})
		}
		for i := range v.Read.Same {
			add("The same, twice", HomeItem{HomeShared, i})
		}
		listed := v.listedOthers()
		for i := range listed {
			add("Other projects", HomeItem{HomeOther, i})
		}
		if listed < len(v.Others) {
			add("Other projects", HomeItem{HomeMore, listed})
		}
	}
	for i := range v.Lines {
		add(storesGroup, HomeItem{HomeStore, i})
	}
}

// listedOthers returns how many of the other projects are listed: all outside a project, a few below one.
func (v Home) listedOthers() int {
	const few = 3
	switch {
	case !v.Known:
		return 0
	case v.AllOthers || len(v.Others) <= few+1 || v.Read.Outside:
		return len(v.Others)
	}
	return few
}

// AnyReads reports whether any agent reads something in the folder.
func (v Home) AnyReads() bool {
	return slices.ContainsFunc(v.Read.Agents, func(a memory.HomeAgent) bool { return a.Reads() })
}

// Chosen returns the row under the cursor.
func (v Home) Chosen() (HomeItem, bool) {
	return at(v.Items, v.Cursor), v.Cursor >= 0 && v.Cursor < len(v.Items)
}

// ChosenLine returns the line of the stores under the cursor.
func (v Home) ChosenLine() (StoreLine, bool) {
	item, ok := v.Chosen()
	if !ok || item.Kind != HomeStore {
		return StoreLine{}, false
	}
	return v.Lines[item.N], true
}

// Key identifies a row while the lists change.
func (v Home) Key(entry int) string {
	item := v.Items[entry]
	switch item.Kind {
	case HomeAgent:
		return "agent " + v.Read.Agents[item.N].Agent
	case HomeIssue:
		return "issue " + v.Read.Issues[item.N].Fingerprint
	case HomeFailing:
		return "failing"
	case HomeShared:
		return "same " + v.Read.Same[item.N].A + " " + v.Read.Same[item.N].B
	case HomeOther:
		return "project " + v.Others[item.N].Folder
	case HomeMore:
		return "more"
	case HomeStore:
		l := v.Lines[item.N]
		if l.Heading != "" {
			return fmt.Sprintf("heading %d %s", l.Depth, l.Heading)
		}
		return "store " + string(v.Rows[l.Row].Place.Store)
	}
	return "idle"
}

// InSight returns the stores that are visible on a screen of w by h cells.
func (v Home) InSight(w, h int) []int {
	var rows []int
	n := v.Visible(w, h)
	for row := v.Offset; row < v.Offset+n && row < v.RowsOf(len(v.Items)); row++ {
		i, head := v.at(row)
		if head || i < 0 || i >= len(v.Items) {
			continue
		}
		switch item := v.Items[i]; item.Kind {
		case HomeOther:
			rows = append(rows, v.Others[item.N].Rows...)
		case HomeStore:
			if l := v.Lines[item.N]; l.Heading == "" {
				rows = append(rows, l.Row)
			}
		}
	}
	return rows
}

// Len returns the number of rows.
func (v Home) Len() int { return len(v.Items) }

// Panes returns where list and detail are on a screen of w by h cells.
func (v Home) Panes(w, h int) layout.Panes {
	if v.Share == 0 {
		v.Share = homeShare
	}
	return layout.Split(w, h, v.Layout, v.Share)
}

// homeShare is the width of the list in percent: its rows have two places in them.
const homeShare = 62

// Visible returns how many rows a screen of w by h cells shows.
func (v Home) Visible(w, h int) int {
	_, inside := v.Panes(w, h).Inside()
	return max(inside-v.filterRows(), 0)
}

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Home) MaxScroll(w, h int) int {
	p := v.Panes(w, h)
	return max(len(v.detailLines(theme.Theme{}, p.Detail.Dx()-2))-max(p.DetailLines(), 1), 0)
}

// ItemAt returns the row at a cell of a screen of w by h cells.
func (v Home) ItemAt(w, h, x, y int) (entry int, ok bool) {
	return v.entryAt(v.Panes(w, h).List, 1+v.filterRows(), v.Visible(w, h), v.RowsOf(len(v.Items)), x, y)
}

// ColumnAt returns the name of the column of stores with its title at a cell, or nothing.
func (v Home) ColumnAt(w, h, x, y int) string {
	list := v.Panes(w, h).List
	row := y - list.Min.Y - 1 - v.filterRows()
	if row < 0 || row >= v.Visible(w, h) {
		return ""
	}
	if group, head := v.at(v.Offset + row); !head || group < 0 || v.Groups[group].Name != storesGroup {
		return ""
	}
	return storeColumns(list.Dx() - 2).columnAt(x - 1 - markWidth)
}

// Render returns the screen as text of exactly w by h cells.
func (v Home) Render(t theme.Theme, w, h int) string {
	if w <= 0 || h <= 0 {
		return Fill(t, nil, w, h)
	}
	p := v.Panes(w, h)
	lw, lh := p.Inside()
	dw := p.Detail.Dx() - 2
	if p.Below {
		dw = lw
	}
	s := ListDetail{
		Panes: p, Title: v.title(lw), Right: v.right(t), List: v.list(t, lw, lh),
		DetailTitle: v.detailTitle(t, dw), Detail: v.detailLines(t, dw), Scroll: v.Scroll, DetailFocused: v.Detail,
	}
	return s.Render(t)
}

// title names the folder.
func (v Home) title(w int) string {
	if !v.Known {
		return "Home"
	}
	return "What agents read in " + cutPath(v.path(v.Read.Folder, 1000), max(w-50, 12))
}

// right is at the right end of the list's title: how far the answer is, or how much agents read.
func (v Home) right(t theme.Theme) string {
	switch {
	case v.filterRows() > 0 || !v.Asked:
		return v.found(t)
	case !v.Known:
		return "reading" + t.Borders.Cut
	}
	return cmp.Or(safe.Line(v.Read.Doing), v.counts(t))
}

// list returns the inside of the list, at most h lines of w cells.
func (v Home) list(t theme.Theme, w, h int) []string {
	var lines []string
	if v.filterRows() > 0 {
		lines = append(lines, v.filterLine().Render(t, w))
	}
	if len(v.Items) == 0 {
		return append(lines, " "+t.Dim.Render(v.none(t)))
	}
	agents, stores := homeColumns(w), storeColumns(w)
	return append(lines, v.visibleRows(len(v.Items), h-len(lines), func(group int) string {
		line := " " + v.Groups[group].Name
		switch v.Groups[group].Name {
		case agentsGroup:
			line = pad(markWidth) + agents.header(t)
		case storesGroup:
			line = pad(markWidth) + stores.header(t)
		}
		return t.Strong.Render(Cell(t, line, w))
	}, func(i int) string {
		style, line := v.item(t, v.Items[i], agents, stores, w)
		return v.row(t, i, style, Cell(t, v.sign(i)+line, w))
	})...)
}

// none says why there are no rows.
func (v Home) none(t theme.Theme) string {
	switch {
	case !v.Ready:
		return "Looking for stores" + t.Borders.Cut
	case v.Filter != "":
		return "No store matches; " + keyOf(v.keys().Global.Back) + " clears the filter."
	}
	return "No agent has memories here."
}

// counts says how much agents read here.
func (v Home) counts(t theme.Theme) string {
	read := 0
	for i := range v.Read.Agents {
		if v.Read.Agents[i].Reads() {
			read++
		}
	}
	files, notes := memory.Counted(v.Read.Files, "file"), memory.Counted(v.Read.Notes, "note")
	return joined(t.Borders.Between, memory.Counted(read, "agent"), files, notes)
}

// homeColumns returns the columns of agents in w cells.
func homeColumns(w int) columns {
	all := columns{
		{title: "Agent", width: 16}, {title: "At start", width: 10, right: true, drop: 9},
		{title: "Files", width: 6, right: true, drop: 7}, {title: "Notes", width: 6, right: true, drop: 8},
		{title: "Problems", gap: 2},
	}
	w -= markWidth
	all.fitted(w, 14)
	all[4].width = max(w-all.total(), 0)
	return all
}

// item returns a row, and its style.
func (v Home) item(t theme.Theme, item HomeItem, agents, stores columns, w int) (theme.Style, string) {
	switch item.Kind {
	case HomeAgent:
		return t.Text, v.agentRow(t, agents, &v.Read.Agents[item.N])
	case HomeIdle:
		return t.Dim, "  " + v.idleText()
	case HomeIssue:
		return t.Text, v.issueRow(t, &v.Read.Issues[item.N], w-1)
	case HomeFailing:
		return t.Text, "  " + v.Mask.line(v.Read.Failing, w)
	case HomeShared:
		return t.Text, "  " + v.sharedText(&v.Read.Same[item.N])
	case HomeOther:
		return t.Text, v.otherRow(t, &v.Others[item.N], w)
	case HomeMore:
		return t.Dim, "  " + v.moreText()
	}
	return v.line(t, stores, v.Lines[item.N])
}

func (v Home) agentRow(t theme.Theme, cols columns, a *memory.HomeAgent) string {
	number := func(n int) string { return cmp.Or(textIf(n > 0, "%d", n), "-") }
	start := "0"
	switch {
	case a.OnRecall:
		start = "on recall"
	case a.Start.TokensHigh > 0:
		start = "~" + short(a.Start.Tokens()) + " tok"
	}
	files, notes := number(a.Files), number(a.Notes)
	wrong := v.problems(t, a, cols[4].width-cols[4].gap)
	return pad(markWidth-1) + cols.line(t, safe.Line(a.Agent), start, files, notes, wrong)
}

// problems names what is wrong with what an agent reads, the worst first, and how many more there are than have room
// in w cells.
func (v Home) problems(t theme.Theme, a *memory.HomeAgent, w int) string {
	if a.Stop != nil {
		return t.Danger.Render("does not start here: " + v.Mask.line(a.Stop.What, 200))
	}
	between := t.Dim.Render(t.Borders.Between)
	line := ""
	for i, p := range a.Problems {
		next := levelStyle(t, p.Level).Render(v.Mask.line(cmp.Or(p.Short, shortly(p.Text)), 200))
		more := len(a.Problems) - i
		rest := textIf(more > 1, " +%d", more-1)
		switch {
		case i == 0:
			next = truncate(t, next, max(w-Width(rest), 0))
		case Width(line+between+next+rest) > w:
			return line + t.Dim.Render(fmt.Sprintf(" +%d", more))
		default:
			next = between + next
		}
		line += next
	}
	return line
}

// shortly returns the first words of a sentence: what is wrong, without why and what follows.
func shortly(sentence string) string {
	if end := strings.IndexAny(sentence, ",:;"); end > 0 {
		return sentence[:end]
	}
	return strings.TrimSuffix(sentence, ".")
}

// idleText names the agents that read nothing.
func (v Home) idleText() string {
	const most = 3
	var names []string
	for i := range v.Read.Agents {
		if a := &v.Read.Agents[i]; !a.Reads() && a.Stop == nil {
			names = append(names, safe.Line(a.Agent))
		}
	}
	n := len(names)
	if n > most {
		names = append(names[:most-1], fmt.Sprintf("%d more", n-most+1))
	}
	list := strings.Join(names, ", ")
	if last := strings.LastIndex(list, ", "); last >= 0 {
		list = list[:last] + " and" + list[last+1:]
	}
	return list + plural(n, " reads nothing here", " read nothing here")
}

func (v Home) sharedText(s *memory.SharedText) string {
	of := max(s.OfA, s.OfB)
	return fmt.Sprintf("%d of %d statements of %s and %s", s.Same, of, v.path(s.A, 200), v.path(s.B, 200))
}

// otherRow returns another project in one line: its folder, its agents, and the worst that was found there.
func (v Home) otherRow(t theme.Theme, o *OtherProject, w int) string {
	const worst = 11
	path := min(max((w-markWidth-worst)/2, 8), 44)
	room := max(w-markWidth-path-worst, 0)
	return pad(markWidth-1) + Cell(t, cutPath(v.path(o.Folder, 1000), path-2), path) +
		Cell(t, truncate(t, v.systems(o), max(room-1, 0)), room) + v.sum(o.Rows).trouble(t)
}

// systems names the systems that have stores of a project.
func (v Home) systems(o *OtherProject) string {
	var names []string
	for _, id := range o.Systems {
		names = append(names, systemName(v.Names, id))
	}
	return strings.Join(names, ", ")
}

func (v Home) moreText() string {
	return fmt.Sprintf("and %d more", len(v.Others)-v.listedOthers())
}

// issueRow returns an issue in one line: what differs with both places, or what is wrong with its place.
func (v Home) issueRow(t theme.Theme, is *memory.Issue, w int) string {
	if is.Kind == memory.Differ && len(is.Places) > 1 {
		half := max((w-markWidth)/2, 1)
		left := v.side(t, &is.Places[0], is.Slots[0], half-2)
		return pad(markWidth-1) + left + "  " + v.side(t, &is.Places[1], is.Slots[1], w-markWidth-half)
	}
	what := is.What
	if is.Kind == memory.NoLongerTrue && is.Slots[0] != "" {
		what = is.Slots[0] + textIf(is.Slots[1] != "", "  now %s", is.Slots[1])
	}
	where := ""
	if len(is.Places) > 0 {
		where = v.spot(&is.Places[0], w/2) + textIf(is.More > 0, " and %d more", is.More)
	}
	return pad(markWidth-1) + leftAndRight(t, v.Mask.line(what, 400), "  "+t.Dim.Render(where), w-markWidth+1)
}

// side returns one place of a difference in w cells: the statement around what differs, and where it is.
func (v Home) side(t theme.Theme, s *memory.Spot, slot string, w int) string {
	where := v.spot(s, w/2)
	room := max(w-Width(where)-1, 1)
	text := v.Mask.line(cmp.Or(s.Text, slot), 400)
	if before, _, found := strings.Cut(text, safe.Line(slot)); found && slot != "" && Width(before)+Width(slot) > room {
		text = cutFront(t, text[:len(before)+len(safe.Line(slot))], room)
	}
	return Cell(t, text, room) + " " + t.Dim.Render(Cell(t, where, w-room-1)) // the same columns in every row
}

// spot names a place in a file in at most w cells.
func (v Home) spot(s *memory.Spot, w int) string {
	line := textIf(s.Line > 0, ":%d", s.Line)
	return cutPath(v.path(s.File, 1000), max(w-len(line), 8)) + line
}

// cutPath shortens a path from its front, to at most w cells.
func cutPath(path string, w int) string {
	if Width(path) <= w {
		return path
	}
	return "..." + without(path, Width(path)-w+3)
}

// path returns a path as people know it: below the project, or below their home.
func (v Home) path(file string, w int) string {
	for _, in := range [][2]string{{v.Read.Project, ""}, {v.Dir, "~/"}} {
		rest, below := strings.CutPrefix(file, in[0])
		if in[0] == "" || !below {
			continue
		}
		if rest == "" && in[1] != "" {
			return "~"
		}
		if rest != "" && (rest[0] == '/' || rest[0] == '\\') {
			return v.Mask.line(in[1]+rest[1:], w)
		}
	}
	return v.Mask.line(file, w)
}
