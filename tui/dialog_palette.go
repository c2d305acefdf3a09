package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

const (
	// maxPathBytes limits the text of a store that is searched. The end is kept, because it is what
	// distinguishes stores.
	maxPathBytes = 200
	// mostRecords is how many records are listed after the commands.
	mostRecords = 50
)

// paletteKind is what a palette lists. Its value is the sign that switches to it: a text that begins with
// the sign of a kind lists that kind.
type paletteKind byte

// The kinds of lists.
const (
	kindCommands paletteKind = '>' // the keys of the screen, followed by records
	kindStores   paletteKind = '@'
	kindViews    paletteKind = '\''
)

// paletteDialog is the dialog that offers commands, stores, saved views and records. Typing narrows the
// list.
type paletteDialog struct {
	dialogState
	keys   keymap.Map
	offer  paletteOffer
	line   page.TextLine
	search views.Search
	places []memory.Place     // the list, if stores are listed
	rows   []views.PaletteRow // the list otherwise
	all    int                // how many rows there are without a query
	do     []tea.Msg          // the message that choosing each entry delivers
}

// paletteOffer is what a palette offers.
type paletteOffer struct {
	Kind   paletteKind // 0 means kindStores
	Title  string      // of the list of stores; "" means "Open a store"
	Places []memory.Place
	Open   memory.StoreID // the open store
	Names  map[memory.SystemID]string
	// Then returns the message that choosing a store delivers. If it is set, only stores can be
	// chosen. If it is nil, choosing a store opens it.
	Then func(memory.StoreID) tea.Msg

	Place    string          // the screen whose keys the commands are
	Commands []views.HelpKey // those of a group follow each other
	Legend   []string        // of the letters and signs of the screen
	Views    []savedView
	Now      *config.View // what can be saved under a name that is typed; nil for nothing
	Records  []memory.Record
}

// savedView is a view with its name, and its description in one line.
type savedView struct {
	Name, Text string
	View       msg.View
}

// newPalette returns the dialog for an offer.
func newPalette(k keymap.Map, o paletteOffer) *paletteDialog {
	if o.Kind == 0 {
		o.Kind = kindStores
	}
	p := &paletteDialog{keys: k, offer: o, search: views.Search{Typing: true}}
	p.narrow()
	return p
}

