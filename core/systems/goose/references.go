package goose

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/systems/instructions"
)

// Limits of Goose.
const (
	mostReferences = 64      // in one file of hints
	deepest        = 3       // files that name one another
	mostParsed     = 131_072 // bytes of a file in which references are looked for
)

var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\s)@([a-zA-Z0-9_\-./]+(?:\.[a-zA-Z0-9]+)+|[A-Z][a-zA-Z0-9_\-]*|` +
		`[a-zA-Z0-9_\-./]*[./][a-zA-Z0-9_\-./]*)`)
})

// expansion puts the files that hints name in their places.
type expansion struct {
	root string // below which the files lie
	left int
	from []string
}

// expand returns the text of a file in dir with the files that it names. above are the names that led to it. One that
// cannot be read stays as it is written.
func (x *expansion) expand(text, dir string, above []string) string {
	if len(text) > mostParsed {
		return text
	}
	var out strings.Builder
	at := 0
	for _, m := range reference().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		out.WriteString(text[at : m[2]-1])
		at = m[3]
		in, found := x.file(name, dir, above)
		if !found {
			out.WriteString("@" + name)
			continue
		}
		out.WriteString("--- Content from " + name + " ---\n" + in + "\n--- End of " + name + " ---")
	}
	return out.String() + text[at:]
}

// file returns the text of a file that a text in dir names. It returns false for one that is not taken: outside of the
// root, part of git, named by itself, or too deep.
func (x *expansion) file(name, dir string, above []string) (string, bool) {
	if len(above) >= deepest {
		return "", false
	}
	if x.left--; x.left < 0 || slices.Contains(above, name) || filepath.IsAbs(name) {
		return "", false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil || !filestore.Within(x.root, real) || isGit(x.root, real) {
		return "", false
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f := filestore.Read(real, instructions.MostFile)
	if f.Problem != nil {
		return "", false
	}
	x.from = append(x.from, real)
	return x.expand(f.Text, filepath.Dir(real), append(slices.Clip(above), name)), true
}

// isGit reports whether a path leads through a folder of git below root.
func isGit(root, path string) bool {
	rel, _ := filepath.Rel(root, path) // it lies within
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return strings.EqualFold(name, ".git")
	})
}
