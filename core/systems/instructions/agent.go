package instructions

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Agent describes an agent as data: which files its sessions are given, and in which of its stores each is
// listed. One list of files answers what is listed, what a recall shows and what the sources are.
type Agent struct {
	Product
	Stores []StoreKind
	// Read finds what sessions are given, and what lies where they look and is not.
	Read func(ctx context.Context, q Question) *Session
	// Last returns what the last session that answers a question was given, and how that differs from the blocks of
	// one that starts now, with notes about it. It is nil if sessions do not tell.
	Last func(ctx context.Context, q Question, now []memory.Block) (*memory.LastSession, []string, error)
	// Watch returns what else changes the store in a folder, as in [system.Watched]: settings, and folders below.
	Watch func(env system.Env, dir string) []string
	// Always is set if sources are told too where nothing shows that the agent is used.
	Always bool
	// Finish sets what only this agent's stores have. It may be nil.
	Finish func(s *AgentStore)
	// As says by what version the facts are: "As version 0.24.4 does it."
	As string
}

// Question asks what sessions are given that start in Dir, with links resolved. Without Dir it is what every
// session is given.
type Question struct {
	system.Env
	Dir string
	// Own is the folder of the store that asks, and Store its name; empty for a question about a folder.
	Own, Store string
	// Most is how many entries below Dir may be looked at; 0 for what needs no search.
	Most int
}

// StoreKind describes one kind of store of an agent.
type StoreKind struct {
	Name string
	// Given are the kinds of files that it lists, besides files in its folder that are given otherwise.
	Given []string
	// Names returns the names of files that the agent reads in its folder, for sessions that start in start. It is
	// nil if a new file needs a name.
	Names func(env system.Env, start string) []string
	// Looks reports whether a new file of that name is one that the agent looks for. If it is nil, those are Names, in
	// a project in all folders.
	Looks   func(name string) bool
	Example string
	// Notes reports whether a record is a memory that the agent wrote, and no instruction of people; nil if none is.
	Notes func(r *memory.Record) bool
	Empty memory.Problem
	// Ability is what can be done with it. Its Store, Watch, Edit and Delete are set by [Agent.System].
	Ability system.Ability
	// Reaches is set if the store lists files outside of its folder as well.
	Reaches bool
}

// Given is a file that an agent reads, or that lies where it looks and is not read.
type Given struct {
	Path string
	How  string // "instructions"; it is the kind of the record
	Kind memory.SourceKind
	When memory.SourceWhen
	Why  string // the condition, or why it is not read; a sentence
	By   string // the file that names it
	File filestore.File
	// Text is what the model gets of it with the prompt, and Label what its frame calls it. Text is empty if
	// it gets nothing, or reads the file by a tool.
	Text, Label string
	Imports     []string
	Record      string          // the kind of its record, if that is not How
	Title       string          // empty: the first line of its text
	Goes        string          // which sessions get it, if When does not say all
	Fixed       string          // why it cannot be changed; empty if it can
	Problem     *memory.Problem // what is wrong with it, unless that it cannot be read
	Unseen      bool            // no session is given it, though its model might find it
	Elsewhere   bool            // sessions that start in another folder are given it
	Odd         string          // the code of what is odd about it, one of [Session.Odd]
	Loss        memory.Loss
	Sent        int64    // bytes of it that a session is given, if it is not all
	Hint        string   // what a person can do about the loss
	Patterns    []string // of files that it waits for, relative to Base
	Base        string
	Notes       []string
}

// Session is what sessions that start in a folder are given.
type Session struct {
	Given    []Given
	Settings []string // settings files that exist
	Names    []string // of instruction files
	Stop     *memory.Problem
	Note     string // what is not certain about it
	Notes    []string
	Imports  *Imports
	Gap      string // what was not searched
	Root     string // of the project, if it is not the folder with .git
	Facts    []memory.Fact
	Usage    []memory.Usage // of the store that asks
	Health   []memory.Health
	Odd      []Oddity
	Running  []memory.Running
	// More are other sources, for a question about a folder: what settings name and no session is given.
	More []memory.Source
	// Estimate says what of it is a guess; see [memory.Recall].
	Estimate string
	// Blocks returns what a session gets, each block with the texts of the files that are given so.
	Blocks func(id func(path string) memory.ID) []memory.Block
	// WithFile returns what comes with a tool that reads target. It may be nil; then those are the files whose
	// patterns match target.
	WithFile func(target string, id func(path string) memory.ID) memory.Block
}

// Oddity is what can be odd about files: the health of a store says it once, with their lines.
type Oddity struct {
	Code  string
	Level memory.Level
	What  string // a sentence, in which %d stands for the number of files
	Hint  string
	// Unread is set if such files are not read because of another one. Of a few, each is said by its name, and why.
	Unread bool
}

