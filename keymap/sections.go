package keymap

import "reflect"

// Sections returns every binding, grouped by scope, in the order of the help.
func (m Map) Sections() []Section {
	return []Section{
		{"Everywhere", all(m.Global)},
		{"Move", all(m.Move)},
		{"Select", all(m.Select)},
		{"Lessons", all(m.Lessons)},
		{"Change", all(m.Curate)},
		{"Sort menu", all(m.Sort)},
		{"Recall", all(m.Recall)},
		{"Audit", all(m.Audit)},
		{"Inbox", all(m.Inbox)},
		{"Stores", all(m.Stores)},
		{"Dialogs", all(m.Dialog)},
		{"Text boxes", all(m.Text)},
	}
}

// Scopes returns the groups of sections whose bindings are active together, by
// name of the scope. Within a scope no key may mean two things.
func (m Map) Scopes() map[string][]Section {
	by := map[string]Section{}
	for _, s := range m.Sections() {
		by[s.Title] = s
	}
	all, move := by["Everywhere"], by["Move"]
	return map[string][]Section{
		"Lessons": {all, move, by["Select"], by["Lessons"], by["Change"]},
		"Recall":  {all, move, by["Recall"], {"Change", []Binding{m.Curate.Delete, m.Curate.Edit}}},
		"Audit":   {all, move, by["Audit"], {"Change", []Binding{m.Curate.Delete}}},
		"Inbox":   {all, lines(m.Move), by["Inbox"], {"Select", m.MarkOne()}},
		"Stores":  {all, move, by["Stores"]},
		"Sort":    {withRoot(by["Sort menu"], m.Global, m.Global.Back)},
		"Dialog":  {withRoot(by["Dialogs"], m.Global, m.Global.Reveal)},
		"Text":    {withRoot(by["Text boxes"], m.Global)},
	}
}

// lines returns the moves by lines, of a screen that does not move sideways.
func lines(m Move) Section {
	return Section{"Move", []Binding{m.Up, m.Down, m.Top, m.Bottom, m.HalfDown, m.HalfUp, m.PageDown, m.PageUp}}
}

// MarkOne returns the keys that mark entries one by one and as a range.
func (m Map) MarkOne() []Binding {
	s := m.Select
	return []Binding{s.Mark, s.Range, s.ExtendUp, s.ExtendDown}
}

// withRoot returns s with the keys of the root that act while a page takes all
// keys, and others.
func withRoot(s Section, g Global, others ...Binding) Section {
	s.Bindings = append(append(s.Bindings, g.Abort, g.Suspend), others...)
	return s
}

// all returns the bindings of a scope, a struct of them, in the order of its fields.
func all(scope any) []Binding {
	v := reflect.ValueOf(scope)
	list := make([]Binding, v.NumField())
	for i := range list {
		list[i] = v.Field(i).Interface().(Binding)
	}
	return list
}
