package claudecode

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// The layers, broad to specific. They are the scopes of a store.
const (
	layerManaged = "managed"
	layerUser    = "user"
	layerAbove   = "above the project"
	layerProject = "project"
	layerLocal   = "local"
	layerMemory  = "auto memory"
	layerAgent   = "agent memory"
)

// The kinds of records that are not topics.
const (
	kindInstructions = "instructions"
	kindRule         = "rule"
	kindImport       = "import"
	kindIndex        = "index"
	kindAgent        = "agent memory"
	kindTopic        = "topic" // its type is unknown
)

// Labels that follow the path of a file in the injected block.
const (
	labelProject = " (project instructions, checked into the codebase)"
	labelLocal   = " (user's private project instructions, not checked in)"
	labelUser    = " (user's private global instructions for all projects)"
	labelMemory  = " (user's auto-memory, persists across conversations)"
)

// maxHops is how many imports in a row are followed.
const maxHops = 4

// agentsSince is the first version that reads AGENTS.md.
const agentsSince = "2.1.277"

// doc is one instruction file, and what Claude Code does with it.
type doc struct {
	filestore.File
	layer, kind, label string
	// content is the part of the file that is injected.
	content string
	globs   *globs // of a rule; nil for none
	base    string // of a rule and its imports: the folder that globs are relative to
	by      []*doc // the files that import it
	// start is set if it is injected at the start of a session. Otherwise why is a sentence that
	// says why not. unseen is set if it is never injected.
	start  bool
	why    string
	unseen bool
	loss   memory.Loss
	with   string // the folder below the project whose files bring it in; may be empty
	byHook bool   // Claude Code adds it by a hook of its own
	notes  []string
	facts  []memory.Fact
}

// chain holds the instruction files of a session in the order in which they are injected, and
// those that are left out.
type chain struct {
	m       *machine
	root    string // root of the project; empty for the user's own files alone
	cwd     string
	version string // of Claude Code, as far as it is known
	set     settings
	off     string

	agents bool // AGENTS.md is read: no instructions of Claude Code's own have text, or it is read beside them
	both   bool // it is read beside them
	docs   []*doc
	byPath map[string]*doc
	// atStart and withReads are the files that are sent, by their paths with links resolved: each is
	// sent once at the start, and once with what a session reads.
	atStart, withReads map[string]*doc
	agreed             *consent
	gaps               []notFollowed
	later              []*doc // imports that were refused; another file may still import them
	left               bool   // some files were left out because there are too many
	gap                string // which folders below the project were not searched
}

// notFollowed is an import that is not followed.
type notFollowed struct {
	why  string // the code of its line in the report
	from *doc
	to   string
	// written is how the importing file names it.
	written string
}

// Why imports are not followed.
const (
	importMissing  = "import-missing"
	importDeep     = "import-deep"
	importExternal = "import-external"
	importCycle    = "import-cycle"
	ruleExternal   = "rule-external"
)

// chainOf reads the instructions for a session that starts in cwd, a folder of the project at root.
// If root is empty, it reads only those for all projects.
func chainOf(ctx context.Context, m *machine, root, cwd, version string) (*chain, error) {
	c := &chain{
		root:    root,
		cwd:     cwd,
		version: version,
		set:     m.settings(cmp.Or(cwd, root)),
		byPath:  map[string]*doc{},
		atStart: map[string]*doc{},
	}
	c.m = m.with(&c.set)
	c.off = c.m.instructionsOff()
	c.instruction(filepath.Join(m.managed, "CLAUDE.md"), layerManaged, labelUser)
	c.instruction(filepath.Join(m.config, "CLAUDE.md"), layerUser, labelUser)
	c.rules(filepath.Join(m.config, "rules"), cwd, layerUser, labelUser)
	if c.set.agentsMD.readsManaged() {
		defer c.leaveOutAtStart()
	}
	if root == "" {
		return c, ctx.Err()
	}
	n, gaps, later := len(c.docs), len(c.gaps), len(c.later)
	c.both = c.set.agentsMD.readsBoth() && c.noAgents() == ""
	if c.folders(ctx, c.both); c.both {
		c.agents = true
		c.leaveOutEqual(n)
	} else if !c.hasOwnText(n) && c.noAgents() == "" {
		for _, d := range c.docs[n:] {
			delete(c.byPath, d.Path)
			d.start = false // it is read again
		}
		c.docs, c.agents = c.docs[:n], true
		c.gaps, c.later = c.gaps[:gaps], c.later[:later]
		c.folders(ctx, true)
		c.leaveOutEqual(n)
	}
	if c.m.switchedOn("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD") {
		for _, dir := range m.added {
			c.folder(dir, layerAbove, false)
		}
	}
	c.unreadAgents(n)
	return c, ctx.Err()
}

