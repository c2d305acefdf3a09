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

// Reading judges one document. It must be used by one goroutine only.
type Reading struct {
	// Approved reports whether a person approved the words of a record on this machine. It may be nil.
	Approved func(r *memory.Record) bool
	// Journal returns the texts that the journal beside a store has for a record. It is nil if no
	// journal was read.
	Journal func(r *memory.Record) []string

	judge *Judge
	doc   *Doc
	kind  lineKind
	to    func(memory.Finding)

	live    bool // records come from an open store and know their own state
	values  int  // JSON values so far, which is what an agent counts as records
	beyond  int  // records beyond those an agent loads, as the records say themselves
	begun   bool
	private []*privateTally
	lost    losses
	long    splitLine
	landed  blocks
}

// losses are the lines that a system does not read as they are.
type losses struct {
	damaged, tooLong count
}

// count counts lines. It keeps the beginning of the first one to show, and a digest of the
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

// Open begins a document. It passes each finding to `to` as soon as it is found, except those on
// the document as a whole. d and its form must not change meanwhile.
func (j *Judge) Open(d *Doc, to func(memory.Finding)) *Reading {
	if d.Again {
		all := to
		to = func(f memory.Finding) {
			if f.Family != memory.FamilySecret {
				all(f)
			}
		}
	}
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

// Done ends the document and reports the findings on it as a whole. It must be called even if the
// document was not read to its end.
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
		if strings.TrimSpace(strings.Trim(line, "\x00")) != "" { // zeros are what a crash lost
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
		line = rest // a byte order mark is tolerated at the beginning and takes no column
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
	if found.notJSON && r.doc.Form.Decode != nil {
		r.countUndecoded(line, at, decoded(), closed)
	} else {
		r.values++
	}
	r.reportLine(found, line, at, decoded)
	if r.Journal != nil && strings.Contains(line, mark) {
		r.redactedElsewhere(line, decoded(), at)
	}
}

// countUndecoded counts a line that the form cannot decode. A last line without a line end may still be
// incomplete.
func (r *Reading) countUndecoded(line string, at Piece, rec *memory.Record, closed bool) {
	if rec.Flags&memory.FlagDamaged == 0 {
		r.values++
	} else if closed {
		r.lost.damaged.add(at, line, r.judge.values.SecretsInLine(line))
	}
}

// reportLine reports what was found in a line.
func (r *Reading) reportLine(found *lineResult, line string, at Piece, decoded func() *memory.Record) {
	if len(found.matches) > 0 {
		rec := found.recordAt(at.Line)
		if r.live { // the record knows its own state; its line does not
			rec = placement(decoded())
		}
		recalled := r.recalled(rec)
		for i := range found.matches {
			f := r.findingOf(&found.matches[i], at, rec, recalled)
			r.lowerApproved(&f, decoded)
			r.to(f)
		}
	}
	for _, h := range found.private {
		r.countPrivate(h, func() memory.Finding {
			f := r.judge.privateIn(line, h)
			return r.findingOf(&f, at, placement(decoded()), "")
		})
	}
}

// lowerApproved makes a note of a place to read whose words a person approved here. Evidence stays evidence.
func (r *Reading) lowerApproved(f *memory.Finding, decoded func() *memory.Record) {
	if f.Severity == memory.Medium && r.Approved != nil && r.Approved(decoded()) {
		f.Severity = memory.Low
		f.Why = "A person approved these words on this machine. " + f.Why
	}
}

// recordAt returns the data of the record, for the given line number.
func (j *lineResult) recordAt(line int) *memory.Record {
	if j.record == nil {
		return nil
	}
	rec := *j.record
	if rec.ID == memory.LineID(rec.Line) {
		rec.ID = memory.LineID(line)
	}
	rec.Line = line
	return &rec
}

const byteOrderMark = "\ufeff"

// digest returns a digest that is too short to identify the text.
func digest(text string) uint16 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint16(sum[:])
}

// Doc is a document to judge: a file, a version of a file in git, a staged version, or a stream.
type Doc struct {
	// Path is the path as shown: relative or with ~ if that is shorter. In a version from git it is
	// separated by /. Standard input is "-".
	Path string
	// Store is the absolute path of a file with records. It is empty for other documents, and for
	// what was not read from the disk.
	Store memory.StoreID
	// File is the absolute path of a file that was read from its folder; empty for other documents.
	File string
	// Within is the path of File in its repository or the audited folder; empty for other documents.
	Within string
	// Form says how memories are stored in it; nil for a text of no known product.
	Form *system.Form

	// Commit is the full name of the oldest commit that holds this version, and CommitTime its
	// time. Commit is empty if the document is not from git.
	Commit     string
	CommitTime time.Time
	// Nth is the position of the commit among those of its repository, from 1 for the oldest; 0 if
	// unknown. It orders commits of the same second.
	Nth int

	Mode fs.FileMode // 0 if unknown or not a file
	Git  memory.GitState
	// OnDisk is set for a file that was read from its folder.
	OnDisk bool
	// Packed is set for a file that was unpacked to be read: nothing in it is replaced in place.
	Packed bool
	// InDatabase is set for a text in a database, and Reached if a redaction of its record reaches
	// that text.
	InDatabase, Reached bool
	// Message is set for the message of a commit or tag.
	Message bool
	// SecretsOnly is set for a text that no agent reads: nothing but secrets is looked for. Again is set
	// if the same text was read so by another name, so that secrets need not be reported.
	SecretsOnly, Again bool
	// Of is the record that the whole document belongs to; nil for none.
	Of *memory.Record
	// Siblings are the base names of the files in its folder, used to find left-over files. It is
	// nil if the folder was not listed.
	Siblings []string
}

// staged reports whether the document is a staged version that the next commit would contain.
func (d *Doc) staged() bool { return !d.OnDisk && d.Commit == "" && d.Git == memory.GitTracked }

// Piece is a part of a document. Pieces arrive in the order of the document.
type Piece struct {
	Text string
	// Line and Column, both from 1, are the position of the first byte; the column counts bytes.
	// Both are 0 for a document without lines.
	Line, Column int
	// Offset is the offset of the first byte in the decoded document.
	Offset int64
	// InLine is set for a part of a line that is too long for one piece. Such parts overlap.
	InLine bool
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
