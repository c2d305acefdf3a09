package kimchi

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// types are those that Kimchi asks its agents to use.
func types() []string { return []string{"user", "feedback", "project", "reference"} }

// Decode implements [system.Composer]. The name of a file is not in it: it is taken to
// be the one that a new file of that name would get, and MEMORY.md without one.
func (s *AgentStore) Decode(stored string) memory.Record {
	name := memoryFile
	if f := filestore.ParseFrontMatter(stored); f.Is {
		name = fileName(f.Value("name"))
	}
	return s.record(name, stored)
}

// notInName is what the name of a file has a dash for.
var notInName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9_]+`) })

// fileName returns the name of the file for a memory that is called so.
func fileName(called string) string {
	const most = 80
	name := notInName().ReplaceAllString(strings.ToLower(called), "-")
	return cmp.Or(strings.Trim(name[:min(len(name), most)], "-"), "memory") + ".md"
}

// Compose implements [system.Composer]. The title of a file is the description in its
// head, and of one without a head its first line; the kind is its type.
func (s *AgentStore) Compose(stored string, e memory.Edit) (string, error) {
	if e.Raw != nil {
		return *e.Raw, nil
	}
	if p := s.unknown(stored, e); p != nil {
		return "", p
	}
	if stored == "" {
		return newFile(e)
	}
	text := stored
	f := filestore.ParseFrontMatter(text)
	if e.Body != nil {
		body := *e.Body
		if strings.HasSuffix(stored[f.Body:], "\n") && !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		text = text[:f.Body] + body
	}
	if e.Kind != nil && f.Is {
		text = f.With(text, "type", *e.Kind)
		f = filestore.ParseFrontMatter(text)
	}
	switch {
	case e.Title == nil:
	case f.Is:
		text = f.With(text, "description", *e.Title)
	default:
		// Of the bytes, which may be no text, and without a byte order mark.
		old := strings.TrimPrefix(titleOf(text), "\ufeff")
		at := strings.Index(text, old)
		text = text[:at] + *e.Title + text[at+len(old):]
	}
	return text, nil
}

// unknown refuses what a file of an agent does not have, and what is not valid.
func (s *AgentStore) unknown(stored string, e memory.Edit) *memory.Problem {
	kind, title := system.Given(e.Kind), system.Given(e.Title)
	index := stored == "" && kind == kindIndex
	renamed := stored != "" && e.Name != nil
	e.Kind, e.Name, e.Scope = nil, nil, nil
	return cmp.Or(
		system.Refuse(kind != "" && !index && !slices.Contains(types(), kind), "bad-type",
			"the type of a memory is user, feedback, project or reference", "choose one of them"),
		system.Refuse(strings.ContainsAny(title, "\r\n"), "bad-title", "a description is one line", "put the rest into the text"),
		system.Refuse(renamed, "no-field", "the name of a file stays as it is", "add a new one and delete the old"),
		unknown(e))
}

// newFile returns a new file: the index, or one with a head.
func newFile(e memory.Edit) (string, error) {
	title, body := system.Given(e.Title), strings.TrimRight(system.Given(e.Body), "\n")
	name, kind := cmp.Or(system.Given(e.Name), title), cmp.Or(system.Given(e.Kind), "project")
	switch {
	case kind == kindIndex && title != "" && firstLine(body) != title:
		return title + "\n\n" + body + "\n", nil
	case kind == kindIndex:
		return body + "\n", nil
	case name == "":
		return "", &memory.Problem{Code: "no-name", What: "a new memory needs a name or a description", Hint: "say in one line what it is about"}
	}
	return "---\nname: " + filestore.Quoted(name) + "\ndescription: " + filestore.Quoted(title) + "\ntype: " + kind + "\n---\n" + body + "\n", nil
}

// The lines of a form.
const (
	formName        = "name: "
	formDescription = "description: "
	formType        = "type: "
)

// Form implements [system.Composer].
func (s *AgentStore) Form(stored string) string {
	f := filestore.ParseFrontMatter(stored)
	switch {
	case stored == "":
		return formName + "\n" + formDescription + "\n" + formType + "project\n\n"
	case !f.Is:
		return stored
	}
	return formDescription + f.Value("description") + "\n" + formType + f.Value("type") + "\n\n" + stored[f.Body:]
}

// ParseForm implements [system.Composer].
func (s *AgentStore) ParseForm(stored, form string) (e memory.Edit, _ error) {
	if form == s.Form(stored) {
		return memory.Edit{}, nil
	}
	f := filestore.ParseFrontMatter(stored)
	if stored != "" && !f.Is {
		title := titleOf(form)
		if only, err := s.Compose(stored, memory.Edit{Title: &title}); err == nil && only == form {
			return memory.Edit{Title: &title}, nil
		}
		return memory.Edit{Body: &form}, nil
	}
	head, body, ok := strings.Cut(form, "\n\n")
	if !ok {
		return e, &memory.Problem{Code: "no-head", What: "line 1: the form begins with its fields and an empty line", Hint: "keep the first lines"}
	}
	fields := map[string]**string{formName: &e.Name, formDescription: &e.Title, formType: &e.Kind}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if to, known := fields[key+": "]; known {
			*to = &value
		} else {
			return memory.Edit{}, &memory.Problem{Code: "no-field", What: "a line of the head is none of name, description and type", Hint: "put text behind the empty line"}
		}
	}
	e.Body = &body
	if stored != "" {
		e.Name = nil
		dropSame(&e.Title, f.Value("description"))
		dropSame(&e.Kind, f.Value("type"))
		dropSame(&e.Body, stored[f.Body:])
	}
	if p := s.unknown(stored, e); p != nil {
		return memory.Edit{}, p
	}
	return e, nil
}

func dropSame(field **string, is string) {
	if *field != nil && **field == is {
		*field = nil
	}
}

// Unite implements [system.Composer]: the first file, with the texts of the others
// behind its own.
func (s *AgentStore) Unite(stored []string, e memory.Edit) (string, error) {
	if e.Body == nil {
		f := filestore.ParseFrontMatter(stored[0])
		body := strings.TrimRight(stored[0][f.Body:], "\n")
		for _, other := range stored[1:] {
			body += "\n\n" + strings.Trim(other[filestore.ParseFrontMatter(other).Body:], "\n")
		}
		body += "\n"
		e.Body = &body
	}
	return s.Compose(stored[0], e)
}

// Redact implements [system.Composer].
func (s *AgentStore) Redact(stored string, which memory.Redaction) (string, int) {
	return annotate.Redact(stored, which)
}

// Share implements [system.Sharer].
func (s *AgentStore) Share(stored string, text, _ func(string) string) (string, bool) {
	return text(jstext.Decode([]byte(stored))), true
}
