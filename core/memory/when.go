package memory

import (
	"fmt"
	"slices"
	"strings"
)

// When says at which moment a lesson is told to an agent. The zero value is WhenTask.
type When struct {
	Kind WhenKind
	// Text is the beginning of a command, a pattern of files, or a part of an error's text. It is empty for
	// WhenTask and WhenAlways.
	Text string
}

// WhenKind is a kind of moment.
type WhenKind string

// The kinds of moments.
const (
	WhenTask    WhenKind = ""        // with a prompt that asks for something like it
	WhenAlways  WhenKind = "always"  // at the start of every session
	WhenCommand WhenKind = "command" // before a command that begins like it
	WhenFile    WhenKind = "file"    // before a file that matches is read or written
	WhenError   WhenKind = "error"   // after a call failed with an error that holds the text
)

// WhenForms says what a moment can be, for a person who types one.
const WhenForms = "give one of: task, always, command: PREFIX, file: GLOB, error: TEXT"

// mostWhen is the longest text of a When, in bytes.
const mostWhen = 200

// ParseWhen returns the moment that a text names: "always", "task", "command: PREFIX", "file: GLOB" or
// "error: TEXT". An empty text is "task".
func ParseWhen(text string) (When, error) {
	name, rest, has := strings.Cut(strings.TrimSpace(text), ":")
	kind, rest := WhenKind(strings.ToLower(strings.TrimSpace(name))), strings.TrimSpace(rest)
	if kind == "task" {
		kind = WhenTask
	}
	takes := slices.Contains([]WhenKind{WhenCommand, WhenFile, WhenError}, kind)
	switch {
	case !takes && kind != WhenTask && kind != WhenAlways:
		return When{}, fmt.Errorf("when %q: it is none of always, task, command, file and error", text)
	case !takes && has:
		return When{}, fmt.Errorf("when %q: %s takes no text", text, name)
	case takes && rest == "":
		return When{}, fmt.Errorf("when %q: %s needs a text behind a colon", text, name)
	case len(rest) > mostWhen:
		return When{}, fmt.Errorf("when %.20q: its text has more than %d bytes", text, mostWhen)
	}
	return When{Kind: kind, Text: rest}, nil
}

// SameWhen returns the one spelling of a moment: "" for a task, and a text that names no moment as it is.
func SameWhen(text string) string {
	w, err := ParseWhen(text)
	switch {
	case err != nil:
		return text
	case w.Kind == WhenTask:
		return ""
	}
	return w.String()
}

// String returns the moment as ParseWhen takes it.
func (w When) String() string {
	switch w.Kind {
	case WhenTask:
		return "task"
	case WhenAlways:
		return "always"
	}
	return string(w.Kind) + ": " + w.Text
}
