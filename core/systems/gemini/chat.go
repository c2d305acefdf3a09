package gemini

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/quietread"
	"winnow/core/session"
)

// Limits on what is read and kept of a session.
const (
	mostFile     = 1 << 30
	mostLine     = 64 << 20 // a longer line holds images
	mostOld      = 64 << 20 // for a file that is one object
	mostMessages = 20_000
)

// idIn returns the session ID that the beginning of a file names.
func idIn(text string) (id string) {
	_, _ = jstext.Scan(text, func(p jstext.Part) bool { // the beginning of an object, as far as it is complete
		if p.Key == `"sessionId"` {
			id = jstext.Text(p.Value)
		}
		return id == ""
	})
	return id
}

// record is one line, or the object in an old file.
type record struct {
	message
	SessionID string          `json:"sessionId"`
	StartTime string          `json:"startTime"`
	Kind      string          `json:"kind"`
	Folders   []string        `json:"directories"`
	Messages  []message       `json:"messages"`
	Set       *record         `json:"$set"`
	Rewind    string          `json:"$rewindTo"`
	Hash      json.RawMessage `json:"projectHash"`
}

// message is one message. Its texts are kept up to the length that a session keeps.
type message struct {
	ID        string `json:"id"`
	Timestamp string `json:"timestamp"`
	Type      string `json:"type"`
	Model     string `json:"model"`
	Content   texts  `json:"content"`
	Display   texts  `json:"displayContent"`
	Calls     []call `json:"toolCalls"`
}

// call is one tool call and its result.
type call struct {
	Name    string    `json:"name"`
	Args    arguments `json:"args"`
	Result  result    `json:"result"`
	Status  string    `json:"status"`
	At      string    `json:"timestamp"`
	Display texts     `json:"resultDisplay"`
}

// texts are the texts of a content field: a string, a part, or a list of parts.
type texts []string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *texts) UnmarshalJSON(b []byte) error {
	*t = slices.DeleteFunc(session.Texts(b), func(text string) bool { return text == "" })
	return nil
}

// arguments are kept as written, but shortened.
type arguments struct {
	text string
	// Path is the file a tool reads; its key depends on the version. Command is what the tool runs.
	Path, Command string
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *arguments) UnmarshalJSON(b []byte) error {
	var in struct {
		FilePath     string `json:"file_path"`
		AbsolutePath string `json:"absolute_path"`
		DirPath      string `json:"dir_path"`
		Path         string `json:"path"`
		Command      string `json:"command"`
	}
	session.Decode(b, &in)
	a.Path = cmp.Or(in.FilePath, in.AbsolutePath, in.DirPath, in.Path)
	a.text, a.Command = session.Cut(string(b)), session.Cut(in.Command)
	return nil
}

// result is what a tool gave back: its output or its error.
type result struct{ output, failure string }

// UnmarshalJSON implements [json.Unmarshaler].
func (r *result) UnmarshalJSON(b []byte) error {
	var list []struct {
		Response struct {
			Response struct{ Output, Error string }
		} `json:"functionResponse"`
	}
	if json.Unmarshal(b, &r.output) == nil {
		return nil
	}
	session.Decode(b, &list)
	for _, p := range list {
		r.output += p.Response.Response.Output
		r.failure += p.Response.Response.Error
	}
	return nil
}

// chat is the conversation built from the lines of a file.
type chat struct {
	s        session.Session
	messages []message
	at       map[string]int // index of a message by its ID
	from     string         // when it began
	// taken is the number of messages, from a request on, that Gemini CLI last took back without a
	// later one.
	taken int
}

// read implements [system.System.Session] for the time now.
func read(ctx context.Context, head session.Head, now time.Time) (session.Session, error) {
	f, err := quietread.Open(head.Path)
	if err != nil {
		return session.Session{}, quietread.Problem(err)
	}
	defer f.Close() // nothing is lost: it was only read
	head.System, head.Changed, head.Size = id, f.Info.ModTime(), f.Info.Size()
	c := &chat{s: session.Session{Head: head}, at: map[string]int{}}
	if filepath.Ext(head.Path) == ".json" {
		b, cut, readErr := f.ReadAtMost(mostOld)
		if err = readErr; cut {
			b = nil
		}
		c.line(b)
	} else {
		err = quietread.Lines(ctx, io.LimitReader(f, mostFile), mostLine, func(line []byte) bool {
			c.line(line)
			return true
		})
	}
	switch {
	case ctx.Err() != nil:
		return session.Session{}, ctx.Err()
	case err != nil:
		return session.Session{}, quietread.Problem(err)
	}
	return c.session(now), nil
}

// line reads one line. A nil line was too long.
func (c *chat) line(b []byte) {
	var r record
	if !c.s.DecodeLine(b, &r) {
		return
	}
	switch {
	case r.Rewind != "":
		c.rewind(r.Rewind)
	case r.ID != "":
		c.add(r.message)
	case r.Set != nil:
		if r.Set.SessionID != "" {
			c.s.Resumed = true
		}
		c.head(r.Set)
	case r.SessionID != "":
		c.head(&r)
	default:
		c.s.AddUnknown(strings.TrimSpace("line " + r.Type))
	}
}

// head reads what a record says about the session. Messages in the record replace all earlier ones.
func (c *chat) head(r *record) {
	c.s.ID = cmp.Or(r.SessionID, c.s.ID)
	c.from = cmp.Or(c.from, r.StartTime)
	if c.s.Folder == "" && len(r.Folders) > 0 && filepath.IsAbs(r.Folders[0]) {
		c.s.Folder = r.Folders[0]
	}
	c.s.Subagent = c.s.Subagent || r.Kind == "subagent"
	if r.Messages != nil && !c.takeBack(r.Messages) {
		c.messages, c.at = nil, map[string]int{}
		for _, m := range r.Messages {
			c.add(m)
		}
	}
}

// takeBack reports whether the replacing messages are those before a request. Then the model
// refused the request, or the person stopped the work on it. What happened is kept.
func (c *chat) takeBack(left []message) bool {
	n := len(left)
	if n >= len(c.messages) || c.messages[n].Type != "user" || len(c.messages[n].Content) == 0 {
		return false
	}
	for i := range left {
		if left[i].ID != c.messages[i].ID {
			return false
		}
	}
	c.taken = len(c.messages) - n
	return true
}

// add adds a message, or replaces the one with its id.
func (c *chat) add(m message) {
	c.taken = 0
	for _, t := range [...]texts{m.Content, m.Display} {
		for i := range t {
			t[i] = session.Cut(t[i])
		}
	}
	for i := range m.Calls {
		k := &m.Calls[i]
		k.Result.failure = session.Cut(k.Result.failure)
	}
	if i, known := c.at[m.ID]; known {
		c.messages[i] = m
		return
	}
	if len(c.messages) == mostMessages { // the first holds the task
		c.messages = slices.Delete(c.messages, 2, mostMessages/2)
		clear(c.at)
		for i := range c.messages {
			c.at[c.messages[i].ID] = i
		}
	}
	c.at[m.ID] = len(c.messages)
	c.messages = append(c.messages, m)
}

// rewind takes back a message and everything after it, since the agent no longer knows of them. An
// unknown ID takes back everything.
func (c *chat) rewind(id string) {
	from := c.at[id]
	for _, m := range c.messages[from:] {
		delete(c.at, m.ID)
	}
	c.messages = c.messages[:from]
}
