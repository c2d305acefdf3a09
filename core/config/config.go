// Package config reads the file in which a person sets how Winnow works, and stores what Winnow
// remembers between runs.
//
// The file is config.toml in the settings folder. With a mistake in it, all settings are the built-in ones,
// and whoever changes, audits or shares something refuses: see [File.Problem]. What is remembered is in one
// small file in the state folder.
package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/filter"
	"winnow/core/memory"
)

// Config is what can be set. The zero value applies when there is no file.
type Config struct {
	// Theme is the name of a theme.
	Theme string `toml:"theme"`
	// Keys are keys by scope and action: keys.curate.delete = ["d", "delete"]. A value is a string
	// or a list of strings; see Bindings.
	Keys map[string]map[string]any `toml:"keys"`
	// Views are the named views to switch to.
	Views map[string]View `toml:"views"`
	// Columns are the columns of lists in order, by kind of store; see Columns.Of.
	Columns Columns `toml:"columns"`
	History struct {
		// Days and MB limit the history of a store; 0 means no limit, nil the default.
		Days *int64 `toml:"days"`
		MB   *int64 `toml:"mb"`
	} `toml:"history"`
	Learn struct {
		// Filter is a program and its arguments, separated by white space. Quotes are not
		// supported.
		Filter string `toml:"filter"`
		// Distil is a program and its arguments, which makes proposals of sessions when the person starts it.
		Distil  []string `toml:"distil"`
		Commit  bool     `toml:"commit"`
		Approve bool     `toml:"approve"`
	} `toml:"learn"`
	Stores struct {
		// Allow are folders or files, absolute or below ~/. Records may be changed in them even if a project
		// outside names them, by a file or a link.
		Allow []string `toml:"allow"`
	} `toml:"stores"`
	Share struct {
		// FailOn is the severity from which an audit fails, unless --fail-on overrides it.
		FailOn string `toml:"fail_on"`
		// Timeout is how long a share's remote may say nothing: whole seconds, or a text such as "2m".
		// See [Config.ShareTimeout].
		Timeout any `toml:"timeout"`
	} `toml:"share"`
}

// The default and the limits of the setting share.timeout.
const (
	usualTimeout              = time.Minute
	leastTimeout, mostTimeout = time.Second, time.Hour
)

// ShareTimeout is how long a share's remote may say nothing before it is given up.
func (c *Config) ShareTimeout() time.Duration {
	d, err := timeout(c.Share.Timeout)
	if err != nil || d == 0 {
		return usualTimeout
	}
	return d
}

// timeout reads a value of share.timeout. Nil is 0.
func timeout(value any) (d time.Duration, err error) {
	switch v := value.(type) {
	case nil:
		return 0, nil
	case int64:
		d = time.Duration(min(max(v, 0), int64(mostTimeout))) * time.Second
	case string:
		d, err = time.ParseDuration(v)
	}
	if err != nil || d < leastTimeout || d > mostTimeout {
		return 0, errors.New("want whole seconds from 1 to 3600, or a text such as \"2m\"")
	}
	return d, nil
}

// View is a named filter, order and set of columns of a list.
type View struct {
	Filter  string   `toml:"filter"`
	Sort    string   `toml:"sort"` // empty leaves the order unchanged
	Reverse bool     `toml:"reverse"`
	Columns []string `toml:"columns"`
}

