// Package handbook knows the folders of memories that the agent of The Agent Platform
// Handbook keeps: one file a fact, with a header of three lines.
package handbook

import (
	"bytes"
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "handbook"

// The block that memories are pinned in, and that a search returns one in. Nothing in
// them is escaped.
const (
	blockName = "memory"
	blockEnd  = "</memory>"
)

// Forms returns how its files lie. A folder can have any name, so what tells is how a
// file begins.
func Forms() []system.Form {
	return []system.Form{
		{System: ID, Name: "memory", Named: system.Named("*.md"), Looks: looksLikeMemory, Both: true, Land: land},
		{System: ID, Name: "memory index", Named: system.Named("MEMORY.md"), Looks: looksLikeIndex, Both: true,
			Land: system.Framed("memory index", "", "", blockEnd)},
	}
}

func looksLikeIndex(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# Memory index\n\nNotes this agent chose to remember"))
}

// looksLikeMemory reports whether a file begins with a header that says a name, a
// description and one of the three types.
func looksLikeMemory(head []byte) bool {
	m, ok := parse(string(head))
	return ok && m.typed && m.name != "" && m.description != ""
}

// memoryFile is what a file says.
type memoryFile struct {
	name, description, body string
	kind                    string // one of the three types
	typed                   bool   // it says so itself
}

// parse reads the header of a file. It is false for a file without one, which the
// agent passes over.
func parse(text string) (memoryFile, bool) {
	header, begun := strings.CutPrefix(text, "---\n")
	header, body, closed := strings.Cut(header, "\n---")
	if !begun || !closed {
		return memoryFile{}, false
	}
	m := memoryFile{body: strings.TrimSpace(body), kind: "fact"}
	for line := range strings.Lines(header) {
		key, text, _ := strings.Cut(strings.TrimSpace(line), ":")
		text = strings.TrimSpace(text)
		switch key {
		case "name":
			m.name = text
		case "description":
			m.description = text
		case "type":
			m.kind, m.typed = "fact", text == "fact"
			if text == "preference" || text == "decision" {
				m.kind, m.typed = text, true
			}
		}
	}
	return m, true
}

// land renders what the prompt gets of a memory: its line in the block that every run
// begins with, and the block that a search for it returns.
func land(r *memory.Record) memory.Landed {
	l := memory.Landed{Name: blockName, Ends: []string{blockEnd}, Prose: true}
	m, ok := parse(r.Body)
	if !ok {
		m = memoryFile{body: r.Body, kind: "fact"}
	}
	var out strings.Builder
	put := func(field, text string) {
		start := out.Len()
		out.WriteString(text)
		l.Parts = append(l.Parts, memory.LandedPart{Field: field, Start: start, End: out.Len()})
	}
	out.WriteString("<memory>\n- ")
	put("name", m.name)
	out.WriteString(" (" + m.kind + "): ")
	put("description", m.description)
	out.WriteString("\n</memory>\n\n<memory path=\"memory/memory.md\" score=\"1.00\">\n")
	put("body", m.body)
	out.WriteString("\n</memory>")
	l.Text = out.String()
	return l
}
