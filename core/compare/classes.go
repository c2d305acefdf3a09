package compare

import (
	"slices"
	"strings"
)

// A class is a set of values; a project chooses one: package managers, ways to merge.
type class struct {
	// free are words that belong to the choice, so that they do not tell one subject from
	// another when only one side has them.
	free map[string]bool
	// cue are words: one of them must be in the statement, as the values mean other things
	// too. Nil where they do not.
	cue map[string]bool
	// subject is set when the statements must share a word that tells what it is about.
	subject bool
}

func (l *lexicon) readClasses(table string) ([]class, map[string][]int) {
	var all []class
	of := map[string][]int{}
	for line := range strings.Lines(table) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) < 3 {
			continue
		}
		c := class{free: l.set(fields[1])}
		cue := strings.TrimSpace(fields[2])
		if rest, is := strings.CutPrefix(cue, "!"); is {
			c.subject, cue = true, strings.TrimSpace(rest)
		}
		if cue != "" {
			c.cue = l.set(cue)
		}
		for _, v := range strings.Fields(fields[0]) {
			if v = l.stem(v); !slices.Contains(of[v], len(all)) {
				of[v] = append(of[v], len(all))
			}
		}
		all = append(all, c)
	}
	return all, of
}
