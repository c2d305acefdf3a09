package arbiter

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/form"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// Decode implements [system.Composer].
func (s *store) Decode(stored string) memory.Record {
	sc := s.lastSchema()
	r, err := decodeRow(stored)
	if err != nil {
		rec := memory.Record{ID: newLesson, Raw: stored, Problem: &memory.Problem{
			Code: "not-a-row",
			What: "This is no row of the lessons: " + err.Error() + ".",
			Hint: "delete it, or put back an earlier form",
		}}
		annotate.Mark(&rec)
		return rec
	}
	return sc.lessonRecord(&r, stored, 0)
}

// Compose implements [system.Composer]. The title is the signature, and the scope is the tenant and
// the agent.
func (s *store) Compose(stored string, e memory.Edit) (string, error) {
	if e.Raw != nil {
		r, err := decodeRow(*e.Raw)
		if err != nil {
			return "", notValid("raw", err.Error())
		}
		return r.encode(), r.valid()
	}
	now := s.now().Unix()
	r := row{nil, int64(0), defaultAgent, "", "", int64(0), now, now, now}
	if stored != "" {
		var err error
		if r, err = decodeRow(stored); err != nil {
			return "", notValid("row", err.Error())
		}
	}
	was := r
	if err := s.set(&r, e); err != nil {
		return "", err
	}
	if stored != "" && r != was && !sameTexts(&r, &was) {
		r[colUpdated] = now
	}
	if r == was && stored != "" {
		return stored, nil
	}
	return r.encode(), r.valid()
}

// sameTexts reports whether two rows agree in everything that a person writes.
func sameTexts(a, b *row) bool {
	return a[colTenant] == b[colTenant] && a[colAgent] == b[colAgent] && a[colSignature] == b[colSignature] &&
		a[colText] == b[colText]
}

// set sets the fields of an edit in a row.
func (s *store) set(r *row, e memory.Edit) error {
	if field := system.Sets(e, "outcome", "tools", "kind", "name"); field != "" {
		return &memory.Problem{
			Code: "no-such-field",
			What: "A lesson of Arbiter has no " + field + ".",
			Hint: "set its signature, text, hits or agent",
		}
	}
	if e.Title != nil && !(r[colSignature] == "" && *e.Title == annotate.Title(r.text(colText))) {
		r[colSignature] = *e.Title
	}
	if e.Body != nil {
		r[colText] = *e.Body
	}
	if e.Count != nil {
		r[colHits] = int64(*e.Count)
	}
	if e.Scope == nil || *e.Scope == "" {
		return nil
	}
	sc := s.lastSchema()
	id, agent, err := sc.tenantAndAgent(*e.Scope)
	if err != nil {
		return &memory.Problem{
			Code: "no-scope",
			What: "No tenant is called as in " + *e.Scope + ".",
			Hint: "name tenant and agent as the list of scopes does: acme/scout",
		}
	}
	r[colTenant], r[colAgent] = id, cmp.Or(agent, defaultAgent)
	return nil
}

// valid returns a problem if Arbiter itself would not store the row.
func (r *row) valid() error {
	refuse := func(applies bool, field, why string) *memory.Problem {
		p := notValid(field, why)
		return system.Refuse(applies, p.Code, p.What, p.Hint)
	}
	var p *memory.Problem
	for _, col := range [...]int{colAgent, colSignature, colText} {
		v, _ := r[col].(string) // an odd row keeps its values
		p = cmp.Or(
			p,
			refuse(strings.IndexByte(v, 0) >= 0, columns[col], "it holds a NUL, at which Arbiter ends a text"),
			refuse(!utf8.ValidString(v), columns[col], "it is not UTF-8"),
		)
	}
	signature, text := len(r.text(colSignature)), len(r.text(colText))
	p = cmp.Or(
		p,
		refuse(
			signature > signatureBytes,
			"signature",
			fmt.Sprintf("it is %d bytes long, and %d are allowed", signature, signatureBytes),
		),
		refuse(text == 0, "lesson_text", "it is empty"),
		refuse(
			text > textBytes,
			"lesson_text",
			fmt.Sprintf("it is %d bytes long, and %d are allowed", text, textBytes),
		),
		refuse(r.number(colHits) < 0, "hit_count", "it is less than 0"),
	)
	if p != nil {
		return p
	}
	return nil
}

