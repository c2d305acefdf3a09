package judge

import (
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/memory"
)

// How much text around a place is shown where line boundaries do not help: in a database, and in
// very long lines.
const (
	around   = 200
	lineMost = 8 << 10
)

// atOnce is how many bytes of text are searched at once, except whole lines of JSON.
const atOnce = 64 << 10

// blocks is the state of rendering a text into the block of a prompt.
type blocks struct {
	name string
	cut  bool // the rest of the document is cut off
}

// texts judges text in parts of atOnce bytes, so that the matches take little memory.
func (r *Reading) texts(p Piece) {
	for p.Text != "" {
		n := len(p.Text)
		if n > atOnce {
			n = strings.LastIndexByte(p.Text[:atOnce], '\n') + 1
			if key := strings.LastIndex(p.Text[:n], "-----BEGIN"); key >= 0 && n-key < lineMost &&
				!strings.Contains(p.Text[key+1:n], "-----END") {
				n = strings.LastIndexByte(p.Text[:key], '\n') + 1 // keep a key together with its first line
			}
		}
		if n > 0 {
			r.flush()
			r.text(p.cut(0, n))
		} else { // a long line
			if n = strings.IndexByte(p.Text, '\n') + 1; n == 0 {
				n = len(p.Text)
			}
			r.parts(p.cut(0, n))
		}
		p = p.cut(n, len(p.Text))
	}
}

// text judges a piece of text or of a database.
func (r *Reading) text(p Piece) {
	secrets, found := r.searchPiece(p)
	reach := len(p.Text)
	if form := r.doc.Form; form != nil && form.Land != nil {
		ends := r.kind.mayContainEnd(p.Text)
		if len(found) > 0 || ends {
			var out []memory.Trace
			out, reach = r.judgeRenderedPiece(p, ends)
			found = append(found, out...)
		}
	}
	if form := r.doc.Form; form != nil && form.Started {
		found = withEvidence(found, startedTraces(p.Text))
	}
	r.passages(p, secrets, found, reach)
	if !r.doc.SecretsOnly {
		r.judgePrivate(p, secrets, 0)
	}
}

// searchPiece returns what the rules find in a piece: its secrets, and all places including those. A
// part of a long line may be raw JSON.
func (r *Reading) searchPiece(p Piece) (secrets []detect.Span, found []memory.Trace) {
	if r.doc.SecretsOnly {
		secrets = detect.WithCopies(detect.Secrets(p.Text), r.judge.values.Copies(p.Text))
		return secrets, traces(secrets)
	}
	text := detect.PlainText(p.Text)
	form := r.doc.Form
	lines := form != nil && form.Lines && !form.Database
	if p.InLine || lines {
		text = detect.Unescape(p.Text)
	}
	var flagged bool
	if lines {
		secrets, flagged = r.kind.scanner.Scan(p.Text, &text)
	} else {
		secrets, flagged = detect.Scan(p.Text)
	}
	secrets = detect.WithCopies(secrets, r.judge.values.Copies(p.Text))
	found = append(traces(secrets), overRedacted(p.Text)...)
	switch {
	case r.isDatabase() && flagged:
		found = append(found, r.judge.inPages(p.Text)...)
	case r.isDatabase():
	case flagged || detect.IsSettings(r.doc.Path):
		flags := detect.FlagsInFile(r.doc.Path, text.String())
		for i, t := range flags {
			flags[i].Start, flags[i].End = text.Range(t.Start, t.End)
		}
		found = append(found, r.filterFlags(p.Text, flags)...)
	}
	return secrets, found
}

func (r *Reading) isDatabase() bool { return r.doc.Form != nil && r.doc.Form.Database }

