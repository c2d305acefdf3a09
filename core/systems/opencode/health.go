package opencode

import (
	"fmt"
	"strings"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// describe adds what there is to say about the session as a whole.
func (r *reading) describe() {
	s, set := r.Session, &r.opening.settings
	s.Names, s.Settings, s.Root, s.Running = r.m.names(), set.files, r.root, r.m.running()
	if set.refused != "" {
		s.Stop = &memory.Problem{
			Code: "refused", What: "OpenCode does not start here. " + set.refused, Hint: "correct the settings file",
		}
	}
	s.Facts = []memory.Fact{
		{
			Name: "order",
			Text: "as version " + version + " reads them: global, project, instructions of the settings, addresses",
		},
		{
			Name: "git",
			Text: system.Say(r.Store == storeProject && !r.git, "none: files of all folders above count as well"),
		},
	}
	for _, u := range r.urls {
		s.Facts = append(
			s.Facts,
			memory.Fact{
				Name: "fetched by OpenCode",
				Text: u.text + " (named by " + u.from + "), which Winnow does not: it makes no network call",
			},
		)
	}
	for _, name := range [...]string{noClaude, noClaudePrompt, noProjectConfig} {
		s.Facts = append(s.Facts, memory.Fact{Name: "switch", Text: system.Say(r.m.switchedOn(name), name)})
	}
	dir := r.m.value(configDir)
	s.Facts = append(s.Facts,
		memory.Fact{Name: "switch", Text: system.Say(dir != "", configDir+"="+dir)},
		memory.Fact{Name: "an edit acts", Text: "at once, in sessions that run too: the files are read again for every prompt"})
	r.describeHealth()
	r.remark()
}

// describeHealth says what is odd about the files and the settings.
func (r *reading) describeHealth() {
	s := r.Session
	s.Odd = []instructions.Oddity{
		{
			Code: oddEmpty, Level: memory.Warn, What: "Empty files that hide other files of instructions: %d.",
			Hint: "delete them, or write into them what the hidden files say",
		},
		{
			Code: oddHidden, Level: memory.Note, What: "Files of instructions that another one hides: %d.",
			Hint: "move what it says into the file that is read", Unread: true,
		},
	}
	for _, odd := range r.opening.settings.unusable {
		s.Health = append(s.Health, system.When(
			true, "settings", memory.Warn, 1, odd.path+" cannot be used. "+odd.why, "make the file readable",
		))
	}
	for _, e := range r.silent {
		s.Health = append(s.Health, system.When(
			(r.Store == storeGlobal) == e.global, "no-match", memory.Note, 1,
			"The pattern "+e.text+" in "+e.from+" names no file. OpenCode says nothing about that.",
			"correct the pattern, or take it out",
		))
	}
	s.Health = append(s.Health,
		system.When(
			r.cut, "wide-pattern", memory.Note, 1,
			"A pattern of instructions names so much that not all of it was looked at.", "write a narrower pattern",
		),
		runningHealth(s.Running),
	)
}

// remark says what the texts do not show.
func (r *reading) remark() {
	var silent []string
	for _, e := range r.silent {
		silent = append(silent, e.text)
	}
	s := r.Session
	for _, odd := range r.opening.settings.unusable {
		s.Notes = append(s.Notes, odd.path+" cannot be used. "+odd.why)
	}
	s.Notes = append(s.Notes, system.Notes(
		system.Say(
			len(r.urls) > 0,
			fmt.Sprintf("OpenCode fetches addresses for every prompt and puts their texts at the end: %d of them. "+
				"Winnow does not know the texts. OpenCode leaves one out that fails within 5 seconds.", len(r.urls)),
		),
		system.Say(len(silent) > 0, "Patterns that match no file: "+strings.Join(silent, ", ")+"."),
		"OpenCode's own prompt and its description of the machine come before this block, and its skills after it.",
	)...)
}

// addMore adds sources of which no session is given the text: addresses, texts in settings, and plugins.
func (r *reading) addMore() {
	for _, u := range r.urls {
		r.More = append(r.More, memory.Source{
			Path: u.text, Kind: memory.SourceInstructions, When: memory.AtStart, By: u.from,
			Why: "It is fetched at each start, and is not read here.",
		})
	}
	for _, path := range r.Settings {
		f := filestore.Read(path, maxSettings)
		r.More = append(r.More, r.m.referredSources(&f)...)
	}
	if r.folder != "" {
		r.More = append(r.More, pluginSources(filestore.Upwards(r.folder, r.root))...)
	}
}
