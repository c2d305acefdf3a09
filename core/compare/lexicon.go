package compare

import (
	"slices"
	"strings"
	"sync"
)

// stem returns a key for a word that is the same for all its forms and synonyms: "folders" and "directory"
// become "folder". The key is not always a word.
func (l *lexicon) stem(w string) string {
	if s, known := l.synonyms[w]; known {
		return s
	}
	w = singular(w)
	if s, known := l.synonyms[w]; known {
		return s
	}
	w = withoutTense(strings.TrimSuffix(w, "ly"))
	if n := len(w); n > 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if s, known := l.synonyms[w]; known {
		return s
	}
	return w
}

// singular returns a word without the s of its plural, or of a verb.
func singular(w string) string {
	n := len(w)
	if n <= 3 || w[n-1] != 's' || strings.ContainsRune("sui", rune(w[n-2])) {
		return w
	}
	w = w[:n-1]
	if strings.HasSuffix(w, "ie") && len(w) > 4 {
		return w[:len(w)-2] + "y"
	}
	for _, ending := range [...]string{"sse", "xe", "she", "che"} {
		if strings.HasSuffix(w, ending) {
			return w[:len(w)-1]
		}
	}
	return w
}

// withoutTense returns a word without "ing" or "ed", and without the letter that they double.
func withoutTense(w string) string {
	for _, ending := range [...]string{"ing", "ed"} {
		root, is := strings.CutSuffix(w, ending)
		if !is || len(root) < 3 || !strings.ContainsAny(root, "aeiouy") {
			continue
		}
		n := len(root)
		if root[n-1] == root[n-2] && !strings.ContainsRune("lsz", rune(root[n-1])) {
			return root[:n-1]
		}
		return root
	}
	return w
}

// lexicon holds the word tables. It is built once, at the first comparison.
type lexicon struct {
	synonyms, opposites                  map[string]string
	silent, weak, denying, past, placing map[string]bool
	classes                              []class
	classOf                              map[string][]int
	phrases                              *strings.Replacer
	language                             *strings.Replacer // marks the language Go, which is a verb in lower case
}

var lexiconOf = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		synonyms: pairs(synonyms), opposites: pairs(opposites), phrases: strings.NewReplacer(phrases...),
		language: strings.NewReplacer(
			" Go ",
			" golang ",
			" Go.",
			" golang.",
			" Go,",
			" golang,",
			" Go:",
			" golang:",
			" Go)",
			" golang)",
		),
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

// set returns a set of words and their stems, from a list separated by spaces.
func (l *lexicon) set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
		m[l.stem(w)] = true
	}
	return m
}

// class is a set of values of which a project chooses one, such as package managers or ways to merge.
type class struct {
	// free are words that belong to the choice. If only one side has them, they do not mean another
	// subject.
	free map[string]bool
	// cue are words of which the statement must have one, because the values also have other meanings.
	// Nil if they have none.
	cue map[string]bool
	// subject means that both statements must share a word that says what they are about.
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
