package kimchi

import (
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
)

// FuzzComposedFileKeepsItsOtherBytes sets one field of a file of an agent.
func FuzzComposedFileKeepsItsOtherBytes(f *testing.F) {
	for _, seed := range []string{
		"---\nname: a\ndescription: about a\ntype: user\n---\ntext\n", "---\r\nname: a\r\n---\r\nb",
		"\ufeff---\ntype: user\n---\n",
		"o\xffld\nrest", "---\ndescription: \"a: b\"\n---\n", "---\n---\n", "---\ndescription:\n  - a\n---\nb",
	} {
		f.Add(seed, "new title", "user")
	}
	f.Fuzz(func(t *testing.T, stored, title, kind string) {
		s := openAgent("/shop/.kimchi/agent-memory/scout", clock, nothingRuns)
		for _, e := range []memory.Edit{{Title: &title}, {Kind: &kind}, {Body: &title}} {
			next, err := s.Compose(stored, e)
			if err != nil || stored == "" || next == stored {
				continue
			}
			was, is := filestore.ParseFrontMatter(stored), filestore.ParseFrontMatter(next)
			if e.Body == nil && was.Is && is.Is && stored[was.Body:] != next[is.Body:] {
				t.Errorf("%q becomes %q: the text changed with a field", stored, next)
			}
			if e.Body != nil && was.Is && !strings.HasPrefix(next, stored[:was.Body]) {
				t.Errorf("%q becomes %q: the head changed with the text", stored, next)
			}
		}
	})
}
