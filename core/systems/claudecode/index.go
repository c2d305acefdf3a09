package claudecode

import (
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/system"
)

// The limits of what is loaded of a memory index: lines, and UTF-16 units.
const (
	maxIndexLines = 200
	maxIndexUnits = 25_000
)

// index is a memory index, as stored and as loaded.
type index struct {
	filestore.File
	lines []indexLine
	excerpt
	// made is set if Claude Code itself writes the index at the start of a session.
	made bool
}

// indexLine is a line of an index that names a file.
type indexLine struct {
	number int // from 1, in the file
	file   string
	text   string
	read   bool // it is within what is loaded
}

// link matches a link in a line, [text](to) or [text](<to>), with no bracket in to.
var link = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\]\(<?([^()]+?)>?\)`) })

// targets returns the targets of the links in a line, as written.
func targets(line string) (all []string) {
	for _, m := range link().FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	return all
}

// indexOf reads an index.
func indexOf(s filestore.File) index {
	x := index{File: s, excerpt: excerptOf(content(s.Text))}
	shown := countLines(x.shown)
	n := 0
	for line := range strings.Lines(x.Text) {
		n++
		line = withoutEnd(line)
		read := shown[line] > 0
		shown[line]--
		for _, to := range targets(line) {
			if file := linkedFile(to); file != "" {
				x.lines = append(x.lines, indexLine{n, file, line, read})
			}
		}
	}
	return x
}

func countLines(text string) map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(text) {
		all[withoutEnd(line)]++
	}
	return all
}

// linkedFile returns the file in the folder that a link names, with slashes, or "".
func linkedFile(to string) string {
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

// withoutFile removes the index lines that name only that file. A line that also names others stays.
func withoutFile(text, file string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !namesOnly(line, file) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// namesOnly reports whether a line names that file and no other.
func namesOnly(line, file string) bool {
	return link().MatchString(line) &&
		!slices.ContainsFunc(targets(line), func(to string) bool { return linkedFile(to) != file })
}

// withLine adds a line for a file to an index, after the last line that names a file, or at the end.
func withLine(text, title, file, hook string) string {
	line := "- [" + bracketed.Replace(title) + "](" + escaped(file) + ")"
	if hook = strings.Join(strings.Fields(hook), " "); hook != "" {
		line += dash + hook
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
		if found || link().MatchString(l) {
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

// hookOf returns the description of a topic as it appears in an index.
func hookOf(topic string) string {
	h := headerOf(topic)
	return oneLine(h.text("description"))
}

// withHook replaces the description of a file in an index, in lines that name only that file. A line
// with other words stays.
func withHook(text, file, old, now string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		text := withoutEnd(line)
		if before, ends := strings.CutSuffix(text, " "+old); ends && namesOnly(text, file) {
			line = strings.TrimRight(before+" "+now, " ") + line[len(text):]
		}
		out.WriteString(line)
	}
	return out.String()
}

var bracketed = strings.NewReplacer("[", "(", "]", ")", "\n", " ", "\r", " ")

// escaped returns a file name as written in a link.
func escaped(file string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23").Replace(file)
}

// indexEdit is what an edit did to the lines of an index, keyed by the file that they name.
type indexEdit struct {
	removed, added map[string]string
}

// editOf compares two states of an index. It returns false if they differ in any line that does not
// name exactly one file.
func editOf(base, mine string) (indexEdit, bool) {
	e := indexEdit{removed: map[string]string{}, added: map[string]string{}}
	before, after := countLines(base), countLines(mine)
	note := func(from, other map[string]int, into map[string]string) bool {
		for line, n := range from {
			if n <= other[line] {
				continue
			}
			file, ok := namedBy(line)
			if !ok || n > 1 || into[file] != "" {
				return false
			}
			into[file] = line
		}
		return true
	}
	ok := note(before, after, e.removed) && note(after, before, e.added)
	return e, ok && len(e.removed)+len(e.added) > 0
}

// namedBy returns the file that an index line names, if it names exactly one.
func namedBy(line string) (string, bool) {
	all := targets(line)
	if len(all) != 1 {
		return "", false
	}
	file := linkedFile(all[0])
	return file, file != ""
}

// settleIndex merges what an edit did to the lines of an index into another state of it. It returns
// false if the edit did anything else.
func settleIndex(base, mine, theirs string) (merged string, s system.Relation, ok bool) {
	e, ok := editOf(base, mine)
	if !ok {
		return "", 0, false
	}
	now := map[string]string{}
	for line := range strings.Lines(theirs) {
		if file, named := namedBy(line); named {
			now[file] = withoutEnd(line)
		}
	}
	merged = theirs
	for _, file := range slices.Concat(slices.Sorted(maps.Keys(e.removed)), slices.Sorted(maps.Keys(e.added))) {
		was, came, there := e.removed[file], e.added[file], now[file]
		switch {
		case there == came: // gone from both, or the same in both
		case was == "" && there != "": // another line names it by now, which is good enough
		case was == "":
			s, merged = max(s, system.Reverted), copyLine(merged, mine, came)
		case there == "":
			s = system.Diverged // they removed what the edit changed
		case came == "":
			s, merged = max(s, system.Reverted), withoutFile(merged, file)
		case there == was:
			s, merged = max(s, system.Reverted), strings.Replace(merged, was, came, 1)
		default:
			s, merged = system.Diverged, strings.Replace(merged, there, came, 1)
		}
	}
	return merged, s, true
}

// copyLine copies a line from one state of an index into another: after the line above it there, or
// else after the last line that names a file.
func copyLine(text, from, line string) string {
	above := ""
	for l := range strings.Lines(from) {
		if l = withoutEnd(l); l == line {
			break
		}
		if strings.TrimSpace(l) != "" {
			above = l
		}
	}
	return inserted(text, line, above)
}
