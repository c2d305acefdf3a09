package detect

import (
	"strings"
	"sync"
)

// Most requests in a poisoned text are worded in ways that no list of phrases contains, but they
// share a shape: one sentence has, say, a verb that sends, the place of a secret and a foreign
// address. A sentence is read only around a word that is rare elsewhere.

// conceptSet is a set of concepts, one bit each.
type conceptSet uint64

// lexicon holds the words of all concepts. Phrases have spaces between their words.
type lexicon map[string]lexeme

// lexeme is what a word or a phrase means.
type lexeme struct {
	concepts conceptSet
	longest  int // how many words the longest phrase has that begins with it
}

// concepts returns the lexicon, built when the first sentence is read.
var concepts = sync.OnceValue(func() lexicon {
	v := make(lexicon, 2048)
	for _, row := range conceptWords {
		for w := range strings.FieldsSeq(row.words) {
			w = strings.ReplaceAll(w, "_", " ")
			meant := v[w]
			meant.concepts |= row.concept
			v[w] = meant
			if first, rest, ok := strings.Cut(w, " "); ok {
				begins := v[first]
				begins.longest = max(begins.longest, 2+strings.Count(rest, " "))
				v[first] = begins
			}
		}
	}
	return v
})

// sentenceKeywords returns the words around which sentences are read.
func sentenceKeywords() (out []keyword) {
	seen := map[string]bool{}
	for _, row := range conceptWords {
		for w := range strings.FieldsSeq(row.words) {
			w = strings.ReplaceAll(w, "_", " ")
			if len(w) < minKeywordLen {
				w = " " + w
			}
			if len(w) < minKeywordLen {
				w += " "
			}
			if row.concept&anchors != 0 && !seen[w] {
				seen[w] = true
				out = append(out, keyword{text: w, check: (*flagScanner).checkSentence})
			}
		}
	}
	for w := range strings.SplitSeq(anchorTexts, ";") {
		out = append(out, keyword{text: w, check: (*flagScanner).checkSentence})
	}
	return out
}

// sentenceWord is a word of a sentence and its concepts.
type sentenceWord struct {
	start, end  int
	word        string // in lower case
	concepts    conceptSet
	opensClause bool // a sentence or a clause begins with it
}

// checkSentence reports what the sentence around byte at asks for. Each sentence is read once.
func (s *flagScanner) checkSentence(at int) {
	if at < s.sentencesReadTo {
		return
	}
	from, to := sentenceAround(s.text, at)
	s.sentencesReadTo = to
	if s.words == nil {
		const usual = 64
		s.words = make([]sentenceWord, 0, usual)
	}
	s.words = concepts().read(s.words[:0], s.text, from, to)
	var all conceptSet
	for i := range s.words {
		all |= s.words[i].concepts
	}
	for i := range sentenceRules {
		r := &sentenceRules[i]
		if all&r.verb == 0 {
			continue
		}
		start, end := r.find(s.words)
		if end > 0 && !isCode(s.text[start:end]) {
			s.report(r.rule, start, end)
		}
	}
}

// isCode reports whether a match is program code and not a sentence.
func isCode(s string) bool {
	return containsAny(s, "=>;::;();{\";\": ;\":\"; = ;==;!=; || ;: true;: false;!(;?(;(f\"")
}

// find returns the bytes that the rule spans in a sentence; end is 0 if it does not match.
func (r *sentenceRule) find(words []sentenceWord) (start, end int) {
	for h := range words {
		isVerb := words[h].concepts&r.stated != 0 || words[h].concepts&r.verb != 0 && isOrder(words, h)
		if !isVerb || isNegatedVerb(words, h, r.verb) {
			continue
		}
		if first, last, ok := r.findOthers(words, h); ok && !r.isExcluded(words, first, last) {
			return words[first].start, words[last].end
		}
	}
	return 0, 0
}