// inPages returns the flags in the texts within database pages. Invisible characters count only in
// a stretch that is text throughout.
func (j *Judge) inPages(pages string) (out []memory.Trace) {
	const least = 16 // bytes of a text
	for start := 0; start < len(pages); {
		end := start
		for end < len(pages) && isPageText(pages, end) {
			end++
		}
		if text := pages[start:end]; len(text) >= least && detect.Suspicious(text) {
			whole := utf8.ValidString(text)
			for _, t := range detect.Flags(text) {
				if whole || j.rules[t.Rule].Family == memory.FamilyInjection {
					t.Start, t.End = t.Start+start, t.End+start
					out = append(out, t)
				}
			}
		}
		start = end + 1
	}
	return out
}

// filterFlags filters flags. In a file of no known product, invisible characters count only in a line that
// is text: other bytes are not writing.
func (r *Reading) filterFlags(text string, found []memory.Trace) []memory.Trace {
	if r.doc.Form != nil {
		return found
	}
	from, to, sane := 0, -1, false // the last line checked
	return slices.DeleteFunc(found, func(t memory.Trace) bool {
		if r.judge.rules[t.Rule].Family != memory.FamilyHidden {
			return false
		}
		if t.Start < from || t.End > to {
			from, to = strings.LastIndexByte(text[:t.Start], '\n')+1, len(text)
			if i := strings.IndexByte(text[t.End:], '\n'); i >= 0 {
				to = t.End + i
			}
			sane = utf8.ValidString(text[runeFrom(text, from):max(runeTo(text, to), t.End)])
		}
		return !sane
	})
}

func traces(secrets []detect.Span) (out []memory.Trace) {
	for _, s := range secrets {
		out = append(out, memory.Trace{Start: s.Start, End: s.End, Rule: s.Rule})
	}
	return out
}

// judgeRenderedPiece renders what a prompt gets of the piece. It returns the places in the piece that break
// out, and how much of the piece is in the block.
func (r *Reading) judgeRenderedPiece(p Piece, ends bool) (out []memory.Trace, reached int) {
	if r.landed.cut {
		return nil, 0
	}
	l := r.doc.Form.Land(&memory.Record{Body: p.Text})
	r.landed.name = l.Name
	if len(l.Parts) == 0 {
		return nil, len(p.Text)
	}
	part := l.Parts[0]
	text := l.Text[part.Start:part.End]
	reached = lengthInBlock(p.Text, text)
	if r.landed.cut = reached < len(p.Text); !ends {
		return nil, reached
	}
	for _, t := range detect.Breakouts(l) {
		if t.Start < part.Start || t.Start >= part.End {
			continue
		}
		start := mapToText(p.Text, text, t.Start-part.Start, min(t.End, part.End)-part.Start)
		t.End = min(start+t.End-t.Start, len(p.Text))
		t.Start = start
		out = append(out, t)
	}
	return out, reached
}

// passages reports what was found in a piece, grouped by line. Places beyond reached never reach a
// prompt.
func (r *Reading) passages(p Piece, secrets []detect.Span, found []memory.Trace, reached int) {
	slices.SortStableFunc(found, func(a, b memory.Trace) int { return a.Start - b.Start })
	lines := counter{text: p.Text}
	for len(found) > 0 {
		from, to := r.bounds(p, found[0].Start, found[0].End)
		n := 1
		for n < len(found) && found[n].Start < to && found[n].End <= to {
			n++
		}
		pass := passage{text: p.Text[from:to], secrets: clipped(secrets, from, to)}
		for _, g := range byRule(shifted(found[:n], -from)) {
			f := r.judge.find(&pass, g)
			r.lowerSeverity(&f)
			start := from + g.Start
			f.Line, f.Column = lines.position(start)
			f.Offset = int64(start)
			if r.landed.name != "" {
				f.Lands, f.cut = r.landed.name, start >= reached
			}
			r.reportFind(p, f)
		}
		found = found[n:]
	}
}

// reportFind reports a find in a piece, unless the next piece reports it better.
func (r *Reading) reportFind(p Piece, f match) {
	out := r.findingOf(&f, p, nil, "")
	if p.InLine && r.long.reportedElsewhere(out) {
		return
	}
	r.to(out)
}

func shifted(found []memory.Trace, by int) []memory.Trace {
	for i := range found {
		found[i].Start += by
		found[i].End += by
	}
	return found
}

