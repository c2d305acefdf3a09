package lesson

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"winnow/core/memory"
)

// File is what the file system and git know of a store.
type File struct {
	Mode fs.FileMode // 0 when unknown
	Git  memory.GitState
	// Beyond is the number of records past those that an agent reads, for stores
	// that were not shown to the Loader whole.
	Beyond int
}

// nearlyUnused is how few lessons that can still leave make a full store nearly
// frozen.
const nearlyUnused = 5

// Health returns the health report of a store: what l met when it loaded, what t
// counted in the records, and the state of the file. A store without faults has
// one line that says so. Worse lines come first.
func Health(l *List, t *Tally, f File) []memory.Health {
	var out []memory.Health
	for _, lines := range [][]memory.Health{
		stopHealth(l, t), lossHealth(l, f), capHealth(l), privacyHealth(t, f), oddHealth(l, t),
	} {
		out = append(out, lines...)
	}
	slices.SortStableFunc(out, func(a, b memory.Health) int { return cmp.Compare(b.Level, a.Level) })
	if len(out) == 0 {
		out = append(out, memory.Health{
			Code: "good", Level: memory.Good,
			What: fmt.Sprintf("%s held of %d, nothing to report", count(l.Len(), "lesson"), Cap),
		})
	}
	return out
}

// stopHealth reports what an agent cannot work with.
func stopHealth(l *List, t *Tally) []memory.Health {
	var out []memory.Health
	if p := l.problem; p != nil {
		lines := Lines{}
		for line, fate := range l.fate {
			if fate == fateStops {
				lines.Add(line)
			}
		}
		out = append(out, of(p.Code, memory.Stop, lines,
			"an agent with memory on dies when it starts: "+p.What, p.Hint))
	}
	if n := t.NoText; n.Count > 0 {
		out = append(out, of(CodeNoText, memory.Stop, n,
			count(n.Count, "lesson")+" without a text: every session fails while planning",
			"winnow repair gives each a text, or drops the line"))
	}
	if n := t.NoOutcome; n.Count > 0 {
		out = append(out, of(CodeOddOutcome, memory.Warn, n,
			count(n.Count, "lesson")+" whose outcome is not a text: a session that recalls one fails",
			"winnow repair gives each an outcome that is a text"))
	}
	if odd := oddDate(l.lessons); odd != nil && l.Len() >= Cap {
		lines := Lines{}
		lines.Add(odd.Line)
		out = append(out, of(CodeOddDate, memory.Warn, lines,
			"the next session may fail to store its lesson: a date to sort by is not a text",
			"winnow repair makes a text of it"))
	}
	return out
}

// lossHealth reports the lines that the agent's next save loses.
func lossHealth(l *List, f File) []memory.Health {
	var out []memory.Health
	if n := l.stats.Damaged; n.Count > 0 {
		out = append(out, of(CodeDamaged, memory.Warn, n,
			count(n.Count, "line")+" cannot be decoded and will be lost at the agent's next save",
			"mend what is worth keeping: winnow edit ID --raw; drop the rest: winnow repair"))
	}
	n := l.stats.Beyond
	if n.Count = max(n.Count, f.Beyond); n.Count > 0 {
		out = append(out, of("beyond", memory.Warn, n,
			fmt.Sprintf("%s beyond the %d that an agent loads: not used, and lost at its next save",
				count(n.Count, "line"), LoadCap),
			"make room for the ones worth keeping: winnow prune --unused"))
	}
	if n := l.stats.Pruned; n.Count > 0 && l.problem == nil {
		out = append(out, of("pruned", memory.Note, n,
			fmt.Sprintf("%s pruned when an agent loads next: %d days old and never recalled, or no lesson",
				count(n.Count, "line"), PruneDays),
			"to keep one: winnow edit ID --set relevance_count=1"))
	}
	return out
}

