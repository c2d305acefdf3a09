package home

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// followAgents starts following what agents read, from the beginning.
func (p *Page) followAgents() tea.Cmd {
	if p.cfg.Follower == nil {
		return nil
	}
	p.follow.Begin(p.ctx)
	follower, folder := p.cfg.Follower, p.folder
	return p.follow.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		parts := follower.FollowHome(ctx, folder)
		return func(p *Page) tea.Cmd {
			p.parts = parts
			return p.nextPart()
		}
	})
}

// nextPart waits for the next answer.
func (p *Page) nextPart() tea.Cmd {
	parts := p.parts
	return p.follow.Run(func(context.Context) func(*Page) tea.Cmd {
		h, ok := <-parts
		if !ok {
			return func(*Page) tea.Cmd { return nil }
		}
		return func(p *Page) tea.Cmd {
			p.onHome(h)
			return tea.Batch(p.nextPart(), p.more())
		}
	})
}

// onHome shows another answer. The cursor stays on its row, and on the first one until the person moves.
func (p *Page) onHome(h memory.Home) {
	p.view.Read, p.view.Known = h, true
	p.home = cmp.Or(h.Person, p.home)
	p.view.Dir = p.home
	p.noteOthers()
	p.rearrange()
	if !p.moved {
		p.MoveTo(0)
	}
}

// rearrange lists the rows again. The cursor stays on its row if that is still listed.
func (p *Page) rearrange() {
	v := &p.view
	v.Arrange()
	for i := range v.Items {
		if v.Key(i) == p.rowKey {
			p.MoveTo(i)
			return
		}
	}
	p.MoveTo(v.Cursor)
}

// noteOthers groups the stores of other projects.
func (p *Page) noteOthers() {
	v := &p.view
	var rows []int
	for i := range p.places {
		place := &p.places[i]
		own := place.Project == v.Read.Project || place.Project == v.Read.Folder
		if place.Exists && projectOf(place) != "" && !own {
			rows = append(rows, i)
		}
	}
	v.Others = nil
	for _, of := range divided(rows, func(row int) string { return p.places[row].Project }) {
		o := views.OtherProject{Folder: p.places[of[0]].Project, Rows: of}
		for _, row := range of {
			o.Systems = memory.AppendNew(o.Systems, p.places[row].System)
		}
		v.Others = append(v.Others, o)
	}
}

// goOther shows what agents read in the project under the cursor, or lists all projects.
func (p *Page) goOther() tea.Cmd {
	item, _ := p.view.Chosen()
	if item.Kind == views.HomeMore {
		p.view.AllOthers = true
		p.rearrange()
		p.toItem(views.HomeItem{Kind: views.HomeOther, N: item.N})
		return nil
	}
	return p.readIn(p.view.Others[item.N].Folder)
}

// readIn shows what agents read in a folder; "" is the working folder.
func (p *Page) readIn(folder string) tea.Cmd {
	p.folder, p.moved = folder, false
	p.view.Known, p.view.Read = false, memory.Home{}
	p.rearrange()
	return p.followAgents()
}

// refresh looks for stores and reads what agents read again.
func (p *Page) refresh() tea.Cmd { return tea.Batch(p.followAgents(), p.findStores()) }

// agent returns the agent under the cursor, or nil.
func (p *Page) agent() *memory.HomeAgent {
	if item, ok := p.view.Chosen(); ok && item.Kind == views.HomeAgent {
		return &p.view.Read.Agents[item.N]
	}
	return nil
}

// issue returns the issue under the cursor, or nil.
func (p *Page) issue() *memory.Issue {
	if item, ok := p.view.Chosen(); ok && item.Kind == views.HomeIssue {
		return &p.view.Read.Issues[item.N]
	}
	return nil
}

// target returns the store under the cursor, or that of the agent under it, or "".
func (p *Page) target() memory.StoreID {
	a := p.agent()
	if a == nil {
		return p.chosen()
	}
	var best memory.StoreID
	least := 0
	for i := range p.places {
		place := &p.places[i]
		if place.System != a.System || !place.Exists {
			continue
		}
		if rank := p.rank(place, a); rank > least {
			best, least = place.Store, rank
		}
	}
	return best
}

// rank says how well a store fits an agent in the folder: 4 for its own memory of the project, 3 for
// another store of the project, 2 for the only store of the machine, and 0 for those of other projects.
func (p *Page) rank(place *memory.Place, a *memory.HomeAgent) int {
	switch {
	case place.Project == "" && place.System == a.System:
		return 2
	case place.Project != p.view.Read.Project && place.Project != p.view.Read.Folder:
		return 0
	case a.Notes > 0 && strings.Contains(strings.ToLower(place.Name), "memory"):
		return 4
	}
	return 3
}

