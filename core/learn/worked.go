package learn

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/core/session"
)

// What errors say if the call itself was wrong, rather than what it looked at.
var (
	// rejects matches a line that refuses a word of the call.
	rejects = expression(`(?i)no such|not found|not exist|doesn't exist|unknown|unrecogni[sz]ed|not recogni[sz]ed|invalid|illegal|` +
		`missing|required|cannot find|can't find|could not find|couldn't find|can't open|cannot open|did you mean|did not match|does not match|` +
		`unsupported|not supported|no longer|deprecated|ambiguous|unexpected argument|bad option|no module named|not defined|enoent|to push the current branch`)
	absent = expression(`(?i)no such file|not found|not exist|enoent|cannot find|could not find`)
	// elsewhere matches what programs say when they look for their project in the wrong folder.
	elsewhere = expression("(?i)go\\.mod file not found|does not contain main module|not a git repository|could not read package\\.json|enoent[^\\n]*package\\.json|" +
		"couldn't find a package\\.json|no makefile found|no targets specified|could not find `?cargo\\.toml|can't open file|no such file or directory|no configuration file provided")
	denied = expression(`(?i)permission denied|operation not permitted|eacces|must be run as root|are you root`)
	noName = expression(`(?i)command not found|: not found|not recognized as|executable file not found|no such file or directory`)
	// tested matches the output of failing tests, which fail because of what they test.
	tested  = expression(`(?m)^\s*--- FAIL|^FAIL\b|AssertionError|^E\s{2,}|\b[1-9]\d* (?:failed|failing|failures?)\b|^panic:|^not ok\b`)
	patched = expression(`\*\*\* (?:Update|Add|Delete) File: ([^\n"\\]+)`)
)

// reach is how many steps later another step may still be the answer to one that failed.
const reach = 30

// corrections returns a proposal for each step that failed and was followed by a successful variant, if
// the error says what was wrong with the first and nothing was changed in between.
func corrections(s *session.Session, calls []call) (out []Proposal) {
	for i := range calls {
		a := &calls[i]
		if s.Steps[i].Status != session.Error || s.Steps[i].Error == "" || a.line == "" || len(out) > mostASession {
			continue
		}
		for j := i + 1; j < min(len(calls), i+reach); j++ {
			b, status := &calls[j], s.Steps[j].Status
			if status == session.OK && b.line != a.line && a.tool == b.tool && a.correctedBy(b, headAndTail(s.Steps[i].Error)) {
				if was, now := a.quote(s), b.quote(s); was != "" && now != "" && was != now && !tested().MatchString(headAndTail(s.Steps[i].Error)) {
					out = append(out, Proposal{
						Body:  fmt.Sprintf("%s with `%s`; `%s` worked.", reason(s, &s.Steps[i]), was, now),
						Tools: []string{a.tool}, Origin: memory.Origin{Rule: RuleWorked, Steps: []int{i + 1, j + 1}},
					})
				}
				break
			}
			if !b.changesNothing(status) {
				break
			}
		}
	}
	return out
}

// headAndTail returns the beginning and the end of an error, to limit the cost of searching it.
func headAndTail(text string) string {
	const most = 2000
	if len(text) <= 2*most {
		return text
	}
	return text[:most] + "\n" + text[len(text)-most:]
}

// changesNothing reports whether the step left everything unchanged, as far as that can be
// determined.
func (c *call) changesNothing(status session.Status) bool {
	switch status {
	case session.OK:
		return c.effect == reading
	case session.Error: // but a failed chain may have begun with a command that worked
		return c.effect == reading || c.words != nil || len(c.members) > 0
	}
	return status == session.Declined
}

// correctedBy reports whether b, which worked, is the corrected form of c, according to the error.
func (c *call) correctedBy(b *call, errText string) bool {
	if c.words == nil || b.words == nil {
		return c.words == nil && b.words == nil && c.argumentCorrected(b, errText)
	}
	if !slices.Equal(c.setup, b.setup) {
		return slices.Equal(c.words, b.words) && c.setupCorrected(b, errText)
	}
	if c.words[0] != b.words[0] || len(c.words) < len(b.words) && slices.Equal(b.words[len(b.words)-len(c.words):], c.words) {
		return c.programCorrected(b, errText)
	}
	onlyC, onlyB := difference(c.words, b.words)
	refused := slices.ContainsFunc(onlyC, func(w string) bool { return refuses(errText, w) })
	wanted := slices.ContainsFunc(onlyB, func(w string) bool { return len(w) > 3 && strings.HasPrefix(w, "--") && mentions(errText, w) })
	return (refused || wanted) && operandsMatch(onlyC, onlyB, errText)
}

