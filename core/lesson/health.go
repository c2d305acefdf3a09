package lesson

import (
	"cmp"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"winnow/core/memory"
)

// File is what the file system and git know about a store.
type File struct {
	Mode fs.FileMode // 0 when unknown
	Git  memory.GitState
	// Beyond is the number of records past those that an agent reads. It is for stores that the
	// Loader did not see in full.
	Beyond int
}

// nearlyUnused is the number of evictable lessons at or below which a full store counts as nearly
// frozen.
const nearlyUnused = 5

// fault is a kind of health line that counts lines of the store.
type fault struct {
	code             string
	level            memory.Level
	noun, what, next string // what is counted, what is wrong with it, and what to do next
}

// faults are in the order of the report. Lines that stop the agent come before them.
var faults = []fault{
	{codeNoText, memory.Stop, "lesson", "without a text: every session fails while planning",
		"winnow repair gives each a text, or drops the line"},
	{CodeOddOutcome, memory.Warn, "lesson", "whose outcome is not a text: a session that recalls one fails",
		"winnow repair gives each an outcome that is a text"},
	{CodeDamaged, memory.Warn, "line", "will be lost at the agent's next save: damaged",
		"mend what is worth keeping: winnow edit ID --raw; drop the rest: winnow repair"},
	{
		"beyond",
		memory.Warn,
		"line",
		fmt.Sprintf("beyond the %d that an agent loads: lost at its next save", LoadCap),
		"make room for the ones worth keeping: winnow prune --unused",
	},
	{
		"pruned",
		memory.Note,
		"line",
		fmt.Sprintf("pruned when an agent loads next: %d days old and never recalled, or no lesson", PruneDays),
		"to keep one: winnow edit ID --set relevance_count=1",
	},
	{"secrets", memory.Warn, "line", "with what looks like a secret",
		"revoke what is real, then: winnow redact --filter flag:secret"},
	{"injection", memory.Warn, "line", "with orders to the model, or hidden text",
		"read each: winnow show ID --raw; delete what you do not trust: winnow rm ID"},
	{"duplicate-ids", memory.Note, "line", "with the same id as an earlier line",
		"delete each copy by its line: winnow rm :LINE"},
	{"odd-dates", memory.Note, "line", "with a date in another form: it sorts and ages as text",
		"write it like 2026-01-31T12:00:00.000Z: winnow edit ID --raw"},
	{"odd-counts", memory.Note, "line", "whose relevance count is not a whole number",
		"set it: winnow edit ID --set relevance_count=0"},
	{"prunes-soon", memory.Note, "lesson", "will be pruned within 3 days unless recalled",
		"to keep one: winnow edit ID --set relevance_count=1"},
}

// Health returns the health report of a store, worst lines first: what l met while loading, what t
// counted in the records, and the state of the file. A store without faults gets one line that says
// so.
func Health(l *List, t *Tally, f File) []memory.Health {
	met := map[string]Lines{CodeDamaged: l.stats.Damaged, "beyond": l.stats.Beyond}
	if n := met["beyond"]; f.Beyond > n.Count {
		met["beyond"] = Lines{Count: f.Beyond, First: n.First}
	}
	if l.problem == nil {
		met["pruned"] = l.stats.Pruned
	}
	out := stopHealth(l)
	for _, fault := range faults {
		n := met[fault.code]
		if counted := t.lines[fault.code]; counted != nil && (fault.code != "prunes-soon" || l.problem == nil) {
			n = *counted
		}
		if n.Count > 0 {
			out = append(
				out,
				line(fault.code, fault.level, n, memory.Counted(n.Count, fault.noun)+" "+fault.what, fault.next),
			)
		}
	}
	out = append(append(out, roomHealth(l)...), fileHealth(f)...)
	slices.SortStableFunc(out, func(a, b memory.Health) int { return cmp.Compare(b.Level, a.Level) })
	if len(out) == 0 {
		out = append(out, memory.Health{
			Code: "good", Level: memory.Good,
			What: fmt.Sprintf("%s held of %d, nothing to report", memory.Counted(l.Len(), "lesson"), Cap),
		})
	}
	return out
}

// stopHealth reports what makes an agent stop when it loads the store or adds to it.
func stopHealth(l *List) []memory.Health {
	var out []memory.Health
	if p := l.problem; p != nil {
		lines := Lines{}
		for line, fate := range l.fate {
			if fate == fateStops {
				lines.Add(line)
			}
		}
		out = append(
			out,
			line(p.Code, memory.Stop, lines, "the agent dies when it starts: "+p.What, p.Hint),
		)
	}
	if odd := oddDate(l.lessons); odd != nil && l.Len() >= Cap {
		lines := Lines{}
		lines.Add(odd.Line)
		out = append(out, line(codeOddDate, memory.Warn, lines,
			"the next session may not store its lesson: a date is not a text",
			"winnow repair turns it into text"))
	}
	return out
}

