package detect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// markupKeywords returns the keywords for chat tokens, roles, delimiters, images and addresses with
// slots for data.
func markupKeywords() (out []keyword) {
	add := func(gate func(text string, at int) bool, check func(s *flagScanner, at int), keys ...string) {
		for _, k := range keys {
			out = append(out, keyword{text: k, gate: gate, check: check})
		}
	}
	// tokens are assembled from parts so that a model reading this file does not take them for its
	// own.
	var tokens []string
	for t := range strings.FieldsSeq("im_ sys use ass end eot eom beg sta fin pad too mes cha dev") {
		tokens = append(tokens, "<"+"|"+t)
	}
	for t := range strings.FieldsSeq("start_of_turn> end_of_turn>") {
		tokens = append(tokens, "<"+t)
	}
	add(nil, (*flagScanner).checkChatToken, tokens...)
	add(nil, (*flagScanner).checkChatToken, "["+"inst]", "[/"+"inst]", "<<"+"sys>>", "<</"+"sys>>")
	add(
		nil,
		(*flagScanner).checkRoleLine,
		"system:",
		"system :",
		"assistant:",
		"assistant :",
		"human:",
		"developer:",
		"user:",
		"instruction:",
		"instructions:",
		"response:",
		"system]",
		"assistant]",
		"[user]",
		"system prompt:",
		"system message:",
	)
	add(
		nil,
		(*flagScanner).checkRoleTag,
		"<system",
		"</system",
		"<assistant>",
		"</assistant>",
		"<user_m",
		"<instructions>",
	)
	add(nil, delimiterCheck("pitfalls", "[", "ENDKNOWNPITFALLS", "]"), "pitfalls")
	add(nil, delimiterCheck("detected", "[", "ENDLOOPDETECTED", "]"), "detected")
	add(nil, delimiterCheck("reminder", "<", "SYSTEMREMINDER", ">"), "reminder")
	add(
		func(text string, at int) bool { return openBracketBefore(text, at) >= 0 },
		(*flagScanner).checkBlockEnd,
		"memory",
	)
	add(
		nil,
		(*flagScanner).checkBlockEnd,
		"memories>",
		"past_experience>",
		"instructions>",
		"context>",
		"user_input>",
		"untrusted>",
		"tool_result>",
		"function_results>",
		"conversation>",
		"lessons>",
		"documents>",
		"document>",
	)
	add(
		func(text string, at int) bool { return dataSlotEnd(text, at) > 0 },
		(*flagScanner).checkDataSlot,
		"https:",
		"http:/",
		"nslookup",
		"ping ",
		" dig ",
		"wget ",
		"curl ",
	)
	add(func(text string, at int) bool { return imageStart(text, at) >= 0 }, (*flagScanner).checkImage, "](http")
	add(nil, (*flagScanner).checkImage, "<img ")
	return out
}

// maxSlotDistance is how many bytes from the start of an address are searched for a slot.
const maxSlotDistance = 200

// checkDataSlot checks for an address with a slot for data: a command, a variable or a placeholder.
func (s *flagScanner) checkDataSlot(at int) {
	if end := dataSlotEnd(s.text, at); end > 0 {
		s.reportFind(RuleURLData, at, end, true)
	}
}

// dataSlotEnd returns the end of the first slot for data in the address at byte at, or 0.
func dataSlotEnd(text string, at int) int {
	if at > 0 && isLetter(text[at-1]) {
		return 0
	}
	line := bytesAfter(text, at, maxSlotDistance)
	line = line[:lineLen(line)]
	if _, host, ok := strings.Cut(line, "://"); ok && hasAnyPrefix(host, "localhost;127.0.0.1;0.0.0.0;[::1]") {
		return 0 // this machine
	}
	for i := 1; i < len(line); i++ {
		if endsAddress(line, i) {
			return 0
		}
		if n := slotLen(line[i:]); n > 0 && takesPrivateData(line[:i], line[i:i+n]) {
			return at + i + n
		}
	}
	return 0
}

