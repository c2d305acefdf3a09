package lessonfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// report collects what the health report of a store is made from.
type report struct {
	list    *lesson.List
	read    int // records that an agent reads, including those it cannot decode
	tally   lesson.Tally
	tooLong lesson.Lines
	nul     lesson.Lines
	waiting lesson.Lines // not approved by anybody
	damaged lesson.Lines // without a lesson
	// approving is set if agents are given only what was approved.
	approving bool
}

func (p *report) add(r *memory.Record) {
	p.tally.Add(r)
	if r.RawCut() {
		p.tooLong.Add(r.Line)
	}
	if lesson.Undecoded(r) {
		p.damaged.Add(r.Line)
	} else if r.Flags&memory.FlagUnseen != 0 {
		p.waiting.Add(r.Line)
	}
	if strings.IndexByte(r.Raw, 0) >= 0 {
		p.nul.Add(r.Line)
	}
}

// describe sets what a snapshot says about the store as a whole.
func (p *report) describe(snap *memory.Snapshot) {
	snap.Damaged = p.damaged.Count
	snap.Held, snap.Unused = p.list.Len(), p.list.Unused()
	health := lesson.Health(p.list, &p.tally, lesson.File{Mode: snap.Mode, Git: snap.Git, Beyond: p.countBeyond(snap)})
	own := p.ownHealth(snap)
	if len(own) > 0 {
		health = slices.DeleteFunc(health, func(h memory.Health) bool { return h.Level == memory.Good })
	}
	health = append(own, health...)
	slices.SortStableFunc(health, func(a, b memory.Health) int { return cmp.Compare(b.Level, a.Level) })
	snap.Health = health
}

// countBeyond returns the number of records past those that an agent reads.
func (p *report) countBeyond(snap *memory.Snapshot) int {
	if p.list.Stats().Parsed < lesson.LoadCap {
		return 0
	}
	return snap.Total - p.read
}

// ownHealth returns the health lines that only the reader of the file can know.
func (p *report) ownHealth(snap *memory.Snapshot) []memory.Health {
	if snap.Size > tooLarge {
		return []memory.Health{system.When(
			true,
			"too-large",
			memory.Stop,
			0,
			fmt.Sprintf(
				"the file has %d MiB: an agent can read at most 512, "+
					"so it starts with no lessons and replaces the file when a session ends",
				snap.Size>>20,
			),
			"while no agent runs, move the file away and keep the lines that are worth it",
		)}
	}
	limit := cmp.Or(overLimit(snap.Size, snap.Total), &memory.Problem{})
	return system.Report(
		"",
		system.When(
			limit.Code != "" && !snap.Partial,
			limit.Code,
			memory.Warn,
			0,
			fmt.Sprintf(
				"the first %d of %d lessons are shown, and nothing can be changed: "+
					"a store of more than %d MiB or %d lessons is not held in memory",
				len(snap.Records),
				snap.Total,
				maxSize>>20,
				maxRecords,
			),
			limit.Hint,
		),
		onLines(
			p.tooLong,
			"too-long",
			memory.Warn,
			countLines(p.tooLong, "longer than 1 MiB: not read here, although an agent reads them"),
			"look at them with another program; a lesson of that size is probably a mistake",
		),
		onLines(
			p.heldBack(),
			"damaged",
			memory.Warn,
			countLines(p.damaged, "without a lesson: damaged, so no agent is given anything of them"),
			"mend what is worth keeping: winnow edit ID --raw; drop the rest: winnow repair",
		),
		onLines(
			p.waiting,
			"unapproved",
			memory.Note,
			memory.Noun{
				One:  "lesson",
				Many: "lessons",
			}.Count(
				p.waiting.Count,
			)+" without an approval that holds on this machine: no agent is given them",
			"approve or reject them: winnow inbox",
		),
		system.When(
			p.approving && snap.Size > mostServed,
			"beyond-served",
			memory.Warn,
			0,
			fmt.Sprintf(
				"agents are given lessons only out of the first %d MiB of this file, which has %d MiB",
				mostServed>>20,
				snap.Size>>20,
			),
			"look where its lines come from: a full store has a tenth of that; take out what nobody needs",
		),
		onLines(
			p.nul,
			"nul-bytes",
			memory.Warn,
			countLines(p.nul, "with NUL bytes: a crash cut the file off, or it is not a lesson store"),
			"compare with a copy of the file; the agent skips these lines and loses them at its next save",
		),
	)
}

// heldBack returns the damaged lines of a store of which agents are given what was approved. The agent of any other
// store reads them itself, and the engine says what becomes of them.
func (p *report) heldBack() lesson.Lines {
	if p.approving {
		return p.damaged
	}
	return lesson.Lines{}
}

// countLines returns "N line(s)" followed by what.
func countLines(l lesson.Lines, what string) string {
	return memory.Noun{One: "line", Many: "lines"}.Count(l.Count) + " " + what
}

// onLines returns a health line about lines of the file, if there are any.
func onLines(l lesson.Lines, code string, level memory.Level, what, next string) memory.Health {
	h := system.When(l.Count > 0, code, level, l.Count, what, next)
	h.Lines = l.First
	return h
}
