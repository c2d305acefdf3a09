// Package trigger says which calls of an agent's tools bring up a lesson, by the moment that the lesson names. It is
// pure: it reads nothing, and knows no lesson.
package trigger

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"winnow/core/memory"
)

// Call is one call of a tool, as far as a moment can mean it.
type Call struct {
	Commands [][]string // of a shell line, as [Commands] returns them
	Files    []string   // of a tool for files: paths in the project, with slashes
	// Error is what a call that failed printed; empty for one that did not fail or was not made yet.
	Error string
}

const (
	fewestLetters = 3 // of a command
	fewestInGlob  = 2
	fewestInError = 4
	// mostAnyFolders is how often a pattern may have **, because each multiplies the ways to match.
	mostAnyFolders = 3
)

// everywhere are programs that nearly every session calls, whatever it does: alone they mean nothing.
var everywhere = strings.Fields(
	"awk bash cat cd chmod command cp curl cut date diff dirname do done echo else env eval exec exit export false " +
		"fi find for git grep head if kill less ls man mkdir mv nice nohup printf ps pwd read rg rm sed set sh sleep " +
		"sort source sudo tail tee test then time touch tr true type uniq wc which while xargs zsh",
)

// anyError are words that nearly every error holds.
var anyError = strings.Fields(
	"code command error errors exception exit exited fail failed failure fatal found not status the trace traceback " +
		"warning",
)

// Check returns an error that says why nothing may be told at a moment: because it would be told nearly always, or
// because nothing can mean it. It is nil for a moment that names no call.
func Check(w memory.When) error {
	switch w.Kind {
	case memory.WhenCommand:
		return checkCommand(w)
	case memory.WhenFile:
		outside := strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~")
		if outside || strings.Contains("/"+w.Text+"/", "/../") {
			return fmt.Errorf("when %q: files are named from the project's folder", w)
		}
		if _, err := path.Match(w.Text, ""); err != nil || strings.Count(w.Text, "**") > mostAnyFolders {
			return fmt.Errorf("when %q: it is no pattern of files", w)
		}
		if letters(w.Text) < fewestInGlob {
			return fmt.Errorf("when %q: it matches nearly every file", w)
		}
	case memory.WhenError:
		says := func(word string) bool {
			letter := strings.ContainsFunc(word, unicode.IsLetter)
			return letter && len(word) >= fewestLetters && !slices.Contains(anyError, word)
		}
		words := strings.FieldsFunc(strings.ToLower(w.Text), func(r rune) bool { return !isLetter(r) })
		if letters(w.Text) < fewestInError || !slices.ContainsFunc(words, says) {
			return fmt.Errorf("when %q: nearly every error says that", w)
		}
	}
	return nil
}

func checkCommand(w memory.When) error {
	commands := Commands(w.Text)
	if len(commands) != 1 {
		return fmt.Errorf("when %q: it wants the beginning of one command", w)
	}
	words := bare(commands[0])
	named := 0
	for _, word := range words {
		if !strings.HasPrefix(word, "-") {
			named += letters(word)
		}
	}
	says := func(word string) bool { return letters(word) > 0 }
	lone := len(words) > 0 && slices.Contains(everywhere, path.Base(words[0])) && !slices.ContainsFunc(words[1:], says)
	if named < fewestLetters || lone {
		return fmt.Errorf("when %q: nearly every session runs that; name more of the command", w)
	}
	return nil
}

// isLetter reports whether a character says something: a letter or a digit.
func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// letters returns the number of letters and digits in a text.
func letters(text string) (n int) {
	for _, r := range text {
		if isLetter(r) {
			n++
		}
	}
	return n
}

// Matches reports whether a call is one that a moment means: one of its commands begins with the words of the
// prefix, one of its files matches the pattern, or it failed with an error that holds the text, whatever its case
// and spacing. A moment that [Check] refuses means no call.
func Matches(w memory.When, c *Call) bool {
	if Check(w) != nil {
		return false
	}
	switch w.Kind {
	case memory.WhenCommand:
		prefix := bare(Commands(w.Text)[0])
		return slices.ContainsFunc(c.Commands, func(words []string) bool { return begins(words, prefix) })
	case memory.WhenFile:
		return slices.ContainsFunc(c.Files, func(file string) bool { return globMatches(w.Text, file) })
	case memory.WhenError:
		return strings.Contains(spaced(c.Error), spaced(w.Text))
	}
	return false
}

func spaced(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// wrappers are words before a program that run it.
var wrappers = strings.Fields("! builtin command do doas else env exec if nice nohup sudo then time until while")

// bare returns the words of a command without what comes before its program: variables, sudo and the like with
// their options.
func bare(words []string) []string {
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, _, assigns := strings.Cut(w, "=")
		switch {
		case assigns && isName(name):
		case slices.Contains(wrappers, w):
			for i+1 < len(words) && strings.HasPrefix(words[i+1], "-") {
				i++
			}
		default:
			return words[i:]
		}
	}
	return nil
}

func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !isLetter(r) })
}

// begins reports whether a command begins with the words of a prefix, itself or behind what runs it. A program of
// the prefix without a folder is meant in any folder.
func begins(words, prefix []string) bool {
	program := bare(words)
	if is(words, prefix) || is(program, prefix) {
		return true
	}
	before := words[:len(words)-len(program)]
	option := len(before) > 0 && strings.HasPrefix(before[len(before)-1], "-")
	return option && len(program) > 1 && is(bare(program[1:]), prefix) // the option has a value: sudo -u ada
}

// is reports whether a command begins with exactly the words of a prefix.
func is(words, prefix []string) bool {
	if len(words) < len(prefix) {
		return false
	}
	first := words[0]
	if !strings.Contains(prefix[0], "/") {
		first = path.Base(first)
	}
	return first == prefix[0] && slices.Equal(words[1:len(prefix)], prefix[1:])
}

// globMatches reports whether a pattern matches a path in the project: ** is any number of folders, and a pattern
// without a slash matches a name in any folder.
func globMatches(pattern, file string) bool {
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	return elementsMatch(strings.Split(strings.TrimPrefix(pattern, "./"), "/"), strings.Split(file, "/"))
}

func elementsMatch(pattern, file []string) bool {
	for i, p := range pattern {
		if p == "**" {
			rest := pattern[i+1:]
			for len(rest) > 0 && rest[0] == "**" {
				rest = rest[1:]
			}
			for n := i; n <= len(file); n++ {
				if elementsMatch(rest, file[n:]) {
					return true
				}
			}
			return false
		}
		if i >= len(file) {
			return false
		}
		if ok, _ := path.Match(p, file[i]); !ok { // Check refuses a pattern that is none
			return false
		}
	}
	return len(pattern) == len(file)
}
