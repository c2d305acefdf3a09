package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/core/setup"
)

// settingUp is one call of setup, with its flags.
type settingUp struct {
	*program
	mcp, triggers, write, remove, project, dryRun bool
}

func (p *program) setup() command {
	f := settingUp{program: p}
	return command{
		use: "setup " + strings.Join(setup.Agents(), "|"), short: "Add Winnow to an agent's settings",
		long: `Shows as a diff what to add to an agent's settings so that the agent gets approved lessons
and its finished sessions are learnt from: three hooks, and with --mcp the server through
which the agent can propose lessons. With --triggers it adds the hooks that tell a lesson
before a command or a file that it is about, and after an error; the agent starts them at
each call of its shell and of its tools for files. --write makes the change, also to hooks of
an older form, and --remove reverts it. docs/systems/winnow.md says what is written where.

--remove takes out exactly what setup added, even if the file was edited since or Winnow
moved. All other bytes stay, and no copy of the file is kept, since it can hold keys.
--project means the settings in the working folder instead of the user's. ` + setup.Servers + `.`,
		examples: output.Each([]string{"", " --mcp --write", " --project", " --remove"}, func(flags *string) string {
			return "winnow setup " + setup.Agents()[0] + *flags
		}),
		offer: offerOf(setup.Agents()...),
		flags: []flag{
			{to: &f.mcp, name: "mcp", help: "add the MCP server as well"},
			{to: &f.triggers, name: "triggers", help: "add the hooks at commands, files and errors as well"},
			{to: &f.write, name: "write", help: "write the settings"},
			{to: &f.remove, name: "remove", help: "take out what setup added"},
			{to: &f.project, name: "project", help: "change the settings of this folder, not the user's"},
			{to: &f.dryRun, name: "dry-run", help: "print the diff without changing anything"},
			p.jsonFlag(),
		},
		exclusive: [][]string{{"mcp", "remove"}, {"triggers", "remove"}, {"write", "dry-run"}},
		check: func(args []string) error {
			agent, hint := append(args, "")[0], "give one of: "+strings.Join(setup.Agents(), ", ")
			return refuse(
				refusal{len(args) != 1, hint, "setup: which agent?"},
				refusal{!slices.Contains(setup.Agents(), agent), hint, "setup " + agent + ": no such agent"},
				refusal{
					f.readOnly && (f.write || f.remove && !f.dryRun),
					"leave out --readonly, or see the diff with --dry-run",
					"setup: --readonly forbids changing settings",
				},
			)
		},
		run: f.run,
	}
}

// settingsFile is a settings file of an agent, and what setup makes of it.
type settingsFile struct {
	setup.File
	text, after string // an empty text means no file
	entries     []setup.Entry
	note        string // the entries after setup's last change
	done        bool
}

// noteOf returns entries in the form of a note, one per line.
func noteOf(entries []setup.Entry) string {
	return strings.Join(output.Each(entries, func(e *setup.Entry) string { return e.Name + " " + e.Program }), "\n")
}

func (f *settingUp) run(ctx context.Context, args []string) error {
	files, err := f.plan(args[0])
	if err != nil {
		return during("setup", err)
	}
	for i := range files {
		s := &files[i]
		if f.dryRun || !f.write && !f.remove {
			continue
		}
		entries, err := s.Format.Entries(s.after)
		if err == nil {
			err = f.Hooks.ChangeSettings(ctx, s.Path, s.InProject, s.text, s.after, noteOf(entries))
		}
		if err != nil {
			return during("setup", err)
		}
		s.done = s.after != s.text
	}
	f.print(args[0], files)
	return nil
}

// plan returns the agent's settings files that concern setup, with their new contents.
func (f *settingUp) plan(agent string) (files []settingsFile, err error) {
	program := ownProgram()
	for _, file := range f.settingsFiles(agent, f.project) {
		s, err := f.settingsOf(file)
		if err != nil {
			return nil, err
		}
		has, _ := setup.Names(s.entries)
		want := slices.DeleteFunc(slices.Clone(s.Entries), func(name string) bool {
			asked := true
			switch {
			case name == setup.MCP:
				asked = f.mcp
			case slices.Contains(setup.Triggers(), name):
				asked = f.triggers
			}
			return f.remove || !asked && !slices.Contains(has, name)
		})
		if len(want) == 0 && len(has) == 0 && s.note == "" {
			continue
		}
		if s.after, err = s.Format.Set(s.text, want, program); err != nil {
			return nil, unchangeable(s.Path, err)
		}
		files = append(files, s)
	}
	return files, nil
}

