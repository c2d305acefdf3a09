package gemini

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Kinds of records, in addition to the ways in which a file is given.
const (
	kindNested = "nested"
	kindNote   = "note"
	kindHidden = "hidden"
)

// memoryFolder is the name of the folder of private memory.
const memoryFolder = "memory"

// Store holds the instruction files of a project, those of the user, or the private memory of a
// project.
type Store struct{ instructions.Store }

var (
	_ system.Snapshotter = (*Store)(nil)
	_ system.Summarizer  = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
)

// storeAt returns the store at an absolute path: the home, a folder of private memory, or a
// project. It reads no instruction file.
func storeAt(env system.Env, now func() time.Time, path string) *Store {
	s := &Store{}
	product().Make(&s.Store, env, now, path)
	s.Watch = []string{filepath.Join(homeOf(env), settingsFile), filepath.Join(homeOf(env), "trustedFolders.json")}
	s.Names, s.Example = settingsOf(env, s.Start()).names, "web/"+contextFile+", for the files of the folder web"
	s.Empty = memory.Problem{
		Code: "empty", What: "Gemini CLI finds no instructions here: there is no " + strings.Join(s.Names, " or ") + ".",
		Hint: "write a " + contextFile + ", or let Gemini CLI write one with /init",
	}
	s.Looks = func(name string) bool { return slices.Contains(s.Names, filepath.FromSlash(name)) }
	switch s.Place.Name {
	case asPrivate:
		s.Gather, s.Names, s.Example = s.gatherPrivate, []string{memoryFile}, "deploy.md, for a note that "+memoryFile+" names"
		s.Looks = func(name string) bool { return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") }
		s.Empty.What, s.Empty.Hint = "Gemini CLI keeps no private memory for this project.", "tell it to remember something about the project on this machine"
	case asGlobal:
		s.Gather = s.gatherGlobal
	default:
		s.Gather, s.Looks = s.gatherProject, system.Named(s.Names...)
		s.Watch = append(s.Watch, filepath.Join(s.Dir, homeFolder, settingsFile))
	}
	return s
}

// gatherGlobal finds the instruction files of the user and of extensions.
func (s *Store) gatherGlobal(ctx context.Context, _ int) (c instructions.Contents, err error) {
	g := givenIn(s.Env, "")
	s.add(&c, g, asGlobal, asExtension)
	c.Start = annotate.SizeOf(g.system(s.ID).Text)
	s.describe(&c, g)
	return c, ctx.Err()
}

// gatherProject finds a project's instruction files: those given to a session that starts in its
// folder, and those in folders below.
func (s *Store) gatherProject(ctx context.Context, most int) (c instructions.Contents, err error) {
	g := givenIn(s.Env, s.Dir)
	s.add(&c, g, asProject)
	c.Start = annotate.SizeOf(g.first(s.ID).Text)
	c.More = instructions.Below(ctx, s.Dir, most, func(dir string, _ []fs.DirEntry) {
		if dir == s.Dir || dir == homeOf(s.Env) {
			return
		}
		for _, path := range g.named(dir) {
			d := doc{path: path, how: kindNested, file: g.im.File(path)}
			if c.Has(path) {
				continue
			}
			if d.file.Problem == nil {
				d.read(g, false)
			}
			c.Items = append(c.Items, s.item(&d))
		}
	})
	s.describe(&c, g)
	return c, ctx.Err()
}

// gatherPrivate finds the private memory of a project: the index, which every session of the
// project is given, and the notes beside it.
func (s *Store) gatherPrivate(ctx context.Context, most int) (c instructions.Contents, err error) {
	g := givenIn(s.Env, s.Start())
	if g.private != s.Dir { // the folder belongs to no known project
		g.docs, g.private = nil, s.Dir
		g.add(asPrivate, g.settings.flat, filepath.Join(s.Dir, memoryFile))
		g.docs = slices.DeleteFunc(g.docs, func(d doc) bool { return d.file.Missing() })
	}
	s.add(&c, g, asPrivate)
	c.Start = annotate.SizeOf(g.system(s.ID).Text)
	index, waiting := g.im.File(filepath.Join(s.Dir, memoryFile)).Text, 0
	c.More = instructions.Below(ctx, s.Dir, most, func(dir string, entries []fs.DirEntry) {
		rel, _ := filepath.Rel(s.Dir, dir) // dir is below s.Dir, so this cannot fail
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			ext := filepath.Ext(e.Name())
			switch {
			case strings.HasPrefix(rel, ".inbox") && ext == ".patch":
				waiting++
				continue
			case ext != ".md" || e.IsDir() || strings.HasPrefix(rel, ".") && rel != "." || c.Has(path) || slices.Contains(g.im.From, path):
				continue
			}
			it := instructions.Item{Path: path, Kind: kindNote, Goes: "the model, when it reads the file"}
			switch {
			case rel == "." && slices.Contains(g.settings.names, e.Name()):
				it.Kind, it.Goes, it.Unseen = kindHidden, "never sent", true
				it.Notes = []string{memoryFile + " takes its place: Gemini CLI reads it only where there is no " + memoryFile + "."}
			case !strings.Contains(index, e.Name()):
				it.Unseen, it.Notes = true, []string{memoryFile + " does not name it: the model does not know of it."}
			}
			c.Items = append(c.Items, it)
		}
	})
	s.describe(&c, g)
	c.Facts = append(c.Facts, memory.Fact{Name: "waits in /memory inbox", Text: system.Say(waiting > 0, memory.Counted(waiting, "patch"))})
	return c, ctx.Err()
}

