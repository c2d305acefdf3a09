package keymap

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An action is named PLACE.ACTION after the fields that hold its binding, in lower case:
// curate.edit-raw.

// Actions returns the bindings by action name.
func (m Map) Actions() map[string]Binding {
	all := map[string]Binding{}
	m.each(func(name string, b *Binding) { all[name] = *b })
	return all
}

// Names returns the names of all actions, in the order of the help.
func (m Map) Names() (list []string) {
	m.each(func(name string, _ *Binding) { list = append(list, name) })
	return list
}

// each calls fn with every binding, which fn may change.
func (m *Map) each(fn func(name string, b *Binding)) {
	scopes := reflect.ValueOf(m).Elem()
	for i := range scopes.NumField() {
		for j := range scopes.Field(i).NumField() {
			name := dashed(scopes.Type().Field(i).Name) + "." + dashed(scopes.Field(i).Type().Field(j).Name)
			fn(name, scopes.Field(i).Field(j).Addr().Interface().(*Binding))
		}
	}
}

// dashed returns the name of a field in lower case with dashes between its words: "edit-raw".
func dashed(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Refused is an action that cannot have its configured keys, and why. Other is the action it
// conflicts with, if that is the reason.
type Refused struct{ Action, Why, Other string }

// fixed are the actions bound to digits.
var fixed = []string{"global.screens", "dialog.digit"}

// With returns the map with new keys for the named actions. If some are refused, it returns the
// reasons instead.
func (m Map) With(keys map[string][]string) (Map, []Refused) {
	if len(keys) == 0 {
		return m, nil
	}
	var refused []Refused
	known, taken := m.Actions(), map[string][]string{}
	for _, action := range slices.Sorted(maps.Keys(keys)) {
		why := whyNot(action, keys[action])
		if _, ok := known[action]; !ok {
			why = "there is no action of that name; winnow config show --keys lists them"
		}
		if why != "" {
			refused = append(refused, Refused{Action: action, Why: why})
			continue
		}
		for _, key := range keys[action] {
			name, _ := KeyOf(key)
			taken[action] = append(taken[action], name)
		}
	}
	next := m
	next.each(func(name string, b *Binding) {
		if list := taken[name]; list != nil {
			*b = bind(b.Help().Desc, list...)
		}
	})
	if refused = append(refused, next.conflicts(taken)...); refused != nil {
		return m, refused
	}
	return next, nil
}

// whyNot says why an action cannot have the given keys, or nothing.
func whyNot(action string, keys []string) string {
	if slices.Contains(fixed, action) {
		return "its keys are the digits, and stay"
	}
	scope, _, _ := strings.Cut(action, ".")
	typing := scope == "text" || action == "global.abort" || action == "global.suspend"
	for _, key := range keys {
		name, ok := KeyOf(key)
		switch {
		case !ok:
			return fmt.Sprintf(
				"%q is no key; keys are d, D, ctrl-d, alt-d, Enter, Esc, Tab, space, up, PgDn, f5 and the like",
				key,
			)
		case typing && (utf8.RuneCountInString(name) == 1 || name == "space"):
			return fmt.Sprintf("%q is text where it acts; take a key with ctrl or alt", key)
		}
	}
	return ""
}

// conflicts returns the changed actions that share a key with another action in the same place.
func (m Map) conflicts(changed map[string][]string) (refused []Refused) {
	all := m.Actions()
	reported := map[string]bool{}
	for _, place := range slices.Sorted(maps.Keys(places)) {
		owner := map[string]string{}
		for _, action := range m.In(place) {
			for _, key := range all[action].Keys() {
				other := owner[key]
				owner[key] = action
				if other == "" || other == action {
					continue
				}
				if changed != nil && changed[action] == nil {
					action, other = other, action
				}
				if reported[action+other] {
					continue
				}
				reported[action+other] = true
				refused = append(
					refused,
					Refused{
						action,
						fmt.Sprintf("%s is the key of %s too, on the same screen (%s)", shown(key), other, place),
						other,
					},
				)
			}
		}
	}
	return refused
}

// places maps a place to the actions that are active together there: all those of a scope, or
// single ones. Within a place, a key has only one meaning.
var places = map[string][]string{
	"Lessons": {"global", "move", "select", "lessons", "curate"},
	"Recall":  {"global", "move", "recall", "curate.delete", "curate.edit"},
	"Audit":   {"global", "move", "audit", "curate.delete"},
	"Inbox": {
		"global", "move.up", "move.down", "move.top", "move.bottom", "move.half-down", "move.half-up", "move.page-down",
		"move.page-up",
		"inbox", "select.mark", "select.range", "select.extend-up", "select.extend-down",
	},
	"Home":       {"global", "move", "home"},
	"Sort menu":  {"sort", "global.abort", "global.suspend", "global.back"},
	"Dialogs":    {"dialog", "global.abort", "global.suspend", "global.reveal"},
	"Text boxes": {"text", "recall.editor", "global.abort", "global.suspend"},
}

// In returns the actions of a place: Home, Lessons, Recall, Audit, Inbox, Sort menu, Dialogs or
// Text boxes.
func (m Map) In(place string) []string {
	return slices.DeleteFunc(m.Names(), func(name string) bool {
		scope, _, _ := strings.Cut(name, ".")
		return !slices.Contains(places[place], scope) && !slices.Contains(places[place], name)
	})
}

// named maps keys that are not characters from their bound name to their displayed name.
var named = map[string]string{
	"enter": "Enter", "esc": "Esc", "tab": "Tab", "space": "space", "backspace": "Backspace", "delete": "Del",
	"insert": "Ins",
	"up":     "up", "down": "down", "left": "left", "right": "right", "home": "Home", "end": "End", "pgup": "PgUp",
	"pgdown": "PgDn",
	"f1":     "f1", "f2": "f2", "f3": "f3", "f4": "f4", "f5": "f5", "f6": "f6", "f7": "f7", "f8": "f8", "f9": "f9",
	"f10": "f10", "f11": "f11", "f12": "f12",
}

// KeyOf returns the name of a key as used in bindings: "ctrl+d" for ctrl-d, "pgdown" for PgDn.
func KeyOf(s string) (name string, ok bool) {
	mods, rest := modifiers(s)
	for bound, shown := range named {
		if strings.EqualFold(rest, bound) || strings.EqualFold(rest, shown) {
			return mods + bound, true
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case size == 0 || size != len(rest) || !unicode.IsPrint(r) || r == ' ' || r == utf8.RuneError:
		return s, false
	case mods == "":
		return rest, true
	}
	return mods + rest, !strings.Contains(mods, "shift") && !unicode.IsUpper(r) && r < utf8.RuneSelf
}

// modifiers returns the modifiers at the start of a key, as in "ctrl+", and the rest of it.
func modifiers(s string) (mods, rest string) {
	rest = s
	for _, mod := range []string{"ctrl", "alt", "shift"} {
		if len(rest) > len(mod)+1 && strings.EqualFold(rest[:len(mod)], mod) &&
			(rest[len(mod)] == '-' || rest[len(mod)] == '+') {
			mods, rest = mods+mod+"+", rest[len(mod)+1:]
		}
	}
	return mods, rest
}

// shown returns a key as shown in the help: "ctrl-d".
func shown(key string) string {
	mods, rest := "", key
	if i := strings.LastIndexByte(key[:max(len(key)-1, 0)], '+'); i > 0 {
		mods, rest = strings.ReplaceAll(key[:i+1], "+", "-"), key[i+1:]
	}
	if shown, ok := named[rest]; ok {
		rest = shown
	}
	return mods + rest
}

// ShownKeys returns all keys of a binding as shown in the help.
func ShownKeys(b Binding) string {
	var list []string
	for _, key := range b.Keys() {
		list = append(list, shown(key))
	}
	return strings.Join(list, " ")
}
