package detect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// markupKeys returns the keywords for tokens, roles, delimiters and images.
func markupKeys() (out []keyword) {
	add := func(check func(s *flagScanner, at int), keys ...string) {
		for _, k := range keys {
			out = append(out, keyword{text: k, check: check})
		}
	}
	// tokens are the tokens of chat templates. They are assembled from two parts so that a model
	// reading this file does not take them for its own.
	var tokens []string
	for t := range strings.FieldsSeq("im_ sys use ass end eot eom beg sta fin pad too mes cha dev") {
		tokens = append(tokens, "<"+"|"+t)
	}
	for t := range strings.FieldsSeq("start_of_turn> end_of_turn>") {
		tokens = append(tokens, "<"+t)
	}
	add((*flagScanner).chatToken, tokens...)
	add((*flagScanner).chatToken, "["+"inst]", "[/"+"inst]", "<<"+"sys>>", "<</"+"sys>>")
	add((*flagScanner).roleLine, "system:", "system :", "assistant:", "assistant :", "human:", "developer:", "user:",
		"instruction:", "instructions:", "response:", "system]", "assistant]", "[user]", "system prompt:", "system message:")
	add((*flagScanner).roleTag, "<system", "</system", "<assistant>", "</assistant>", "<user_m", "<instructions>")
	add(ending("pitfalls", "[", "ENDKNOWNPITFALLS", "]"), "pitfalls")
	add(ending("detected", "[", "ENDLOOPDETECTED", "]"), "detected")
	add(ending("reminder", "<", "SYSTEMREMINDER", ">"), "reminder")
	add((*flagScanner).blockEnd, "memory", "memories>", "past_experience>", "instructions>", "context>", "user_input>", "untrusted>", "tool_result>",
		"function_results>", "conversation>", "lessons>", "documents>", "document>")
	add((*flagScanner).hyphened, "ig-nore", "igno-re", "dis-regard", "disre-gard", "for-get ", "pre-vious", "previ-ous", "in-struct", "instruc-t", "sys-tem")
	add((*flagScanner).slot, "https:", "http:/", "nslookup", "ping ", " dig ", "wget ", "curl ")
	add((*flagScanner).respelt, "rot13", "rot-13", "backwards", "back to front", "reversed", "from right to left", "in reverse", "right-to-left")
	add((*flagScanner).image, "](http", "<img ")
	for i := range out {
		switch out[i].text {
		case "](http":
			out[i].gate = func(text string, at int) bool { return imageStart(text, at) >= 0 }
		case "https:", "http:/", "nslookup", "ping ", " dig ", "wget ", "curl ":
			out[i].gate = func(text string, at int) bool { return slotEnd(text, at) > 0 }
		case "memory":
			out[i].gate = func(text string, at int) bool { return openBefore(text, at) >= 0 }
		}
	}
	return out
}

// slotBytes is how many bytes after an address, or a command that requests one, are searched for a
// slot.
const slotBytes = 200

// slot checks whether an address has a slot for data: a command, a variable, or words.
func (s *flagScanner) slot(at int) {
	if end := slotEnd(s.text, at); end > 0 {
		s.weigh(RuleURLData, at, end, true)
	}
}

// slotEnd returns the end of the first slot for data in the address at byte at, or 0.
func slotEnd(text string, at int) int {
	if at > 0 && isLetter(text[at-1]) {
		return 0
	}
	line := text[at:min(len(text), at+slotBytes)]
	line = line[:lineLen(line)]
	for i := 1; i < len(line); i++ {
		shut := 0
		switch {
		case strings.HasPrefix(line[i:], "${{"):
			return 0 // a slot of a workflow, which fills it in itself
		case line[i] == '$' && i+1 < len(line) && line[i+1] == '(':
			shut = strings.IndexByte(line[i:], ')')
		case line[i] == '{', line[i] == '<':
			shut = strings.IndexAny(line[i:], "}>")
		case line[i] == '$':
			shut = 1 + nameLen(lowerASCII(line[i+1:]))
		case line[i] == ' ' || line[i] == '"' || line[i] == '`':
			if strings.Contains(line[:i], "/") || strings.Contains(line[:i], ".") {
				return 0 // after the address
			}
			continue
		}
		if shut > 0 && filled(line[:i], line[i:i+shut]) {
			return at + i + shut
		}
	}
	return 0
}

