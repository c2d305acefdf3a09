package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/cli/output"
	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
	"winnow/views/theme"
)

// Settings is config.toml with its names resolved: the keys of all actions, and the theme.
type Settings struct {
	*config.File
	Keys keymap.Map
	User theme.User
	// Theme is the file of User. It is nil if User is not set.
	Theme *config.ThemeFile
}

// Settings reads config.toml. Anything unusable is left out and becomes one of its mistakes.
func (e *Env) Settings() Settings {
	s := Settings{File: config.Read(e.Config), Keys: keymap.Default()}
	keys, refused := s.Keys.With(s.Bindings())
	for _, r := range refused {
		why := r.Why
		if line := s.Line("keys." + r.Other); r.Other != "" && line > 0 {
			why += fmt.Sprintf("; that has it in line %d", line)
		}
		s.Wrong("keys."+r.Action, why)
	}
	s.Keys = keys
	if name := s.File.Theme; name != "" {
		s.User, s.Theme = e.userTheme(name)
		if s.Theme != nil && len(s.Theme.Mistakes) > 0 {
			s.Wrong("theme", cmp.Or(output.When(!exists(s.Theme.Path), "there is no theme "+name+", and no file "+s.Theme.Path), "there are mistakes in "+s.Theme.Path))
		}
	}
	return s
}

// userTheme reads the person's own theme. It returns none for the name of a built-in theme.
func (e *Env) userTheme(name string) (theme.User, *config.ThemeFile) {
	if e.Config == "" || slices.Contains(theme.Names(), name) {
		return theme.User{}, nil
	}
	if filepath.Base(name) != name || strings.HasPrefix(name, ".") {
		return theme.User{}, &config.ThemeFile{Document: config.Document{Path: name, Mistakes: []config.Mistake{{}}}}
	}
	file := config.ReadTheme(e.Config, name)
	palette, flaws := theme.Custom(file.Colours)
	for _, flaw := range flaws {
		file.Flaw(flaw.Token, flaw.What)
	}
	if len(file.Mistakes) > 0 {
		return theme.User{}, file
	}
	return theme.User{Name: name, Palette: palette}, file
}

// configuring is one call of config, with its flags.
type configuring struct {
	*program
}

func (p *program) config() command {
	f := configuring{program: p}
	verbs := map[string]func(context.Context) error{"path": f.path, "show": f.show, "check": f.check, "edit": f.edit, "schema": f.schema}
	names := []string{"path", "show", "check", "edit", "schema"}
	return command{
		use: "config [path|show|check|edit|schema]", short: "Show, check or edit the settings",
		long: `Settings are in config.toml; path prints where that is. show prints the settings in
effect, each with its source: default, a line of the file, or an environment variable.
check prints the mistakes in the file and in the theme it names, each with its line, and
exits with 1 if there are any. edit opens the file in $EDITOR, and schema prints a JSON
schema of it for editors.

A section with a mistake is ignored, and all others apply: mistakes never stop Winnow, and
the screens mention them in a line. For a file or folder named config: winnow ./config`,
		examples:  []string{"winnow config", "winnow config check", "winnow config edit", "winnow config schema > winnow.schema.json"},
		offer:     offerOf(names...),
		flags:     []flag{p.jsonFlag(), p.revealFlag()},
		exclusive: [][]string{{"json", "reveal"}},
		check: func(args []string) error {
			verb := append(args, "show")[0]
			return refuse(
				refusal{verbs[verb] == nil, "give one of: " + strings.Join(names, ", ") + "; for a file or folder with the name config: winnow ./config", "config " + verb + ": no such action"},
				refusal{len(args) > 1, "see winnow config --help", "config: one action at a time"},
				refusal{verb == "edit" && p.readOnly, "leave out --readonly", "config: --readonly forbids changing settings"},
				refusal{p.Config == "", "set HOME, or XDG_CONFIG_HOME to an absolute path", "config: there is no folder for settings"},
			)
		},
		run: func(ctx context.Context, args []string) error {
			if exists("config") {
				p.notef("for a file or folder with the name config: winnow ./config")
			}
			return verbs[append(args, "show")[0]](ctx)
		},
	}
}

