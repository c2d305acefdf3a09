package judge

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
)

// ruleOutside is the rule on programs that an agent starts by itself and that change the machine.
const RuleOutside = "started-outside-project"

// startedRules are the rules on programs that an agent starts by itself.
func startedRules() []memory.AuditRule {
	return []memory.AuditRule{{
		ID:       RuleOutside,
		Family:   memory.FamilyInjection,
		Severity: memory.Medium,
		Name:     "program that changes the machine",
		Why:      "A setting of the project lets an agent start this program by itself, and it acts as root or writes outside of the project.",
		Next:     "read what it does, and let a person start what changes the machine",
		Source:   "https://code.claude.com/docs/en/hooks",
	}}
}

// The places outside of a project that a program writes to: of the system, and the settings of a
// person's shell and programs. Caches and temporary files are left out.
const outsideFolder = `(?:/(?:etc|usr|opt|root|boot|lib|bin|sbin|Library|System|var/spool)/|` +
	`(?:~|\$HOME|\$\{HOME\})/(?:\.(?:bash|zsh|z?profile|ssh|gitconfig|config/|local/bin|aws|npmrc|netrc)|Library/LaunchAgents))`

// startedPatterns match a command as root, at the place of a command, and a write outside of the
// project: in a shell, in Python and in JavaScript.
var startedPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:^|[|;&({!]|\b(?:then|do|else)\b)[ \t]*(sudo[ \t]+(?:-[A-Za-z]+[ \t]+)*[\w./~$"'-]+)`),
		regexp.MustCompile(`((?:>>?|\btee\b(?:[ \t]+-\w+)*)[ \t]*["']?` + outsideFolder + `)`),
		regexp.MustCompile(`((?:system|popen|exec\w*|spawn\w*|run|call|check_\w+)\(\s*\[?\s*["'` + "`" + `]` +
			`(?:[^"'` + "`" + `\n]*[|;&][ \t]*)?sudo\b)`),
		regexp.MustCompile(`(open\(\s*[rf]?["']` + outsideFolder + `[^"']*["']\s*,\s*["'][wax])`),
		regexp.MustCompile(`((?:writeFile|appendFile)(?:Sync)?\(\s*["'` + "`" + `]` + outsideFolder + `)`),
	}
})

// startedTraces returns where a program that an agent starts acts outside of the project, or harms. What it only
// says, searches for or refuses is none: comments, and the words of a message or a pattern.
func startedTraces(text string) (found []memory.Trace) {
	for start := 0; start < len(text); {
		line, _, _ := strings.Cut(text[start:], "\n")
		if !isComment(line) {
			found = append(found, startedInLine(line, start)...)
			found = append(found, harmfulInLine(line, start)...)
		}
		start += len(line) + 1
	}
	return found
}

// startedInLine returns the first place of each kind in a line that begins at byte start.
func startedInLine(line string, start int) (found []memory.Trace) {
	for _, pattern := range startedPatterns() {
		for _, at := range pattern.FindAllStringSubmatchIndex(line, -1) {
			if !inQuotes(line[:at[2]]) {
				return []memory.Trace{{Start: start + at[2], End: start + at[3], Rule: RuleOutside}}
			}
		}
	}
	return nil
}

// passesToShell matches the beginning of a string that a program has run as a command, in Python and in JavaScript.
var passesToShell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?:system|popen|exec\w*|spawn\w*|run|call|check_\w+)\(\s*\[?\s*[rf]?["'` + "`" + `][^"'` + "`" + `]*$`,
	)
})

// harmfulInLine returns what a line that begins at byte start runs, and should not: the same commands are evidence that
// are in the settings themselves. What it only says, searches for or refuses is none.
func harmfulInLine(line string, start int) (found []memory.Trace) {
	for _, t := range detect.HarmfulWhenRun(line) {
		if before := line[:t.Start]; !inQuotes(before) || passesToShell().MatchString(before) {
			t.Start, t.End = start+t.Start, start+t.End
			found = append(found, t)
		}
	}
	return found
}

// withEvidence adds traces to what was found: a place that was found by the same rule becomes as severe.
func withEvidence(found, added []memory.Trace) []memory.Trace {
	for _, t := range added {
		isSame := func(f memory.Trace) bool { return f.Rule == t.Rule && f.Start < t.End && t.Start < f.End }
		i := slices.IndexFunc(found, isSame)
		if i < 0 {
			found = append(found, t)
			continue
		}
		found[i].Severity = max(found[i].Severity, t.Severity)
	}
	return found
}

// isComment reports whether a line is a comment in one of the languages of such programs.
func isComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*")
}

// inQuotes reports whether a text ends within a quotation.
func inQuotes(before string) bool {
	var quote rune
	for _, c := range before {
		switch {
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote != 0
}
