package instructions

import (
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Text is a text that an agent composes from files. It records where each file's part is.
type Text struct {
	strings.Builder
	ID    func(path string) memory.ID // returns the record ID of a file; nil if parts bring their IDs
	parts []memory.Part
}

// Add appends text as a part with the name and the path of p.
func (t *Text) Add(p memory.Part, text string) {
	if t.ID != nil {
		p.ID = t.ID(p.Path)
	}
	p.Start = t.Len()
	t.WriteString(text)
	p.End = t.Len()
	t.parts = append(t.parts, p)
}

// Block returns the text as one block of a prompt.
func (t *Text) Block(where, name string) memory.Block {
	return annotate.Block(where, name, t.String(), slices.Clone(t.parts)...)
}

// Filled returns the blocks that are not empty.
func Filled(blocks ...memory.Block) []memory.Block {
	return slices.DeleteFunc(blocks, func(b memory.Block) bool { return b.Text == "" })
}

// Object returns the object in a JSON file, with comments if those are permitted. The file has a
// problem if it holds no object or more than most bytes.
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
		f.Problem = &memory.Problem{
			Code: "no-object",
			What: "It holds no settings that can be read.",
			Hint: "correct the file",
		}
	}
	return v, f
}
