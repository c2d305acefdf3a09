package report

import (
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// schema is the version of the JSON. It is raised when a field changes its meaning or is removed.
const schema = 2

type text = output.Text

// Document is an audit in the JSON form that docs/json.md describes. Secrets are masked, and lists are never null.
type Document struct {
	Schema     int          `json:"schema"`
	Version    text         `json:"version"`
	Verdict    string       `json:"verdict"`
	FailOn     string       `json:"fail_on"`
	Narrowed   bool         `json:"narrowed"`
	Counts     countsJSON   `json:"counts"`
	Read       text         `json:"read"`
	Files      int          `json:"files"`
	OtherFiles int          `json:"other_files"`
	Records    int          `json:"records"`
	Blobs      int          `json:"blobs"`
	Commits    int          `json:"commits"`
	Bytes      int64        `json:"bytes"`
	Rules      int          `json:"rules"`
	Left       []leftJSON   `json:"left"`
	Failed     []unreadJSON `json:"failed"`
	Uncovered  []text       `json:"uncovered"`
	Stopped    bool         `json:"stopped"`
	Fixed      *fixedJSON   `json:"fixed"` // null if no redaction was requested
	Findings   output.Items `json:"findings"`
}

type countsJSON struct {
	High    int `json:"high"`
	Medium  int `json:"medium"`
	Low     int `json:"low"`
	File    int `json:"file"`
	Ignored int `json:"ignored"`
	More    int `json:"more"`
}

// leftJSON is files that were left out for one reason.
type leftJSON struct {
	Why     text `json:"why"`
	Files   int  `json:"files"`
	Example text `json:"example"`
}

type unreadJSON struct {
	Path    text         `json:"path"`
	Problem *problemJSON `json:"problem"`
}

type problemJSON struct {
	Code text `json:"code"`
	What text `json:"what"`
	Hint text `json:"hint"`
}

// fixedJSON is what a redaction did before the audit.
type fixedJSON struct {
	Secrets int             `json:"secrets"`
	Files   []fixedFileJSON `json:"files"`
	Failed  []unreadJSON    `json:"failed"`
	Beyond  []beyondJSON    `json:"beyond"`
}

type fixedFileJSON struct {
	Path    text `json:"path"`
	Secrets int  `json:"secrets"`
	Records int  `json:"records"`
}

// beyondJSON is what still holds a secret, and what to do about it.
type beyondJSON struct {
	What     text   `json:"what"`
	Commands []text `json:"commands"`
}

type findingJSON struct {
	Rule        text        `json:"rule"`
	Family      text        `json:"family"`
	Severity    string      `json:"severity"`
	Name        text        `json:"name"`
	Path        text        `json:"path"`
	Line        int         `json:"line"`
	Column      int         `json:"column"`
	Offset      int64       `json:"offset"`
	Record      text        `json:"record"`
	Field       text        `json:"field"`
	Fingerprint text        `json:"fingerprint"`
	Count       int         `json:"count"`
	Commit      text        `json:"commit"`
	CommitTime  *time.Time  `json:"commit_time"`
	Context     text        `json:"context"`
	Found       text        `json:"found"`
	Shown       text        `json:"shown"`
	What        text        `json:"what"`
	Why         text        `json:"why"`
	Next        []text      `json:"next"`
	Recalled    text        `json:"recalled"`
	Lands       text        `json:"lands"`
	Fixable     bool        `json:"fixable"`
	Ignored     *ignoreJSON `json:"ignored"`
}

// ignoreJSON says why a person ignores a finding, and until when.
type ignoreJSON struct {
	Reason text       `json:"reason"`
	Added  *time.Time `json:"added"`
	Until  *time.Time `json:"until"`
}

// Document returns the audit as JSON.
func (r *Report) Document() Document {
	r = r.masked()
	a, list := &r.Audit, r.listed()
	return Document{
		Schema:   schema,
		Version:  text(r.Version),
		Verdict:  string(r.Verdict()),
		FailOn:   r.FailOn.String(),
		Narrowed: r.Narrowed,
		Counts: countsJSON{
			High:    a.Count(memory.High),
			Medium:  a.Count(memory.Medium),
			Low:     a.Count(memory.Low),
			File:    a.Count(0),
			Ignored: r.ignored(),
			More:    a.More,
		},
		Read:       text(r.extent()),
		Files:      a.Files,
		OtherFiles: a.Others,
		Records:    a.Records,
		Blobs:      a.Blobs,
		Commits:    a.Commits,
		Bytes:      a.Bytes,
		Rules:      a.Rules,
		Left: output.Each(a.Left, func(l *memory.LeftOut) leftJSON {
			return leftJSON{r.asText(l.Why), l.Files, r.asText(l.Example)}
		}),
		Failed:    r.unread(a.Failed),
		Uncovered: r.texts(a.Uncovered),
		Stopped:   a.Stopped,
		Fixed:     r.fixed(),
		Findings:  output.Items{N: len(list), Item: func(i int) any { return r.finding(list[i]) }},
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

func (r *Report) unread(list []memory.Unread) []unreadJSON {
	return output.Each(list, func(u *memory.Unread) unreadJSON {
		return unreadJSON{r.asText(u.Path), output.OrNull(u.Problem, func(p *memory.Problem) problemJSON {
			return problemJSON{text(p.Code), r.asText(p.What), r.asText(p.Hint)}
		})}
	})
}

func (r *Report) fixed() *fixedJSON {
	return output.OrNull(r.Fixed, func(x *memory.Fixed) fixedJSON {
		return fixedJSON{
			Secrets: x.Secrets,
			Files: output.Each(x.Files, func(f *memory.FixedFile) fixedFileJSON {
				return fixedFileJSON{r.asText(f.Path), f.Secrets, f.Records}
			}),
			Failed: r.unread(x.Failed),
			Beyond: output.Each(x.Beyond, func(b *memory.Beyond) beyondJSON {
				return beyondJSON{r.asText(b.What), r.texts(b.Commands)}
			}),
		}
	})
}

func (r *Report) finding(f *memory.Finding) findingJSON {
	p := r.passage(f)
	return findingJSON{
		Rule:        text(f.Rule),
		Family:      text(f.Family),
		Severity:    f.Severity.String(),
		Name:        text(r.sentence(f, f.Name)),
		Path:        r.asText(f.Path),
		Line:        f.Line,
		Column:      f.Column,
		Offset:      f.Offset,
		Record:      r.asText(string(f.ID)),
		Field:       r.asText(f.Field),
		Fingerprint: text(f.Fingerprint),
		Count:       max(f.Count, 1),
		Commit:      text(f.Commit),
		CommitTime:  output.Instant(f.CommitTime),
		Context:     text(p.String()),
		Found:       text(p.place),
		Shown:       r.asText(f.Shown),
		What:        text(r.sentence(f, f.What)),
		Why:         text(r.sentence(f, f.Why)),
		Next:        output.Each(f.Next, func(next *string) text { return text(r.sentence(f, *next)) }),
		Recalled:    r.asText(f.Recalled),
		Lands:       r.asText(f.Lands),
		Fixable:     f.Fixable,
		Ignored: output.OrNull(f.Ignored, func(g *memory.Ignore) ignoreJSON {
			return ignoreJSON{r.asText(g.Reason), output.Instant(g.Added), output.Instant(g.Until)}
		}),
	}
}
