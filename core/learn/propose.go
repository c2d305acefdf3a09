package learn

import (
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/session"
)

// toolUnits is the maximum length of a tool or model name.
const toolUnits = 60

// The rules that make proposals, as [memory.Origin] names them.
const (
	RuleOutcome   = "outcome"   // the lesson of KarnEvil9's own engine
	RuleRecurring = "recurring" // the same error in several sessions, and what then worked
	RuleVariant   = "variant"   // the same words worked in another way of calling them
	RuleDenied    = "denied"    // the person refused a call again and again
	RuleTold      = "told"      // a source says it, and it fails all the same
	RuleDistilled = "distilled" // the program of [learn] distil wrote it
)

// Propose returns the lesson that KarnEvil9's own engine makes of a session, and sentences on why it left none. It
// does not check whether the session is finished: see [Refused]. For sessions of other agents it returns nothing:
// see [Lessons].
func Propose(s *session.Session, now time.Time) (drafts []Proposal, skipped []string) {
	if s.Engine == nil {
		return nil, nil
	}
	p, why := outcome(s)
	if why != "" {
		return nil, []string{why}
	}
	p.Arrived = now
	p.Finish(s)
	if Repeats(s, &p) {
		return nil, []string{p.Origin.Rule + ": it only repeats what the session was given"}
	}
	return []Proposal{p}, nil
}

// Repeats reports whether a proposal only repeats what a session was given.
func Repeats(s *session.Session, p *Proposal) bool { return newGiven(s.Given).covers(p) }

// OwnFolder begins the name of the folder in which Winnow starts the program of [learn] distil.
const OwnFolder = "winnow-distil-"