// findOthers returns the first and last word of the match with the verb words[h].
func (r *sentenceRule) findOthers(words []sentenceWord, h int) (first, last int, ok bool) {
	first, last = h, h
	before := -1
	for _, c := range r.others {
		best := -1
		for i := max(0, h-r.within); i < min(len(words), h+r.within+1); i++ {
			inOrder := !r.ordered || i > last || strings.ContainsAny(words[i].word, "/.$")
			fits := words[i].concepts&c != 0 && i != h && i != before && inOrder
			if fits && (best < 0 || max(i-h, h-i) < max(best-h, h-best)) {
				best = i
			}
		}
		if best < 0 {
			return 0, 0, false
		}
		before = best
		first, last = min(first, best), max(last, best)
	}
	return first, last, true
}

// isExcluded reports whether what rules the match out is in it or next to it.
func (r *sentenceRule) isExcluded(words []sentenceWord, first, last int) bool {
	const beside = 4
	for _, w := range words[max(0, first-beside):min(len(words), last+beside)] {
		if w.concepts&r.unless != 0 {
			return true
		}
	}
	return false
}

// isOrder reports whether the verb words[h] may be an order.
func isOrder(words []sentenceWord, h int) bool {
	if words[h].opensClause {
		return true
	}
	before := words[h-1].word
	if strings.HasSuffix(before, "ly") && h > 1 {
		return words[h-1].opensClause || orderingWords()[words[h-2].word]
	}
	return orderingWords()[before]
}

// orderingWords are words after which a verb is an order.
var orderingWords = wordSet(
	`please then now and or to also must should shall always just first immediately next so simply
	silently quietly secretly need automatically &&`,
)

// isNegatedVerb reports whether a negation precedes the verb words[h] in its clause, or the verbs
// listed before it.
func isNegatedVerb(words []sentenceWord, h int, verbs conceptSet) bool {
	for k := h - 1; k >= max(0, h-6); k-- {
		if words[k+1].opensClause && words[k].concepts&verbs == 0 {
			break
		}
		if words[k].concepts&negation != 0 {
			return true
		}
	}
	return h > 0 && (words[h-1].word == "before" || words[h-1].word == "than")
}

// read appends the words of the sentence text[from:to] with their concepts.
func (v lexicon) read(words []sentenceWord, text string, from, to int) []sentenceWord {
	opens := true
	for i := from; i < to; {
		if text[i] <= ' ' {
			i++
			continue
		}
		end := i
		wide := text[i] >= 0xE3
		for end < to && text[end] > ' ' && (wide == (text[end] >= 0xE3) || text[end]&0xC0 == 0x80) {
			end++
		}
		start, stop := trimMarks(text, i, end)
		opens = opens || strings.ContainsAny(text[i:start], "(\"'`*[>#|")
		if start < stop {
			word := lowerWord(text[start:stop])
			opens = opens && !isListed(text, start, stop)
			words = append(words, sentenceWord{start: start, end: stop, word: word, opensClause: opens})
			opens = false
		}
		opens = opens || start >= stop || strings.ContainsAny(text[stop:end], ".,;:!?)|")
		i = end
	}
	for i := range words {
		v.setConcepts(words, i)
	}
	return words
}

// isListed reports whether the word text[start:end] is an item between two commas that another item of one word
// follows, as in "…, remove, list, lockfile".
func isListed(text string, start, end int) bool {
	if end >= len(text) || text[end] != ',' || !strings.HasSuffix(strings.TrimRight(text[:start], " "), ",") {
		return false
	}
	next := strings.TrimLeft(text[end+1:], " ")
	after := runEnd(next, 0, wordChar|dash)
	return after > 0 && (after == len(next) || strings.IndexByte(",.;)\n", next[after]) >= 0)
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
	word := strings.TrimLeft(text[start:end], "\"'`_([{<>,;:!?#|=")
	if !strings.HasPrefix(word, "--") {
		word = strings.TrimLeft(word, "-")
	}
	if len(word) > 1 {
		word = strings.TrimLeft(word, "*")
	}
	start = end - len(word)
	word = strings.TrimRight(word, "\"'`]}>,;:!?.|_")
	if !strings.Contains(word, "(") {
		word = strings.TrimRight(word, ")*\"'`.,_")
	}
	if word == "" && strings.Contains(text[start:end], "*") {
		word = "*"
	}
	return start, start + len(word)
}

