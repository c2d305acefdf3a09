package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/core/setup"
)

// settling is one call of setup, with its flags.
type settling struct {
	*program
	mcp, write, remove, project, dryRun bool
}

func (p *program) setup() command {
	f := settling{program: p}
	return command{
		use: "setup " + strings.Join(setup.Agents(), "|"), short: "Put Winnow into the settings of an agent",
		long: `Shows as a diff what an agent's settings need so that the agent is given approved lessons
and its finished sessions are learnt from: two hooks, and with --mcp the server that the
agent can propose lessons to. --write makes the change, which winnow undo takes back.

--remove takes out what setup put in, also when the file was edited since or Winnow moved:
its entries are known by their words, wherever the program lies. All other bytes stay.
--project means the settings in the working folder in place of the user's. ` + setup.Servers + `.`,
		examples: output.Each([]string{"", " --mcp --write", " --project", " --remove"}, func(flags *string) string { return "winnow setup " + setup.Agents()[0] + *flags }),
		offer:    cobra.FixedCompletions(setup.Agents(), cobra.ShellCompDirectiveNoFileComp),
		flags: []flag{
			{to: &f.mcp, name: "mcp", help: "the server as well"},
			{to: &f.write, name: "write", help: "make the change"},
			{to: &f.remove, name: "remove", help: "take out what setup put in"},
			{to: &f.project, name: "project", help: "the settings of this folder, not the user's"},
			{to: &f.dryRun, name: "dry-run", help: "print the diff and change nothing"},
			p.jsonFlag(),
		},
		exclusive: [][]string{{"mcp", "remove"}, {"write", "dry-run"}},
		check: func(args []string) error {
			agent, hint := append(args, "")[0], "give one of: "+strings.Join(setup.Agents(), ", ")
			return refuse(
				refusal{len(args) != 1, hint, "setup: which agent?"},
				refusal{!slices.Contains(setup.Agents(), agent), hint, "setup " + agent + ": no such agent"},
				refusal{f.readOnly && (f.write || f.remove && !f.dryRun), "leave out --readonly, or see the diff with --dry-run", "setup: --readonly forbids changing settings"},
			)
		},
		run: f.run,
	}
}

// settingsFile is a settings file of an agent, and what setup makes of it.
type settingsFile struct {
	setup.File
	store  memory.StoreID
	format setup.Format
	record *memory.Record // nil when there is no file
	plan   memory.Plan
	result *memory.Result
}

func (f *settling) run(ctx context.Context, args []string) error {
	var files []settingsFile
	for _, file := range f.settingsFiles(args[0], f.project) {
		s, err := f.settingsOf(ctx, file)
		if err != nil {
			return err
		}
		if order, ok := f.order(&s); ok {
			if s.plan, err = f.Library.Plan(ctx, s.store, order); err != nil {
				return during("setup", err)
			}
			files = append(files, s)
		}
	}
	if f.write || f.remove && !f.dryRun {
		if err := f.apply(ctx, files); err != nil {
			return err
		}
	}
	return f.print(ctx, args[0], files)
}

// settingsFiles returns the settings files of an agent, each by the name under which it exists.
func (p *program) settingsFiles(agent string, project bool) []setup.File {
	home, _ := p.Lookup("HOME") // without one the paths are of no file
	files := setup.Files(agent, project, home, p.Dir, p.Lookup)
	for i := range files {
		if or := files[i].Or; or != "" && exists(or) && !exists(files[i].Path) {
			files[i].Path = or
		}
	}
	return files
}

// settingsOf reads a settings file.
func (p *program) settingsOf(ctx context.Context, file setup.File) (s settingsFile, err error) {
	s = settingsFile{File: file, store: memory.At("settings", file.Path)}
	s.format, _ = setup.For(file.Path)
	if !exists(file.Path) {
		return s, nil
	}
	snap, err := p.Library.Load(ctx, s.store)
	if err == nil {
		err = storeProblem(snap)
	}
	if err != nil || len(snap.Records) == 0 {
		return s, err
	}
	s.record = &snap.Records[0]
	return s, err
}

// order returns what is to be done with a settings file. It is false for one that setup has nothing
// to do with.
func (f *settling) order(s *settingsFile) (memory.Order, bool) {
	var has []string
	o := memory.Order{Do: memory.AddOne}
	if s.record != nil {
		has, o = s.record.Tools, memory.Order{Do: memory.EditOne, IDs: []memory.ID{s.record.ID}, Base: []string{s.record.Raw}}
	}
	if f.remove {
		if text, err := s.format.Set(s.raw(), nil, ""); err == nil && text == "" {
			o.Do = memory.Delete
		}
		o.Edit = memory.Edit{Tools: &[]string{}}
		return o, len(has) > 0 || s.record != nil && s.record.Problem != nil
	}
	want := slices.DeleteFunc(slices.Clone(s.Entries), func(name string) bool {
		return name == setup.MCP && !f.mcp && !slices.Contains(has, name)
	})
	program := ownProgram()
	o.Edit = memory.Edit{Tools: &want, Body: &program}
	return o, len(want) > 0
}

// raw returns the text of the file, empty when there is none.
func (s *settingsFile) raw() string {
	if s.record == nil {
		return ""
	}
	return s.record.Raw
}

// ownProgram is what settings call Winnow by: its name when a shell finds it, else where it lies.
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