// capHealth reports how much room is left.
func capHealth(l *List) []memory.Health {
	held, unused := l.Len(), l.Unused()
	switch {
	case l.problem != nil:
		return nil
	case held > Cap:
		return []memory.Health{of("over-cap", memory.Warn, Lines{Count: held - Cap + 1},
			fmt.Sprintf("%d lessons are held: the next one cuts them to %d, and %d leave at once",
				held, Cap, held-Cap+1),
			fmt.Sprintf("to choose what leaves: winnow prune --keep %d", Cap-1))}
	case held == Cap && unused == 0:
		return []memory.Health{of("frozen", memory.Warn, Lines{},
			fmt.Sprintf("frozen: all %d lessons were recalled at least once, so a new one leaves at once", Cap),
			"lower the counts that help least: winnow unfreeze; or delete what no longer helps: winnow rm ID")}
	case held >= Cap-nearlyUnused && unused <= nearlyUnused:
		return []memory.Health{of("nearly-frozen", memory.Note, Lines{},
			fmt.Sprintf("nearly frozen: %d of %d lessons, and only %d of them can make room", held, Cap, unused),
			fmt.Sprintf("make room: winnow prune --keep %d", Cap-2*nearlyUnused))}
	}
	return nil
}

// privacyHealth reports what should not be seen, or not be believed, by others.
func privacyHealth(t *Tally, f File) []memory.Health {
	var out []memory.Health
	if n := t.Secrets; n.Count > 0 {
		out = append(out, of("secrets", memory.Warn, n,
			count(n.Count, "line")+" with something that looks like a secret",
			"revoke what is real, then: winnow redact --filter flag:S"))
	}
	if n := t.Injections; n.Count > 0 {
		out = append(out, of("injection", memory.Warn, n,
			count(n.Count, "line")+" with hidden text, a heading or a delimiter that reaches the prompt",
			"read each: winnow show ID --raw; delete what you do not trust: winnow rm ID"))
	}
	if perm := f.Mode.Perm(); perm&0o077 != 0 {
		out = append(out, of("mode", memory.Note, Lines{},
			fmt.Sprintf("other users of this machine can %s the file (mode %04o)", access(perm), perm),
			"chmod 600 the file; the agent's next save makes it readable again, so close the folder too"))
	}
	if f.Git == memory.GitTracked {
		out = append(out, of("git-tracked", memory.Note, Lines{},
			"git tracks the file: its lessons are shared with the repository",
			"if that is not meant: git rm --cached it, and name it in .gitignore"))
	}
	return out
}

func access(perm fs.FileMode) string {
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

// oddHealth reports what works and is not as an agent writes it.
func oddHealth(l *List, t *Tally) []memory.Health {
	var out []memory.Health
	if n := t.Duplicates; n.Count > 0 {
		out = append(out, of("duplicate-ids", memory.Note, n,
			count(n.Count, "line")+" with an id that an earlier line has",
			"delete each copy by its line: winnow rm :LINE"))
	}
	if n := t.OddDates; n.Count > 0 {
		out = append(out, of("odd-dates", memory.Note, n,
			count(n.Count, "line")+" with a date that is not written as the agent writes it: it sorts and ages as text",
			"write it like 2026-01-31T12:00:00.000Z: winnow edit ID --raw"))
	}
	if n := t.OddCounts; n.Count > 0 {
		out = append(out, of("odd-counts", memory.Note, n,
			count(n.Count, "line")+" whose relevance count is not a whole number",
			"set it: winnow edit ID --set relevance_count=0"))
	}
	if n := t.PrunesSoon; n.Count > 0 && l.problem == nil {
		out = append(out, of("prunes-soon", memory.Note, n,
			count(n.Count, "lesson")+" will be pruned within 3 days unless recalled",
			"to keep one: winnow edit ID --set relevance_count=1"))
	}
	return out
}

func of(code string, level memory.Level, lines Lines, what, next string) memory.Health {
	return memory.Health{
		Code: code, Level: level, What: what, Next: next,
		Lines: lines.First, Count: lines.Count,
	}
}

// count returns a number with its noun: "1 line", "2 lines".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
