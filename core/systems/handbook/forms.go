// Package handbook reads and changes the folders of memories that the agent of The Agent
// Platform Handbook keeps: one file a fact, with a header of three lines, and an index
// that is made of them. Nothing but Write and Recover writes, and they by package folder.
package handbook

import (
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
	const begin = "# Memory index\n\nNotes this agent chose to remember"
	return strings.HasPrefix(string(head), begin)
}

// looksLikeMemory reports whether a file begins with a header that says a name, a
// description and one of the three types.
func looksLikeMemory(head []byte) bool {
	n, ok := parse(string(head))
	return ok && n.typed
}

// land renders what the prompt gets of a memory: its line in the block that every run
// begins with, and the block that a search for it returns.
func land(r *memory.Record) memory.Landed {
	l := memory.Landed{Name: blockName, Ends: []string{blockEnd}, Prose: true}
	m := note{body: r.Body, kind: fact}
	if f, ok := frame(r.Body); ok {
		m = f.note()
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
