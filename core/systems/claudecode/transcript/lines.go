package transcript

import (
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