// setConcepts sets the concepts of words[i], by itself, the phrase that begins with it, and its shape.
func (v lexicon) setConcepts(words []sentenceWord, i int) {
	w := &words[i]
	meant := v[w.word]
	w.concepts |= meant.concepts | v.singular(w.word)
	phrase := w.word
	for k := i + 1; k < min(len(words), i+meant.longest); k++ {
		phrase += " " + words[k].word
		c := v[phrase].concepts | v.singular(phrase)
		if c != 0 {
			w.concepts |= c
			w.end = words[k].end
		}
	}
	if runEnd(w.word, 0, letter) < len(w.word) {
		w.concepts |= conceptsOfShape(w.word)
	}
	if w.concepts&place != 0 && i > 0 && words[i-1].word == "from" {
		w.concepts = w.concepts&^place | origin
	}
}

// singular returns the concepts of a word or phrase without the s of a plural.
func (v lexicon) singular(plural string) conceptSet {
	if noun, ok := strings.CutSuffix(plural, "s"); ok {
		return v[noun].concepts & nounConcepts
	}
	return 0
}

// mentionsSecret reports whether a word names a file with secrets, or a variable that holds one.
func mentionsSecret(w string) bool {
	if w[0] == '$' &&
		containsAny(w, "secret;token;passw;api_key;apikey;access_key;private_key;credential;database_url") {
		return true
	}
	return len(w) > 3 && (w[0] == '$' || strings.ContainsAny(w, "./~=:")) && containsSecretPlace(w)
}

// conceptsWithin returns the concepts of the words in a text of a script without spaces.
func conceptsWithin(text string) (c conceptSet) {
	if containsAny(text, "发送;发到;上传;传到;提交到;转发;送信;アップロード;転送;送っ;전송;업로드;보내") {
		c |= sent
	}
	if containsAny(text, "密码;密钥;令牌;凭证;环境变量;パスワード;秘密鍵;認証情報;비밀번호;환경변수") {
		c |= secret
	}
	return c
}

// conceptsOfShape returns the concepts of a word by its shape: an address, a file with secrets, a
// variable, a file that others read.
func conceptsOfShape(w string) (c conceptSet) {
	if _, address, ok := strings.Cut(w, "://"); ok {
		if isTrustedHost(leadingHost(address)) {
			return 0
		}
		return place
	}
	if at := strings.IndexByte(w, '@'); at > 0 && strings.Contains(w[at:], ".") && !strings.ContainsAny(w, "/<{") {
		return place
	}
	if host := leadingHost(w); (isPublicIP(host) || isDomain(host)) && !isTrustedHost(host) {
		c |= place
	}
	if mentionsSecret(w) {
		c |= secret
	}
	if w[0] >= 0xE3 { // a script without spaces
		c |= conceptsWithin(w)
	}
	if strings.Contains(w, "/") && hasAnySuffix(w, ".txt;.md;.json;.log;.csv;.yml;.yaml") {
		c |= book
	}
	return c
}

