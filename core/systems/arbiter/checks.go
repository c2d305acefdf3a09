package arbiter

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/core/redact"
)

// Checks returns what can be said of a text without a store.
func Checks() []memory.Check {
	return []memory.Check{{
		Name: "writ", Short: "read the /lesson commands of a reply as Arbiter does",
		Long: "The text is a reply of Arbiter's model. Each command for lessons is named with what it does, and what goes wrong: a signature that begins with a verb, " +
			"the colon of a URL, a body that is lost, a block without an end, a command that is not read.",
		Run: checkWrits,
	}, {
		Name: "loop", Short: "look for calls that fail twice in a row, as Arbiter does",
		Long: "The text is an exchange: the commands of the model, each on a line that begins with / and its name, and after those of a round their results as Arbiter " +
			"prints them: [/name arguments], the text, [END NAME], and at the end of the round [END TOOL RESULTS]. Without the commands the heads of the results stand for them. " +
			"Said are the rounds in which a call failed, and which two of them make Arbiter say LOOP DETECTED.",
		Run: checkLoop,
	}}
}

// quotedBytes is how much of a text a remark quotes.
const quotedBytes = 60

// shown quotes a text in a remark: one line, cut, its secrets replaced.
func shown(s string) string {
	spans := redact.Find(s)
	for i := len(spans) - 1; i >= 0; i-- {
		s = s[:spans[i].Start] + redact.Mark + s[spans[i].End:]
	}
	s, _, more := strings.Cut(wellFormed(s), "\n")
	if len(s) > quotedBytes {
		cut := quotedBytes
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s, more = s[:cut], true
	}
	if more {
		s += "…"
	}
	return quoted(s)
}

// writCheck reads the commands of a reply one after the other.
type writCheck struct {
	lines   []string
	remarks []memory.Remark
	first   map[string]int // the line at which arguments were given first
	taken   map[int]bool   // lines of commands and their blocks, from 1
}

func (c *writCheck) say(line int, level memory.Level, what, next string) {
	c.remarks = append(c.remarks, memory.Remark{Line: line, Level: level, What: what, Next: next})
}

func checkWrits(text string) []memory.Remark {
	c := writCheck{lines: strings.Split(text, "\n"), first: map[string]int{}, taken: map[int]bool{}}
	all := writs(text)
	for i := range all {
		for n := range all[i].lines {
			c.taken[all[i].line+n] = true
		}
	}
	for i := range all {
		c.writ(&all[i])
	}
	c.unread()
	if len(all) == 0 {
		c.say(0, memory.Note, "There is no /lesson command in the text that Arbiter reads.", "")
	}
	return c.remarks
}

// writ says what one command does.
func (c *writCheck) writ(w *writ) {
	verb, rest := verbOf(w.args)
	if at, again := c.first[w.args]; again && verb != verbDrop {
		what := fmt.Sprintf("The same command stands in line %d: in one turn its answer is given again, and nothing is done.", at)
		if w.block {
			what = fmt.Sprintf("The signature %s stands in line %d already: in one turn the second body is not stored.", shown(w.args), at)
		}
		c.say(w.line, memory.Warn, what, "use another signature, or another turn")
		return
	}
	c.first[w.args] = w.line
	switch verb {
	case verbList:
		c.list(w, rest)
	case verbFind:
		c.find(w, rest)
	case verbDrop:
		c.drop(w, rest)
	default:
		c.create(w)
	}
}

func (c *writCheck) list(w *writ, rest string) {
	if strings.TrimSpace(rest) == "" {
		c.say(w.line, memory.Good, "Lists the agent's lessons, at most 25.", "")
		return
	}
	c.say(w.line, memory.Warn, "Lists lessons: the signature begins with the verb list, so "+shown(rest)+" is not recorded.", "begin the signature with another word")
}

func (c *writCheck) find(w *writ, rest string) {
	switch {
	case strings.TrimSpace(rest) == "":
		c.say(w.line, memory.Stop, "Searches for nothing: Arbiter answers with an error.", "say what to search for")
	case strings.Contains(rest, ":"):
		c.say(w.line, memory.Warn, "Searches for "+shown(rest)+". If this was to be recorded: its signature begins with the verb search.", "begin the signature with another word")
	case strings.ContainsAny(rest, "%_"):
		c.say(w.line, memory.Note, "Searches for "+shown(rest)+", in which % stands for any text and _ for any character.", "")
	default:
		c.say(w.line, memory.Good, "Searches for "+shown(rest)+", at most 10.", "")
	}
}