func (f *configuring) path(context.Context) error {
	f.out.Printf("%s\n", f.Config)
	return nil
}

// setting is a setting in effect.
type setting struct{ name, value, source string }

func (f *configuring) show(context.Context) error {
	s := f.Settings()
	list := slices.Concat(f.plainSettings(&s), f.keySettings(&s), listSettings(&s))
	if f.json {
		f.out.JSON(object{
			"schema", schemaVersion, "path", f.out.Text(s.Path), "exists", exists(s.Path), "mistakes", len(s.Mistakes),
			"settings", output.Each(list, func(v *setting) object {
				return object{"name", f.out.Text(v.name), "value", f.out.Text(v.value), "source", v.source}
			}),
		})
		return nil
	}
	f.out.Printf("%s%s\n\n", s.Path, output.When(!exists(s.Path), "  (does not exist)"))
	width := 0
	for _, v := range list {
		width = max(width, len(v.name))
	}
	for _, v := range list {
		f.out.Line("%s  %s  %s", output.Safe(f.out.Sprintf("%-"+strconv.Itoa(width)+"s", v.name)), output.Safe(fmt.Sprintf("%-14s", f.out.Show(v.value))), v.source)
	}
	if n := len(s.Mistakes); n > 0 {
		f.notef("%s in the file; see winnow config check", memory.Noun{One: "mistake", Many: "mistakes"}.Count(n))
	}
	return nil
}

// plainSettings are the settings with a single value, and the environment variables that are set.
func (f *configuring) plainSettings(s *Settings) []setting {
	c := s.Config
	chosen := f.Kept.Read().Theme
	list := []setting{{"theme", cmp.Or(c.Theme, chosen, theme.Auto), cmp.Or(output.When(c.Theme == "" && chosen != "", "chosen on the screen"), s.Source("theme"))}}
	for _, h := range []struct {
		name, variable string
		set            *int64
		usual          int64
	}{{"history.days", "WINNOW_HISTORY_DAYS", c.History.Days, config.UsualDays}, {"history.mb", "WINNOW_HISTORY_MB", c.History.MB, config.UsualMB}} {
		v := setting{h.name, strconv.FormatInt(h.usual, 10), s.Source(h.name)}
		if h.set != nil {
			v.value = strconv.FormatInt(*h.set, 10)
		}
		if value, _ := f.Lookup(h.variable); value != "" {
			v.value, v.source = value, h.variable
		}
		list = append(list, v)
	}
	list = append(list,
		setting{"learn.filter", cmp.Or(c.Learn.Filter, "none"), s.Source("learn.filter")},
		setting{"learn.commit", strconv.FormatBool(c.Learn.Commit), s.Source("learn.commit")},
		setting{"learn.approve", strconv.FormatBool(c.Learn.Approve), s.Source("learn.approve")},
		setting{"share.fail_on", cmp.Or(c.Share.FailOn, usualFailOn), s.Source("share.fail_on")},
	)
	for _, row := range f.environment() {
		for _, name := range strings.Split(row[0], ", ") {
			if value, _ := f.Lookup(name); value != "" {
				list = append(list, setting{"$" + name, value, "environment"})
			}
		}
	}
	return list
}

// keySettings are the keys of all actions.
func (f *configuring) keySettings(s *Settings) []setting {
	all := s.Keys.Actions()
	return output.Each(s.Keys.Names(), func(action *string) setting {
		return setting{"keys." + *action, keymap.ShownKeys(all[*action]), s.Source("keys." + *action)}
	})
}

// listSettings are the views and columns.
func listSettings(s *Settings) (list []setting) {
	for _, name := range slices.Sorted(maps.Keys(s.Views)) {
		list = append(list, setting{"views." + name, s.Views[name].Text(), s.Source("views." + name)})
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Columns)) {
		list = append(list, setting{"columns." + kind, strings.Join(s.Columns[kind], " "), s.Source("columns." + kind)})
	}
	return list
}

