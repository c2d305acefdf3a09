package lesson

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Line is one line of a store as it was read: its fields, or why it has none. White space around
// the JSON is removed first: an agent accepts any at the ends of the file, but elsewhere only
// JSON's own.
type Line struct {
	raw   string
	no    int
	text  string // decoded, without surrounding white space
	kind  jstext.Kind
	err   error        // text is not JSON
	value jstext.Value // for a Loader; null when the line was only scanned
	// oddBefore and oddAfter are set when white space that JSON does not allow comes before or
	// after the text.
	oddBefore, oddAfter bool
	fields
}

// Record returns a stored line as a record for display. Its strings share the bytes of the line if
// that has no escapes. The id is the lesson's own, which another line may have too (see Namer), and
// the forecast is empty (see List.Mark).
//
// A line that is not a lesson has a Problem. A line that parses only without its surrounding white
// space is shown as damaged; List.Mark clears that if the agent accepts it.
func Record(raw string, no int) memory.Record {
	l := newLine(raw, no)
	l.kind, l.err = jstext.Scan(l.text, func(p jstext.Part) bool {
		if key := p.Name(); IsKnown(key) || key == KeyWhen {
			v, _ := jstext.Parse(p.Value)
			l.set(key, v)
		}
		return true
	})
	return l.Record()
}

// Words returns a record with no more than what an approval covers: the texts of a stored line that reach a
// prompt, and when. It returns false for a line that an agent cannot use.
func Words(raw string) (r memory.Record, ok bool) {
	l := parseLine(raw, 0)
	const needed = 1<<atTitle | 1<<atOutcome | 1<<atBody
	ok = l.err == nil && !l.oddBefore && !l.oddAfter && !l.odd && l.missing&needed == 0
	r.Title, r.Outcome, r.Body = l.texts[atTitle], memory.Outcome(l.texts[atOutcome]), l.texts[atBody]
	r.When = l.when
	return r, ok
}

// parseLine reads a line completely, as an agent's parser does.
func parseLine(raw string, no int) Line {
	l := newLine(raw, no)
	l.value, l.err = jstext.Parse(l.text)
	l.kind = l.value.Kind()
	for i := range l.value.Len() {
		l.set(l.value.Key(i), l.value.At(i))
	}
	return l
}

func newLine(raw string, no int) Line {
	l := Line{raw: raw, no: no, fields: fields{missing: allBits, count: memory.Count{Odd: "missing"}}}
	text := Decode(raw)
	l.text = jstext.Trim(text)
	before := jstext.LeadingSpace(text)
	l.oddBefore = OddSpace(text) > 0
	l.oddAfter = OddSpace(text[min(len(text), before+len(l.text)):]) > 0
	return l
}

// OddSpace returns the length of the white space at the beginning of s if JSON does not allow some
// of it, and otherwise 0.
func OddSpace(s string) int {
	n := jstext.LeadingSpace(s)
	if strings.Trim(s[:n], " \t\r\n") == "" {
		return 0
	}
	return n
}

// Decode returns the string that JavaScript reads from the bytes of a line. Valid UTF-8 is returned
// unchanged.
func Decode(raw string) string { return jstext.DecodeString(raw) }

// Record returns the line as a record, as the function Record does.
func (l *Line) Record() memory.Record {
	r := memory.Record{Line: l.no, Rev: memory.RevisionOf(l.raw), Raw: l.raw, RawLen: len(l.raw)}
	if l.err != nil || l.oddBefore || l.oddAfter {
		_, err := jstext.Parse(Decode(l.raw))
		r.Problem, r.Flags = damaged(err), memory.FlagDamaged
	}
	switch {
	case l.err != nil:
	case l.kind == jstext.Null:
		r.Problem = nullLine()
	case l.kind != jstext.Object:
		r.Problem = notLesson(l.kind)
	default:
		fill(&r, &l.fields)
		markFindings(&r, l.missing, !l.odd && Decode(l.raw) == l.raw)
		return r
	}
	r.ID = memory.LineID(l.no)
	markFindings(&r, 0, false)
	return r
}