// addStores offers more stores after the others. It does nothing if the offer's Then is set.
func (p *paletteDialog) addStores(places []memory.Place) {
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

// parseQuery returns the kind to list, and the query that narrows it. Sign reports whether the text
// begins with the sign of the kind.
func (p *paletteDialog) parseQuery() (kind paletteKind, query string, sign bool) {
	text := p.line.Text()
	if text != "" && p.offer.Then == nil {
		switch kind := paletteKind(text[0]); kind {
		case kindCommands, kindStores, kindViews:
			return kind, strings.TrimSpace(text[1:]), true
		}
	}
	return p.offer.Kind, strings.TrimSpace(text), false
}

// form implements dialog.
func (p *paletteDialog) form() dialogForm {
	legend := p.offer.Legend
	if p.line.Text() != "" || p.offer.Kind != kindCommands {
		legend = nil
	}
	verb, view := "do it", views.Palette{Search: p.search, Rows: p.rows, All: p.all, Legend: legend}.Dialog
	if kind, _, _ := p.parseQuery(); kind == kindStores {
		switcher := views.Switcher{Search: p.search, Places: p.places, Open: p.offer.Open, Names: p.offer.Names}
		verb, view = "open", switcher.Dialog
	}
	return dialogForm{
		Keys: p.keys, View: view,
		List: &formList{Len: len(p.do), Cursor: &p.search.Cursor, Skip: p.isHeading, Again: p.run},
		Typed: &typedText{
			Line: &p.line, Changed: p.narrow, Complete: p.complete,
			Accept: dialogAction{Binding: keymap.As(p.keys.Text.Accept, verb), Do: p.run},
			Cancel: dialogAction{Binding: keymap.As(p.keys.Text.Cancel, "close"), Do: closes},
		},
	}
}

// isHeading reports whether an entry is the heading of a group.
func (p *paletteDialog) isHeading(i int) bool { return i < len(p.rows) && p.rows[i].Heading }

// run closes the dialog and delivers the message of the entry under the cursor.
func (p *paletteDialog) run() formResult {
	if p.search.Cursor >= len(p.do) || p.isHeading(p.search.Cursor) {
		return formResult{}
	}
	return closing(p.do[p.search.Cursor])
}

// complete replaces the text with the name of the command or view under the cursor.
func (p *paletteDialog) complete() {
	kind, _, _ := p.parseQuery()
	if c := p.search.Cursor; c < len(p.rows) && p.rows[c].Record == nil && !p.rows[c].Heading && !p.rows[c].New {
		p.line.Set(string(kind) + p.rows[c].Text)
		p.narrow()
	}
}

// narrow lists what matches the typed text.
func (p *paletteDialog) narrow() {
	kind, query, sign := p.parseQuery()
	p.search.Query, p.search.Cursor = p.line.Text(), 0
	p.places, p.rows, p.do = nil, nil, nil
	switch kind {
	case kindStores:
		p.listStores(query)
	case kindViews:
		p.listViews(query)
	default:
		p.listCommands(query)
		if !sign && query != "" {
			p.listRecords(query)
		}
	}
	if p.isHeading(0) {
		p.search.Cursor = 1
	}
}

// matching returns the indexes of the names that contain the letters of query in that order, best
// match first. An empty query matches all names.
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

// listStores lists the stores whose names or paths match the query.
func (p *paletteDialog) listStores(query string) {
	p.search.Title = cmp.Or(p.offer.Title, "Open a store")
	names := make([]string, len(p.offer.Places))
	for i, place := range p.offer.Places {
		name := strings.Join(
			[]string{p.offer.Names[place.System], string(place.System), place.Name, place.Path, place.Project},
			" ",
		)
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

func (p *paletteDialog) add(row views.PaletteRow, do tea.Msg) {
	p.rows, p.do = append(p.rows, row), append(p.do, do)
}

// listCommands lists the commands that match the query, best match first, or all of them by their groups. Those
// that are off come last, or last in their group.
func (p *paletteDialog) listCommands(query string) {
	all := p.offer.Commands
	p.search.Title, p.search.Empty, p.all = "Keys: "+p.offer.Place, "", len(all)
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Binding.Help().Desc
	}
	found := matching(query, names)
	for i, c := range all { // a key may be looked for, too
		if slices.Contains(strings.Fields(keymap.ShownKeys(c.Binding)), query) {
			found = append([]int{i}, slices.DeleteFunc(found, func(j int) bool { return j == i })...)
		}
	}
	group := func(i int) string { return page.When(query == "", all[i].Group) }
	slices.SortStableFunc(found, func(i, j int) int {
		if group(i) != group(j) {
			return cmp.Compare(i, j)
		}
		return min(len(all[i].Off), 1) - min(len(all[j].Off), 1)
	})
	last := ""
	for _, i := range found {
		if g := group(i); g != last {
			p.add(views.PaletteRow{Text: g, Heading: true}, nil)
			last = g
		}
		b := all[i].Binding
		keys := keymap.ShownKeys(b)
		if len(keys) > views.PaletteKeys {
			keys = b.Help().Key
		}
		p.add(views.PaletteRow{Text: names[i], Keys: keys, Off: all[i].Off}, msg.Press(b.Keys()[0]))
	}
}

func (p *paletteDialog) listViews(query string) {
	all := p.offer.Views
	p.search.Title, p.search.Empty, p.all = "Saved views", "There are none yet. Type a name to save how this list is filtered and sorted.", len(all)
	if p.offer.Now == nil {
		p.search.Empty = "There are none; the list of records saves them"
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	for _, i := range matching(query, names) {
		p.add(views.PaletteRow{Text: all[i].Name, Note: all[i].Text}, all[i].View)
	}
	if now := p.offer.Now; now != nil && query != "" && !slices.Contains(names, query) {
		row := views.PaletteRow{Text: fmt.Sprintf("Save this list as %q", query), Note: now.Text(), New: true}
		p.add(row, msg.SaveView{Name: query, View: *now})
	}
}

// listRecords lists records of the open store whose titles contain all words of the query.
func (p *paletteDialog) listRecords(query string) {
	most := len(p.rows) + mostRecords
	for i := range p.offer.Records {
		if r := &p.offer.Records[i]; len(p.rows) < most && hasWords(r.Title, query) {
			p.add(views.PaletteRow{Record: r}, msg.Lesson{ID: r.ID})
		}
	}
}

// hasWords reports whether text contains all words of query. It ignores case.
func hasWords(text, query string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)), func(word string) bool {
		return !strings.Contains(text, word)
	})
}
