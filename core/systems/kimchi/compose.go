package kimchi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/entries"
	"winnow/core/memory"
	"winnow/core/system"
)

// Compose implements [system.Composer]. An entry is a single text, and its title is its first line.
// Whatever the tool itself would refuse is refused in the tool's own words.
func (s *store) Compose(stored string, e memory.Edit) (string, error) {
	if p := unknownField(e); p != nil {
		return "", p
	}
	text := stored
	switch {
	case e.Raw != nil:
		text = *e.Raw
	case e.Title != nil && e.Body != nil:
		text = *e.Title + "\n" + *e.Body
		if entries.FirstLine(*e.Body) == *e.Title {
			text = *e.Body
		}
	case e.Body != nil:
		text = *e.Body
	case e.Title != nil:
		text = *e.Title + strings.TrimPrefix(stored, entries.FirstLine(stored))
	}
	return s.d.composed(stored, text)
}

// unknownField refuses fields that an entry does not have.
func unknownField(e memory.Edit) *memory.Problem {
	field := system.Sets(e, "outcome", "tools", "count", "kind", "scope", "name")
	return system.Refuse(field != "", "no-field", "an entry is one text: it has no "+field, "leave it out")
}

// composed returns a typed text in its stored form, as a new entry or in place of another.
func (d *dialect) composed(stored, text string) (string, error) {
	if text == stored {
		return stored, nil
	}
	text = d.trim(join([]string{text}))
	if n := strings.Count(stored, "\r\n"); n > 0 && n == strings.Count(stored, "\n") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	why := d.scan(d.text(text))
	p := cmp.Or(
		system.Refuse(text == "" && stored == "", "empty-entry", noContent, "type what is to be remembered"),
		system.Refuse(
			text == "",
			"empty-entry",
			"new_content cannot be empty. Use 'remove' to delete entries.",
			"delete the entry instead",
		),
		system.Refuse(why != "", "blocked", why, d.name+"'s own tool says so; put it in other words"),
		system.Refuse(len(d.split(text).Spans) != 1, "delimiter",
			"The text holds a line that is only §, which parts entries: it would be read as more than one.",
			"leave that line out, or add the parts one by one"),
	)
	if p != nil {
		return "", p
	}
	return text, nil
}

// Form implements [system.Composer]. The form is the text itself.
func (s *store) Form(stored string) string {
	if stored == "" {
		return ""
	}
	return s.d.text(stored) + "\n"
}

// ParseForm implements [system.Composer].
func (s *store) ParseForm(stored, form string) (memory.Edit, error) {
	if form == s.Form(stored) {
		return memory.Edit{}, nil
	}
	text := s.d.trim(strings.ReplaceAll(form, "\r\n", "\n"))
	if stored != "" && text == s.d.trim(s.d.text(stored)) {
		return memory.Edit{}, nil
	}
	if _, err := s.d.composed(stored, text); err != nil {
		return memory.Edit{}, err
	}
	return memory.Edit{Body: &text}, nil
}

// Unite implements [system.Composer]. It returns the first text, followed by those lines of the
// others that it does not have yet.
func (s *store) Unite(stored []string, e memory.Edit) (string, error) {
	if e.Title != nil || e.Body != nil || e.Raw != nil {
		return s.Compose(stored[0], e)
	}
	text := stored[0]
	have := strings.Split(text, "\n")
	for _, other := range stored[1:] {
		for line := range strings.SplitSeq(other, "\n") {
			if !slices.Contains(have, line) {
				have = append(have, line)
				text += "\n" + line
			}
		}
	}
	return s.d.composed(stored[0], text)
}

// Share implements [system.Sharer].
func (s *store) Share(stored string, text, _ func(string) string) (string, bool) {
	shared := s.d.trim(text(s.d.text(stored)))
	return shared, shared != "" && len(s.d.split(shared).Spans) == 1
}

// overfull returns why the tool would not write a file that grows beyond its limit, or nil. was and
// now are the old and new contents of the file.
func (s *store) overfull(was, now string, w *system.Write) *memory.Problem {
	if takesBack(w) {
		return nil
	}
	l, _ := s.d.limits(s.Path)
	limit := l.limitOf(s.Path)
	before, after := s.d.used(s.d.entries(was)), s.d.used(s.d.entries(now))
	if after <= limit || after <= before {
		return nil
	}
	what := s.d.replacingFails(after, limit)
	for i := range w.Changes {
		if ch := &w.Changes[i]; ch.Do == memory.Adding {
			what = s.d.addingFails(before, limit, s.d.length(s.d.text(ch.After)))
		}
	}
	return &memory.Problem{
		Code: "over-limit", What: what,
		Hint: fmt.Sprintf("free %s chars first; %s counts them so", s.d.amount(after-limit), s.d.name),
	}
}

const noContent = "Content cannot be empty."

// addingFails is what the tool says about an addition that does not fit. Hermes also says what its
// model should do about it.
func (d *dialect) addingFails(used, limit, added int) string {
	return "Memory at " + d.amount(used) + "/" + d.amount(limit) + " chars. Adding this entry (" + strconv.Itoa(added) +
		" chars) would exceed the limit." + system.Say(d.id != Hermes, " Replace or remove existing entries first.")
}

// replacingFails is what the tool says about a longer text that does not fit.
func (d *dialect) replacingFails(used, limit int) string {
	return "Replacement would put memory at " + d.amount(used) + "/" + d.amount(limit) + " chars." +
		system.Say(d.id != Hermes, " Shorten the new content or remove other entries first.")
}
