package claudecode

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/systems/instructions"
)

// reading is the state of a store at one moment.
type reading struct {
	s             *store
	now           time.Time
	folders       []string // the project folders of the store
	redirect      string   // a sentence about a setting that is not followed
	version       string   // of Claude Code in the last session here; may be empty
	chain         *chain
	memoryFolders []*memoryFolder // the one in use first
	agents        []*agentFile
	memoryOff     string // a sentence that says why auto memory is off; empty if it is on
	gone          string // sentences that say that the folder of the project does not exist; empty if it does
}

// agentFile is a file in a subagent's memory.
type agentFile struct {
	filestore.File
	agent, layer string // layer is user, project or local
	rel          string // path in the folder of the agent
}

// reading reads the store for a session that starts in cwd. If bodies is false, topics are only
// counted.
func (s *store) reading(ctx context.Context, cwd string, bodies bool) (_ *reading, err error) {
	r := &reading{s: s, now: s.now(), folders: s.slugs()}
	r.version = version(r.folders)
	if r.chain, err = chainOf(ctx, &s.m, s.root, cmp.Or(cwd, s.root), r.version); err != nil {
		return nil, err
	}
	r.memoryOff = r.chain.m.memoryOff(&r.chain.set)
	r.gone = s.isGone()
	for i, sh := range s.memoryFolders(r.folders, r.chain.set) {
		sh.list()
		if i > 0 && sh.empty() {
			continue
		}
		if i == 0 {
			sh.unused = cmp.Or(r.gone, r.memoryOff)
		}
		if bodies {
			if err := sh.read(ctx); err != nil {
				return nil, err
			}
		}
		r.memoryFolders = append(r.memoryFolders, sh)
	}
	if d := r.chain.set.directory; d != nil && r.s.ignoresDirectory(d) {
		r.redirect = d.file + " names " + d.path + " as the folder of auto memory. That does not exist, and no trust in the project is on record."
	}
	r.readAgents()
	return r, ctx.Err()
}

// listing reads everything that is a record, including the instructions below the project, which a
// session gets while it works.
func (s *store) listing(ctx context.Context, bodies bool) (*reading, error) {
	r, err := s.reading(ctx, s.root, bodies)
	if err == nil && s.sort == ofProject {
		r.chain.addFoldersBelow(ctx, instructions.MostEntries)
		err = ctx.Err()
	}
	return r, err
}

// agentPlace is a folder that has one subfolder per subagent.
type agentPlace struct{ dir, layer string }

// agentPlaces returns the folders of subagents' memories: those for all projects, and those of this
// project.
func (s *store) agentPlaces() (general, own []agentPlace) {
	general = []agentPlace{{filepath.Join(s.m.config, "agent-memory"), "user"}}
	if s.sort == ofUser || s.root == "" {
		return general, nil
	}
	if dir := filepath.Join(s.root, ".claude"); dir != s.m.config {
		own = append(own, agentPlace{filepath.Join(dir, "agent-memory"), "project"})
	}
	return general, append(own, agentPlace{filepath.Join(s.root, ".claude", "agent-memory-local"), "local"})
}

// readAgents reads the memories of subagents.
func (r *reading) readAgents() {
	general, own := r.s.agentPlaces()
	if r.s.sort == ofUser {
		own = general
	}
	// the file is a rule, reached by a link
	r.agents = slices.DeleteFunc(agentsIn(own), func(a *agentFile) bool { return r.chain.byPath[a.Path] != nil })
}

func agentsIn(places []agentPlace) (out []*agentFile) {
	for _, p := range places {
		for _, e := range names(p.dir, maxFiles) {
			if !e.IsDir() {
				continue
			}
			dir := filepath.Join(p.dir, e.Name())
			eachMarkdown(dir, func(path string) {
				rel, _ := filepath.Rel(dir, path) // path is below dir, so this cannot fail
				a := &agentFile{
					File:  filestore.Read(path, maxTopic),
					agent: e.Name(),
					layer: p.layer,
					rel:   filepath.ToSlash(rel),
				}
				if !a.Missing() {
					out = append(out, a)
				}
			})
		}
	}
	return out
}

// isRecord reports whether an instruction file is a record of this store.
func (r *reading) isRecord(d *doc) bool {
	general := d.layer == layerManaged || d.layer == layerUser
	return general == (r.s.sort == ofUser)
}

// used returns the memory folder that sessions read, or nil.
func (r *reading) used() *memoryFolder {
	if len(r.memoryFolders) == 0 || r.memoryFolders[0].unused != "" {
		return nil
	}
	return r.memoryFolders[0]
}

// usedIndex returns the index that a session gets, or nil: the one in the folder or, if there is
// none, the one that Claude Code writes.
func (r *reading) usedIndex() *index {
	sh := r.used()
	switch {
	case sh == nil || r.chain.off != "":
		return nil
	case sh.index == nil && len(sh.files) > 0:
		return &index{
			File: filestore.File{Path: filepath.Join(sh.dir, indexName)}, made: true,
			excerpt: excerptOf(content(madeIndex(sh.dir, sh.asListed()))),
		}
	}
	return sh.index
}

// empty reports whether the store has no records.
func (r *reading) empty() bool {
	return len(r.agents) == 0 && !slices.ContainsFunc(r.chain.docs, r.isRecord) &&
		!slices.ContainsFunc(r.memoryFolders, func(f *memoryFolder) bool { return !f.empty() })
}

// absent returns why there is no store at the path, or nil.
func (r *reading) absent() *memory.Problem {
	info, err := os.Stat(r.s.path)
	switch {
	case err == nil && !info.IsDir():
		return noFolder()
	case !r.empty():
		return nil
	case err != nil:
		p := quietread.Problem(err)
		if p.Code == quietread.CodeMissing {
			p.What = "There are no memories here: the folder does not exist."
			p.Hint = "name the folder of a project, or work in one with Claude Code first"
		}
		return p
	}
	return nil
}

// id returns the ID of an instruction or agent file: its path in the project or the configuration,
// or its whole path if it lies elsewhere.
func (s *store) id(path string) memory.ID {
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
		Code: "no-folder", What: "Expected a project folder, got a file.",
		Hint: "name the folder of the project",
	}
}