// openOn asks the root to open the store under the cursor, and to show a page.
func (p *Page) openOn(index int) tea.Cmd {
	return tea.Sequence(msg.Emit(msg.OpenStore{Store: p.target()}), msg.Emit(msg.Show{Page: index}))
}

// issueActions are the keys for an issue, and for the files of an agent. They come first where they apply.
func (p *Page) issueActions() page.Actions {
	k, is := p.cfg.Keys.Home, p.issue()
	fixed := cmp.Or(page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
		page.Unless(p.cfg.Curator != nil, "nothing can be changed from here"))
	item, _ := p.view.Chosen()
	mends := is != nil && is.Mend != nil
	noIssue := page.Unless(is != nil, "nothing that is wrong is selected")
	opened := item.Kind == views.HomeStore || item.Kind == views.HomeAgent || p.onOther()
	noDetail := page.Unless(len(p.view.Items) > 0 && !opened, "no such row is selected")
	first, second := p.files()
	opens := "in full"
	switch {
	case p.view.Layout == layout.DetailOnly:
		opens = "back"
	case is != nil && len(is.Places) > 1:
		opens = "both places"
	}
	return page.Actions{
		{Binding: keymap.As(k.Open, opens), Off: noDetail, Run: page.Do(p.Toggle)},
		{
			Binding: k.Edit, Off: cmp.Or(fixed, page.Unless(first != "", "no file is selected")),
			Run: func() tea.Cmd { return p.editFile(first) },
		},
		{
			Binding: k.EditOther, Off: cmp.Or(noIssue, fixed, page.Unless(second != "", "there is only one place")),
			Run: func() tea.Cmd { return p.editFile(second) },
		},
		{
			Binding: k.Mend, Off: cmp.Or(noIssue, fixed, page.Unless(mends, "no change of one line mends this")),
			Run: p.mend,
		},
		{Binding: k.Meant, Off: cmp.Or(noIssue, fixed), Run: p.meantSo},
	}
}

// onOther reports whether the cursor is on another project.
func (p *Page) onOther() bool {
	item, ok := p.view.Chosen()
	return ok && (item.Kind == views.HomeOther || item.Kind == views.HomeMore)
}

// files returns the files that can be edited from the row under the cursor: those of an issue, or the
// first of an agent in the project.
func (p *Page) files() (first, second string) {
	if a := p.agent(); a != nil {
		i := slices.IndexFunc(a.Sources, func(s memory.HomeSource) bool {
			return s.Inside && s.Kind == memory.SourceInstructions && s.When != memory.Never
		})
		if i >= 0 {
			first = a.Sources[i].Path
		}
	}
	is := p.issue()
	if is == nil {
		return first, ""
	}
	for i := range is.Places {
		switch file := is.Places[i].File; {
		case first == "":
			first = file
		case second == "" && file != first:
			second = file
		}
	}
	return first, second
}

// editFile asks the root to edit the record that is a file.
func (p *Page) editFile(file string) tea.Cmd {
	curator := p.cfg.Curator
	return p.acts.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		store, id, err := curator.RecordAt(ctx, file)
		return func(*Page) tea.Cmd {
			if err != nil {
				return msg.Emit(msg.Failed{Op: "edit", Err: err})
			}
			return msg.Emit(msg.EditAt{Store: store, ID: id})
		}
	})
}

// mend asks the root to make the change that removes the issue under the cursor.
func (p *Page) mend() tea.Cmd {
	curator, m := p.cfg.Curator, *p.issue().Mend
	return p.acts.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		plan, err := curator.PlanMend(ctx, m)
		return func(*Page) tea.Cmd {
			if err != nil {
				return msg.Emit(msg.Failed{Op: "mend", Err: err})
			}
			return tea.Sequence(msg.Emit(msg.OpenStore{Store: plan.Store}), msg.Emit(msg.Apply{Plan: plan}))
		}
	})
}

// meantSo keeps that the issue under the cursor is meant so, and takes it from the list.
func (p *Page) meantSo() tea.Cmd {
	curator, is := p.cfg.Curator, *p.issue()
	return p.acts.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		err := curator.MeantSo(ctx, []memory.Issue{is}, "")
		return func(p *Page) tea.Cmd {
			if err != nil {
				return msg.Emit(msg.Failed{Op: "meant so", Err: err})
			}
			for i := range p.view.Read.Issues {
				if other := &p.view.Read.Issues[i]; other.Fingerprint == is.Fingerprint {
					other.Ignored = &memory.Ignore{Fingerprint: is.Fingerprint}
				}
			}
			p.view.Read.SumUnread()
			p.rearrange()
			what, _, _ := strings.Cut(strings.TrimSuffix(is.What, "."), ", ")
			return msg.Emit(msg.Toast{Text: "Meant so: " + what + "; winnow ignore --list has it"})
		}
	})
}