// bounds returns the passage around a place: its lines, or as much around it as is text.
func (r *Reading) bounds(p Piece, start, end int) (from, to int) {
	text := p.Text
	if r.isDatabase() {
		from, to = start, end
		for from > max(0, start-around) && isPageText(text, from-1) {
			from--
		}
		for to < min(len(text), end+around) && isPageText(text, to) {
			to++
		}
		return runeFrom(text, from), runeTo(text, to)
	}
	most := lineMost
	if p.InLine { // the piece is part of one line
		most = around
	}
	low, high := max(0, start-most), min(len(text), end+most)
	from = low + strings.LastIndexByte(text[low:start], '\n') + 1
	to = high
	if i := strings.IndexByte(text[end:high], '\n'); i >= 0 {
		to = end + i
	}
	if from == low && low > 0 || to == high && high < len(text) || p.InLine {
		from, to = max(from, start-around), min(to, end+around)
		return runeFrom(text, from), runeTo(text, to)
	}
	return from, max(to, end)
}

// isPageText reports whether the byte at i belongs to text, not to the structure of a page. A carriage
// return counts as text only at the end of a line.
func isPageText(pages string, i int) bool {
	switch c := pages[i]; c {
	case '\n', '\t':
		return true
	case '\r':
		return i+1 < len(pages) && pages[i+1] == '\n'
	default:
		return c >= ' ' && c != 0x7F
	}
}

// counter computes lines and columns, both from 0, for places in a text. It is fast if the places
// mostly increase.
type counter struct {
	text        string
	line, start int // line of the last place, and its start
	read        int // lines are counted up to here
	counted     int // number of bytes examined
}

func (c *counter) position(i int) (line, column int) {
	if i < c.start {
		c.line, c.start, c.read = 0, 0, 0
	}
	if i > c.read {
		between := c.text[c.read:i]
		if n := strings.Count(between, "\n"); n > 0 {
			c.line += n
			c.start = c.read + strings.LastIndexByte(between, '\n') + 1
		}
		c.counted += len(between)
		c.read = i
	}
	return c.line, i - c.start
}

// judgePrivate counts the private data in a piece, starting at byte from.
func (r *Reading) judgePrivate(p Piece, secrets []detect.Span, from int) {
	lines := counter{text: p.Text}
	text := detect.PlainText(p.Text)
	for _, h := range privateMatchesIn(&text, secrets) {
		if h.start < from {
			continue
		}
		r.countPrivate(h, func() memory.Finding {
			begin, end := r.bounds(p, h.start, h.end)
			f := r.judge.foundAt(
				&passage{text: p.Text[begin:end], secrets: clipped(secrets, begin, end)},
				h.rule,
				h.start-begin,
				h.end-begin,
				h.start,
			)
			f.Line, f.Column = lines.position(h.start)
			return r.findingOf(&f, p, nil, "")
		})
	}
}

// overlap is how much of the end of a part the next one contains again. Finds there are left to the
// next part, which also sees what follows.
const overlap = 4 << 10

// splitLine is a line that arrives in parts.
type splitLine struct {
	part  bool
	line  int
	end   int64 // end of the last part
	limit int64 // findings of its parts are reported up to here
	begin int64 // the part being judged reports findings from here on
	held  []memory.Finding
}

// parts splits a part of a very long line into smaller ones and judges them.
func (r *Reading) parts(p Piece) {
	const again = 2 * overlap
	for len(p.Text) > atOnce+again {
		n := runeTo(p.Text, atOnce)
		r.part(p.cut(0, n))
		p = p.cut(runeTo(p.Text, n-again), len(p.Text))
	}
	r.part(p)
}

