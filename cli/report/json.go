package report

import (
	"winnow/cli/output"
	"winnow/core/memory"
)

// schema is the version of the JSON. It is raised when a field changes its meaning or is removed.
const schema = 2

type (
	text   = output.Text
	object = output.Object
)

// Document returns the audit in the JSON form that docs/json.md describes. Secrets are masked, and
// lists are never null.
func (r *Report) Document() output.Object {
	r = r.masked()
	a, list := &r.Audit, r.listed()
	return object{
		"schema", schema,
		"version", text(r.Version),
		"verdict", string(r.Verdict()),
		"fail_on", r.FailOn.String(),
		"narrowed", r.Narrowed,
		"counts", object{
			"high", a.Count(memory.High),
			"medium", a.Count(memory.Medium),
			"low", a.Count(memory.Low),
			"file", a.Count(0),
			"ignored", r.ignored(), "more", a.More,
		},
		"read", text(r.extent()),
		"files", a.Files,
		"other_files", a.Others,
		"records", a.Records,
		"blobs", a.Blobs,
		"commits", a.Commits,
		"bytes", a.Bytes,
		"rules", a.Rules,
		"left", output.Each(a.Left, func(l *memory.LeftOut) object {
			return object{"why", r.asText(l.Why), "files", l.Files, "example", r.asText(l.Example)}
		}),
		"failed", r.failedJSON(a.Failed),
		"uncovered", r.texts(a.Uncovered),
		"stopped", a.Stopped,
		"fixed", r.fixedJSON(),
		"findings", output.Items{N: len(list), Item: func(i int) any { return r.findingJSON(list[i]) }},
	}
}

// masked returns a copy of the report that masks secrets.
func (r *Report) masked() *Report {
	m := *r
	m.Reveal = false
	return &m
}

// asText returns a text for JSON that was not searched for secrets yet.
func (r *Report) asText(s string) text { return text(r.hide(s)) }

func (r *Report) texts(list []string) []text {
	return output.Each(list, func(s *string) text { return r.asText(*s) })
}

func (r *Report) failedJSON(list []memory.Unread) []object {
	return output.Each(list, func(u *memory.Unread) object {
		return object{"path", r.asText(u.Path), "problem", output.OrNull(u.Problem, func(p *memory.Problem) object {
			return object{"code", p.Code, "what", r.asText(p.What), "hint", r.asText(p.Hint)}
		})}
	})
}

func (r *Report) fixedJSON() object {
	return output.OrNull(r.Fixed, func(x *memory.Fixed) object {
		return object{
			"secrets", x.Secrets,
			"files", output.Each(x.Files, func(f *memory.FixedFile) object {
				return object{"path", r.asText(f.Path), "secrets", f.Secrets, "records", f.Records}
			}),
			"failed", r.failedJSON(x.Failed),
			"beyond", output.Each(x.Beyond, func(b *memory.Beyond) object {
				return object{"what", r.asText(b.What), "commands", r.texts(b.Commands)}
			}),
		}
	})
}

func (r *Report) findingJSON(f *memory.Finding) object {
	p := r.passage(f)
	ignored := output.OrNull(f.Ignored, func(g *memory.Ignore) object {
		return object{"reason", r.asText(g.Reason), "added", output.Instant(g.Added), "until", output.Instant(g.Until)}
	})
	return object{
		"rule", text(f.Rule),
		"family", string(f.Family),
		"severity", f.Severity.String(),
		"name", text(r.sentence(f, f.Name)),
		"path", r.asText(f.Path), "line", f.Line, "column", f.Column, "offset", f.Offset,
		"record", r.asText(string(f.ID)),
		"field", r.asText(f.Field),
		"fingerprint", text(f.Fingerprint),
		"count", max(f.Count, 1),
		"commit", text(f.Commit), "commit_time", output.Instant(f.CommitTime),
		"context", text(p.String()), "found", text(p.place), "shown", r.asText(f.Shown),
		"what", text(r.sentence(f, f.What)),
		"why", text(r.sentence(f, f.Why)),
		"next", output.Each(f.Next, func(next *string) text { return text(r.sentence(f, *next)) }),
		"recalled", r.asText(f.Recalled), "lands", r.asText(f.Lands), "fixable", f.Fixable, "ignored", ignored,
	}
}
