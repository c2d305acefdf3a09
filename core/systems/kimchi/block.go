package kimchi

import (
	"fmt"
	"strings"

	"winnow/core/memory"
)

// rendered is a block as it gets into the system prompt, and where the entries stand
// in it.
type rendered struct {
	text  string
	parts []place
}

// place is where an entry stands in a block. Of is its index among the entries that
// were handed in.
type place struct {
	of, start, end int
	note           string
}

// render returns the block of a file with these entries, as they are read. It is empty
// without any. Name is that of the file.
func (d *dialect) render(entries []string, limit int, name string) rendered {
	var out rendered
	var content strings.Builder
	seen := map[string]bool{}
	for i, e := range entries {
		if seen[e] {
			continue
		}
		seen[e] = true
		if content.Len() > 0 {
			content.WriteString(delimiter)
		}
		p := place{of: i, start: content.Len()}
		shown := d.shown(e, name)
		if shown != e {
			p.note = "blocked by its scan"
		}
		content.WriteString(shown)
		p.end = content.Len()
		out.parts = append(out.parts, p)
	}
	if len(out.parts) == 0 {
		return rendered{}
	}
	text := content.String()
	used := d.length(text)
	title := "MEMORY (your personal notes) ["
	if isUser(name) {
		title = "USER PROFILE (who the user is) ["
	}
	head := rule + "\n" + title + d.usage(used, limit)
	if d.scans {
		if used > limit {
			head += " ⚠ OVER BUDGET"
		}
		text = out.cap(text, used, limit)
	}
	head += "]\n" + rule + "\n"
	for i := range out.parts {
		out.parts[i].start += len(head)
		out.parts[i].end += len(head)
	}
	out.text = head + text
	return out
}

// shown returns an entry as it stands in the block.
func (d *dialect) shown(entry, name string) string {
	const tooLong = 65536 // characters that Hermes scans
	if !d.scans || strings.HasPrefix(entry, "[BLOCKED:") {
		return entry
	}
	const end = "Removed from system prompt; use memory(action=remove) to delete the original.]"
	if n := d.length(entry); n > tooLong {
		return fmt.Sprintf("[BLOCKED: %s entry too large to scan (%s chars). %s", name, thousands(n), end)
	}
	if found := d.threats(entry); len(found) > 0 {
		return fmt.Sprintf("[BLOCKED: %s entry contained threat pattern(s): %s. %s", name, strings.Join(found, ", "), end)
	}
	return entry
}

// cap cuts the middle out of a text that is more than twice as long as it may be, as
// Hermes does, and sets the parts right.
func (r *rendered) cap(text string, used, limit int) string {
	most := max(limit*2, 4000)
	if used <= most {
		return text
	}
	head, tail := most*7/10, most/5
	chars := []rune(text)
	first, last := string(chars[:head]), string(chars[used-tail:])
	middle := fmt.Sprintf("\n\n[... %s chars truncated — memory over budget (%s/%s); consolidate via memory(action=remove/replace) ...]\n\n",
		thousands(used-head-tail), thousands(used), thousands(limit))
	moved := len(first) + len(middle) + len(last) - len(text)
	kept := r.parts[:0]
	for _, p := range r.parts {
		whole := p
		switch behind := len(text) - len(last); {
		case p.end <= len(first):
		case p.start >= behind:
			p.start, p.end = p.start+moved, p.end+moved
		case p.start < len(first): // and perhaps its end is there again, behind the cut
			p.end = len(first)
		case p.end > behind:
			p.start, p.end = behind+moved, p.end+moved
		default:
			continue
		}
		if p.end-p.start < whole.end-whole.start {
			p.note = "cut: the file is over its limit"
		}
		kept = append(kept, p)
	}
	r.parts = kept
	return first + middle + last
}

// appended returns what is put behind a system prompt: the blocks of both files.
func appended(memory, user string) string {
	text := ""
	for _, b := range [...]string{memory, user} {
		if b != "" {
			text += "\n\n" + b
		}
	}
	return text
}

// parts returns the places of a block as parts of it. IDs are those of the entries.
func (r rendered) memoryParts(ids []memory.ID, path string) []memory.Part {
	var all []memory.Part
	for i, p := range r.parts {
		all = append(all, memory.Part{
			Name: fmt.Sprintf("entry %d", i+1), ID: ids[p.of], Path: path, Start: p.start, End: p.end, Note: p.note,
		})
	}
	return all
}
