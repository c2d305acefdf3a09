package transcript

import (
	"bufio"
	"context"
	"errors"
	"io"

	"winnow/core/quietread"
)

// What is read of a transcript: at once, and at the most.
const (
	fileRead = 64 << 10
	MostRead = 1 << 30  // bytes of a file; more of it is not read
	mostLine = 32 << 20 // bytes of a line; a longer one holds images or files
)

// lines calls each for the lines of the transcript at path, of which it reads most bytes, until
// each returns false. The bytes are valid until then. Lines that are too long are left out. The
// error is that of the context, or a *memory.Problem.
func lines(ctx context.Context, path string, once int, most int64, each func(line []byte) (more bool)) error {
	f, err := quietread.Open(path)
	if err != nil {
		return quietread.Problem(err)
	}
	defer f.Close() // nothing was written
	r := bufio.NewReaderSize(io.LimitReader(f, most), once)
	var long []byte
	for ctx.Err() == nil {
		line, size, err := quietread.ReadLine(ctx, r, &long, mostLine)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !errors.Is(err, io.EOF):
			return quietread.Problem(err)
		case size > mostLine:
			line = nil
		}
		if !each(line) || err != nil {
			return nil
		}
	}
	return ctx.Err()
}

// line has the members of a line of a transcript that are read, as they are spelled.
type line struct {
	folder, session, version, at         []byte
	kind, uuid, subtype, side            []byte
	message, result, origin, attachment  []byte
	meta, compactSummary, apiError, leaf []byte
	title, shape                         []byte
}

// wanted returns where the members of a line go.
func (l *line) wanted() []wanted {
	return []wanted{
		{"cwd", &l.folder}, {"sessionId", &l.session}, {"version", &l.version}, {"timestamp", &l.at},
		{"type", &l.kind}, {"uuid", &l.uuid}, {"subtype", &l.subtype}, {"isSidechain", &l.side},
		{"message", &l.message}, {"toolUseResult", &l.result}, {"origin", &l.origin}, {"attachment", &l.attachment},
		{"isMeta", &l.meta}, {"isCompactSummary", &l.compactSummary}, {"isApiErrorMessage", &l.apiError}, {"leafUuid", &l.leaf},
		{"customTitle", &l.title}, {"aiTitle", &l.title}, {"summary", &l.title}, {"title", &l.title},
		{"shape", &l.shape},
	}
}

// setHeader sets what the line says of the session; of its beginning only when that is not
// known yet.
func (l *line) setHeader(h *Header) {
	if l.folder != nil {
		h.Folder = text(l.folder)
	}
	if l.session != nil {
		h.Session = text(l.session)
	}
	if l.version != nil {
		h.Version = text(l.version)
	}
	if h.Began.IsZero() {
		h.Began = moment(l.at)
	}
}

// begin makes the header of a transcript that of the first line which names a folder.
func (l *line) begin(h *Header) {
	if h.Folder != "" || len(l.folder) == 0 {
		return
	}
	first := Header{Began: h.Began}
	if l.setHeader(&first); first.Folder != "" {
		*h = first
	}
}

// lineReader reads one line after the other.
type lineReader struct {
	line
	members []wanted
}

// next reads a line, and reports whether it is a whole object.
func (r *lineReader) next(b []byte) bool {
	if r.members == nil {
		r.members = r.line.wanted()
	}
	r.line = line{}
	return read(b, r.members...)
}
