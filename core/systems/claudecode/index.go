package claudecode

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"winnow/core/filestore"
)

// How much of a memory index is read: lines, and UTF-16 units.
const (
	maxIndexLines = 200
	maxIndexUnits = 25_000
)

// index is a memory index, as it is stored and as it is loaded.
type index struct {
	filestore.File
	lines []indexLine
	excerpt
	// made is set for one that Claude Code itself writes at the start of a session.
	made bool
}

// indexLine is a line of an index that names a file.
type indexLine struct {
	number int // from 1, in the file
	file   string
	text   string
	read   bool // it is within what is loaded
}

// link is a link of a line, [text](to) or [text](<to>), with no bracket in to.
var link = regexp.MustCompile(`\[[^\]]*\]\(<?([^()]+?)>?\)`)

// targets returns the targets of the links of a line, as they are written.
func targets(line string) (all []string) {
	for _, m := range link.FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	return all
}

// indexOf reads an index.
func indexOf(s filestore.File) index {
	x := index{File: s, excerpt: excerptOf(content(s.Text))}
	shown := counted(x.shown)
	n := 0
	for line := range strings.Lines(x.Text) {
		n++
		line = withoutEnd(line)
		read := shown[line] > 0
		shown[line]--
		for _, to := range targets(line) {
			if file := linked(to); file != "" {
				x.lines = append(x.lines, indexLine{n, file, line, read})
			}
		}
	}
	return x
}

func counted(text string) map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(text) {
		all[withoutEnd(line)]++
	}
	return all
}

// linked returns the file in the folder that a link names, with slashes, or nothing.
func linked(to string) string {
	to, _, _ = strings.Cut(strings.TrimSpace(to), "#")
	if strings.Contains(to, ":") || strings.HasPrefix(to, "/") || strings.HasPrefix(to, "~") {
		return ""
	}
	if plain, err := url.PathUnescape(to); err == nil {
		to = plain
	}
	to = path.Clean(to)
	if !strings.HasSuffix(to, ".md") || strings.HasPrefix(to, "..") || strings.ContainsRune(to, 0) {
		return ""
	}
	return to
}

// without removes the lines of an index that name only that file. A line that also names others
// stays.
func without(text, file string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !only(line, file) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// only reports whether a line names that file, and no other.
func only(line, file string) bool {
	return link.MatchString(line) && !slices.ContainsFunc(targets(line), func(to string) bool { return linked(to) != file })
}

// withLine adds a line for a file to an index, after the last line that names a file, or at the end.
func withLine(text, title, file, hook string) string {
	line := "- [" + bracketed.Replace(title) + "](" + escaped(file) + ")"
	if hook = strings.Join(strings.Fields(hook), " "); hook != "" {
		line += " — " + hook
	}
	return inserted(text, line, "")
}

// inserted adds a line to an index: after the first line that equals above, else after the last line
// that names a file, else at the end.
func inserted(text, line, above string) string {
	at, from := -1, 0
	for l := range strings.Lines(text) {
		from += len(l)
		found := above != "" && withoutEnd(l) == above
		if found || link.MatchString(l) {
			at = from
		}
		if found {
			break
		}
	}
	if at < 0 {
		at = len(text)
	}
	if end := newline(text); at > 0 && text[at-1] != '\n' {
		line = end + line
	} else {
		line += end
	}
	return text[:at] + line + text[at:]
}

// hookOf returns the description of a topic as it stands in an index.
func hookOf(topic string) string {
	h := headerOf(topic)
	return oneLine(h.text(topic, "description"))
}

// withHook replaces the description of a file in an index, in lines that name only that file. A line
// with other words stays.
func withHook(text, file, old, now string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		text := withoutEnd(line)
		if before, ends := strings.CutSuffix(text, " "+old); ends && only(text, file) {
			line = strings.TrimRight(before+" "+now, " ") + line[len(text):]
		}
		out.WriteString(line)
	}
	return out.String()
}

var bracketed = strings.NewReplacer("[", "(", "]", ")", "\n", " ", "\r", " ")

// escaped returns a file name as a link has it.
func escaped(file string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23").Replace(file)
}
