package judge

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io/fs"
	"strings"
	"time"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Reading is the judging of one document. It is used by one goroutine.
type Reading struct {
	// Journal returns each text that the journal beside a store has on a record; nil when no
	// journal was read.
	Journal func(r *memory.Record) []string

	judge *Judge
	doc   *Doc
	kind  kind
	to    func(memory.Finding)

	live    bool // records of a store that is open, which know what becomes of them
	values  int  // JSON values so far: what an agent counts as a record
	beyond  int  // records past those that an agent loads, as they say themselves
	begun   bool
	private []*tally
	lost    losses
	long    longer
	landed  blocks
}

// losses are lines that a system does not read as they are.
type losses struct {
	damaged, tooLong count
}

// count is of lines of which the beginning of the first is shown, and a digest of the
// beginnings of all.
type count struct {
	n     int
	at    Piece
	first passage
	sum   hash.Hash
}

func (c *count) add(at Piece, line string, secrets []detect.Span) {
	n := runeTo(line, min(len(line), excerptBytes))
	p := passage{text: line[:n], secrets: clipped(secrets, 0, n)}
	if c.n++; c.n == 1 {
		c.at, c.sum = at, sha256.New()
		c.first = p
		c.first.text = strings.Clone(p.text)
	}
	c.sum.Write([]byte(contentOf(p.text, p.secrets)))
	c.sum.Write([]byte{'\n'})
}

// Open begins a document. What is found is handed to to as it is found, but for what
// concerns the document as a whole. d and its form must not change while it is judged.
func (j *Judge) Open(d *Doc, to func(memory.Finding)) *Reading {
	return &Reading{judge: j, doc: d, kind: kindOf(d.Form), to: to}
}

// Piece judges the next piece of the document.
func (r *Reading) Piece(p Piece) {
	form := r.doc.Form
	switch {
	case p.InLine:
		r.parts(p)
	case form != nil && form.Lines && !form.Database:
		r.flush()
		r.lines(p)
	default:
		r.texts(p)
	}
}

// Done ends the document, and returns what concerns it as a whole to the reader. It is
// called also when not all of it was read.
func (r *Reading) Done() {
	r.flush()
	for _, t := range r.private {
		r.to(t.finding())
	}
	r.file()
}

// lines judges whole lines of JSON.
func (r *Reading) lines(p Piece) {
	for text := p.Text; text != ""; {
		line, rest, closed := strings.Cut(text, "\n")
		n := len(line)
		if closed {
			n++
			line = strings.TrimSuffix(line, "\r")
		}
		at := Piece{Line: p.Line, Column: p.Column, Offset: p.Offset}
		if strings.TrimSpace(line) != "" {
			r.line(line, at, closed)
		}
		if p.Offset += int64(n); p.Line > 0 {
			p.Line++
		}
		p.Column, text = 1, rest
	}
}

// line judges a line of JSON.
func (r *Reading) line(line string, at Piece, closed bool) {
	if rest, marked := strings.CutPrefix(line, byteOrderMark); marked && !r.begun {
		at.Offset += int64(len(line) - len(rest))
		line = rest // it is forgiven at the beginning, and no column
	}
	r.begun = true
	var rec *memory.Record
	decoded := func() *memory.Record {
		if rec == nil && r.doc.Form.Decode != nil {
			m := r.doc.Form.Decode(line, at.Line)
			rec = &m
		}
		return rec
	}
	found := r.judge.line(&r.kind, line, decoded)
	if found.unsound && r.doc.Form.Decode != nil {
		r.unsound(line, at, decoded(), closed)
	} else {
		r.values++
	}
	r.found(found, line, at, decoded)
	if r.Journal != nil && strings.Contains(line, mark) {
		r.redactedElsewhere(line, decoded(), at)
	}
}