// IsOwn reports whether a session that worked in a folder is one of the program of [learn] distil. Nobody is shown
// these, and nothing is learnt from them.
func IsOwn(folder string) bool {
	return strings.HasPrefix(path.Base(strings.ReplaceAll(folder, `\`, "/")), OwnFolder)
}

// Refused says why the session of a trace must not be learnt from, or returns "". Named is set when a person asked for
// this very session.
func Refused(s *Trace, named bool) string {
	switch {
	case IsOwn(s.Folder):
		return "it is one of the program that winnow learn started"
	case s.Subagent:
		return "it was started by another session, which has its results"
	case s.State == session.Running:
		return "it still runs"
	case s.State == session.Aborted:
		return "the person stopped it"
	case s.MemoryOff && !named:
		return "its agent was told to keep no memories of it; name it to learn from it"
	case s.State == session.Unknown && !named:
		return "how it ended is unknown; name it to learn from it"
	}
	return ""
}

// outcome returns the lesson that the engine makes from the session. Why says why there is none.
func outcome(s *session.Session) (p Proposal, why string) {
	taken := *s.Engine
	taken.Text = oneLine(taken.Text)
	v, ok := lesson.Hardened.Extract(taken)
	switch {
	case taken.Text == "":
		return p, "no request by a person was found in it"
	case !ok:
		return p, "the agent accepted no plan in it"
	case s.State == session.Unknown:
		return p, "how it ended is unknown, so its outcome is left out"
	}
	text := func(key string) string {
		f, _ := v.Field(key)
		return f.Str()
	}
	tools, _ := v.Field(lesson.KeyTools)
	p = Proposal{
		Title: text(lesson.KeyTitle), Outcome: text(lesson.KeyOutcome), Body: text(lesson.KeyBody),
		Tools: lesson.Strings(tools), Origin: memory.Origin{Rule: RuleOutcome},
	}
	return p, ""
}

// Finish cleans and shortens the texts, and sets where the proposal came from.
func (p *Proposal) Finish(s *session.Session) {
	p.polish()
	o := &p.Origin
	o.Agent, o.Session, o.Folder, o.Model = s.System, s.ID, s.Folder, fitted(s.Model, toolUnits)
	o.Door, o.At = "learn", s.Ended
	for _, t := range s.Taint {
		o.Taint = append(o.Taint, fitted(t, titleUnits))
	}
	p.identify()
}

// identify sets the id of the lesson: the same for the same lesson of the same session.
func (p *Proposal) identify() {
	o := &p.Origin
	sum := sha256.Sum256([]byte(strings.Join([]string{string(o.Agent), o.Session, o.Rule, p.Body}, "\x00")))
	sum[6], sum[8] = sum[6]&0x0F|0x80, sum[8]&0x3F|0x80 // a UUID of version 8, the same for the same lesson
	p.LessonID = fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// polish makes the texts of a proposal fit to be kept: one line each, redacted, within the limits,
// and without invisible characters or prompt delimiters.
func (p *Proposal) polish() {
	p.Title, p.Body = fitted(p.Title, titleUnits), fitted(p.Body, bodyUnits)
	tools := make([]string, 0, len(p.Tools))
	for _, t := range p.Tools[:min(len(p.Tools), mostListed)] {
		tools = append(tools, fitted(t, toolUnits))
	}
	p.Tools = lesson.Distinct(tools)
}

// fitted returns a text as one clean line without secrets. After redaction it is cut to at most most
// units.
func fitted(text string, most int) string {
	const rounds = 4
	text = oneLine(text)
	for range rounds {
		text = strings.ToValidUTF8(jstext.Slice(detect.Redact(text), most), "")
		if len(detect.Secrets(text)) == 0 && len(detect.Marks(text)) == 0 {
			return text
		}
	}
	return detect.Redacted
}

// oneLine returns a text as one line, without invisible characters and prompt delimiters.
func oneLine(text string) string {
	var lines []string
	ends := func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }
	for line := range strings.FieldsFuncSeq(strings.ToValidUTF8(text, ""), ends) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.ReplaceAll(strings.Join(lines, " "), "\t", " ")
	for marks := detect.Marks(text); len(marks) > 0; marks = detect.Marks(text) {
		var out strings.Builder
		last := 0
		for _, m := range marks {
			out.WriteString(text[last:m.Start])
			if m.Kind == memory.MarkDelimiter {
				out.WriteString("[filtered]")
			}
			last = m.End
		}
		text = out.String() + text[last:]
	}
	return strings.TrimSpace(text)
}

// errorUnits is the maximum length of an error that a lesson quotes.
const errorUnits = 140

var (
	wrapping = expression(`\x1b\[[0-9;?]*[A-Za-z]|</?[a-z_]*error>|` +
		`(?m)^(?:Error: )?Exit code \d+$|^(?:Error: )?Exit code \d+\s*`)
	saysError = expression(`(?i)error|fail|fatal|exception|panic|cannot|can't|could not|not found|no such|denied|refused|` +
		`invalid|illegal|undefined|not defined|unknown|unrecogni|missing|unable|not exist|did not|` +
		`no module|timed out|not a `)
	// saysNoError also matches the line of a test that passed, whose name may be about an error.
	saysNoError = expression(`(?i)\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|` +
		`^(?:✓|✔|√|ok |pass\b|--- pass)|\.\.\. ok$`)

	// wraps matches what the caller of a failed program says about it.
	wraps = expression(
		`(?i)^(?:\[[\w:. -]+\] )?(?:task|script|command|process|job|recipe|target) .*(?:failed|exited|exit code)|` +
			`^\[[\w:. -]+\] (?:task )?failed|` +
			`^npm (?:err!|error) (?:code|errno|lifecycle|path|command|workspace|a complete log)|` +
			`elifecycle|^error: script "|^error:? command failed|^make(?:\[\d+\])?: \*\*\*`,
	)
)

// expression returns a function that compiles a regular expression on first use, so that starting
// Winnow does not wait for it.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Quotable returns a text for quoting in a lesson: with paths relative to the project, and without
// home folders.
func Quotable(s *session.Session, text string, units int) string {
	if len(s.Folder) > 1 {
		text = strings.ReplaceAll(text, strings.TrimSuffix(s.Folder, "/")+"/", "")
	}
	text, _ = detect.ShortenHomes(oneLine(text))
	cut := fitted(text, units)
	if jstext.Len(text) > units {
		cut = fitted(text, units-2) + " …"
	}
	return cut
}
