package learn

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/session"
)

// Sum is a digest of a line or a path.
type Sum uint64

// SumOf returns the digest of a text.
func SumOf(text string) Sum {
	sum := sha256.Sum256([]byte(text))
	return Sum(binary.BigEndian.Uint64(sum[:]))
}

// GivenLines is a text that a session was given, as digests of its lines.
type GivenLines struct {
	Path  Sum   `json:"path,omitempty"` // of its file; 0 if unknown
	Lines []Sum `json:"lines"`
}

// Key returns a digest of all its lines and its path.
func (g *GivenLines) Key() Sum {
	b := binary.BigEndian.AppendUint64(nil, uint64(g.Path))
	for _, l := range g.Lines {
		b = binary.BigEndian.AppendUint64(b, uint64(l))
	}
	return SumOf(string(b))
}

// SessionFacts is what must be known about a session to say whether a record helped it. It contains
// no text.
type SessionFacts struct {
	Head  session.Head // the session; not stored
	State session.State
	Began time.Time
	At    time.Time // time of its last line
	Given []GivenLines
	// Opened are the Markdown files that it read with a tool.
	Opened []Sum
	// Partly is set when the session was given more than is kept, so that nobody can tell what it
	// was not given.
	Partly bool
}

// Whole reports whether everything that the session was given is known. For records that are not
// lessons, the session must also show at least one text of a known file.
func (f *SessionFacts) Whole(lessons bool) bool {
	return !f.Partly && (lessons || slices.ContainsFunc(f.Given, func(g GivenLines) bool { return g.Path != 0 }))
}

// mostLines is the number of lines to keep of the texts that a session was given.
const mostLines = 4000

// Facts returns what to keep of a session.
func Facts(s *session.Session) SessionFacts {
	f := SessionFacts{Head: s.Head, Began: s.Began, At: s.Ended, State: s.State, Partly: s.GivenPartly}
	for _, path := range s.Opened {
		f.Opened = append(f.Opened, SumOf(path))
	}
	left := mostLines
	for _, g := range s.Given {
		lines := lineSums(g.Text)
		if len(lines) > left {
			f.Partly = true
			break
		}
		left -= len(lines)
		given := GivenLines{Lines: lines}
		if g.Path != "" {
			given.Path = SumOf(g.Path)
		}
		f.Given = append(f.Given, given)
	}
	return f
}

// lineSums returns the digests of the non-blank lines of a text, without surrounding spaces.
func lineSums(text string) (sums []Sum) {
	for line := range strings.Lines(jstext.WellFormed(text)) {
		if line = strings.TrimSpace(line); line != "" {
			sums = append(sums, SumOf(line))
		}
	}
	return sums
}

// leastText is the minimum length in bytes of a record that is searched for by its own words.
// Shorter ones occur in unrelated texts.
const leastText = 12

// A rendering is a record as it appears in a text given to a session.
type rendering struct {
	record int
	path   Sum // of the record's file; 0 for a lesson, which any text may recall
	lines  []Sum
}

// renderingsOf returns the ways in which a session is given a record: a lesson as its line in a
// recall block, in the agent's form and in Winnow's, and any other record in its own words.
func renderingsOf(i int, r *memory.Record, lessons bool) (all []rendering) {
	if r.Problem != nil {
		return nil
	}
	if !lessons {
		if len(strings.TrimSpace(r.Body)) < leastText {
			return nil
		}
		return []rendering{{i, SumOf(r.File), lineSums(r.Body)}}
	}
	memories := []prompt.Memory{prompt.MemoryOf(r.Title, string(r.Outcome), r.Body)}
	type render func([]prompt.Memory) (string, []prompt.Part, *memory.Problem)
	for _, block := range [...]render{prompt.Block, prompt.Strict} {
		text, parts, problem := block(memories)
		if problem != nil {
			continue
		}
		all = append(all, rendering{i, 0, lineSums(text[strings.Index(text, "\n")+1 : parts[len(parts)-1].End])})
	}
	return all
}

// Index finds records by their first line in the texts that sessions were given.
type Index map[Sum][]rendering

// IndexOf returns the index of records. Set lessons if they are lessons.
func IndexOf(records []memory.Record, lessons bool) Index {
	x := Index{}
	for i := range records {
		for _, g := range renderingsOf(i, &records[i], lessons) {
			if len(g.lines) > 0 {
				x[g.lines[0]] = append(x[g.lines[0]], g)
			}
		}
	}
	return x
}

// Recalled returns the indexes of the records that a session was given, in order. All lines of a
// record must occur in one text, one after the other.
func (x Index) Recalled(f SessionFacts) (found []int) {
	for _, given := range f.Given {
		for at, line := range given.Lines {
			for _, g := range x[line] {
				elsewhere := g.path != 0 && given.Path != 0 && g.path != given.Path
				rest := given.Lines[at:]
				if !elsewhere && len(rest) >= len(g.lines) && slices.Equal(rest[:len(g.lines)], g.lines) {
					found = append(found, g.record)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Weigh compares, for each record, the outcomes of the project's sessions that were given it with
// those that were not. It ignores sessions that are running or whose end is unknown.
//
// A session was certainly not given a record only if its files show everything that it was given
// (see [SessionFacts.Whole]); not every agent version records what it loads. It also does not count
// as one without the record if it could not have been given it: because it left the record itself,
// or because it began before the lesson was made. For other records that date does not count, since
// it may be the date of their file, which moves when they are edited.
func Weigh(records []memory.Record, lessons bool, sessions []SessionFacts) map[memory.ID]memory.Evidence {
	var all memory.Evidence // of sessions that show everything they were given, counted as if none was given a record
	found := make([]memory.Evidence, len(records))
	x := IndexOf(records, lessons)
	for _, f := range sessions {
		well := 0
		switch f.State {
		case session.Succeeded:
			well = 1
		case session.Failed, session.Aborted:
		default:
			continue
		}
		whole := 1
		if !f.Whole(lessons) {
			whole = 0
		}
		all.Without, all.SucceededWithoutIt = all.Without+whole, all.SucceededWithoutIt+whole*well
		recalled := x.Recalled(f)
		for i := range records {
			r := &records[i]
			_, given := slices.BinarySearch(recalled, i)
			if given {
				found[i].Recalled++
				found[i].Succeeded += well
			}
			if given || r.Session != "" && r.Session == f.Head.ID || lessons && f.Began.Before(r.Created.Time) {
				found[i].Without -= whole
				found[i].SucceededWithoutIt -= whole * well
			}
		}
	}
	byID := map[memory.ID]memory.Evidence{}
	for i, e := range found {
		e.Without += all.Without
		e.SucceededWithoutIt += all.SucceededWithoutIt
		byID[records[i].ID] = e
	}
	return byID
}
