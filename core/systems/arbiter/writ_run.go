package arbiter

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The limits of the commands for lessons.
const (
	defaultAgent   = "index"
	signatureBytes = 200
	textBytes      = 4096
	listLimit      = 25
	findLimit      = 10
	resultBytes    = 16384 // of one result
	budgetBytes    = 32768 // of all results of a reply
	patternBytes   = 50000
)

// notes is what the commands of a reply work on: the lessons of one tenant, in a model
// of the store.
type notes struct {
	agent   string
	now     int64
	denied  bool // the agent may not use them
	missing bool // there is no store
	lessons []note
	next    int64
	cache   map[string]string // results of this turn; nil when nothing is kept
}

// note is a lesson in such a model.
type note struct {
	id              int64
	agent           string
	signature, text string
	hits            int64
	created, seen   int64
	updated         int64
}

// answer returns the results of the commands of a reply as Arbiter gives them to the
// model.
func (n *notes) answer(all []writ) string {
	var b strings.Builder
	b.WriteByte('\n')
	total := 0
	for i := range all {
		if total >= budgetBytes {
			b.WriteString("[TOOL RESULTS TRUNCATED: budget exhausted]\n\n")
			break
		}
		result := n.framed(&all[i])
		total += len(result)
		b.WriteString(result)
	}
	b.WriteString("[END TOOL RESULTS]")
	return b.String()
}

// framed returns the result of one command in its frame.
func (n *notes) framed(w *writ) string {
	if n.denied {
		return "[/lesson " + w.args + "]\nERR: capability not granted — this agent's `capabilities` does not include /lesson (bundle 'lessons').  Adapt: stop emitting /lesson or delegate via /agent to one that has it.\n[END lesson]\n\n"
	}
	key := "lesson|" + w.args
	if old, ok := n.cache[key]; ok {
		return old
	}
	verb, rest := verbOf(w.args)
	if verb == verbNew && w.block {
		rest += "\n\n" + w.content
	}
	body := n.run(verb, rest, w)
	if len(body) > resultBytes {
		body = body[:resultBytes] + "\n... [truncated]"
	}
	body = strings.TrimSuffix(body, "\n")
	head := "[/lesson " + verb
	if rest != "" {
		head += " " + rest
	}
	result := head + "]\n" + body + "\n[END LESSON]\n\n"
	if n.cache != nil && !strings.HasPrefix(body, "ERR") {
		n.cache[key] = result
	}
	return result
}

func (n *notes) run(verb, rest string, w *writ) string {
	switch {
	case n.missing:
		return "ERR: lesson store unavailable in this context — the /lesson writ requires the HTTP API.  Run under /v1/orchestrate."
	case verb == verbList:
		return listed(n.recent(), "(no lessons recorded)", "lesson(s)")
	case verb == verbFind && rest == "":
		return "ERR: usage: /lesson search <query>"
	case verb == verbFind:
		return listed(n.matches(rest), "(no matches)", "match(es)")
	case verb == verbDrop:
		return n.drop(rest)
	}
	return n.create(w)
}

// own returns the lessons of the agent.
func (n *notes) own() (own []note) {
	for _, l := range n.lessons {
		if l.agent == n.agent {
			own = append(own, l)
		}
	}
	return own
}

func (n *notes) recent() []note {
	own := n.own()
	slices.SortStableFunc(own, func(a, b note) int {
		return cmp.Or(cmp.Compare(b.seen, a.seen), cmp.Compare(b.created, a.created))
	})
	return own[:min(len(own), listLimit)]
}

func (n *notes) matches(query string) (found []note) {
	if len(query)+2 > patternBytes {
		return nil
	}
	pattern := "%" + lower(query) + "%"
	for _, l := range n.own() {
		if like(pattern, lower(l.signature)) || like(pattern, lower(l.text)) {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b note) int {
		return cmp.Or(cmp.Compare(b.hits, a.hits), cmp.Compare(b.seen, a.seen), cmp.Compare(a.id, b.id))
	})
	return found[:min(len(found), findLimit)]
}

