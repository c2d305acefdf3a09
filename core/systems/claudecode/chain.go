package claudecode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// The kinds of records that are no topics.
const (
	kindInstructions = "instructions"
	kindRule         = "rule"
	kindImport       = "import"
	kindIndex        = "index"
	kindAgent        = "agent memory"
	kindTopic        = "topic" // of no type that is known
)

// What stands behind the path of a file where it is injected.
const (
	labelProject = " (project instructions, checked into the codebase)"
	labelLocal   = " (user's private project instructions, not checked in)"
	labelUser    = " (user's private global instructions for all projects)"
	labelMemory  = " (user's auto-memory, persists across conversations)"
)

// maxHops is how many imports lead from a file to the last one that is read.
const maxHops = 4

// agentsSince is the version that began to read AGENTS.md.
const agentsSince = "2.1.277"

// doc is one file of instructions, and what Claude Code makes of it.
type doc struct {
	stored
	layer, kind, label string
	// content is what is injected of it.
	content string
	globs   *globs // of a rule that has any
	by      []*doc // that import it
	hops    int
	// start is set when it is injected at the start of a session. Else why says in a
	// sentence what keeps it out, and unseen that nothing ever brings it in.
	start  bool
	why    string
	unseen bool
	notes  []string
	facts  []memory.Fact
}

// chain is all that a session gets of instructions, in its order, and what it would get
// if something were otherwise.
type chain struct {
	m       *machine
	root    string // of the project; empty for the user's own files alone
	cwd     string
	version string // of Claude Code, as far as it is known
	set     settings
	off     string

	docs    []*doc
	byPath  map[string]*doc
	agreed  *consent
	missing []gap
	cycles  []gap
	deep    []gap
	outside []gap
	left    bool // files were left out, since there are too many
}

// gap is an import that leads nowhere.
type gap struct {
	from *doc
	to   string
}

// chainOf reads the instructions for a session that starts in cwd, a folder of the
// project at root. With an empty root it is what holds for all projects.
func chainOf(ctx context.Context, m *machine, root, cwd, version string) (*chain, error) {
	c := &chain{m: m, root: root, cwd: cwd, version: version, byPath: map[string]*doc{}}
	c.set = m.settings(root)
	c.off = m.instructionsOff()
	c.instruction(filepath.Join(m.managed, "CLAUDE.md"), layerManaged, labelUser)
	c.instruction(filepath.Join(m.config, "CLAUDE.md"), layerUser, labelUser)
	c.rules(filepath.Join(m.config, "rules"), layerUser, labelUser)
	if root == "" {
		return c, ctx.Err()
	}
	found := false
	for _, dir := range above(cwd) {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		layer := layerProject
		if !within(dir, root) {
			layer = layerAbove
		}
		n := len(c.docs)
		c.instruction(filepath.Join(dir, "CLAUDE.md"), layer, labelProject)
		c.instruction(filepath.Join(dir, ".claude", "CLAUDE.md"), layer, labelProject)
		found = found || len(c.docs) > n
		c.rules(filepath.Join(dir, ".claude", "rules"), layer, labelProject)
		local := layerLocal
		if layer == layerAbove {
			local = layer
		}
		n = len(c.docs)
		c.instruction(filepath.Join(dir, "CLAUDE.local.md"), local, labelLocal)
		found = found || len(c.docs) > n
	}
	c.agents(found)
	return c, ctx.Err()
}

