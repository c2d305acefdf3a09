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
	title := "MEMORY (your personal notes) ["
	if isUser(name) {
		title = "USER PROFILE (who the user is) ["
	}
	head := rule + "\n" + title + d.usage(d.length(text), limit) + "]\n" + rule + "\n"
	for i := range out.parts {
		out.parts[i].start += len(head)
		out.parts[i].end += len(head)
	}
	out.text = head + text
	return out
}

// shown returns an entry as it stands in the block.
func (d *dialect) shown(entry, name string) string {
	if !d.scans || strings.HasPrefix(entry, "[BLOCKED:") {
		return entry
	}
	found := d.threats(entry)
	if len(found) == 0 {
		return entry
	}
	return fmt.Sprintf("[BLOCKED: %s entry contained threat pattern(s): %s. Removed from system prompt; use memory(action=remove) to delete the original.]",
		name, strings.Join(found, ", "))
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