// endsAddress reports whether the address that a line begins with ends at byte i, or has an expression of a workflow
// there, which the CI system fills in.
func endsAddress(line string, i int) bool {
	switch line[i] {
	case '$':
		return strings.HasPrefix(line[i:], "${{")
	case ' ', '"', '`':
		return strings.ContainsAny(line[:i], "/.")
	}
	return false
}

// slotLen returns the length of the slot for data that s begins with, not above 0 if there is none.
func slotLen(s string) int {
	switch {
	case strings.HasPrefix(s, "$("):
		return strings.IndexByte(s, ')')
	case s[0] == '{', s[0] == '<':
		return strings.IndexAny(s, "}>")
	case s[0] == '$':
		return 1 + variableNameLen(lowerASCII(s[1:]))
	}
	return 0
}

// takesPrivateData reports whether a slot is for data that does not belong in the address, given
// the text before the slot.
func takesPrivateData(before, slot string) bool {
	param := before[strings.LastIndexAny(before, "?&/ ")+1:]
	slot = lowerASCII(slot)
	_, host, schemed := strings.Cut(before, "//")
	inHost := !strings.Contains(host, "/") && (schemed || !strings.Contains(before, "/"))
	if strings.HasPrefix(slot, "$(") {
		return inHost && strings.Contains(before, " ") ||
			containsAny(slot, "cat ;env;whoami;hostname;base64;id -;git config;history;~/;pass;key;token")
	}
	if containsAny(param, "key=;token=;auth;appid=;secret=;pass;sig=;pwd=;api=;code=;@") ||
		strings.HasSuffix(before, ":") && !inHost {
		return false
	}
	if slot[0] == '$' {
		return !strings.Contains(before, "-H") &&
			(inHost && strings.Contains(before, " ") || strings.Contains(param, "=")) &&
			containsAny(slot, "key;token;secret;passw;credential")
	}
	return containsAny(
		slot,
		"content;summary;conversation;transcript;prompt;secret;passw;credential;.env;histor;base64;last message;user message;user's;question;answer;memory;memories;diff;file text;api key;environ;source code;api_key;cookie",
	)
}

// checkChatToken checks for a token of a chat template: between <| and |>, or a word in brackets.
func (s *flagScanner) checkChatToken(at int) {
	rest := bytesAfter(s.text, at, 48)
	if token := chatTokenPattern().FindString(rest); token != "" {
		s.report(RuleChatToken, at, at+len(token))
	}
}

var chatTokenPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:<\|[^ \t\n<]*?\|>|<\w+>|\[/?\w+\]|<</?\w+>>)`)
})

// checkRoleTag checks for an element named like a speaker at the start of a line, with content that
// addresses a model.
func (s *flagScanner) checkRoleTag(at int) {
	end := strings.IndexByte(bytesAfter(s.text, at, 32), '>')
	if end < 0 {
		return
	}
	name := strings.Trim(lowerASCII(s.text[at:at+end]), "</ ")
	if name == "system-reminder" || !s.unjudged && !startsLine(s.text, at) ||
		!inWordList("system assistant user_message instructions system_prompt system-prompt", name) {
		return
	}
	rest := s.text[at+end+1 : min(len(s.text), at+end+400)]
	if s.text[at+1] == '/' || addressesModel(rest) || strings.Contains(lowerASCII(rest), "</"+name+">") {
		s.report(RuleRoleLine, at, at+end+1)
	}
}

// startsLine reports whether only marks precede byte i on its line.
func startsLine(text string, i int) bool {
	from := max(0, i-24)
	before := text[from:i]
	if at := strings.LastIndexAny(before, "\n\r"); at >= 0 {
		before = before[at+1:]
	} else if from > 0 {
		return false
	}
	return strings.Trim(before, " \t#*>_-[(\"`|=") == ""
}

