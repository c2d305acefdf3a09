package karnevil9

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// report is what the health of a store is told from.
type report struct {
	list    *lesson.List
	read    int // records that an agent reads, with those it cannot decode
	tally   lesson.Tally
	tooLong lesson.Lines
	nul     lesson.Lines
}

func (p *report) add(r *memory.Record) {
	p.tally.Add(r)
	if r.RawCut() {
		p.tooLong.Add(r.Line)
	}
	if strings.IndexByte(r.Raw, 0) >= 0 {
		p.nul.Add(r.Line)
	}
}

// describe sets what a snapshot says about the store as a whole.
func (p *report) describe(snap *memory.Snapshot) {
	snap.Held, snap.Unused = p.list.Len(), p.list.Unused()
	health := lesson.Health(p.list, &p.tally, lesson.File{Mode: snap.Mode, Git: snap.Git, Beyond: p.beyond(snap)})
	own := p.own(snap)
	if len(own) > 0 {
		health = slices.DeleteFunc(health, func(h memory.Health) bool { return h.Level == memory.Good })
	}
	health = append(own, health...)
	slices.SortStableFunc(health, func(a, b memory.Health) int { return cmp.Compare(b.Level, a.Level) })
	snap.Health = health
}

// beyond returns how many records stand past those that an agent reads.
func (p *report) beyond(snap *memory.Snapshot) int {
	if p.list.Stats().Parsed < lesson.LoadCap {
		return 0
	}
	return snap.Total - p.read
}

// own returns what only the reader of the file knows.
func (p *report) own(snap *memory.Snapshot) []memory.Health {
	var out []memory.Health
	if snap.Size > tooLarge {
		return append(out, memory.Health{
			Code: "too-large", Level: memory.Stop,
			What: fmt.Sprintf("the file has %d MiB: an agent can read no more than 512, starts with no lessons and replaces the file when a session ends", snap.Size>>20),
			Next: "while no agent runs, move the file away and keep the lines of it that are worth it",
		})
	}
	if limit := overLimit(snap.Size, snap.Total); limit != nil && !snap.Partial {
		out = append(out, memory.Health{
			Code: limit.Code, Level: memory.Warn, Next: limit.Hint,
			What: fmt.Sprintf("the first %d of %d lessons are shown, and nothing can be changed: a store of more than %d MiB or %d lessons is not held whole",
				len(snap.Records), snap.Total, maxSize>>20, maxRecords),
		})
	}
	if n := p.tooLong; n.Count > 0 {
		out = append(out, memory.Health{
			Code: "too-long", Level: memory.Warn, Lines: n.First, Count: n.Count,
			What: fmt.Sprintf("lines longer than 1 MiB: %d; they are not read here, and an agent reads them", n.Count),
			Next: "look at them with another program; a lesson of that size is hardly meant",
		})
	}
	if n := p.nul; n.Count > 0 {
		out = append(out, memory.Health{
			Code: "nul-bytes", Level: memory.Warn, Lines: n.First, Count: n.Count,
			What: fmt.Sprintf("lines with NUL bytes: %d; the file was cut off by a crash or is no lesson store", n.Count),
			Next: "compare with a copy of the file; the agent skips these lines and loses them at its next save",
		})
	}
	return out
}
