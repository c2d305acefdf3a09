package rulefiles

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

const workspaceVariable = "OPENCLAW_WORKSPACE_DIR"

// System returns the system.
func System(now func() time.Time) system.System {
	s := product().System(func(env system.Env, path string) system.Store { return storeAt(env, now, path) })
	s.Variables = []memory.Fact{{Name: workspaceVariable, Text: "the workspace of OpenClaw, ~/.openclaw/workspace otherwise"}}
	s.Forms = Forms()
	for _, a := range []system.Ability{
		{Store: projectName, Note: "By the public documentation of each tool: Cursor, Copilot, Cline and Windsurf. AGENTS.md is in the stores of the agents whose own it is."},
		{Store: userName}, {Store: workspaceName, Note: "By its public documentation."},
	} {
		a.Recall, a.Edit, a.Delete, a.Watch = system.Estimated, "all", "all", true
		s.Abilities = append(s.Abilities, a)
	}
	return s
}

func product() *instructions.Product {
	return &instructions.Product{
		ID: ID, Name: "Rule files", Home: func(env system.Env) string { return env.Home }, Own: userStores, Project: projectOf,
		Sort: func(env system.Env, path string) instructions.Sort {
			if p := placeOf(env, path); p.home != "" {
				return instructions.Sort{Name: p.name, Own: true}
			}
			return instructions.Sort{Name: projectName, Project: path}
		},
		Shows: func(env system.Env, dir string, in instructions.Entries) bool {
			p := placeOf(env, dir)
			signs := []string{".cursor", ".cursorrules", ".github", ".clinerules", ".cline", ".windsurf", ".windsurfrules"}
			return p.name == workspaceName || p.home == "" && slices.ContainsFunc(signs, func(name string) bool { return in.Has(name, nil) }) && p.first(dir) != ""
		},
	}
}

// placeOf returns the table entry for the folder at a path. An OpenClaw workspace is recognized
// anywhere.
func placeOf(env system.Env, path string) ruleFolder {
	all := places()
	for _, p := range all[1:] {
		if path == filepath.Join(env.Home, filepath.FromSlash(p.home)) {
			return p
		}
	}
	named, _ := env.Lookup(workspaceVariable)
	if path == named || strings.HasPrefix(path, filepath.Join(env.Home, ".openclaw", "workspace-")) || filestore.Exists(filepath.Join(path, "SOUL.md")) && filestore.Exists(filepath.Join(path, agentsFile)) {
		return all[len(all)-1]
	}
	return all[0]
}

// userStores returns the user's folders that contain rule files.
func userStores(_ context.Context, env system.Env) (paths []string) {
	named, _ := env.Lookup(workspaceVariable)
	folders := []string{named}
	for _, p := range places()[1:] {
		folders = append(folders, filepath.Join(env.Home, filepath.FromSlash(p.home)))
	}
	for _, other := range filestore.Below(fs.FileMode.IsDir, filepath.Join(env.Home, ".openclaw")) { // one per agent
		if strings.HasPrefix(filepath.Base(other), "workspace-") {
			folders = append(folders, other)
		}
	}
	for _, dir := range folders {
		if p := placeOf(env, dir); filepath.IsAbs(dir) && p.home != "" && p.first(dir) != "" && !slices.Contains(paths, dir) {
			paths = append(paths, dir)
		}
	}
	return paths
}

// projectOf returns the root of the repository around a folder, and the first rule file in it.
func projectOf(env system.Env, dir string, _ bool) (root, why string) {
	root = instructions.Root(dir, ".git")
	if p := placeOf(env, root); p.home == "" || p.name == workspaceName {
		why = p.first(root)
	}
	return root, system.Say(why != "", why+" in "+root)
}

// first returns the relative path of one file of the place in dir, or "" if there is none.
func (p *ruleFolder) first(dir string) (name string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const most = 300 // entries per folder
	p.eachFile(ctx, dir, most, func(path string, r *rule) {
		if name == "" && !r.others && !filestore.IsFolder(path) {
			name, _ = filepath.Rel(dir, path) // path is below dir, so this cannot fail
			cancel()
		}
	})
	return filepath.ToSlash(name)
}

// eachFile calls fn with the files in dir that each rule of the place names. It looks at no more than
// most entries for a rule, and reports whether there are more.
func (p *ruleFolder) eachFile(ctx context.Context, dir string, most int, fn func(path string, r *rule)) (more bool) {
	for i := range p.rules {
		r := &p.rules[i]
		base, many := r.base()
		base = filepath.Join(dir, filepath.FromSlash(base))
		if path := filepath.Join(dir, filepath.FromSlash(r.pattern)); !many {
			if info, err := os.Lstat(path); err == nil && ctx.Err() == nil && !(info.IsDir() && p.isTableFolder(r.pattern)) {
				fn(path, r)
			}
			continue
		}
		named := r.named()
		more = instructions.Below(ctx, base, most, func(folder string, entries []fs.DirEntry) {
			for _, e := range entries {
				path := filepath.Join(folder, e.Name())
				if rel, err := filepath.Rel(dir, path); err == nil && named(filepath.ToSlash(rel)) && ctx.Err() == nil {
					fn(path, r)
				}
			}
		}) || more
	}
	return more
}