func notValid(field, why string) *memory.Problem {
	return &memory.Problem{
		Code: "not-valid",
		What: "The " + field + " cannot be stored: " + why + ".",
		Hint: "change it and try again",
	}
}

// Unite implements [system.Composer].
func (s *store) Unite(stored []string, e memory.Edit) (string, error) {
	first, err := decodeRow(stored[0])
	if err != nil {
		return "", notValid("row", err.Error())
	}
	for _, other := range stored[1:] {
		r, err := decodeRow(other)
		if err != nil {
			continue
		}
		first.raise(&r)
	}
	return s.Compose(first.encode(), e)
}

// raise gives a row the higher count and the later time of use of the two rows.
func (r *row) raise(other *row) {
	for _, col := range [...]int{colHits, colSeen} {
		if n, ok := other[col].(int64); ok && n > r.number(col) {
			r[col] = n
		}
	}
}

// Recalled implements [system.Composer].
func (s *store) Recalled(stored string) (string, error) {
	r, err := decodeRow(stored)
	if err != nil {
		return "", notValid("row", err.Error())
	}
	r[colHits], r[colSeen] = r.number(colHits)+1, s.now().Unix()
	return r.encode(), nil
}

// Redact implements [system.Composer].
func (s *store) Redact(stored string, redaction memory.Redaction) (string, int) {
	redacted, n := annotate.Redact(stored, redaction)
	if r, err := decodeRow(redacted); n > 0 && err == nil {
		r[colUpdated] = s.now().Unix()
		return r.encode(), n
	}
	return redacted, n
}

// Share implements [system.Sharer]. A lesson does not name a session.
func (s *store) Share(stored string, text, _ func(string) string) (string, bool) {
	r, err := decodeRow(stored)
	if err != nil || r.oddColumn() != "" && r[colID] != nil {
		return "", false
	}
	r[colSignature], r[colText] = text(r.text(colSignature)), text(r.text(colText))
	return r.encode(), true
}

const formHead = `# A lesson of Arbiter. Change the values below, save and leave the editor.
#   signature    what it is about, at most 200 bytes
#   lesson_text  what was learnt, at most 4096 bytes; \n is a line break
#   hit_count    how often it was put before a message
`

// newHead is the extra text in the form of a new lesson. endHead ends every head.
const (
	newHead = `#   scope        tenant and agent that it is for, as acme/scout; empty: the first tenant's own
`
	endHead = `# When nothing is changed nothing is written.
`
)

const noForm = `# This is no row whose fields could be edited.
# Edit the raw form or delete it.
`

// formFields returns the fields of a row for its form. A new lesson also has a scope.
func formFields(stored string) ([]form.Field, error) {
	r := row{nil, nil, "", "", "", int64(0), nil, nil, nil}
	if stored != "" {
		var err error
		if r, err = decodeRow(stored); err != nil {
			return nil, err
		}
	}
	fields := []form.Field{
		{Name: "signature", Value: jstext.StringValue(wellFormed(r.text(colSignature))), Sets: form.Title},
		{Name: "lesson_text", Value: jstext.StringValue(wellFormed(r.text(colText))), Sets: form.Body},
		{Name: "hit_count", Value: jstext.NumberValue(float64(r.number(colHits))), Sets: form.Count},
	}
	if stored == "" {
		fields = append(fields, form.Field{Name: "scope", Value: jstext.StringValue(""), Sets: form.Scope})
	}
	return fields, nil
}

// Form implements [system.Composer].
func (s *store) Form(stored string) string {
	fields, err := formFields(stored)
	switch {
	case err != nil:
		return noForm
	case stored == "":
		return form.Write(formHead+newHead+endHead, fields)
	}
	return form.Write(formHead+endHead, fields)
}

// ParseForm implements [system.Composer].
func (s *store) ParseForm(stored, text string) (memory.Edit, error) {
	fields, err := formFields(stored)
	if err != nil {
		return memory.Edit{}, notValid("row", err.Error())
	}
	return form.Read(wellFormed(strings.TrimPrefix(text, "\ufeff")), fields)
}
