package arbiter

import (
	"strings"
)

// The commands for lessons that a model writes into its reply.
const (
	writStart = "/lesson "
	writEnd   = "/endlesson"
	verbList  = "list"
	verbFind  = "search"
	verbDrop  = "delete"
	verbNew   = "create"
)

// writ is one command as Arbiter reads it from a reply.
type writ struct {
	line    int // of the reply, from 1
	args    string
	content string // the lines of a block
	block   bool
	cut     bool // the block has no end
	lines   int  // of the reply that it takes
}

// writs returns the commands for lessons in a reply.
func writs(reply string) []writ {
	lines := strings.Split(reply, "\n")
	fence := ""
	var all []writ
	for i := 0; i < len(lines); i++ {
		line := trimEnd(lines[i])
		if mark := fenceMark(line); mark != "" {
			switch fence {
			case "":
				fence = mark
			case mark:
				fence = ""
			}
			continue
		}
		args, ok := strings.CutPrefix(line, writStart)
		if fence != "" || !ok {
			continue
		}
		w := writ{line: i + 1, args: args, lines: 1}
		if verb, _ := verbOf(args); verb == verbNew && !strings.Contains(args, ":") && opens(lines, i+1) {
			w.readBlock(lines[i+1:])
			i += w.lines - 1
		}
		all = append(all, w)
	}
	return all
}

// readBlock reads the lines that follow up to the end of the block, whatever is in
// them.
func (w *writ) readBlock(lines []string) {
	w.block = true
	var body []string
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		if l == writEnd {
			w.content, w.lines = joined(body), i+2
			return
		}
		if i == len(lines)-1 && l == "" {
			break // what a last line end leaves is no line
		}
		body = append(body, l)
	}
	w.content, w.cut, w.lines = joined(body), true, len(lines)+1
}

func joined(lines []string) string { return strings.Join(lines, "\n") }

// opens reports whether the next line can begin a block.
func opens(lines []string, i int) bool {
	if i >= len(lines) {
		return false
	}
	next := strings.TrimSuffix(lines[i], "\r")
	return next != "" && next[0] != '/'
}

// fenceMark returns the mark of a line that opens or closes a fence of code.
func fenceMark(line string) string {
	for _, m := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(line, m) {
			return m
		}
	}
	return ""
}

// trimEnd takes away spaces and the CR at the end of a line.
func trimEnd(line string) string { return strings.TrimRight(line, " \r") }

// verbOf returns the verb of a command and what follows it.
func verbOf(args string) (verb, rest string) {
	trimmed := strings.TrimLeft(args, " \t")
	word, rest := trimmed, ""
	if i := strings.IndexAny(trimmed, " \t"); i >= 0 {
		word, rest = trimmed[:i], trimmed[i+1:]
	}
	switch word {
	case verbList, verbFind, verbDrop:
		return word, rest
	}
	return verbNew, args
}
