// Package mcpmemory knows the file of the MCP server memory, a graph of entities and relations: one JSON object a
// line. docs/systems/mcpmemory.md has the facts.
package mcpmemory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/annotate"
	"winnow/core/entries"
	"winnow/core/filestore"
	"winnow/core/jsonl"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// id is the name of the system.
const id memory.SystemID = "mcpmemory"

// variable is where the settings of an agent name the file.
const variable = "MEMORY_FILE_PATH"

// Kinds of records, besides the types of entities.
const (
	kindRelation = "relation"
	kindOther    = "neither"
)

// System returns the system. now returns the time.
func System(now func() time.Time) system.System {
	return system.System{
		ID: id, Name: "MCP memory", Find: find, Reads: reads, StoresIn: storesIn, Forms: Forms(),
		Variables: []memory.Fact{{Name: variable, Text: "the file, in settings of an agent that starts it"}},
		Open:      func(path string) (system.Store, error) { return open(path, now), nil },
		Sources:   sources,
		Abilities: []system.Ability{{
			Store: "graph", Edit: "all but names of entities", Delete: "all", Watch: true, Recall: system.NoRecall,
			Note: "An agent reads it by tools, all of it or what a search finds.",
		}},
	}
}

// place returns the place of a file.
func place(path, why string) memory.Place {
	return memory.Place{Store: memory.StoreID(path), System: id, Path: path, Name: "graph", Why: why}
}

// store is one file of a graph.
type store struct{ *entries.Store }

var (
	_ system.Snapshotter = (*store)(nil)
	_ system.Summarizer  = (*store)(nil)
	_ system.Watched     = (*store)(nil)
	_ system.Composer    = (*store)(nil)
	_ system.Writer      = (*store)(nil)
)

// open returns the store at an absolute path. The file need not exist.
func open(path string, now func() time.Time) *store {
	return &store{entries.NewStore(entries.Kind{
		Info: system.Info{
			System: id, Name: "MCP memory", Noun: memory.Noun{One: "record", Many: "records"}, Companions: companions,
		},
		Place: place, Entries: form(), Edited: edited, Complete: complete, Health: health,
		Words: map[string]memory.Problem{
			quietread.CodeMissing: {
				What: "There is no graph here yet: the file does not exist.",
				Hint: "it appears when an agent keeps something with the server",
			},
			"empty": {Code: "empty", What: "The graph is empty.", Hint: "it fills when an agent keeps something"},
		},
	}, path, now)}
}