func (f *configuring) check(context.Context) error {
	s, n := f.Settings(), 0
	for _, file := range s.files() {
		if n += len(file.Mistakes); !f.json {
			f.printMistakes(file)
		}
	}
	if f.json {
		f.out.JSON(object{"schema", schemaVersion, "path", f.out.Text(s.Path), "mistakes", f.mistakes(&s)})
	}
	switch {
	case n > 0:
		return silentExit(exitFailure)
	case !f.json:
		f.out.Printf("%s: %s\n", s.Path, cmp.Or(output.When(exists(s.Path), "no mistakes"), "there is no file, and all settings are as usual"))
	}
	return nil
}

// files returns the files to check: config.toml, and the theme that it names.
func (s *Settings) files() []*config.Document {
	files := []*config.Document{&s.File.Document}
	if s.Theme != nil && exists(s.Theme.Path) {
		files = append(files, &s.Theme.Document)
	}
	return files
}

// mistakes returns the mistakes in all files.
func (f *configuring) mistakes(s *Settings) (list []object) {
	for _, file := range s.files() {
		list = append(list, output.Each(file.Mistakes, func(m *config.Mistake) object {
			return object{"path", f.out.Text(file.Path), "line", m.Line, "column", m.Column, "text", f.out.Text(m.What)}
		})...)
	}
	return list
}

// printMistakes prints the mistakes in a file, each with its line and a caret below it.
func (f *configuring) printMistakes(p *config.Document) {
	for _, m := range p.Mistakes {
		f.out.Paragraph("", "%s:%d:%d: %s", p.Path, m.Line, m.Column, m.What)
		if m.Line == 0 {
			continue
		}
		head := fmt.Sprintf("%4d | ", m.Line)
		at := min(max(m.Column-1, 0), len(m.Text))
		before := views.Width(string(f.out.Show(m.Text[:at])))
		f.out.Printf("%s%s\n", output.Safe(head), m.Text)
		f.out.Printf("%s| %s%s\n", output.Safe(strings.Repeat(" ", len(head)-2)), output.Safe(strings.Repeat(" ", before)), output.Safe(strings.Repeat("^", max(min(m.Width, len(m.Text)-at), 1))))
	}
}

func (f *configuring) edit(ctx context.Context) error {
	if !f.InTTY && f.editor() == nil {
		return usage("set EDITOR, or edit "+f.Config, "config edit: there is no terminal for an editor")
	}
	path := f.Config
	if err := config.Begin(ctx, path); err != nil {
		return during("config edit", err)
	}
	f.out.Flush()
	if err := f.editorCommand(path).Run(); err != nil {
		return during("config edit", err)
	}
	return f.check(ctx)
}

func (f *configuring) schema(context.Context) error {
	f.out.JSON(schemaOf(f.Settings().Keys.Names()))
	return nil
}

// schemaOf returns the JSON schema of config.toml.
func schemaOf(actions []string) object {
	text, yes := object{"type", "string"}, object{"type", "boolean"}
	list := func(names []string) object {
		return object{"type", "array", "uniqueItems", true, "items", object{"enum", names}}
	}
	upTo := func(most int) object { return object{"type", "integer", "minimum", 0, "maximum", most} }
	table := func(properties object) object {
		return object{"type", "object", "additionalProperties", false, "properties", properties}
	}
	named := func(of object) object { return object{"type", "object", "additionalProperties", of} }
	keys := object{"oneOf", []object{text, {"type", "array", "minItems", 1, "items", text}}}
	var scopes object
	for _, name := range actions {
		scope, action, _ := strings.Cut(name, ".")
		if len(scopes) == 0 || scopes[len(scopes)-2] != scope {
			scopes = append(scopes, scope, table(nil))
		}
		of := scopes[len(scopes)-1].(object)
		of[len(of)-1] = append(of[len(of)-1].(object), action, keys)
	}
	view := table(object{"filter", text, "sort", object{"enum", config.Orders()}, "reverse", yes, "columns", list(memory.Columns())})
	o := table(object{
		"theme", text, "keys", table(scopes), "views", named(view), "columns", named(list(memory.Columns())),
		"history", table(object{"days", upTo(config.MostDays), "mb", upTo(config.MostMB)}),
		"learn", table(object{"filter", text, "commit", yes, "approve", yes}),
		"share", table(object{"fail_on", object{"enum", config.Severities()}}),
	})
	return append(object{"$schema", "https://json-schema.org/draft/2020-12/schema", "title", "config.toml of Winnow"}, o...)
}
