package dialog

import (
	"cmp"
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
	keys   keymap.Map
	offer  Offer
	line   textline.Line
	search views.Search
	// What is listed: places, or else rows, of which all could be. Do is what choosing each means.
	places []memory.Place
	rows   []views.PaletteRow
	all    int
	do     []tea.Msg
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
	p := &Palette{keys: k, offer: o, search: views.Search{Typing: true}}
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
	at := p.search.Cursor
	p.offer.Places = all
	p.narrow()
	p.search.Cursor = at
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
	verb, view := "do it", views.Palette{Search: p.search, Rows: p.rows, All: p.all}.Dialog
	if kind, _, _ := p.asked(); kind == Stores {
		verb, view = "open", views.Switcher{Search: p.search, Places: p.places, Open: p.offer.Open, Names: p.offer.Names}.Dialog
	}
	return Form{
		Keys: p.keys, View: view, List: &List{Len: len(p.do), Cursor: &p.search.Cursor, Again: p.run},
		Typed: &Typed{
			Line: &p.line, Changed: p.narrow, Complete: p.complete,
			Accept: Action{Binding: keymap.As(p.keys.Text.Accept, verb), Do: p.run},
			Cancel: Action{Binding: keymap.As(p.keys.Text.Cancel, "close"), Do: closes},
		},
	}
}

// run does what the row at the cursor means.
func (p *Palette) run() result {
	if p.search.Cursor >= len(p.do) {
		return result{}
	}
	return closing(p.do[p.search.Cursor])
}

// complete puts the name of the row at the cursor into the text.
func (p *Palette) complete() {
	kind, _, _ := p.asked()
	if c := p.search.Cursor; c < len(p.rows) && p.rows[c].Record == nil {
		p.line.Set(string(kind) + p.rows[c].Text)
		p.narrow()
	}
}

// narrow lists what matches the text that was typed.
func (p *Palette) narrow() {
	kind, query, sign := p.asked()
	p.search.Query, p.search.Cursor = p.line.Text(), 0
	p.places, p.rows, p.do = nil, nil, nil
	switch kind {
	case Stores:
		p.listStores(query)
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

// listStores lists the stores whose names or paths have what was typed.
func (p *Palette) listStores(query string) {
	p.search.Title = cmp.Or(p.offer.Title, "Open a store")
	names := make([]string, len(p.offer.Places))
	for i, place := range p.offer.Places {
		name := strings.Join([]string{p.offer.Names[place.System], string(place.System), place.Name, place.Path, place.Project}, " ")
		names[i] = name[max(len(name)-maxPathBytes, 0):]
	}
	for _, i := range matching(query, names) {
		place := p.offer.Places[i]
		var do tea.Msg = msg.OpenStore{Store: place.Store}
		if p.offer.Then != nil {
			do = p.offer.Then(place.Store)
		}
		p.places, p.do = append(p.places, place), append(p.do, do)
	}
}

func (p *Palette) add(row views.PaletteRow, do tea.Msg) {
	p.rows, p.do = append(p.rows, row), append(p.do, do)
}

// listCommands lists commands, those that are off last.
func (p *Palette) listCommands(query string) {
	all := p.offer.Commands
	p.search.Title, p.search.Empty, p.all = "Commands", "", len(all)
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
	p.search.Title, p.search.Empty, p.all = "Saved views", "There are none; [views] in config.toml has them, see winnow config edit", len(all)
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
	most := len(p.rows) + mostRecords
	for i := range p.offer.Records {
		if r := &p.offer.Records[i]; len(p.rows) < most && hasWords(r.Title, query) {
			p.add(views.PaletteRow{Record: r}, msg.Lesson{ID: r.ID})
		}
	}
}

// hasWords reports whether a text has all words of a query, in capitals or not.
func hasWords(text, query string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)), func(word string) bool { return !strings.Contains(text, word) })
}
