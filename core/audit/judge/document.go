package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/memory"
)

// lowerSeverity lowers the severity of matches that are common in documents but have no place in a memory:
// how to start an agent without its questions, which commands a hook refuses, what to show to a
// user, who may become root in a container. They stay worth a look.
func (r *Reading) lowerSeverity(f *match) {
	if f.Severity == memory.Low || !r.isDocument() {
		return
	}
	asked := f.Rule == detect.RuleHide && anyOf(f.lowerText(), " ask", "show ", "display ", "expose ", "include ") // how often a person is asked, and what an answer contains
	vague := f.Rule == detect.RuleSend && !anyOf(f.lowerText(), "http", "@", "curl", "wget", "scp", "$", "|")      // sends to no address and by no command
	if f.Rule == detect.RuleHidden && f.splitsNothing() || addressed[f.Rule] && !anyOf(f.lowerText(), "system", "developer") || (asked || vague || explained[f.Rule]) && manuals().MatchString("/"+r.doc.Path) {
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

// manuals matches documents that explain how things are done and contain examples of what not to
// do.
var manuals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)/(skills|agents|commands|references?|docs|templates|prompts|plugins|examples|knowledge|research)/|/(skill|readme|contributing)[^/]*\.mdx?$`)
})

// addressed are rules for words addressed to agents, which every document for agents contains.
var addressed = map[string]bool{detect.RuleOrder: true, detect.RuleDelayed: true, detect.RuleRoleLine: true, detect.RuleBreakoutTag: true}

// explained are rules that such documents often match: installers, images with placeholders, flags
// that turn questions off, comments for authors. Commands that send secrets away are not included.
var explained = map[string]bool{
	detect.RulePermissions: true, detect.RuleDestroy: true, detect.RuleConcealed: true, detect.RuleDelayed: true, detect.RulePersona: true, detect.RuleUnasked: true,
	detect.RuleWeakened: true, detect.RuleSource: true, detect.RuleSpread: true, detect.RuleURLData: true, detect.RuleExposed: true,
	detect.RuleAuthority: true, detect.RuleComment: true, detect.RuleRoleLine: true, detect.RuleBreakoutEnd: true, detect.RuleDisguised: true, detect.RuleChecks: true, detect.RulePipe: true, detect.RuleImage: true,
}

// isDocument reports whether the text is a project document, and not a store of memories or an
// agent's settings.
func (r *Reading) isDocument() bool {
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

// splitsNothing reports whether a match is a single character without width that touches no word.
// People put one before a fence that they want to show, and it says nothing.
func (f *match) splitsNothing() bool {
	before, _ := utf8.DecodeLastRuneInString(f.Text[:f.Start])
	after, _ := utf8.DecodeRuneInString(f.Text[f.End:])
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return utf8.RuneCountInString(f.Text[f.Start:f.End]) == 1 && !inWord(before) && !inWord(after)
}

// lowerText returns the text of the find in lower case.
func (f *match) lowerText() string { return strings.ToLower(f.Text[f.Start:f.End]) }

func anyOf(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
