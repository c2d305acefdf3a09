package report

import (
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// schema is raised when a field of the JSON changes its meaning or goes away.
const schema = 1

type text = output.Text

// Document is the JSON of an audit, as docs/cli.md describes it. Lists are never null.
type Document struct {
	Schema    int           `json:"schema"`
	Version   text          `json:"version"`
	Verdict   Verdict       `json:"verdict"`
	FailOn    string        `json:"fail_on"`
	Narrowed  bool          `json:"narrowed"`
	Counts    countsJSON    `json:"counts"`
	Read      text          `json:"read"`
	Files     int           `json:"files"`
	Records   int           `json:"records"`
	Blobs     int           `json:"blobs"`
	Commits   int           `json:"commits"`
	Bytes     int64         `json:"bytes"`
	Rules     int           `json:"rules"`
	Left      []leftJSON    `json:"left"`
	Failed    []failedJSON  `json:"failed"`
	Uncovered []text        `json:"uncovered"`
	Stopped   bool          `json:"stopped"`
	Fixed     *fixedJSON    `json:"fixed"`
	Findings  []findingJSON `json:"findings"`
}

type countsJSON struct {
	High    int `json:"high"`
	Medium  int `json:"medium"`
	Low     int `json:"low"`
	File    int `json:"file"`
	Ignored int `json:"ignored"`
	More    int `json:"more"`
}

type leftJSON struct {
	Why     text `json:"why"`
	Files   int  `json:"files"`
	Example text `json:"example"`
}

type failedJSON struct {
	Path    text         `json:"path"`
	Problem *problemJSON `json:"problem"`
}

type problemJSON struct {
	Code string `json:"code"`
	What text   `json:"what"`
	Hint text   `json:"hint"`
}

type fixedJSON struct {
	Secrets int             `json:"secrets"`
	Files   []fixedFileJSON `json:"files"`
	Failed  []failedJSON    `json:"failed"`
	Beyond  []beyondJSON    `json:"beyond"`
}

type fixedFileJSON struct {
	Path    text `json:"path"`
	Secrets int  `json:"secrets"`
	Records int  `json:"records"`
}

type beyondJSON struct {
	What     text   `json:"what"`
	Commands []text `json:"commands"`
}

type findingJSON struct {
	Rule        text         `json:"rule"`
	Family      string       `json:"family"`
	Severity    string       `json:"severity"`
	Name        text         `json:"name"`
	Path        text         `json:"path"`
	Line        int          `json:"line"`
	Column      int          `json:"column"`
	Offset      int64        `json:"offset"`
	Record      text         `json:"record"`
	Field       text         `json:"field"`
	Fingerprint text         `json:"fingerprint"`
	Count       int          `json:"count"`
	Commit      text         `json:"commit"`
	CommitTime  *time.Time   `json:"commit_time"`
	Context     text         `json:"context"`
	Found       text         `json:"found"`
	Shown       text         `json:"shown"`
	What        text         `json:"what"`
	Why         text         `json:"why"`
	Next        []text       `json:"next"`
	Recalled    text         `json:"recalled"`
	Lands       text         `json:"lands"`
	Fixable     bool         `json:"fixable"`
	Ignored     *ignoredJSON `json:"ignored"`
}

type ignoredJSON struct {
	Reason text       `json:"reason"`
	Added  *time.Time `json:"added"`
	Until  *time.Time `json:"until"`
}

// json prints the audit as an indented JSON object with a line end.
func (r *Report) json(o *output.Out) {
	r = r.masked()
	list := r.listed()
	o.JSONList(r.heading(), len(list), func(i int) any { return r.findingJSON(list[i]) })
}

// Document returns the audit as JSON has it.
func (r *Report) Document() Document {
	r = r.masked()
	d := r.heading()
	d.Findings = output.Each(r.listed(), func(f **memory.Finding) findingJSON { return r.findingJSON(*f) })
	return d
}

// heading returns the document without its findings.
func (r *Report) heading() Document {
	a := &r.Audit
	return Document{
		Schema: schema, Version: text(r.Version), Verdict: r.Verdict(), FailOn: r.FailOn.String(), Narrowed: r.Narrowed,
		Counts: countsJSON{
			High: a.Count(memory.High), Medium: a.Count(memory.Medium), Low: a.Count(memory.Low), File: a.Count(0),
			Ignored: r.ignored(), More: a.More,
		},
		Read: text(r.extent()), Files: a.Files, Records: a.Records, Blobs: a.Blobs, Commits: a.Commits, Bytes: a.Bytes, Rules: a.Rules,
		Left: output.Each(a.Left, func(l *memory.LeftOut) leftJSON {
			return leftJSON{Why: r.asText(l.Why), Files: l.Files, Example: r.asText(l.Example)}
		}),
		Failed: r.failedJSON(a.Failed), Uncovered: r.texts(a.Uncovered), Stopped: a.Stopped,
		Fixed: r.fixedJSON(), Findings: []findingJSON{},
	}
}

// masked returns the report with its secrets masked.
func (r *Report) masked() *Report {
	m := *r
	m.Reveal = false
	return &m
}

// text returns a text for JSON, in which nobody looked for secrets yet.
func (r *Report) asText(s string) text { return text(r.hide(s)) }

func (r *Report) texts(list []string) []text {
	return output.Each(list, func(s *string) text { return r.asText(*s) })
}

func (r *Report) failedJSON(list []memory.Unread) []failedJSON {
	return output.Each(list, func(u *memory.Unread) failedJSON {
		j := failedJSON{Path: r.asText(u.Path)}
		if p := u.Problem; p != nil {
			j.Problem = &problemJSON{Code: p.Code, What: r.asText(p.What), Hint: r.asText(p.Hint)}
		}
		return j
	})
}

func (r *Report) fixedJSON() *fixedJSON {
	if r.Fixed == nil {
		return nil
	}
	return &fixedJSON{
		Secrets: r.Fixed.Secrets, Failed: r.failedJSON(r.Fixed.Failed),
		Files: output.Each(r.Fixed.Files, func(f *memory.FixedFile) fixedFileJSON {
			return fixedFileJSON{Path: r.asText(f.Path), Secrets: f.Secrets, Records: f.Records}
		}),
		Beyond: output.Each(r.Fixed.Beyond, func(b *memory.Beyond) beyondJSON {
			return beyondJSON{What: r.asText(b.What), Commands: r.texts(b.Commands)}
		}),
	}
}

func (r *Report) findingJSON(f *memory.Finding) findingJSON {
	p := r.passage(f)
	j := findingJSON{
		Rule: text(f.Rule), Family: string(f.Family), Severity: f.Severity.String(), Name: text(r.told(f, f.Name)),
		Path: r.asText(f.Path), Line: f.Line, Column: f.Column, Offset: f.Offset,
		Record: r.asText(string(f.ID)), Field: r.asText(f.Field), Fingerprint: text(f.Fingerprint), Count: max(f.Count, 1),
		Commit: text(f.Commit), CommitTime: output.Instant(f.CommitTime),
		Context: text(p.String()), Found: text(p.place), Shown: r.asText(f.Shown),
		What: text(r.told(f, f.What)), Why: text(r.told(f, f.Why)), Next: output.Each(f.Next, func(next *string) text { return text(r.told(f, *next)) }),
		Recalled: r.asText(f.Recalled), Lands: r.asText(f.Lands), Fixable: f.Fixable,
	}
	if g := f.Ignored; g != nil {
		j.Ignored = &ignoredJSON{Reason: r.asText(g.Reason), Added: output.Instant(g.Added), Until: output.Instant(g.Until)}
	}
	return j
}
