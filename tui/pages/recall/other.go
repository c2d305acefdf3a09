package recall

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/layout"
)

// plannerSystem is the system whose planner the screen was made for: it recalls a few
// lessons by the words of a task.
const plannerSystem = "karnevil9"

// setOther notes what is known of a system that is not the planner's.
func (p *Page) setOther(s memory.Snapshot) {
	v := &p.view
	if s.Place.System == "" || s.Place.System == plannerSystem {
		v.Other = nil
		return
	}
	if v.Other == nil {
		v.Other = &views.Other{}
	}
	name := p.cfg.Names[s.Place.System]
	if name == "" {
		name = string(s.Place.System)
	}
	v.Other.Name, v.Other.Scopes, v.Other.Mask = name, len(s.Scopes), p.mask()
}

// hasBoth reports whether there are hits as well as pieces of texts.
func hasBoth(p *Page) bool {
	return isOther(p) && p.view.Ready && len(p.view.Result.Hits) > 0 && len(p.view.PartRows()) > 0
}

func isOther(p *Page) bool   { return p.view.Other != nil }
func ofPlanner(p *Page) bool { return p.view.Other == nil }
func hasGot(p *Page) bool    { return isOther(p) && p.view.Ready && p.view.Result.Got != nil }
func hasScopes(p *Page) bool { return isOther(p) && len(p.snap.Scopes) > 1 }

// hit returns the hit under the cursor.
func (p *Page) hit() (memory.Hit, bool) {
	v := &p.view
	if v.Other == nil {
		return v.Hit()
	}
	if _, piece := v.Piece(); piece || v.Cursor >= len(v.Result.Hits) {
		return memory.Hit{}, false
	}
	return v.Result.Hits[v.Cursor], true
}

// target returns the record that the cursor is on: a hit, or a piece of a text that is one
// of the store.
func (p *Page) target() memory.ID {
	if row, ok := p.view.Piece(); ok {
		return row.Part.ID
	}
	h, _ := p.hit()
	return h.ID
}

// recalledOther puts the screen in order when another answer has come.
func (p *Page) recalledOther() {
	v := &p.view
	v.Other.Block = max(min(v.Other.Block, len(v.Blocks())-1), 0)
	if !v.Right {
		p.toPiece()
	}
	if v.HasPanel(p.w, p.h) {
		v.Scroll = min(v.Scroll, v.MaxScroll(p.w, p.h))
	}
}

// above is how many lines of a text are shown above a piece of it.
const above = 2

// toPiece shows the text that the piece under the cursor is of, at its place.
func (p *Page) toPiece() {
	v := &p.view
	row, ok := v.Piece()
	if !ok || p.w == 0 {
		return
	}
	v.Other.Block = row.Block
	v.Scroll, v.Left = max(v.LineOf(p.w, p.h, row.Part.Start)-above, 0), 0
	if v.HasPanel(p.w, p.h) {
		v.Scroll = min(v.Scroll, v.MaxScroll(p.w, p.h))
	}
}

// toggleParts lists the pieces of the texts in place of the hits, or the hits again.
func (p *Page) toggleParts() {
	p.view.Other.Parts = !p.view.Other.Parts
	p.moveTo(0)
}

// showGot shows what a session got, or the text again.
func (p *Page) showGot() {
	v := &p.view
	v.Scroll, v.Left = 0, 0
	if v.Panel == views.PanelGot {
		p.Back()
		return
	}
	v.Panel, v.Right = views.PanelGot, true
}

// nextText goes from the screen through the texts in full, and back.
func (p *Page) nextText(full bool) {
	v := &p.view
	n := len(v.Blocks())
	switch {
	case !full || v.Panel != views.PanelBlock:
		v.Panel, v.Layout, v.Right = views.PanelBlock, layout.DetailOnly, true
		v.Other.Block = 0
	case v.Other.Block+1 < n:
		v.Other.Block++
	default:
		v.Layout, v.Right, v.Other.Block = layout.Both, false, 0
		p.toPiece()
	}
}

// enterOther explains a hit, shows a piece in full, or opens the box.
func (p *Page) enterOther() tea.Cmd {
	v := &p.view
	switch {
	case v.Panel == views.PanelExplain, v.Panel == views.PanelGot:
		p.Back()
	case v.RowCount() == 0:
		return p.edit()
	default:
		if row, ok := v.Piece(); ok {
			v.Panel, v.Layout, v.Right, v.Left = views.PanelBlock, layout.DetailOnly, true, 0
			v.Other.Block = row.Block
			v.Scroll = min(max(v.LineOf(p.w, p.h, row.Part.Start)-above, 0), v.MaxScroll(p.w, p.h))
			return nil
		}
		v.Panel, v.Scroll, v.Left = views.PanelExplain, 0, 0
	}
	return nil
}

// nextScope asks for the next part of the store.
func (p *Page) nextScope() tea.Cmd {
	var names []string
	for _, s := range p.snap.Scopes {
		names = append(names, s.Name)
	}
	t, said := &p.view.Task, "The system's own choice"
	if i := slices.Index(names, t.Scope); i+1 < len(names) {
		t.Scope = names[i+1]
		said = "Scope: " + t.Scope
	} else {
		t.Scope = ""
	}
	return tea.Batch(p.ask(), msg.Emit(msg.Toast{Text: said}))
}

func (p *Page) typingFolder() bool { return p.view.Other != nil && p.view.Other.TypingFolder }

// editFolder opens the line of the folder and the files.
func (p *Page) editFolder() tea.Cmd {
	t := p.view.Task
	text := strings.Join(append([]string{t.Folder}, t.Files...), " ")
	text = strings.TrimSpace(text)
	p.view.Other.Folder = views.TextBox{Text: text, Cursor: len(text)}
	p.view.Other.TypingFolder, p.view.Right = true, false
	return nil
}

// onFolder takes a key while the folder and the files are written.
func (p *Page) onFolder(k tea.KeyPressMsg) tea.Cmd {
	t, o := p.cfg.Keys.Text, p.view.Other
	switch {
	case key.Matches(k, t.Cancel):
		o.TypingFolder = false
	case key.Matches(k, t.Accept):
		o.TypingFolder = false
		p.view.Task.Folder, p.view.Task.Files = p.folderOf(strings.Fields(o.Folder.Text))
		return p.ask()
	default:
		p.editBox(&o.Folder, k)
	}
	return nil
}

// folderOf divides what was typed: a path that begins at the root or at home is the
// folder, the others are files.
func (p *Page) folderOf(words []string) (folder string, files []string) {
	for i, w := range words {
		if rest, ok := strings.CutPrefix(w, "~/"); ok {
			w = p.home() + "/" + rest
		}
		if i == 0 && strings.HasPrefix(w, "/") {
			folder = strings.TrimRight(w, "/")
			continue
		}
		files = append(files, w)
	}
	return folder, files
}

// home returns the home of the user, which is told by a store whose path is shown with ~.
func (p *Page) home() string {
	for i := range p.places {
		if rest, ok := strings.CutPrefix(p.places[i].Path, "~/"); ok {
			if home, ok := strings.CutSuffix(p.places[i].Store.Path(), "/"+rest); ok {
				return home
			}
		}
	}
	return "~"
}
