package detect

import (
	"strings"
	"unicode/utf8"
)

// read appends the words of the sentence text[from:to] to words, with what they mean.
func (v *wordBook) read(words []saidWord, text string, from, to int) []saidWord {
	clause := true
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case spacelessRune(r):
			end := i
			for end < to && (spacelessRune(r) || r == ' ') {
				end += n
				r, n = utf8.DecodeRuneInString(text[end:])
			}
			words = v.readRuns(words, text, i, end)
			i = end
			continue
		case r <= ' ', r >= 0x3000 && r < 0x3040, r >= 0xFF00 && r < 0xFF20:
			clause = clause || r > ' '
			i += n
			continue
		}
		end := i
		for end < to && text[end] > ' ' {
			if text[end] >= 0xE1 {
				if r, _ := utf8.DecodeRuneInString(text[end:]); spacelessRune(r) || r >= 0x3000 && r < 0x3040 || r >= 0xFF00 && r < 0xFF20 {
					break
				}
			}
			if end++; text[end-1] == '>' || end < to && text[end] == '<' && end > i+1 && text[end-1] != '=' && text[end-1] != '/' {
				break
			}
		}
		start, stop := bare(text, i, end)
		if start < stop {
			w := saidWord{start: start, end: stop, clause: clause || strings.Contains(text[i:start], "(")}
			label := strings.IndexByte(text[stop:end], ':') >= 0
			w.opens = !label && (w.clause || spacelessBefore(text[:i]) || strings.ContainsAny(text[i:start], "\"'`*[>#|"))
			w.word = lowered(text[start:stop])
			words = append(words, w)
			if w.word[0] <= '9' || v.possible(w.word) != 0 {
				v.mean(words)
			}
			if last := &words[len(words)-1]; last.means&v.speaker != 0 && (strings.ContainsAny(text[i:start], "[<#") || stop < end && strings.IndexByte(":]>", text[stop]) >= 0) {
				last.means |= v.role
			}
			if label && hasAnySuffix(w.word, "-key;-token;-secret") {
				words[len(words)-1].means |= v.bit["auth"] // a header that a service asks for
			}
			clause = false
		}
		clause = clause || start >= stop || strings.ContainsAny(text[stop:end], ",;:!?)") || strings.HasPrefix(text[stop:end], ".")
		i = end
	}
	v.phrasesIn(words)
	v.negate(words)
	return words
}

// spacelessBefore reports whether a text ends with a letter of a script without spaces, ignoring
// trailing spaces.
func spacelessBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " "))
	return spacelessRune(r)
}

