package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
)

// soften lowers what documents say every day and a memory has no reason to say: how an agent is
// started without its questions, which commands a hook refuses, what is shown to a user, who may
// become root in a container. It stays worth a look.
func (r *Reading) soften(f *find) {
	if f.Severity == memory.Low || !r.documents() {
		return
	}
	asked := f.Rule == detect.RuleHide && anyOf(f.said(), " ask", "show ", "display ", "expose ", "include ") // how much a person is asked, and what an answer holds
	if addressed[f.Rule] && !anyOf(f.said(), "system", "developer") || (asked || explained[f.Rule]) && manuals().MatchString("/"+r.doc.Path) {
		f.Severity = memory.Low
		return
	}
	if f.Severity != memory.High {
		return
	}
	if asked || f.Rule == detect.RulePermissions || f.Rule == detect.RuleDestroy ||
		f.Rule == detect.RuleAccess && strings.Contains(path.Base(r.doc.Path), "Dockerfile") {
		f.Severity = memory.Medium
	}
}

// manuals are the documents that explain how things are done, and hold examples of what not to do.
var manuals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)/(skills|agents|commands|references?|docs|templates|prompts|plugins|examples)/|/(skill|readme|contributing)[^/]*\.mdx?$`)
})

// addressed are the rules of words that are for agents: every document for them has such.
var addressed = map[string]bool{detect.RuleOrder: true, detect.RuleRoleLine: true, detect.RuleBreakoutTag: true}

// explained are the rules whose words such documents are full of: installers, images with
// placeholders, flags that turn questions off. Commands that send secrets away are not among them.
var explained = map[string]bool{
	detect.RulePermissions: true, detect.RuleDestroy: true, detect.RuleConcealed: true, detect.RuleDelayed: true, detect.RuleUnasked: true,
	detect.RuleWeakened: true, detect.RuleSource: true, detect.RuleSpread: true, detect.RuleURLData: true, detect.RuleExposed: true,
	detect.RuleAuthority: true, detect.RuleRoleLine: true, detect.RuleBreakoutEnd: true, detect.RuleDisguised: true, detect.RuleChecks: true, detect.RulePipe: true, detect.RuleImage: true,
}

// documents reports whether what is judged is a document of a project, and not a store of
// memories or the settings of an agent.
func (r *Reading) documents() bool {
	switch path.Ext(r.doc.Path) {
	case ".json", ".jsonl", ".ndjson":
		return false
	}
	if r.doc.InDatabase || r.doc.Path == "-" {
		return false
	}
	form := r.doc.Form
	return form == nil || form.Name == "instruction file" || form.Name == "agent file" ||
		form.Name == "agent memory" && strings.Contains("/"+r.doc.Path, "/.agents/")
}

// said returns the words that were found, in small letters.
func (f *find) said() string { return strings.ToLower(f.Text[f.Start:f.End]) }

func anyOf(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
