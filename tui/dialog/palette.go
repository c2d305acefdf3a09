package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

const (
	// maxPathBytes is how much of a path is searched: its end tells stores apart.
	maxPathBytes = 200
	// mostRecords is how many records are listed behind the commands.
	mostRecords = 50
)

// Kind is what a palette lists. A text that begins with the sign of another kind lists that.
type Kind byte

// The kinds of lists, by their signs.
const (
	Commands Kind = '>' // and records, behind them
	Stores   Kind = '@'
	Views    Kind = '\''
)

// Palette offers commands, stores, saved views and records. What is typed narrows them.
type Palette struct {
	state
	keys     keymap.Map
	offer    Offer
	line     textline.Line
	stores   views.Switcher
	commands views.Palette
	do       []tea.Msg // what the rows of commands mean
}

// Offer is what a Palette offers.
type Offer struct {
	Kind   Kind   // 0 is Stores
	Title  string // of the list of stores; empty to open one
	Places []memory.Place
	Open   memory.StoreID // the one that is open already
	Names  map[memory.SystemID]string
	// Then is what the choice of a store means, of which there is nothing else to choose then; nil to open
	// it.
	Then func(memory.StoreID) tea.Msg

	Commands []views.HelpKey
	Views    []SavedView
	Records  []memory.Record
}

// SavedView is a view with its name, and what it is in a line.
type SavedView struct {
	Name, Text string
	View       msg.View
}

// NewPalette returns the dialog for an offer.
func NewPalette(k keymap.Map, o Offer) *Palette {
	if o.Kind == 0 {
		o.Kind = Stores
	}
	p := &Palette{keys: k, offer: o, stores: views.Switcher{Open: o.Open, Names: o.Names}}
	if p.stores.Title = o.Title; o.Title == "" {
		p.stores.Title = "Open a store"
	}
	p.stores.Typing, p.commands.Typing = true, true
	p.narrow()
	return p
}

// Add offers more stores, behind the others. A choice that means something else than to
// open a store stays as it is.
func (p *Palette) Add(places []memory.Place) {
	if p.offer.Then != nil {
		return
	}
	all := slices.Clone(p.offer.Places)
	for _, place := range places {
		if !slices.ContainsFunc(all, func(q memory.Place) bool {
			return q.Store == place.Store || q.System == place.System && q.Path == place.Path
		}) {
			all = append(all, place)
		}
	}
	p.offer.Places = all
	p.narrow()
}

// asked returns what is listed, and the words that narrow it. Sign reports that the text names the kind.
func (p *Palette) asked() (kind Kind, query string, sign bool) {
	text := p.line.Text()
	if text != "" && p.offer.Then == nil {
		switch kind := Kind(text[0]); kind {
		case Commands, Stores, Views:
			return kind, strings.TrimSpace(text[1:]), true
		}
	}
	return p.offer.Kind, strings.TrimSpace(text), false
}

// Form implements Dialog.
func (p *Palette) Form() Form {
	kind, _, _ := p.asked()
	run, verb := p.run, "do it"
	f := Form{Keys: p.keys, View: p.commands.Dialog, List: &List{Len: len(p.commands.Rows), Cursor: &p.commands.Cursor, Again: run}}
	if kind == Stores {
		run, verb = p.open, "open"
		f.View, f.List = p.stores.Dialog, &List{Len: len(p.stores.Places), Cursor: &p.stores.Cursor, Again: run}
	}
	f.Typed = &Typed{
		Line: &p.line, Changed: func() { p.stores.Cursor, p.commands.Cursor = 0, 0; p.narrow() }, Complete: p.complete,
		Accept: Action{Binding: keymap.As(p.keys.Text.Accept, verb), Do: run},
		Cancel: Action{Binding: keymap.As(p.keys.Text.Cancel, "close"), Do: closes},
	}
	return f
}

