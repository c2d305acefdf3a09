package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// judged is what was found in one line, apart from where the line stands.
type judged struct {
	finds   []find
	private []hit
	unsound bool // the line is no JSON as far as this package can tell
	// record is what placing a find asks of the record, when there are finds; nil
	// otherwise. It shares no memory with the line.
	record *memory.Record
}

// find is a finding without what its document and its record say of it. Its column,
// from 0, and its offset are in the line, and so is its line, from 0.
type find struct {
	memory.Finding
	at  int  // which of the line's fields it is in
	cut bool // it stands past what a prompt gets
}

// hit is one place of private data in a line.
type hit struct {
	rule       string
	start, end int
	digest     uint16
}

// kind is how the lines of a document are judged.
type kind struct {
	form  *system.Form // nil for text
	ends  []string     // what ends the block that its texts land in
	first string       // what such an end, or a tag, begins with
	prose bool         // what lands has lines of its own
}

// kindOf asks a form what ends its block.
func kindOf(form *system.Form) kind {
	k := kind{form: form}
	if form == nil || form.Land == nil {
		return k
	}
	l := form.Land(&memory.Record{Title: "a", Body: "b", Outcome: memory.Failed})
	k.prose, k.first = l.Prose, "<"
	for _, e := range l.Ends {
		if e = strings.TrimSpace(e); e != "" {
			k.ends = append(k.ends, e)
			k.first += strings.ToUpper(e[:1]) + strings.ToLower(e[:1])
		}
	}
	return k
}

// breaks reports whether a text may hold what ends the block.
func (k *kind) breaks(text string) bool { return anyOf(text, k.ends...) }

// mayEnd is false for most texts with lines of their own that do not break out of the
// block: they hold no tag, and nothing that an end begins with or that looks like it.
func (k *kind) mayEnd(text string) bool {
	foreign := func(r rune) bool { return r >= utf8.RuneSelf }
	return !k.prose || strings.ContainsAny(text, k.first) || strings.ContainsFunc(text, foreign)
}

// line judges a line of JSON, or one that should be. Most lines have nothing to find,
// and are not taken apart. decoded returns the record in it, or nil.
//
// A line without a copy of a known secret is judged by the rules alone, once.
func (j *Judge) line(k *kind, line string, decoded func() *memory.Record) *judged {
	if copies := j.values.Copies(line); len(copies) > 0 {
		secrets, odd := detect.LookInLine(line)
		return j.judged(k, line, detect.WithCopies(secrets, copies), odd, decoded)
	}
	return j.known.line(k, line, func() *judged {
		secrets, odd := detect.LookInLine(line)
		return j.judged(k, line, secrets, odd, decoded)
	})
}

// judged judges a line of which the secrets are known. odd is false when Flags finds nothing
// in its source.
func (j *Judge) judged(k *kind, line string, secrets []detect.Span, odd bool, decoded func() *memory.Record) *judged {
	ok := sound(line)
	escaped := strings.IndexByte(line, '\\') >= 0
	marked := strings.Contains(line, detect.Redacted)
	shaped := k.form.Land != nil && (escaped || mayBreak(line) || k.breaks(line))
	private := hitsIn(line, secrets)
	if ok && len(secrets) == 0 && len(private) == 0 && !odd && !marked && !shaped {
		return clean
	}
	out := &judged{unsound: !ok, private: private}
	if len(secrets) > 0 || odd || marked || shaped {
		w := walk{judge: j, kind: k, line: line, secrets: secrets, odd: odd, marked: marked, shaped: shaped}
		w.run(ok)
		if shaped || len(w.finds) > 0 {
			w.lands(decoded())
		}
		if out.finds = w.finds; len(out.finds) > 0 {
			out.record = outline(decoded())
		}
	}
	return out
}

// outline returns what placing a find asks of a record.
func outline(r *memory.Record) *memory.Record {
	if r == nil {
		return nil
	}
	out := &memory.Record{ID: nameOf(r), Line: r.Line, Created: r.Created, Used: r.Used, Count: r.Count, Flags: r.Flags, Problem: r.Problem}
	out.Created.Text, out.Used.Text = strings.Clone(r.Created.Text), strings.Clone(r.Used.Text)
	out.Count.Odd = strings.Clone(r.Count.Odd)
	if r.Problem != nil {
		out.Problem = &memory.Problem{}
	}
	return out
}

// mayBreak is false for most lines in which no string breaks out of a block: that takes
// a line break, or a tag.
func mayBreak(line string) bool {
	return strings.IndexByte(line, '\\') >= 0 || strings.IndexByte(line, '<') >= 0 || strings.Contains(line, "\xe2\x80")
}

