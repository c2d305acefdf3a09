package kimchi

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// The scopes of an agent's memory, as its persona spells them.
const (
	scopeUser    = "user"
	scopeProject = "project"
	scopeLocal   = "local"
)

var safeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`) })

// whyUnsafe returns the words with which Kimchi refuses an agent's name, or "".
func whyUnsafe(agent string) string {
	const most = 128 // UTF-16 units
	if safeName().MatchString(agent) && jstext.Len(agent) <= most {
		return ""
	}
	return `Unsafe agent name for memory directory: "` + agent + `"`
}

// agentPlace returns the place and the scope of an agent's folder, by its path alone. The folder
// need not exist.
func agentPlace(path string) (place memory.Place, scope string, is bool) {
	kind := filepath.Dir(path)
	above := filepath.Dir(kind)
	switch filepath.Base(above) + "/" + filepath.Base(kind) {
	case "harness/agent-memory":
		scope = scopeUser
	case ".kimchi/agent-memory":
		scope, place.Project = scopeProject, filepath.Dir(above)
	case ".kimchi/agent-memory-local":
		scope, place.Project = scopeLocal, filepath.Dir(above)
	}
	name := filepath.Base(path)
	place.Store, place.System, place.Path, place.Name = memory.StoreID(path), id, path, scope+" agent "+name
	return place, scope, scope != "" && whyUnsafe(name) == ""
}

// agent returns the place of an agent's folder.
func (f finder) agent(path, why string) (memory.Place, bool) {
	place, _, is := agentPlace(path)
	info, err := os.Lstat(path)
	place.Why, place.Exists = why, err == nil
	isFile := err == nil && !info.IsDir() && info.Mode()&fs.ModeSymlink == 0
	return place, is && f.d.id == id && !isFile
}

// mostLines is the number of lines of an index that are injected.
const mostLines = 200

// injectedIndex returns the part of an index that gets into a prompt, and the number of its lines.
func injectedIndex(index string) (text string, lines int) {
	all := strings.Split(index, "\n")
	if len(all) <= mostLines {
		return index, len(all)
	}
	return strings.Join(all[:mostLines], "\n") + "\n... (truncated at 200 lines)", len(all)
}

// agentBlock returns the text that tells an agent about its memory. dir is the folder. index is the
// content of MEMORY.md, empty if there is none. at is the offset of the index in the text.
func agentBlock(dir, scope, index string, writable bool) (text string, at int) {
	text, _ = injectedIndex(index)
	if !writable {
		head := "# Agent Memory (read-only)\n\nMemory scope: " + scope + "\nYou have read-only access to memory. " +
			"You can reference existing memories but cannot create or modify them.\n\n"
		if index == "" {
			return head + "No memory is available yet. Other agents or sessions with write access can create memories for you to consume.", len(
				head,
			)
		}
		head += currentIndex
		return head + text, len(head)
	}
	head := "# Agent Memory\n\nYou have a persistent memory directory at: " + dir + "/\nMemory scope: " + scope +
		"\n\nThis memory persists across sessions. Use it to build up knowledge over time.\n\n"
	if index == "" {
		text = "No MEMORY.md exists yet. Create one at " + dir + "/MEMORY.md to start building persistent memory."
	} else {
		head += currentIndex
	}
	return head + text + fmt.Sprintf(agentInstructions, dir), len(head)
}

const currentIndex = "## Current MEMORY.md\n"

// agentInstructions follow the index for an agent that may write. %s is its folder.
const agentInstructions = `

## Memory Instructions
- MEMORY.md is an index file — keep it concise (under 200 lines). Lines after 200 are truncated.
- Store detailed memories in separate files within %s/ and link to them from MEMORY.md.
- Each memory file should use this frontmatter format:
  ` + "```markdown" + `
  ---
  name: <memory name>
  description: <one-line description>
  type: <user|feedback|project|reference>
  ---
  <memory content>
  ` + "```" + `
- Update or remove memories that become outdated. Check for existing memories before creating duplicates.
- You have Read, Write, and Edit tools available for managing memory files.`
