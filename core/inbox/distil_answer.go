package inbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/trigger"
)

// Limits of an answer.
const (
	mostAnswer  = 16 << 10 // bytes
	mostLessons = 3
	mostTopic   = 60  // characters
	mostText    = 200 // characters
	leastQuote  = 10  // bytes; a shorter quote must be a whole turn
	mostNumbers = 20
)

// answeredLesson is one lesson of an answer.
type answeredLesson struct {
	Topic    string `json:"topic"`
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	When     string `json:"when"`
	Evidence []int  `json:"evidence"`
	Quote    string `json:"quote"`
}

// The kinds of lessons.
const (
	kindRule    = "rule"
	kindFact    = "fact"
	kindDeadEnd = "dead_end"
)

// answerChecks is what an answer is compared with.
type answerChecks struct {
	session *session.Session
	digest  sessionDigest
	program string // its name, for the notes of a proposal
	isFile  func(path string) bool
	now     time.Time
}

// proposals returns the proposals of an answer, and why others are dropped.
func (c *answerChecks) proposals(answer []byte) (kept []learn.Proposal, dropped []string) {
	all, err := listed(answer)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if more := len(all) - mostLessons; more > 0 {
		dropped = append(dropped, fmt.Sprintf("%d lessons beyond the first %d are not read", more, mostLessons))
		all = all[:mostLessons]
	}
	for i, raw := range all {
		p, err := c.proposal(raw)
		if err != nil {
			dropped = append(dropped, fmt.Sprintf("lesson %d of its answer: %v", i+1, err))
			continue
		}
		kept = append(kept, p)
	}
	return kept, dropped
}

// listed returns the elements of an answer: a JSON list, which models like to put into a fence.
func listed(answer []byte) (all []json.RawMessage, err error) {
	answer = bytes.TrimSpace(answer)
	if inner, fenced := bytes.CutPrefix(answer, []byte("```")); fenced {
		inner = bytes.TrimPrefix(inner, []byte("json"))
		answer = bytes.TrimSuffix(bytes.TrimSpace(inner), []byte("```"))
	}
	switch {
	case len(answer) == 0:
		return nil, errors.New("its answer is empty")
	case len(answer) > mostAnswer:
		return nil, fmt.Errorf("its answer has more than %d bytes", mostAnswer)
	case json.Unmarshal(answer, &all) != nil:
		return nil, errors.New("its answer is not a JSON list of lessons")
	}
	return all, nil
}

// proposal returns the proposal of a lesson, or why it is dropped.
func (c *answerChecks) proposal(raw json.RawMessage) (learn.Proposal, error) {
	var l answeredLesson
	if err := json.Unmarshal(raw, &l); err != nil {
		return learn.Proposal{}, errors.New("it has not the members of a lesson")
	}
	if err := l.check(); err != nil {
		return learn.Proposal{}, err
	}
	shown, err := c.shown(&l)
	if err != nil {
		return learn.Proposal{}, err
	}
	if err := c.checkFiles(&l); err != nil {
		return learn.Proposal{}, err
	}
	if err := auditAnswer(l.Topic, l.Text, l.When); err != nil {
		return learn.Proposal{}, err
	}
	p := c.draft(&l, shown)
	told := *c.session
	for _, text := range slices.Concat(c.digest.Known, c.digest.Sources) {
		told.Given = append(told.Given[:len(told.Given):len(told.Given)], session.Given{Text: text})
	}
	if learn.Repeats(&told, &p) {
		return p, errors.New("it only repeats what the session was given")
	}
	return p, nil
}

// check says what is wrong with a lesson by itself.
func (l *answeredLesson) check() error {
	w, err := memory.ParseWhen(l.When)
	if err == nil {
		err = trigger.Check(w)
	}
	switch topic, text := strings.TrimSpace(l.Topic), strings.TrimSpace(l.Text); {
	case topic == "" || text == "" || strings.TrimSpace(l.Quote) == "":
		return errors.New("its topic, text or quote is empty")
	case utf8.RuneCountInString(topic) > mostTopic:
		return fmt.Errorf("its topic has more than %d characters", mostTopic)
	case utf8.RuneCountInString(text) > mostText:
		return fmt.Errorf("its text has more than %d characters", mostText)
	case strings.ContainsAny(topic+text, "\n\r"):
		return errors.New("its topic or text has several lines")
	case !slices.Contains([]string{kindRule, kindFact, kindDeadEnd}, l.Kind):
		return errors.New("its kind is none of rule, fact and dead_end")
	case err != nil:
		return err
	case len(l.Evidence) == 0 || len(l.Evidence) > mostNumbers:
		return fmt.Errorf("it names no turn as its evidence, or more than %d", mostNumbers)
	}
	return nil
}

// shown returns the turn that holds the quote of a lesson: one of the person, if there is one.
func (c *answerChecks) shown(l *answeredLesson) (*digestTurn, error) {
	var found *digestTurn
	quote := strings.Join(strings.Fields(l.Quote), " ")
	for _, n := range l.Evidence {
		i := slices.IndexFunc(c.digest.Turns, func(t digestTurn) bool { return t.N == n })
		if i < 0 {
			return nil, fmt.Errorf("it was not given the turn %d", n)
		}
		t := &c.digest.Turns[i]
		if (found == nil || found.By != byPerson) && t.says(quote) {
			found = t
		}
	}
	switch {
	case found == nil:
		return nil, errors.New("its quote stands in none of the turns that it names")
	case l.Kind == kindRule && found.By != byPerson:
		return nil, errors.New("a rule quotes what the person said, and it does not")
	}
	return found, nil
}

