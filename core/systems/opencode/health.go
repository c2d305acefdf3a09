package opencode

import (
	"fmt"
	"os"
	"path/filepath"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// describe adds to a snapshot what describes a store of instructions as a whole.
func (s *Instructions) describe(snap *memory.Snapshot, g *gathered) {
	snap.Total = len(g.items)
	if info, err := os.Stat(s.dir); err == nil {
		snap.Mode = info.Mode()
	}
	var own []piece
	for i := range g.items {
		it := &g.items[i]
		snap.Size += it.file.Size
		if it.file.ModTime.After(snap.ModTime) {
			snap.ModTime = it.file.ModTime
		}
		if it.order > 0 {
			own = append(own, piece{path: it.path, text: jstext.Decode([]byte(it.file.Text))})
		}
	}
	text, _ := joined("", own, "\n", "")
	snap.Start = annotate.SizeOf(text)
	snap.Scopes = []memory.Scope{
		{Name: s.scope(), Records: len(g.items)},
		{Name: version13, Note: "for recall: as version " + version13 + " orders them, project files before the global one"},
	}
	snap.Running = s.m.running()
	snap.Facts = s.storeFacts(g)
	snap.Health = append(s.fileHealth(g), s.configHealth(g)...)
	snap.Health = append(snap.Health, runningHealth(snap.Running)...)
}

func (s *Instructions) storeFacts(g *gathered) []memory.Fact {
	all := []memory.Fact{{Name: "order", Text: "as version " + version118 + " reads them: global, project, instructions of the settings, addresses"}}
	if !s.global && !g.opening.git {
		all = append(all, memory.Fact{Name: "git", Text: "none: files of all folders above count as well"})
	}
	for _, path := range g.opening.settings.files {
		all = append(all, memory.Fact{Name: "settings", Text: path})
	}
	for _, u := range g.opening.urls {
		all = append(all, memory.Fact{Name: "fetched by OpenCode", Text: u.text + " (named by " + u.from + "), which Winnow does not: it makes no network call"})
	}
	for _, name := range [...]string{noClaude, noClaudePrompt, noProjectConfig} {
		if s.m.on(name) {
			all = append(all, memory.Fact{Name: "switch", Text: name})
		}
	}
	if dir := s.m.value(configDir); dir != "" {
		all = append(all, memory.Fact{Name: "switch", Text: configDir + "=" + dir})
	}
	return append(all, memory.Fact{Name: "an edit acts", Text: "at once, in sessions that run too: the files are read again for every prompt"})
}

// fileHealth says which files are empty or hidden.
func (s *Instructions) fileHealth(g *gathered) (all []memory.Health) {
	var hidden, unread []int
	for i := range g.items {
		it := &g.items[i]
		switch {
		case it.hides > 0:
			all = append(all, memory.Health{
				Code: "empty-hides", Level: memory.Warn, Lines: []int{i + 1}, Count: 1,
				What: fmt.Sprintf("The empty %s hides %d other files of instructions.", filepath.ToSlash(string(s.id(it.path))), it.hides),
				Next: "delete it, or write into it what the hidden files say",
			})
		case it.kind == kindHidden:
			hidden = append(hidden, i+1)
		}
		if it.file.Problem != nil {
			unread = append(unread, i+1)
		}
	}
	add := func(code string, lines []int, what, next string) {
		if len(lines) > 0 {
			all = append(all, memory.Health{
				Code: code, Level: memory.Note, Lines: lines[:min(len(lines), 20)], Count: len(lines),
				What: fmt.Sprintf(what, len(lines)), Next: next,
			})
		}
	}
	add("hidden", hidden, "Files of instructions that another one hides: %d.", "move what they say into the file that wins")
	add("unreadable", unread, "Files that cannot be read, which OpenCode takes for empty: %d.", "look at the records for the cause")
	if g.more {
		all = append(all, memory.Health{
			Code: "many-folders", Level: memory.Note, Count: 1,
			What: "This project is too large to be looked at whole: nested files that lie deep are not listed.",
			Next: "name the file that is read, to see which come with it",
		})
	}
	return all
}

// configHealth says what is odd about the settings.
func (s *Instructions) configHealth(g *gathered) (all []memory.Health) {
	if why := g.opening.settings.refused; why != "" {
		all = append(all, memory.Health{Code: "refused", Level: memory.Stop, Count: 1, What: "OpenCode does not start here: " + why, Next: "correct the settings file"})
	}
	for _, odd := range g.opening.settings.odd {
		all = append(all, memory.Health{
			Code: "settings", Level: memory.Warn, Count: 1,
			What: odd.path + " cannot be used. " + odd.why,
			Next: "make the file readable",
		})
	}
	for _, e := range g.opening.silent {
		if s.global == e.global {
			all = append(all, memory.Health{
				Code: "no-match", Level: memory.Note, Count: 1,
				What: "The pattern " + e.text + " in " + e.from + " names no file. OpenCode says nothing about that.",
				Next: "correct the pattern, or take it out",
			})
		}
	}
	if g.opening.cut {
		all = append(all, memory.Health{
			Code: "wide-pattern", Level: memory.Note, Count: 1,
			What: "A pattern of instructions names so much that not all of it was looked at.",
			Next: "write a narrower pattern",
		})
	}
	return all
}
