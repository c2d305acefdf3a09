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

// lineResult is what was found in one line, independent of where the line is.
type lineResult struct {
	matches []match
	private []privateMatch
	notJSON bool // not valid JSON, as far as this package checks
	// record holds what is needed to place a match. It is nil if there are no matches, and shares no
	// memory with the line.
	record *memory.Record
}

// match is a finding without the data of its document and record. Its line and column, both from 0,
// and its offset are relative to the line.
type match struct {
	memory.Finding
	at  int  // index of the field of the line that contains it
	cut bool // it is beyond what a prompt gets
}

// privateMatch is a place with private data in a line.
type privateMatch struct {
	rule       string
	start, end int
	digest     uint16
}

// lineKind says how the lines of a document are judged.
type lineKind struct {
	form  *system.Form // nil for plain text
	ends  []string     // strings that end the block its texts appear in
	first string       // first bytes of such an end or of a tag
	prose bool         // the text in the block has lines of its own

	scanner detect.LineScanner
}

// kindOf returns the kind for a form.
func kindOf(form *system.Form) lineKind {
	k := lineKind{form: form}
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

// mayBreakOut reports whether a text may contain the end of the block.
func (k *lineKind) mayBreakOut(text string) bool { return anyOf(text, k.ends...) }

// mayContainEnd is a cheap test for texts with several lines. It returns false for most texts that do not
// break out of the block: those without a tag and without anything that resembles the beginning of
// an end.
func (k *lineKind) mayContainEnd(text string) bool {
	foreign := func(r rune) bool { return r >= utf8.RuneSelf }
	return !k.prose || strings.ContainsAny(text, k.first) || strings.ContainsFunc(text, foreign)
}

// line judges a line that is, or should be, JSON. decoded returns the record in it, or nil. Most
// lines have no findings and are not parsed.
//
// If the line has no copy of a known secret, it is judged by the rules alone, once.
func (j *Judge) line(k *lineKind, line string, decoded func() *memory.Record) *lineResult {
	if copies := j.values.Copies(line); len(copies) > 0 {
		return j.judgeLine(k, line, copies, decoded)
	}
	return j.known.line(k, line, func() *lineResult { return j.judgeLine(k, line, nil, decoded) })
}

// judgeLine judges a line that holds copies of known secrets.
func (j *Judge) judgeLine(k *lineKind, line string, copies []detect.Span, decoded func() *memory.Record) *lineResult {
	ok := isJSON(line)
	text := detect.Unescape(line)
	secrets, flagged := k.scanner.Scan(line, &text)
	secrets = detect.WithCopies(secrets, copies)
	escaped := len(text.String()) < len(line)
	marked := strings.Contains(line, detect.Redacted)
	shaped := k.form.Land != nil && (escaped || mayContainBreakout(line) || k.mayBreakOut(line))
	private := privateMatchesIn(&text, secrets)
	mayMatch := len(secrets) > 0 || flagged || marked || shaped
	if ok && !mayMatch && len(private) == 0 {
		return clean
	}
	out := &lineResult{notJSON: !ok, private: private}
	if mayMatch {
		w := lineWalk{judge: j, kind: k, line: line, secrets: secrets, flagged: flagged, marked: marked, shaped: shaped}
		w.run(ok)
		if shaped || len(w.matches) > 0 {
			w.judgeRendered(decoded())
		}
		if out.matches = w.matches; len(out.matches) > 0 {
			out.record = placement(decoded())
		}
	}
	return out
}

// placement returns the data of a record that is needed to place a match.
func placement(r *memory.Record) *memory.Record {
	if r == nil {
		return nil
	}
	out := &memory.Record{
		ID:      nameOf(r),
		Line:    r.Line,
		Created: r.Created,
		Used:    r.Used,
		Count:   r.Count,
		Flags:   r.Flags,
		Problem: r.Problem,
	}
	out.Created.Text, out.Used.Text = strings.Clone(r.Created.Text), strings.Clone(r.Used.Text)
	out.Count.Odd = strings.Clone(r.Count.Odd)
	if r.Problem != nil {
		out.Problem = &memory.Problem{}
	}
	return out
}

// mayContainBreakout is a cheap test for lines. It returns false for most lines without a string that breaks
// out of a block, which takes a line break or a tag.
func mayContainBreakout(line string) bool {
	return strings.IndexByte(line, '\\') >= 0 || strings.IndexByte(line, '<') >= 0 || strings.Contains(line, "\xe2\x80")
}

// privateMatchesIn returns the private data in a text outside its secrets. Both have their places in its
// source.
func privateMatchesIn(text *detect.Unescaped, secrets []detect.Span) (out []privateMatch) {
	for _, t := range detect.PII(text.String()) {
		h := privateMatch{rule: t.Rule}
		h.start, h.end = text.Range(t.Start, t.End)
		for len(secrets) > 0 && secrets[0].End <= h.start {
			secrets = secrets[1:]
		}
		if len(secrets) == 0 || secrets[0].Start >= h.end {
			if h.rule != detect.RuleSession { // its findings are not named after it
				h.digest = digest(text.String()[t.Start:t.End])
			}
			out = append(out, h)
		}
	}
	return out
}

// lineWalk judges a line string by string.
type lineWalk struct {
	judge   *Judge
	kind    *lineKind
	line    string
	secrets []detect.Span // ranges of bytes in the line
	// Set if the line may contain flags, marks of a redaction, or the end of a block. Only then its
	// strings are searched for them.
	flagged, marked, shaped bool

	fields  []field
	matches []match
	own     [][2]int // places that the product itself wrote; nil until requested
}

// field is a string in the line.
type field struct {
	passage
	token
	top    bool // a value of the top-level object
	source detect.Unescaped
	spans  []detect.Span // spans of whole matches; the passage also has secrets that continue in other fields
}

func (w *lineWalk) run(valid bool) {
	if !valid {
		w.judgeWhole(w.secrets, w.flagged)
		return
	}
	left := w.secrets // the secrets that may be in this string or a later one
	tokens(w.line, func(t token) {
		for len(left) > 0 && left[0].End <= t.start {
			left = left[1:]
		}
		raw := w.line[t.start:t.end]
		var flags []memory.Trace
		if w.flagged {
			text := detect.Unescape(raw)
			flags = w.flagsOutsideOwnText(t, &text, detect.Flags(text.String()))
		}
		if len(flags) > 0 || w.mayHaveMatches(t, raw, left) {
			f := w.fieldOf(t, left)
			w.field(f, flags)
			w.fields = append(w.fields, *f)
		}
	})
	if loose := outsideFields(w.secrets, w.fields); len(loose) > 0 {
		w.judgeWhole(loose, false)
	}
}

// flagsOutsideOwnText returns the flags in a string, without those in text that the product itself wrote.
func (w *lineWalk) flagsOutsideOwnText(t token, text *detect.Unescaped, flags []memory.Trace) []memory.Trace {
	if len(flags) == 0 || w.kind.form.Own == nil {
		return flags
	}
	if w.own == nil {
		w.own = append([][2]int{}, w.kind.form.Own(w.line)...)
	}
	return slices.DeleteFunc(flags, func(o memory.Trace) bool {
		at := t.start + text.Source(o.Start)
		return slices.ContainsFunc(w.own, func(p [2]int) bool { return p[0] <= at && at < p[1] })
	})
}

// mayHaveMatches reports whether a string may contain anything besides flags. left begins with the first
// secret that may be in it.
func (w *lineWalk) mayHaveMatches(t token, raw string, left []detect.Span) bool {
	return len(left) > 0 && left[0].Start < t.end ||
		w.shaped && (mayContainBreakout(raw) || w.kind.mayBreakOut(raw)) ||
		w.marked && strings.Contains(raw, detect.Redacted)
}

// fieldOf returns the field for a token.
func (w *lineWalk) fieldOf(t token, left []detect.Span) *field {
	f := &field{token: t, top: !t.key && !strings.Contains(t.path, ".")}
	f.source = detect.Unescape(w.line[t.start:t.end])
	f.text = f.source.String()
	f.passage.field = fieldName(t.path)
	f.takeSecrets(left, w.line)
	return f
}

// fieldName returns the name of a field in findings, given the path of its keys. It shares no
// memory with the line.
func fieldName(path string) string {
	if len(detect.Secrets(path)) > 0 {
		return ""
	}
	return strings.Clone(path)
}

// takeSecrets maps the secrets of a line that are in the field to the field's text.
func (f *field) takeSecrets(secrets []detect.Span, line string) {
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

// holds reports whether a secret belongs to this field. A secret that spans several strings belongs
// to the one in which it ends.
func (f *field) holds(s detect.Span, line string) bool {
	last := s.End
	for last > s.Start && last > f.end && strings.IndexByte(`"]}:, `, line[last-1]) >= 0 {
		last--
	}
	return last > f.start && last <= f.end || s.End <= f.end
}

// outsideFields returns the secrets that are in no string: those in numbers.
func outsideFields(secrets []detect.Span, fields []field) (out []detect.Span) {
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

// field records what is found in a string of the line. flags are those in it.
func (w *lineWalk) field(f *field, flags []memory.Trace) {
	found := append(traces(f.spans), flags...)
	w.add(f, len(w.fields), append(found, overRedacted(f.text)...))
}

// add makes one find for each rule that matched in the field with the given index.
func (w *lineWalk) add(f *field, index int, found []memory.Trace) {
	for _, g := range byRule(found) {
		at := w.judge.find(&f.passage, g)
		begin := f.start + f.source.Source(g.Start)
		at.Column, at.Offset, at.at = begin, int64(begin), index
		w.matches = append(w.matches, at)
	}
}

// judgeWhole judges the line as one string: some of its secrets, and its threats if flagged is set.
func (w *lineWalk) judgeWhole(secrets []detect.Span, flagged bool) {
	whole := token{end: len(w.line)}
	f := w.fieldOf(whole, w.secrets)
	f.spans = w.fieldOf(whole, secrets).spans
	var flags []memory.Trace
	if flagged {
		flags = detect.Flags(f.text)
	}
	w.field(f, flags)
	w.fields = append(w.fields, *f)
}

// group is what one rule found in a text: the first place, and the number of places.
type group struct {
	memory.Trace
	count int
}

func byRule(found []memory.Trace) (out []group) {
next:
	for _, t := range found {
		for i := range out {
			if out[i].Rule == t.Rule && out[i].Severity == t.Severity {
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

// overRedacted returns the places where a redaction removed part of a word.
func overRedacted(text string) (out []memory.Trace) {
	const most = 20 // letters shown
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
	start, end int    // its raw content between the quotes
	key        bool   // it is the name of a member
	path       string // its keys from the top, separated by dots; only those that are plain words
}

// isJSON reports whether a line is one JSON text.
func isJSON(line string) bool {
	_, err := jstext.Scan(line, func(jstext.Part) bool { return true })
	return err == nil
}

// tokens calls fn with the strings of a line that is JSON, in order.
func tokens(line string, fn func(token)) {
	paths := []string{""} // those of the containers that are open
	path := ""            // of the next value
	for i := 0; i < len(line); i++ {
		container := paths[len(paths)-1]
		switch line[i] {
		case '{', '[':
			paths = append(paths, path)
		case '}', ']':
			paths = paths[:len(paths)-1]
		case ',':
			path = container
		case '"':
			start := i + 1
			i = stringEnd(line, start)
			if !strings.HasPrefix(strings.TrimLeft(line[i+1:], " \t\r\n"), ":") {
				fn(token{start: start, end: i, path: path})
				continue
			}
			fn(token{start: start, end: i, key: true, path: container})
			path = container
			if name := line[start:i]; word(name) {
				path = strings.TrimPrefix(path+"."+name, ".")
			}
		}
	}
}

// stringEnd returns where the quote is that ends the string with its content at byte i of JSON.
func stringEnd(line string, i int) int {
	for line[i] != '"' {
		if line[i] == '\\' {
			i++
		}
		i++
	}
	return i
}

// word reports whether a key is a short name as a person would write it.
func word(s string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"
	return s != "" && len(s) <= 40 && strings.Trim(s, signs) == ""
}
