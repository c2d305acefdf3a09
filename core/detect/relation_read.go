package detect

import (
	"strings"
	"unicode/utf8"
)

// readSentence appends the words of the sentence text[from:to] with their concepts.
func (v *lexicon) readSentence(words []sentenceWord, text string, from, to int) []sentenceWord {
	clause := true
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isSpacelessRune(r):
			end := i
			for end < to && (isSpacelessRune(r) || r == ' ') {
				end += n
				r, n = utf8.DecodeRuneInString(text[end:])
			}
			words = v.readSpaceless(words, text, i, end)
			i = end
			continue
		case r <= ' ', isWidePunctuation(r):
			clause = clause || r > ' '
			i += n
			continue
		}
		end := i
		for end < to && text[end] > ' ' {
			if text[end] >= 0xE1 {
				if r, _ := utf8.DecodeRuneInString(text[end:]); isSpacelessRune(r) || isWidePunctuation(r) {
					break
				}
			}
			if end++; text[end-1] == '>' || end < to && text[end] == '<' && end > i+1 && text[end-1] != '=' && text[end-1] != '/' {
				break
			}
		}
		start, stop := trimMarks(text, i, end)
		if start < stop {
			w := sentenceWord{start: start, end: stop, opensClause: clause || strings.Contains(text[i:start], "(")}
			label := strings.IndexByte(text[stop:end], ':') >= 0
			w.mayOpenClause = !label && (w.opensClause || endsSpaceless(text[:i]) || strings.ContainsAny(text[i:start], "\"'`*[>#|"))
			w.word = lowerWord(text[start:stop])
			words = append(words, w)
			if w.word[0] <= '9' || v.possibleConcepts(w.word) != 0 {
				v.setConcepts(words)
			}
			if last := &words[len(words)-1]; last.concepts&v.speaker != 0 && (strings.ContainsAny(text[i:start], "[<#") || stop < end && strings.IndexByte(":]>", text[stop]) >= 0) {
				last.concepts |= v.role
			}
			if label && hasAnySuffix(w.word, "-key;-token;-secret") {
				words[len(words)-1].concepts |= v.bits["auth"] // a header that a service asks for
			}
			clause = false
		}
		clause = clause || start >= stop || strings.ContainsAny(text[stop:end], ",;:!?)") || strings.HasPrefix(text[stop:end], ".")
		i = end
	}
	v.addPhrases(words)
	v.addNegated(words)
	return words
}

// isWidePunctuation reports whether r is punctuation of East Asian scripts or in full width.
func isWidePunctuation(r rune) bool { return r >= 0x3000 && r < 0x3040 || r >= 0xFF00 && r < 0xFF20 }

// endsSpaceless reports whether a text ends with a letter of a script without spaces, before
// trailing spaces.
func endsSpaceless(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " "))
	return isSpacelessRune(r)
}