// setupCorrected handles the same command in another folder, as another user, or with a variable.
func (c *call) setupCorrected(b *call, errText string) bool {
	first, second := difference(c.setup, b.setup)
	if len(first)+len(second) != 1 && (len(first) != 1 || len(second) != 1) {
		return false
	}
	was, now := strings.Join(first, ""), strings.Join(second, "")
	name, _, isVariable := strings.Cut(strings.TrimPrefix(now, "export "), "=")
	switch {
	case strings.HasPrefix(now, "cd ") && was == "":
		return elsewhere().MatchString(errText)
	case strings.HasPrefix(now, "cd ") && strings.HasPrefix(was, "cd "):
		return refuses(errText, strings.TrimPrefix(was, "cd ")) && nearlySame(strings.TrimPrefix(was, "cd "), strings.TrimPrefix(now, "cd "))
	case now == "sudo" && was == "":
		return denied().MatchString(errText)
	}
	return isVariable && was == "" && len(name) > 2 && mentions(errText, name)
}

// programCorrected handles a program that does not exist under that name.
func (c *call) programCorrected(b *call, errText string) bool {
	const longer = 3 // the words of python3 -m NAME
	missing := slices.ContainsFunc(strings.Split(errText, "\n"), func(line string) bool { return mentions(line, c.words[0]) && noName().MatchString(line) })
	if !missing || strings.Contains(c.words[0], "/") || len(b.words) > len(c.words)+longer {
		return false
	}
	if slices.Contains(onlyLook, b.words[0]) && !slices.Contains(onlyLook, c.words[0]) && c.words[0] != "fd" {
		return false
	}
	ends := func(tail []string) bool {
		return len(tail) > 0 && len(b.words) >= len(tail) && slices.Equal(b.words[len(b.words)-len(tail):], tail)
	}
	return ends(c.words) || ends(c.words[1:])
}

// argumentCorrected handles a tool other than a shell: one of its arguments differs.
func (c *call) argumentCorrected(b *call, errText string) bool {
	was, now := difference(c.arguments(), b.arguments())
	switch {
	case len(was)+len(now) == 1: // one argument was left out or added
		name := append(was, now...)[0].name
		return !slices.Contains(pathKeys, name) && refuses(errText, name)
	case len(was) != 1 || len(now) != 1 || was[0].name != now[0].name:
		return false
	case slices.Contains(pathKeys, was[0].name):
		return absent().MatchString(errText) && nearlySame(was[0].value, now[0].value)
	}
	return refuses(errText, was[0].value) && (nearlySame(was[0].value, now[0].value) || mentions(errText, now[0].value))
}

// argument is one argument of a tool, as text.
type argument struct{ name, value string }

func (c *call) arguments() []argument {
	all := make([]argument, len(c.members))
	for i, m := range c.members {
		all[i] = argument{m.Key, m.Value.ToString()}
	}
	return all
}

// operandsMatch reports whether the differing words of two commands are still about the same thing:
// each word that is not a flag has a counterpart, or the error mentions the new ones.
func operandsMatch(was, now []string, errText string) bool {
	isFlag := func(w string) bool { return strings.HasPrefix(w, "-") }
	was, now = slices.DeleteFunc(slices.Clone(was), isFlag), slices.DeleteFunc(slices.Clone(now), isFlag)
	if len(was) == 0 {
		return !slices.ContainsFunc(now, func(w string) bool { return !mentions(errText, w) })
	}
	return len(was) == 1 && len(now) == 1 && refuses(errText, was[0]) && nearlySame(was[0], now[0])
}

// difference returns the elements that only one of the two lists has. Repeated elements count
// separately.
func difference[T comparable](a, b []T) (onlyA, onlyB []T) {
	onlyB = slices.Clone(b)
	for _, w := range a {
		if i := slices.Index(onlyB, w); i >= 0 {
			onlyB = slices.Delete(onlyB, i, i+1)
		} else {
			onlyA = append(onlyA, w)
		}
	}
	return onlyA, onlyB
}

// refuses reports whether a line of an error refuses that word of the call.
func refuses(errText, word string) bool {
	return slices.ContainsFunc(strings.Split(errText, "\n"), func(line string) bool { return mentions(line, word) && rejects().MatchString(line) })
}

// mentions reports whether a text contains the word on its own. For a flag with a value, only the
// flag counts.
func mentions(text, word string) bool {
	if strings.HasPrefix(word, "-") {
		word, _, _ = strings.Cut(word, "=")
	}
	if len(word) < 2 || !utf8.ValidString(word) {
		return false
	}
	pattern := `(?:^|[^\w-])` + regexp.QuoteMeta(word) + `(?:$|[^\w-])`
	if len(word) == 2 && word[0] == '-' { // getopt leaves out the dash
		pattern += `|-- '?` + regexp.QuoteMeta(word[1:]) + `\b`
	}
	return regexp.MustCompile(pattern).MatchString(text)
}

