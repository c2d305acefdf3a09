// Package rulefiles knows the instruction files of tools that keep no other memory on disk. Its
// rules are a table made from the tools' public documentation; docs/systems/rulefiles.md lists the
// pages. None of these tools was run to check them.
package rulefiles

import (
	"path"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// id is the name of the system.
const id memory.SystemID = "rulefiles"

// read is the date on which the pages in the table were read.
const read = "24 November 2026"

// The ways in which a file reaches a session. They are also the kinds of the records.
const (
	always    = "always"
	withFiles = "with files"
	chosen    = "model decides"
	byHand    = "by hand"
	never     = "never"
)

// tool is a product and its documentation page.
type tool struct{ name, page string }

var (
	cursor   = tool{"Cursor", "https://cursor.com/docs/rules"}
	copilot  = tool{"Copilot", "https://code.visualstudio.com/docs/copilot/customization/custom-instructions"}
	cline    = tool{"Cline", "https://docs.cline.bot/customization/cline-rules"}
	windsurf = tool{"Windsurf", "https://docs.windsurf.com/windsurf/cascade/memories"}
	openclaw = tool{"OpenClaw", "https://docs.openclaw.ai/concepts/agent-workspace"}
)

// rule is one line of the table: some files of one tool.
type rule struct {
	tool
	pattern string // relative to the folder of the store, with the wildcards of [system.Named]
	header  header
	how     string // the way to use when the file's header does not decide it
	limit   int    // characters of a file before the tool cuts it; 0 if no limit is documented
	but     string // an exception to how, in a few words
	// others is set for a file that agents with stores of their own also read. By itself it does not
	// show that the tool is used.
	others bool
}

// header names the keys by which a file's header says when the file is given. A key that the tool
// lacks is empty.
type header struct {
	always, trigger, about, globs string
	// all is set if a pattern that matches all files means always.
	all bool
}

// ruleFolder is a folder that holds rule files.
type ruleFolder struct {
	name  string // of the store
	home  string // the folder, below the user's home; empty for the folder of a project
	names []string
	rules []rule
}

// Names of the stores.
const projectName, workspaceName, userName = "rules", "workspace of OpenClaw", "user rules"

const agentsFile = "AGENTS.md"

// places returns the table. The first place is the one for projects.
var places = sync.OnceValue(table)

func table() []ruleFolder {
	mdc := header{always: "alwaysApply", globs: "globs", about: "description"}
	instructions := header{globs: "applyTo", about: "description", all: true}
	paths := header{globs: "paths"}
	trigger := header{trigger: "trigger", globs: "globs", about: "description"}
	clineFiles := func(dir string) []rule {
		return []rule{
			{tool: cline, pattern: dir + "**/*.md", header: paths, how: always},
			{tool: cline, pattern: dir + "**/*.txt", header: paths, how: always},
		}
	}
	const bootstrap = 12_000 // agents.defaults.bootstrapMaxChars
	var workspace []rule
	for _, name := range []string{
		agentsFile, "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md",
		"MEMORY.md",
	} {
		workspace = append(workspace, rule{tool: openclaw, pattern: name, how: always, limit: bootstrap})
	}
	workspace[len(workspace)-1].but = "only in the main, private session"
	return []ruleFolder{
		{name: projectName, rules: slices.Concat([]rule{
			{tool: cursor, pattern: ".cursor/rules/**/*.mdc", header: mdc, how: byHand},
			{tool: cursor, pattern: ".cursorrules", how: always},
			{tool: copilot, pattern: ".github/copilot-instructions.md", how: always},
			{tool: copilot, pattern: ".github/instructions/**/*.instructions.md", header: instructions, how: byHand},
			{tool: cline, pattern: ".clinerules", how: always},
		}, clineFiles(".clinerules/"), clineFiles(".cline/rules/"), []rule{
			{tool: windsurf, pattern: ".windsurf/rules/**/*.md", header: trigger, how: byHand},
			{tool: windsurf, pattern: ".windsurfrules", how: always},
			{tool: cursor, pattern: agentsFile, how: always, others: true},
			{tool: copilot, pattern: agentsFile, how: always, others: true},
			{tool: cline, pattern: agentsFile, how: always, others: true},
			{tool: windsurf, pattern: agentsFile, how: always, others: true},
		})},
		{name: userName, home: ".copilot", names: []string{"copilot-instructions.md"}, rules: []rule{
			{tool: copilot, pattern: "copilot-instructions.md", how: always},
			{tool: copilot, pattern: "instructions/**/*.instructions.md", header: instructions, how: byHand},
		}},
		{name: userName, home: "Documents/Cline/Rules", rules: clineFiles("")},
		{name: userName, home: "Cline/Rules", rules: clineFiles("")},
		{
			name: userName, home: ".codeium/windsurf/memories", names: []string{"global_rules.md"},
			rules: []rule{{tool: windsurf, pattern: "global_rules.md", how: always}},
		},
		{name: workspaceName, home: ".openclaw/workspace", names: []string{"MEMORY.md"},
			rules: append(workspace, rule{
				tool: openclaw, pattern: "memory/**/*.md", how: chosen,
				but: "its model is told to read those of today and yesterday",
			})},
	}
}

// base returns the folder that holds the files of a rule, and whether the rule can match more than
// the one file that its pattern names.
func (r *rule) base() (dir string, many bool) {
	before, _, many := strings.Cut(r.pattern, "*")
	return path.Dir(before + "x"), many
}

// named returns a function that reports whether a path with slashes, relative to the folder of the
// store, matches the rule.
func (r *rule) named() func(name string) bool { return matching([]string{r.pattern}) }

// howGiven returns the way in which a file with this text reaches a session and, for withFiles, the
// patterns of the files it is for.
func (r *rule) howGiven(text string) (how string, globs []string) {
	front, h := filestore.ParseFrontMatter(text), &r.header
	value := func(key string) string { return system.Say(key != "", front.Value(key)) }
	globs = front.List(h.globs)
	triggered := triggeredHow(value(h.trigger), globs)
	everywhere := func(glob string) bool { return glob == "**" || glob == "*" || glob == "**/*" }
	switch {
	case triggered != "":
		return triggered, globs
	case value(h.always) == "true", h.all && slices.ContainsFunc(globs, everywhere):
		return always, nil
	case len(globs) > 0:
		return withFiles, globs
	case r.tool == cline && value(h.globs) == "[]":
		return never, nil
	case value(h.about) != "":
		return chosen, nil
	}
	return r.how, nil
}

// triggeredHow returns the way that a trigger in a header means, or "" for none.
func triggeredHow(trigger string, globs []string) string {
	if trigger == "glob" && len(globs) == 0 {
		return never // it waits for files, and names none
	}
	return map[string]string{
		"always_on":      always,
		"glob":           withFiles,
		"model_decision": chosen,
		"manual":         byHand,
	}[trigger]
}

// matching returns a function that reports whether one of the patterns matches a whole path. Braces
// hold alternatives.
func matching(patterns []string) func(name string) bool {
	const root = "\x00/" // no name contains it: it anchors a pattern at the start of the path
	var all []string
	for _, p := range patterns {
		p = strings.TrimPrefix(strings.TrimPrefix(p, "./"), "/") + system.Say(strings.HasSuffix(p, "/"), "**")
		for _, pattern := range alternatives(p) {
			all = append(all, root+pattern)
		}
	}
	matches := system.Named(all...)
	return func(name string) bool { return matches(root + name) }
}

// alternatives expands the braces of a pattern.
func alternatives(pattern string) (all []string) {
	const most = 200
	before, rest, opened := strings.Cut(pattern, "{")
	in, after, closed := strings.Cut(rest, "}")
	if !opened || !closed {
		return []string{pattern}
	}
	ends := alternatives(after)
	for part := range strings.SplitSeq(in, ",") {
		for _, end := range ends[:min(len(ends), most-len(all))] {
			all = append(all, before+strings.TrimSpace(part)+end)
		}
	}
	return all
}

// Forms returns the forms of the files that no other product reads. In the folders of Cline that is every file,
// whatever it ends in, but for those of its hooks.
func Forms() []system.Form {
	patterns := []string{".clinerules/*", ".clinerules/workflows/**/*", ".cline/rules/**/*"}
	for _, p := range places() {
		for _, r := range p.rules {
			if p.home == "" && !r.others {
				patterns = append(patterns, r.pattern)
			}
		}
	}
	return []system.Form{{
		System: id, Name: "instruction file", Named: system.Named(patterns...),
		Land: system.Framed("instructions", "", "", "</system-reminder>", "</instructions>"),
	}}
}
