package claudecode

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// What is looked at for instructions below a project.
const (
	maxBelow      = 400 // folders
	maxBelowDepth = 5
	maxBelowEach  = 1000 // entries of a folder
)

// heaps are folders of what others wrote or a program made: nobody looks there for
// instructions, and they hold more files than all the rest.
var heaps = []string{"node_modules", "vendor", "target", "dist", "build", "venv", "__pycache__"}

// below returns the instructions in folders below a project, relative and with slashes:
// those nearer to it first. They come to a session with a file of their folder. It is
// false when there are more folders than are looked at.
func below(ctx context.Context, root string) (found []string, whole bool) {
	type place struct {
		rel   string
		depth int
	}
	queue, seen := []place{{"", 0}}, 0
	whole = true
	for len(queue) > 0 && ctx.Err() == nil {
		at := queue[0]
		queue = queue[1:]
		if seen++; seen > maxBelow {
			return found, false
		}
		for _, e := range names(filepath.Join(root, filepath.FromSlash(at.rel)), maxBelowEach) {
			name := e.Name()
			rel := strings.TrimPrefix(at.rel+"/"+name, "/")
			switch {
			case e.IsDir() && !strings.HasPrefix(name, ".") && !slices.Contains(heaps, name):
				if at.depth+1 > maxBelowDepth {
					whole = false
					continue
				}
				queue = append(queue, place{rel, at.depth + 1})
			case at.rel != "" && e.Type().IsRegular() && (name == "CLAUDE.md" || name == "CLAUDE.local.md"):
				found = append(found, rel)
			}
		}
	}
	return found, whole
}

// belowText says which instructions stand below a project; nothing when there are none.
func belowText(found []string, whole bool) string {
	const most = 8
	n := len(found)
	if n == 0 {
		return ""
	}
	if n > most {
		found = append(slices.Clone(found[:most]), "…")
	}
	text := fmt.Sprintf("%s, each comes with a file of its folder: %s", number(n, "file"), shortLine(strings.Join(found, ", "), 1000))
	if !whole {
		text += fmt.Sprintf("; not all folders were looked into (%d, and %d deep)", maxBelow, maxBelowDepth)
	}
	return text
}