// nearlySame reports whether two words differ only by a typo, or two paths seem to mean the same file:
// one has all parts of the other in order, or one part has a typo.
func nearlySame(a, b string) bool {
	a, b = path.Clean(a), path.Clean(b)
	partsA, partsB := strings.Split(a, "/"), strings.Split(b, "/")
	onlyA, onlyB := difference(partsA, partsB)
	switch {
	case path.Base(a) == path.Base(b) && (len(onlyA) == 0) != (len(onlyB) == 0):
		return true
	case len(partsA) == len(partsB) && len(onlyA) == 1 && len(onlyB) == 1:
		return typo(onlyA[0], onlyB[0])
	}
	return false
}

// typo reports whether two words differ by a letter or two. Words with digits always count as
// different.
func typo(a, b string) bool {
	const least, most = 4, 2
	if ext := path.Ext(a); ext == path.Ext(b) {
		a, b = strings.TrimSuffix(a, ext), strings.TrimSuffix(b, ext)
	}
	if a == b || min(len(a), len(b)) < least || max(len(a), len(b)) > callUnits || strings.ContainsAny(a+b, "0123456789") {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)] <= most
}

// edited returns a proposal for each command that failed and later worked unchanged, if the session
// edited files in between and did nothing else that could be the reason.
func edited(s *session.Session, calls []call) (out []Proposal) {
	for i := range calls {
		a := &calls[i]
		if s.Steps[i].Status != session.Error || a.words == nil || a.effect == reading || s.Steps[i].Error == "" || len(out) > mostASession {
			continue
		}
		var files []string
		for j := i + 1; j < len(calls); j++ {
			b, status := &calls[j], s.Steps[j].Status
			same := b.raw == a.raw && b.tool == a.tool
			if same && status == session.OK && len(files) > 0 && a.quote(s) != "" {
				out = append(out, Proposal{
					Body:  fmt.Sprintf("`%s` failed with %s; it passed after editing %s.", a.quote(s), reason(s, &s.Steps[i]), listed(s, files)),
					Tools: []string{a.tool}, Origin: memory.Origin{Rule: RuleWorked, Steps: []int{i + 1, j + 1}},
				})
			}
			if file := b.editedFile(); status == session.OK && b.effect == editing && file != "" {
				files = memory.AppendNew(files, file)
			} else if same || !b.changesNothing(status) {
				break
			}
		}
	}
	return out
}

// editedFile returns the file that a call edits, or "".
func (c *call) editedFile() string {
	if m := patched().FindStringSubmatch(c.raw); m != nil {
		return strings.TrimSpace(m[1])
	}
	return c.file()
}

// listed names a few of the files.
func listed(s *session.Session, files []string) string {
	const most = 3
	var names []string
	for _, f := range files[:min(len(files), most)] {
		names = append(names, shortPaths(s, f, callUnits/2))
	}
	if more := len(files) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// loopsFrom is how many times in a row a call must fail before the lesson is not to repeat it.
// Arbiter uses the same number.
const loopsFrom = 2

// repeatedFailures returns a proposal for each call that failed several times in a row, with no success in
// between or later.
func repeatedFailures(s *session.Session, calls []call) (out []Proposal) {
	type key struct{ tool, raw string }
	running, longest := map[key][]int{}, map[key][]int{}
	for i := range calls {
		k := key{calls[i].tool, calls[i].raw}
		switch s.Steps[i].Status {
		case session.OK:
			clear(running)
			delete(longest, k)
		case session.Error:
			running[k] = append(running[k], i+1)
			if n := len(running[k]); n >= loopsFrom && n > len(longest[k]) {
				longest[k] = running[k]
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(longest), func(a, b key) int { return longest[a][0] - longest[b][0] }) {
		steps := longest[k]
		last := steps[len(steps)-1] - 1
		quote := calls[last].quote(s)
		if s.Steps[last].Error == "" || quote == "" || tested().MatchString(headAndTail(s.Steps[last].Error)) {
			continue
		}
		out = append(out, Proposal{
			Body:  fmt.Sprintf("Do not repeat `%s`: it failed %d times in a row with %s.", quote, len(steps), reason(s, &s.Steps[last])),
			Tools: []string{k.tool}, Origin: memory.Origin{Rule: RuleLoop, Steps: steps[:min(len(steps), mostListed)]},
		})
	}
	return out
}
