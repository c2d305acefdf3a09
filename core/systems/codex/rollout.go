package codex

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"

	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/zstd"
)

// The most that is read of a file, after decompression.
const (
	mostFile   = 1 << 30
	mostLine   = 32 << 20 // a longer line holds images
	mostHead   = 1 << 20  // of the first line, for a listing
	mostWindow = 32 << 20 // memory for decompression
)

// file is an open session file.
type file struct {
	*quietread.File
	packed bool
	close  func()
}

// open opens a plain or compressed file and returns a reader of its contents.
func open(path string) (*file, io.Reader, error) {
	in, err := quietread.Open(path)
	if err != nil {
		return nil, nil, err
	}
	f := &file{File: in, close: func() { _ = in.Close() }} // nothing is lost: it was only read
	if !strings.HasSuffix(path, packed) {
		return f, io.LimitReader(in, mostFile), nil
	}
	f.packed = true
	return f, io.LimitReader(zstd.NewReader(in, mostWindow), mostFile), nil
}

// read implements [system.System.Session] for the time now. isOpen reports whether a Codex process
// has the file open.
func read(ctx context.Context, head session.Head, now time.Time, isOpen func() bool) (session.Session, error) {
	f, in, err := open(head.Path)
	if err != nil {
		return session.Session{}, quietread.Problem(err)
	}
	defer f.close()
	head.System, head.Changed, head.Size = id, f.Info.ModTime(), f.Info.Size()
	r := newReader(head)
	err = quietread.Lines(ctx, in, mostLine, func(line []byte) bool {
		r.line(line)
		return true
	})
	switch {
	case ctx.Err() != nil:
		return session.Session{}, ctx.Err()
	case err != nil && f.packed:
		r.s.AddUnknown("compressed data that cannot be read")
	case err != nil:
		return session.Session{}, quietread.Problem(err)
	}
	return r.session(now, isOpen), nil
}

// line is one line. The oldest versions wrote only the payload.
type line struct {
	Timestamp, Type string
	Payload         json.RawMessage
}

// payload holds the fields that are read from payloads of all types.
type payload struct {
	Type, ID, Role, Name, Namespace, Status, Reason, Model, Cwd, Stderr string

	Timestamp    string
	SessionID    string `json:"session_id"`
	Version      string `json:"cli_version"`
	Source       json.RawMessage
	ThreadSource json.RawMessage `json:"thread_source"`
	ForkedFrom   string          `json:"forked_from_id"`
	Instructions json.RawMessage
	RecordType   string `json:"record_type"`
	MemoryMode   string `json:"memory_mode"`

	CallID     string `json:"call_id"`
	Arguments  json.RawMessage
	Input      json.RawMessage
	Output     json.RawMessage
	Action     json.RawMessage
	Content    json.RawMessage
	Message    json.RawMessage
	Result     json.RawMessage
	Success    *bool
	NumTurns   int    `json:"num_turns"`
	ExitCode   *int   `json:"exit_code"`
	Aggregated string `json:"aggregated_output"`
	Error      struct{ Message string }
	Invocation struct {
		Server, Tool string
		Arguments    json.RawMessage
	}
	Function struct{ Name string }
	Item     item
	Passed   passedParts `json:"internal_chat_message_metadata_passthrough"`
}

// passedParts is what newer versions say about the parts of a message.
type passedParts struct {
	Kinds []string `json:"content_item_kinds"`
	Parts []struct {
		Provenance struct {
			Type string
			Hook bool
		}
	} `json:"content_item_metadata"`
}

// item is the content of an item_completed line.
type item struct {
	Type, ID, Status, Server, Tool string

	ExitCode  *int   `json:"exit_code"`
	Output    string `json:"aggregated_output"`
	Stderr    string
	Content   json.RawMessage
	Fragments json.RawMessage
	Path      string
	Commands  []struct{ Type, Path string } `json:"parsed_cmd"`
	Error     struct{ Message string }
}

// jsonText returns the content of a JSON string, and any other value as written.
func jsonText(b json.RawMessage) string {
	var text string
	if json.Unmarshal(b, &text) == nil {
		return text
	}
	return string(b)
}
