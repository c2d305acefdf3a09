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
	Path  Sum   `json:"path,omitempty"` // of its file; 0 when it is not known
	Lines []Sum `json:"lines"`
}

// Key returns a digest of all of it.
func (g *GivenLines) Key() Sum {
	b := binary.BigEndian.AppendUint64(nil, uint64(g.Path))
	for _, l := range g.Lines {
		b = binary.BigEndian.AppendUint64(b, uint64(l))
	}
	return SumOf(string(b))
}

// SessionFacts is what must be known of a session to say whether a record helped it. No text is in it.
type SessionFacts struct {
	Head  session.Head // which session; it is not kept
	State session.State
	Began time.Time
	At    time.Time // of its last line
	Given []GivenLines
	// Partly is set when more was given than is kept, so nobody can tell what was not given.
	Partly bool
}

// Whole reports whether all is known that the session was given: of records that are no lessons only
// where one text of a file is known.
func (f *SessionFacts) Whole(lessons bool) bool {
	return !f.Partly && (lessons || slices.ContainsFunc(f.Given, func(g GivenLines) bool { return g.Path != 0 }))
}

// mostLines is how many lines of the texts that a session was given are kept.
const mostLines = 4000

// Facts returns what is kept of a session.
func Facts(s *session.Session) SessionFacts {
	f := SessionFacts{Head: s.Head, Began: s.Began, At: s.Ended, State: s.State, Partly: s.GivenPartly}
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

// lineSums returns the digests of the lines of a text that are not blank, without the spaces around
// them.
func lineSums(text string) (sums []Sum) {
	for line := range strings.Lines(jstext.WellFormed(text)) {
		if line = strings.TrimSpace(line); line != "" {
			sums = append(sums, SumOf(line))
		}
	}
	return sums
}

// leastText is how many bytes a record must have that is looked for in its own words: shorter ones
// are found in texts that have nothing to do with it.
const leastText = 12

// A rendering is a record as it stands in a text that a session is given.
type rendering struct {
	record int
	path   Sum // of the file that the record stands in; 0 for a lesson, which is recalled from any text
	lines  []Sum
}

// renderingsOf returns how a record is given to a session: a lesson as its line in the block of a recall, as
// the agent writes it and as Winnow does, and any other record in its own words.
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
	for _, block := range []func([]prompt.Memory) (string, []prompt.Part, *memory.Problem){prompt.Block, prompt.Strict} {
		text, parts, problem := block(memories)
		if problem != nil {
			continue
		}
		all = append(all, rendering{i, 0, lineSums(text[strings.Index(text, "\n")+1 : parts[len(parts)-1].End])})
	}
	return all
}

// Index finds records in the texts that sessions were given, by their first line.
type Index map[Sum][]rendering

// IndexOf returns the index of records. Lessons is set when they are lessons.
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

// Recalled returns the indexes of the records that a session was given, in order. A record of several
// lines must stand in one text, line behind line.
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

// Weigh returns how the sessions of a project ended that were given each of the records, beside those
// that were not. Sessions that run, or whose end is not known, count nowhere. One that was given more
// than its files keep counts only for the records that they show; for records that are no lessons so does
// one that shows no text of a file, since not every version of an agent notes what it loads. Without a
// record is no session that could not be given it: the one that left it, and of a lesson those that began before it
// was made. The date of other records may be that of their file, which moves when they are edited.
func Weigh(records []memory.Record, lessons bool, sessions []SessionFacts) map[memory.ID]memory.Evidence {
	var all memory.Evidence // of sessions that show all that they were given, as if without any record
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