// Text describes a view in one line.
func (v View) Text() string {
	order := ""
	if v.Sort != "" {
		order = "by " + v.Sort
	}
	if v.Sort != "" && v.Reverse {
		order += " reversed"
	}
	parts := []string{v.Filter, order, strings.Join(v.Columns, " ")}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// Columns are list columns by kind of store.
type Columns map[string][]string

// everyKind is the key for kinds without columns of their own.
const everyKind = "all"

// Of returns the columns for a kind of store, such as "claudecode/auto memory": those of the kind,
// or else of its system, or else of everyKind. It returns nil if none are set.
func (c Columns) Of(kind string) []string {
	system, _, _ := strings.Cut(kind, "/")
	for _, key := range []string{kind, system, everyKind} {
		if list, ok := c[key]; ok {
			return list
		}
	}
	return nil
}

// Orders returns the values for the setting sort of a view.
func Orders() []string {
	return []string{
		"store",
		filter.ByOutcome,
		filter.ByRel,
		filter.ByUsed,
		filter.ByAge,
		filter.ByNext,
		filter.ByFlags,
		filter.ByTask,
	}
}

// FailOnReview is the word for the severity of what a person should read, which is medium.
const FailOnReview = "review"

// Severities returns the values for the setting share.fail_on, which are those of --fail-on.
func Severities() []string {
	return []string{memory.High.String(), FailOnReview, memory.Medium.String(), memory.Low.String()}
}

// The default and maximum amounts of history kept for a store.
const (
	UsualDays, MostDays = 90, 100_000
	UsualMB, MostMB     = 50, 1_000_000
)

// Path returns the path of the file in the settings folder, or "" if dir is empty.
func Path(dir string) string { return pathOf(dir, "config.toml") }

// PromptPath returns the path of the prompt for the program of [learn] distil, or "" if dir is empty.
func PromptPath(dir string) string { return pathOf(dir, "distil.md") }

func pathOf(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// File is config.toml as it was read.
type File struct {
	Document
	// Config holds the settings. It is zero if the file has a mistake.
	Config
	// Ignored says, by line, which words of features that were removed have no effect.
	Ignored []Mistake

	broken bool
}

// Read reads the file at path. A missing file or an empty path gives the zero Config.
func Read(path string) *File {
	f := &File{Document: Document{Path: path}}
	if path == "" {
		return f
	}
	data, err := f.open()
	if err == nil {
		f.parse(data)
	}
	f.broken = f.broken || err != nil && !errors.Is(err, fs.ErrNotExist)
	return f
}

func (f *File) parse(data []byte) {
	f.decode(data, &f.Config)
	if len(f.Mistakes) == 0 {
		f.check()
	}
	if len(f.Mistakes) > 0 {
		f.Config, f.broken = Config{}, true
	}
}

// Source says where the value of a key comes from: "default", "line 3", or that the file cannot be used.
func (f *File) Source(key string) string {
	line := f.Line(key)
	if f.broken {
		return "default: the file has a mistake"
	}
	if line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return "default"
}

// check refuses values that make no sense.
func (f *File) check() {
	for key, v := range map[string]struct {
		n    *int64
		most int64
	}{"history.days": {f.History.Days, MostDays}, "history.mb": {f.History.MB, MostMB}} {
		if v.n != nil && (*v.n < 0 || *v.n > v.most) {
			f.Flaw(key, fmt.Sprintf("want a whole number from 0 to %d", v.most))
		}
	}
	f.oneOf("share.fail_on", f.Share.FailOn, Severities())
	f.checkProgram("learn.distil", f.Learn.Distil)
	for _, dir := range f.Stores.Allow {
		if !filepath.IsAbs(dir) && !strings.HasPrefix(dir, "~/") {
			f.Flaw("stores.allow", fmt.Sprintf("%q is not a whole path: begin it with / or ~/", dir))
		}
	}
	if _, err := timeout(f.Share.Timeout); err != nil {
		f.Flaw("share.timeout", err.Error())
	}
	for name, v := range f.Views {
		if strings.TrimSpace(name) == "" {
			f.Flaw("views."+name, "a view needs a name")
		}
		if f.isRemoved("views."+name+".sort", v.Sort, Orders()) {
			v.Sort = ""
		}
		f.oneOf("views."+name+".sort", v.Sort, Orders())
		v.Columns = f.columns("views."+name+".columns", v.Columns)
		f.Views[name] = v
	}
	for kind, list := range f.Columns {
		f.Columns[kind] = f.columns("columns."+kind, list)
	}
	for _, action := range removedActions {
		scope, name, _ := strings.Cut(action, ".")
		if _, set := f.Keys[scope][name]; set {
			delete(f.Keys[scope], name)
			what := "keys." + action
			f.Ignored = append(f.Ignored, f.mistake(f.at[what], what+": was removed and is ignored"))
		}
	}
	f.Bindings()
}

// checkProgram refuses words of which the first names no program.
func (f *File) checkProgram(key string, words []string) {
	if len(words) > 0 && strings.TrimSpace(words[0]) == "" {
		f.Flaw(key, "its first word is the program, and it is empty")
	}
}

// removed are the orders and columns of features that were removed, and removedActions those that had keys.
var (
	removed        = []string{"helped", "heat"}
	removedActions = []string{"recall.compare", "lessons.columns", "move.count"}
)

// isRemoved reports whether a value is of a feature that was removed, and notes that it is ignored.
func (f *File) isRemoved(key, value string, values []string) bool {
	is := slices.Contains(removed, value) && !slices.Contains(values, value)
	if is {
		f.Ignored = append(
			f.Ignored,
			f.mistake(f.at[key], fmt.Sprintf("%s: %q was removed and is ignored", key, value)),
		)
	}
	return is
}

// oneOf refuses a value that is not allowed for a setting. An empty value counts as not set.
func (f *File) oneOf(key, value string, values []string) {
	if value != "" && !slices.Contains(values, value) {
		f.Flaw(key, fmt.Sprintf("%q is not one of %s", value, strings.Join(values, ", ")))
	}
}

// columns returns the columns without removed ones, and refuses unknown ones and those that appear twice.
func (f *File) columns(key string, list []string) []string {
	list = slices.DeleteFunc(list, func(name string) bool { return f.isRemoved(key, name, memory.Columns()) })
	for i, name := range list {
		f.oneOf(key, name, memory.Columns())
		if slices.Contains(list[:i], name) {
			f.Flaw(key, fmt.Sprintf("%q appears twice", name))
		}
	}
	return list
}

// Bindings returns the keys of actions by action name, such as "curate.delete".
func (f *File) Bindings() map[string][]string {
	all := map[string][]string{}
	for _, scope := range slices.Sorted(maps.Keys(f.Keys)) {
		for action, value := range f.Keys[scope] {
			name := scope + "." + action
			list, ok := texts(value)
			if !ok {
				f.Flaw("keys."+name, `want a key in quotes, or a list of them: ["d", "delete"]`)
				return nil
			}
			all[name] = list
		}
	}
	return all
}

// texts returns a text or a list of texts as a non-empty list.
func texts(value any) (list []string, ok bool) {
	items, isList := value.([]any)
	if !isList {
		items = []any{value}
	}
	for _, item := range items {
		s, isText := item.(string)
		if !isText {
			return nil, false
		}
		list = append(list, s)
	}
	return list, len(list) > 0
}

// Begin writes a settings file that sets nothing and shows what can be set, unless there is a file
// already.
func Begin(ctx context.Context, path string) error {
	_, err := atomicfile.Replace(ctx, atomicfile.OS(), path, atomicfile.Update{
		Temp: atomicfile.TempOf(path), Mode: 0o600,
		Next: func(was []byte) ([]byte, error) {
			if was != nil {
				return nil, atomicfile.ErrUnchanged
			}
			return []byte(firstConfig), nil
		},
	})
	return err
}

// firstConfig is the content of a new settings file.
const firstConfig = `# Settings of Winnow. To see all settings in effect: winnow config show

# theme = "dark"

# [keys]
# curate.delete = ["d", "delete"]

# [views.stale]
# filter = "used:never age:>14d"
# sort = "age"
# columns = ["age", "flags"]

# [columns]
# all = ["rel", "used", "age", "flags"]

# [history]
# days = 90
# mb = 50

# [learn]
# filter = "lesson-filter --strict"
# distil = ["claude", "-p"]
# commit = false
# approve = false

# [stores]
# allow = ["~/dotfiles"]

# [share]
# fail_on = "high"
# timeout = 60
`
