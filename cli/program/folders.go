package program

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/core/atomicfile"
	"winnow/core/system"
)

// moveFolders moves settings and state from where earlier versions put them on this system, and says so
// in a line. A folder is renamed as a whole or stays, and is used where it is; one that is a link is the
// person's own order of things, and stays too. So do their lessons: they are a store, whose history belongs
// to its path and which agents may have open.
func moveFolders(env system.Env, stderr io.Writer) {
	var moved []string
	for _, f := range []system.Folder{system.Settings, system.State} {
		own, earlier := env.Folders(f)
		if earlier == "" || env.Folder(f) != earlier {
			continue
		}
		if info, err := os.Lstat(earlier); err != nil || !info.IsDir() {
			continue
		}
		if atomicfile.MakeFolder(atomicfile.OS(), filepath.Dir(own)) == nil && os.Rename(earlier, own) == nil {
			moved = append(moved, earlier+" is now "+own)
		}
	}
	if len(moved) > 0 {
		o := output.New(stderr, 0, false)
		o.Line("moved to the folders of this system: %s", strings.Join(moved, ", "))
		o.Flush()
	}
}

// moves reports whether a call may move them: a person made it, and did not forbid changes.
func moves(args []string) bool {
	quiet := len(args) > 0 && (args[0] == "agent-hook" || strings.HasPrefix(args[0], "__")) // an agent, or a shell that completes
	return !quiet && !slices.Contains(args, "--readonly")
}
