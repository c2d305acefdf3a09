package tui_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/tuitest"
)

// TestEachActionOfAPlaceIsReachedByItsName in plain mode: on each page, and in dialogs that have keys.
func TestEachActionOfAPlaceIsReachedByItsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		km := keymap.Default()
		app, _ := wholeProgram(t, km, func(*tui.Config) {})
		d := tuitest.New(t, app, 120, 40)
		d.Advance(time.Second)
		reaches := func(place string, b keymap.Binding) {
			got, ok := app.Named(b.Help().Desc)
			if !ok || !slices.Equal(got.Keys(), b.Keys()) {
				t.Errorf("%s: %q presses %v, not %v", place, b.Help().Desc, got.Keys(), b.Keys())
			}
		}
		reached := 0
		for i, title := range []string{"Lessons", "Recall", "Audit", "Inbox", "Stores"} {
			for _, c := range app.CommandsOf(i) {
				if c.Off == "" {
					reached++
					reaches(title, c.Binding)
				}
			}
		}
		app.CommandsOf(3)
		if b, ok := app.Named("undo"); !ok || !slices.Equal(b.Keys(), km.Global.Undo.Keys()) {
			t.Error("undo is not understood in the inbox, where its toast says so")
		}
		app.CommandsOf(0)
		if b, ok := app.Named("extend range"); ok {
			t.Errorf("the beginning of two names is taken for %s", b.Help().Desc)
		}
		if reached < 150 {
			t.Errorf("only %d actions", reached)
		}
		for key, page := range map[string]string{"P": "1", "U": "1", "W": "1", "H": "1"} {
			d.Press(page, key)
			if !app.Covered() {
				t.Errorf("%s opens no dialog:\n%s", key, d.Screen())
			}
			for _, b := range app.Hints() {
				if !slices.Equal(b.Keys(), km.Dialog.Press.Keys()) { // which is called as the button is
					reaches("dialog of "+key, b)
				}
			}
			for app.Covered() {
				d.Press("esc")
			}
		}
	})
}

// typed are the lines that a person types, and what they read.
type typed struct {
	lines []string
	read  strings.Builder
}

func (l *typed) Write(text string) error {
	l.read.WriteString(text)
	return nil
}

func (l *typed) Read() (string, error) {
	if len(l.lines) == 0 {
		return "", io.EOF
	}
	line := l.lines[0]
	l.lines = l.lines[1:]
	return line, nil
}

// TestEachFieldOfAFormIsReachedByALine in plain mode.
func TestEachFieldOfAFormIsReachedByALine(t *testing.T) {
	for name, form := range map[string]struct {
		lines []string
		done  func(*fakes) int
	}{
		"edit": {
			[]string{"1", "edit", "Another title", "Another text", "outcome", "save"},
			func(d *fakes) int { return len(d.Applied()) },
		},
		"ignore": {
			[]string{"audit", "1", "ignore", "it is a sample", "30d", "ignore it"},
			func(d *fakes) int { return len(d.Ignored()) },
		},
		"report": {
			[]string{"audit", "report", "out/x.json", "form", "write it"},
			func(d *fakes) int { return len(d.Reports()) },
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			app, desk := wholeProgram(t, keymap.Default(), func(*tui.Config) {})
			in := &typed{lines: form.lines}
			d := tuitest.New(t, tui.NewPlain(app, in, 100), 100, 40)
			d.Advance(time.Minute)
			if !d.Quit() || form.done(desk) != 1 {
				t.Errorf("%s: done %d times; read:\n%s", name, form.done(desk), in.read.String())
			}
		})
	}
}
