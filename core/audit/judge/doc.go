// Package judge turns what was read into findings: pieces of documents that an audit
// streams, and the records of a store that is open. It is pure: it opens nothing, and
// asks nobody for the time.
package judge

import (
	"io/fs"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

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
