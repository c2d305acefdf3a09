package opencode

import (
	"fmt"
	"path/filepath"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// describe adds what there is to say about a store of instructions as a whole.
func (s *Instructions) describe(c *instructions.Contents, g *storeContents) {
	var own []piece
	for i := range g.items {
		if it := &g.items[i]; it.order > 0 {
			own = append(own, piece{path: it.Path, text: jstext.DecodeString(it.File.Text)})
		}
	}
	c.More, c.Start = g.more, annotate.SizeOf(s.joined("", own, "\n", "").String())
	c.Scopes = []memory.Scope{
		{Name: s.Scope, Records: len(g.items)},
		{Name: version13, Note: "for recall: as version " + version13 + " orders them, project files before the global one"},
	}
	c.Running = s.m.running()
	c.Facts, c.Health = s.storeFacts(g), s.health(g, c.Running)
}

func (s *Instructions) storeFacts(g *storeContents) []memory.Fact {
	all := []memory.Fact{
		{Name: "order", Text: "as version " + version118 + " reads them: global, project, instructions of the settings, addresses"},
		{Name: "git", Text: system.Say(!s.global && !g.opening.git, "none: files of all folders above count as well")},
	}
	for _, path := range g.opening.settings.files {
		all = append(all, memory.Fact{Name: "settings", Text: path})
	}
	for _, u := range g.opening.urls {
		all = append(all, memory.Fact{Name: "fetched by OpenCode", Text: u.text + " (named by " + u.from + "), which Winnow does not: it makes no network call"})
	}
	for _, name := range [...]string{noClaude, noClaudePrompt, noProjectConfig} {
		all = append(all, memory.Fact{Name: "switch", Text: system.Say(s.m.switchedOn(name), name)})
	}
	dir := s.m.value(configDir)
	return append(all,
		memory.Fact{Name: "switch", Text: system.Say(dir != "", configDir+"="+dir)},
		memory.Fact{Name: "an edit acts", Text: "at once, in sessions that run too: the files are read again for every prompt"})
}

// health says which files are empty or hidden, and what is odd about the settings.
func (s *Instructions) health(g *storeContents, running []memory.Running) []memory.Health {
	o := &g.opening
	lines := []memory.Health{system.When(o.settings.refused != "", "refused", memory.Stop, 1,
		"OpenCode does not start here: "+o.settings.refused, "correct the settings file")}
	var hidden, unread []int
	for i := range g.items {
		it := &g.items[i]
		if it.hides > 0 {
			lines = append(lines, system.OnLines([]int{i + 1}, "empty-hides", memory.Warn,
				fmt.Sprintf("The empty %s hides %d other files of instructions.", filepath.ToSlash(string(s.ID(it.Path))), it.hides),
				"delete it, or write into it what the hidden files say"))
		} else if it.Kind == kindHidden {
			hidden = append(hidden, i+1)
		}
		if it.File.Problem != nil {
			unread = append(unread, i+1)
		}
	}
	lines = append(lines,
		system.OnLines(hidden, "hidden", memory.Note,
			fmt.Sprintf("Files of instructions that another one hides: %d.", len(hidden)), "move what they say into the file that wins"),
		system.OnLines(unread, "unreadable", memory.Note,
			fmt.Sprintf("Files that cannot be read, which OpenCode takes for empty: %d.", len(unread)), "look at the records for the cause"),
		system.When(g.more, "many-folders", memory.Note, 1,
			"This project is too large to be looked at whole: nested files that lie deep are not listed.",
			"name the file that is read, to see which come with it"))
	for _, odd := range o.settings.unusable {
		lines = append(lines, system.When(true, "settings", memory.Warn, 1, odd.path+" cannot be used. "+odd.why, "make the file readable"))
	}
	for _, e := range o.silent {
		lines = append(lines, system.When(s.global == e.global, "no-match", memory.Note, 1,
			"The pattern "+e.text+" in "+e.from+" names no file. OpenCode says nothing about that.", "correct the pattern, or take it out"))
	}
	return append(lines,
		system.When(o.cut, "wide-pattern", memory.Note, 1,
			"A pattern of instructions names so much that not all of it was looked at.", "write a narrower pattern"),
		runningHealth(running))
}
