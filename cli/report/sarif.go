package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/memory"
)

// Names of the fingerprints in SARIF. GitHub uses the first to recognize results that it has seen
// before.
const (
	gitHubFingerprint = "primaryLocationLineHash"
	ownFingerprint    = "winnow/v1"
)

// sarif prints the audit as a SARIF 2.1.0 log, using the parts of the standard that fit an audit:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
func (r *Report) sarif(o *output.Out) {
	r = r.masked()
	list, index, rules := r.listed(), map[string]int{}, []object{}
	for _, f := range list {
		if _, known := index[f.Rule]; !known {
			index[f.Rule] = len(index)
			rules = append(rules, r.sarifRule(r.rule(f)))
		}
	}
	o.JSON(object{
		"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version", "2.1.0",
		"runs", []object{{
			"tool", object{"driver", object{"name", "winnow", "version", output.Some(text(r.Version)), "rules", rules}},
			"invocations", []object{r.sarifInvocation()}, "columnKind", "unicodeCodePoints",
			"properties", object{
				"more", r.Audit.More,
				"narrowed", r.Narrowed,
				"uncovered", r.texts(r.Audit.Uncovered),
				"verdict", string(r.Verdict()),
			},
			"results", output.Items{N: len(list), Item: func(i int) any {
				return r.sarifResult(list[i], index[list[i].Rule])
			}},
		}},
	})
}

// sarifInvocation says what could not be read and what was skipped.
func (r *Report) sarifInvocation() object {
	a := &r.Audit
	notes := output.Each(a.Failed, func(u *memory.Unread) object {
		what := cmp.Or(u.Problem, &memory.Problem{What: "could not be read"}).What
		return object{
			"level",
			"error",
			"message",
			r.sarifMessage(what),
			"locations",
			[]object{{"physicalLocation", object{"artifactLocation", r.artifact(u.Path)}}},
		}
	})
	if a.More > 0 {
		notes = append(
			notes,
			object{
				"level",
				"warning",
				"message",
				r.sarifMessage(output.Plural(a.More, "finding") + " more were counted but are not among the results"),
			},
		)
	}
	for _, l := range a.Left {
		notes = append(
			notes,
			object{"level", "note", "message", r.sarifMessage(output.Plural(l.Files, "file") + " left out: " + l.Why)},
		)
	}
	return object{"executionSuccessful", len(a.Failed) == 0 && !a.Stopped, "toolExecutionNotifications", notes}
}

func (r *Report) sarifRule(u memory.AuditRule) object {
	uri := output.When(strings.HasPrefix(u.Source, "https://") && !strings.ContainsFunc(u.Source, notInURI), u.Source)
	return object{
		"id", text(u.ID),
		"shortDescription", sarifMessageOf(cmp.Or(u.Name, u.ID)),
		"fullDescription", sarifSome(u.Why),
		"help", sarifSome(u.Next),
		"helpUri", output.Some(text(uri)), "defaultConfiguration", object{"level", sarifLevel(u.Severity)},
		"properties", object{
			"precision", "medium",
			"security-severity", sarifScore(u.Severity),
			"tags", []string{"security", string(u.Family)},
		},
	}
}

// notInURI reports whether c must be escaped in a URI.
func notInURI(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c)
}

func (r *Report) sarifResult(f *memory.Finding, rule int) object {
	p := r.passage(f)
	return object{
		"ruleId", text(f.Rule), "ruleIndex", rule, "level", sarifLevel(f.Severity),
		"message", sarifMessageOf(output.Joined(": ", cmp.Or(r.sentence(f, f.Name), f.Rule), r.sentence(f, f.What))),
		"locations", []object{r.sarifLocation(f, p)},
		"partialFingerprints", output.If(
			f.Fingerprint != "",
			object{gitHubFingerprint, text(f.Fingerprint), ownFingerprint, text(f.Fingerprint)},
		),
		"suppressions", output.OrMissing(f.Ignored, func(g *memory.Ignore) any {
			return []object{{"kind", "external", "justification", output.Some(r.asText(g.Reason))}}
		}),
		"properties", object{
			"column", f.Column,
			"commit", output.Some(text(f.Commit)),
			"context", text(p.String()),
			"count", max(f.Count, 1),
			"family", string(f.Family),
			"field", output.Some(r.asText(f.Field)),
			"fixable", f.Fixable,
			"lands", output.Some(r.asText(f.Lands)),
			"offset", f.Offset,
			"recalled", output.Some(r.asText(f.Recalled)),
			"record", output.Some(r.asText(string(f.ID))),
			"severity", f.Severity.String(),
			"shown", output.Some(r.asText(f.Shown)),
		},
	}
}

func (r *Report) sarifLocation(f *memory.Finding, p passage) object {
	snippet := output.If(p.String() != "", object{"text", text(p.String())})
	region := output.If(
		f.Line > 0,
		object{"startLine", f.Line, "startColumn", output.Some(column(f)), "snippet", snippet},
	)
	var logical []object
	if f.ID != "" {
		logical = append(logical, object{"name", r.asText(string(f.ID)), "kind", "record"})
	}
	if f.Field != "" {
		logical = append(logical, object{"name", r.asText(f.Field), "kind", "field"})
	}
	return object{
		"physicalLocation",
		object{"artifactLocation", r.artifact(f.Path), "region", region},
		"logicalLocations",
		output.SomeOf(logical),
	}
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
func (r *Report) artifact(path string) object {
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
	return object{"uri", b.String()}
}

// sarifMessage returns a text as a message after hiding its secrets.
func (r *Report) sarifMessage(s string) object { return sarifMessageOf(r.hide(s)) }

// sarifMessageOf returns a text as a message without links and placeholders.
func sarifMessageOf(s string) object {
	return object{"text", text(strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}").Replace(s))}
}

// sarifSome returns a message, or Missing if it is empty.
func sarifSome(s string) any {
	return output.If(s != "", sarifMessageOf(s))
}

func sarifLevel(s memory.Severity) string {
	return [...]string{"none", "note", "warning", "error"}[min(s, memory.High)]
}

// sarifScore returns the number by which GitHub sorts the results of security tools.
func sarifScore(s memory.Severity) string {
	return [...]string{"0.0", "2.0", "5.0", "8.0"}[min(s, memory.High)]
}
