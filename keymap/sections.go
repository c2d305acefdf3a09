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

// MarkOne returns the bindings that mark single entries and ranges.
func (m Map) MarkOne() []Binding {
	s := m.Select
	return []Binding{s.Mark, s.Range, s.ExtendUp, s.ExtendDown}
}

// all returns the bindings of a scope struct, in the order of its fields.
func all(scope any) []Binding {
	v := reflect.ValueOf(scope)
	list := make([]Binding, v.NumField())
	for i := range list {
		list[i] = v.Field(i).Interface().(Binding)
	}
	return list
}
