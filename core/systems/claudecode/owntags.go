package claudecode

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"winnow/core/jstext"
)

// ownTags are the tags that mark Claude Code's own words in a request. A hyphen also matches an
// underscore.
const ownTags = "agent-message|bash-exit-code|bash-input|bash-stderr|bash-stdout|command-args|command-message|command-name|" +
	"cross-session-message|function-results|local-command-caveat|local-command-stderr|local-command-stdout|persisted-output|" +
	"remote-review|system-reminder|task-notification|teammate-message|tick|tool-use-error|total-tokens|user-prompt-submit-hook"

// ownTag matches such a tag at the start of a text, with anything that is allowed between its
// bracket and its name.
var ownTag = sync.OnceValue(func() *regexp.Regexp {
	names := strings.ReplaceAll(ownTags, "-", "[-_]")
	return regexp.MustCompile(`(?i)^<(?:[^\\<>\w-][^<>\w-]*)?(?:antml:|(?:` + names + `)(?:[^\w-]|$))`)
})

// withTagsEscaped returns a text as Claude Code puts a memory index, or a file that comes along
// with another, into a prompt: with a backslash after the bracket of each of its own tags, so that
// the text cannot end its block or imitate another. Claude Code does the same to letters that only
// look like those of the tags; this function does not. Requests of 2.1.330 and 2.1.332 showed it.
// Instructions at the start are not escaped.
func withTagsEscaped(text string) string {
	var b strings.Builder
	for {
		head, tail, found := strings.Cut(text, "<")
		b.WriteString(head)
		if !found {
			return b.String()
		}
		b.WriteByte('<')
		if ownTag().MatchString(text[len(head):]) {
			b.WriteByte('\\')
		}
		text = tail
	}
}

// asMemory returns the text of a memory index as it is put into a prompt, once it is cut.
func asMemory(text string) string { return withTagsEscaped(visible(text)) }

// visible returns a text with LF for every other line end, and without characters that cannot be seen.
// Requests of 2.1.332 showed both. Claude Code also leaves out those that Unicode does not define yet,
// which depends on its version and is not done here.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\u2028', '\u2029':
			return '\n'
		case '\t', '\n', '\u200c', '\u200d', '\ufe0e', '\ufe0f':
			return r
		}
		if unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, text)
}

// maxWithFile is the number of UTF-16 units that a session gets of a file that comes along with one
// it reads.
const maxWithFile = 150_000

// comesWithFile returns the text of the file at path as it comes along with a file that is read,
// before escaping. A text over the limit is trimmed and cut, and the model is told how to read the
// rest.
func comesWithFile(path, content string) string {
	trimmed := jstext.Trim(content)
	if jstext.Len(trimmed) <= maxWithFile {
		return content
	}
	head, whole := headOf(trimmed, maxWithFile)
	next := 1
	if whole {
		next = strings.Count(head, "\n") + 2
	}
	return head + fmt.Sprintf(
		"\n\n> Only the start of this file is shown. For the rest, call Read on %s with offset=%d and a limit.",
		path,
		next,
	)
}

// headOf returns the start of a text that is longer than most UTF-16 units: the whole lines that
// fit, or as much of the first line as fits.
func headOf(text string, most int) (head string, whole bool) {
	head = strings.ToValidUTF8(jstext.Slice(text, most), "")
	if end := strings.LastIndexByte(text[:min(len(head)+1, len(text))], '\n'); end > 0 {
		return text[:end], true
	}
	return head, false
}
