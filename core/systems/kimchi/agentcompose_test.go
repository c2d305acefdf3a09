package kimchi

import (
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
)

// TestTitleOfAFileIsSetAndNothingElse takes files without a head, whose title is their
// first line, and which may be no text at all.
func TestTitleOfAFileIsSetAndNothingElse(t *testing.T) {
	s := openAgent(t.TempDir(), clock, nothingRuns)
	title := "new"
	for stored, want := range map[string]string{
		"old\nrest\n": "new\nrest\n", "\n  old \r\nrest": "\n  new \r\nrest", "\ufeffold\nold": "\ufeffnew\nold",
		"o\xffld\nrest \xfe": "new\nrest \xfe", "\xff": "new",
	} {
		got, err := s.Compose(stored, memory.Edit{Title: &title})
		if err != nil || got != want {
			t.Errorf("%q becomes %q, %v; want %q", stored, got, err, want)
		}
	}
}

// FuzzComposedFileKeepsItsOtherBytes sets one field of a file of an agent.
func FuzzComposedFileKeepsItsOtherBytes(f *testing.F) {
	for _, seed := range []string{
		"---\nname: a\ndescription: about a\ntype: user\n---\ntext\n", "---\r\nname: a\r\n---\r\nb", "\ufeff---\ntype: user\n---\n",
		"o\xffld\nrest", "---\ndescription: \"a: b\"\n---\n", "---\n---\n", "---\ndescription:\n  - a\n---\nb",
	} {
		f.Add(seed, "new title", "user")
	}
	f.Fuzz(func(t *testing.T, stored, title, kind string) {
		s := &AgentStore{now: clock}
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
