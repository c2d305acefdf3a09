package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

// Settings is config.toml with its names resolved: the keys of all actions.
type Settings struct {
	*config.File
	Keys keymap.Map
}

// settings reads config.toml. Keys and a theme that cannot be used are left out and become mistakes.
func (e *Env) settings() Settings {
	s := Settings{File: config.Read(e.Config), Keys: keymap.Default()}
	keys, refused := s.Keys.With(s.Bindings())
	if len(refused) == 0 {
		s.Keys = keys
	}
	for _, r := range refused {
		why := r.Why
		if line := s.Line("keys." + r.Other); r.Other != "" && line > 0 {
			why += fmt.Sprintf("; that has it in line %d", line)
		}
		s.Flaw("keys."+r.Action, why)
	}
	if name := s.Theme; name != "" && !slices.Contains(theme.Names(), name) {
		s.Flaw("theme", "there is no theme "+name+"; it is one of "+strings.Join(theme.Names(), ", "))
		s.Theme = ""
	}
	return s
}

// configuring is one call of config, with its flags.
type configuring struct {
	*program
	keys bool // show the keys that are at their defaults
}

func (p *program) config() command {
	f := configuring{program: p}
	verbs := map[string]func(context.Context) error{
		"path":   f.path,
		"show":   f.show,
		"check":  f.check,
		"edit":   f.edit,
		"schema": f.schema,
	}
	names := []string{"path", "show", "check", "edit", "schema"}
	return command{
		use: "config [path|show|check|edit|schema]", short: "Show, check or edit the settings",
		long: `Settings are in config.toml; path prints where that is. show prints the settings in
effect, each with its source: default, a line of the file, or an environment variable.
check prints the mistakes in the file, each with its line, and
exits with 1 if there are any. edit opens the file in $EDITOR, and schema prints a JSON
schema of it for editors.

With a mistake in the file, the built-in settings apply: looking goes on, and whatever
changes, audits or syncs something refuses. A key or a theme that cannot be used is only
left out. For a file or folder named config: winnow ./config`,
		examples: []string{
			"winnow config",
			"winnow config check",
			"winnow config edit",
			"winnow config schema > winnow.schema.json",
		},
		offer: offerOf(names...),
		flags: []flag{
			p.jsonFlag(), p.revealFlag(),
			{to: &f.keys, name: "keys", help: "show the keys of all actions, not only those that you set"},
		},
		exclusive: [][]string{{"json", "reveal"}},
		check: func(args []string) error {
			verb := append(args, "show")[0]
			return refuse(
				refusal{
					verbs[verb] == nil,
					"give one of: " + strings.Join(names, ", ") +
						"; for a file or folder with the name config: winnow ./config",
					"config " + verb + ": no such action",
				},
				refusal{len(args) > 1, "see winnow config --help", "config: one action at a time"},
				refusal{
					verb == "edit" && p.readOnly,
					"leave out --readonly",
					"config: --readonly forbids changing settings",
				},
				refusal{
					p.Config == "",
					"set HOME, or XDG_CONFIG_HOME to an absolute path",
					"config: there is no folder for settings",
				},
			)
		},
		run: func(ctx context.Context, args []string) error {
			if p.exists("config") {
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
	s := f.settings()
	keys := f.keySettings(&s)
	list := slices.Concat(f.plainSettings(&s), listSettings(&s), keys)
	if f.json {
		f.out.JSON(settingsJSON{
			Schema:   schemaVersion,
			Path:     f.out.Text(s.Path),
			Exists:   exists(s.Path),
			Mistakes: len(s.Mistakes),
			Settings: output.Each(list, func(v *setting) settingJSON {
				return settingJSON{f.out.Text(v.name), f.out.Text(v.value), text(v.source)}
			}),
		})
		return nil
	}
	f.out.Printf("%s%s\n\n", s.Path, output.When(!exists(s.Path), "  (does not exist)"))
	if !f.keys {
		list = slices.DeleteFunc(list, func(v setting) bool {
			return strings.HasPrefix(v.name, "keys.") && strings.HasPrefix(v.source, "default")
		})
	}
	width := 0
	for _, v := range list {
		width = max(width, len(v.name))
	}
	for _, v := range list {
		f.out.Line(
			"%s  %s  %s",
			output.Safe(f.out.Sprintf("%-"+strconv.Itoa(width)+"s", v.name)),
			output.Safe(fmt.Sprintf("%-14s", f.out.Show(v.value))),
			v.source,
		)
	}
	if !f.keys {
		f.out.Line("")
		f.out.Line("Keys at their defaults are not listed: winnow config show --keys")
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
	list := []setting{
		{
			"theme",
			cmp.Or(c.Theme, chosen, theme.Auto),
			cmp.Or(output.When(c.Theme == "" && chosen != "", "chosen on the screen"), s.Source("theme")),
		},
	}
	for _, h := range []struct {
		name, variable string
		set            *int64
		usual          int64
	}{
		{"history.days", "WINNOW_HISTORY_DAYS", c.History.Days, config.UsualDays},
		{"history.mb", "WINNOW_HISTORY_MB", c.History.MB, config.UsualMB},
	} {
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
		setting{"learn.distil", cmp.Or(strings.Join(c.Learn.Distil, " "), "none"), s.Source("learn.distil")},
		setting{"learn.commit", strconv.FormatBool(c.Learn.Commit), s.Source("learn.commit")},
		setting{"learn.approve", strconv.FormatBool(c.Learn.Approve), s.Source("learn.approve")},
		setting{"stores.allow", cmp.Or(strings.Join(c.Stores.Allow, " "), "none"), s.Source("stores.allow")},
		setting{"share.fail_on", cmp.Or(c.Share.FailOn, usualFailOn), s.Source("share.fail_on")},
		setting{"share.timeout", c.ShareTimeout().String(), s.Source("share.timeout")},
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
	s := f.settings()
	if f.json {
		f.out.JSON(mistakesJSON{schemaVersion, f.out.Text(s.Path), f.mistakes(&s)})
	} else {
		f.printMistakes(&s.Document)
	}
	for i := range s.Ignored {
		f.notef("%s", s.Ignored[i].Error())
	}
	switch {
	case len(s.Mistakes) > 0:
		return silentExit(exitFailure)
	case !f.json:
		f.out.Printf(
			"%s: %s\n",
			s.Path,
			cmp.Or(output.When(exists(s.Path), "no mistakes"), "there is no file, and all settings are as usual"),
		)
	}
	return nil
}

// mistakes returns the mistakes in the file.
func (f *configuring) mistakes(s *Settings) []mistakeJSON {
	return output.Each(s.Mistakes, func(m *config.Mistake) mistakeJSON {
		return mistakeJSON{f.out.Text(s.Path), m.Line, m.Column, f.out.Text(m.What)}
	})
}

// settingsJSON is the settings, and where each is from.
type settingsJSON struct {
	Schema   int           `json:"schema"`
	Path     text          `json:"path"`
	Exists   bool          `json:"exists"`
	Mistakes int           `json:"mistakes"`
	Settings []settingJSON `json:"settings"`
}

type settingJSON struct {
	Name   text `json:"name"`
	Value  text `json:"value"`
	Source text `json:"source"`
}

// mistakesJSON is the mistakes in the file of settings.
type mistakesJSON struct {
	Schema   int           `json:"schema"`
	Path     text          `json:"path"`
	Mistakes []mistakeJSON `json:"mistakes"`
}

type mistakeJSON struct {
	Path   text `json:"path"`
	Line   int  `json:"line"`
	Column int  `json:"column"`
	Text   text `json:"text"`
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
		f.out.Printf(
			"%s| %s%s\n",
			output.Safe(strings.Repeat(" ", len(head)-2)),
			output.Safe(strings.Repeat(" ", before)),
			output.Safe(strings.Repeat("^", max(min(m.Width, len(m.Text)-at), 1))),
		)
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
	f.out.JSON(schemaOf(f.settings().Keys.Names()))
	return nil
}

// schemaOf returns the JSON schema of config.toml.
func schemaOf(actions []string) object {
	text, yes := object{"type", "string"}, object{"type", "boolean"}
	texts := object{"type", "array", "items", text}
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
	view := table(
		object{
			"filter",
			text,
			"sort",
			object{"enum", config.Orders()},
			"reverse",
			yes,
			"columns",
			list(memory.Columns()),
		},
	)
	o := table(object{
		"theme", text, "keys", table(scopes), "views", named(view), "columns", named(list(memory.Columns())),
		"history", table(object{"days", upTo(config.MostDays), "mb", upTo(config.MostMB)}),
		"learn", table(object{"filter", text, "distil", texts, "commit", yes, "approve", yes}),
		"stores", table(object{"allow", texts}),
		"share", table(object{
			"fail_on", object{"enum", config.Severities()},
			"timeout", object{"oneOf", []object{upTo(3600), text}},
		}),
	})
	return append(
		object{"$schema", "https://json-schema.org/draft/2020-12/schema", "title", "config.toml of Winnow"},
		o...)
}
