package source

import (
	"bufio"
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errOdd reports output of git that does not match its documentation.
var errOdd = errors.New("git answers in a form that is not known")

// File modes in git's index and trees.
const (
	modeKind   = 0o170000
	modeFile   = 0o100000
	modeLink   = 0o120000
	modeModule = 0o160000
)

// listed is a line of git ls-files -t -s.
type listed struct {
	other bool // not in the index
	mode  uint32
	stage byte // '0', or a side of a conflict
	id    string
	path  string // relative to the queried folder, separated by /
}

// parseListed parses "H 100644 <id> 0\t<path>" or "? <path>".
func parseListed(line []byte) (listed, error) {
	if path, ok := bytes.CutPrefix(line, []byte("? ")); ok {
		return listed{other: true, path: string(path)}, nil
	}
	head, path, ok := bytes.Cut(line, []byte{'\t'})
	f := strings.Split(string(head), " ")
	if !ok || len(f) != 4 || len(f[3]) != 1 || !isID(f[2]) {
		return listed{}, errOdd
	}
	mode, err := parseMode(f[1])
	return listed{mode: mode, stage: f[3][0], id: f[2], path: string(path)}, err
}

func parseMode(text string) (uint32, error) {
	mode, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		return 0, errOdd
	}
	return uint32(mode), nil
}

// isID reports whether a text is the full name of an object.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// isNull reports whether an object name means "no object".
func isNull(id string) bool { return strings.Trim(id, "0") == "" }

// changed is one change in git's raw format: what a path holds afterwards.
type changed struct {
	mode   uint32
	id     string
	status string // one letter for each parent
	path   string
}

// rawReader parses the output of git log --raw -z and git diff --raw -z: a commit, then its
// changes, each followed by a path, then the next commit.
type rawReader struct {
	commit string
	time   time.Time
	begun  func() // called for each commit; may be nil
	each   func(changed)

	change *changed // the change whose path comes next
}

// logFormat makes git log start each commit as rawReader expects.
const logFormat = "--format=tformat:%H %ct"

// parse parses the next text.
func (r *rawReader) parse(text []byte) (err error) {
	if c := r.change; c != nil {
		c.path, r.change = string(text), nil
		r.each(*c)
		return nil
	}
	switch text := strings.TrimPrefix(string(text), "\n"); {
	case text == "":
	case text[0] == ':':
		r.change, err = parseChanged(text)
	default:
		err = r.parseCommit(text)
	}
	return err
}

func (r *rawReader) parseCommit(text string) error {
	id, seconds, ok := strings.Cut(text, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || err != nil || !isID(id) {
		return errOdd
	}
	r.commit, r.time = id, time.Unix(at, 0).UTC()
	if r.begun != nil {
		r.begun()
	}
	return nil
}

// parseChanged parses ":100644 100644 <id> <id> M". Each further parent adds a colon, a mode and an
// ID.
func parseChanged(text string) (*changed, error) {
	parents := len(text) - len(strings.TrimLeft(text, ":"))
	f := strings.Split(text[parents:], " ")
	if len(f) != 2*parents+3 || !isID(f[2*parents+1]) {
		return nil, errOdd
	}
	mode, err := parseMode(f[parents])
	return &changed{mode: mode, id: f[2*parents+1], status: f[2*parents+2]}, err
}

// header is what git cat-file prints before the content of an object.
type header struct {
	id, kind string
	size     int64
	missing  bool
}

// parseHeader parses "<id> blob 120" or "<id> missing", without the line end.
func parseHeader(line string) (header, error) {
	f := strings.Split(line, " ")
	switch {
	case len(f) == 2 && f[1] == "missing":
		return header{id: f[0], missing: true}, nil
	case len(f) != 3 || !isID(f[0]):
		return header{}, errOdd
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return header{}, errOdd
	}
	return header{id: f[0], kind: f[1], size: size}, nil
}

// messageHead is the data in the lines of a commit or tag before its message.
type messageHead struct {
	commit string    // named by a tag; empty for a commit, and for a tag of anything else
	time   time.Time // when it was made; zero if it does not say
}

// readMessageHead reads a commit or tag up to its message.
func readMessageHead(in *bufio.Reader) (h messageHead) {
	object := ""
	for {
		line, err := in.ReadSlice('\n')
		text := strings.TrimSuffix(string(line), "\n")
		for errors.Is(err, bufio.ErrBufferFull) {
			text = "cut" // a cut name could be mistaken for a whole one
			_, err = in.ReadSlice('\n')
		}
		if err != nil || text == "" {
			return h
		}
		switch name, rest, _ := strings.Cut(text, " "); name {
		case "object":
			object = rest
		case "type":
			if rest == "commit" && isID(object) {
				h.commit = object
			}
		case "committer", "tagger":
			h.time = timeOfPerson(rest)
		}
	}
}

// timeOfPerson parses the time in "A B <a@b> 1700000000 +0100". It is zero if there is none.
func timeOfPerson(text string) time.Time {
	_, when, _ := strings.Cut(text[strings.LastIndexByte(text, '<')+1:], "> ")
	when, _, _ = strings.Cut(when, " ")
	seconds, err := strconv.ParseInt(when, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// locationOf returns the location of a path that git printed. It is false for a path that would lead out
// of dir or into git's own folder.
func locationOf(dir, path string) (string, bool) {
	local := filepath.FromSlash(path)
	if !filepath.IsLocal(local) {
		return "", false
	}
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, ".git") {
			return "", false
		}
	}
	return filepath.Join(dir, local), true
}
