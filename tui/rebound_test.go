package tui_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/tuitest"
)

// reboundMap returns a map in which every action has one key, none of them usual: letters of another
// script, and alt with a letter where letters are text.
func reboundMap(t *testing.T) keymap.Map {
	keys := map[string][]string{}
	for i, name := range keymap.Default().Names() {
		switch key := string(rune('Ѐ' + i)); {
		case name == "global.screens" || name == "dialog.digit":
		case strings.HasPrefix(name, "text.") || name == "recall.editor" || name == "global.abort" ||
			name == "global.suspend":
			keys[name] = []string{fmt.Sprintf("alt-%c", 'a'+len(keys)%26)}
		default:
			keys[name] = []string{key}
		}
	}
	alt := 'a' // no two of them are the same
	for _, name := range keymap.Default().Names() {
		if list := keys[name]; list != nil && strings.HasPrefix(list[0], "alt-") {
			list[0] = fmt.Sprintf("alt-%c", alt)
			alt++
		}
	}
	km, refused := keymap.Default().With(keys)
	if refused != nil {
		t.Fatal(refused)
	}
	return km
}

// seen is what a walk through all screens comes to: each screen with the keys that led to it, and
// the bindings that dialogs name.
type seen struct {
	screens map[string]string
	covered map[string]bool // by a dialog
	hinted  map[string]bool
}

func isLong() bool { return os.Getenv("WINNOW_LONG") != "" }

// walk opens each page, presses each key of it and of the root, and with WINNOW_LONG set then each that a
// dialog names.
func walk(t *testing.T, km keymap.Map, w, h int) seen {
	s := seen{map[string]string{}, map[string]bool{}, map[string]bool{}}
	actions := km.Actions()
	key := func(name string) string { return actions[name].Keys()[0] }
	ends := []string{key("global.quit"), key("global.abort"), key("global.suspend")}
	start := func(set func(*fakes), keys ...string) (*tui.App, string) {
		app, desk := wholeProgram(t, km, func(*tui.Config) {})
		set(desk)
		d := tuitest.New(t, app, w, h)
		d.Advance(time.Second)
		for _, key := range keys {
			d.Press(key)
			d.Advance(time.Second)
		}
		path := strings.Join(keys, " ")
		s.screens[path], s.covered[path] = d.Screen(), app.Covered()
		return app, path
	}
	inDialog := func(set func(*fakes), keys ...string) {
		app, path := start(set, keys...)
		if !s.covered[path] {
			return
		}
		for _, b := range app.Hints() {
			for _, key := range b.Keys() {
				s.hinted[key] = true
			}
			if isLong() {
				start(set, append(slices.Clone(keys), b.Keys()[0])...)
			}
		}
	}
	usual := func(*fakes) {}
	for screen := range 5 {
		page := fmt.Sprint(screen + 1)
		app, _ := start(usual, page)
		for _, c := range app.CommandsOf(screen) {
			if key := c.Binding.Keys()[0]; !slices.Contains(ends, key) {
				inDialog(usual, page, key)
			}
		}
	}
	inDialog(usual, "1", key("curate.delete"), key("global.history"))
	undone := memory.Undone{Kind: memory.CameBack, ID: "id1", Theirs: "{}", Record: wholeRecords()[0]}
	inDialog(
		func(d *fakes) { d.Change(func(s *memory.Snapshot) { s.Undone = []memory.Undone{undone} }) },
		"1",
		key("global.guard"),
	)
	inDialog(func(d *fakes) {
		d.ApplyErr = memory.ErrConflict
		d.Refused = memory.Result{Changes: []memory.Applied{{ID: "id1", Fate: memory.Refused, Theirs: "{}"}}}
	}, "1", key("curate.delete"))
	return s
}

// named finds what looks like the name of a usual key before what it does, signs what only looks so: the
// letters of flags and outcomes, boxes that are ticked, the signs of the palette, and what a dialog cuts.
var (
	named = regexp.MustCompile(
		`(?:^|[ (\[│,;])(Enter|Esc|Tab|PgDn|PgUp|alt-Enter|(?:ctrl|shift)-[A-Za-z]+|[b-zA-Z?/'\\#<])(?:  ?[a-z]|\)|\]|:|, [a-z])`,
	)
	signs = regexp.MustCompile(
		`\(o\)|\[x\]|[0-9] B|' views|x marked|\? neither|A relative|\b[A-Z] +(secret?|injection|hidden|private|redaction|file|failed|succeeded|` +
			`similar|contradicts|never|damaged|halts|gone|new|says|pinned):?`,
	)
	cuts = regexp.MustCompile(`│[^ \n]+`)
)

// TestNoUsualKeyIsNamedWhereAllKeysAreOthers on any screen or dialog, and each action of dialogs is named by one.
func TestNoUsualKeyIsNamedWhereAllKeysAreOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		km := reboundMap(t)
		s := walk(t, km, 130, 45)
		for path, screen := range s.screens {
			screen = signs.ReplaceAllString(screen, "")
			if s.covered[path] {
				screen = cuts.ReplaceAllString(screen, "│")
			}
			for line := range strings.Lines(screen) {
				if found := named.FindAllString(line, -1); found != nil {
					t.Errorf("%s: %q in %q", path, found, strings.TrimSpace(line))
				}
			}
		}
		if n := len(s.screens); n < 100 || n < 400 && isLong() {
			t.Errorf("only %d screens", len(s.screens))
		}
		// beside those that are named
		moves := []string{
			"dialog.top",
			"dialog.bottom",
			"dialog.more",
			"dialog.less",
			"dialog.page-down",
			"dialog.page-up",
			"dialog.up",
			"dialog.focus-back",
		}
		// the tests of dialogs have them
		rare := []string{"dialog.both", "dialog.overrule", "dialog.restore", "dialog.restore-one"}
		for name, b := range km.Actions() {
			if strings.HasPrefix(name, "dialog.") && !slices.Contains(append(moves, rare...), name) &&
				!s.hinted[b.Keys()[0]] {
				t.Errorf("no dialog names %s (%s)", name, b.Help().Key)
			}
		}
	})
}