// unsound counts a line that the form cannot decode. The last line of a file without
// its end may still be written.
func (r *Reading) unsound(line string, at Piece, rec *memory.Record, closed bool) {
	if rec.Flags&memory.FlagDamaged == 0 {
		r.values++
	} else if closed {
		r.lost.damaged.add(at, line, r.judge.values.SecretsInLine(line))
	}
}

// found hands over what was found in a line.
func (r *Reading) found(found *judged, line string, at Piece, decoded func() *memory.Record) {
	if len(found.finds) > 0 {
		rec := found.at(at.Line)
		if r.live { // it knows what becomes of it, which its line does not
			rec = outline(decoded())
		}
		recalled := r.recalled(rec)
		for i := range found.finds {
			r.to(r.placed(&found.finds[i], at, rec, recalled))
		}
	}
	for _, h := range found.private {
		r.tally(h, func() memory.Finding {
			f := r.judge.privateIn(line, h)
			return r.placed(&f, at, outline(decoded()), "")
		})
	}
}

// at returns what is known of the record when it stands in the line with that number.
func (j *judged) at(line int) *memory.Record {
	if j.record == nil {
		return nil
	}
	rec := *j.record
	if rec.ID == lineName(rec.Line) {
		rec.ID = lineName(line)
	}
	rec.Line = line
	return &rec
}

const byteOrderMark = "\ufeff"

// digest is so little of a digest that nobody can tell the text from others.
func digest(text string) uint16 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint16(sum[:])
}

// Doc is a document that is judged: a file, a version of one that git holds, what is
// staged of it, or a stream.
type Doc struct {
	// Path is as shown: relative or with ~ where that is shorter; with / between its
	// parts in a version that git holds; "-" for standard input.
	Path string
	// Store is the absolute path of a file with records; empty for other documents, and
	// for what does not lie on the disk as it was read.
	Store memory.StoreID
	// File is the absolute path of a file that was read as it lies in its folder; empty
	// for other documents.
	File string
	// Form is how memories lie in it; nil for a text that no product is known for.
	Form *system.Form

	// Commit is the full name of the oldest commit that holds this version; empty for
	// what is not from git. CommitTime is when it was made.
	Commit     string
	CommitTime time.Time
	// Nth is the place of the commit among those of its repository, the oldest being 1;
	// 0 when nobody knows. It tells commits of one second apart.
	Nth int

	Mode fs.FileMode // 0 when unknown, and for what is no file
	Git  memory.GitState
	// OnDisk is set for a file that was read as it lies in its folder.
	OnDisk bool
	// InDatabase is set for a text in a database. Reached is set for one that a redaction of
	// its record reaches.
	InDatabase, Reached bool
	// Message is set for the message of a commit or a tag.
	Message bool
	// Of is the record that the whole document belongs to; nil for none.
	Of *memory.Record
	// Siblings are the base names of the files in its folder, for those that are
	// left over beside it; nil when nobody looked.
	Siblings []string
}

// staged reports whether it is what the next commit would hold.
func (d *Doc) staged() bool { return !d.OnDisk && d.Commit == "" && d.Git == memory.GitTracked }

// Piece is a part of a document. Pieces come in the order of the document.
type Piece struct {
	Text string
	// Line and Column are of the first byte, from 1; the column is in bytes. Both are 0
	// for a place without lines.
	Line, Column int
	// Offset is of the first byte in the document; with Recoded, in the text that the
	// document was recoded to.
	Offset int64
	// InLine is set for a part of a line that is too long to come in one piece. Such
	// parts overlap.
	InLine bool
	// Recoded is set when the document is not UTF-8: Text is what it says.
	Recoded bool
}

// cut returns the bytes from start to end of a piece.
func (p Piece) cut(start, end int) Piece {
	before := p.Text[:start]
	p.Text = p.Text[start:end]
	p.Offset += int64(start)
	if p.Line == 0 {
		return p
	}
	if n := strings.Count(before, "\n"); n > 0 {
		p.Line += n
		p.Column = len(before) - strings.LastIndexByte(before, '\n')
	} else {
		p.Column += start
	}
	return p
}