// hitsIn returns the private data in a text that is no part of a secret.
func hitsIn(text string, secrets []detect.Span) (out []hit) {
	for _, t := range detect.PII(text) {
		for len(secrets) > 0 && secrets[0].End <= t.Start {
			secrets = secrets[1:]
		}
		if len(secrets) == 0 || secrets[0].Start >= t.End {
			h := hit{rule: t.Rule, start: t.Start, end: t.End}
			if h.rule != detect.RuleSession { // whose finding is not named after them
				h.digest = digest(text[t.Start:t.End])
			}
			out = append(out, h)
		}
	}
	return out
}

// walk takes a line apart.
type walk struct {
	judge   *Judge
	kind    *kind
	line    string
	secrets []detect.Span // bytes of the line
	// What the line holds, so that its strings are asked for it: what may be
	// flagged, marks of a redaction, what may break out of a block.
	odd, marked, shaped bool

	fields []field
	finds  []find
	own    [][2]int // places that the product itself wrote; nil until it was asked
}

// field is a string of the line.
type field struct {
	passage
	token
	top    bool // a value of the line's own object
	source detect.Unescaped
	spans  []detect.Span // whole finds; the passage's secrets have parts of others too
}

func (w *walk) run(sound bool) {
	if !sound {
		w.whole(w.secrets, w.odd)
		return
	}
	left := w.secrets // that can be in this string or a later one
	tokens(w.line, func(t token) {
		for len(left) > 0 && left[0].End <= t.start {
			left = left[1:]
		}
		raw := w.line[t.start:t.end]
		var odd []memory.Trace
		if w.odd {
			text := detect.Unescape(raw)
			odd = w.foreign(t, &text, detect.Flags(text.String()))
		}
		if len(odd) > 0 || w.wants(t, raw, left) {
			f := w.fieldOf(t, left)
			w.field(f, odd)
			w.fields = append(w.fields, *f)
		}
	})
	if loose := outside(w.secrets, w.fields); len(loose) > 0 {
		w.whole(loose, false)
	}
}

// foreign returns what was flagged in a string without what the product itself
// wrote there.
func (w *walk) foreign(t token, text *detect.Unescaped, odd []memory.Trace) []memory.Trace {
	if len(odd) == 0 || w.kind.form.Own == nil {
		return odd
	}
	if w.own == nil {
		w.own = append([][2]int{}, w.kind.form.Own(w.line)...)
	}
	return slices.DeleteFunc(odd, func(o memory.Trace) bool {
		at := t.start + text.Source(o.Start)
		return slices.ContainsFunc(w.own, func(p [2]int) bool { return p[0] <= at && at < p[1] })
	})
}

// wants reports whether a string may hold something else than what is flagged.
// left begins with the first secret that can be in it.
func (w *walk) wants(t token, raw string, left []detect.Span) bool {
	return len(left) > 0 && left[0].Start < t.end ||
		w.shaped && (mayBreak(raw) || w.kind.breaks(raw)) ||
		w.marked && strings.Contains(raw, detect.Redacted)
}

// fieldOf returns the string that a token is.
func (w *walk) fieldOf(t token, left []detect.Span) *field {
	f := &field{token: t, top: !t.key && !strings.Contains(t.path, ".")}
	f.source = detect.Unescape(w.line[t.start:t.end])
	f.text = f.source.String()
	f.passage.field = fieldName(t.path)
	f.take(left, w.line)
	return f
}

// fieldName returns the name that a finding has for the keys above a place. It shares no
// memory with the line.
func fieldName(path string) string {
	if len(detect.Secrets(path)) > 0 {
		return ""
	}
	return strings.Clone(path)
}

// take notes the secrets of a line that are in the field, in its text.
func (f *field) take(secrets []detect.Span, line string) {
	for _, s := range secrets {
		if s.Start >= f.end {
			return
		}
		in := detect.Span{
			Start: f.source.Text(max(s.Start, f.start)-f.start, false),
			End:   f.source.Text(min(s.End, f.end)-f.start, true), Rule: s.Rule,
		}
		if in.End <= in.Start {
			continue
		}
		f.secrets = append(f.secrets, in)
		if f.holds(s, line) {
			f.spans = append(f.spans, in)
		}
	}
}

// holds reports whether a secret that may reach over several strings belongs to this
// one: to that in which it ends.
func (f *field) holds(s detect.Span, line string) bool {
	last := s.End
	for last > s.Start && last > f.end && strings.IndexByte(`"]}:, `, line[last-1]) >= 0 {
		last--
	}
	return last > f.start && last <= f.end || s.End <= f.end
}