// open opens the store at the cursor, or does with it what it was picked for.
func (p *Palette) open() result {
	if p.stores.Cursor >= len(p.stores.Places) {
		return result{}
	}
	store := p.stores.Places[p.stores.Cursor].Store
	if p.offer.Then != nil {
		return closing(p.offer.Then(store))
	}
	return closing(msg.OpenStore{Store: store})
}

// run does what the row at the cursor means.
func (p *Palette) run() result {
	if p.commands.Cursor >= len(p.do) {
		return result{}
	}
	return closing(p.do[p.commands.Cursor])
}

// complete puts the name of the row at the cursor into the text.
func (p *Palette) complete() {
	kind, _, _ := p.asked()
	if c := p.commands.Cursor; kind != Stores && c < len(p.commands.Rows) && p.commands.Rows[c].Record == nil {
		p.line.Set(string(kind) + p.commands.Rows[c].Text)
		p.narrow()
		p.commands.Cursor = 0
	}
}

// narrow lists what matches the text that was typed.
func (p *Palette) narrow() {
	kind, query, sign := p.asked()
	p.stores.Query, p.commands.Query = p.line.Text(), p.line.Text()
	switch kind {
	case Stores:
		p.narrowStores(query)
		return
	case Views:
		p.listViews(query)
	default:
		p.listCommands(query)
		if !sign && query != "" {
			p.listRecords(query)
		}
	}
}

// matching returns the positions of the names that have the letters of a query in their order, the best
// first; all of them for none.
func matching(query string, names []string) []int {
	var list []int
	if query == "" {
		for i := range names {
			list = append(list, i)
		}
		return list
	}
	for _, m := range fuzzy.Find(query, names) {
		list = append(list, m.Index)
	}
	return list
}

// narrowStores finds the stores whose names or paths have what was typed.
func (p *Palette) narrowStores(query string) {
	v, all := &p.stores, p.offer.Places
	names := make([]string, len(all))
	for i, place := range all {
		name := strings.Join([]string{v.Names[place.System], string(place.System), place.Name, place.Path, place.Project}, " ")
		names[i] = name[max(len(name)-maxPathBytes, 0):]
	}
	v.Places = nil
	for _, i := range matching(query, names) {
		v.Places = append(v.Places, all[i])
	}
}

// list begins a list that has all rows at most.
func (p *Palette) list(title, empty string, all int) {
	p.commands.Title, p.commands.Empty, p.commands.All = title, empty, all
	p.commands.Rows, p.do = nil, nil
}

func (p *Palette) add(row views.PaletteRow, do tea.Msg) {
	p.commands.Rows, p.do = append(p.commands.Rows, row), append(p.do, do)
}

// listCommands lists commands, those that are off last.
func (p *Palette) listCommands(query string) {
	all := p.offer.Commands
	p.list("Commands", "", len(all))
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Binding.Help().Desc
	}
	found := matching(query, names)
	slices.SortStableFunc(found, func(i, j int) int { return min(len(all[i].Off), 1) - min(len(all[j].Off), 1) })
	for _, i := range found {
		c := all[i]
		p.add(views.PaletteRow{Text: names[i], Key: c.Binding.Help().Key, Off: c.Off}, msg.Press(c.Binding.Keys()[0]))
	}
}

func (p *Palette) listViews(query string) {
	all := p.offer.Views
	p.list("Saved views", "There are none; [views] in config.toml has them, see winnow config edit", len(all))
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	for _, i := range matching(query, names) {
		p.add(views.PaletteRow{Text: all[i].Name, Note: all[i].Text}, all[i].View)
	}
}

// listRecords lists the records of the open store whose titles have all words of a query.
func (p *Palette) listRecords(query string) {
	words, n := strings.Fields(strings.ToLower(query)), 0
next:
	for i := range p.offer.Records {
		r := &p.offer.Records[i]
		title := strings.ToLower(r.Title)
		for _, word := range words {
			if !strings.Contains(title, word) {
				continue next
			}
		}
		if n++; n > mostRecords {
			return
		}
		p.add(views.PaletteRow{Record: r}, msg.Lesson{ID: r.ID})
	}
}
