// Package config reads the file in which a person sets how Winnow works, and stores what Winnow
// remembers between runs.
//
// The file is config.toml in the settings folder. Each of its sections is taken as a whole: a
// section with a mistake counts as missing, or as its safest values if missing would do more than
// the person asked for. Every mistake is reported with its line. What is remembered is in one small
// file in the state folder.
package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/filter"
	"winnow/core/memory"
)

// Config is what can be set. The zero value applies when there is no file.
type Config struct {
	// Theme is the name of a theme, or of a file themes/NAME.toml next to the settings file.
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
		Filter  string `toml:"filter"`
		Commit  bool   `toml:"commit"`
		Approve bool   `toml:"approve"`
	} `toml:"learn"`
	Share struct {
		// FailOn is the severity from which an audit fails, unless --fail-on overrides it.
		FailOn string `toml:"fail_on"`
	} `toml:"share"`
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

// EveryKind is the key for kinds without columns of their own.
const EveryKind = "all"

// Of returns the columns for a kind of store, such as "claudecode/auto memory": those of the kind,
// or else of its system, or else of EveryKind. It returns nil if none are set.
func (c Columns) Of(kind string) []string {
	system, _, _ := strings.Cut(kind, "/")
	for _, key := range []string{kind, system, EveryKind} {
		if list, ok := c[key]; ok {
			return list
		}
	}
	return nil
}

// Orders returns the values for the setting sort of a view.
func Orders() []string {
	return []string{"store", filter.ByOutcome, filter.ByRel, filter.ByUsed, filter.ByAge, filter.ByNext, filter.ByFlags, filter.ByTask, filter.ByHelped}
}

// Severities returns the values for the setting share.fail_on.
func Severities() []string {
	return []string{memory.High.String(), memory.Medium.String(), memory.Low.String()}
}

// The default and maximum amounts of history kept for a store.
const (
	UsualDays, MostDays = 90, 100_000
	UsualMB, MostMB     = 50, 1_000_000
)

// Path returns the path of the file in the settings folder, or "" if dir is empty.
func Path(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// File is config.toml as it was read.
type File struct {
	Document
	// Config holds the valid settings, without sections that have a mistake.
	Config

	left []string // sections left out, "" for all
}

// ThemeFile is a theme made by the person.
type ThemeFile struct {
	Document
	// Colours are the colours in the file, by token.
	Colours map[string]string
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
	} else if !errors.Is(err, fs.ErrNotExist) {
		f.reset("")
	}
	return f
}

// ReadTheme reads a theme by name from the folder themes next to a settings file. A missing theme
// is a mistake.
func ReadTheme(path, name string) *ThemeFile {
	t := &ThemeFile{Document: Document{Path: filepath.Join(filepath.Dir(path), "themes", name+".toml")}}
	data, err := t.open()
	if errors.Is(err, fs.ErrNotExist) {
		t.Mistakes = []Mistake{{What: "the file does not exist"}}
	}
	for _, key := range t.decode(data, &t.Colours) {
		delete(t.Colours, key)
	}
	return t
}

func (f *File) parse(data []byte) {
	for _, key := range f.decode(data, &f.Config) {
		f.reset(key)
	}
	f.check()
}

// Wrong records that the value of a key cannot be used, and leaves out its section.
func (f *File) Wrong(key, what string) {
	f.Flaw(key, what)
	f.reset(key)
}

// Source says where the value of a key comes from: "default", "line 3", or why a safe value is
// used.
func (f *File) Source(key string) string {
	section, _, _ := strings.Cut(key, ".")
	switch line := f.Line(key); {
	case slices.Contains(f.left, ""):
		return "the file cannot be used"
	case slices.Contains(f.left, section):
		return section + " has a mistake"
	case line > 0:
		return fmt.Sprintf("line %d", line)
	}
	return "default"
}

// reset leaves out the section of a key with a mistake, or all sections for "". History is then
// kept without limit, and an audit fails from the lowest severity on, because deleting too much or
// accepting too much could not be undone.
func (f *File) reset(key string) {
	section, _, _ := strings.Cut(key, ".")
	f.left = append(f.left, section)
	var safe Config
	safe.History.Days, safe.History.MB = new(int64), new(int64)
	safe.Share.FailOn = memory.Low.String()
	to, from := reflect.ValueOf(&f.Config).Elem(), reflect.ValueOf(safe)
	for i := range to.NumField() {
		if section == "" || section == to.Type().Field(i).Tag.Get("toml") {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// check refuses values that make no sense.
func (f *File) check() {
	for key, v := range map[string]struct {
		n    *int64
		most int64
	}{"history.days": {f.History.Days, MostDays}, "history.mb": {f.History.MB, MostMB}} {
		if v.n != nil && (*v.n < 0 || *v.n > v.most) {
			f.Wrong(key, fmt.Sprintf("want a whole number from 0 to %d", v.most))
		}
	}
	f.oneOf("share.fail_on", f.Share.FailOn, Severities())
	for name, v := range f.Views {
		if strings.TrimSpace(name) == "" {
			f.Wrong("views."+name, "a view needs a name")
		}
		f.oneOf("views."+name+".sort", v.Sort, Orders())
		f.columns("views."+name+".columns", v.Columns)
	}
	for kind, list := range f.Columns {
		f.columns("columns."+kind, list)
	}
	f.Bindings()
}

// oneOf refuses a value that is not allowed for a setting. An empty value counts as not set.
func (f *File) oneOf(key, value string, values []string) {
	if value != "" && !slices.Contains(values, value) {
		f.Wrong(key, fmt.Sprintf("%q is not one of %s", value, strings.Join(values, ", ")))
	}
}

func (f *File) columns(key string, list []string) {
	for i, name := range list {
		f.oneOf(key, name, memory.Columns())
		if slices.Contains(list[:i], name) {
			f.Wrong(key, fmt.Sprintf("%q appears twice", name))
		}
	}
}

// Bindings returns the keys of actions by action name, such as "curate.delete".
func (f *File) Bindings() map[string][]string {
	all := map[string][]string{}
	for _, scope := range slices.Sorted(maps.Keys(f.Keys)) {
		for action, value := range f.Keys[scope] {
			name := scope + "." + action
			list, ok := texts(value)
			if !ok {
				f.Wrong("keys."+name, `want a key in quotes, or a list of them: ["d", "delete"]`)
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
	return write(ctx, path, atomicfile.TempOf(path), func(was []byte) ([]byte, error) {
		if was != nil {
			return nil, atomicfile.ErrUnchanged
		}
		return []byte(firstConfig), nil
	})
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
# commit = false
# approve = false

# [share]
# fail_on = "medium"
`