// add adds the files that were given in one of the ways how.
func (s *Store) add(c *instructions.Contents, g *sessionFiles, how ...string) {
	for _, d := range g.docs {
		if slices.Contains(how, d.how) {
			c.Items = append(c.Items, s.item(&d))
		}
	}
}

// item returns a file as its store shows it.
func (s *Store) item(d *doc) instructions.Item {
	it := instructions.Item{Path: d.path, Kind: d.how, Goes: firstMessage, Imports: d.imports, File: d.file, Fixed: s.Outside(d.path), Unseen: d.text == ""}
	switch d.how {
	case asGlobal, asPrivate:
		it.Goes = systemPrompt
	case kindNested:
		it.Goes = "the result of the first tool that touches its folder"
	case asExtension:
		it.Fixed = "It belongs to an extension, whose next version would replace it."
	}
	if it.Unseen {
		it.Goes = "never sent"
	}
	it.Notes = system.Notes(
		system.Say(d.twin != "", "It is the same file as "+d.twin+", and is sent once."),
		system.Say(it.Unseen && d.twin == "" && d.file.Problem == nil, "It is empty, and nothing is sent of it."),
		system.Say(len(d.failed) > 0, "Gemini CLI takes each word behind @ for a file, and writes into the text that it cannot import ("+strings.Join(d.failed, ", ")+"). Put it between backticks if it is none."),
		system.Say(d.file.Cut, "Only its beginning is read here. Gemini CLI sends all of it."))
	return it
}

// describe adds what there is to say about the store as a whole.
func (s *Store) describe(c *instructions.Contents, g *sessionFiles) {
	set := &g.settings
	c.Facts = append(c.Facts,
		memory.Fact{Name: "order", Text: "by their paths, from the folder with " + strings.Join(set.markers, " or ") + " down to where the session starts; the global files and private memory stand in the system prompt"},
		memory.Fact{Name: "names", Text: strings.Join(set.names, ", ")})
	for _, path := range set.files {
		c.Facts = append(c.Facts, memory.Fact{Name: "settings", Text: path})
	}
	c.Facts = append(c.Facts, memory.Fact{Name: "private memory", Text: g.private},
		memory.Fact{Name: "an edit acts", Text: "in the next session, and in one that runs after /memory reload"})
	failed := c.Lines(func(it *instructions.Item) bool { return len(g.im.Failed[it.Path]) > 0 })
	project := s.Place.Name == asProject
	c.Health = append(c.Health,
		system.When(set.refused != "", "refused", memory.Stop, 1, "Gemini CLI does not start here: "+set.refused, "correct the settings file"),
		system.When(project && set.trust == untrusted, "untrusted", memory.Warn, 1, "This folder is not trusted: Gemini CLI gives none of these files to a session.", "trust it with /permissions in Gemini CLI"),
		system.When(project && set.trust == undecided, "undecided", memory.Note, 1, "Nobody decided yet whether Gemini CLI may trust this folder: it asks, and until then gives none of these files.", "start Gemini CLI here once"),
		system.OnLines(failed, "import", memory.Warn, "Some imports fail, and Gemini CLI writes that into what the model reads.", "correct the path, or put the word behind @ between backticks"),
		system.When(g.im.Cut, "large", memory.Note, 1, "The imports are too many or too large to be looked at whole.", "import less"))
}

// rootOf returns the project path that a folder of sessions belongs to, or "" if the folder does
// not say.
func rootOf(project string) string {
	f := filestore.Read(filepath.Join(project, ".project_root"), 4<<10)
	root := strings.TrimSpace(f.Text)
	if f.Problem != nil || f.Cut || !filepath.IsAbs(root) {
		return ""
	}
	return filepath.Clean(root)
}
