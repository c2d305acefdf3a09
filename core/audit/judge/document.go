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

// lowerSeverity lowers the severity of wording that is common in documents but has no place in a memory: how
// to start an agent without its questions, which commands a hook refuses, what to show to a user. It stays
// worth a note. What is evidence is never lowered.
func (r *Reading) lowerSeverity(f *match) {
	isNote := r.isToldToNobody(f) || r.isDocument() && r.isUsualInDocument(f)
	if f.Severity == memory.Medium && isNote {
		f.Severity = memory.Low
	}
}

// isUsualInDocument reports whether wording is common in documents.
func (r *Reading) isUsualInDocument(f *match) bool {
	text := f.lowerText()
	// how often a person is asked, and what an answer contains
	asked := f.Rule == detect.RuleHide && anyOf(text, " ask", "show ", "display ", "expose ", "include ")
	// sends to no address and by no command
	vague := f.Rule == detect.RuleSend && !anyOf(text, "http", "@", "curl", "wget", "scp", "$", "|")
	// what stays off hides real problems
	lasting := f.Rule == detect.RuleChecks && anyOf(text, "ssl", "tls", "cert", "verify=false")
	inManual := (asked || vague || explained[f.Rule] && !lasting) && manuals().MatchString("/"+r.doc.Path)
	isKey := f.Rule == detect.RuleRoleLine && strings.TrimSpace(f.Text) == strings.TrimSpace(f.Text[f.Start:f.End])
	toAgents := addressed[f.Rule] && (isKey || !anyOf(text, "system", "developer"))
	return f.Rule == detect.RuleHidden && f.splitsNothing() || toAgents || inManual
}

// isToldToNobody reports whether wording stands where no model reads it and nothing runs it: in a file of variables of
// the environment, and in the comments and patterns of a program that an agent runs.
func (r *Reading) isToldToNobody(f *match) bool {
	form := r.doc.Form
	if form == nil || r.judge.rules[f.Rule].Family != memory.FamilyInjection {
		return false
	}
	before := f.Text[:f.Start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	isProgram := form.Started || form.Name == "program of an agent" && !strings.HasSuffix(r.doc.Path, ".md")
	isSaid := isComment(before) || inQuotes(before) && !passesToShell().MatchString(before)
	return form.Name == "environment file" || isProgram && isSaid
}

// manuals matches documents that explain how things are done and contain examples of what not to
// do.
var manuals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)/(skills|agents|commands|references?|docs|templates|prompts|plugins|examples|knowledge|research)/` +
			`|/(skill|readme)[^/]*\.mdx?$` +
			`|/([^/]*[-_. ])?(contributing|guide|tutorial|setup|install(ation|ing)?|quick-?start|getting-?started` +
			`|development|workflow)([-_. ][^/]*)?\.mdx?$`,
	)
})

// addressed are rules for words addressed to agents, which every document for agents contains.
var addressed = map[string]bool{detect.RuleOrder: true, detect.RuleRoleLine: true, detect.RuleBreakoutTag: true}

// explained are rules that such documents often match: installers, images with placeholders, flags
// that turn questions off, comments for authors. Commands that send secrets away are not included.
var explained = map[string]bool{
	detect.RulePermissions: true, detect.RuleDestroy: true, detect.RulePersona: true,
	detect.RuleWeakened:    true,
	detect.RuleSource:      true,
	detect.RuleSpread:      true,
	detect.RuleURLData:     true,
	detect.RuleExposed:     true,
	detect.RuleAuthority:   true,
	detect.RuleComment:     true,
	detect.RuleRoleLine:    true,
	detect.RuleBreakoutEnd: true,
	detect.RuleChecks:      true,
	detect.RulePipe:        true,
	detect.RuleImage:       true,
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