func (r *Reading) part(p Piece) {
	end := p.Offset + int64(len(p.Text))
	p.InLine = true
	private, first := 0, false
	if r.long.part && p.Line == r.long.line && p.Offset <= r.long.end {
		for _, f := range r.long.held {
			if f.Offset < p.Offset {
				r.to(f)
			}
		}
		r.long.held = r.long.held[:0]
		r.long.begin = max(r.long.limit, p.Offset)
		private = int(r.long.end - p.Offset)
	} else {
		r.flush()
		r.long.begin = p.Offset
		first = true
	}
	r.long.part, r.long.line, r.long.end = true, p.Line, end
	r.long.limit = max(r.long.begin, end-min(overlap, int64(len(p.Text)/2)))

	secrets, found := r.searchPiece(p)
	if form := r.doc.Form; first && form != nil && form.Lines && !form.Database {
		r.values++
		r.begun = true
		r.lost.tooLong.add(Piece{Line: p.Line, Offset: p.Offset}, p.Text, secrets)
	}
	r.passages(p, secrets, found, len(p.Text))
	if !r.doc.SecretsOnly {
		r.judgePrivate(p, secrets, private)
	}
}

// reportedElsewhere reports whether to skip a finding in a part: an earlier part reported it, or the next part,
// if there is one, will.
func (l *splitLine) reportedElsewhere(f memory.Finding) bool {
	if f.Offset < l.begin {
		return true
	}
	if f.Offset >= l.limit {
		l.held = append(l.held, f)
		return true
	}
	return false
}

// flush ends a long line and reports what its last part found.
func (r *Reading) flush() {
	if !r.long.part {
		return
	}
	for _, f := range r.long.held {
		r.to(f)
	}
	r.long = splitLine{}
}

// fewKinds is how many different texts of one rule may name the finding of a document. If there are
// more, the finding is named after the file.
const fewKinds = 16

// privateTally counts what one rule on private data finds in a document.
type privateTally struct {
	first   memory.Finding
	name    string // name of the file
	count   int
	digests []uint16 // digests of the different texts, sorted
	many    bool
}

// countPrivate counts a place with private data. first returns the finding for the first place of a rule.
// Session IDs differ with each session, so they count as many from the start.
func (r *Reading) countPrivate(h privateMatch, first func() memory.Finding) {
	i := slices.IndexFunc(r.private, func(t *privateTally) bool { return t.first.Rule == h.rule })
	if i < 0 {
		i = len(r.private)
		r.private = append(
			r.private,
			&privateTally{first: first(), name: path.Base(r.doc.Path), many: h.rule == detect.RuleSession},
		)
	}
	t := r.private[i]
	t.count++
	if i, known := slices.BinarySearch(t.digests, h.digest); !known && !t.many {
		t.digests = slices.Insert(t.digests, i, h.digest)
		t.many = len(t.digests) > fewKinds
	}
}

// finding returns the rule's one finding for the document.
func (t *privateTally) finding() memory.Finding {
	f := t.first
	f.Count, f.Elsewhere = t.count, t.count > 1
	content := []byte(t.name)
	if !t.many {
		content = content[:0]
		for _, d := range t.digests {
			content = binary.BigEndian.AppendUint16(content, d)
		}
	}
	f.Fingerprint = fingerprint(f.Rule, string(content))
	return f
}

// privateIn returns the find for private data in a line of JSON, with the string that contains it,
// if any.
func (j *Judge) privateIn(line string, h privateMatch) match {
	secrets := j.values.SecretsInLine(line)
	whole := j.foundAt(&passage{text: line, secrets: secrets}, h.rule, h.start, h.end, h.start)
	out := whole
	if !isJSON(line) {
		return whole
	}
	w := lineWalk{line: line}
	tokens(line, func(t token) {
		if h.start >= t.start && h.end <= t.end {
			f := w.fieldOf(t, secrets)
			start, end := f.source.Text(h.start-t.start, false), f.source.Text(h.end-t.start, true)
			out = j.foundAt(&f.passage, h.rule, start, end, h.start)
		}
	})
	return out
}

func (j *Judge) foundAt(p *passage, rule string, start, end, offset int) match {
	f := j.find(p, group{memory.Trace{Start: start, End: end, Rule: rule}, 1})
	f.Column, f.Offset = offset, int64(offset)
	return f
}
