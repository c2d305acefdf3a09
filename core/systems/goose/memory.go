package goose

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"winnow/core/annotate"
	"winnow/core/entries"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// find looks for hints, and for the files of memory of the user and of the folder in which sessions start.
func find(ctx context.Context, env system.Env, hints *instructions.Product) memory.Survey {
	survey := hints.Find(ctx, env)
	add := func(dir, why string) {
		n := len(survey.Places)
		for _, path := range memoriesIn(dir) {
			p := placeOf(env, path, why)
			p.Exists = true
			survey.Found(p)
		}
		if found := len(survey.Places) - n; found > 0 {
			survey.Look(dir, found, "")
		}
	}
	if env.Dir != "" {
		dir := filestore.Real(env.Dir)
		for _, d := range filestore.Upwards(dir, instructions.Root(dir, ".git")) {
			add(filepath.Join(d, dataFolder, "memory"), "memory of this project")
		}
	}
	add(filepath.Join(homeOf(env), "memory"), "memory of this user")
	return survey
}

// memoriesIn returns the files of memory in a folder.
func memoriesIn(dir string) (paths []string) {
	const most = 500
	entries, _, _ := filestore.Names(dir, most) // a missing folder has none
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), memoryExt) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// isGlobal reports whether a path is that of a category of the user.
func isGlobal(env system.Env, path string) bool {
	return filepath.Dir(path) == filepath.Join(homeOf(env), "memory")
}

// isMemory reports whether a path is that of a category.
func isMemory(env system.Env, path string) bool {
	dir := filepath.Dir(path)
	isLocal := filepath.Base(dir) == "memory" && filepath.Base(filepath.Dir(dir)) == dataFolder
	return filepath.Ext(path) == memoryExt && (isLocal || isGlobal(env, path))
}

// placeOf returns the place of a category.
func placeOf(env system.Env, path, why string) memory.Place {
	p := memory.Place{
		Store: memory.StoreID(path), System: id, Path: path, Why: why, Name: asMemory + " " + category(path),
		Personal: isGlobal(env, path),
	}
	if !p.Personal {
		p.Project = filepath.Dir(filepath.Dir(filepath.Dir(path)))
	}
	return p
}

// category returns the name of a category.
func category(path string) string { return strings.TrimSuffix(filepath.Base(path), memoryExt) }

// memoryStore is one category.
type memoryStore struct {
	*entries.Store
	global bool
}

var (
	_ system.Snapshotter = (*memoryStore)(nil)
	_ system.Summarizer  = (*memoryStore)(nil)
	_ system.Recaller    = (*memoryStore)(nil)
	_ system.Watched     = (*memoryStore)(nil)
	_ system.Composer    = (*memoryStore)(nil)
	_ system.Writer      = (*memoryStore)(nil)
)

// openMemory returns the store of a category. The file need not exist.
func openMemory(env system.Env, path string, now func() time.Time) *memoryStore {
	s := &memoryStore{global: isGlobal(env, path)}
	s.Store = entries.NewStore(entries.Kind{
		Info:    system.Info{System: id, Name: "Goose", Noun: memory.Noun{One: "memory", Many: "memories"}},
		Place:   func(path, why string) memory.Place { return placeOf(env, path, why) },
		Entries: form(), Edited: edited, Complete: complete, Health: health,
		Words: map[string]memory.Problem{
			quietread.CodeMissing: {
				What: "There is no such category yet: the file does not exist.",
				Hint: "it appears when Goose remembers something in it",
			},
			"empty": {Code: "empty", What: "This category has no memories.", Hint: "tell Goose to remember something"},
		},
		Start: func(records []memory.Record) string {
			if s.global {
				return s.text(records).String()
			}
			return ""
		},
	}, path, now)
	return s
}

var emptyLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n\n`) })

// form returns how the memories of a category are written.
func form() *entries.Form {
	return &entries.Form{
		Delimiters: emptyLine, Delimiter: "\n\n", Sign: "\n\n", End: "\n\n", Trim: trimmed, Record: record,
		Inseparable: "An empty line parts memories: this would be read as more than one.",
	}
}

// trimmed returns a piece without the white space behind it. A line end before its first line is part of it: then
// Goose takes no tags from it.
func trimmed(piece string) string {
	if strings.TrimSpace(piece) == "" {
		return ""
	}
	return strings.TrimRight(piece, " \t\r\n")
}

// tagsOf returns the tags of a memory and its lines. Without tags it belongs to those that Goose calls untagged.
func tagsOf(raw string) (tags string, lines []string) {
	lines = strings.Split(strings.ReplaceAll(raw, "\r\n", "\n"), "\n")
	if rest, tagged := strings.CutPrefix(lines[0], "#"); tagged {
		return strings.Join(strings.Fields(rest), " "), lines[1:]
	}
	return untagged, lines
}

const untagged = "untagged"

// record returns the record of a memory, the n-th of its category.
func record(raw string, n int) memory.Record {
	tags, lines := tagsOf(raw)
	r := memory.Record{ID: entries.ID(raw), Line: n, Raw: raw, Body: raw}
	r.Title = annotate.Title(strings.Join(lines, "\n"))
	if tags != untagged {
		r.Facts = []memory.Fact{{Name: "tags", Text: tags}}
	}
	if r.Title == "" {
		r.Title = "# " + tags
		r.Notes = []string{"It has tags and no text: Goose gives nothing of it."}
	}
	annotate.Mark(&r)
	return r
}

// complete marks the memories that Goose loses when it reads a category: of those with the same tags it keeps the last.
func complete(records []memory.Record) {
	last := map[string]int{}
	for i := range records {
		tags, _ := tagsOf(records[i].Raw)
		last[tags] = i
	}
	for i := range records {
		tags, _ := tagsOf(records[i].Raw)
		if strings.HasPrefix(records[i].Raw, "#") && last[tags] != i {
			records[i].Flags |= memory.FlagUnseen
			records[i].Notes = append(records[i].Notes, "A later memory has the same tags: Goose gives only that one.")
		}
	}
}

// health says what is wrong with a category.
func health(_ *filestore.File, records []memory.Record) []memory.Health {
	isLost := func(r *memory.Record) bool { return r.Flags&memory.FlagUnseen != 0 }
	return []memory.Health{system.OnLines(entries.Lines(records, isLost), "same-tags", memory.Warn,
		"Some memories have the tags of a later one, and Goose gives only that.", "give them other tags, or merge them")}
}

// edited returns a memory with the fields of an edit set. It is one text, whose first line can have tags.
func edited(stored string, e memory.Edit) (string, error) {
	if field := system.Sets(e, "outcome", "tools", "count", "kind", "scope", "name"); field != "" {
		what := "a memory is one text: it has no " + field
		return "", &memory.Problem{Code: "no-field", What: what, Hint: "leave it out"}
	}
	text, title := stored, system.Given(e.Title)
	if e.Body != nil {
		text = *e.Body
	}
	switch shown := record(text, 1).Title; {
	case title == "" || title == shown:
	case stored == "" || e.Body != nil:
		text = title + "\n" + text
	default:
		text = strings.Replace(stored, shown, title, 1)
	}
	return trimmed(text), nil
}

// Unite implements [system.Composer]. It joins the texts, with the tags of the first.
func (s *memoryStore) Unite(stored []string, e memory.Edit) (string, error) {
	if e.Title != nil || e.Body != nil || e.Raw != nil {
		return s.Compose(stored[0], e)
	}
	text := stored[0]
	for _, other := range stored[1:] {
		_, lines := tagsOf(other)
		text += "\n" + strings.Join(lines, "\n")
	}
	return s.Compose(stored[0], memory.Edit{Body: &text})
}

// text returns what a session is given of the category: a line for each line of each memory. Goose has the memories
// of one category in no fixed order by their tags; here they stand as in the file.
func (s *memoryStore) text(records []memory.Record) *instructions.Text {
	w := &instructions.Text{}
	for i := range records {
		r := &records[i]
		tags, lines := tagsOf(r.Raw)
		if r.Flags&memory.FlagUnseen != 0 || len(lines) == 0 {
			continue
		}
		if w.Len() == 0 {
			w.WriteString("\nCategory: " + category(s.Path) + "\n")
		}
		w.Add(memory.Part{Name: tags, ID: r.ID, Path: s.Path}, "- "+strings.Join(lines, "\n- ")+"\n")
	}
	return w
}

// Recall implements [system.Recaller]. What is global is given at every start.
func (s *memoryStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	_, records := s.Records()
	r := memory.Recall{Task: t, Searched: len(records), Notes: []string{
		"As its source of November 2026 does it, where the extension memory is on.",
	}}
	if !s.global {
		r.Empty = "Nothing is sent at the start: Goose reads it when a model asks for it by retrieve_memories."
		return r, ctx.Err()
	}
	r.Block = s.text(records).Block("system prompt", "Global Memories")
	r.Notes = append(r.Notes, "Memories with other tags may stand in another order.")
	entries.Hits(&r, records)
	if r.Block.Text == "" {
		r.Empty = "There is no memory in this category."
	}
	return r, ctx.Err()
}
