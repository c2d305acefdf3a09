package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/audit/judge"
	"winnow/core/memory"
	"winnow/core/system"
)

// mostOpen limits the bytes of an open store that are judged at once. The rest is reported as not
// judged until the next change, which continues with it.
const mostOpen = 256 << 20

var errEnough = errors.New("enough was judged for now")

// FreePages names the parts of a database that are not read when it is read by its records.
const FreePages = "credentials and free pages of the database"

// stored judges the texts of a store, record by record.
type stored struct {
	judge  *judge.Judge
	doc    judge.Doc // shared by all texts, without what each text says of itself
	lined  system.Form
	plain  system.Form
	lands  system.Form
	report func(memory.Finding)

	cut int // number of texts of which only the beginning was available
}

func newStored(j *judge.Judge, d judge.Doc, tell func(memory.Finding)) *stored {
	s := &stored{judge: j, doc: d, report: tell}
	s.doc.InDatabase = true
	if d.Form != nil {
		s.plain = system.Form{System: d.Form.System, Name: d.Form.Name}
	}
	s.lined, s.lands = s.plain, s.plain
	s.lined.Lines = true
	if d.Form != nil {
		s.lands.Land = d.Form.Land
	}
	return s
}

// isJSONLine reports whether a text is a JSON object or array on one line.
func isJSONLine(text string) bool {
	return len(text) > 1 && (text[0] == '{' || text[0] == '[') && !strings.Contains(text, "\n") &&
		json.Valid([]byte(text))
}

// text judges one text. JSON is judged string by string, decoded.
func (s *stored) text(t system.Text) {
	d := s.doc
	d.Form = &s.plain
	d.Reached = t.Reached
	text := strings.TrimSpace(t.Text)
	if t.Lands {
		d.Form = &s.lands
	} else if isJSONLine(text) {
		d.Form = &s.lined
	}
	if t.Record != "" {
		d.Of = &memory.Record{ID: t.Record, Line: t.Line}
	}
	if t.Cut {
		s.cut++
	}
	table, _, _ := strings.Cut(t.Field, ".")
	r := s.judge.Open(&d, func(f memory.Finding) {
		if f.Field == "" {
			f.Field = t.Field
		} else {
			f.Field = table + "." + f.Field
		}
		s.report(f)
	})
	const whole = 1 << 20
	if len(text) <= whole {
		r.Piece(judge.Piece{Text: text, Line: 1, Column: 1})
	} else {
		r.Piece(judge.Piece{Text: text, Line: 1, Column: 1, InLine: true})
	}
	r.Done()
}

// unread says which texts were not judged.
func (s *stored) unread() []string {
	if s.cut == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the rest of values in the database that are too large to be read whole: %d", s.cut)}
}

// stored judges the texts of a snapshot's store. It returns what was not judged, and whether it
// reached all texts.
func (a *Auditor) stored(
	ctx context.Context,
	j *judge.Judge,
	s *memory.Snapshot,
	t system.Texter,
	k *verdicts,
	p *pool,
) (unread []string, all bool) {
	revs, now := knownTexts(s, k)
	known := maps.Clone(now)
	var rest []memory.Finding // findings in texts of no listed record
	var at memory.ID
	var found []memory.Finding
	done := func() {
		if rev, ok := revs[at]; ok {
			now[at] = recordFindings{rev, append(now[at].findings, found...)}
		} else {
			rest = append(rest, found...)
		}
		found = nil
	}
	unseen := map[memory.ID]bool{}
	for i := range s.Records {
		if r := &s.Records[i]; r.Flags&memory.FlagUnseen != 0 {
			unseen[r.ID] = true
		}
	}
	texts := newStored(j, a.docOf(s.Place), func(f memory.Finding) {
		f.Fixable = f.Fixable && s.ReadOnly == ""
		if unseen[f.ID] {
			f.Recalled = notSeen
		}
		found = append(found, f)
	})
	size := 0
	err := t.Texts(ctx, func(id memory.ID) bool { _, ok := known[id]; return !ok }, func(x system.Text) error {
		if x.Record != at {
			done()
			at = x.Record
		}
		if size += len(x.Text); size > mostOpen {
			found, at = nil, "" // the record was not judged completely
			return errEnough
		}
		texts.text(x)
		return nil
	})
	done()
	k.texts.Store(&now)
	unread = texts.unread()
	switch {
	case errors.Is(err, errEnough):
		unread = append(unread, fmt.Sprintf("%d of %s", len(revs)-len(now), s.Noun.Count(len(revs))))
	case err != nil:
		unread = append(unread, "what could not be read: "+err.Error())
	}
	for _, r := range now {
		for _, f := range r.findings {
			p.add(f, 0)
		}
	}
	for _, f := range rest {
		p.add(f, 0)
	}
	return unread, err == nil
}