// apply makes the plans.
func (f *settling) apply(ctx context.Context, files []settingsFile) error {
	for i := range files {
		s := &files[i]
		if len(s.plan.Changes) == 0 {
			continue
		}
		result, err := f.Library.Apply(ctx, s.plan)
		if err != nil {
			return during("setup", err)
		}
		s.result = &result
	}
	return nil
}

// state says in words how a file stands.
func (f *settling) state(s *settingsFile) string {
	switch {
	case s.result != nil && f.remove:
		return "removed"
	case s.result != nil:
		return "written"
	case len(s.plan.Changes) > 0 && f.remove:
		return "to be removed"
	case len(s.plan.Changes) > 0:
		return "to be written"
	}
	return "nothing to do"
}

// diff returns what changes in a file, line by line.
func (s *settingsFile) diff() string {
	if len(s.plan.Changes) == 0 {
		return ""
	}
	ch := &s.plan.Changes[0]
	return udiff.Unified(s.Path, s.Path, ch.Before, ch.After)
}

func (f *settling) print(ctx context.Context, agent string, files []settingsFile) error {
	o := f.out
	next := f.next(ctx, agent, files)
	if f.json {
		o.JSON(object{"schema", schemaVersion, "agent", agent, "files", output.Each(files, func(s *settingsFile) object {
			entry := ""
			if s.result != nil {
				entry = string(s.result.Entry)
			}
			return object{
				"path", text(s.Path), "store", text(string(s.store)), "state", f.state(s), "entry", entry,
				"diff", o.Text(s.diff()),
			}
		}), "next", o.Texts(next)})
		return nil
	}
	for i := range files {
		s := &files[i]
		o.Line("%s: %s", s.Path, f.state(s))
		if s.result == nil {
			for line := range strings.Lines(s.diff()) {
				o.Printf("%s\n", strings.TrimRight(line, "\r\n"))
			}
			continue
		}
		o.Line("  to undo it: winnow undo %s %s", s.result.Entry, storeFlag(memory.Place{Store: s.store, Path: s.Path}))
	}
	if len(files) == 0 {
		o.Line("%s: nothing to do", agent)
	}
	for _, sentence := range next {
		o.Paragraph("", "next: %s", sentence)
	}
	return nil
}

// next are sentences on what is left to do for a person.
func (f *settling) next(ctx context.Context, agent string, files []settingsFile) (list []string) {
	planned := slices.ContainsFunc(files, func(s settingsFile) bool { return len(s.plan.Changes) > 0 && s.result == nil })
	switch {
	case f.remove:
		return output.NonEmpty(output.When(planned, "take it out with winnow setup "+agent+" --remove"))
	case planned:
		again := output.When(f.mcp, " --mcp") + output.When(f.project, " --project")
		list = append(list, "make the change with winnow setup "+agent+again+" --write")
	}
	for i := range files {
		list = append(list, f.unused(ctx, files[i].File)...)
		if !planned {
			list = append(list, output.NonEmpty(files[i].Next)...)
		}
	}
	if program := ownProgram(); program != "winnow" {
		list = append(list, "winnow is not on the PATH, so the settings name "+program+": run setup again when that moves.")
	}
	return list
}

// unused says why an agent does not use what stands in its settings file.
func (p *program) unused(ctx context.Context, file setup.File) []string {
	s, err := p.settingsOf(ctx, file)
	if err != nil || s.record == nil {
		return nil
	}
	list := s.format.Unused(file.Path, s.record.Raw)
	if program := s.record.Body; program != "" {
		if _, err := exec.LookPath(program); err != nil {
			list = append(list, fmt.Sprintf("It starts %s, which is not there or not on the PATH: run winnow setup %s --write.", program, file.Agent))
		}
	}
	return list
}

// setupHealth returns what doctor says about the settings of agents that Winnow is in, or was put
// into.
func (p *program) setupHealth(ctx context.Context) (list []memory.Health) {
	warn := func(file setup.File, what string) {
		list = append(list, memory.Health{
			Code: "setup", Level: memory.Warn, Count: 1, What: file.Path + ": " + what,
			Next: "winnow setup " + file.Agent + " shows what its settings need",
		})
	}
	seen := map[string]bool{}
	for _, agent := range setup.Agents() {
		for _, file := range append(p.settingsFiles(agent, true), p.settingsFiles(agent, false)...) {
			if seen[file.Path] {
				continue
			}
			seen[file.Path] = true
			for _, what := range p.unused(ctx, file) {
				warn(file, what)
			}
			if p.editedAway(ctx, file) {
				warn(file, "entries that setup put there are gone or changed.")
			}
		}
	}
	return list
}

// editedAway reports whether a settings file lacks entries that it had after our last change of it.
func (p *program) editedAway(ctx context.Context, file setup.File) bool {
	s, err := p.settingsOf(ctx, file)
	history, problem := p.Library.History(ctx, s.store)
	if err != nil || problem != nil || len(history.Entries) == 0 || len(history.Entries[0].Changes) == 0 {
		return false
	}
	now, _ := s.format.Entries(s.raw())
	made, _ := s.format.Entries(history.Entries[0].Changes[0].After)
	return slices.ContainsFunc(made, func(e setup.Entry) bool { return !slices.Contains(now, e) })
}