// fewOdd is how many files are said one by one.
const fewOdd = 3

// matches reports whether the file waits for files of a path relative to its base, with slashes. It is nil for
// a file that waits for none.
func (g *Given) matches() func(rel string) bool {
	if len(g.Patterns) == 0 {
		return nil
	}
	const root = "\x00/" // no name contains it: it anchors a pattern at the start of the path
	var all []string
	for _, p := range g.Patterns {
		all = append(all, root+strings.TrimPrefix(p, "./"))
	}
	matches := system.Named(all...)
	return func(rel string) bool { return matches(root + rel) }
}

// System returns the agent's system on a machine. now returns the time.
func (a *Agent) System(machine system.Env, now func() time.Time) system.System {
	s := a.Product.System(machine, func(path string) system.Store { return a.Open(machine, now, path) })
	s.Sources = a.Sources
	for _, k := range a.Stores {
		k.Ability.Store, k.Ability.Watch = k.Name, true
		k.Ability.Edit, k.Ability.Delete = cmp.Or(k.Ability.Edit, "all"), cmp.Or(k.Ability.Delete, "all")
		s.Abilities = append(s.Abilities, k.Ability)
	}
	return s
}

// AgentStore is a store of an agent: the files of one place that its sessions are given.
type AgentStore struct {
	Store
	agent *Agent
	kind  *StoreKind
	asked system.Env // as it is: a recall writes paths as the agent does, links in the home included
}

var (
	_ system.Snapshotter = (*AgentStore)(nil)
	_ system.Summarizer  = (*AgentStore)(nil)
	_ system.Recaller    = (*AgentStore)(nil)
	_ system.Watched     = (*AgentStore)(nil)
	_ system.Composer    = (*AgentStore)(nil)
	_ system.Writer      = (*AgentStore)(nil)
)

// Open returns the store at an absolute path. It reads no file that is given to a session.
func (a *Agent) Open(env system.Env, now func() time.Time, path string) *AgentStore {
	s := &AgentStore{agent: a, asked: env}
	a.Make(&s.Store, env, now, path)
	s.Env.Home = filestore.Real(env.Home) // as the folder of the store
	s.kind = &a.Stores[max(0, slices.IndexFunc(a.Stores, func(k StoreKind) bool { return k.Name == s.Place.Name }))]
	s.Empty, s.Looks, s.Example = s.kind.Empty, s.kind.Looks, s.kind.Example
	s.Gather, s.Watch, s.Memories = s.gather, a.Watch(env, s.Dir), s.kind.Notes
	if s.kind.Names != nil {
		s.Names = s.kind.Names(env, s.start())
	}
	switch {
	case s.Looks != nil || s.Names == nil:
	case s.start() == "":
		s.Looks = func(name string) bool { return slices.Contains(s.Names, filepath.FromSlash(name)) }
	default:
		s.Looks = system.Named(s.Names...)
	}
	if a.Finish != nil {
		a.Finish(s)
	}
	return s
}

// isOf reports whether the store lists a file.
func (s *AgentStore) isOf(g *Given) bool {
	return slices.Contains(s.kind.Given, g.How) && (s.kind.Reaches || filestore.Within(s.Dir, g.Path) ||
		filestore.Within(s.Dir, filestore.Real(filepath.Dir(g.Path))))
}

