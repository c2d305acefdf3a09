package instructions

import (
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Text is a text that an agent makes of files. It notes where each of them stands.
type Text struct {
	strings.Builder
	ID    func(path string) memory.ID // of the record of a file; nil where parts have their IDs
	parts []memory.Part
}

// Add adds a part of the text, with the name and the path of p.
func (t *Text) Add(p memory.Part, text string) {
	if t.ID != nil {
		p.ID = t.ID(p.Path)
	}
	p.Start = t.Len()
	t.WriteString(text)
	p.End = t.Len()
	t.parts = append(t.parts, p)
}

// Block returns the text as the part of a prompt.
func (t *Text) Block(where, name string) memory.Block {
	return annotate.Block(where, name, t.String(), slices.Clone(t.parts)...)
}

// Filled returns the blocks that have a text.
func Filled(blocks ...memory.Block) []memory.Block {
	return slices.DeleteFunc(blocks, func(b memory.Block) bool { return b.Text == "" })
}

// Object returns the object in a file of JSON, with comments where those are permitted. The file has a problem
// when it holds none, or more than most bytes.
func Object(path string, most int64, comments bool) (v jstext.Value, f filestore.File) {
	f = filestore.Read(path, most)
	text, err := jstext.DecodeString(f.Text), error(nil)
	if comments {
		text, err = jstext.WithoutComments(text)
	}
	if err == nil {
		v, err = jstext.Parse(text)
	}
	if f.Problem == nil && (err != nil || v.Kind() != jstext.Object) {
		f.Problem = &memory.Problem{Code: "no-object", What: "It holds no settings that can be read.", Hint: "correct the file"}
	}
	return v, f
}
