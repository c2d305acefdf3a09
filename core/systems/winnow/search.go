package winnow

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/system"
)

const (
	saturation = 1.2 // k1 of BM25
	// titleWeight is how often a word of the title counts.
	titleWeight = 3
	// fewestDocuments is how many lessons a store is taken to have at least: in a store of two, no word is rare.
	fewestDocuments = 60
	// leastPoints is what a lesson needs to be found: one rare word, or several. A lesson that has all words of a
	// short task, such as "run the tests", needs leastOfAll.
	leastPoints  = 4.4
	leastOfAll   = 2.0
	mostAsked    = 2000 // bytes of a task that are read
	fewestOfWord = 2    // letters of a word that counts
)

// document is the text of a lesson that a task is compared with.
type document struct{ title, body string }

// found is a document that a task finds.
type found struct {
	index  int
	points float64
	words  []string // of the task
}

// search returns the documents that a task finds, best first, without the words that are left out. It compares stems,
// by BM25.
func search(documents []document, task string, without []string) (list []found) {
	if len(documents) == 0 {
		return nil
	}
	asked := usedWords(task, without)
	bags, spoken := bagsOf(documents, beginningsOf(asked))
	points := make([]float64, len(documents))
	hits := make([][]string, len(documents))
	for l := range lastLanguage + 1 {
		if !slices.Contains(spoken, l) {
			continue
		}
		query := stems(asked, l)
		for i, p := range system.BM25(query, bags, saturation)[:len(documents)] {
			if spoken[i] != l {
				continue
			}
			points[i] = p
			for at, stem := range query {
				if bags[i][stem] > 0 {
					hits[i] = append(hits[i], asked[at])
				}
			}
		}
	}
	for i, p := range points {
		if p >= leastPoints || len(hits[i]) == len(asked) && p >= leastOfAll {
			list = append(list, found{i, p, hits[i]})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.points, a.points) })
	return list
}

// askedWords returns the words of a task, as far as it is read.
func askedWords(task string) []string {
	return words(jstext.WellFormed(task[:min(len(task), mostAsked)]))
}

// usedWords returns the words of a task that are searched for, each once.
func usedWords(task string, without []string) (used []string) {
	for _, w := range askedWords(task) {
		if !saysNothing(w) && !slices.Contains(without, w) && !slices.Contains(used, w) && len(used) < lesson.WordCap {
			used = append(used, w)
		}
	}
	return used
}

// beginning is what a word and its stem have in common: the first letters, without the marks that a stem may lose.
func beginning(word string) (two [2]rune) {
	i := 0
	for _, r := range word {
		if at := strings.IndexRune("äöüéèêáíóú", r); at >= 0 {
			r = []rune("aoueeeaiou")[utf8.RuneCountInString("äöüéèêáíóú"[:at])]
		}
		if two[i] = r; i == 1 {
			break
		}
		i++
	}
	return two
}

func beginningsOf(words []string) map[[2]rune]bool {
	all := map[[2]rune]bool{}
	for _, w := range words {
		all[beginning(w)] = true
	}
	return all
}

// bagsOf returns how often each stem occurs in each document, and the language of each. Only words with one of the
// beginnings are brought to their stems; no other can be asked for. So that a word is rare in a small store too,
// there are more bags than documents then.
func bagsOf(documents []document, asked map[[2]rune]bool) (bags []map[string]int, spoken []language) {
	total := 0
	known := map[string]string{}
	for _, d := range documents {
		l, bag := languageOf(d.title+" "+d.body), map[string]int{}
		count := func(text string, weight int) {
			for _, w := range words(text) {
				total += weight
				if !asked[beginning(w)] {
					bag[""] += weight
					continue
				}
				key := string(rune('0'+l)) + w
				stem, ok := known[key]
				if !ok {
					stem = stems([]string{w}, l)[0]
					known[key] = stem
				}
				bag[stem] += weight
			}
		}
		count(d.title, titleWeight)
		count(d.body, 1)
		bags, spoken = append(bags, bag), append(spoken, l)
	}
	for len(bags) < fewestDocuments {
		bags = append(bags, map[string]int{"": total / len(documents)})
	}
	return bags, spoken
}

