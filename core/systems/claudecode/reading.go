package claudecode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/peek"
)

// reading is a store as it stood at one moment.
type reading struct {
	s         *Store
	now       time.Time
	folders   []string // of projects, that are the store's
	version   string   // of Claude Code that worked here last; may be empty
	chain     *chain
	shelves   []*shelf // the one in use first
	agents    []*agentFile
	memoryOff string // why auto memory is off; empty when it is on
	redirect  string // a setting that is not followed, in a sentence
}

// agentFile is a file of the memory of a subagent.
type agentFile struct {
	stored
	agent, layer string // layer is user, project or local
	rel          string // in the folder of the agent
}

// reading reads the store for a session that starts in cwd. Without bodies topics are
// only counted.
func (s *Store) reading(ctx context.Context, cwd string, bodies bool) (*reading, error) {
	r := &reading{s: s, now: s.now()}
	r.folders = s.slugs()
	r.version = version(r.folders)
	if cwd == "" {
		cwd = s.root
	}
	var err error
	if r.chain, err = chainOf(ctx, &s.m, s.root, cwd, r.version); err != nil {
		return nil, err
	}
	r.memoryOff = s.m.memoryOff(&r.chain.set)
	for i, sh := range s.shelves(r.folders, r.chain.set) {
		sh = shelfOf(sh.dir, sh.name, sh.unused)
		if i > 0 && sh.empty() {
			continue
		}
		if i == 0 && r.memoryOff != "" {
			sh.unused = r.memoryOff
		}
		if bodies {
			if err := sh.read(ctx); err != nil {
				return nil, err
			}
		}
		r.shelves = append(r.shelves, sh)
	}
	r.refused()
	r.readAgents()
	return r, ctx.Err()
}

// refused notes that the settings of the project name a folder which nobody trusted.
func (r *reading) refused() {
	all := r.chain.set.directories
	if len(all) == 0 || !all[0].ofProject || r.s.m.consent(r.s.root).Trusted {
		return
	}
	r.redirect = fmt.Sprintf("%s names %s as the folder of auto memory. It holds once the project is trusted, and no trust is on record.", all[0].file, all[0].path)
}

// readAgents looks for the memories of subagents.
func (r *reading) readAgents() {
	type place struct{ dir, layer string }
	places := []place{{filepath.Join(r.s.m.config, "agent-memory"), "user"}}
	if r.s.sort != ofUser {
		if r.s.root == "" {
			return
		}
		places = []place{
			{filepath.Join(r.s.root, ".claude", "agent-memory"), "project"},
			{filepath.Join(r.s.root, ".claude", "agent-memory-local"), "local"},
		}
		if filepath.Join(r.s.root, ".claude") == r.s.m.config {
			places = places[1:]
		}
	}
	for _, p := range places {
		for _, e := range names(p.dir, maxFiles) {
			if !e.IsDir() {
				continue
			}
			dir := filepath.Join(p.dir, e.Name())
			eachMarkdown(dir, false, func(path string) {
				rel, err := filepath.Rel(dir, path)
				if err != nil {
					return
				}
				a := &agentFile{stored: read(path, maxTopic), agent: e.Name(), layer: p.layer, rel: filepath.ToSlash(rel)}
				if !a.missing() {
					r.agents = append(r.agents, a)
				}
			})
		}
	}
}

// own reports whether a file of instructions is a record of the store.
func (r *reading) own(d *doc) bool {
	general := d.layer == layerManaged || d.layer == layerUser
	return general == (r.s.sort == ofUser)
}

// used returns the folder of auto memory that sessions read, or nil.
func (r *reading) used() *shelf {
	if len(r.shelves) == 0 || r.shelves[0].unused != "" {
		return nil
	}
	return r.shelves[0]
}

// count returns how many records there are.
func (r *reading) count() (n int, by map[string]int) {
	by = map[string]int{}
	for _, d := range r.chain.docs {
		if r.own(d) {
			by[d.layer]++
			n++
		}
	}
	for _, sh := range r.shelves {
		by[layerMemory] += len(sh.files)
		n += len(sh.files)
		if sh.index != nil {
			by[layerMemory]++
			n++
		}
	}
	by[layerAgent] = len(r.agents)
	return n + len(r.agents), by
}

// absent says why there is no store at the path at all, or nil.
func (r *reading) absent() *memory.Problem {
	info, err := os.Stat(r.s.path)
	n, _ := r.count()
	switch {
	case err == nil && !info.IsDir():
		return noFolder()
	case n > 0:
		return nil
	case err != nil:
		p := peek.Problem(err)
		if p.Code == peek.CodeMissing {
			p.What = "There are no memories here: the folder does not exist."
			p.Hint = "name the folder of a project, or work in one with Claude Code first"
		}
		return p
	}
	return nil
}

// id returns the ID of a file of instructions or of an agent: its path in the project,
// or in the configuration, and the whole path for one that is elsewhere.
func (s *Store) id(path string) memory.ID {
	base := s.root
	if s.sort == ofUser {
		base = s.m.config
	}
	rel, err := filepath.Rel(base, path)
	if base == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return memory.ID(filepath.ToSlash(path))
	}
	rel = filepath.ToSlash(rel)
	if strings.HasPrefix(rel, memoryPrefix) {
		rel = "./" + rel
	}
	return memory.ID(rel)
}

func noFolder() *memory.Problem {
	return &memory.Problem{
		Code: "no-folder", What: "This is no folder, and Claude Code keeps its memories for a folder.",
		Hint: "name the folder of the project",
	}
}