// folders adds the instructions of the working folder and the folders above it, the topmost first.
func (c *chain) folders(ctx context.Context, agents bool) {
	for _, dir := range foldersUp(c.cwd) {
		if ctx.Err() != nil {
			return
		}
		layer := layerProject
		if !filestore.Within(c.root, dir) {
			layer = layerAbove
		}
		c.folder(dir, layer, agents)
	}
}

// folder adds the instructions of one folder.
func (c *chain) folder(dir, layer string, agents bool) {
	// A work tree has its own copies of the files of the repository around it.
	if !git.Surrounds(dir, c.cwd) {
		c.instruction(filepath.Join(dir, "CLAUDE.md"), layer, labelProject)
		c.instruction(filepath.Join(dir, ".claude", "CLAUDE.md"), layer, labelProject)
		c.rules(filepath.Join(dir, ".claude", "rules"), dir, layer, labelProject)
	}
	local := layerLocal
	if layer == layerAbove {
		local = layer
	}
	c.instruction(filepath.Join(dir, "CLAUDE.local.md"), local, labelLocal)
	if agents {
		for _, path := range pathsBelow(dir, "AGENTS.md", ".claude/AGENTS.md") {
			c.instruction(path, layer, labelProject)
		}
	}
}

// hasOwnText reports whether any of Claude Code's own instruction files, from the n-th file on, has
// text.
func (c *chain) hasOwnText(n int) bool {
	return slices.ContainsFunc(c.docs[n:], func(d *doc) bool {
		return d.kind == kindInstructions && d.start && !d.blank()
	})
}

// blank reports whether nothing is left of a file without its header and comments.
func (d *doc) blank() bool { return jstext.Trim(d.content) == "" }

// foldersUp returns a folder and the folders above it, the topmost first.
func foldersUp(dir string) []string {
	out := filestore.Upwards(filepath.Clean(dir), "")
	slices.Reverse(out)
	return out
}

// instruction adds the file at a path, if it exists, and its imports.
func (c *chain) instruction(path, layer, label string) {
	if d := c.add(path, layer, kindInstructions, label); d != nil && d.start {
		c.imports(d, 1)
	}
}

// add reads an instruction file. It returns nil if the file is missing or already in the chain.
func (c *chain) add(path, layer, kind, label string) *doc {
	path = filepath.Clean(path)
	if c.byPath[path] != nil {
		return nil
	}
	d := &doc{File: filestore.Read(path, maxLoaded), layer: layer, kind: kind, label: label}
	if d.Missing() {
		return nil
	}
	c.byPath[path] = d
	c.docs = append(c.docs, d)
	if d.decideStart(c); d.start {
		if twin := c.twin(path, filepath.Base(path) == agentsName); twin != nil && !c.sendsBoth(twin, d) {
			d.start, d.unseen, d.why = false, true, "It is the same file as "+twin.Path+", and is sent once."
		} else {
			c.sends(d)
		}
	}
	return d
}

// sendsBoth reports whether a file does not count as sent with another path of it that was read before. An AGENTS.md
// does so with a file of the user only under the same path. Where it is read beside CLAUDE.md, it is read after all of
// these, and is what leaveOutEqual leaves out.
func (c *chain) sendsBoth(first, d *doc) bool {
	if d.isAgents() {
		return first.isOfUser()
	}
	return c.both && d.kind == kindInstructions && first.isAgents()
}

// isAgents reports whether a file is an AGENTS.md in its own place.
func (d *doc) isAgents() bool {
	return d.kind == kindInstructions && filepath.Base(d.Path) == agentsName
}

const agentsName = "AGENTS.md"

// decideStart decides whether a file is read at the start of a session.
func (d *doc) decideStart(c *chain) {
	switch {
	case d.Problem != nil:
		d.why = "It cannot be read."
	case d.Cut:
		d.why = "It is larger than 4 MiB: Claude Code skips it."
		d.unseen, d.loss = true, memory.LossCut
	case c.off != "":
		d.why = c.off
		d.unseen = true
	default:
		if p := c.set.excluded(d.Path); p != "" && d.layer != layerManaged {
			d.why = fmt.Sprintf("claudeMdExcludes leaves it out: %s.", p)
			d.unseen = true
			return
		}
		d.content = content(d.Text)
		d.start = true
	}
}

