package kimchi

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// types are the memory types that Kimchi tells its agents to use.
func types() []string { return []string{"user", "feedback", "project", "reference"} }

// readHead implements [instructions.Files.Read]. The header of a file gives the record its title,
// which is the description, and its kind. The file name is not in the header, so the record gets
// the ID that a new file of that name would get, or MEMORY.md without a name.
func readHead(r *memory.Record) {
	head := filestore.ParseFrontMatter(r.Raw)
	r.ID = memoryFile
	if head.Is {
		r.ID = memory.ID(fileName(head.Value("name")))
	}
	r.Body = strings.TrimSuffix(jstext.DecodeString(r.Raw[head.Body:]), "\n")
	r.Kind, r.Title = head.Value("type"), cmp.Or(head.Value("description"), head.Value("name"))
}

// notInName matches what a file name replaces by a dash.
var notInName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9_]+`) })

// fileName returns the file name for a memory of this name.
func fileName(called string) string {
	const most = 80
	name := notInName().ReplaceAllString(strings.ToLower(called), "-")
	return cmp.Or(strings.Trim(name[:min(len(name), most)], "-"), "memory") + ".md"
}

// Compose implements [system.Composer]. The title of a file is the description in its header, and
// the kind is its type. In a file without a header, only the text can be set.
func (s *agentStore) Compose(stored string, e memory.Edit) (string, error) {
	head := filestore.ParseFrontMatter(stored)
	if e.Raw != nil || stored != "" && !head.Is {
		return s.Store.Compose(stored, e)
	}
	title, kind := system.Given(e.Title), system.Given(e.Kind)
	field := system.Sets(e, "outcome", "tools", "count", "scope")
	p := cmp.Or(
		system.Refuse(field != "", "no-field", "a file of an agent has no "+field, "leave it out"),
		system.Refuse(kind != "" && kind != kindIndex && !slices.Contains(types(), kind) || kind == kindIndex && stored != "", "bad-type",
			"the type of a memory is user, feedback, project or reference", "choose one of them"),
		system.Refuse(
			strings.ContainsAny(title, "\r\n"), "bad-title", "a description is one line",
			"put the rest into the text",
		),
		system.Refuse(
			stored != "" && e.Name != nil, "no-field", "the name of a file stays as it is",
			"add a new one and delete the old",
		),
		system.Refuse(stored == "" && kind != kindIndex && cmp.Or(system.Given(e.Name), title) == "", "no-name",
			"a new memory needs a name or a description", "say in one line what it is about"))
	switch {
	case p != nil:
		return "", p
	case stored == "":
		return newFile(e), nil
	}
	return withFields(stored, head, e), nil
}

// withFields sets fields in a file with a header, and keeps all other bytes.
func withFields(text string, head filestore.FrontMatter, e memory.Edit) string {
	if e.Body != nil {
		ended := strings.HasSuffix(text[head.Body:], "\n") && !strings.HasSuffix(*e.Body, "\n")
		text = text[:head.Body] + *e.Body + system.Say(ended, "\n")
	}
	if e.Kind != nil {
		text = head.With(text, "type", *e.Kind)
	}
	if e.Title != nil {
		text = filestore.ParseFrontMatter(text).With(text, "description", *e.Title)
	}
	return text
}

// newFile returns a new file: the index, or a file with a header.
func newFile(e memory.Edit) string {
	title, kind := system.Given(e.Title), cmp.Or(system.Given(e.Kind), "project")
	body := strings.TrimRight(system.Given(e.Body), "\n") + "\n"
	if kind == kindIndex {
		return body
	}
	return headOf(filestore.Quoted(cmp.Or(system.Given(e.Name), title)), filestore.Quoted(title), kind) + body
}

// headOf returns the header of a file. The values are written as given.
func headOf(name, description, kind string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\ntype: " + kind + "\n---\n"
}

// Form implements [system.Composer]. The form is the file itself.
func (s *agentStore) Form(stored string) string {
	return cmp.Or(stored, headOf("", "", "project")+"\n")
}

// ParseForm implements [system.Composer].
func (s *agentStore) ParseForm(stored, form string) (e memory.Edit, _ error) {
	was, is := filestore.ParseFrontMatter(stored), filestore.ParseFrontMatter(form)
	switch {
	case form == s.Form(stored):
		return e, nil
	case stored != "" && !was.Is:
		return memory.Edit{Body: &form}, nil
	case !is.Is:
		return e, &memory.Problem{
			Code: "no-head", What: "line 1: the head must stand between two lines of three dashes",
			Hint: "keep the lines ---",
		}
	}
	e = memory.Edit{
		Name:  system.Changed(was.Value("name"), is.Value("name")),
		Title: system.Changed(was.Value("description"), is.Value("description")),
		Kind:  system.Changed(was.Value("type"), is.Value("type")),
		Body:  system.Changed(strings.TrimSuffix(stored[was.Body:], "\n"), strings.TrimSuffix(form[is.Body:], "\n")),
	}
	composed, err := s.Compose(stored, e)
	if err == nil && stored != "" && composed != form { // something else changed as well
		return memory.Edit{Raw: &form}, nil
	}
	return e, err
}

// Unite implements [system.Composer]. It appends the texts of the other files to the first file.
func (s *agentStore) Unite(stored []string, e memory.Edit) (string, error) {
	if e.Body == nil {
		var texts []string
		for _, file := range stored {
			texts = append(texts, strings.Trim(file[filestore.ParseFrontMatter(file).Body:], "\n"))
		}
		body := strings.Join(texts, "\n\n") + "\n"
		e.Body = &body
	}
	return s.Compose(stored[0], e)
}

// Share implements [system.Sharer].
func (s *agentStore) Share(stored string, text, _ func(string) string) (string, bool) {
	return text(jstext.DecodeString(stored)), true
}
