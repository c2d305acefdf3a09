package keymap

// Sections returns every binding, grouped by scope, in the order of the help.
func (m Map) Sections() []Section {
	return []Section{
		{"Everywhere", m.Global.all()},
		{"Move", m.Move.all()},
		{"Select", m.Select.all()},
		{"Lessons", m.Lessons.all()},
		{"Sort menu", m.Sort.all()},
		{"Recall", m.Recall.all()},
		{"Stores", m.Stores.all()},
		{"Text boxes", m.Text.all()},
	}
}

// Scopes returns the groups of sections whose bindings are active together, by
// name of the scope. Within a scope no key may mean two things.
func (m Map) Scopes() map[string][]Section {
	s := m.Sections()
	return map[string][]Section{
		"Lessons": {s[0], s[1], s[2], s[3]},
		"Recall":  {s[0], s[1], s[5]},
		"Stores":  {s[0], s[1], s[6]},
		"Sort":    {withRoot(s[4], m.Global, m.Global.Back)},
		"Text":    {withRoot(s[7], m.Global)},
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
		g.Switch, g.Reveal, g.Theme, g.Mouse, g.Layout, g.ShrinkList, g.GrowList,
		g.Redraw, g.Suspend, g.Abort,
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
		l.Full, l.Filter, l.Sort, l.Raw, l.Copy, l.CopyRaw, l.Recall, l.NextPart, l.PrevPart,
	}
}

func (s Sort) all() []Binding {
	return []Binding{s.Store, s.Outcome, s.Rel, s.Used, s.Age, s.Next, s.Flags, s.Task}
}

func (r Recall) all() []Binding {
	return []Binding{
		r.Edit, r.Editor, r.Explain, r.Drop, r.Tools, r.Mode, r.Block, r.Markers, r.Wrap,
		r.Copy, r.CopyRaw,
	}
}

func (s Stores) all() []Binding { return []Binding{s.Open, s.Refresh, s.Copy} }

func (t Text) all() []Binding {
	return []Binding{
		t.Accept, t.NewLine, t.Cancel, t.Older, t.Newer, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd,
	}
}