// words returns the words of a text in lower case: its runs of letters and digits, and the parts of identifiers
// beside the whole.
func words(text string) (list []string) {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) && r != '_' }) {
		parts := partsOf(run)
		if whole := strings.ToLower(strings.Trim(run, "_")); len(parts) > 1 && whole != "" {
			list = append(list, whole)
		}
		list = append(list, parts...)
	}
	return list
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// partsOf returns the words of an identifier in lower case: parse and Config of parseConfig, http and Client of
// HTTPClient.
func partsOf(name string) (parts []string) {
	if !strings.ContainsFunc(name, func(r rune) bool { return r == '_' || unicode.IsUpper(r) }) {
		return []string{name}
	}
	runes, begin := []rune(name), 0
	end := func(i int) {
		if part := strings.Trim(string(runes[begin:i]), "_"); part != "" {
			parts = append(parts, strings.ToLower(part))
		}
		begin = i
	}
	for i := 1; i < len(runes); i++ {
		rises := unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1])
		word := unicode.IsUpper(runes[i]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if rises || word || runes[i] == '_' {
			end(i)
		}
	}
	end(len(runes))
	return parts
}

// language is one whose words are brought to their stems.
type language uint8

const (
	inEnglish language = iota
	inFrench
	inGerman
	inRussian
	inSpanish
	lastLanguage = inSpanish
)

// languageOf guesses the language of a text by the letters that only some have.
func languageOf(text string) language {
	for _, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		switch r = unicode.ToLower(r); {
		case unicode.Is(unicode.Cyrillic, r):
			return inRussian
		case strings.ContainsRune("äöüß", r):
			return inGerman
		case strings.ContainsRune("ñ¿¡", r):
			return inSpanish
		case strings.ContainsRune("àâçèêîôûœ", r):
			return inFrench
		}
	}
	return inEnglish
}

// stems returns the stems of words in a language.
func stems(words []string, l language) []string {
	stem := [...]func(*snowballstem.Env) bool{english.Stem, french.Stem, german.Stem, russian.Stem, spanish.Stem}[l]
	out := make([]string, 0, len(words))
	for _, w := range words {
		env := snowballstem.NewEnv(w)
		stem(env)
		out = append(out, env.Current())
	}
	return out
}

// saysNothing reports whether a word of a task is left out of the search.
func saysNothing(word string) bool {
	return len([]rune(word)) < fewestOfWord || strings.Contains(emptyWords, " "+word+" ") || lesson.StopWord(word)
}

// emptyWords are words that stand in any task, beside those of [lesson.StopWord].
var emptyWords = " " + strings.Join(strings.Fields(emptyEnglish+emptyGerman+emptyFrench), " ") + " "

const (
	emptyEnglish = ` a all am an and any are as at be bit but by can cant change code did do does doesnt dont file files first
 fix for get got had has he help her here hey hi him his how i if in is it its last lets line lines list look looks lot
 me my name new nice no not now of off ok on one or our out own part per put read run s said say see seen set she show
 so t tell ten the to too try two up us use was way we who why work works write wrote yes you `
	emptyGerman = ` aber als am an auch auf aus bei bitte da das dass den der des die dies diese ein eine einem einen einer
 er es für hat ich im in ist mal mir mit nach nicht noch nun oder sie sind so um und uns unter vom von vor was wenn wie
 wir zu zum zur über `
	emptyFrench = ` au aux avec ce ces cette dans de des du elle en est et il je la le les leur lui ma mais me mes moi mon
 ne nos notre nous on ou par pas pour qu que qui sa se ses son sur ta te tes toi ton tu un une vos votre vous `
)
