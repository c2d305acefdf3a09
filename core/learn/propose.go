package learn

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
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
	RuleOutcome = "outcome"
	RuleWorked  = "failed, then worked"
	RuleLoop    = "loop"
)

// Propose returns what can be learnt from a session, most useful first, and sentences on why the
// session, or a part of it, left nothing. It does not check whether the session is finished: see
// [Refused].
func Propose(s *session.Session, now time.Time) (drafts []Proposal, skipped []string) {
	first, why := outcome(s)
	if why != "" {
		skipped = append(skipped, why)
	}
	if first.Title == "" {
		return nil, skipped
	}
	calls := make([]call, len(s.Steps))
	for i := range calls {
		calls[i] = callOf(s, &s.Steps[i])
	}
	all := append(append(corrections(s, calls), repeatedFailures(s, calls)...), edited(s, calls)...)
	if first.Body != "" {
		all = append([]Proposal{first}, all...)
	}
	given, more := newGiven(s.Given), 0
	for _, p := range all {
		p.Title, p.Outcome, p.Arrived = first.Title, first.Outcome, now
		if s.State == session.Unknown {
			p.Outcome = map[string]string{RuleWorked: "succeeded", RuleLoop: "failed"}[p.Origin.Rule]
		}
		p.finish(s)
		switch {
		case slices.ContainsFunc(drafts, func(d Proposal) bool { return d.Body == p.Body }):
		case given.covers(&p):
			skipped = append(skipped, p.Origin.Rule+": it only repeats what the session was given")
		case len(drafts) == mostASession:
			more++
		default:
			drafts = append(drafts, p)
		}
	}
	if more > 0 {
		skipped = append(skipped, fmt.Sprintf("%d more were left out: a session leaves at most %d proposals", more, mostASession))
	}
	return drafts, skipped
}

// Refused says why a session must not be learnt from, or returns "". Named is set when a person
// asked for this very session.
func Refused(s *session.Session, named bool) string {
	switch {
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

// outcome returns the lesson that the engine makes from the session. Without a body there is no
// lesson, and without a title nothing can be learnt; why gives the reason.
func outcome(s *session.Session) (p Proposal, why string) {
	engine := s.Engine
	if engine == nil {
		engine = engineSession(s)
	}
	taken := *engine
	taken.Text = oneLine(taken.Text)
	v, ok := lesson.Hardened.Extract(taken)
	switch {
	case taken.Text == "":
		return p, "no request by a person was found in it"
	case !ok && s.Engine != nil:
		return p, "the agent accepted no plan in it"
	case !ok:
		return p, "the agent used no tool in it"
	}
	text := func(key string) string {
		f, _ := v.Field(key)
		return f.Str()
	}
	tools, _ := v.Field(lesson.KeyTools)
	p = Proposal{Title: text(lesson.KeyTitle), Outcome: text(lesson.KeyOutcome), Body: text(lesson.KeyBody), Tools: lesson.Strings(tools)}
	p.Origin = memory.Origin{Rule: RuleOutcome, Steps: quoted(s)}
	if s.State == session.Unknown {
		p.Body, why = "", "how it ended is unknown, so its outcome is left out"
	} else if s.Engine == nil && s.Count(session.OK)+s.Count(session.Error) == 0 {
		p.Body, why = "", "no step of it had a result"
	} else if s.Engine == nil && p.Outcome == "failed" && len(p.Origin.Steps) == 0 {
		p.Body, why = "", "it failed, and no step of it says why"
	}
	return p, why
}

// engineSession converts a session of another agent for the engine.
func engineSession(s *session.Session) *lesson.Session {
	out := &lesson.Session{Text: s.Task, Status: "failed", ID: &s.ID}
	if s.State == session.Succeeded {
		out.Status = "completed"
	}
	plan := &lesson.Plan{}
	quote := quoted(s)
	for i := range s.Steps {
		step := &s.Steps[i]
		plan.Tools = append(plan.Tools, fitted(step.Tool, toolUnits))
		result := lesson.StepResult{Status: map[session.Status]string{session.OK: "succeeded", session.Error: "failed"}[step.Status]}
		if slices.Contains(quote, i+1) {
			result.Error = jstext.ObjectValue(jstext.Member{Key: "message", Value: jstext.StringValue(reason(s, step))})
		}
		out.Results = append(out.Results, result)
	}
	if len(plan.Tools) > 0 {
		out.Plan = plan
	}
	return out
}

// quoted returns the numbers of the steps whose errors explain a failed session: the last three
// with different errors.
func quoted(s *session.Session) (steps []int) {
	const most = 3
	var quotes []string
	for i := len(s.Steps) - 1; i >= 0 && len(steps) < most && s.State != session.Succeeded; i-- {
		why := ""
		if s.Steps[i].Status == session.Error {
			why = reason(s, &s.Steps[i])
		}
		if why != "" && !slices.Contains(quotes, why) {
			quotes, steps = append(quotes, why), append(steps, i+1)
		}
	}
	slices.Reverse(steps)
	return steps
}

// finish cleans and shortens the texts, and sets where the proposal came from.
func (p *Proposal) finish(s *session.Session) {
	p.polish()
	o := &p.Origin
	o.Agent, o.Session, o.Folder, o.Model, o.Door, o.At = s.System, s.ID, s.Folder, fitted(s.Model, toolUnits), "learn", s.Ended
	for _, t := range s.Taint {
		o.Taint = append(o.Taint, fitted(t, titleUnits))
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(s.System), s.ID, o.Rule, p.Body}, "\x00")))
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
	for line := range strings.FieldsFuncSeq(strings.ToValidUTF8(text, ""), func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
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
	wrapping    = expression(`\x1b\[[0-9;?]*[A-Za-z]|</?[a-z_]*error>|(?m)^(?:Error: )?Exit code \d+$|^(?:Error: )?Exit code \d+\s*`)
	saysError   = expression(`(?i)error|fail|fatal|exception|panic|cannot|can't|could not|not found|no such|denied|refused|invalid|illegal|undefined|not defined|unknown|unrecogni|missing|unable|not exist|did not|no module|timed out|not a `)
	saysNoError = expression(`(?i)\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b`)
)

// expression returns a function that compiles a regular expression on first use, so that starting
// Winnow does not wait for it.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// reason returns the most informative line of a step's error, shortened, or the system's word for
// the failure if there is none.
func reason(s *session.Session, step *session.Step) string {
	first := ""
	for line := range strings.Lines(wrapping().ReplaceAllString(step.Error, "")) {
		line = strings.TrimSpace(line)
		if saysError().MatchString(line) && !saysNoError().MatchString(line) {
			first = line
			break
		}
		first = cmp.Or(first, line)
	}
	return strings.TrimRight(shortPaths(s, cmp.Or(first, step.Kind), errorUnits), ". ")
}

// shortPaths returns a text for quoting in a lesson: with paths relative to the project, and without
// home folders.
func shortPaths(s *session.Session, text string, units int) string {
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