// gather finds the files of the store.
func (s *AgentStore) gather(ctx context.Context, most int) (c Contents, err error) {
	session, odd := s.agent.Read(ctx, s.question(s.Env, s.session(), most)), map[string][]int{}
	why := map[int]string{}
	for i := range session.Given {
		g := &session.Given[i]
		if !s.isOf(g) || c.Has(g.Path) {
			continue
		}
		c.Items = append(c.Items, Item{
			Path: g.Path, Kind: cmp.Or(g.Record, g.How), Title: g.Title, Goes: cmp.Or(g.Goes, g.When.Words()),
			File: g.File, Imports: g.Imports, Fixed: cmp.Or(g.Fixed, s.outside(g.Path)), Problem: g.Problem,
			Unseen: g.Unseen || g.When == memory.Never && !g.Elsewhere,
			Notes:  system.Notes(append(slices.Clone(g.Notes), g.Why)...),
			Facts: []memory.Fact{
				{Name: "named by", Text: g.By}, {Name: "for", Text: strings.Join(g.Patterns, ", ")},
			},
		})
		odd[g.Odd] = append(odd[g.Odd], len(c.Items))
		why[len(c.Items)] = s.shown(g.Path) + " is not read: " + g.Why
	}
	for _, b := range session.Blocks(s.ID) {
		if slices.ContainsFunc(b.Parts, func(p memory.Part) bool { return c.Has(p.Path) }) {
			size := annotate.SizeOf(b.Text)
			c.Start.Bytes += size.Bytes
			c.Start.TokensLow += size.TokensLow
			c.Start.TokensHigh += size.TokensHigh
		}
	}
	c.Gap, c.Health, c.Usage, c.Running = session.Gap, session.Health, session.Usage, session.Running
	c.Facts = append(c.Facts, memory.Fact{Name: "names", Text: strings.Join(session.Names, ", ")})
	for _, path := range session.Settings {
		c.Facts = append(c.Facts, memory.Fact{Name: "settings", Text: path})
	}
	c.Facts = append(c.Facts, session.Facts...)
	for _, o := range session.Odd {
		if lines := odd[o.Code]; o.Unread && len(lines) <= fewOdd {
			for _, line := range lines {
				c.Health = append(c.Health, system.OnLines([]int{line}, o.Code, o.Level, why[line], o.Hint))
			}
			continue
		}
		what := strings.ReplaceAll(o.What, "%d", strconv.Itoa(len(odd[o.Code])))
		c.Health = append(c.Health, system.OnLines(odd[o.Code], o.Code, o.Level, what, o.Hint))
	}
	c.Health = append(c.Health, system.When(
		session.Imports != nil && session.Imports.Cut, "large", memory.Note, 1,
		"The imports are too many or too large to be looked at whole.", "import less",
	))
	if session.Stop != nil {
		c.Health = append(c.Health, system.When(true, "refused", memory.Stop, 1, session.Stop.What, session.Stop.Hint))
	}
	return c, ctx.Err()
}

// shown returns the path of a file for a sentence: from the folder of the store if it is in it.
func (s *AgentStore) shown(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// session returns the folder in which the sessions start whose files the store lists.
func (s *AgentStore) session() string {
	if start := s.start(); start != "" {
		return filestore.Real(start)
	}
	return ""
}

// Recall implements [system.Recaller]. It returns what a session is given at its start, whatever its task, and
// what comes with the files of the task.
func (s *AgentStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t}
	if gone := s.gone(); gone != "" && t.Folder == "" {
		r.Empty = "Nothing is sent. " + gone
		return r, ctx.Err()
	}
	start := s.StartOf(t)
	q := s.question(s.asked, start, 0)
	session := s.agent.Read(ctx, q)
	if session.Stop != nil {
		r.Stop = session.Stop
		return r, ctx.Err()
	}
	hasOwn := s.fill(&r, session)
	r.Estimate = session.Estimate
	for _, target := range t.Files {
		if !filepath.IsAbs(target) {
			target = filepath.Join(start, target)
		}
		r.Also = append(r.Also, session.withFile(filepath.Clean(target), s.Here))
	}
	r.Also = Filled(r.Also...)
	switch {
	case hasOwn && len(r.Hits) == 0:
		r.Empty = "Only names are sent at the start: a model chooses what it reads."
	case r.Block.Text == "":
		r.Empty = s.Product + " finds nothing of this store for a session that starts here."
	}
	r.Notes = append(system.Notes(
		system.Say(start == "", "These files are for every project. Name a folder to see what a session there gets."),
		session.Note), session.Notes...)
	if session.Imports != nil && session.Imports.Cut {
		r.Unread = "Files or their imports are too large to be read whole here, so that " + s.Product + " sends more."
		r.Notes = append(r.Notes, r.Unread)
	}
	for i := range session.Given {
		if p := session.Given[i].File.Problem; p != nil && p.Code == quietread.CodeUnreadable {
			r.Notes = append(r.Notes, s.Product+" cannot read "+session.Given[i].Path+".")
		}
	}
	r.Notes = append(r.Notes, s.agent.As)
	if s.agent.Last == nil {
		return r, ctx.Err()
	}
	last, notes, err := s.agent.Last(ctx, q, session.Blocks(s.Here))
	r.LastSession, r.Notes = last, append(r.Notes, notes...)
	return r, err
}

// question returns what sessions are given that start in a folder, as the store asks it.
func (s *AgentStore) question(env system.Env, start string, most int) Question {
	return Question{Env: env, Dir: start, Own: s.Dir, Store: s.Place.Name, Most: most}
}

// AddNested adds the files of some names below the folder of a question that nothing added yet, and why no session
// there is given them. Those in the agent's own folder are left out.
func (s *Session) AddNested(ctx context.Context, q Question, own, how, why string) {
	if q.Most == 0 || q.Dir == "" {
		return
	}
	found := Below(ctx, q.Dir, q.Most, WantNames(s.Names...))
	s.Gap = found.Gap
	for _, rel := range found.Paths {
		path := filepath.Join(q.Dir, filepath.FromSlash(rel))
		isKnown := func(g Given) bool { return g.Path == path }
		if !slices.ContainsFunc(s.Given, isKnown) && !filestore.Within(own, path) {
			s.Given = append(s.Given, Given{
				Path: path, How: how, Kind: memory.SourceInstructions, When: memory.Never, Why: why,
				File: filestore.Read(path, MostFile),
			})
		}
	}
}