// outside returns the secrets that belong to no string: those in numbers.
func outside(secrets []detect.Span, fields []field) (out []detect.Span) {
	for _, s := range secrets {
		for len(fields) > 0 && fields[0].end <= s.Start {
			fields = fields[1:]
		}
		if len(fields) == 0 || fields[0].start >= s.End {
			out = append(out, s)
		}
	}
	return out
}

// field notes what is found in a string of the line; odd is what is flagged.
func (w *walk) field(f *field, odd []memory.Trace) {
	found := append(traces(f.spans), odd...)
	w.add(f, len(w.fields), append(found, eaten(f.text)...))
}

// add makes a find of each rule that found something in the field with that index.
func (w *walk) add(f *field, index int, found []memory.Trace) {
	for _, g := range byRule(found) {
		at := w.judge.find(&f.passage, g)
		begin := f.start + f.source.Source(g.Start)
		at.Column, at.Offset, at.at = begin, int64(begin), index
		w.finds = append(w.finds, at)
	}
}

// whole judges the line as one text, as far as secrets says, and threats where odd.
func (w *walk) whole(secrets []detect.Span, odd bool) {
	f := field{token: token{end: len(w.line)}}
	f.text, f.secrets = w.line, w.secrets
	found := traces(secrets)
	if odd {
		found = append(found, oddIn(w.line)...)
	}
	w.add(&f, len(w.fields), append(found, eaten(f.text)...))
	w.fields = append(w.fields, f)
}

// oddIn returns what is flagged in a text that may be the source of JSON.
func oddIn(text string) []memory.Trace {
	plain := detect.Unescape(text)
	found := detect.Flags(plain.String())
	for i, t := range found {
		found[i].Start = plain.Source(t.Start)
		found[i].End = max(plain.Source(t.End), found[i].Start)
	}
	return found
}

// group is what one rule found in a text: the first place, and how many there are.
type group struct {
	memory.Trace
	count int
}

func byRule(found []memory.Trace) (out []group) {
next:
	for _, t := range found {
		for i := range out {
			if out[i].Rule == t.Rule {
				out[i].count++
				if t.Start < out[i].Start {
					out[i].Trace = t
				}
				continue next
			}
		}
		out = append(out, group{t, 1})
	}
	return out
}

// eaten returns the places of a text where a redaction took a part of a word.
func eaten(text string) (out []memory.Trace) {
	const most = 20 // letters that are shown
	for i := 0; ; {
		n := strings.Index(text[i:], detect.Redacted)
		if n < 0 {
			return out
		}
		start := i + n
		i += n + len(detect.Redacted)
		for k := 0; k < most && start > 0 && letter(text[start-1]); k++ {
			start--
		}
		if start < i-len(detect.Redacted) {
			out = append(out, memory.Trace{Start: start, End: i, Rule: RuleOver})
		}
	}
}

func letter(c byte) bool { return (c|0x20)-'a' <= 'z'-'a' }

// token is a string in a line of JSON.
type token struct {
	start, end int    // of its source between the quotes
	key        bool   // it names a member
	path       string // the keys above it, separated by dots; only those that are plain words
}

// maxDepth is how deep a line may nest to count as sound here: each level is scanned again.
const maxDepth = 64

// tokens calls fn with the strings of a line in order. It reports whether the line is one JSON
// text that does not nest too deep.
func tokens(line string, fn func(token)) bool {
	text := strings.TrimLeft(line, " \t\r\n")
	return tokensIn(strings.TrimRight(text, " \t\r\n"), len(line)-len(text), "", 1, fn)
}

// sound reports whether a line is one JSON text that does not nest too deep.
func sound(line string) bool {
	if strings.Count(line, "[")+strings.Count(line, "{") >= maxDepth {
		return tokens(line, func(token) {})
	}
	_, err := jstext.Scan(line, func(jstext.Part) bool { return true })
	return err == nil
}

// tokensIn is tokens for a value without space around it, at an offset of the line and below
// some keys.
func tokensIn(value string, at int, path string, depth int, fn func(token)) bool {
	sound := true
	kind, err := jstext.Scan(value, func(p jstext.Part) bool {
		below := path
		if n := len(p.Key); n > 0 {
			fn(token{start: at + p.KeyAt + 1, end: at + p.KeyAt + n - 1, key: true, path: path})
			if name := p.Key[1 : n-1]; word(name) {
				below = strings.TrimPrefix(path+"."+name, ".")
			}
		}
		sound = depth < maxDepth && tokensIn(p.Value, at+p.At, below, depth+1, fn)
		return sound
	})
	if kind == jstext.String && err == nil {
		fn(token{start: at + 1, end: at + len(value) - 1, path: path})
	}
	return sound && err == nil
}

// word reports whether a key is one that a person would write: a short name.
func word(s string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"
	return s != "" && len(s) <= 40 && strings.Trim(s, signs) == ""
}
