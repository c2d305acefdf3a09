package keymap

import "reflect"

// Sections returns every binding, grouped by scope, in the order of the help.
func (m Map) Sections() []Section {
	return []Section{
		{"Everywhere", all(m.Global)},
		{"Move", all(m.Move)},
		{"Select", all(m.Select)},
		{"Home", all(m.Home)},
		{"Lessons", all(m.Lessons)},
		{"Change", all(m.Curate)},
		{"Sort menu", all(m.Sort)},
		{"Recall", all(m.Recall)},
		{"Audit", all(m.Audit)},
		{"Inbox", all(m.Inbox)},
		{"Dialogs", all(m.Dialog)},
		{"Text boxes", all(m.Text)},
	}
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
