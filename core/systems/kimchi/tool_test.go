package kimchi

import (
	"strconv"
	"strings"

	"winnow/core/jstext"
)

// Op is one call of the tool with which a model keeps its notes.
type Op struct {
	Action       string // add, replace, remove, read
	Target       string // memory or user; any other name means memory
	Content, Old string
}

// Result is what the tool answers.
type Result struct {
	Success bool
	Error   string
	// Usage is how full the file is, also of a failure that is about it.
	Usage   string
	Target  string // as it was named
	Entries []string
	Message string
	// Matches are the entries that an ambiguous text is in, cut to 80 units. The model
	// does not see them.
	Matches []string
}

// Text returns what the model gets of a result.
func (r Result) Text() string {
	if !r.Success {
		return r.Error
	}
	text := ""
	if r.Message != "" {
		text = r.Message + "\n\n"
	}
	if len(r.Entries) == 0 {
		return text + "Empty."
	}
	noun := " entries ("
	if len(r.Entries) == 1 {
		noun = " entry ("
	}
	return text + strconv.Itoa(len(r.Entries)) + noun + r.Usage + "):\n\n" + strings.Join(r.Entries, "\n---\n")
}

// Call returns what Kimchi's tool makes of a file of notes, and what it answers. The
// file is nil when it is missing, and returned as it was, the same slice, when the tool
// does not write it. Limit is in UTF-16 units.
//
// This is what a model does. A person's changes go through Write, which keeps the bytes
// of entries that it does not change.
func Call(file []byte, limit int, op Op) ([]byte, Result) {
	t := tool{d: kimchi(), limit: limit, op: op}
	t.entries = t.d.entries(string(file))
	var r Result
	switch op.Action {
	case "add":
		r = t.add()
	case "replace":
		r = t.replace()
	case "remove":
		r = t.remove()
	case "read":
		r = t.done("")
	default:
		r = failure("Unknown action '" + op.Action + "'.")
	}
	if !t.wrote {
		return file, r
	}
	return []byte(join(t.entries)), r
}

// tool is one call.
type tool struct {
	d       *dialect
	limit   int
	op      Op
	entries []string
	wrote   bool
}

func failure(text string) Result { return Result{Error: text} }

// done returns the result of a call that succeeded.
func (t *tool) done(message string) Result {
	return Result{
		Success: true, Target: t.op.Target, Entries: t.entries, Message: message,
		Usage: t.d.usage(t.d.used(t.entries), t.limit),
	}
}

// write is done of a call that changes the file.
func (t *tool) write(entries []string, message string) Result {
	t.entries, t.wrote = entries, true
	return t.done(message)
}

func (t *tool) add() Result {
	content := t.d.trim(t.op.Content)
	if content == "" {
		return failure(noContent)
	}
	if why := t.d.scan(content); why != "" {
		return failure(why)
	}
	for _, e := range t.entries {
		if e == content {
			return t.done("Entry already exists (no duplicate added).")
		}
	}
	with := append(t.entries[:len(t.entries):len(t.entries)], content)
	if t.d.used(with) > t.limit {
		used := t.d.used(t.entries)
		r := failure(t.d.addingFails(used, t.limit, t.d.length(content)))
		r.Usage = t.d.amount(used) + "/" + t.d.amount(t.limit)
		return r
	}
	return t.write(with, "Entry added.")
}

func (t *tool) replace() Result {
	old, content := t.d.trim(t.op.Old), t.d.trim(t.op.Content)
	switch {
	case old == "":
		return failure("old_text cannot be empty.")
	case content == "":
		return failure("new_content cannot be empty. Use 'remove' to delete entries.")
	}
	if why := t.d.scan(content); why != "" {
		return failure(why)
	}
	i, failed := t.match(old)
	if i < 0 {
		return failed
	}
	with := append([]string(nil), t.entries...)
	with[i] = content
	if used := t.d.used(with); used > t.limit {
		return failure(t.d.replacingFails(used, t.limit))
	}
	return t.write(with, "Entry replaced.")
}

func (t *tool) remove() Result {
	old := t.d.trim(t.op.Old)
	if old == "" {
		return failure("old_text cannot be empty.")
	}
	i, failed := t.match(old)
	if i < 0 {
		return failed
	}
	with := append(append([]string(nil), t.entries[:i]...), t.entries[i+1:]...)
	return t.write(with, "Entry removed.")
}

// match returns the first of the entries that hold a text, when all that do are the
// same; else -1 and what the tool answers.
func (t *tool) match(old string) (int, Result) {
	first := -1
	same := true
	var holding []string
	for i, e := range t.entries {
		if !strings.Contains(e, old) {
			continue
		}
		if first < 0 {
			first = i
		}
		same = same && e == t.entries[first]
		holding = append(holding, cut(e))
	}
	switch {
	case first < 0:
		return -1, failure("No entry matched '" + old + "'.")
	case !same:
		r := failure("Multiple entries matched '" + old + "'. Be more specific.")
		r.Matches = holding
		return -1, r
	}
	return first, Result{}
}

// cut returns the first 80 units of a longer text.
func cut(text string) string {
	const most = 80
	if jstext.Len(text) <= most {
		return text
	}
	return jstext.Slice(text, most) + "..."
}