// TooLong returns the record of a line that is too long to be read. Begin is its beginning, and
// size its length in bytes. The revision depends only on begin.
func TooLong(begin string, size, line int) memory.Record {
	r := memory.Record{
		ID: memory.LineID(line), Line: line, Rev: memory.RevisionOf(begin), Raw: begin, RawLen: size,
		Problem: &memory.Problem{
			Code: CodeTooLong,
			What: fmt.Sprintf("this line is too long to be shown: %d bytes", size),
			Hint: "the agent reads all of it; look at it with another program",
		},
	}
	markFindings(&r, 0, false)
	return r
}

// fill sets what a record shows of the fields.
func fill(r *memory.Record, f *fields) {
	if r.ID = memory.ID(f.texts[atID]); r.ID == "" || f.missing.has(atID) {
		r.ID = memory.LineID(r.Line)
	}
	r.Title, r.Body, r.Outcome = f.texts[atTitle], f.texts[atBody], memory.Outcome(f.texts[atOutcome])
	r.Tools, r.Session, r.Count, r.When = f.tools, f.texts[atSession], f.count, f.when
	r.Created, r.Used = Moment(f.texts[atCreated]), Moment(f.texts[atUsed])
	if r.Problem == nil {
		r.Problem = unusable(r.Line, f.missing)
	}
	harmless := plainLine(r.Raw) && strings.IndexByte(r.Raw, '<') < 0
	if !harmless && (needsMarks(r.Title) || needsMarks(r.Body) || needsMarks(string(r.Outcome))) {
		r.Flags |= memory.FlagInjection
	}
}

// unusable returns the problem of a lesson without a text that the agent needs, or nil.
func unusable(line int, missing bits) *memory.Problem {
	l := Lesson{Line: line}
	switch {
	case missing.has(atTitle):
		return noText(&l, KeyTitle)
	case missing.has(atBody):
		return noText(&l, KeyBody)
	case missing.has(atOutcome):
		return oddOutcome(&l)
	}
	return nil
}

// needsMarks reports whether a text has anything to mark other than plain line breaks and the half
// character that the agent leaves when it cuts a task.
func needsMarks(text string) bool {
	return slices.ContainsFunc(detect.Marks(text), func(m memory.Mark) bool {
		return m.Kind != memory.MarkNewline && !detect.StartsWithLoneSurrogate(text[m.Start:])
	})
}

// plainLine reports whether a line is printable ASCII without backslashes. It checks eight bytes at
// a time.
func plainLine(s string) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	zero := func(x uint64) uint64 { return (x - each) &^ x } // the high bit is set below the first zero byte
	var odd uint64
	for ; len(s) >= 8; s = s[8:] {
		x := binary.LittleEndian.Uint64([]byte(s[:8]))
		odd |= x | (x-each*' ')&^x | zero(x^each*'\\') | zero(x^each*0x7F)
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '\\' {
			return false
		}
	}
	return odd&high == 0
}

// fields are the members of a lesson that a record shows. A text that is not a string is shown as
// its JSON.
type fields struct {
	texts [len(known)]string // indexed by member number
	tools []string
	count memory.Count
	when  string // empty if it is missing
	// missing has a bit for each member that is absent or has the wrong type.
	missing bits
	odd     bool // a member has the wrong type
}

// known are the keys by member number.
var known = [...]string{
	atID: KeyID, atTitle: KeyTitle, atOutcome: KeyOutcome, atBody: KeyBody, atTools: KeyTools,
	atCreated: KeyCreated, atSession: KeySession, atCount: KeyCount, atUsed: KeyUsed,
}

// The member numbers.
const (
	atID = iota
	atTitle
	atOutcome
	atBody
	atTools
	atCreated
	atSession
	atCount
	atUsed
)

// bits is a set of members, one bit each.
type bits uint16

const allBits bits = 1<<len(known) - 1

func (b bits) has(member int) bool { return b>>member&1 != 0 }

// set stores a member. Of several with the same key, the last one counts.
func (f *fields) set(key string, v jstext.Value) {
	if key == KeyWhen {
		if f.when = v.Str(); v.Kind() != jstext.String {
			f.when = string(v.AppendJSON(nil)) // which names no moment
		}
		return
	}
	member := slices.Index(known[:], key)
	valid, there := v.Kind() == jstext.String, v.Kind() == jstext.Array
	switch member {
	case -1:
		return
	case atTools:
		f.tools = Strings(v)
		valid = there && len(f.tools) == v.Len()
	case atCount:
		f.count = countOf(v)
		valid = f.count.Odd == ""
	default:
		f.texts[member] = v.Str()
		if !valid {
			f.texts[member] = string(v.AppendJSON(nil))
		}
	}
	f.odd = f.odd || !valid
	if f.missing &^= 1 << member; !valid && !(member == atTools && there) {
		f.missing |= 1 << member
	}
}

