package claudecode

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/charset"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

var (
	_ system.Composer = (*store)(nil)
)

// Decode implements [system.Composer]. The ID of a topic comes from the name in its header. Any
// other file gets an empty ID.
func (s *store) Decode(stored string) memory.Record {
	r, h := decoded(stored)
	if name := h.text("name"); h.root != nil && r.Kind != "" && fileName().MatchString(name) {
		r.ID = memory.ID(memoryPrefix + name + ".md")
	}
	annotate.Mark(&r)
	return r
}

// fileName matches the file name of a new topic, without its extension.
var fileName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$`)
})

// Compose implements [system.Composer].
func (s *store) Compose(stored string, e memory.Edit) (string, error) {
	if e.Outcome != nil || e.Tools != nil || e.Count != nil || e.Scope != nil {
		return "", refused("fields", "A memory of Claude Code has a description, a type and a text, and no outcome, tools or count.", "leave those out")
	}
	if e.Raw != nil {
		return *e.Raw, nil
	}
	if stored == "" {
		return s.newTopic(e)
	}
	if e.Name != nil {
		return "", refused("name", "A memory cannot be given another name here: links and the index go by it.", "add a new one and delete this")
	}
	text, err := stored, error(nil)
	if e.Kind != nil || e.Body != nil || e.Title != nil {
		text = charset.Narrow(stored)
	}
	for _, set := range [...]struct {
		to   *string
		with func(text, to string) (string, error)
	}{{e.Kind, withType}, {e.Body, withBody}, {e.Title, withTitle}} {
		if set.to == nil {
			continue
		}
		if !utf8.ValidString(*set.to) {
			return "", refused("utf-8", "The text is not valid UTF-8.", "type it again")
		}
		if text, err = set.with(text, *set.to); err != nil {
			return "", err
		}
	}
	return text, nil
}

func refused(code, what, hint string) *memory.Problem {
	return &memory.Problem{Code: code, What: what, Hint: hint}
}

// unknownType refuses a kind that is not a memory type.
func unknownType(kind string) *memory.Problem {
	return system.Refuse(
		!slices.Contains(types[:], kind), "type", "The type of a memory is user, feedback, project or reference.",
		"choose one of them",
	)
}

// newTopic returns the file of a new topic, in the newer form of the header.
func (s *store) newTopic(e memory.Edit) (string, error) {
	if s.sort == ofUser {
		return "", refused(
			"no-topics", "Claude Code has no memories that hold for all projects.",
			"write it into CLAUDE.md, or add it to a project",
		)
	}
	kind, title := cmp.Or(system.Given(e.Kind), "project"), system.Given(e.Title)
	body := strings.Trim(system.Given(e.Body), "\r\n")
	name, err := strings.TrimSuffix(system.Given(e.Name), ".md"), error(nil)
	if e.Name == nil {
		name, err = s.named(kind, title)
	}
	p := cmp.Or(
		unknownType(kind),
		system.Refuse(
			strings.TrimSpace(title) == "", "description", "A new memory needs a description: by that it is chosen.",
			"say in one line what it is about",
		),
		system.Refuse(err == nil && (!fileName().MatchString(name) || strings.EqualFold(name, stem(indexName))), "name",
			"The name of a memory has letters, digits, - and _, at most 80, and is not MEMORY.", "choose another name"),
		system.Refuse(
			!utf8.ValidString(title) || !utf8.ValidString(body), "utf-8", "The text is not valid UTF-8.",
			"type it again",
		))
	switch {
	case p != nil:
		return "", p
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata: \n  node_type: memory\n  type: %s\n---\n\n%s\n", quotedName(name), quoted(title), kind, body), nil
}

// quotedName returns a name as a YAML value. It adds quotes unless YAML reads the name as a string
// anyway.
func quotedName(name string) string {
	if strings.ContainsAny(name[:1], "0123456789") || strings.EqualFold(name, "null") || len(name) <= 5 {
		return quoted(name)
	}
	return name
}

// named derives a name from the type and the words of a description. A few random characters make
// it unique.
func (s *store) named(kind, title string) (string, error) {
	name := kind
	separates := func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) }
	for w := range strings.FieldsFuncSeq(strings.ToLower(title), separates) {
		if len(name)+len(w) > 40 {
			break
		}
		name += "_" + w
	}
	var b [2]byte
	if _, err := io.ReadFull(s.rand, b[:]); err != nil {
		return "", refused(
			"no-randomness", "The system gives no random bytes: "+err.Error()+".", "try again; nothing was changed",
		)
	}
	return name + "_" + hex.EncodeToString(b[:]), nil
}

// withType returns a text with a different type in its header.
func withType(text, kind string) (string, error) {
	if p := unknownType(kind); p != nil {
		return "", p
	}
	h := headerOf(text)
	if h.root == nil {
		return "", noHeader(&h)
	}
	return checked(h.set(text, "type", kind), func(r *memory.Record) bool { return r.Kind == kind })
}

// withTitle returns a text with a different description or, if it has none, a different first
// heading.
func withTitle(text, title string) (string, error) {
	h := headerOf(text)
	if h.has("description") || h.has("name") || h.has("type") {
		if h.root == nil {
			return "", noHeader(&h)
		}
		return checked(h.set(text, "description", title), func(r *memory.Record) bool { return r.Title == title })
	}
	if strings.ContainsAny(title, "\r\n") || strings.TrimSpace(title) != title || title == "" {
		return "", refused(
			"title", "The title of this file is its first heading, which is one line.", "leave the line breaks out",
		)
	}
	body := h.body
	if h.problem != "" {
		return "", noHeader(&h)
	}
	from, to, ok := heading(text[body:])
	if !ok {
		return "", refused(
			"title", "This file has no description and no heading that could be another.", "edit its text",
		)
	}
	return checked(text[:body+from]+title+text[body+to:], func(r *memory.Record) bool { return r.Title == title })
}

func noHeader(h *header) *memory.Problem {
	if h.problem != "" {
		return refused("frontmatter", h.problem, "edit the whole text and mend the header first")
	}
	return refused("frontmatter", "This file has no header, and it is not given one.", "edit its text")
}

// checked returns a text if it decodes to what was set.
func checked(text string, says func(r *memory.Record) bool) (string, error) {
	if r, _ := decoded(text); r.Problem != nil || !says(&r) {
		return "", refused("not-set", "This cannot be set without changing more of the header.", "edit the whole text")
	}
	return text, nil
}

// withBody returns a text with a different body. The empty lines around it stay.
func withBody(text, body string) (string, error) {
	h := headerOf(text)
	if h.problem != "" && h.body == len(text) {
		return "", noHeader(&h)
	}
	from, to := bodyOf(text, &h)
	body = strings.Trim(body, "\r\n")
	if isCRLF(text) {
		body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\n", "\r\n")
	}
	tail := text[to:]
	if tail == "" || from == to { // there was none before
		tail = newline(text)
	}
	return text[:from] + body + tail, nil
}

// bodyOf returns the bytes of the body of a text, without the empty lines around it.
func bodyOf(text string, h *header) (from, to int) {
	rest := text[h.body:]
	from = h.body + len(rest) - len(strings.TrimLeft(rest, "\r\n"))
	to = max(from, len(strings.TrimRight(text, "\r\n")))
	return from, to
}

// isCRLF reports whether every line of a text ends with CR LF.
func isCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

const emptyForm = "---\nname: \ndescription: \"\"\nmetadata: \n  node_type: memory\n  type: project\n---\n\n"

// Form implements [system.Composer]. The form is the file itself.
func (s *store) Form(stored string) string {
	if stored == "" {
		return emptyForm
	}
	return charset.Narrow(stored)
}

// ParseForm implements [system.Composer].
func (s *store) ParseForm(stored, form string) (memory.Edit, error) {
	if form == s.Form(stored) || form == stored+"\n" {
		return memory.Edit{}, nil
	}
	now, h := decoded(form)
	if stored == "" {
		if h.root == nil {
			return memory.Edit{}, noHeader(&h)
		}
		title := h.text("description")
		e := memory.Edit{Title: &title, Body: &now.Body}
		if kind := h.text("type"); kind != "" {
			e.Kind = &kind
		}
		if name := h.text("name"); name != "" {
			e.Name = &name
		}
		return e, nil
	}
	was, _ := decoded(stored)
	if h.problem != "" && was.Problem == nil {
		return memory.Edit{}, refused("frontmatter", h.problem, "close the header with a line of three dashes, and put values in quotes")
	}
	e := changed(&was, &now)
	// If the title is part of the body, two edits can give the same form.
	for _, try := range [...]memory.Edit{{Title: e.Title}, {Body: e.Body}, {Kind: e.Kind}, e} {
		if text, err := s.Compose(stored, try); err == nil && text == form {
			return try, nil
		}
	}
	return memory.Edit{Raw: &form}, nil
}

// changed returns the fields in which two records differ.
func changed(was, now *memory.Record) (e memory.Edit) {
	if was.Title != now.Title {
		e.Title = &now.Title
	}
	if was.Body != now.Body {
		e.Body = &now.Body
	}
	if was.Kind != now.Kind {
		e.Kind = &now.Kind
	}
	return e
}

// Unite implements [system.Composer].
func (s *store) Unite(stored []string, e memory.Edit) (string, error) {
	return s.Compose(stored[0], e)
}

// Redact implements [system.Composer].
func (s *store) Redact(stored string, redaction memory.Redaction) (string, int) {
	return annotate.Redact(stored, redaction)
}

// Reconcile implements [system.Composer]. It merges an index line by line. Of other files it merges
// the description, the type and the text.
func (s *store) Reconcile(made memory.Forms, theirs string) (string, system.Relation) {
	mine, was := made.Mine(), made.Earlier()
	if mine == theirs || len(was) == 0 {
		return theirs, system.Kept
	}
	if slices.Contains(was, theirs) {
		return mine, system.Reverted
	}
	base := made[len(made)-1].Before
	if merged, settled, ok := settleIndex(base, mine, theirs); ok {
		return merged, settled
	}
	return s.settleFields(base, mine, theirs)
}

func (s *store) settleFields(base, mine, theirs string) (string, system.Relation) {
	b, _ := decoded(base)
	m, _ := decoded(mine)
	t, _ := decoded(theirs)
	set := changed(&b, &m)
	if text, err := s.Compose(base, set); err != nil || text != mine || t.Problem != nil {
		return mine, system.Diverged
	}
	settled := system.Kept
	for _, f := range [...]struct {
		set                *string
		base, mine, theirs string
	}{{set.Title, b.Title, m.Title, t.Title}, {set.Body, b.Body, m.Body, t.Body}, {set.Kind, b.Kind, m.Kind, t.Kind}} {
		switch {
		case f.set == nil || f.theirs == f.mine:
		case f.theirs == f.base:
			settled = max(settled, system.Reverted)
		default:
			settled = system.Diverged
		}
	}
	merged, err := s.Compose(theirs, set)
	if err != nil {
		return mine, system.Diverged
	}
	return merged, settled
}

// oneLine returns a text on one line, for the index.
func oneLine(text string) string {
	return jstext.WellFormed(strings.Join(strings.Fields(text), " "))
}
