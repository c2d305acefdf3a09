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

// moveFolders moves settings and state from the folders of earlier versions to those of this
// system, and prints a line about it. A folder is either renamed as a whole, or stays and is used
// where it is. A linked folder stays because the user arranged it so. So do the user's own lessons:
// they are a store, whose history depends on its path and which agents may have open.
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

// mayMoveFolders reports whether a call may move folders: a person made it and did not forbid changes.
func mayMoveFolders(args []string) bool {
	// called by an agent, or by a shell for completion
	quiet := len(args) > 0 && (args[0] == "agent-hook" || strings.HasPrefix(args[0], "__"))
	return !quiet && !slices.Contains(args, "--readonly")
}
