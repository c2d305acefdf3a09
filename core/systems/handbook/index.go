package handbook

import (
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

const indexHead = `# Memory index

Notes this agent chose to remember, one file per fact. These are the
agent's own past observations, not project ground truth. Treat them as
fallible and verify against .AGENTS/ and the live system before acting.

`

const nothing = "(empty)" // the line of an empty index

// index returns the index of the memories as the agent writes it.
func index(notes []note) string {
	lines := make([]string, 0, len(notes))
	for _, n := range notes {
		lines = append(lines, line(n))
	}
	return indexOf(lines)
}

// indexOf returns an index with these memory lines.
func indexOf(lines []string) string {
	if len(lines) == 0 {
		lines = []string{nothing}
	}
	return indexHead + strings.Join(lines, "\n") + "\n"
}

// line returns a memory's line in the index. Its link is derived from the name, so it is broken if
// the file is called something else.
func line(n note) string {
	return "- [" + n.name + "](" + n.name + ".md) (" + n.kind + ") -- " + n.description
}

// links returns the files that an index names, in order.
func links(index string) (all []string) {
	for l := range strings.Lines(index) {
		if !strings.HasPrefix(l, "- [") {
			continue
		}
		_, rest, ok := strings.Cut(l, "](")
		file, _, closed := strings.Cut(rest, ")")
		if ok && closed {
			all = append(all, file)
		}
	}
	return all
}

// mergeIndex applies to theirs what changes did to the lines of an index. It keeps a line that
// another writer has made for the same file since.
func mergeIndex(made memory.Forms, theirs string) (merged string, settled system.Relation) {
	if !strings.HasPrefix(theirs, indexHead) {
		return theirs, system.Diverged
	}
	mine, now := entries(made.Mine()), entries(theirs)
	var out, in []string
	for _, c := range made {
		before, after := entries(c.Before), entries(c.After)
		out = append(out, linesWithout(before, after)...)
		in = append(in, linesWithout(after, before)...)
	}
	lines := linesWithout(now, linesWithout(out, mine))
	for _, l := range linesWithout(in, lines) {
		newer := slices.ContainsFunc(lines, func(their string) bool { return fileOf(their) == fileOf(l) })
		if slices.Contains(mine, l) && !newer && !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	if len(linesWithout(lines, now))+len(linesWithout(now, lines)) == 0 {
		return theirs, system.Kept
	}
	slices.SortStableFunc(lines, func(a, b string) int { return jstext.Compare(fileOf(a), fileOf(b)) })
	return indexOf(lines), system.Reverted
}

// linesWithout returns the lines that are not among others.
func linesWithout(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(others, l) })
}

// entries returns the index lines that are about memories.
func entries(index string) []string {
	body, _ := strings.CutPrefix(index, indexHead)
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	return slices.DeleteFunc(lines, func(l string) bool { return l == nothing || l == "" })
}

// fileOf returns the file that an index line names.
func fileOf(line string) string {
	if all := links(line); len(all) > 0 {
		return all[0]
	}
	return ""
}

// pinned returns the block of memories that begins every run, and the position of each memory in
// it. The block is empty if there are none.
func pinned(notes []note) (text string, at [][2]int) {
	if len(notes) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("<memory>\n")
	for _, n := range notes {
		start := b.Len()
		b.WriteString("- " + n.name + " (" + n.kind + "): " + n.description)
		at = append(at, [2]int{start, b.Len()})
		b.WriteByte('\n')
	}
	b.WriteString(blockEnd)
	return b.String(), at
}

// The text around the pinned block, and the text if there is no block.
const (
	beforePinned = "You keep a durable memory across sessions. The entries below are notes you saved on earlier runs, one line each. They are your own past observations, not project ground truth: treat them as fallible, prefer the pinned .AGENTS/ context when they conflict, and verify against the live system before acting. Call memory_search to pull the full text of a relevant entry. Call memory_write to save a new durable fact when you learn one that is stable and reusable.\n\n"
	noPinned     = "You keep a durable memory across sessions. It is currently empty. Call memory_write to save a stable, reusable fact when you learn one. Do not save things that only matter for the current task."
)

// section returns the part of the system prompt about memories, and the position of each memory in
// it.
func section(notes []note) (text string, at [][2]int) {
	block, at := pinned(notes)
	if block == "" {
		return noPinned, nil
	}
	for i := range at {
		at[i][0] += len(beforePinned)
		at[i][1] += len(beforePinned)
	}
	return beforePinned + block, at
}