// rules adds the rules in a folder, in the order in which the operating system lists them. Rules
// with globs are injected with the files that match; globs are relative to base.
func (c *chain) rules(dir, base, layer, label string) {
	allowed := func(path string) bool {
		return layer == layerUser || filestore.Within(filestore.Real(c.cwd), filestore.Real(path)) ||
			c.root != "" && c.consent().External
	}
	refused := func(path string) { c.refuseRules(path, layer, label) }
	if filestore.Real(dir) != filepath.Join(filestore.Real(base), ".claude", "rules") && !allowed(dir) {
		refused(dir)
		return
	}
	whole := c.m.eachRule(dir, allowed, func(path string) {
		d := c.add(path, layer, kindRule, label)
		if d == nil {
			return
		}
		d.base = base
		if d.start {
			c.conditional(d)
			c.imports(d, 1)
		}
	}, refused)
	c.left = c.left || !whole
}

// mostRefused is how many files are listed of a folder of rules that is not read.
const mostRefused = 100

// refuseRules adds the rules behind a link that Claude Code does not follow: a file, or the files of a
// folder.
func (c *chain) refuseRules(link, layer, label string) {
	paths := []string{link}
	if filestore.IsFolder(link) {
		paths = nil
		for _, e := range names(link, mostRefused) {
			paths = append(paths, filepath.Join(link, e.Name()))
		}
	}
	for _, path := range paths {
		if !strings.HasSuffix(path, ".md") || filestore.IsFolder(path) || c.byPath[path] != nil {
			continue
		}
		d := &doc{
			File:   filestore.Read(path, maxLoaded),
			layer:  layer,
			kind:   kindRule,
			label:  label,
			unseen: true,
			loss:   memory.LossLink,
		}
		d.why = "It is a link that leads out of the working folder: it is read once a person approved that, and no approval is on record."
		if d.Missing() {
			d.Problem = &memory.Problem{
				Code: "dead-link",
				What: "It is a link that leads nowhere.",
				Hint: "replace the link with the file that it should point to",
			}
			d.why = d.Problem.What
		}
		c.gaps = append(c.gaps, notFollowed{why: ruleExternal, from: d, to: path})
		c.byPath[path] = d
		c.docs = append(c.docs, d)
	}
}

// conditional marks a rule that is injected only with files that match its globs.
func (c *chain) conditional(d *doc) {
	written, waits := pathsOf(d.Text)
	if !waits {
		return
	}
	g := globsOf(written)
	d.globs, d.start = &g, false
	d.why = "It comes with a file that its globs match."
	if g.cut {
		d.notes = append(d.notes, "Its braces stand for more than 1,000 patterns: the others match nothing.")
	}
}

// imports adds what a file imports, recursively. Each file is added once, where it is named first.
func (c *chain) imports(d *doc, hops int) {
	text, _ := withoutHeader(d.Text) // comments stay in: the lexer skips them
	for _, written := range imported(text) {
		path := c.resolve(written, filepath.Dir(filestore.Real(d.Path)))
		if path == "" || !canImport(path) {
			continue
		}
		old := c.byPath[path]
		if old == nil {
			old = c.twin(path, true)
		}
		if old != nil {
			if old == d || slices.Contains(d.importers(), old) {
				c.gaps = append(c.gaps, notFollowed{importCycle, d, path, written})
				d.notes = append(
					d.notes,
					fmt.Sprintf(
						"Its import of %s leads back to a file that is being read: it is not read again.",
						written,
					),
				)
				continue
			}
			old.by = append(old.by, d)
			continue
		}
		in := &doc{
			File:  filestore.Read(path, maxLoaded),
			layer: d.layer,
			kind:  kindImport,
			label: d.label,
			base:  d.base,
			by:    []*doc{d},
		}
		if in.Problem != nil {
			if looksLikePath(written) {
				c.gaps = append(c.gaps, notFollowed{importMissing, d, path, written})
				d.notes = append(d.notes, fmt.Sprintf("It imports %s. %s", written, in.Problem.What))
			}
			continue
		}
		c.follow(in, d, hops)
	}
}

// importers returns the file that first imports a file, that file's own importer, and so on.
func (d *doc) importers() (out []*doc) {
	for len(d.by) > 0 && len(out) <= maxHops {
		d = d.by[0]
		out = append(out, d)
	}
	return out
}