// isTableFolder reports whether a name is also the name of a folder in the table.
func (p *ruleFolder) isTableFolder(name string) bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return strings.HasPrefix(r.pattern, name+"/") })
}

// Store holds the rule files of one place.
type Store struct {
	instructions.Store
	place ruleFolder
}

var (
	_ system.Snapshotter = (*Store)(nil)
	_ system.Summarizer  = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
)

// storeAt returns the store at an absolute path.
func storeAt(env system.Env, now func() time.Time, path string) *Store {
	s := &Store{place: placeOf(env, path)}
	product().Make(&s.Store, env, now, path)
	s.Names, s.Gather = s.place.names, s.gather
	s.Example = ".cursor/rules/go.mdc or .github/copilot-instructions.md"
	if s.place.home != "" {
		s.Example = strings.NewReplacer("**/*", "go").Replace(s.place.rules[len(s.place.rules)-1].pattern)
	}
	s.Empty = memory.Problem{Code: "empty", What: "There are no files here that one of these tools reads.", Hint: "add one: " + s.Example}
	s.Looks = func(name string) bool {
		return slices.ContainsFunc(s.place.rules, func(r rule) bool { return !r.others && r.named()(name) })
	}
	for i := range s.place.rules {
		if base, many := s.place.rules[i].base(); many {
			s.Watch = append(s.Watch, filepath.Join(s.Dir, filepath.FromSlash(base))+string(filepath.Separator))
		}
	}
	return s
}

// found is a file of the store with the way in which it reaches a session.
type found struct {
	*rule
	path, how string
	globs     []string
	file      filestore.File
}

// files returns the files of the place. A file that several tools read appears once for each of
// them.
func (s *Store) files(ctx context.Context, most int) (all []found, more bool) {
	more = s.place.eachFile(ctx, s.Dir, most, func(path string, r *rule) {
		if slices.ContainsFunc(all, func(f found) bool { return f.path == path && f.tool == r.tool }) {
			return
		}
		f := found{rule: r, path: path, file: filestore.Read(path, instructions.MostFile)}
		f.how, f.globs = r.howGiven(f.file.Text)
		all = append(all, f)
	})
	return all, more
}

// ways say for each way which sessions get a file, and why a session does or does not.
var ways = map[string][2]string{
	always: {"every session", "at every start"}, withFiles: {"sessions that work on ", "waits for a file that matches "},
	chosen: {"sessions whose model asks for it", "its model may ask for it"}, byHand: {"sessions in which a person names it", "only when a person names it"},
	never: {"never sent", "switched off in its header"},
}

// title returns the title of a file if its name says more than its first line, and "" otherwise.
func (s *Store) title(path string) string {
	return system.Say(s.place.name == workspaceName, string(s.ID(path)))
}

// gather finds the files.
func (s *Store) gather(ctx context.Context, most int) (c instructions.Contents, err error) {
	all, more := s.files(ctx, most)
	c.More = more
	for _, f := range all {
		if f.others {
			continue
		}
		it := instructions.Item{
			Path: f.path, Kind: f.how, Scope: f.name, File: f.file, Goes: ways[f.how][0] + strings.Join(f.globs, ", "), Unseen: f.how == never,
			Title: s.title(f.path), Facts: []memory.Fact{{Name: "but", Text: f.but}, {Name: "shown", Text: system.Say(f.file.Cut, "only its beginning")}, {Name: "documented at", Text: f.page + ", read on " + read}},
		}
		if h := filestore.ParseFrontMatter(f.file.Text); f.header != (header{}) && !h.Is && strings.HasPrefix(f.file.Text, "---\n") {
			it.Problem = &memory.Problem{Code: "open-header", What: "Its header has no closing line of three dashes, so its keys are ignored here.", Hint: "close it with ---"}
		}
		if n := utf8.RuneCountInString(f.file.Text); f.limit > 0 && n > f.limit {
			it.Notes = []string{fmt.Sprintf("%s cuts it after %d of its %d characters, unless its settings say otherwise.", f.name, f.limit, n)}
		}
		c.Items = append(c.Items, it)
		i := slices.IndexFunc(c.Scopes, func(s memory.Scope) bool { return s.Name == f.name })
		if i < 0 {
			i, c.Scopes = len(c.Scopes), append(c.Scopes, memory.Scope{Name: f.name})
		}
		c.Scopes[i].Records++
	}
	long := c.Lines(func(it *instructions.Item) bool { return len(it.Notes) > 0 })
	c.Health = []memory.Health{system.OnLines(long, "over-limit", memory.Warn, "Some files are longer than their tool reads.", "shorten them")}
	return c, ctx.Err()
}
