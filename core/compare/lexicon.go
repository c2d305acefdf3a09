package compare

import (
	"slices"
	"strings"
	"sync"
)

// stem returns the word without its ending, and the one that stands for all that mean the
// same: "folders" and "directory" are "folder". The result is a key, and not always a word.
func (l *lexicon) stem(w string) string {
	if s, known := l.synonyms[w]; known {
		return s
	}
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' {
		w = w[:n-1]
		if strings.HasSuffix(w, "ie") && len(w) > 4 {
			w = w[:len(w)-2] + "y"
		} else if strings.HasSuffix(w, "sse") || strings.HasSuffix(w, "xe") || strings.HasSuffix(w, "she") || strings.HasSuffix(w, "che") {
			w = w[:len(w)-1]
		}
		if s, known := l.synonyms[w]; known {
			return s
		}
	}
	w = strings.TrimSuffix(w, "ly")
	for _, ending := range [...]string{"ing", "ed"} {
		if root, is := strings.CutSuffix(w, ending); is && len(root) >= 3 && strings.ContainsAny(root, "aeiouy") {
			w = root
			if n := len(w); w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
				w = w[:n-1]
			}
			break
		}
	}
	if n := len(w); n > 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if s, known := l.synonyms[w]; known {
		return s
	}
	return w
}

// lexicon is what is known of words. It is made once, when something is compared.
type lexicon struct {
	synonyms, opposites                  map[string]string
	silent, weak, denying, past, placing map[string]bool
	classes                              []class
	classOf                              map[string][]int
	phrases                              *strings.Replacer
	language                             *strings.Replacer // the one that is a verb in lower case
}

var lexiconOf = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		synonyms: pairs(synonyms), opposites: pairs(opposites), phrases: strings.NewReplacer(phrases...),
		language: strings.NewReplacer(" Go ", " golang ", " Go.", " golang.", " Go,", " golang,", " Go:", " golang:", " Go)", " golang)"),
	}
	l.silent, l.weak, l.denying = l.set(silent), l.set(weak), l.set(denying)
	l.past, l.placing = l.set(past), l.set(placing)
	l.classes, l.classOf = l.readClasses(choices)
	return l
})

func pairs(table string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(table) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, w := range strings.Fields(words) {
			m[w] = name
		}
		if name != "" {
			m[name] = name
		}
	}
	return m
}

// set is words by themselves, written with space between them.
func (l *lexicon) set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
		m[l.stem(w)] = true
	}
	return m
}

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

func (l *lexicon) readClasses(table string) (all []class, _ map[string][]int) {
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