// lowered returns a word in lower case.
func lowered(word string) string {
	if run(word, 0, lower) == len(word) {
		return word
	}
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// lowerASCII returns s with ASCII letters in lower case. The length stays the same.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// bare returns the range of a word without the marks around it.
func bare(text string, start, end int) (int, int) {
	if is(text[start], alnum) && is(text[end-1], alnum) {
		return start, end
	}
	for start < end && strings.IndexByte("\"'`*_([{<>,;:!?#|-=", text[start]) >= 0 {
		if text[start] == '-' && start+2 < end && text[start+1] == '-' && isLetter(text[start+2]) || text[start] == '*' && start+1 == end || text[start] == '<' && start+1 < end && text[start+1] == '/' {
			break
		}
		start++
	}
	for end > start && strings.IndexByte("\"'`()]}>,;:!?.|", text[end-1]) >= 0 {
		end--
	}
	for end > start+1 && (text[end-1] == '*' || text[end-1] == '_') {
		end--
	}
	return start, end
}

// spacelessRune reports whether r belongs to a script written without spaces between words:
// ideographs, kana or Hangul.
func spacelessRune(r rune) bool {
	return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
}

func spaceless(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return spacelessRune(r)
}

// readRuns appends the words in a run of a script without spaces, taking the longest match at each
// place.
func (v *wordBook) readRuns(words []saidWord, text string, i, end int) []saidWord {
	const longest = 36
	for i < end {
		_, size := utf8.DecodeRuneInString(text[i:])
		n := size
		for k := min(longest, end-i); k > 0; k-- {
			if c := v.runs[text[i:i+k]]; c != 0 {
				words = append(words, saidWord{start: i, end: i + k, word: text[i : i+k], means: c, form: foreignForm})
				n = k
				break
			}
		}
		i += n
	}
	return words
}

// mean sets what the last word means, by itself and by its form.
func (v *wordBook) mean(words []saidWord) {
	w := &words[len(words)-1]
	w.means = v.words[w.word]
	if w.means == 0 {
		v.inflected(w)
	} else if v.foreign[w.word] {
		w.form = foreignForm
	}
	for n := len(w.word); n > 2 && w.means == 0 && v.starts[w.word[:3]]; n-- {
		if c := v.stems[w.word[:n]]; c != 0 {
			w.means, w.form = c, foreignForm
		}
	}
	if containsWord(services, w.word) && !ledTo(words[:len(words)-1]) {
		w.means &^= v.place
	}
	if run(w.word, 0, letter) == len(w.word) && w.means&v.key == 0 {
		return
	}
	w.means |= v.shape(w.word)
	if before := words[max(0, len(words)-2)].word; date(w.word) && containsWord("on after from until by", before) && !strings.HasSuffix(words[max(0, len(words)-3)].word, "ed") {
		w.means |= v.cue
	} else if strings.HasPrefix(w.word, ".env") && containsWord("in into to or via a local", before) {
		w.means &^= v.key // a .env file is where secrets belong
	} else if w.means&v.key != 0 && strings.HasPrefix(w.word, "token") && run(before, 0, digit|dot) > 0 {
		w.means &^= v.key // tokens of a model, as in "4096 tokens"
	}
}

// services are places only behind a word that leads to them: "Gmail labels" are none.
const services = "telegram discord dropbox gmail webhook"

// ledTo reports whether some words end with one that leads to a place, and perhaps an article.
func ledTo(words []saidWord) bool {
	n := len(words)
	if n > 1 && containsWord("the a an my our your their this", words[n-1].word) {
		n--
	}
	return n > 0 && containsWord("of to into onto via in on through over with using by an nach per über auf vers sur par por al en do da no pelo para через в", words[n-1].word)
}

// date reports whether a word is a date like 2006-01-02.
func date(w string) bool {
	return len(w) == 10 && w[4] == '-' && w[7] == '-' && run(w, 0, digit|dash) == 10
}

// containsWord reports whether w is one of the words, which are separated by spaces.
func containsWord(words, w string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}

// inflected gives a word the meaning of its base form.
func (v *wordBook) inflected(w *saidWord) {
	if s, ok := strings.CutSuffix(w.word, "s"); ok {
		w.means = v.words[s] & v.nouns
		if s, ok := strings.CutSuffix(s, "ie"); ok {
			w.means |= v.words[s+"y"] & v.nouns
		}
		w.means |= v.words[strings.TrimSuffix(s, "'")] & v.nouns
		return
	}
	bases, form := verbsOf(w.word)
	var c concepts
	for _, base := range bases {
		c |= v.words[base]
	}
	if c &^= v.nouns; c != 0 {
		w.means, w.form = c, form
	}
}

// phrasesIn adds the meanings of phrases to their first words.
func (v *wordBook) phrasesIn(words []saidWord) {
	for i := range words {
		ends := words[i].end
		if !relationHeads().opens(words[i].word) {
			continue
		}
		for _, p := range v.phrases[words[i].word] {
			if last := p.at(words, i+1); last > 0 {
				words[i].means |= p.means
				ends = max(ends, words[last].end)
			}
		}
		words[i].end = ends
		bases, form := verbsOf(words[i].word)
		for _, base := range bases {
			for _, p := range v.phrases[base] {
				if p.means&v.nouns == 0 && p.at(words, i+1) > 0 {
					words[i].means |= p.means
					words[i].form = form
				}
			}
		}
	}
}

// verbsOf returns the possible base forms of a verb that ends in -ing or -ed.
func verbsOf(word string) (bases [3]string, form wordForm) {
	stem, ok := strings.CutSuffix(word, "ing")
	form = ingForm
	if !ok {
		stem, ok = strings.CutSuffix(word, "ed")
		form = edForm
	}
	n := len(stem)
	if !ok || n < 2 {
		return bases, baseForm
	}
	bases[0], bases[1] = stem, stem+"e"
	if stem[n-1] == stem[n-2] {
		bases[2] = stem[:n-1]
	} else if stem[n-1] == 'i' {
		bases[2] = stem[:n-1] + "y"
	}
	return bases, form
}

// at returns the index of the last word of the phrase if it continues at words[i], or 0.
func (p *wordRun) at(words []saidWord, i int) int {
	most := i
	if p.apart {
		most += 4
	}
	for ; i <= most; i++ {
		k := 0
		for k < len(p.rest) && i+k < len(words) && words[i+k].word == p.rest[k] {
			k++
		}
		if k == len(p.rest) || k == len(p.rest)-1 && i+k < len(words) && plural(words[i+k].word, p.rest[k]) {
			return i + len(p.rest) - 1
		}
	}
	return 0
}

// plural reports whether word is one with an s.
func plural(word, one string) bool {
	w, ok := strings.CutSuffix(word, "s")
	return ok && w == one
}

// negate adds the concepts hush and unasked to verbs that the text forbids: not telling and not
// asking.
func (v *wordBook) negate(words []saidWord) {
	for i := range words {
		if words[i].means&(v.tell|v.ask) == 0 || !forbidden(words, i) {
			continue
		}
		if words[i].means&v.tell != 0 {
			words[i].means |= v.hush
		}
		if words[i].means&v.ask != 0 {
			words[i].means |= v.unasked
		}
		words[i].form = foreignForm // counts as an order whatever precedes it
	}
}

// forbidden reports whether the text orders not to do the verb words[i].
func forbidden(words []saidWord, i int) bool {
	c := relationGrammar().dont
	for k := i - 1; k >= max(0, i-4) && !words[k+1].clause && within(&words[k], &words[i]); k-- {
		if words[k].means&c != 0 {
			return k == 0 || !describes()[words[k-1].word]
		}
	}
	if words[i].form == foreignForm { // some languages put the negation after the verb
		for k := i + 1; k < min(len(words), i+4) && within(&words[i], &words[k]); k++ {
			if words[k].means&c != 0 && words[k].form == foreignForm {
				return true
			}
		}
	}
	return false
}

// within reports whether two words may belong together: in a script without spaces, of which only the
// words of concepts are read, no more than a few letters stand between them.
func within(first, second *saidWord) bool {
	const most = 30
	return second.start-first.end <= most || !spaceless(first.word) && !spaceless(second.word)
}

// describes lists words before a negation that describes instead of forbidding.
var describes = setOf(`does did is are was were can could would will may might has have i we they it`)

// shape returns what a word means by its form: an address, a file with secrets, a variable.
func (v *wordBook) shape(w string) (c concepts) {
	if scheme := strings.Index(w, "://"); scheme >= 0 {
		if host := hostOf(w[scheme+3:]); !ownHost(host) {
			return v.place
		}
		return 0
	}
	if at := strings.IndexByte(w, '@'); at > 0 && strings.Contains(w[at:], ".") && !strings.ContainsAny(w, "/<{") {
		return v.place
	}
	if dotted := hostOf(w); strings.Contains(dotted, ".") && (address(dotted) || domain(dotted)) && !ownHost(dotted) {
		c |= v.place
	}
	if len(w) > 3 && (w[0] == '$' || strings.ContainsAny(w, "./~=:")) && v.possible(w)&v.key != 0 && holdsPlace(w) {
		c |= v.key
	}
	if w[0] == '$' && containsAny(w, "secret;token;passw;api_key;apikey;access_key;private_key;credential;database_url") {
		c |= v.key
	}
	if w == "*" || strings.Contains(w, "(*)") || w == "*.*" {
		c |= v.all
	}
	if strings.Contains(w, "/") && hasAnySuffix(w, ".txt;.md;.json;.log;.csv;.yml;.yaml") {
		c |= v.book
	}
	return c
}

// holdsPlace reports whether a word contains the path of a file with secrets.
func holdsPlace(w string) bool {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		if i := strings.Index(w, strings.TrimSpace(p)); i >= 0 && holdsSecrets(w, i, strings.TrimSpace(p)) {
			return true
		}
	}
	return false
}