// says reports whether a turn holds a quote word for word.
func (t *digestTurn) says(quote string) bool {
	for _, text := range []string{t.Text, t.Call} {
		text = strings.Join(strings.Fields(text), " ")
		if text == quote || len(quote) >= leastQuote && holdsWords(text, quote) {
			return true
		}
	}
	return false
}

// holdsWords reports whether a text holds a quote that begins and ends at words.
func holdsWords(text, quote string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], quote)
		if at < 0 {
			return false
		}
		begin, end := from+at, from+at+len(quote)
		if (begin == 0 || !isWord(text[begin-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = begin + 1
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

var (
	// aCode matches what stands in backquotes, and a word of any text.
	aCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`]+)`") })
	// aPath matches a path from a root, a home or a folder.
	aPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:/|~/|\.\.?/).`) })
	// aFile matches the end of a path that names a file by its extension.
	aFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w@+.-]*\.[A-Za-z][A-Za-z0-9]{0,4}$`) })
)

// checkFiles says which file a lesson names that the project does not have.
func (c *answerChecks) checkFiles(l *answeredLesson) error {
	w, _ := memory.ParseWhen(l.When) // it was checked
	if w.Kind == memory.WhenFile {
		folder, _, _ := strings.Cut(w.Text, "*")
		folder, _, _ = strings.Cut(folder, "{")
		if folder != w.Text {
			folder = path.Dir(folder + "x")
		}
		if !c.has(folder) {
			return fmt.Errorf("the project has no file %s", w.Text)
		}
	}
	for _, name := range filesIn(l.Text) {
		if !c.has(name) {
			return fmt.Errorf("the project has no file %s", name)
		}
	}
	return nil
}

// has reports whether the project has a file. One outside of it, it has not.
func (c *answerChecks) has(name string) bool {
	name = path.Clean(name)
	outside := path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "~")
	return !outside && c.isFile(name)
}

// filesIn returns the files that a sentence names: paths from a root, a home or a folder, and words with an extension
// that stand in code or have a slash.
func filesIn(text string) (all []string) {
	inCode := map[string]bool{}
	for _, m := range aCode().FindAllStringSubmatch(text, -1) {
		for _, word := range strings.Fields(m[1]) {
			inCode[strings.Trim(word, `"'`)] = true
		}
	}
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, "`\"',;:!?()[]")
		if begin, value, is := strings.Cut(word, "="); is && strings.HasPrefix(begin, "-") {
			word = value
		}
		name := strings.TrimRight(word, ".")
		isPath := aPath().MatchString(name)
		byExtension := aFile().MatchString(path.Base(name)) && (strings.Contains(name, "/") || inCode[word])
		if (isPath || byExtension) && !strings.Contains(name, "://") && !strings.ContainsAny(name, "*{}<>$") {
			all = append(all, name)
		}
	}
	return all
}

// auditAnswer says what the check finds in the texts of a lesson: a secret, an order to an agent, hidden text.
func auditAnswer(texts ...string) error {
	for _, text := range texts {
		if detect.Redact(text) != text {
			return errors.New("it holds what looks like a secret")
		}
		if len(detect.Marks(text)) > 0 {
			return errors.New("it holds hidden characters or the marks of a prompt")
		}
		for _, t := range slices.Concat(detect.CheckInput(text), detect.Flags(text)) {
			rule, _ := detect.Rule(t.Rule)
			return fmt.Errorf("the check finds: %s", strings.ToLower(rule.Name))
		}
	}
	return nil
}

// draft returns the proposal of a lesson that a turn shows.
func (c *answerChecks) draft(l *answeredLesson, shown *digestTurn) learn.Proposal {
	p := learn.Proposal{
		Arrived: c.now, Title: l.Topic, Body: l.Text, Outcome: string(memory.Succeeded), When: memory.SameWhen(l.When),
		Origin: memory.Origin{Rule: learn.RuleDistilled},
		Notes: []string{
			fmt.Sprintf("%s wrote it from the session (%s): read it beside the quote.", c.program, l.Kind),
		},
	}
	if l.Kind == kindDeadEnd {
		p.Outcome = string(memory.Failed)
	}
	for _, n := range l.Evidence {
		i := slices.IndexFunc(c.digest.Turns, func(t digestTurn) bool { return t.N == n })
		if t := &c.digest.Turns[i]; t.Step > 0 {
			p.Origin.Steps = append(p.Origin.Steps, t.Step)
		}
	}
	who := shown.By
	if who == byTool {
		who = "a call of " + shown.Tool
	}
	p.Evidence = fmt.Sprintf("turn %d, %s: %q", shown.N, who, strings.Join(strings.Fields(l.Quote), " "))
	p.Finish(c.session)
	if shown.By == byTool {
		p.Origin.Taint = append(p.Origin.Taint, "its quote is what a tool printed: "+shown.Tool)
	}
	return p
}
