package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"time"

	"winnow/core/quietread"
	"winnow/core/session"
)

// Limits of what is read of a transcript.
const (
	MostRead = 1 << 30  // bytes of a file; more of it is not read
	mostLine = 32 << 20 // bytes of a line; a longer one holds images or files
)

// lines calls each for the lines of the transcript at path until each returns false. The bytes are
// valid only during the call. A line that is too long is passed as nil. The error is the context's,
// or a *memory.Problem.
func lines(ctx context.Context, path string, each func(line []byte) (more bool)) error {
	f, err := quietread.Open(path)
	if err != nil {
		return quietread.Problem(err)
	}
	defer f.Close() // nothing was written
	err = quietread.Lines(ctx, io.LimitReader(f, MostRead), mostLine, each)
	if err != nil && ctx.Err() == nil {
		return quietread.Problem(err)
	}
	return err
}

// plenty is the size in bytes from which a line is looked through for members that nobody reads.
const plenty = 16 << 10

// withoutData returns a line without the values of its members called data, which hold what a subagent
// or a command said so far and can be most of a transcript. A line that is not well formed comes back as
// it is.
func withoutData(b []byte) []byte {
	if len(b) < plenty {
		return b
	}
	var short []byte
	depth, kept, from := 0, 0, -1 // from is where the value of such a member begins
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := stringEnd(b, i)
			if end < 0 {
				return b
			}
			rest := bytes.TrimLeft(b[end:], " \t")
			if depth == 1 && from < 0 && string(b[i:end]) == `"data"` && len(rest) > 0 && rest[0] == ':' {
				from = len(b) - len(rest) + 1
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']', ',':
			if b[i] != ',' {
				depth--
			}
			if from < 0 || depth > 1 || depth == 1 && b[i] != ',' {
				continue
			}
			short = append(append(short, b[kept:from]...), '0')
			kept, from = i, -1
		}
	}
	if short == nil || depth != 0 || from >= 0 {
		return b
	}
	return append(short, b[kept:]...)
}

// stringEnd returns the index behind the string that begins at b[at], or -1 if it does not end.
func stringEnd(b []byte, at int) int {
	for i := at + 1; i < len(b); i++ {
		next := bytes.IndexByte(b[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		before := bytes.TrimRight(b[at+1:i], `\`)
		if escapes := i - at - 1 - len(before); escapes%2 == 0 {
			return i + 1
		}
	}
	return -1
}

// line holds the members of a transcript line that are read.
type line struct {
	Type, Subtype, UUID, Timestamp string
	Cwd, SessionID, Version        string

	IsSidechain, IsMeta, IsCompactSummary, IsAPIErrorMessage bool

	CustomTitle, Title, AITitle, Summary, LeafUUID string

	Message struct {
		Role, Model string
		StopReason  string `json:"stop_reason"`
		Content     json.RawMessage
	}
	Origin        origin
	Attachment    attachment
	ToolUseResult json.RawMessage
	Shape         struct{ System json.RawMessage }
}

// origin says who wrote a text.
type origin struct{ Kind string }

// at returns the time at which the line was written.
func (l *line) at() time.Time { return session.Time(l.Timestamp) }

// header returns what the line says about the session.
func (l *line) header() Header {
	return Header{Folder: l.Cwd, Session: l.SessionID, Version: l.Version, Began: l.at()}
}
