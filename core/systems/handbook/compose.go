package handbook

import (
	"cmp"
	"strconv"
	"strings"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// Decode implements [system.Composer]. The record's ID is the slug of its name.
func (s *store) Decode(stored string) memory.Record { return recordOf("", stored) }

// Compose implements [system.Composer]. The title is the description. The name of an existing
// memory stays, since its file and its links are named after it.
func (s *store) Compose(stored string, e memory.Edit) (string, error) {
	switch {
	case e.Raw != nil:
		return composedRaw(stored, *e.Raw)
	case stored == "":
		return composedNew(e)
	}
	if p := fieldless(e); p != nil {
		return "", p
	}
	f, ok := frame(stored)
	if !ok {
		return "", &memory.Problem{
			Code: "no-header",
			What: "The file has no header whose fields could be set.",
			Hint: "edit its raw form, or repair it",
		}
	}
	if e.Name != nil && *e.Name != f.note().name {
		return "", &memory.Problem{
			Code: "name",
			What: "The name of a memory is that of its file and stays.",
			Hint: "add a new memory of that name, and delete this one",
		}
	}
	return f.set(e)
}

// set sets the fields of e in the file, and keeps all other bytes.
func (f framed) set(e memory.Edit) (string, error) {
	text, was := f.text, f.note()
	is, p := was.with(e)
	if p != nil {
		return "", p
	}
	if is.body != was.body {
		text = replaceBody(text, f.body, is.body)
	}
	if is.kind != was.kind {
		text = f.put(text, "type", is.kind)
		f, _ = frame(text)
	}
	if is.description != was.description {
		text = f.put(text, "description", is.description)
	}
	return text, nil
}

// with returns the note with the fields of e set. It does not validate what stays the same.
func (n note) with(e memory.Edit) (note, *memory.Problem) {
	is := n
	for _, f := range [...]struct{ to, set *string }{
		{&is.description, e.Title},
		{&is.body, e.Body},
		{&is.kind, e.Kind},
	} {
		if f.set != nil {
			*f.to = jstext.Trim(*f.set)
		}
	}
	var p *memory.Problem
	if is.description != n.description {
		p = badLine("description", is.description)
	}
	if is.body != n.body {
		p = cmp.Or(p, badBody(is.body))
	}
	return is, cmp.Or(
		p,
		system.Refuse(
			is.kind != n.kind && !isKind(is.kind),
			"type",
			strconv.Quote(is.kind)+" is no type of a memory.",
			"take fact, preference or decision",
		),
	)
}

// put returns text, which has the header f, with a new value for a key. A new key goes last.
func (f framed) put(text, key, to string) string {
	v, there := f.last(key)
	if !there {
		return text[:f.close] + "\n" + key + ": " + to + text[f.close:]
	}
	if v.text == "" && !strings.HasSuffix(text[:v.start], " ") {
		to = " " + to
	}
	return text[:v.start] + to + text[v.end:]
}

// replaceBody replaces the text from at on, but keeps the white space around it. If there is no
// white space, it writes what the agent would write.
func replaceBody(text string, at int, body string) string {
	old := jstext.Trim(text[at:])
	if old == "" {
		return text[:at] + strings.Repeat("\n", min(1, len(text)-at+1)) + body + "\n"
	}
	start := at + strings.Index(text[at:], old)
	return text[:start] + body + text[start+len(old):]
}

func composedNew(e memory.Edit) (string, error) {
	n, inText := note{kind: fact}.with(e)
	n.name = slug(cmp.Or(system.Given(e.Name), n.description))
	p := cmp.Or(
		fieldless(e),
		badLine("description", n.description),
		badBody(n.body),
		inText,
		system.Refuse(
			n.name == "",
			"name",
			"The name has no English letter or digit, of which its file could be called.",
			"give it another name",
		),
		system.Refuse(strings.EqualFold(n.name+ending, indexName), "name",
			"A memory cannot be called memory: on some disks its file is that of the index.", "give it another name"),
	)
	if p != nil {
		return "", p
	}
	return n.text(), nil
}

// composedRaw returns a raw form if the agent can read it.
func composedRaw(stored, raw string) (string, error) {
	if looksLikeIndex([]byte(stored)) {
		return "", &memory.Problem{Code: "fixed", What: derivedIndex, Hint: "change the memories themselves"}
	}
	if _, ok := parse(jstext.Decode([]byte(raw))); !ok {
		p := passedOver(raw)
		return "", &memory.Problem{
			Code: p.Code,
			What: p.What,
			Hint: "begin with ---, name:, description: and ---, each on a line of its own",
		}
	}
	return raw, nil
}

// fieldless refuses fields that a memory does not have.
func fieldless(e memory.Edit) *memory.Problem {
	field := system.Sets(e, "outcome", "tools", "count", "scope")
	return system.Refuse(
		field != "",
		"no-field",
		"A memory of the Handbook has no "+field+".",
		"set its description, type or body",
	)
}

// badLine refuses a text that cannot be a header line.
func badLine(field, text string) *memory.Problem {
	return cmp.Or(
		system.Refuse(
			text == "",
			"empty-text",
			"The "+field+" is empty: the agent would pass over the file.",
			"say in one line what the memory is about",
		),
		system.Refuse(
			strings.ContainsAny(text, lineEnds),
			"line-break",
			"The "+field+" has more than one line: what follows the first would be read as another field, or end the header.",
			"write one line",
		),
	)
}

func badBody(text string) *memory.Problem {
	size, most := strconv.Itoa(len(text)), strconv.Itoa(maxBody)
	return cmp.Or(
		system.Refuse(text == "", "empty-text", "The body is empty.", "say what is to be remembered"),
		system.Refuse(
			len(text) > maxBody,
			"too-long",
			"The body has "+size+" bytes, and the agent writes at most "+most+".",
			"keep one fact, and put the rest in another memory",
		),
	)
}

// Form implements [system.Composer]. The form is the file as the agent would write it.
func (s *store) Form(stored string) string {
	n := note{kind: fact}
	if stored != "" {
		f, ok := frame(jstext.Decode([]byte(stored)))
		if !ok {
			return ""
		}
		n = f.note()
	}
	return strings.TrimSuffix(n.text(), "\n\n") + "\n"
}

// ParseForm implements [system.Composer].
func (s *store) ParseForm(stored, form string) (memory.Edit, error) {
	form = strings.ReplaceAll(jstext.Decode([]byte(form)), "\r\n", "\n")
	if jstext.Trim(form) == "" {
		return memory.Edit{}, nil
	}
	f, ok := frame(form)
	if !ok {
		return memory.Edit{}, &memory.Problem{
			Code: "form",
			What: "line 1: the header must stand between two lines of three dashes",
			Hint: "keep the lines ---",
		}
	}
	if p := f.unknown(); p != nil {
		return memory.Edit{}, p
	}
	was := note{kind: fact}
	if stored != "" {
		old, _ := frame(jstext.Decode([]byte(stored)))
		was = old.note()
	}
	is := f.note()
	if kind, stated := f.last("type"); stated && kind.text != "" {
		is.kind = kind.text // Compose checks whether it is a valid one
	}
	return memory.Edit{
		Name: system.Changed(was.name, is.name), Title: system.Changed(was.description, is.description),
		Kind: system.Changed(was.kind, is.kind), Body: system.Changed(was.body, is.body),
	}, nil
}

// unknown refuses a form line that says nothing.
func (f framed) unknown() *memory.Problem {
	for i, l := range strings.Split(f.text[len(opening):max(f.close, len(opening))], "\n") {
		if l = jstext.Trim(l); l == "" {
			continue
		}
		if v, ok := valueOf(l); !ok || v.key != "name" && v.key != "description" && v.key != "type" {
			return &memory.Problem{
				Code: "form",
				What: "line " + strconv.Itoa(i+2) +
					": a line of the header is name:, description: or type:, and a text",
				Hint: "write each on one line; the body stands below the header",
			}
		}
	}
	return nil
}

// Unite implements [system.Composer].
func (s *store) Unite(stored []string, e memory.Edit) (string, error) {
	return s.Compose(stored[0], e)
}

// Mend implements [system.Composer]. It repairs the header so that the agent can read it.
func (s *store) Mend(stored string) (string, bool) {
	text := jstext.Decode([]byte(stored))
	if _, ok := parse(text); ok || looksLikeIndex([]byte(text)) {
		return "", false
	}
	text = strings.TrimLeft(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff \t\n")
	head, body, closed := strings.Cut(text, closing)
	if !closed {
		return "", false
	}
	lines := strings.Split(head, "\n")
	for i, l := range lines {
		lines[i] = strings.NewReplacer("\r", " ", "\u2028", " ", "\u2029", " ").Replace(jstext.Trim(l))
	}
	text = strings.Join(lines, "\n") + closing + body
	_, ok := parse(text)
	return text, ok
}

// Redact implements [system.Composer].
func (s *store) Redact(stored string, redaction memory.Redaction) (string, int) {
	return annotate.Redact(stored, redaction)
}

var _ system.Composer = (*store)(nil)