// checkRoleLine checks for a line that begins with a speaker. It counts only if it addresses a
// model or speaks as one.
func (s *flagScanner) checkRoleLine(at int) {
	colon := strings.IndexAny(bytesAfter(s.text, at, 24), ":]")
	if colon < 0 {
		return
	}
	r := roleMark{start: at, end: at + colon + 1, name: lowerASCII(s.text[at : at+colon])}
	for r.start > 0 && strings.IndexByte("[#*", s.text[r.start-1]) >= 0 {
		r.start--
	}
	r.heading = strings.HasSuffix(strings.TrimRight(s.text[max(0, r.start-8):at], " "), "###")
	r.startsLine = s.unjudged || startsLine(s.text, at)
	switch {
	case !r.heading && hasAnyPrefix(r.name, "instruction;response"):
	case !r.startsLine && followsSentence(s.text, at) && s.isAnswered(&r):
		s.report(RuleRoleLine, r.start, r.end)
	case r.startsLine || isShoutedWord(s.text, at):
		s.checkSpeech(&r)
	}
}

// roleMark is the name of a speaker, with the signs around it, before what it says.
type roleMark struct {
	start, end int
	name       string // in lower case
	heading    bool
	startsLine bool
}

// isAnswered reports whether a line of another speaker follows.
func (s *flagScanner) isAnswered(r *roleMark) bool {
	return anotherSpeakerFollows(bytesAfter(s.text, r.end, 400), r.name)
}

// checkSpeech checks what a speaker says.
func (s *flagScanner) checkSpeech(r *roleMark) {
	said := strings.TrimLeft(bytesAfter(s.text, r.end, 240), " *:]\"")
	if !r.heading && !addressesModel(said) && !(r.startsLine && s.isAnswered(r)) {
		return
	}
	first := firstNonSpace(strings.TrimLeft(bytesAfter(s.text, r.end, 8), "* "))
	if strings.IndexByte("\"'", first) >= 0 && !hasAnyPrefix(r.name, "system;developer") {
		// an example of a conversation, in which nobody speaks as the program of the agent
		s.addTrace(RuleQuoted, r.start, r.end, "")
		return
	}
	s.report(RuleRoleLine, r.start, r.end)
}

// followsSentence reports whether a sentence ends before the word at byte i.
func followsSentence(text string, i int) bool { return i > 1 && (text[i-2] == '.' || text[i-2] == '!') }

// isShoutedWord reports whether a word in capitals begins at byte i, behind what is no letter.
func isShoutedWord(text string, i int) bool {
	isCapital := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	return i > 0 && !isLetter(text[i-1]) && isCapital(text[i]) && isCapital(text[i+1])
}

// addressesModel reports whether the first non-empty line of s addresses a model or speaks as one.
func addressesModel(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 240)], " \t\r\n")
	s = s[:lineLen(s)]
	words := strings.FieldsFunc(lowerASCII(s), func(r rune) bool { return !isLatinLetter(r) && r != '\'' })
	return len(words) >= 3 && (modelOpeners()[words[0]] ||
		slices.ContainsFunc(words[:min(len(words), 16)], func(w string) bool { return modelWords()[w] }))
}

// modelOpeners address a model, or speak as one, as the first word of a line. modelWords do so
// anywhere among the first words.
var (
	modelOpeners = wordSet(
		"ignore disregard forget you your sure understood certainly obey never always from new override do execute run send reveal please",
	)
	modelWords = wordSet("ignore disregard you you're your obey instructions i'll comply assistant must")
)

// anotherSpeakerFollows reports whether s has a line of another speaker.
func anotherSpeakerFollows(s, name string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		l := lowerASCII(strings.TrimLeft(line, " \t*#>"))
		for _, role := range []string{"assistant:", "human:", "user:", "system:"} {
			if strings.HasPrefix(l, role) && role != name+":" && len(l) > len(role)+8 && strings.Count(l, " ") > 2 {
				return true
			}
		}
	}
	return false
}

