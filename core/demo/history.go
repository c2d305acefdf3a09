package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tracked are the files of the project's only commits, and gone those that the second commit deletes or moves.
var (
	tracked = strings.Fields(
		"AGENTS.md CLAUDE.md Makefile .gitignore report.py carriers/north/labels.py tools/import_labels.py")
	moved = map[string]string{"scripts/import_labels.py": "tools/import_labels.py"}
)

// History returns the history of the project as git fast-import reads it: two commits, of which the second, three
// weeks ago, moved a script, and deleted a page and a target that instructions still name.
func (h *Home) History(now time.Time) (string, error) {
	var b strings.Builder
	data := func(text string) { fmt.Fprintf(&b, "data %d\n%s\n", len(text), text) }
	commit := func(days int, title string) {
		at := now.Add(-time.Duration(days) * 24 * time.Hour).Unix()
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter Mara Lind <mara@example.net> %d +0000\n", at)
		data(title)
	}
	file := func(name, text string) {
		fmt.Fprintf(&b, "M 100644 inline %s\n", name)
		data(text)
	}
	texts := map[string]string{}
	for _, name := range tracked {
		text, err := os.ReadFile(filepath.Join(h.Project, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		texts[name] = string(text)
	}
	commit(60, "Follow the parcels of four carriers")
	for _, name := range tracked {
		text := texts[name]
		if name == "Makefile" {
			text += "seed:\n\tpython3 tools/seed.py\n"
		}
		for was, is := range moved {
			if is == name {
				name = was
			}
		}
		file(name, text)
	}
	file("docs/prices.md", "| kg | price |\n")
	commit(21, "Move the import to the tools, and take prices from the carrier")
	for was, is := range moved {
		fmt.Fprintf(&b, "D %s\n", was)
		file(is, texts[is])
	}
	b.WriteString("D docs/prices.md\n")
	file("Makefile", texts["Makefile"])
	return b.String(), nil
}
