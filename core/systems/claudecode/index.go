package claudecode

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What is read of a memory index: lines, and UTF-16 units.
const (
	maxIndexLines = 200
	maxIndexUnits = 25_000
)

// index is a memory index, as it is stored and as it is loaded.
type index struct {
	stored
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

// targets returns where the links of a line lead to, as it is written.
func targets(line string) (all []string) {
	for _, m := range link.FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	return all
}

// indexOf reads an index.
func indexOf(s stored) index {
	x := index{stored: s, excerpt: excerptOf(content(s.text))}
	shown := counted(x.shown)
	n := 0
	for line := range strings.Lines(x.text) {
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

// linked returns the file of the folder that a link names, with slashes; nothing for a
// link to another place.
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

// without returns the text of an index without the lines that name only that file. A line
// that names others too stays.
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

// withLine returns the text of an index with a line for a file, behind the last line
// that names one, and else at the end.
func withLine(text, title, file, hook string) string {
	line := "- [" + bracketed.Replace(title) + "](" + escaped(file) + ")"
	if hook = strings.Join(strings.Fields(hook), " "); hook != "" {
		line += " — " + hook
	}
	return inserted(text, line, "")
}

// inserted returns the text of an index with another line: behind the first line that is
// above, or else behind the last line that names a file, or else at the end.
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

// hookOf returns the description of a topic as a line of an index has it.
func hookOf(topic string) string {
	h := headerOf(topic)
	return oneLine(h.text(topic, "description"))
}

// withHook returns the text of an index in which the lines that name only a file end in
// another hook. A line that says something else of the file stays.
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