// lowerWord returns a word in lower case.
func lowerWord(word string) string {
	if runEnd(word, 0, lower) == len(word) {
		return word
	}
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// trimMarks returns the bounds of a word without the punctuation around it.
func trimMarks(text string, start, end int) (int, int) {
	if inClass(text[start], alnum) && inClass(text[end-1], alnum) {
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

// isSpacelessRune reports whether r belongs to a script written without spaces between words:
// ideographs, kana or Hangul.
func isSpacelessRune(r rune) bool {
	return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
}

func isSpaceless(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return isSpacelessRune(r)
}

// readSpaceless appends the known words in text[i:end], in a script without spaces. The longest
// match wins.
func (v *lexicon) readSpaceless(words []sentenceWord, text string, i, end int) []sentenceWord {
	const longest = 36
	for i < end {
		_, size := utf8.DecodeRuneInString(text[i:])
		n := size
		for k := min(longest, end-i); k > 0; k-- {
			if c := v.spaceless[text[i:i+k]]; c != 0 {
				words = append(words, sentenceWord{start: i, end: i + k, word: text[i : i+k], concepts: c, form: otherLanguage})
				n = k
				break
			}
		}
		i += n
	}
	return words
}

// setConcepts sets the concepts of the last word, by the word itself, its inflection and its shape.
func (v *lexicon) setConcepts(words []sentenceWord) {
	w := &words[len(words)-1]
	w.concepts = v.words[w.word]
	if w.concepts == 0 {
		v.setInflected(w)
	} else if v.foreign[w.word] {
		w.form = otherLanguage
	}
	for n := len(w.word); n > 2 && w.concepts == 0 && v.stemStarts[w.word[:3]]; n-- {
		if c := v.stems[w.word[:n]]; c != 0 {
			w.concepts, w.form = c, otherLanguage
		}
	}
	if services()[w.word] && !followsPreposition(words[:len(words)-1]) {
		w.concepts &^= v.place
	}
	if runEnd(w.word, 0, letter) == len(w.word) && w.concepts&v.key == 0 {
		return
	}
	w.concepts |= v.conceptsOfShape(w.word)
	if before := words[max(0, len(words)-2)].word; isDate(w.word) && inWordList("on after from until by", before) && !strings.HasSuffix(words[max(0, len(words)-3)].word, "ed") {
		w.concepts |= v.cue
	} else if strings.HasPrefix(w.word, ".env") && inWordList("in into to or via a local", before) {
		w.concepts &^= v.key // the .env file is where secrets belong
	} else if w.concepts&v.key != 0 && strings.HasPrefix(w.word, "token") && runEnd(before, 0, digit|dot) > 0 {
		w.concepts &^= v.key // as in "4096 tokens"
	}
}

// services are destinations only after a preposition: "Gmail labels" are none.
var services = wordSet("telegram discord dropbox gmail webhook")

// followsPreposition reports whether some words end with a preposition that names a destination, and
// perhaps an article.
func followsPreposition(words []sentenceWord) bool {
	n := len(words)
	if n > 1 && inWordList("the a an my our your their this", words[n-1].word) {
		n--
	}
	return n > 0 && inWordList("of to into onto via in on through over with using by an nach per über auf vers sur par por al en do da no pelo para через в", words[n-1].word)
}

// isDate reports whether a word is a date like 2006-01-02.
func isDate(w string) bool {
	return len(w) == 10 && w[4] == '-' && w[7] == '-' && runEnd(w, 0, digit|dash) == 10
}

// setInflected gives a word the concepts of its base form.
func (v *lexicon) setInflected(w *sentenceWord) {
	if s, ok := strings.CutSuffix(w.word, "s"); ok {
		w.concepts = v.words[s] & v.nouns
		if s, ok := strings.CutSuffix(s, "ie"); ok {
			w.concepts |= v.words[s+"y"] & v.nouns
		}
		w.concepts |= v.words[strings.TrimSuffix(s, "'")] & v.nouns
		return
	}
	bases, form := verbBases(w.word)
	var c conceptSet
	for _, base := range bases {
		c |= v.words[base]
	}
	if c &^= v.nouns; c != 0 {
		w.concepts, w.form = c, form
	}
}

// addPhrases adds the concepts of phrases to their first words.
func (v *lexicon) addPhrases(words []sentenceWord) {
	for i := range words {
		ends := words[i].end
		if !relationHeads().mayStartPhrase(words[i].word) {
			continue
		}
		for _, p := range v.phrases[words[i].word] {
			if last := p.matchEnd(words, i+1); last > 0 {
				words[i].concepts |= p.concepts
				ends = max(ends, words[last].end)
			}
		}
		words[i].end = ends
		bases, form := verbBases(words[i].word)
		for _, base := range bases {
			for _, p := range v.phrases[base] {
				if p.concepts&v.nouns == 0 && p.matchEnd(words, i+1) > 0 {
					words[i].concepts |= p.concepts
					words[i].form = form
				}
			}
		}
	}
}

// verbBases returns the possible base forms of a verb that ends in -ing or -ed.
func verbBases(word string) (bases [3]string, form wordForm) {
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

// matchEnd returns the index of the last word of the phrase if the rest of it follows at words[i],
// or 0.
func (p *phraseTail) matchEnd(words []sentenceWord, i int) int {
	most := i
	if p.mayInterrupt {
		most += 4
	}
	for ; i <= most; i++ {
		k := 0
		for k < len(p.rest) && i+k < len(words) && words[i+k].word == p.rest[k] {
			k++
		}
		if k == len(p.rest) || k == len(p.rest)-1 && i+k < len(words) && isPlural(words[i+k].word, p.rest[k]) {
			return i + len(p.rest) - 1
		}
	}
	return 0
}

// isPlural reports whether word is one with an s.
func isPlural(word, one string) bool {
	return len(word) == len(one)+1 && word[len(one)] == 's' && word[:len(one)] == one
}

// addNegated adds the concepts hush and unasked to forbidden verbs of telling and asking.
func (v *lexicon) addNegated(words []sentenceWord) {
	for i := range words {
		if words[i].concepts&(v.tell|v.ask) == 0 || !isForbidden(words, i) {
			continue
		}
		if words[i].concepts&v.tell != 0 {
			words[i].concepts |= v.hush
		}
		if words[i].concepts&v.ask != 0 {
			words[i].concepts |= v.unasked
		}
		words[i].form = otherLanguage // counts as an order whatever precedes it
	}
}

// isForbidden reports whether the sentence forbids the verb words[i].
func isForbidden(words []sentenceWord, i int) bool {
	c := relationGrammar().dont
	for k := i - 1; k >= max(0, i-4) && !words[k+1].opensClause && mayBelongTogether(&words[k], &words[i]); k-- {
		if words[k].concepts&c != 0 {
			return k == 0 || !descriptiveWords()[words[k-1].word]
		}
	}
	if words[i].form == otherLanguage { // some languages negate after the verb
		for k := i + 1; k < min(len(words), i+4) && mayBelongTogether(&words[i], &words[k]); k++ {
			if words[k].concepts&c != 0 && words[k].form == otherLanguage {
				return true
			}
		}
	}
	return false
}

// mayBelongTogether reports whether two words are close enough to belong together. In a script without
// spaces only the words of concepts are read, and at most a few letters are between two such words.
func mayBelongTogether(first, second *sentenceWord) bool {
	const most = 30 // bytes
	return second.start-first.end <= most || !isSpaceless(first.word) && !isSpaceless(second.word)
}

// descriptiveWords precede a negation that describes and does not forbid, as in "it does not".
var descriptiveWords = wordSet(`does did is are was were can could would will may might has have i we they it`)

// conceptsOfShape returns the concepts of a word by its shape: an address, a file with secrets, a
// variable.
func (v *lexicon) conceptsOfShape(w string) (c conceptSet) {
	if scheme := strings.Index(w, "://"); scheme >= 0 {
		if host := leadingHost(w[scheme+3:]); !isTrustedHost(host) {
			return v.place
		}
		return 0
	}
	if at := strings.IndexByte(w, '@'); at > 0 && strings.Contains(w[at:], ".") && !strings.ContainsAny(w, "/<{") {
		return v.place
	}
	if dotted := leadingHost(w); strings.Contains(dotted, ".") && (isPublicIP(dotted) || isDomain(dotted)) && !isTrustedHost(dotted) {
		c |= v.place
	}
	if len(w) > 3 && (w[0] == '$' || strings.ContainsAny(w, "./~=:")) && v.possibleConcepts(w)&v.key != 0 && containsSecretPlace(w) {
		c |= v.key
	}
	if w[0] == '$' && containsAny(w, "secret;token;passw;api_key;apikey;access_key;private_key;credential;database_url") {
		c |= v.key
	}
	if w == "*" || strings.Contains(w, "(*)") || w == "*.*" {
		c |= v.open
	}
	if strings.Contains(w, "/") && hasAnySuffix(w, ".txt;.md;.json;.log;.csv;.yml;.yaml") {
		c |= v.book
	}
	return c
}

// containsSecretPlace reports whether a word contains the path of a file with secrets.
func containsSecretPlace(w string) bool {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		if i := strings.Index(w, strings.TrimSpace(p)); i >= 0 && isSecretPlace(w, i, strings.TrimSpace(p)) {
			return true
		}
	}
	return false
}

// leadingHost returns the host name at the start of s, after an optional user.
func leadingHost(s string) string {
	if at := strings.IndexByte(s, '@'); at >= 0 && at < 40 {
		s = s[at+1:]
	}
	return s[:runEnd(s, 0, slug|dot)]
}

// isPublicIP reports whether a host is a public IP address.
func isPublicIP(host string) bool {
	return strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == "" && len(host) > 8 &&
		!hasAnyPrefix(host, "10.;192.168.;127.;172.;0.0;255.")
}

// isDomain reports whether a host ends in a known top-level domain, so that file names do not count.
func isDomain(host string) bool {
	at := strings.LastIndexByte(host, '.')
	return at > 0 && (host[0] != '.' || strings.Count(host, ".") > 2) && topDomains()[host[at+1:]]
}

var topDomains = wordSet("com net org io ru cn xyz info biz top site online cloud dev app ai co eu de fr uk test example invalid")

// isTrustedHost reports whether a host is this machine, a private one, or a site that documentation
// often links to.
func isTrustedHost(host string) bool {
	return !strings.Contains(host, ".") || hasAnyPrefix(host, "127.;10.;192.168.;0.0.0.0") || containsAny(host, ".internal;.local") ||
		hasAnySuffix(host, documentationHosts)
}

const documentationHosts = "github.com;githubusercontent.com;gitlab.com;bitbucket.org;anthropic.com;claude.com;claude.ai;openai.com;google.com;googleapis.com;microsoft.com;" +
	"azure.com;amazonaws.com;npmjs.org;npmjs.com;pypi.org;pythonhosted.org;golang.org;go.dev;rust-lang.org;crates.io;docker.com;docker.io;debian.org;ubuntu.com;" +
	"rubygems.org;packagist.org;maven.org;gradle.org;shields.io;slack.com;stripe.com;notion.com;linear.app;atlassian.net;atlassian.com;sentry.io;" +
	"huggingface.co;cloudflare.com;vercel.com;vercel.app;supabase.co;supabase.com;python.org;nodejs.org;apache.org;wikipedia.org;twitter.com;x.com;linkedin.com;" +
	"youtube.com;w3.org;json-schema.org;schemastore.org;npmmirror.com;yarnpkg.com;pnpm.io;nodesource.com;jsdelivr.net;unpkg.com;ghcr.io;quay.io;gcr.io;" +
	"mcr.microsoft.com;k8s.io;kubernetes.io;hashicorp.com;terraform.io;figma.com;telegram.org;discord.com;mozilla.org;apple.com;jetbrains.com;astral.sh"
