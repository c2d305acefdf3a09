package audit

import (
	"path/filepath"
	"strings"

	"winnow/core/audit/judge"
	"winnow/core/memory"
	"winnow/core/system"
)

// told is what was found in a record of plain text, while it is as it was.
type told struct {
	rev      memory.Revision
	findings []memory.Finding
}

// notSeen says that no agent reads a record.
const notSeen = "no: the agent does not see it where it is"

// texts returns what the audit says of records that are not lines of a file: each is
// judged as the text that it is.
func (a *Auditor) texts(s *memory.Snapshot) []memory.Finding {
	j := a.judge.At(s.TakenAt)
	before := a.toldOf(s.Place.Store)
	now := make(map[memory.ID]told, len(s.Records))
	p := newPool(mostInStore, nil)
	for i := range s.Records {
		r := &s.Records[i]
		known, ok := before[r.ID]
		if !ok || known.rev != r.Rev {
			known = told{r.Rev, a.inText(j, s, r)}
		}
		now[r.ID] = known
		for _, f := range known.findings {
			p.add(f, 0)
		}
	}
	a.keepTold(s.Place.Store, now)
	found := p.findings()
	return found
}

// toldOf returns what is known of the records of a store.
func (a *Auditor) toldOf(store memory.StoreID) map[memory.ID]told {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.told == nil || len(a.told) > storesKnown {
		a.told = map[memory.StoreID]map[memory.ID]told{}
	}
	return a.told[store]
}

func (a *Auditor) keepTold(store memory.StoreID, now map[memory.ID]told) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.told[store] = now
}

// inText judges one record.
func (a *Auditor) inText(j *judge.Judge, s *memory.Snapshot, r *memory.Record) (found []memory.Finding) {
	d := &judge.Doc{Path: s.Place.Path, Store: s.Place.Store, File: s.Place.Store.Path(), Size: -1, OnDisk: true}
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