// unchangeable says why a settings file cannot be changed.
func unchangeable(path string, err error) error {
	if errors.Is(err, setup.ErrName) {
		return &memory.Problem{
			Code: "invalid",
			What: "No entries were made: " + err.Error() + ".",
			Hint: "rename the program, or run it by a link of that name",
		}
	}
	return &memory.Problem{
		Code: "invalid", What: fmt.Sprintf("%s cannot be changed: %s.", path, strings.TrimSuffix(err.Error(), ".")),
		Hint: "correct the file first, or put the lines that setup prints for an empty file into it by hand",
	}
}

// settingsFiles returns the settings files of an agent, each under its existing name.
func (e *Env) settingsFiles(agent string, project bool) []setup.File {
	files := setup.Files(agent, project, runtime.GOOS, e.Home, e.Dir, e.Lookup)
	for i := range files {
		if or := files[i].Or; or != "" && exists(or) && !exists(files[i].Path) {
			files[i].Path = or
		}
	}
	return files
}

// NotSetUp returns the agents on this machine whose settings do not mention Winnow.
func (e *Env) NotSetUp() (list []string) {
	for _, agent := range setup.Agents() {
		_, err := exec.LookPath(setup.Program(agent))
		here, done := err == nil, false
		for _, file := range e.settingsFiles(agent, false) {
			text, _, _ := e.Hooks.AgentSettings(file.Path, file.InProject) // an unreadable file has no entries of ours
			entries, _ := file.Format.Entries(text)
			here = here || exists(file.Path)
			done = done || len(entries) > 0
		}
		if here && !done {
			list = append(list, agent)
		}
	}
	return list
}

// NotRead returns a sentence if proposals were approved into a store of Winnow's own and no agent is set up to be
// given what is there.
func (e *Env) NotRead(r *memory.InboxResult) []string {
	own := slices.ContainsFunc(r.Into, func(id memory.StoreID) bool {
		return !e.ofAgent(memory.Place{System: id.System()})
	})
	if !own || e.anySetUp() {
		return nil
	}
	agent := append(e.NotSetUp(), "AGENT")[0]
	return []string{"No agent is set up to be told what was approved: winnow setup " + agent + " --write."}
}

// anySetUp reports whether the settings of an agent mention Winnow, the user's or those of this folder.
func (e *Env) anySetUp() bool {
	for _, agent := range setup.Agents() {
		for _, file := range append(e.settingsFiles(agent, true), e.settingsFiles(agent, false)...) {
			text, _, _ := e.Hooks.AgentSettings(file.Path, file.InProject) // an unreadable file has no entries of ours
			if entries, _ := file.Format.Entries(text); len(entries) > 0 {
				return true
			}
		}
	}
	return false
}

// settingsOf reads a settings file.
func (p *program) settingsOf(file setup.File) (s settingsFile, err error) {
	s.File = file
	if s.text, s.note, err = p.Hooks.AgentSettings(file.Path, file.InProject); err != nil {
		return s, err
	}
	if s.entries, err = s.Format.Entries(s.text); err != nil {
		err = unchangeable(s.Path, err)
	}
	return s, err
}

// ownProgram is the name by which settings call Winnow: its bare name if a shell finds it, and its
// path otherwise.
func ownProgram() string {
	const name = "winnow"
	if _, err := exec.LookPath(name); err == nil {
		return name
	}
	path, err := os.Executable()
	if err != nil {
		return name
	}
	return path
}

// state describes the state of a file.
func (f *settingUp) state(s *settingsFile) string {
	verb := cmp.Or(output.When(f.remove, "removed"), "written")
	switch {
	case s.done:
		return verb
	case s.after != s.text:
		return "to be " + verb
	}
	return "nothing to do"
}

// setupJSON is the settings files of an agent, and what was changed in them.
type setupJSON struct {
	Schema int             `json:"schema"`
	Agent  text            `json:"agent"`
	Files  []setupFileJSON `json:"files"`
	Notes  []text          `json:"notes"`
	Next   []text          `json:"next"`
}

type setupFileJSON struct {
	Path  text `json:"path"`
	State text `json:"state"`
	Diff  text `json:"diff"`
}