// above returns a folder and those above it, the highest first.
func above(dir string) []string {
	var out []string
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		out = append(out, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// instruction takes the file at a path, if there is one, with what it imports.
func (c *chain) instruction(path, layer, label string) {
	if d := c.add(path, layer, kindInstructions, label); d != nil && d.start {
		c.imports(d, []*doc{d})
	}
}

// add reads a file of instructions, unless it is there already or does not exist.
func (c *chain) add(path, layer, kind, label string) *doc {
	path = filepath.Clean(path)
	if c.byPath[path] != nil {
		return nil
	}
	d := &doc{stored: read(path, maxLoaded), layer: layer, kind: kind, label: label}
	if d.missing() {
		return nil
	}
	c.byPath[path] = d
	c.docs = append(c.docs, d)
	d.judge(c)
	return d
}

// judge decides whether a file is read at the start of a session.
func (d *doc) judge(c *chain) {
	switch {
	case d.problem != nil:
		d.why = "It cannot be read."
	case d.cut:
		d.why = "It is larger than 4 MiB: Claude Code skips it."
		d.unseen = true
	case c.off != "":
		d.why = c.off
		d.unseen = true
	default:
		if p := c.set.excluded(d.path); p != "" && d.layer != layerManaged {
			d.why = fmt.Sprintf("claudeMdExcludes leaves it out: %s.", p)
			d.unseen = true
			return
		}
		d.content = content(jstext.WellFormed(d.text))
		d.start = true
	}
}

// rules takes the rules in a folder, in the order of their names. Those with globs come
// with the files that they match.
func (c *chain) rules(dir, layer, label string) {
	_, whole := eachMarkdown(dir, true, func(path string) {
		d := c.add(path, layer, kindRule, label)
		if d == nil || !d.start {
			return
		}
		h := headerOf(d.text)
		written := h.list("paths")
		if len(written) == 0 {
			c.imports(d, []*doc{d})
			return
		}
		g := globsOf(written)
		d.globs, d.start = &g, false
		d.why = "It comes with a file that its globs match."
		for _, bad := range g.bad {
			d.notes = append(d.notes, fmt.Sprintf("The pattern %s matches nothing: a bracket is not closed.", bad))
		}
		if g.cut {
			d.notes = append(d.notes, "Its braces stand for more than 1,000 patterns: the others match nothing.")
		}
		if len(g.plain) == 0 {
			d.unseen = true
			d.why = "None of its globs can match a file."
		}
	})
	c.left = c.left || !whole
}

// imports takes what a file imports, and what that imports. Stack is the file and those
// that led to it.
func (c *chain) imports(d *doc, stack []*doc) {
	for _, written := range imported(d.content) {
		path := c.resolve(written, filepath.Dir(d.path))
		if path == "" {
			continue
		}
		if slices.ContainsFunc(stack, func(s *doc) bool { return s.path == path }) {
			c.cycles = append(c.cycles, gap{d, path})
			d.notes = append(d.notes, fmt.Sprintf("Its import of %s leads back to a file that is being read: it is not read again.", written))
			continue
		}
		old := c.byPath[path]
		if old != nil && (old.start || old.hops <= len(stack)) {
			old.by = append(old.by, d)
			continue
		}
		if old == nil {
			if old = c.importOf(d, path, written); old == nil {
				continue
			}
		}
		old.by = append(old.by, d)
		c.follow(old, d, stack)
	}
}

// importOf reads an imported file. It is nil for one that is not there.
func (c *chain) importOf(d *doc, path, written string) *doc {
	in := &doc{stored: read(path, maxLoaded), layer: d.layer, kind: kindImport, label: d.label}
	if in.problem != nil {
		if looksLikePath(written) {
			c.missing = append(c.missing, gap{d, path})
			d.notes = append(d.notes, fmt.Sprintf("It imports %s. %s", written, in.problem.What))
		}
		return nil
	}
	if strings.Contains(in.text, "\x00") {
		return nil // not text
	}
	c.byPath[path] = in
	c.docs = append(c.docs, in)
	return in
}

// follow decides whether an imported file is read, and goes on with what it imports.
func (c *chain) follow(in, d *doc, stack []*doc) {
	in.hops = len(stack)
	in.start, in.unseen, in.why = false, false, ""
	in.judge(c)
	switch {
	case !in.start:
		return
	case in.hops > maxHops:
		in.start, in.unseen = false, true
		in.why = fmt.Sprintf("It is %d imports away from the file that begins: only %d are followed.", in.hops, maxHops)
		c.deep = append(c.deep, gap{d, in.path})
		return
	case in.layer != layerUser && in.layer != layerManaged && !within(in.path, c.cwd):
		in.facts = append(in.facts, memory.Fact{Name: "import", Text: "from outside of the working folder"})
		c.outside = append(c.outside, gap{d, in.path})
		if !c.consent().External {
			in.start, in.unseen = false, true
			in.why = "It lies outside of the working folder: it is read once a person approved that, and no approval is on record."
			return
		}
	}
	c.imports(in, append(slices.Clone(stack), in))
}

func (c *chain) consent() consent {
	if c.agreed == nil {
		a := c.m.consent(c.root)
		c.agreed = &a
	}
	return *c.agreed
}

// resolve returns the absolute path of an import in a file of a folder, or nothing.
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

// agents takes the files AGENTS.md from the working folder up, which are read where no
// instruction file of Claude Code's own is.
func (c *chain) agents(found bool) {
	why := ""
	switch {
	case found:
		why = "It is read only where no CLAUDE.md, .claude/CLAUDE.md or CLAUDE.local.md is in the working folder or above."
	case c.version != "" && before(c.version, agentsSince):
		why = fmt.Sprintf("Claude Code %s, which worked here last, does not read it: that came with %s.", c.version, agentsSince)
	case c.m.elsewhere() != "":
		why = "It is not read where " + c.m.elsewhere() + " is set."
	case c.set.noAgents != "":
		why = "The setting for project instructions is " + c.set.noAgents + "."
	}
	for _, dir := range above(c.cwd) {
		if c.sameAsOwn(dir) {
			continue
		}
		layer := layerProject
		if !within(dir, c.root) {
			if why != "" {
				continue
			}
			layer = layerAbove
		}
		d := c.add(filepath.Join(dir, "AGENTS.md"), layer, kindInstructions, labelProject)
		if d == nil || !d.start {
			continue
		}
		if why != "" {
			d.start, d.unseen, d.why = false, true, why
			continue
		}
		d.facts = append(d.facts, memory.Fact{Name: "read", Text: "in place of CLAUDE.md, since Claude Code " + agentsSince})
		c.imports(d, []*doc{d})
	}
}

// sameAsOwn reports whether the AGENTS.md of a folder is its CLAUDE.md by a link.
func (c *chain) sameAsOwn(dir string) bool {
	a, err := os.Stat(filepath.Join(dir, "AGENTS.md"))
	if err != nil {
		return false
	}
	b, err := os.Stat(filepath.Join(dir, "CLAUDE.md"))
	return err == nil && os.SameFile(a, b)
}