// roomHealth reports how much room is left.
func roomHealth(l *List) []memory.Health {
	held, unused := l.Len(), l.Unused()
	switch {
	case l.problem != nil:
		return nil
	case held > Cap:
		return []memory.Health{line("over-cap", memory.Warn, Lines{Count: held - Cap + 1},
			fmt.Sprintf("%d lessons held: at the next one %d leave at once", held, held-Cap+1),
			fmt.Sprintf("to choose what leaves: winnow prune --keep %d", Cap-1))}
	case held == Cap && unused == 0:
		return []memory.Health{line("frozen", memory.Warn, Lines{},
			fmt.Sprintf("frozen: all %d lessons were recalled, and a new one leaves at once", Cap),
			"lower the counts that help least: winnow repair; or delete what no longer helps: winnow rm ID")}
	case held >= Cap-nearlyUnused && unused <= nearlyUnused:
		return []memory.Health{line("nearly-frozen", memory.Note, Lines{},
			fmt.Sprintf("nearly frozen: only %d of %d lessons can make room", unused, held),
			fmt.Sprintf("make room: winnow prune --keep %d", Cap-2*nearlyUnused))}
	}
	return nil
}

// fileHealth reports who else can read or change the file.
func fileHealth(f File) []memory.Health {
	var out []memory.Health
	if perm := f.Mode.Perm(); memory.OthersMay(runtime.GOOS, perm) != 0 {
		out = append(out, line("mode", memory.Note, Lines{},
			fmt.Sprintf("other users of this machine can %s the file (mode %04o)", accessText(perm), perm),
			"chmod 600 the file; the agent's next save makes it readable again, so restrict the folder too"))
	}
	if f.Git == memory.GitTracked {
		out = append(out, line("git-tracked", memory.Note, Lines{},
			"git tracks the file: its lessons are shared with the repository",
			"if that is not intended: git rm --cached it, and add it to .gitignore"))
	}
	return out
}

func accessText(perm fs.FileMode) string {
	var can []string
	if perm&0o044 != 0 {
		can = append(can, "read")
	}
	if perm&0o022 != 0 {
		can = append(can, "write")
	}
	if len(can) == 0 {
		return "execute"
	}
	return strings.Join(can, " and ")
}

func line(code string, level memory.Level, lines Lines, what, next string) memory.Health {
	return memory.Health{Code: code, Level: level, What: what, Next: next, Lines: lines.First, Count: lines.Count}
}

// Tally counts faulty records of a store. Pass it each record, after List.Mark, in the order of the
// store. The zero Tally is ready to use.
type Tally struct{ lines map[string]*Lines }

// Add counts one record.
func (t *Tally) Add(r *memory.Record) {
	t.note(r, "duplicate-ids", r.Flags&memory.FlagDuplicate != 0)
	t.note(r, "secrets", r.Flags&memory.FlagSecret != 0)
	t.note(r, "injection", r.Flags&memory.FlagInjection != 0)
	t.note(r, "prunes-soon", r.Flags&memory.FlagPrunesSoon != 0)
	code := ""
	if r.Problem != nil {
		code = r.Problem.Code
	}
	stops := r.Flags&memory.FlagStops != 0
	t.note(r, codeNoText, stops && code == codeNoText)
	t.note(r, CodeOddOutcome, stops && code == CodeOddOutcome)
	if Undecoded(r) || code == CodeTooLong {
		return // there are no fields to judge
	}
	t.note(r, "odd-dates", !Regular(r.Created) || r.Used.Text != "" && !Regular(r.Used))
	t.note(r, "odd-counts", r.Count.Odd != "")
}

// Undecoded reports whether a record is a line in which there is no lesson: it is not JSON, or not an object.
func Undecoded(r *memory.Record) bool {
	noObject := r.Problem != nil && (r.Problem.Code == CodeNullLine || r.Problem.Code == CodeNotLesson)
	return noObject || r.Flags&memory.FlagDamaged != 0
}

func (t *Tally) note(r *memory.Record, code string, faulty bool) {
	if !faulty {
		return
	}
	if t.lines == nil {
		t.lines = map[string]*Lines{}
	}
	if t.lines[code] == nil {
		t.lines[code] = &Lines{}
	}
	t.lines[code].Add(r.Line)
}
