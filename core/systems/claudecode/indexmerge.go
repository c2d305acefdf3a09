package claudecode

import (
	"maps"
	"slices"
	"strings"

	"winnow/core/system"
)

// indexEdit is what an edit did to the lines of an index, by the file that they name.
type indexEdit struct {
	removed, added map[string]string
}

// editOf compares two states of an index. It is false when they differ in other lines
// than those that name one file each.
func editOf(base, mine string) (indexEdit, bool) {
	e := indexEdit{removed: map[string]string{}, added: map[string]string{}}
	before, after := counted(base), counted(mine)
	note := func(from, other map[string]int, into map[string]string) bool {
		for line, n := range from {
			if n <= other[line] {
				continue
			}
			file, ok := namedBy(line)
			if !ok || n > 1 || into[file] != "" {
				return false
			}
			into[file] = line
		}
		return true
	}
	ok := note(before, after, e.removed) && note(after, before, e.added)
	return e, ok && len(e.removed)+len(e.added) > 0
}

// namedBy returns the one file that a line of an index names.
func namedBy(line string) (string, bool) {
	all := targets(line)
	if len(all) != 1 {
		return "", false
	}
	file := linked(all[0])
	return file, file != ""
}

// settleIndex merges what an edit did to the lines of an index into another state of it.
// It is false when the edit is of another kind.
func settleIndex(base, mine, theirs string) (merged string, s system.Relation, ok bool) {
	e, ok := editOf(base, mine)
	if !ok {
		return "", 0, false
	}
	now := map[string]string{}
	for line := range strings.Lines(theirs) {
		if file, one := namedBy(line); one {
			now[file] = withoutEnd(line)
		}
	}
	merged = theirs
	for _, file := range slices.Concat(slices.Sorted(maps.Keys(e.removed)), slices.Sorted(maps.Keys(e.added))) {
		was, came, there := e.removed[file], e.added[file], now[file]
		switch {
		case there == came: // gone from both, or the same in both
		case was == "" && there != "": // another line names it by now, which does as well
		case was == "":
			s, merged = max(s, system.Reverted), placed(merged, mine, came)
		case there == "":
			s = system.Diverged // they took away what the edit changed
		case came == "":
			s, merged = max(s, system.Reverted), without(merged, file)
		case there == was:
			s, merged = max(s, system.Reverted), strings.Replace(merged, was, came, 1)
		default:
			s, merged = system.Diverged, strings.Replace(merged, there, came, 1)
		}
	}
	return merged, s, true
}

// placed puts a line of one state of an index into another: behind the line that is above
// it there, or else behind the last one that names a file.
func placed(text, from, line string) string {
	above := ""
	for l := range strings.Lines(from) {
		if l = withoutEnd(l); l == line {
			break
		}
		if strings.TrimSpace(l) != "" {
			above = l
		}
	}
	return inserted(text, line, above)
}
