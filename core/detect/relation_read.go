package detect

import (
	"strings"
	"unicode/utf8"
)

// read adds the words of a sentence with what they mean to words.
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
			w.opens = w.clause || spacelessBefore(text[:i]) || strings.ContainsAny(text[i:start], "\"'`*[>#|")
			w.word = lowered(text[start:stop])
			words = append(words, w)
			if w.word[0] <= '9' || v.possible(w.word)&^mayOpen != 0 {
				v.mean(words)
			}
			if last := &words[len(words)-1]; last.means&v.speaker != 0 && (strings.ContainsAny(text[i:start], "[<#") || stop < end && strings.IndexByte(":]>", text[stop]) >= 0) {
				last.means |= v.role
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

// spacelessBefore reports whether a text ends with a letter of a script without spaces.
func spacelessBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " "))
	return spacelessRune(r)
}

// lowered returns a word in small letters.
func lowered(word string) string {
	if run(word, 0, lower) == len(word) {
		return word
	}
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// lowerASCII returns a text with small ASCII letters, as long as it was.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// bare returns the bytes of a word without the marks around it.
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

// spacelessRune reports whether r is of a script whose words are found anywhere: ideographs, kana, Hangul.
func spacelessRune(r rune) bool {
	return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
}

func spaceless(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return spacelessRune(r)
}

// readRuns adds the words of a run of ideographs: at each place the longest.
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

// mean gives the last word what it means by itself and by its form.
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
	if run(w.word, 0, letter) == len(w.word) && w.means&v.key == 0 {
		return
	}
	w.means |= v.shape(w.word)
	if before := words[max(0, len(words)-2)].word; date(w.word) && containsWord("on after from until by since", before) {
		w.means |= v.cue
	} else if strings.HasPrefix(w.word, ".env") && containsWord("in into to or via a local", before) {
		w.means &^= v.key // where they belong
	} else if w.means&v.key != 0 && strings.HasPrefix(w.word, "token") && run(before, 0, digit|dot) > 0 {
		w.means &^= v.key // of a model
	}
}

// date reports whether a word is a day.
func date(w string) bool {
	return len(w) == 10 && w[4] == '-' && w[7] == '-' && run(w, 0, digit|dash) == 10
}

// containsWord reports whether w is one of the words between spaces.
func containsWord(words, w string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}

// inflected gives a word the meaning of its first form.
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

// phrasesIn adds what phrases of several words mean, to their first words.
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

// verbsOf returns what the first form of a verb can be that ends with -ing or -ed.
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

// at returns the index of the last word of a phrase that goes on at words[i], or 0.
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

// plural reports whether a word is another with an s.
func plural(word, one string) bool {
	w, ok := strings.CutSuffix(word, "s")
	return ok && w == one
}

// negate gives verbs behind an order not to do them the concepts of what is then done.
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
		words[i].form = foreignForm // an order, whatever stands before it
	}
}

// forbidden reports whether it is an order not to do what the verb at i says.
func forbidden(words []saidWord, i int) bool {
	c := relationGrammar().dont
	for k := i - 1; k >= max(0, i-4) && !words[k+1].clause; k-- {
		if words[k].means&c != 0 {
			return k == 0 || !describes()[words[k-1].word]
		}
	}
	if words[i].form == foreignForm { // some languages put the negation behind the verb
		for k := i + 1; k < min(len(words), i+4); k++ {
			if words[k].means&c != 0 && words[k].form == foreignForm {
				return true
			}
		}
	}
	return false
}

// describes are words before a negation that does not forbid.
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

// holdsPlace reports whether a word is the path of a file with secrets, or prints one.
func holdsPlace(w string) bool {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		if i := strings.Index(w, strings.TrimSpace(p)); i >= 0 && holdsSecrets(w, i, strings.TrimSpace(p)) {
			return true
		}
	}
	return false
}