func listed(lessons []note, none, noun string) string {
	if len(lessons) == 0 {
		return none
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s:\n", len(lessons), noun)
	for _, l := range lessons {
		b.WriteString("  " + l.line())
		if l.hits > 0 {
			fmt.Fprintf(&b, "  (hits: %d)", l.hits)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns a lesson as results name it.
func (l *note) line() string {
	s := "#" + strconv.FormatInt(l.id, 10)
	if l.signature != "" {
		s += "  [" + l.signature + "]"
	}
	return s + "  " + l.text
}

// drop deletes a lesson of the tenant, whoever wrote it.
func (n *notes) drop(rest string) string {
	id, ok := leadingNumber(strings.TrimPrefix(rest, "#"))
	if !ok || id <= 0 {
		return "ERR: usage: /lesson delete <id>"
	}
	i := slices.IndexFunc(n.lessons, func(l note) bool { return l.id == id })
	if i < 0 {
		return fmt.Sprintf("ERR: lesson #%d not found", id)
	}
	n.lessons = slices.Delete(n.lessons, i, i+1)
	return fmt.Sprintf("OK: deleted #%d", id)
}

// leadingNumber reads a number as strtoll does: what follows it does not matter.
func leadingNumber(s string) (int64, bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	end := 0
	if end < len(s) && (s[end] == '+' || s[end] == '-') {
		end++
	}
	digits := end
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	id, err := strconv.ParseInt(strings.TrimPrefix(s[:end], "+"), 10, 64)
	return id, end > digits && err == nil
}

// parts returns the signature and the text of a command that records a lesson, or what
// Arbiter answers when it has none.
func (w *writ) parts() (signature, text, wrong string) {
	signature, text, colon := strings.Cut(w.args, ":")
	switch {
	case w.cut:
		return "", "", "ERR: missing /endlesson terminator on block-form lesson"
	case w.block:
		signature, text = w.args, strings.TrimRight(w.content, "\n")
	case !colon:
		return "", "", "ERR: /lesson <signature>: <text>  OR  block form ending with /endlesson"
	default:
		text = strings.Trim(text, " \t")
	}
	signature = strings.Trim(signature, " \t")
	switch {
	case signature == "" || text == "":
		return "", "", "ERR: signature and lesson text are both required"
	case len(signature) > signatureBytes:
		return "", "", "ERR: signature must be ≤ 200 chars"
	case len(text) > textBytes:
		return "", "", "ERR: lesson text must be ≤ 4096 chars"
	}
	return signature, text, ""
}

func (n *notes) create(w *writ) string {
	signature, text, wrong := w.parts()
	if wrong != "" {
		return wrong
	}
	l := note{id: n.next, agent: n.agent, signature: signature, text: text, created: n.now, updated: n.now, seen: n.now}
	n.next++
	n.lessons = append(n.lessons, l)
	return fmt.Sprintf("OK: recorded lesson #%d — %s", l.id, l.line())
}

// like is LIKE of SQLite for texts in lower case: % stands for any text, _ for one
// character.
func like(pattern, s string) bool {
	star, from := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '%':
			star, from = p, i
			p++
		case p < len(pattern) && pattern[p] == '_':
			p++
			i += charLen(s[i:])
		case p < len(pattern) && pattern[p] == s[i]:
			p++
			i++
		case star < 0:
			return false
		default:
			from += charLen(s[from:])
			p, i = star+1, from
		}
	}
	return strings.Trim(pattern[p:], "%") == ""
}

// charLen returns how many bytes the character has that s begins with, as SQLite
// reads UTF-8: a first byte and those that go on.
func charLen(s string) int {
	n := 1
	if s[0] >= 0xc0 {
		for n < len(s) && s[n]&0xc0 == 0x80 {
			n++
		}
	}
	return n
}
