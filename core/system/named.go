package system

import (
	"bytes"
	"strings"

	"winnow/core/memory"
)

// Named returns a function that reports whether a path ends as one of the patterns
// says. The elements of a pattern are parted by /. In an element, * stands for any
// characters; the element ** stands for any number of elements, also none. A pattern
// begins at the beginning of an element, wherever in the path that is. Letters must
// agree in case.
func Named(patterns ...string) func(path string) bool {
	split := make([][]string, len(patterns))
	ends := make([]string, len(patterns))  // what a path must end in to be worth a look
	holds := make([]string, len(patterns)) // and what must be in it
	for i, p := range patterns {
		split[i] = strings.Split(p, "/")
		ends[i] = strings.TrimPrefix(p[strings.LastIndexByte(p, '*')+1:], "/")
		for part := range strings.SplitSeq(p, "*") {
			if part = strings.Trim(part, "/"); len(part) > len(holds[i]) {
				holds[i] = part
			}
		}
	}
	return func(path string) bool {
		for i, s := range split {
			if strings.HasSuffix(path, ends[i]) && strings.Contains(path, holds[i]) && endsAs(path, s) {
				return true
			}
		}
		return false
	}
}

// endsAs reports whether the last elements of a path are as the pattern says. Where
// they are not, the last ** takes one element more; so it takes time by the length of
// the path, however often ** is there.
func endsAs(path string, pattern []string) bool {
	again, from := -1, ""
	for k := len(pattern) - 1; k >= 0; {
		if pattern[k] == "**" {
			again, from = k, path
			k--
			continue
		}
		if rest, element := parted(path); path != "" && like(element, pattern[k]) {
			path = rest
			k--
			continue
		}
		if again < 0 || from == "" {
			return false
		}
		from, _ = parted(from)
		path, k = from, again-1
	}
	return true
}

// parted returns the last element of a path, and what is before it.
func parted(path string) (rest, element string) {
	slash := strings.LastIndexByte(path, '/')
	return path[:max(0, slash)], path[slash+1:]
}

// like reports whether an element is as the pattern says.
func like(element, pattern string) bool {
	begin, rest, star := strings.Cut(pattern, "*")
	if !star {
		return element == pattern
	}
	element, ok := strings.CutPrefix(element, begin)
	for ok {
		next, more, again := strings.Cut(rest, "*")
		if !again {
			return strings.HasSuffix(element, next)
		}
		_, element, ok = strings.Cut(element, next)
		rest = more
	}
	return false
}

// Framed returns a function for Form.Land: the body of a file between two texts, as
// the product frames it for its model. Ends are those of [memory.Landed].
func Framed(name, before, after string, ends ...string) func(*memory.Record) memory.Landed {
	return func(r *memory.Record) memory.Landed {
		start := len(before)
		return memory.Landed{
			Name: name, Text: before + r.Body + after, Ends: ends, Prose: true,
			Parts: []memory.LandedPart{{Field: "body", Start: start, End: start + len(r.Body)}},
		}
	}
}

// ObjectWith returns a function for Form.Looks: it reports whether one of the lines
// that a file begins with is a JSON object with all the keys, as far as its text shows
// that. The last line of head may be cut.
func ObjectWith(keys ...string) func(head []byte) bool {
	quoted := make([][]byte, len(keys))
	for i, k := range keys {
		quoted[i] = []byte(`"` + k + `"`)
	}
	return func(head []byte) bool {
		for line := range bytes.Lines(head) {
			line = bytes.TrimLeft(line, "\ufeff \t\r\n")
			if len(line) > 0 && line[0] == '{' && holdsAll(line, quoted) {
				return true
			}
		}
		return false
	}
}

func holdsAll(line []byte, texts [][]byte) bool {
	for _, t := range texts {
		if !bytes.Contains(line, t) {
			return false
		}
	}
	return true
}

// Pages reports whether a file begins as a database of SQLite does, or the log of what
// was written to it last. The numbers are of https://sqlite.org/fileformat2.html.
func Pages(head []byte) bool {
	for _, magic := range [...]string{"SQLite format 3\x00", "\x37\x7f\x06\x82", "\x37\x7f\x06\x83"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}