// knownTexts returns the revisions of a snapshot's records, and the findings in the records that
// have not changed.
func knownTexts(s *memory.Snapshot, k *verdicts) (map[memory.ID]memory.Revision, map[memory.ID]recordFindings) {
	before := *k.texts.Load()
	revs, now := make(map[memory.ID]memory.Revision, len(s.Records)), make(map[memory.ID]recordFindings, len(s.Records))
	for i := range s.Records {
		r := &s.Records[i]
		revs[r.ID] = r.Rev
		known, ok := before[r.ID]
		if !ok || known.rev != r.Rev {
			continue
		}
		known.findings = slices.Clone(known.findings)
		for j := range known.findings { // newer records may precede it
			known.findings[j].Line = r.Line
		}
		now[r.ID] = known
	}
	return revs, now
}

// docOf returns the document that the texts of a store belong to.
func (a *Auditor) docOf(p memory.Place) judge.Doc {
	form := a.form(p.System, func(f *system.Form) bool { return f.ByRecord })
	return judge.Doc{Path: p.Path, Store: p.Store, File: p.Store.Path(), OnDisk: true, Form: form}
}

// folder judges the texts of a store that is a folder.
func (r *run) folder(id memory.StoreID, seen *memory.Audit) {
	t, place := r.auditor.c.Texter(id)
	if t == nil || r.ctx.Err() != nil {
		return
	}
	d := r.auditor.docOf(place)
	records, files, err := r.texts(d, t)
	seen.Files += files
	if d.Form != nil {
		r.count(d.Form, records)
	}
	if err != nil && r.ctx.Err() == nil {
		seen.Failed = append(
			seen.Failed,
			memory.Unread{Path: place.Path, Problem: &memory.Problem{Code: "unreadable-store", What: err.Error()}},
		)
	}
}

// texts judges the texts of a store that is read record by record. It returns how many records and
// texts it read.
func (r *run) texts(d judge.Doc, from system.Texter) (records, texts int, err error) {
	s := newStored(r.judge, d, func(f memory.Finding) { r.pool.add(f, 0) })
	of := map[memory.ID]bool{}
	err = from.Texts(r.ctx, nil, func(t system.Text) error {
		if t.Line > 0 && !t.Aside {
			of[t.Record] = true
		}
		texts++
		s.text(t)
		return nil
	})
	r.addUnread(append(s.unread(), FreePages)...)
	return len(of), texts, err
}

// recordFindings are the findings in one revision of a record.
type recordFindings struct {
	rev      memory.Revision
	findings []memory.Finding
}

// notSeen says that no agent reads a record.
const notSeen = "no: the agent does not see it where it is"

// judgeTexts judges records that are not lines of a file, each as plain text.
func (a *Auditor) judgeTexts(j *judge.Judge, s *memory.Snapshot, k *verdicts, p *pool) {
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

// textForm returns the form that says how a text of a system appears in a prompt, or nil if none is
// known.
func (a *Auditor) textForm(id memory.SystemID, path string) *system.Form {
	lands := func(f *system.Form) bool { return f.Land != nil && !f.Lines && !f.Database }
	named := func(f *system.Form) bool { return lands(f) && f.Named != nil && f.Named(filepath.ToSlash(path)) }
	return cmp.Or(a.form(id, named), a.form(id, lands))
}