var lineEnds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\r?\n`) })

// form returns how the lines of the file are written.
func form() *entries.Form {
	return &entries.Form{
		Delimiters: lineEnds, Delimiter: "\n", Sign: "\n", Trim: jstext.Trim, Record: record, Name: name,
		Inseparable: "A record is one line.",
	}
}

// item is a decoded line.
type item struct {
	value jstext.Value
	err   error
}

func decoded(raw string) item {
	v, err := jstext.Parse(jstext.DecodeString(raw))
	return item{v, err}
}

func (it *item) text(key string) string { return it.value.Dig(key).Str() }

// observations returns what is known of an entity.
func (it *item) observations() (all []string) {
	list := it.value.Dig("observations")
	for i := range list.Len() {
		all = append(all, list.At(i).Str())
	}
	return all
}

// name returns what tells a line from others: the name of an entity, the three parts of a relation, or its bytes.
func name(raw string) string {
	it := decoded(raw)
	switch it.text("type") {
	case "entity":
		return "entity\x00" + it.text("name")
	case kindRelation:
		return kindRelation + "\x00" + it.text("from") + "\x00" + it.text("relationType") + "\x00" + it.text("to")
	}
	return "line\x00" + raw
}

// record returns the record of a line, the n-th of the file.
func record(raw string, n int) memory.Record {
	it := decoded(raw)
	r := memory.Record{ID: entries.ID(name(raw)), Line: n, Raw: raw}
	switch typ := it.text("type"); {
	case it.err != nil:
		r.Kind, r.Title, r.Flags = kindOther, entries.FirstLine(raw), memory.FlagDamaged
		r.Problem = &memory.Problem{
			Code: "no-json", What: "This line is no JSON: " + it.err.Error() + ".",
			Hint: "repair or delete it: the server reads nothing of the file until then",
		}
	case typ == "entity":
		r.Kind, r.Title, r.Body = it.text("entityType"), it.text("name"), strings.Join(it.observations(), "\n")
		r.Facts = []memory.Fact{{Name: "observations", Text: fmt.Sprint(len(it.observations()))}}
	case typ == kindRelation:
		r.Kind, r.Title, r.Body = kindRelation, it.text("from")+" → "+it.text("to"), it.text("relationType")
	default:
		r.Kind, r.Title, r.Body, r.Flags = kindOther, entries.FirstLine(raw), raw, memory.FlagUnseen
		r.Notes = []string{"It is neither an entity nor a relation: the server leaves it out, and its next save drops it."}
	}
	if r.Title == "" {
		r.Title = "(no name)"
	}
	annotate.Mark(&r)
	return r
}

// complete marks what the server does not find: an entity whose name an earlier one has, and says what a relation
// leads to that is not there.
func complete(records []memory.Record) {
	names := map[string]bool{}
	for i := range records {
		r := &records[i]
		it := decoded(r.Raw)
		if it.text("type") != "entity" {
			continue
		}
		if names[it.text("name")] {
			r.Flags |= memory.FlagDuplicate
			r.Notes = append(r.Notes, "An earlier entity has its name: what an agent adds goes there.")
		}
		names[it.text("name")] = true
	}
	for i := range records {
		r := &records[i]
		it := decoded(r.Raw)
		for _, end := range []string{"from", "to"} {
			if it.text("type") == kindRelation && !names[it.text(end)] {
				r.Notes = append(r.Notes, "There is no entity "+it.text(end)+".")
			}
		}
	}
}

// health says what is wrong with a file.
func health(_ *filestore.File, records []memory.Record) []memory.Health {
	damaged := entries.Lines(records, func(r *memory.Record) bool { return r.Flags&memory.FlagDamaged != 0 })
	dropped := entries.Lines(records, func(r *memory.Record) bool {
		return r.Kind == kindOther && r.Flags&memory.FlagDamaged == 0
	})
	twice := entries.Lines(records, func(r *memory.Record) bool { return r.Flags&memory.FlagDuplicate != 0 })
	loose := entries.Lines(records, func(r *memory.Record) bool { return r.Kind == kindRelation && len(r.Notes) > 0 })
	return []memory.Health{
		system.OnLines(damaged, "no-json", memory.Stop,
			"Some lines are no JSON: the server reads nothing of the file, and its tools fail.", "repair or delete them"),
		system.OnLines(dropped, "dropped", memory.Warn,
			"Some lines are neither entities nor relations: the server's next save drops them.", "keep them elsewhere"),
		system.OnLines(twice, "twice", memory.Note, "Some entities have a name that an earlier one has.", "merge them"),
		system.OnLines(loose, "loose", memory.Note,
			"Some relations lead to an entity that is not there.", "delete them"),
	}
}

// companions returns the deletions of the relations that lead to or from entities that are deleted, as the server
// makes them.
func companions(records []memory.Record, changes []memory.Change) (more []memory.Change, why []string) {
	gone, taken := map[string]bool{}, map[memory.ID]bool{}
	for i := range changes {
		ch := &changes[i]
		if it := decoded(ch.Before); ch.Do == memory.Deleting && it.text("type") == "entity" {
			gone[it.text("name")] = true
		}
		taken[ch.ID] = true
	}
	for i := range records {
		r := &records[i]
		it := decoded(r.Raw)
		if it.text("type") != kindRelation || !gone[it.text("from")] && !gone[it.text("to")] || taken[r.ID] {
			continue
		}
		more = append(more, memory.Change{
			Do: memory.Deleting, ID: r.ID, Record: *r, Before: r.Raw, Line: r.Line, Companion: true,
			Why: "it leads to an entity that is deleted",
		})
	}
	if len(more) > 0 {
		why = []string{"Deleted too, as by the server: " + memory.Counted(len(more), "relation") + " of it."}
	}
	return more, why
}

// edited returns a line with the fields of an edit set; the members of the line that do not change stay as they are.
func edited(stored string, e memory.Edit) (string, error) {
	if field := system.Sets(e, "outcome", "tools", "count", "scope", "name"); field != "" {
		what := "a record of the graph has no " + field
		return "", &memory.Problem{Code: "no-field", What: what, Hint: "leave it out"}
	}
	body, title, kind := e.Body, system.Given(e.Title), system.Given(e.Kind)
	if stored == "" {
		return added(title, kind, system.Given(body))
	}
	r, it := record(stored, 1), decoded(stored)
	if title != "" && title != r.Title || kind != "" && kind != r.Kind && it.text("type") != "entity" {
		return "", &memory.Problem{
			Code: "no-field", What: "what a record is called cannot be set: relations name entities by their names",
			Hint: "edit the line as it is stored, or add another record",
		}
	}
	line := stored
	if kind != "" && kind != r.Kind {
		line = jsonl.WithMember(line, "entityType", string(jstext.StringValue(kind).AppendJSON(nil)))
	}
	if body == nil || *body == r.Body {
		return line, nil
	}
	return withBody(line, &it, *body)
}

// withBody returns a line with the observations of an entity, or the type of a relation, set.
func withBody(line string, it *item, body string) (string, error) {
	switch {
	case it.text("type") == kindRelation:
		return jsonl.WithMember(line, "relationType", string(jstext.StringValue(body).AppendJSON(nil))), nil
	case it.text("type") != "entity":
		return "", &memory.Problem{
			Code: "no-field", What: "this line has no fields to set",
			Hint: "edit the line as it is stored, or delete it",
		}
	}
	if slices.ContainsFunc(it.observations(), func(text string) bool { return strings.Contains(text, "\n") }) {
		return "", &memory.Problem{
			Code: "no-lines", What: "An observation has line ends of its own, so that lines do not tell them apart.",
			Hint: "edit the line as it is stored",
		}
	}
	return jsonl.WithMember(line, "observations", string(listOf(body).AppendJSON(nil))), nil
}

// added returns a new entity, whose name is the title or the first line of the body.
func added(title, kind, body string) (string, error) {
	if title == "" {
		title = entries.FirstLine(body)
	}
	if kind == "" {
		kind = "note"
	}
	line := jstext.ObjectValue(
		jstext.Member{Key: "type", Value: jstext.StringValue("entity")},
		jstext.Member{Key: "name", Value: jstext.StringValue(title)},
		jstext.Member{Key: "entityType", Value: jstext.StringValue(kind)},
		jstext.Member{Key: "observations", Value: listOf(body)})
	if title == "" {
		return "", &memory.Problem{Code: "no-name", What: "An entity needs a name.", Hint: "set the title"}
	}
	return string(line.AppendJSON(nil)), nil
}

// listOf returns the lines of a text as a list of observations.
func listOf(body string) jstext.Value {
	var all []jstext.Value
	for line := range strings.SplitSeq(body, "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			all = append(all, jstext.StringValue(line))
		}
	}
	return jstext.ArrayValue(all...)
}

// Unite implements [system.Composer]. It returns the first entity with the observations of all.
func (s *store) Unite(stored []string, e memory.Edit) (string, error) {
	var all []string
	for _, line := range stored {
		it := decoded(line)
		all = memory.AppendNew(all, it.observations()...)
	}
	if body := strings.Join(all, "\n"); e.Body == nil && len(stored) > 1 {
		e.Body = &body
	}
	return s.Compose(stored[0], e)
}
