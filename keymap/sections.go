package keymap

// Sections returns every binding, grouped by scope, in the order of the help.
func (m Map) Sections() []Section {
	return []Section{
		{"Everywhere", m.Global.all()},
		{"Move", m.Move.all()},
		{"Select", m.Select.all()},
		{"Lessons", m.Lessons.all()},
		{"Change", m.Curate.all()},
		{"Sort menu", m.Sort.all()},
		{"Recall", m.Recall.all()},
		{"Audit", m.Audit.all()},
		{"Stores", m.Stores.all()},
		{"Dialogs", m.Dialog.all()},
		{"Text boxes", m.Text.all()},
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
		"Stores":  {all, move, by["Stores"]},
		"Sort":    {withRoot(by["Sort menu"], m.Global, m.Global.Back)},
		"Dialog":  {withRoot(by["Dialogs"], m.Global, m.Global.Reveal)},
		"Text":    {withRoot(by["Text boxes"], m.Global)},
	}
}

// withRoot returns s with the keys of the root that act while a page takes all
// keys, and others.
func withRoot(s Section, g Global, others ...Binding) Section {
	s.Bindings = append(append(s.Bindings, g.Abort, g.Suspend), others...)
	return s
}

func (g Global) all() []Binding {
	return []Binding{
		g.Help, g.Screens, g.PrevScreen, g.NextScreen, g.NextPane, g.PrevPane, g.Back, g.Quit,
		g.Switch, g.Everywhere, g.Reveal, g.Theme, g.Mouse, g.Layout, g.ShrinkList, g.GrowList,
		g.Undo, g.Redo, g.History, g.Guard, g.Redraw, g.Suspend, g.Abort,
	}
}

func (m Move) all() []Binding {
	return []Binding{
		m.Up, m.Down, m.Top, m.Bottom, m.HalfDown, m.HalfUp, m.PageDown, m.PageUp,
		m.Left, m.Right, m.NextMatch, m.PrevMatch, m.Count,
	}
}

func (s Select) all() []Binding {
	return []Binding{s.Mark, s.Range, s.ExtendUp, s.ExtendDown, s.All, s.Invert}
}

func (l Lessons) all() []Binding {
	return []Binding{
		l.Full, l.Filter, l.Sort, l.Raw, l.Copy, l.CopyRaw, l.Recall, l.Scope, l.Kin,
	}
}

func (c Curate) all() []Binding {
	return []Binding{
		c.Delete, c.Edit, c.EditRaw, c.Verify, c.Pin, c.Prune, c.Merge, c.Add, c.Repair, c.Redact,
	}
}

func (d Dialog) all() []Binding {
	return []Binding{
		d.Confirm, d.Cancel, d.Press, d.Focus, d.FocusBack,
		d.Up, d.Down, d.Top, d.Bottom, d.PageUp, d.PageDown, d.Left, d.Right, d.Pick, d.More, d.Less,
		d.Mine, d.Theirs, d.Both, d.Again, d.Always, d.AlwaysAll,
		d.Compare, d.Restore, d.RestoreOne, d.Overrule, d.Amend,
	}
}

func (s Sort) all() []Binding {
	return []Binding{s.Store, s.Outcome, s.Rel, s.Used, s.Age, s.Next, s.Flags, s.Task}
}

func (r Recall) all() []Binding {
	return []Binding{
		r.Edit, r.Editor, r.Explain, r.Drop, r.Tools, r.Mode, r.Block, r.Markers, r.Wrap,
		r.Copy, r.CopyRaw, r.Parts, r.Got, r.Compare, r.Scope, r.Folder,
	}
}

func (a Audit) all() []Binding {
	return []Binding{a.Redact, a.RedactAll, a.Ignore, a.Export, a.Level, a.Open, a.Copy}
}

func (s Stores) all() []Binding {
	return []Binding{s.Open, s.Fold, s.Filter, s.Sort, s.Refresh, s.Copy}
}

func (t Text) all() []Binding {
	return []Binding{
		t.Accept, t.NewLine, t.Cancel, t.Older, t.Newer, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd,
	}
}