// filled reports whether a slot is to be filled with data that does not belong to the address
// itself, given the text before it.
func filled(before, slot string) bool {
	param := before[strings.LastIndexAny(before, "?&/ ")+1:]
	slot = lowerASCII(slot)
	_, host, schemed := strings.Cut(before, "//")
	inHost := !strings.Contains(host, "/") && (schemed || !strings.Contains(before, "/"))
	if strings.HasPrefix(slot, "$(") {
		return inHost && strings.Contains(before, " ") || containsAny(slot, "cat ;env;whoami;hostname;base64;id -;git config;history;~/;pass;key;token")
	}
	if containsAny(param, "key=;token=;auth;appid=;secret=;pass;sig=;pwd=;api=;code=;@") || strings.HasSuffix(before, ":") && !inHost {
		return false
	}
	if slot[0] == '$' {
		return !strings.Contains(before, "-H") && (inHost && strings.Contains(before, " ") || strings.Contains(param, "=")) && containsAny(slot, "key;token;secret;passw;credential")
	}
	return containsAny(slot, "content;summary;conversation;transcript;prompt;secret;passw;credential;.env;histor;base64;last message;user message;user's;question;answer;memory;memories;diff;file text;api key;environ;source code;api_key;cookie")
}

// respelt searches the text after a word that names a cipher again, decoded with ROT13 and
// reversed.
func (s *flagScanner) respelt(at int) {
	if s.origin != nil || at < s.whole {
		return
	}
	from, to := max(s.whole, at-foldBytes), min(len(s.text), at+3*foldBytes)
	s.whole = to
	turned, back := []byte(s.text[from:to]), []byte(s.text[from:to])
	for i, c := range turned {
		if isLetter(c) {
			turned[i] = (c|0x20-'a'+13)%26 + 'a'
		}
	}
	slices.Reverse(back)
	for _, text := range [][]byte{turned, back} {
		s.copied(flagScanner{text: string(text), original: s.text, origin: func(int, int) (int, int) { return from, to }})
	}
}

// hyphened searches the text around a hyphenated word again, without the hyphens.
func (s *flagScanner) hyphened(at int) {
	if s.origin != nil || at < s.whole {
		return
	}
	from, to := max(s.whole, at-foldBytes/2), min(len(s.text), at+foldBytes)
	s.whole = to
	s.copiedFrom(decodedOf(&decoded{text: s.text[from:to]}, hyphens), from, to)
}

// chatToken checks for a token of a chat template: between <| and |>, or a word in brackets.
func (s *flagScanner) chatToken(at int) {
	rest := s.text[at:min(len(s.text), at+48)]
	if token := chatTokens().FindString(rest); token != "" {
		s.say(RuleChatToken, at, at+len(token))
	}
}

var chatTokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:<\|[^ \t\n<]*?\|>|<\w+>|\[/?\w+\]|<</?\w+>>)`)
})

// roleTag checks for an element named like a speaker, at the start of a line, with content that
// addresses a model.
func (s *flagScanner) roleTag(at int) {
	end := strings.IndexByte(s.text[at:min(len(s.text), at+32)], '>')
	if end < 0 {
		return
	}
	name := strings.Trim(lowerASCII(s.text[at:at+end]), "</ ")
	if name == "system-reminder" || !startsLine(s.text, at) || !slices.Contains(strings.Fields("system assistant user_message instructions system_prompt system-prompt"), name) {
		return
	}
	rest := s.text[at+end+1 : min(len(s.text), at+end+400)]
	if s.text[at+1] == '/' || directs(rest) || strings.Contains(lowerASCII(rest), "</"+name+">") {
		s.say(RuleRoleLine, at, at+end+1)
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

// roleLine checks for a line that begins with a speaker. It counts only if it addresses a model, or
// speaks as one.
func (s *flagScanner) roleLine(at int) {
	start := at
	for start > 0 && (s.text[start-1] == '[' || s.text[start-1] == '#' || s.text[start-1] == '*') {
		start--
	}
	colon := strings.IndexAny(s.text[at:min(len(s.text), at+24)], ":]")
	if colon < 0 {
		return
	}
	end := at + colon + 1
	rest := s.text[end:min(len(s.text), end+240)]
	rest = strings.TrimLeft(rest, " *:]\"")
	loud := s.text[at] >= 'A' && s.text[at] <= 'Z' && s.text[at+1] >= 'A' && s.text[at+1] <= 'Z'
	heading := strings.HasSuffix(strings.TrimRight(s.text[max(0, start-8):at], " "), "###")
	name := lowerASCII(s.text[at : at+colon])
	if strings.HasPrefix(name, "instruction") || strings.HasPrefix(name, "response") {
		if !heading {
			return
		}
	}
	first := startsLine(s.text, at)
	if !first && at > 1 && (s.text[at-2] == '.' || s.text[at-2] == '!') && answered(s.text[end:min(len(s.text), end+400)], name) {
		s.say(RuleRoleLine, start, end)
		return
	}
	if !first && !(loud && at > 0 && !isLetter(s.text[at-1])) {
		return
	}
	switch {
	case !heading && !directs(rest) && !(first && answered(s.text[end:min(len(s.text), end+400)], name)):
	case strings.IndexByte("\"'", firstByte(s.text[end:min(len(s.text), end+8)])) >= 0: // an example of a conversation
		s.note(RuleQuoted, start, end, "")
	default:
		s.say(RuleRoleLine, start, end)
	}
}

// directs reports whether the line at the start of s, or the next one if it is empty, addresses a
// model or speaks as one.
func directs(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 240)], " \t\r\n")
	s = s[:lineLen(s)]
	words := strings.FieldsFunc(lowerASCII(s), func(r rune) bool { return !latin(r) && r != '\'' })
	return len(words) >= 3 && (slices.Contains(firstOrders, words[0]) ||
		slices.ContainsFunc(words[:min(len(words), 16)], func(w string) bool { return slices.Contains(toModels, w) }))
}

// firstOrders are words by which the first word of a line addresses a model or speaks as one.
// toModels are words that do so anywhere among its first words.
var (
	firstOrders = strings.Fields("ignore disregard forget you your sure understood certainly obey never always from new override do execute run send reveal please")
	toModels    = strings.Fields("ignore disregard you you're your obey instructions i'll comply assistant must")
)

// answered reports whether another speaker has a line soon after.
func answered(s, name string) bool {
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

// ending returns a check for a delimiter that ends in the keyword: a bracket, the letters of word
// with ignorable characters between them, and the closing bracket.
func ending(key, open, word, shut string) func(*flagScanner, int) {
	return func(s *flagScanner, at int) {
		from := max(0, at-48)
		i := strings.LastIndex(s.text[from:at], open)
		if i < 0 {
			return
		}
		i += from
		n := letters(s.text[i+1:min(len(s.text), at+len(key)+8)], word)
		if n == 0 && key == "pitfalls" {
			n = letters(s.text[i+1:min(len(s.text), at+len(key)+8)], strings.TrimPrefix(word, "END"))
		}
		if n == 0 {
			return
		}
		end := i + 1 + n
		if j := strings.Index(s.text[end:min(len(s.text), end+40)], shut); j >= 0 {
			s.say(RuleDelimiter, i, end+j+1)
		}
	}
}

// blockEnd checks for a closing tag of a kind that prompts use for blocks, without its opening tag.
func (s *flagScanner) blockEnd(at int) {
	i := openBefore(s.text, at)
	if i < 0 {
		return
	}
	between := s.text[i+1 : at]
	if !strings.Contains(between, "/") || strings.Trim(between, " /\t-_.") != "" {
		return
	}
	end := strings.IndexByte(s.text[at:min(len(s.text), at+24)], '>')
	if end < 0 {
		return
	}
	name := strings.Trim(lowerASCII(s.text[at:at+end]), " \t-_.")
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" || strings.HasPrefix(name, "memory") && name != "memory" ||
		strings.Contains(lowerASCII(s.text[max(0, i-8192):i]), "<"+name) {
		return
	}
	s.say(RuleDelimiter, i, at+end+1)
}

// openBefore returns the index of the last < shortly before byte at, or -1.
func openBefore(text string, at int) int {
	from := max(0, at-12)
	if i := strings.LastIndexByte(text[from:at], '<'); i >= 0 {
		return from + i
	}
	return -1
}

// image checks for an image whose address carries data, or a slot for data.
func (s *flagScanner) image(at int) {
	html := s.text[at] == '<'
	start := at
	if !html {
		if start = imageStart(s.text, at); start < 0 {
			return
		}
	}
	rest := s.text[at:min(len(s.text), at+1200)]
	stop := ")\n \t"
	if html {
		stop = ">\n"
	}
	n := strings.IndexAny(rest[2:], stop)
	if n < 0 {
		n = len(rest) - 2
	}
	address := rest[2 : 2+n]
	if i := strings.Index(address, "http"); i >= 0 && carries(address[i:]) && !containsAny(address, "img.shields.io;badge") {
		s.say(RuleImage, start, min(len(s.text), at+2+n+1))
	}
}

// imageStart returns the start of the Markdown image with the address at byte at, or -1 if there is
// none.
func imageStart(text string, at int) int {
	from := max(0, at-200)
	i := strings.LastIndex(text[from:at], "![")
	if i < 0 || strings.ContainsAny(text[from+i+2:at], "\n]") {
		return -1
	}
	return from + i
}

// dataNames are parameters that the addresses of badges and pictures do not have.
var dataNames = strings.Fields("d data exfil leak secret secrets content payload conversation history prompt env chat stolen dump")

// carries reports whether an address carries data in its query, or a slot for data anywhere after
// its host.
func carries(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	_, path, found := strings.Cut(rest, "/")
	if !found {
		return false
	}
	if strings.ContainsAny(path, "{$<") || strings.Contains(lowerASCII(path), "%7b") || strings.Contains(path, "[") || strings.Contains(path, "...") {
		return true
	}
	_, query, _ := strings.Cut(path, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && slices.Contains(dataNames, lowerASCII(name)) {
			return true
		}
	}
	return false
}

// firstByte returns the first byte of a text that is not a space, or a space.
func firstByte(s string) byte { return (strings.TrimLeft(s, " ") + " ")[0] }