func (f *settingUp) print(agent string, files []settingsFile) {
	o := f.out
	next := f.next(agent, files)
	if f.json {
		o.JSON(setupJSON{
			Schema: schemaVersion,
			Agent:  text(agent),
			Files: output.Each(files, func(s *settingsFile) setupFileJSON {
				diff := udiff.Unified(s.Path, s.Path, s.text, s.after)
				return setupFileJSON{text(s.Path), text(f.state(s)), o.Text(diff)}
			}),
			Notes: o.Texts(f.notes(files)),
			Next:  o.Texts(next),
		})
		return
	}
	for i := range files {
		s := &files[i]
		o.Line("%s: %s", s.Path, f.state(s))
		if s.done {
			continue
		}
		for line := range strings.Lines(udiff.Unified(s.Path, s.Path, s.text, s.after)) {
			o.Printf("%s\n", strings.TrimRight(line, "\r\n"))
		}
	}
	if len(files) == 0 {
		o.Line("%s: nothing to do", agent)
	}
	for _, sentence := range f.notes(files) {
		o.Paragraph("", "note: %s", sentence)
	}
	for _, sentence := range next {
		o.Paragraph("", "next: %s", sentence)
	}
}

// notes says how an agent's model gets what is told about a call, if that is set up.
func (f *settingUp) notes(files []settingsFile) (list []string) {
	for i := range files {
		if f.triggers {
			list = append(list, output.NonEmpty(files[i].Told)...)
		}
	}
	return list
}

// next says what is left for a person to do.
func (f *settingUp) next(agent string, files []settingsFile) (list []string) {
	planned := slices.ContainsFunc(files, func(s settingsFile) bool { return s.after != s.text && !s.done })
	done := slices.ContainsFunc(files, func(s settingsFile) bool { return s.done })
	plain := "winnow setup " + agent + output.When(f.project, " --project")
	again := plain + output.When(f.mcp, " --mcp") + output.When(f.triggers, " --triggers")
	switch {
	case f.remove:
		return output.NonEmpty(output.When(planned, "take it out with "+plain+" --remove"))
	case planned:
		list = append(list, "make the change with "+again+" --write")
	case done:
		list = append(list, "take it out again with "+plain+" --remove")
	}
	for i := range files {
		if s, err := f.settingsOf(files[i].File); err == nil { // in its current state
			list = append(list, s.whyIgnored()...)
		}
		if !planned {
			list = append(list, output.NonEmpty(files[i].Next)...)
		}
		if files[i].Changed != "" && files[i].Format.ChangesHook(files[i].text, files[i].after) {
			list = append(list, files[i].Changed)
		}
	}
	if program := ownProgram(); program != "winnow" {
		list = append(
			list,
			"winnow is not on the PATH, so the settings name "+program+": run setup again when that moves.",
		)
	}
	return list
}

// whyIgnored says why an agent does not use parts of its settings file.
func (s *settingsFile) whyIgnored() []string {
	list := s.Format.Unused(s.Path, s.text)
	if _, program := setup.Names(s.entries); program != "" {
		if _, err := exec.LookPath(program); err != nil {
			list = append(
				list,
				fmt.Sprintf("It starts %s, which is not there or not on the PATH: %s", program, s.mend()),
			)
		}
	}
	return list
}

// mend says how to bring the entries up to date.
func (s *settingsFile) mend() string {
	return "run winnow setup " + s.Agent + output.When(s.Twin, " --project") + " --write."
}

// setupHealth returns what doctor says about the agent settings that mention Winnow, or that setup
// changed.
func (p *program) setupHealth() (list []memory.Health) {
	seen := map[string]bool{}
	for _, agent := range setup.Agents() {
		for _, file := range append(p.settingsFiles(agent, true), p.settingsFiles(agent, false)...) {
			s, err := p.settingsOf(file)
			if err != nil || seen[file.Path] {
				continue
			}
			seen[file.Path] = true
			faults, now := s.whyIgnored(), strings.Split(noteOf(s.entries), "\n")
			if s.Format.Outdated(s.text) {
				faults = append(faults, "its hooks have an older form, which can stop or slow the agent: "+s.mend())
			}
			if slices.ContainsFunc(strings.Split(s.note, "\n"), func(line string) bool {
				return line != "" && !slices.Contains(now, line)
			}) {
				faults = append(faults, "entries that setup put there are gone or changed.")
			}
			for _, what := range faults {
				list = append(list, memory.Health{
					Code: "setup", Level: memory.Warn, Count: 1, What: file.Path + ": " + what,
					Next: "winnow setup " + file.Agent + " shows what its settings need",
				})
			}
		}
	}
	return list
}
