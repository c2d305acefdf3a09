package handbook

import (
	"strings"

	"winnow/core/jstext"
)

// The types that a memory can have. Anything else is a fact.
const (
	fact       = "fact"
	preference = "preference"
	decision   = "decision"
)

// note is what a file says. Strings are as JavaScript reads them.
type note struct {
	name, description, body string
	kind                    string // one of the three types
	typed                   bool   // it says so itself
}

// value is one line of a header that says something: "key: text".
type value struct {
	key, text  string
	start, end int // of the text in the file; where it is empty, behind the colon
	line       int // of the file, from 1
}

// framed is a file that has a header: between a first line "---" and the first line
// feed with "---" after it, whatever follows.
type framed struct {
	values []value // in order; of equal keys the last counts
	close  int     // offset of the line feed before the closing dashes
	body   int     // offset of the body, spaces included
	text   string
}

const (
	opening = "---\n"
	closing = "\n---"
)

// frame finds the header of a file. It is false for a file without one, which the agent
// passes over.
func frame(text string) (framed, bool) {
	if !strings.HasPrefix(text, opening) {
		return framed{}, false
	}
	i := strings.Index(text[len(opening):], closing)
	if i < 0 {
		return framed{}, false
	}
	f := framed{close: len(opening) + i, text: text}
	f.body = f.close + len(closing)
	if strings.HasPrefix(text[f.body:], "\n") {
		f.body++
	}
	at, line := len(opening), 2
	for raw := range strings.SplitSeq(text[at:f.close], "\n") {
		if v, ok := valueOf(raw); ok {
			v.start, v.end, v.line = v.start+at, v.end+at, line
			f.values = append(f.values, v)
		}
		at, line = at+len(raw)+1, line+1
	}
	return f, true
}

// valueOf reads a line of a header: small letters, a colon, and a text in which no line
// of JavaScript ends. Offsets are in the line.
func valueOf(line string) (value, bool) {
	trimmed := jstext.Trim(line)
	if trimmed == "" {
		return value{}, false
	}
	start := strings.Index(line, trimmed)
	key, rest, ok := strings.Cut(trimmed, ":")
	if !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {
		return value{}, false
	}
	text := jstext.Trim(rest)
	if strings.ContainsAny(text, lineEnds) {
		return value{}, false
	}
	v := value{key: key, text: text, end: start + len(trimmed)}
	v.start = v.end - len(text)
	return v, true
}

// lineEnds are the characters at which a line ends in JavaScript.
const lineEnds = "\n\r\u2028\u2029"

// last returns the value that counts for a key.
func (f framed) last(key string) (value, bool) {
	for i := len(f.values) - 1; i >= 0; i-- {
		if f.values[i].key == key {
			return f.values[i], true
		}
	}
	return value{}, false
}

// parse reads a file. It is false for what the agent passes over: a file without a
// header, or without a name or a description in it. The note then has what there is.
func parse(text string) (note, bool) {
	f, ok := frame(text)
	if !ok {
		return note{}, false
	}
	n := f.note()
	return n, n.name != "" && n.description != ""
}

// note returns what a file says that has a header.
func (f framed) note() note {
	name, _ := f.last("name")
	description, _ := f.last("description")
	kind, _ := f.last("type")
	n := note{name: name.text, description: description.text, kind: fact, body: jstext.Trim(f.text[f.body:])}
	if isKind(kind.text) {
		n.kind, n.typed = kind.text, true
	}
	return n
}

func isKind(text string) bool { return text == fact || text == preference || text == decision }

// text returns the file as the agent writes it. It does not look whether the values can
// be read back: a line break in one makes another file of it.
func (n note) text() string {
	return "---\nname: " + n.name + "\ndescription: " + n.description + "\ntype: " + n.kind + "\n---\n\n" + n.body + "\n"
}

// maxSlug is how many characters of a slug count.
const maxSlug = 64

// slug returns the name of the file for a name, without its ending: what is no small
// letter or digit becomes a dash. The cut comes last, so that it can end in one.
func slug(name string) string {
	words := strings.FieldsFunc(jstext.Lower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	all := strings.Join(words, "-")
	return all[:min(len(all), maxSlug)]
}
