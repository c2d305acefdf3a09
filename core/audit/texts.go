package audit

import (
	"path/filepath"
	"strings"

	"winnow/core/audit/judge"
	"winnow/core/memory"
	"winnow/core/system"
)

// recordFindings is what was found in a record while it has the revision.
type recordFindings struct {
	rev      memory.Revision
	findings []memory.Finding
}

// notSeen says that no agent reads a record.
const notSeen = "no: the agent does not see it where it is"

// plain judges records that are not lines of a file: each as the text that it is.
func (a *Auditor) plain(j *judge.Judge, s *memory.Snapshot, k *verdicts, p *pool) {
	before := *k.texts.Load()
	now := make(map[memory.ID]recordFindings, len(s.Records))
	for i := range s.Records {
		r := &s.Records[i]
		known, ok := before[r.ID]
		if !ok || known.rev != r.Rev {
			known = recordFindings{r.Rev, a.inText(j, s, r)}
		}
		now[r.ID] = known
		for _, f := range known.findings {
			p.add(f, 0)
		}
	}
	k.texts.Store(&now)
}

// inText judges one record.
func (a *Auditor) inText(j *judge.Judge, s *memory.Snapshot, r *memory.Record) (found []memory.Finding) {
	d := &judge.Doc{Path: s.Place.Path, Store: s.Place.Store, File: s.Place.Store.Path(), OnDisk: true}
	text := r.Raw
	switch {
	case r.File != "":
		d.File = r.File
		d.Path = a.c.Short(r.File)
	case strings.Contains(r.Body, r.Title):
		text = r.Body
	default:
		text = r.Title + "\n" + r.Body
	}
	d.Form = a.textForm(s.Place.System, d.File)
	reading := j.Open(d, func(f memory.Finding) {
		f.ID, f.Field = r.ID, "body"
		if r.File == "" {
			f.Line = r.Line
		}
		if r.Flags&memory.FlagUnseen != 0 {
			f.Recalled = notSeen
		}
		f.Fixable = f.Fixable && s.ReadOnly == "" && r.Fixed == ""
		found = append(found, f)
	})
	reading.Piece(judge.Piece{Text: text, Line: 1, Column: 1})
	reading.Done()
	return found
}

// textForm returns the form by which a text of a system lands in a prompt; nil when
// none is known.
func (a *Auditor) textForm(id memory.SystemID, path string) *system.Form {
	path = filepath.ToSlash(path)
	var any *system.Form
	for i := range a.c.Forms {
		f := &a.c.Forms[i]
		if f.System != id || f.Land == nil || f.Lines || f.Database {
			continue
		}
		if f.Named != nil && f.Named(path) {
			return f
		}
		if any == nil {
			any = f
		}
	}
	return any
}
