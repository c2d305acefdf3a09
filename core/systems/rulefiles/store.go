package rulefiles

import (
	"cmp"
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

// System returns the system on a machine.
func System(machine system.Env, now func() time.Time) system.System {
	s := product().System(machine, func(path string) system.Store { return storeAt(machine, now, path) })
	s.Variables = []memory.Fact{
		{Name: workspaceVariable, Text: "the workspace of OpenClaw, ~/.openclaw/workspace otherwise"},
	}
	s.Forms = Forms()
	s.Sources = func(ctx context.Context, env system.Env, _ bool) []memory.AgentSources {
		return sources(ctx, env, now)
	}
	for _, a := range []system.Ability{
		{Store: projectName, Note: "By the public documentation of each tool: Cursor, Copilot, Cline and Windsurf. AGENTS.md is listed for those that have a file of their own, or for all if it is alone."},
		{Store: userName}, {Store: workspaceName, Note: "By its public documentation."},
	} {
		a.Recall, a.Edit, a.Delete, a.Watch = system.Estimated, "all", "all", true
		s.Abilities = append(s.Abilities, a)
	}
	return s
}

func product() *instructions.Product {
	return &instructions.Product{
		ID:      id,
		Name:    "Rule files",
		Home:    func(env system.Env) string { return env.Home },
		Own:     userStores,
		Project: projectOf,
		Sort: func(env system.Env, path string) instructions.Sort {
			if p := placeOf(env, path); p.home != "" {
				return instructions.Sort{Name: p.name, Own: true, Personal: isPersonal(env, path)}
			}
			return instructions.Sort{Name: projectName, Project: path}
		},
		Shows: func(env system.Env, dir string, in instructions.Entries) bool {
			p := placeOf(env, dir)
			signs := []string{
				".cursor", ".cursorrules", ".github", ".clinerules", ".cline", ".windsurf", ".windsurfrules",
			}
			return p.name == workspaceName || p.home == "" && slices.ContainsFunc(signs, func(name string) bool { return in.Has(name, nil) }) && p.first(dir) != ""
		},
	}
}

// isPersonal reports whether the path is that of one of the user's folders, and not one of a project that
// looks like a workspace.
func isPersonal(env system.Env, path string) bool {
	if named, _ := env.Lookup(workspaceVariable); path == named {
		return true
	}
	return strings.HasPrefix(path, filepath.Join(env.Home, ".openclaw", "workspace-")) ||
		slices.ContainsFunc(
			places()[1:],
			func(p ruleFolder) bool { return path == filepath.Join(env.Home, filepath.FromSlash(p.home)) },
		)
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
	if isPersonal(env, path) ||
		filestore.Exists(filepath.Join(path, "SOUL.md")) && filestore.Exists(filepath.Join(path, agentsFile)) {
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
		if p := placeOf(env, dir); filepath.IsAbs(dir) && p.home != "" && p.first(dir) != "" &&
			!slices.Contains(paths, dir) {
			paths = append(paths, dir)
		}
	}
	return paths
}

// projectOf returns the root of the repository around a folder, and the first rule file in it.
func projectOf(env system.Env, dir string, _ bool) (root, why string) {
	root = instructions.Root(dir, ".git")
	p := placeOf(env, root)
	if p.home == "" || p.name == workspaceName {
		why = p.first(root)
	}
	if why == "" && env.Alone && p.home == "" && filestore.Exists(filepath.Join(root, agentsFile)) {
		why = agentsFile
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
// most entries for a rule, and returns what it did not search, as instructions.Below says it.
func (p *ruleFolder) eachFile(ctx context.Context, dir string, most int, fn func(path string, r *rule)) (gap string) {
	for i := range p.rules {
		r := &p.rules[i]
		base, many := r.base()
		base = filepath.Join(dir, filepath.FromSlash(base))
		if path := filepath.Join(dir, filepath.FromSlash(r.pattern)); !many {
			if info, err := os.Lstat(path); err == nil && ctx.Err() == nil &&
				!(info.IsDir() && p.isTableFolder(r.pattern)) {
				fn(path, r)
			}
			continue
		}
		if !filestore.IsFolder(base) {
			continue
		}
		named := r.named()
		found := instructions.Below(ctx, base, most, func(rel string, _ bool) bool {
			below, err := filepath.Rel(dir, filepath.Join(base, filepath.FromSlash(rel)))
			return err == nil && named(filepath.ToSlash(below))
		})
		gap = cmp.Or(gap, found.Gap)
		for _, rel := range append(found.Paths, linkedFiles(ctx, dir, base, most, named)...) {
			if ctx.Err() == nil {
				fn(filepath.Join(base, filepath.FromSlash(rel)), r)
			}
		}
	}
	return gap
}

// linkedFiles returns the files in folders that links in base lead to, as paths below base. The pages do not
// say whether the tools follow such links, so what they lead to is shown.
func linkedFiles(ctx context.Context, dir, base string, most int, named func(string) bool) (paths []string) {
	for _, link := range filestore.Below(func(m fs.FileMode) bool { return m&fs.ModeSymlink != 0 }, base) {
		if !filestore.IsFolder(link) || filestore.Within(filestore.Real(link), filestore.Real(base)) {
			continue // a link upwards leads round in a circle
		}
		found := instructions.Below(ctx, filestore.Real(link), most, func(rel string, isDir bool) bool {
			below, err := filepath.Rel(dir, filepath.Join(link, filepath.FromSlash(rel)))
			return err == nil && !isDir && named(filepath.ToSlash(below))
		})
		for _, rel := range found.Paths {
			paths = append(paths, filepath.ToSlash(filepath.Join(filepath.Base(link), filepath.FromSlash(rel))))
		}
	}
	return paths
}

// isTableFolder reports whether a name is also the name of a folder in the table.
func (p *ruleFolder) isTableFolder(name string) bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return strings.HasPrefix(r.pattern, name+"/") })
}

