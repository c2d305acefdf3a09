package handbook

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

// FuzzFieldThatIsSetAndSetBackLeavesEveryByte sets one field of a file, whatever bytes it
// has, and sets it back.
func FuzzFieldThatIsSetAndSetBackLeavesEveryByte(f *testing.F) {
	for _, text := range []string{
		"---\nname: a\ndescription: b\ntype: fact\n---\n\nc\n", "---\r\nname: a\r\n",
		"---\n x: y\r\ntype:decision\n---- body", "---\ndescription:\u00a0b\u00a0\n---\n\xffbody\xfe\n\n",
		"---\nname: a\nname: b\ndescription: \xff\n\n---\ntype: fact\n", "---\n\n---\n", "---\ntype: \n\n---",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, stored string) {
		s := &store{}
		was, ok := frame(stored)
		if !ok {
			return
		}
		n := was.note()
		title, kind, body := "Another title", decision, "Another body"
		if n.kind == decision {
			kind = fact
		}
		for name, c := range map[string]struct {
			to, back memory.Edit
			can      bool
		}{
			"description": {memory.Edit{Title: &title}, memory.Edit{Title: &n.description}, n.description != ""},
			"type":        {memory.Edit{Kind: &kind}, memory.Edit{Kind: &n.kind}, n.typed},
			"body":        {memory.Edit{Body: &body}, memory.Edit{Body: &n.body}, n.body != "" && len(n.body) <= maxBody},
		} {
			if !c.can {
				continue
			}
			next, err := s.Compose(stored, c.to)
			if err != nil {
				t.Fatalf("%s of %q: %v", name, stored, err)
			}
			is, ok := frame(next)
			if !ok || name != "body" && next[is.body:] != stored[was.body:] ||
				name == "body" && !strings.HasPrefix(next, stored[:was.body]) {
				t.Errorf("%s of %q: it becomes %q", name, stored, next)
			}
			if again, err := s.Compose(next, c.back); err != nil || again != stored {
				t.Errorf("%s of %q: it becomes %q, and set back %q, %v", name, stored, next, again, err)
			}
		}
	})
}
