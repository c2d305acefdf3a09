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

// The scopes of an agent's memory, as they are written in its persona.
const (
	scopeUser    = "user"
	scopeProject = "project"
	scopeLocal   = "local"
)

var safeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`) })

// unsafe returns the words with which Kimchi refuses an agent's name, or nothing.
func unsafe(agent string) string {
	const most = 128 // units
	if safeName().MatchString(agent) && jstext.Len(agent) <= most {
		return ""
	}
	return `Unsafe agent name for memory directory: "` + agent + `"`
}

// agentPlace returns the scope and the project of the folder of an agent, by its path
// alone: whether that exists or not.
func agentPlace(path string) (scope, project string, is bool) {
	kind := filepath.Dir(path)
	above := filepath.Dir(kind)
	if unsafe(filepath.Base(path)) != "" {
		return "", "", false
	}
	switch base := filepath.Base(kind); {
	case base == "agent-memory" && filepath.Base(above) == "harness":
		return scopeUser, "", true
	case base == "agent-memory" && filepath.Base(above) == ".kimchi":
		return scopeProject, filepath.Dir(above), true
	case base == "agent-memory-local" && filepath.Base(above) == ".kimchi":
		return scopeLocal, filepath.Dir(above), true
	}
	return "", "", false
}

// agent returns the place of the folder of an agent.
func (f finder) agent(path, why string) (memory.Place, bool) {
	scope, project, is := agentPlace(path)
	if !is || f.d.id != ID {
		return memory.Place{}, false
	}
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
		return memory.Place{}, false
	}
	return memory.Place{
		Store: memory.StoreID(path), System: ID, Path: path, Why: why, Exists: err == nil,
		Name: scope + " agent " + filepath.Base(path), Project: project,
	}, true
}

// mostLines is how many lines of an index are injected.
const mostLines = 200

// injected returns what of an index gets into a prompt, and how many lines it has.
func injected(index string) (text string, lines int) {
	all := strings.Split(index, "\n")
	if len(all) <= mostLines {
		return index, len(all)
	}
	return strings.Join(all[:mostLines], "\n") + "\n... (truncated at 200 lines)", len(all)
}

// agentBlock returns the text about its memory that an agent gets. Dir is the folder,
// index what MEMORY.md holds, empty without one. At is where the index begins in it.
func agentBlock(dir, scope, index string, writable bool) (text string, at int) {
	text, _ = injected(index)
	if !writable {
		head := "# Agent Memory (read-only)\n\nMemory scope: " + scope + "\nYou have read-only access to memory. " +
			"You can reference existing memories but cannot create or modify them.\n\n"
		if index == "" {
			return head + "No memory is available yet. Other agents or sessions with write access can create memories for you to consume.", len(head)
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
	return head + text + fmt.Sprintf(instructions, dir), len(head)
}

const currentIndex = "## Current MEMORY.md\n"

// instructions are behind the index for an agent that may write. %s is its folder.
const instructions = `

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