func (c *writCheck) drop(w *writ, rest string) {
	id, ok := leadingNumber(strings.TrimPrefix(rest, "#"))
	words := strings.Fields(rest)
	switch {
	case !ok || id <= 0:
		c.say(w.line, memory.Stop, "Deletes nothing: no number follows the verb delete.", "begin a signature with another word, or name a lesson: /lesson delete 12")
	case len(words) > 1 || strings.TrimLeft(strings.TrimPrefix(rest, "#"), "+0123456789 \t") != "":
		c.say(w.line, memory.Warn, fmt.Sprintf("Deletes lesson %d and records nothing: the signature begins with the verb delete and a number.", id), "begin the signature with another word")
	default:
		c.say(w.line, memory.Warn, fmt.Sprintf("Deletes lesson %d for good, whichever agent of the tenant it is of.", id), "look at the lesson first")
	}
}

// create says what becomes of a command that records a lesson.
func (c *writCheck) create(w *writ) {
	signature, text, wrong := w.parts()
	if wrong != "" {
		c.say(w.line, memory.Stop, "Records nothing: "+strings.TrimPrefix(wrong, "ERR: ")+".", "write /lesson signature: text, or a block that ends with /endlesson")
	} else {
		c.say(w.line, memory.Good, "Records "+shown(text)+" as "+shown(signature)+".", "")
		c.texts(w, signature, text)
	}
	if inside := strings.Count("\n"+w.content, "\n/"); w.block && inside > 0 {
		c.say(w.line, memory.Warn, fmt.Sprintf("The block takes in %d lines that begin with /: they are text and not carried out.", inside), "end the block with /endlesson before them")
	}
	if end := c.lostBody(w); end > 0 {
		c.say(w.line, memory.Warn, fmt.Sprintf("The lines up to /endlesson in line %d are lost: a command with a colon has no body.", end), "leave the colon out of the first line")
	}
}

// texts says what is odd about a lesson that is recorded.
func (c *writCheck) texts(w *writ, signature, text string) {
	if strings.HasPrefix(text, "//") && (strings.HasSuffix(signature, "http") || strings.HasSuffix(signature, "https")) {
		c.say(w.line, memory.Warn, "The first colon is that of a URL, so the signature is "+shown(signature)+".", "use the block form, which has no colon")
	}
	for _, end := range [...]string{blockEnd, "[END LESSON]", "[END TOOL RESULTS]"} {
		if strings.Contains(signature+"\n"+text, end) {
			c.say(w.line, memory.Warn, "It holds "+end+", which ends the block that it is shown in.", "write it otherwise")
		}
	}
	if len(redact.Find(signature)) > 0 || len(redact.Find(text)) > 0 {
		c.say(w.line, memory.Warn, "It holds what looks like a secret; Arbiter stores it and sends it with every message that brings it up.", "name where the secret is kept instead")
	}
}

// lostBody returns the line of an /endlesson that was meant for a command which has no
// block, and 0 when there is none.
func (c *writCheck) lostBody(w *writ) int {
	if w.block {
		return 0
	}
	for i := w.line; i < len(c.lines); i++ {
		line := strings.TrimSuffix(c.lines[i], "\r")
		switch {
		case line == writEnd:
			if i > w.line {
				return i + 1
			}
			return 0
		case strings.HasPrefix(line, "/"):
			return 0
		}
	}
	return 0
}

// unread says which lines look like commands and are not read.
func (c *writCheck) unread() {
	fence := ""
	for i, raw := range c.lines {
		if c.taken[i+1] {
			continue
		}
		line := trimEnd(raw)
		if mark := fenceMark(line); mark != "" {
			switch fence {
			case "":
				fence = mark
			case mark:
				fence = ""
			}
			continue
		}
		at := strings.Index(strings.ToLower(line), "/lesson")
		before := strings.TrimLeft(line[:max(0, at)], " \t>*-0123456789.`")
		if at < 0 || before != "" || !wordEnds(line[at+len("/lesson"):]) {
			continue
		}
		c.say(i+1, memory.Note, "This is not read: "+whyUnread(line, at, fence)+".", "begin a line of its own with /lesson and a space")
	}
}

// wordEnds reports whether a word ends before the text.
func wordEnds(rest string) bool { return rest == "" || strings.ContainsAny(rest[:1], " \t:`") }

func whyUnread(line string, at int, fence string) string {
	switch {
	case fence != "":
		return "it stands in a fence of code"
	case at > 0:
		return "the command does not begin the line"
	case !strings.HasPrefix(line, "/lesson"):
		return "the command is not in lower case"
	case line == "/lesson":
		return "nothing follows the command"
	}
	return "no space follows the command"
}
