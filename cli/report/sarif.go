package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/memory"
)

// The types below are the parts of a SARIF 2.1.0 log that fit an audit:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Properties  sarifRunFacts     `json:"properties"`
	Results     output.Items      `json:"results"` // each a sarifResult
}

type sarifRunFacts struct {
	More      int    `json:"more"`
	Narrowed  bool   `json:"narrowed"`
	Uncovered []text `json:"uncovered"`
	Verdict   string `json:"verdict"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version text        `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            text           `json:"id"`
	Short         *sarifMessage  `json:"shortDescription"`
	Full          *sarifMessage  `json:"fullDescription,omitempty"`
	Help          *sarifMessage  `json:"help,omitempty"`
	HelpURI       text           `json:"helpUri,omitempty"`
	Configuration sarifSetting   `json:"defaultConfiguration"`
	Properties    sarifRuleFacts `json:"properties"`
}

type sarifSetting struct {
	Level string `json:"level"`
}

type sarifRuleFacts struct {
	Precision string   `json:"precision"`
	Score     string   `json:"security-severity"` // by which GitHub sorts
	Tags      []string `json:"tags"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   *sarifMessage   `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifMessage struct {
	Text text `json:"text"`
}

type sarifResult struct {
	RuleID       text               `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      *sarifMessage      `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints *sarifFingerprints `json:"partialFingerprints,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   sarifResultFacts   `json:"properties"`
}

// sarifFingerprints has GitHub's name first, by which it recognizes results that it has seen before.
type sarifFingerprints struct {
	GitHub text `json:"primaryLocationLineHash"`
	Own    text `json:"winnow/v1"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification text   `json:"justification,omitempty"`
}

type sarifResultFacts struct {
	Column   int    `json:"column"`
	Commit   text   `json:"commit,omitempty"`
	Context  text   `json:"context"`
	Count    int    `json:"count"`
	Family   text   `json:"family"`
	Field    text   `json:"field,omitempty"`
	Fixable  bool   `json:"fixable"`
	Lands    text   `json:"lands,omitempty"`
	Offset   int64  `json:"offset"`
	Recalled text   `json:"recalled,omitempty"`
	Record   text   `json:"record,omitempty"`
	Severity string `json:"severity"`
	Shown    text   `json:"shown,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int           `json:"startLine"`
	StartColumn int           `json:"startColumn,omitempty"`
	Snippet     *sarifSnippet `json:"snippet,omitempty"`
}

type sarifSnippet struct {
	Text text `json:"text"`
}

type sarifLogical struct {
	Name text   `json:"name"`
	Kind string `json:"kind"`
}

const sarifSchemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarif prints the audit as a SARIF log.
func (r *Report) sarif(o *output.Out) {
	r = r.masked()
	list, index, rules := r.listed(), map[string]int{}, []sarifRule{}
	for _, f := range list {
		if _, known := index[f.Rule]; !known {
			index[f.Rule] = len(index)
			rules = append(rules, sarifRuleOf(r.rule(f)))
		}
	}
	o.JSON(sarifLog{Schema: sarifSchemaURL, Version: "2.1.0", Runs: []sarifRun{{
		Tool:        sarifTool{sarifDriver{Name: "winnow", Version: text(r.Version), Rules: rules}},
		Invocations: []sarifInvocation{r.sarifInvocation()},
		ColumnKind:  "unicodeCodePoints",
		Properties: sarifRunFacts{
			More:      r.Audit.More,
			Narrowed:  r.Narrowed,
			Uncovered: r.texts(r.Audit.Uncovered),
			Verdict:   string(r.Verdict()),
		},
		Results: output.Items{N: len(list), Item: func(i int) any {
			return r.sarifResult(list[i], index[list[i].Rule])
		}},
	}}})
}

// sarifInvocation says what could not be read and what was skipped.
func (r *Report) sarifInvocation() sarifInvocation {
	a := &r.Audit
	notes := output.Each(a.Failed, func(u *memory.Unread) sarifNotification {
		what := cmp.Or(u.Problem, &memory.Problem{What: "could not be read"}).What
		place := sarifLocation{Physical: sarifPhysical{Artifact: r.artifact(u.Path)}}
		return sarifNotification{Level: "error", Message: r.message(what), Locations: []sarifLocation{place}}
	})
	if a.More > 0 {
		more := output.Plural(a.More, "finding") + " more were counted but are not among the results"
		notes = append(notes, sarifNotification{Level: "warning", Message: r.message(more)})
	}
	for _, l := range a.Left {
		left := output.Plural(l.Files, "file") + " left out: " + l.Why
		notes = append(notes, sarifNotification{Level: "note", Message: r.message(left)})
	}
	return sarifInvocation{Successful: len(a.Failed) == 0 && !a.Stopped, Notifications: notes}
}

func sarifRuleOf(u memory.AuditRule) sarifRule {
	rule := sarifRule{
		ID:            text(u.ID),
		Short:         messageOf(cmp.Or(u.Name, u.ID)),
		Configuration: sarifSetting{sarifLevel(u.Severity)},
		Properties: sarifRuleFacts{
			Precision: "medium",
			Score:     sarifScore(u.Severity),
			Tags:      []string{"security", string(u.Family)},
		},
	}
	if u.Why != "" {
		rule.Full = messageOf(u.Why)
	}
	if u.Next != "" {
		rule.Help = messageOf(u.Next)
	}
	if strings.HasPrefix(u.Source, "https://") && !strings.ContainsFunc(u.Source, notInURI) {
		rule.HelpURI = text(u.Source)
	}
	return rule
}

// notInURI reports whether c must be escaped in a URI.
func notInURI(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c)
}

func (r *Report) sarifResult(f *memory.Finding, rule int) sarifResult {
	p := r.passage(f)
	result := sarifResult{
		RuleID:    text(f.Rule),
		RuleIndex: rule,
		Level:     sarifLevel(f.Severity),
		Message:   messageOf(output.Joined(": ", cmp.Or(r.sentence(f, f.Name), f.Rule), r.sentence(f, f.What))),
		Locations: []sarifLocation{r.sarifLocation(f, p)},
		Properties: sarifResultFacts{
			Column:   f.Column,
			Commit:   text(f.Commit),
			Context:  text(p.String()),
			Count:    max(f.Count, 1),
			Family:   text(f.Family),
			Field:    r.asText(f.Field),
			Fixable:  f.Fixable,
			Lands:    r.asText(f.Lands),
			Offset:   f.Offset,
			Recalled: r.asText(f.Recalled),
			Record:   r.asText(string(f.ID)),
			Severity: f.Severity.String(),
			Shown:    r.asText(f.Shown),
		},
	}
	if f.Fingerprint != "" {
		result.Fingerprints = &sarifFingerprints{text(f.Fingerprint), text(f.Fingerprint)}
	}
	if f.Ignored != nil {
		result.Suppressions = []sarifSuppression{{Kind: "external", Justification: r.asText(f.Ignored.Reason)}}
	}
	return result
}

func (r *Report) sarifLocation(f *memory.Finding, p passage) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: r.artifact(f.Path)}}
	if f.Line > 0 {
		at.Physical.Region = &sarifRegion{StartLine: f.Line, StartColumn: column(f)}
		if p.String() != "" {
			at.Physical.Region.Snippet = &sarifSnippet{text(p.String())}
		}
	}
	if f.ID != "" {
		at.Logical = append(at.Logical, sarifLogical{r.asText(string(f.ID)), "record"})
	}
	if f.Field != "" {
		at.Logical = append(at.Logical, sarifLogical{r.asText(f.Field), "field"})
	}
	return at
}

// column returns the column of a finding in characters, from 1. It is 0 if only the byte column is
// known, because the available text does not begin with the line.
func column(f *memory.Finding) int {
	if f.Column != f.Start+1 || f.Start > len(f.Text) || f.Field != "" || f.Start < 0 {
		return 0
	}
	return utf8.RuneCountInString(f.Text[:f.Start]) + 1
}

// artifact returns a path as a URI reference that keeps all bytes.
func (r *Report) artifact(path string) sarifArtifact {
	path = r.hide(path)
	var b strings.Builder
	b.WriteString(output.When(strings.HasPrefix(path, "/"), "file://"))
	for i := range len(path) {
		c := path[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return sarifArtifact{b.String()}
}

// message returns a text as a message after hiding its secrets.
func (r *Report) message(s string) *sarifMessage { return messageOf(r.hide(s)) }

// messageOf returns a text as a message without links and placeholders.
func messageOf(s string) *sarifMessage {
	return &sarifMessage{
		text(strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}").Replace(s)),
	}
}

func sarifLevel(s memory.Severity) string {
	return [...]string{"none", "note", "warning", "error"}[min(s, memory.High)]
}

// sarifScore returns the number by which GitHub sorts the results of security tools.
func sarifScore(s memory.Severity) string {
	return [...]string{"0.0", "2.0", "5.0", "8.0"}[min(s, memory.High)]
}
