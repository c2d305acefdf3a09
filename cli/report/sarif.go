package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/memory"
)

// The types below are what of SARIF 2.1.0 an audit has use for, in the words of the
// standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Properties  map[string]any    `json:"properties"`
	Results     []sarifResult     `json:"results"`
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
	ID      text           `json:"id"`
	Short   sarifMessage   `json:"shortDescription"`
	Full    *sarifMessage  `json:"fullDescription,omitempty"`
	Help    *sarifMessage  `json:"help,omitempty"`
	HelpURI text           `json:"helpUri,omitempty"`
	Config  sarifConfig    `json:"defaultConfiguration"`
	Props   map[string]any `json:"properties"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifMessage struct {
	Text text `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       text              `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]text   `json:"partialFingerprints,omitempty"`
	Suppressions []sarifSuppressed `json:"suppressions,omitempty"`
	Properties   map[string]any    `json:"properties"`
}

type sarifSuppressed struct {
	Kind          string `json:"kind"`
	Justification text   `json:"justification,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name text   `json:"name"`
	Kind string `json:"kind"`
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

// The names under which a fingerprint is given: the first is that by which GitHub
// tells whether it has seen a result before.
const (
	gitHubFingerprint = "primaryLocationLineHash"
	ownFingerprint    = "winnow/v1"
)

// sarif prints the audit as a SARIF 2.1.0 log.
func (r *Report) sarif(o *output.Out) {
	r = r.masked()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "winnow", Version: text(r.Version), Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{r.sarifInvocation()},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
		Properties:  map[string]any{"verdict": r.Verdict(), "narrowed": r.Narrowed, "uncovered": r.texts(r.Audit.Uncovered), "more": r.Audit.More},
	}
	list, index := r.listed(), map[string]int{}
	for _, f := range list {
		if _, known := index[f.Rule]; !known {
			index[f.Rule] = len(index)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r.sarifRule(r.rule(f)))
		}
	}
	o.JSONList(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	}, len(list), func(i int) any { return r.sarifResult(list[i], index[list[i].Rule]) })
}

// sarifInvocation says what could not be looked at, and what was left out.
func (r *Report) sarifInvocation() sarifInvocation {
	a := &r.Audit
	v := sarifInvocation{Successful: len(a.Failed) == 0 && !a.Stopped, Notifications: []sarifNotification{}}
	for _, u := range a.Failed {
		what := "could not be read"
		if u.Problem != nil {
			what = u.Problem.What
		}
		v.Notifications = append(v.Notifications, sarifNotification{
			Level: "error", Message: r.sarifMessage(what),
			Locations: []sarifLocation{{Physical: sarifPhysical{Artifact: r.artifact(u.Path)}}},
		})
	}
	if a.More > 0 {
		v.Notifications = append(v.Notifications, sarifNotification{
			Level: "warning", Message: r.sarifMessage(output.Plural(a.More, "finding") + " more were counted but are not among the results"),
		})
	}
	for _, l := range a.Left {
		v.Notifications = append(v.Notifications, sarifNotification{
			Level: "note", Message: r.sarifMessage(fmt.Sprintf("%s left out: %s", output.Plural(l.Files, "file"), l.Why)),
		})
	}
	return v
}

func (r *Report) sarifRule(u memory.AuditRule) sarifRule {
	s := sarifRule{
		ID: text(u.ID), Short: sarifMessageOf(cmp.Or(u.Name, u.ID)), Config: sarifConfig{sarifLevel(u.Severity)},
		Props: map[string]any{
			"tags": []string{"security", string(u.Family)}, "security-severity": sarifScore(u.Severity), "precision": "medium",
		},
	}
	if u.Why != "" {
		m := sarifMessageOf(u.Why)
		s.Full = &m
	}
	if u.Next != "" {
		m := sarifMessageOf(u.Next)
		s.Help = &m
	}
	if strings.HasPrefix(u.Source, "https://") && !strings.ContainsFunc(u.Source, notInURI) {
		s.HelpURI = text(u.Source)
	}
	return s
}

// notInURI reports whether c cannot stand in a URI as it is.
func notInURI(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c)
}

func (r *Report) sarifResult(f *memory.Finding, rule int) sarifResult {
	p := r.passage(f)
	s := sarifResult{
		RuleID: text(f.Rule), RuleIndex: rule, Level: sarifLevel(f.Severity),
		Message:   sarifMessageOf(output.Joined(": ", cmp.Or(r.told(f, f.Name), f.Rule), r.told(f, f.What))),
		Locations: []sarifLocation{r.sarifLocation(f, p)},
		Properties: map[string]any{
			"family": f.Family, "severity": f.Severity.String(), "count": max(f.Count, 1), "fixable": f.Fixable,
			"column": f.Column, "offset": f.Offset, "context": text(p.String()),
		},
	}
	for name, value := range map[string]string{
		"record": string(f.ID), "field": f.Field, "recalled": f.Recalled, "lands": f.Lands, "shown": f.Shown,
	} {
		if value != "" {
			s.Properties[name] = r.asText(value)
		}
	}
	if f.Commit != "" {
		s.Properties["commit"] = text(f.Commit)
	}
	if f.Fingerprint != "" {
		s.Fingerprints = map[string]text{gitHubFingerprint: text(f.Fingerprint), ownFingerprint: text(f.Fingerprint)}
	}
	if f.Ignored != nil {
		s.Suppressions = []sarifSuppressed{{Kind: "external", Justification: r.asText(f.Ignored.Reason)}}
	}
	return s
}

func (r *Report) sarifLocation(f *memory.Finding, p passage) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: r.artifact(f.Path)}}
	if f.Line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: f.Line, StartColumn: column(f)}
		if s := p.String(); s != "" {
			l.Physical.Region.Snippet = &sarifSnippet{text(s)}
		}
	}
	if f.ID != "" {
		l.Logical = append(l.Logical, sarifLogical{Name: r.asText(string(f.ID)), Kind: "record"})
	}
	if f.Field != "" {
		l.Logical = append(l.Logical, sarifLogical{Name: r.asText(f.Field), Kind: "field"})
	}
	return l
}

// column returns the column of a finding in characters, from 1, or 0 when only its
// bytes are known: the text that is at hand then does not begin with the line.
func column(f *memory.Finding) int {
	if f.Column != f.Start+1 || f.Start > len(f.Text) || f.Field != "" || f.Start < 0 {
		return 0
	}
	return utf8.RuneCountInString(f.Text[:f.Start]) + 1
}

// artifact returns a path as the reference of a URI, in which all bytes are kept.
func (r *Report) artifact(path string) sarifArtifact {
	path = r.hide(path)
	var b strings.Builder
	if strings.HasPrefix(path, "/") {
		b.WriteString("file://")
	}
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

// sarifMessage returns a text of which no secrets are known as a message.
func (r *Report) sarifMessage(s string) sarifMessage { return sarifMessageOf(r.hide(s)) }

// sarifMessageOf returns a message in which nothing is a link or a placeholder.
func sarifMessageOf(s string) sarifMessage {
	return sarifMessage{text(strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}").Replace(s))}
}

func sarifLevel(s memory.Severity) string {
	return [...]string{"none", "note", "warning", "error"}[min(s, memory.High)]
}

// sarifScore is the number that GitHub orders results of security tools by.
func sarifScore(s memory.Severity) string {
	return [...]string{"0.0", "2.0", "5.0", "8.0"}[min(s, memory.High)]
}