// store holds the rule files of one place.
type store struct {
	instructions.Store
	place ruleFolder
}

var (
	_ system.Snapshotter = (*store)(nil)
	_ system.Summarizer  = (*store)(nil)
	_ system.Recaller    = (*store)(nil)
	_ system.Watched     = (*store)(nil)
	_ system.Composer    = (*store)(nil)
	_ system.Writer      = (*store)(nil)
)

// storeAt returns the store at an absolute path.
func storeAt(env system.Env, now func() time.Time, path string) *store {
	s := &store{place: placeOf(env, path)}
	product().Make(&s.Store, env, now, path)
	s.Names, s.Gather = s.place.names, s.gather
	s.Example = ".cursor/rules/go.mdc or .github/copilot-instructions.md"
	if s.place.home != "" {
		s.Example = strings.NewReplacer("**/*", "go").Replace(s.place.rules[len(s.place.rules)-1].pattern)
	}
	s.Empty = memory.Problem{
		Code: "empty", What: "There are no files here that one of these tools reads.", Hint: "add one: " + s.Example,
	}
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
// them. One that other agents read too is given to the tools that have a file of their own here, or, if
// none has, to all that would read it.
func (s *store) files(ctx context.Context, most int) (all []found, gap string) {
	gap = s.place.eachFile(ctx, s.Dir, most, func(path string, r *rule) {
		if slices.ContainsFunc(all, func(f found) bool { return f.path == path && f.tool == r.tool }) {
			return
		}
		f := found{rule: r, path: path, file: filestore.Read(path, instructions.MostFile)}
		f.how, f.globs = r.howGiven(f.file.Text)
		all = append(all, f)
	})
	used := map[tool]bool{}
	for i := range all {
		if !all[i].others {
			used[all[i].tool] = true
		}
	}
	if len(used) > 0 {
		all = slices.DeleteFunc(all, func(f found) bool { return !used[f.tool] })
	}
	return all, gap
}

// ways say for each way which sessions get a file, and why a session does or does not.
var ways = map[string][2]string{
	always:    {"every session", "at every start"},
	withFiles: {"sessions that work on ", "waits for a file that matches "},
	chosen:    {"sessions whose model asks for it", "its model may ask for it"},
	byHand:    {"sessions in which a person names it", "only when a person names it"},
	never:     {"never sent", "switched off in its header"},
}

// title returns the title of a file if its name says more than its first line, and "" otherwise.
func (s *store) title(path string) string {
	return system.Say(s.place.name == workspaceName, string(s.ID(path)))
}

// gather finds the files.
func (s *store) gather(ctx context.Context, most int) (c instructions.Contents, err error) {
	all, gap := s.files(ctx, most)
	c.Gap = gap
	for _, f := range all {
		i := slices.IndexFunc(c.Scopes, func(s memory.Scope) bool { return s.Name == f.name })
		if i < 0 {
			i, c.Scopes = len(c.Scopes), append(c.Scopes, memory.Scope{Name: f.name})
		}
		c.Scopes[i].Records++
		if i := slices.IndexFunc(c.Items, func(it instructions.Item) bool { return it.Path == f.path }); i >= 0 {
			c.Items[i].Scope += ", " + f.name
			continue
		}
		it := instructions.Item{
			Path:   f.path,
			Kind:   f.how,
			Scope:  f.name,
			File:   f.file,
			Goes:   ways[f.how][0] + strings.Join(f.globs, ", "),
			Unseen: f.how == never,
			Title:  s.title(f.path),
			Facts: []memory.Fact{
				{Name: "but", Text: f.but}, {Name: "shown", Text: system.Say(f.file.Cut, "only its beginning")},
				{Name: "documented at", Text: f.page + ", read on " + read},
			},
		}
		if h := filestore.ParseFrontMatter(f.file.Text); f.header != (header{}) &&
			!h.Is && strings.HasPrefix(f.file.Text, "---\n") {
			it.Problem = &memory.Problem{Code: "open-header", What: "Its header has no closing line of three dashes, so its keys are ignored here.", Hint: "close it with ---"}
		}
		if n := utf8.RuneCountInString(f.file.Text); f.limit > 0 && n > f.limit {
			it.Notes = []string{fmt.Sprintf("%s cuts it after %d of its %d characters, unless its settings say otherwise.", f.name, f.limit, n)}
		}
		c.Items = append(c.Items, it)
	}
	long := c.Lines(func(it *instructions.Item) bool { return len(it.Notes) > 0 })
	c.Health = []memory.Health{
		system.OnLines(long, "over-limit", memory.Warn, "Some files are longer than their tool reads.", "shorten them"),
	}
	return c, ctx.Err()
}