// containsSecretPlace reports whether a word contains the path of a file with secrets.
func containsSecretPlace(w string) bool {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		p = strings.TrimSpace(p)
		if i := strings.Index(w, p); i >= 0 && isSecretPlace(w, i, p) {
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

var topDomains = wordSet(`com net org io ru cn xyz info biz top site online cloud dev app ai co eu de fr uk
	test example invalid`)

// isTrustedHost reports whether a host is this machine, a private one, or a site that documentation
// often links to.
func isTrustedHost(host string) bool {
	own := !strings.Contains(host, ".") || hasAnyPrefix(host, "127.;10.;192.168.;0.0.0.0")
	return own || containsAny(host, ".internal;.local") || hasAnySuffix(host, documentationHosts)
}

const documentationHosts = "github.com;githubusercontent.com;gitlab.com;bitbucket.org;anthropic.com;claude.com;claude.ai;openai.com;" +
	"google.com;googleapis.com;microsoft.com;azure.com;amazonaws.com;npmjs.org;npmjs.com;pypi.org;" +
	"pythonhosted.org;golang.org;go.dev;rust-lang.org;crates.io;docker.com;docker.io;debian.org;ubuntu.com;" +
	"rubygems.org;packagist.org;maven.org;gradle.org;shields.io;slack.com;stripe.com;notion.com;linear.app;" +
	"atlassian.net;atlassian.com;sentry.io;huggingface.co;cloudflare.com;vercel.com;vercel.app;supabase.co;" +
	"supabase.com;python.org;nodejs.org;apache.org;wikipedia.org;twitter.com;x.com;linkedin.com;youtube.com;" +
	"w3.org;json-schema.org;schemastore.org;npmmirror.com;yarnpkg.com;pnpm.io;nodesource.com;jsdelivr.net;" +
	"unpkg.com;ghcr.io;quay.io;gcr.io;mcr.microsoft.com;k8s.io;kubernetes.io;hashicorp.com;terraform.io;" +
	"figma.com;telegram.org;discord.com;mozilla.org;apple.com;jetbrains.com;astral.sh"

// maxSentenceBytes is how far a sentence may extend on each side of a keyword.
const maxSentenceBytes = 300

// minWrappedLine is the minimum length of a line that wraps a sentence.
const minWrappedLine = 45

// sentenceAround returns the sentence that contains byte at.
func sentenceAround(text string, at int) (from, to int) {
	from, to = max(0, at-maxSentenceBytes), min(len(text), at+maxSentenceBytes)
	joined := false
	for i := at - 1; i >= from; i-- {
		if inClass(text[i], alnum) {
			continue
		}
		if n := sentenceEndLen(text, i); n > 0 && i+n <= at {
			if from = i + n; joined || text[i] != '.' || !refersBack(text[from:to]) {
				break
			}
			joined = true // include the previous sentence, which says what "it" is
		}
	}
	for i := at; i < to; i++ {
		if !inClass(text[i], alnum) && sentenceEndLen(text, i) > 0 {
			to = i
			break
		}
	}
	return from, to
}

// refersBack reports whether a sentence begins with a reference to the previous one.
func refersBack(sentence string) bool {
	beginning := strings.ToLower(sentence[:min(len(sentence), 60)])
	return containsAny(beginning, " it ; both ; it.; it,; them ; them.; them,; those ; that, ; they ")
}

// sentenceEndLen returns the length of the sentence end at byte i, or 0. A sentence ends at a full
// stop before a capital, at an empty line, before a list item, and at the end of a JSON string.
func sentenceEndLen(text string, i int) int {
	rest := text[i:]
	switch rest[0] {
	case '|':
		return 1
	case '.', '!', '?':
		marks := strings.TrimLeft(rest[1:min(len(rest), 6)], "*_\"'`)")
		if len(marks) > 1 && marks[0] == ' ' && (marks[1] < 'a' || marks[1] > 'z') {
			return 2
		}
	case '\\':
		if strings.HasPrefix(rest, `\n`) {
			return 2
		}
	case ' ':
		if strings.HasPrefix(rest, "  # ") {
			return 4 // a comment
		}
	case '\n':
		if hasAnySuffix(text[:i], "{;},;],") {
			return 1
		}
		if i < minWrappedLine || strings.IndexByte(text[i-minWrappedLine:i], '\n') >= 0 {
			return 1 // too short for a wrapped line
		}
		line := strings.TrimLeft(rest[1:min(len(rest), 40)], " \t")
		if line == "" || strings.IndexByte("\n\r-*#|>+`~<0123456789", line[0]) >= 0 {
			return 1
		}
	case '"':
		if len(rest) > 2 && (rest[1] == ',' || rest[1] == ':') && rest[2] == '"' {
			return 3
		}
	case 0xE3, 0xEF:
		for _, end := range []string{"。", "！", "？"} {
			if strings.HasPrefix(rest, end) {
				return len(end)
			}
		}
	}
	return 0
}