// follow decides whether an imported file is read, and follows its own imports.
func (c *chain) follow(in, d *doc, hops int) {
	if in.decideStart(c); in.start && hops > maxHops {
		c.gaps = append(c.gaps, notFollowed{why: importDeep, from: d, to: in.Path})
		in.start, in.unseen, in.loss = false, true, memory.LossImport
		in.why = fmt.Sprintf("It is %d imports away from the file that begins: only %d are followed.", hops, maxHops)
		c.later = append(c.later, in)
		return
	}
	if in.start && in.layer != layerUser && in.layer != layerManaged && !c.inWorkingFolder(in.Path) {
		in.facts = append(in.facts, memory.Fact{Name: "import", Text: "from outside of the working folder"})
		if !c.consent().External {
			c.gaps = append(c.gaps, notFollowed{why: importExternal, from: d, to: in.Path})
			in.start, in.unseen, in.loss = false, true, memory.LossImport
			in.why = "It lies outside of the working folder: it is read once a person approved that, and no approval is on record."
			c.later = append(c.later, in)
			return
		}
	}
	c.byPath[in.Path] = in
	c.docs = append(c.docs, in)
	if !in.start {
		return
	}
	c.sends(in)
	if d.base != "" {
		c.conditional(in)
	}
	c.imports(in, hops+1)
}

// inWorkingFolder reports whether a path is in the working folder, both as written and with links resolved.
func (c *chain) inWorkingFolder(path string) bool {
	return filestore.Within(c.cwd, path) && filestore.Within(filestore.Real(c.cwd), filestore.Real(path))
}

func (c *chain) consent() consent {
	if c.agreed == nil {
		a := c.m.consent(c.root)
		c.agreed = &a
	}
	return *c.agreed
}

// resolve returns the absolute path of an import in a file of dir, or "".
func (c *chain) resolve(written, dir string) string {
	if rest, ok := strings.CutPrefix(written, "~/"); ok {
		if c.m.home == "" {
			return ""
		}
		return filepath.Join(c.m.home, rest)
	}
	if strings.HasPrefix(written, "~") {
		return ""
	}
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(dir, written)
}

// noAgents returns a sentence that says why AGENTS.md is not read here instead of CLAUDE.md, or "".
func (c *chain) noAgents() string {
	switch {
	case c.version != "" && isOlder(c.version, agentsSince):
		return fmt.Sprintf(
			"Claude Code %s, which worked here last, does not read it: that came with %s.",
			c.version,
			agentsSince,
		)
	case c.m.otherService() != "":
		return "It is not read where " + c.m.otherService() + " is set."
	}
	return c.set.agentsMD.noAgents()
}

// addSkippedImports adds the refused imports that no other file brought in.
func (c *chain) addSkippedImports() {
	for _, in := range c.later {
		if c.byPath[in.Path] == nil {
			c.byPath[in.Path] = in
			c.docs = append(c.docs, in)
		}
	}
	c.later = nil
}

// unreadAgents adds the project's AGENTS.md files that are not read, and records which AGENTS.md
// files are read instead of CLAUDE.md. It also adds the refused imports.
func (c *chain) unreadAgents(n int) {
	c.addSkippedImports()
	why := cmp.Or(
		c.noAgents(),
		"It is read only where no CLAUDE.md, .claude/CLAUDE.md or CLAUDE.local.md with any text is in the working folder or above.",
	)
	for _, d := range c.docs[n:] {
		if d.start && filepath.Base(d.Path) == "AGENTS.md" && d.kind == kindInstructions {
			read := "in place of CLAUDE.md, since Claude Code " + agentsSince
			if c.both {
				read = "beside CLAUDE.md, as the settings of the plugin agents-md say"
			}
			d.facts = append(d.facts, memory.Fact{Name: "read", Text: read})
		}
	}
	for _, dir := range foldersUp(c.cwd) {
		path := filepath.Join(dir, "AGENTS.md")
		if !filestore.Within(c.root, dir) || filestore.Same(path, filepath.Join(dir, "CLAUDE.md")) {
			continue
		}
		if d := c.add(path, layerProject, kindInstructions, labelProject); d != nil && d.start {
			d.start, d.unseen, d.why = false, true, why
			if c.noAgents() == "" {
				d.loss = memory.LossBeside
			}
		}
	}
}