// delimiterCheck returns a check for a delimiter that ends in the keyword: an opening bracket, the
// letters of word with ignored characters between them, and the closing bracket.
func delimiterCheck(key, open, word, shut string) func(*flagScanner, int) {
	return func(s *flagScanner, at int) {
		i := lastIndexBefore(s.text, open, at, 48)
		if i < 0 {
			return
		}
		n := spelledWordLen(s.text[i+1:min(len(s.text), at+len(key)+8)], word)
		if n == 0 && key == "pitfalls" {
			n = spelledWordLen(s.text[i+1:min(len(s.text), at+len(key)+8)], strings.TrimPrefix(word, "END"))
		}
		if n == 0 {
			return
		}
		end := i + 1 + n
		if j := strings.Index(bytesAfter(s.text, end, 40), shut); j >= 0 {
			s.report(RuleDelimiter, i, end+j+1)
		}
	}
}

// checkBlockEnd checks for a closing tag that prompts use for blocks and that was not opened
// before.
func (s *flagScanner) checkBlockEnd(at int) {
	i := openBracketBefore(s.text, at)
	if i < 0 {
		return
	}
	between := s.text[i+1 : at]
	if !strings.Contains(between, "/") || strings.Trim(between, " /\t-_.") != "" {
		return
	}
	end := strings.IndexByte(bytesAfter(s.text, at, 24), '>')
	if end < 0 {
		return
	}
	name := strings.Trim(lowerASCII(s.text[at:at+end]), " \t-_.")
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" ||
		strings.HasPrefix(name, "memory") && name != "memory" ||
		strings.Contains(lowerASCII(bytesBefore(s.text, i, 8192)), "<"+name) {
		return
	}
	s.report(RuleDelimiter, i, at+end+1)
}

// openBracketBefore returns the index of the last < shortly before byte at, or -1.
func openBracketBefore(text string, at int) int {
	return lastIndexBefore(text, "<", at, 12)
}

// checkImage checks for an image whose address carries data or a slot for data.
func (s *flagScanner) checkImage(at int) {
	html := s.text[at] == '<'
	start := at
	if !html {
		if start = imageStart(s.text, at); start < 0 {
			return
		}
	}
	rest := bytesAfter(s.text, at, 1200)
	stop := ")\n \t"
	if html {
		stop = ">\n"
	}
	n := strings.IndexAny(rest[2:], stop)
	if n < 0 {
		n = len(rest) - 2
	}
	address := rest[2 : 2+n]
	if i := strings.Index(address, "http"); i >= 0 && carriesData(address[i:]) &&
		!containsAny(address, "img.shields.io;badge") {
		s.report(RuleImage, start, min(len(s.text), at+2+n+1))
	}
}

// imageStart returns the start of the Markdown image whose address begins at byte at, or -1.
func imageStart(text string, at int) int {
	i := lastIndexBefore(text, "![", at, 200)
	if i < 0 || strings.ContainsAny(text[i+2:at], "\n]") {
		return -1
	}
	return i
}

// dataParameters are URL parameters that ordinary pictures and badges do not have.
var dataParameters = wordSet(
	"d data exfil leak secret secrets content payload conversation history prompt env chat stolen dump",
)

// carriesData reports whether an address has data in its query or a slot for data after its host.
func carriesData(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	_, path, found := strings.Cut(rest, "/")
	if !found {
		return false
	}
	if strings.ContainsAny(path, "{$<") || strings.Contains(lowerASCII(path), "%7b") || strings.Contains(path, "[") ||
		strings.Contains(path, "...") {
		return true
	}
	_, query, _ := strings.Cut(path, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && dataParameters()[lowerASCII(name)] {
			return true
		}
	}
	return false
}

// firstNonSpace returns the first byte of a text that is not a space, or a space.
func firstNonSpace(s string) byte { return (strings.TrimLeft(s, " ") + " ")[0] }
