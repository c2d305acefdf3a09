package judge

import (
	"path"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// soften lowers what documents say every day and a memory has no reason to say: how an agent is
// started without its questions, which commands a hook refuses, what is shown to a user, who may
// become root in a container. It stays worth a look.
func (r *Reading) soften(f *find) {
	if f.Severity != memory.High || !r.documents() {
		return
	}
	switch f.Rule {
	case detect.RulePermissions, detect.RuleDestroy:
		f.Severity = memory.Medium
	case detect.RuleHide:
		if anyOf(f.said(), " ask", "show ", "display ", "expose ", "include ") { // how much a person is asked, and what an answer holds
			f.Severity = memory.Medium
		}
	case detect.RuleAccess:
		if strings.Contains(path.Base(r.doc.Path), "Dockerfile") {
			f.Severity = memory.Medium
		}
	}
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