// fill adds to a recall what a session is given at its start: first the block with files of the store, or the first
// one if there is none. It reports whether there is.
func (s *AgentStore) fill(r *memory.Recall, session *Session) bool {
	mine := map[string]bool{}
	for i := range session.Given {
		g := &session.Given[i]
		mine[g.Path] = mine[g.Path] || s.isOf(g)
		if g.Text != "" && g.When == memory.AtStart && s.isOf(g) {
			s.Hit(r, g.Path, cmp.Or(g.Record, g.How), g.File.Text)
			if g.Title != "" {
				r.Hits[len(r.Hits)-1].Title = g.Title
			}
		}
	}
	r.Searched = len(session.Given)
	blocks := session.Blocks(s.Here)
	isMine := func(p memory.Part) bool { return mine[p.Path] }
	own := slices.IndexFunc(blocks, func(b memory.Block) bool { return slices.ContainsFunc(b.Parts, isMine) })
	main := max(own, 0)
	r.Block = blocks[main]
	r.Also = Filled(slices.Delete(blocks, main, main+1)...)
	return own >= 0
}

// withFile returns what comes with the result of a tool that reads the file target.
func (s *Session) withFile(target string, id func(string) memory.ID) memory.Block {
	if s.WithFile != nil {
		return s.WithFile(target, id)
	}
	w := &Text{ID: id}
	for i := range s.Given {
		g := &s.Given[i]
		rel, err := filepath.Rel(g.Base, target)
		if g.When != memory.WithFile || g.Text == "" || err != nil || !g.matches()(filepath.ToSlash(rel)) {
			continue
		}
		if w.Len() > 0 {
			w.WriteString("\n\n")
		}
		w.Add(memory.Part{Name: g.How, Path: g.Path}, g.Text)
	}
	return w.Block("tool result", "with what a tool says of "+filepath.ToSlash(target))
}

// Sources implements [system.System.Sources]. Unless Always is set, there is no answer where
// nothing shows that the agent is used.
func (a *Agent) Sources(ctx context.Context, env system.Env, below bool) []memory.AgentSources {
	dir := filestore.Real(env.Dir)
	if !a.Always && !filestore.IsFolder(a.Home(env)) {
		if _, why := a.Project(env, dir, false); why == "" {
			return nil
		}
	}
	q := Question{Env: env, Dir: dir}
	if below {
		q.Most = MostEntries
	}
	session := a.Read(ctx, q)
	out := memory.AgentSources{System: a.ID, Agent: a.Name, Note: session.Note, Gap: session.Gap, Stop: session.Stop}
	for i := range session.Given {
		out.List = append(out.List, session.Given[i].sources()...)
	}
	out.List = append(out.List, session.More...)
	if im := session.Imports; im != nil {
		out.Unfollowed = im.unfollowed(a.Name)
	}
	for _, path := range session.Settings {
		f := filestore.Read(path, MostFile)
		out.List = append(out.List,
			f.Source(memory.SourceSettings, memory.Never, "It says what "+a.Name+" does: its text is not sent."))
		out.List = append(out.List, Programs(&f, cmp.Or(session.Root, Root(dir, ".git")))...)
	}
	return []memory.AgentSources{out}
}

// sources returns a file and its imports as sources.
func (g *Given) sources() (all []memory.Source) {
	when, why := g.When, g.Why
	if g.File.Problem != nil {
		when, why = memory.Never, "It cannot be read."
	}
	out := g.File.Source(g.Kind, when, why)
	out.By, out.Patterns, out.Base, out.Matches = g.By, g.Patterns, g.Base, g.matches()
	out.Loss, out.Sent, out.Hint = g.Loss, g.Sent, g.Hint
	all = append(all, out)
	for _, path := range g.Imports {
		f := filestore.Read(path, MostFile)
		in := f.Source(memory.SourceImport, when, why)
		in.By = g.Path
		all = append(all, in)
	}
	return all
}

// unfollowed returns the imports that failed and look like files.
func (im *Imports) unfollowed(agent string) (all []memory.Unfollowed) {
	for from, names := range im.Failed {
		for _, written := range names {
			if strings.Contains(written, "/") || filepath.Ext(written) != "" { // else it is a word behind @
				all = append(all, memory.Unfollowed{
					From: from, Written: written, Why: agent + " does not find the file, or does not read it.",
				})
			}
		}
	}
	slices.SortFunc(all, func(a, b memory.Unfollowed) int {
		if order := strings.Compare(a.From, b.From); order != 0 {
			return order
		}
		return strings.Compare(a.Written, b.Written)
	})
	return all
}