// countOf returns a JSON value as a relevance count.
func countOf(v jstext.Value) memory.Count {
	n := v.Number()
	if v.Kind() != jstext.Number || n < 0 || n > 1<<53 || n != float64(int(n)) {
		return memory.Count{Odd: string(v.AppendJSON(nil))}
	}
	return memory.Count{N: int(n)}
}

// markFindings records the places in a record that look like secrets, and flags one whose texts act on a model, as the
// audit does. Odd has the bits of members that are shown as JSON because they are not strings. Valid says that all
// texts of the record are strings of its line; then a line without findings proves that there are none.
func markFindings(r *memory.Record, odd bits, valid bool) {
	line := detect.Unescape(r.Raw)
	var scanner detect.LineScanner
	spans, suspicious := scanner.Scan(r.Raw, &line)
	if suspicious || !valid {
		r.EachText(func(in memory.Field, _ int, text string) {
			if in != memory.InRaw && detect.ActsOnModel(text) {
				r.Flags |= memory.FlagInjection
			}
		})
	}
	found := appendSecrets(nil, memory.InRaw, 0, spans)
	if valid && len(found) == 0 {
		return
	}
	hidden := len(found) == 0 // the secret is not visible in the line, whose bytes differ from the text
	r.EachText(func(in memory.Field, item int, text string) {
		if in == memory.InRaw {
			return
		}
		before := len(found)
		found = appendSecrets(found, in, item, detect.Secrets(text))
		member, known := members[in]
		hidden = hidden || len(found) > before && known && odd.has(member)
	})
	if len(found) == 0 {
		return
	}
	if hidden { // mask the whole line
		found = append(found, memory.Secret{Field: memory.InRaw, End: len(r.Raw), Rule: found[0].Rule})
	}
	r.Flags |= memory.FlagSecret
	r.Secrets = found
}

// members maps each field of a record to the member number that it shows.
var members = map[memory.Field]int{
	memory.InTitle:   atTitle,
	memory.InBody:    atBody,
	memory.InID:      atID,
	memory.InOutcome: atOutcome,
	memory.InSession: atSession,
	memory.InCreated: atCreated, memory.InUsed: atUsed, memory.InCount: atCount,
}

func appendSecrets(to []memory.Secret, in memory.Field, item int, spans []detect.Span) []memory.Secret {
	for _, s := range spans {
		to = append(to, memory.Secret{Field: in, Item: item, Start: s.Start, End: s.End, Rule: s.Rule})
	}
	return to
}

// Namer assigns the records of a store their ids, in the order of the store. The zero Namer is
// ready to use.
type Namer struct {
	seen map[memory.ID]named
}

type named struct{ line, times int32 }

// Name returns the id of the next record: its own id, or one made from its line if own is empty. If
// earlier records have that id, "~2" and so on is appended, and first is the line of the first of
// them; otherwise first is 0.
func (n *Namer) Name(own string, line int) (id memory.ID, first int) {
	id = memory.ID(own)
	if own == "" {
		id = memory.LineID(line)
	}
	if n.seen == nil {
		n.seen = map[memory.ID]named{}
	}
	for base := id; ; {
		was, taken := n.seen[id]
		if !taken {
			break
		}
		if id == base {
			first = int(was.line)
		}
		was = n.seen[base]
		was.times++
		n.seen[base] = was
		id = base + "~" + memory.ID(strconv.Itoa(int(was.times)+1))
	}
	n.seen[id] = named{line: int32(line)}
	return id, first
}

// Give sets the id of r and flags r if an earlier record has the same id. It returns the line of
// that record, or 0.
func (n *Namer) Give(r *memory.Record) (first int) {
	if r.ID, first = n.Name(string(r.ID), r.Line); first > 0 {
		r.Flags |= memory.FlagDuplicate
	}
	return first
}
