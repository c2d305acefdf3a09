package handbook

import (
	"math"
	"slices"
	"testing"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

func vectors(t *testing.T, kind string, fn func(t *testing.T, in, want vectortest.Value)) {
	t.Helper()
	vectortest.Each(t, "handbook", kind, func(t *testing.T, v vectortest.Vector) { fn(t, v.Input, v.Want) })
}

// raw returns a text that may be given as bytes, as JavaScript decodes it.
func raw(t *testing.T, v vectortest.Value, key string) string {
	t.Helper()
	if b := v.Member(key + "_b64"); !b.IsNull() {
		return jstext.Decode(
			vectortest.Value{Value: jstext.ObjectValue(jstext.Member{Key: "$b64", Value: b.Value})}.File(t),
		)
	}
	return v.Member(key).Str()
}

// written returns the notes in files, in the order of their names.
func written(files vectortest.Value) []note {
	var names []string
	for i := range files.Len() {
		names = append(names, files.Key(i))
	}
	slices.SortFunc(names, jstext.Compare)
	var notes []note
	for _, name := range names {
		if !isMemory(name) {
			continue
		}
		if n, ok := parse(files.Member(name).Str()); ok {
			notes = append(notes, n)
		}
	}
	return notes
}

func TestSlugAgreesWithVectors(t *testing.T) {
	vectors(t, "slug", func(t *testing.T, in, want vectortest.Value) {
		if got := slug(in.Member("name").Str()); got != want.Member("slug").Str() {
			t.Errorf("slug %q, want %q", got, want.Member("slug").Str())
		}
	})
}

func TestParsedAgreesWithVectors(t *testing.T) {
	vectors(t, "parse", func(t *testing.T, in, want vectortest.Value) {
		got, ok := parse(raw(t, in, "raw"))
		m := want.Member("memory")
		if ok == m.IsNull() {
			t.Fatalf("is a memory: %t, want %s", ok, m.AppendJSON(nil))
		}
		is := [4]string{got.name, got.description, got.kind, got.body}
		should := [4]string{
			m.Member("name").Str(),
			m.Member("description").Str(),
			m.Member("type").Str(),
			m.Member("body").Str(),
		}
		if ok && is != should {
			t.Errorf("%q, want %q", is, should)
		}
	})
}

func TestIndexAgreesWithVectors(t *testing.T) {
	vectors(t, "index", func(t *testing.T, in, want vectortest.Value) {
		if want.Has("error") {
			return // see TestFolderWithTheNameOfAMemoryStopsTheAgent
		}
		notes := written(in.Member("files"))
		var names []string
		for _, n := range notes {
			names = append(names, n.name)
		}
		if got := index(notes); got != want.Member("index").Str() ||
			!slices.Equal(names, want.Member("listed").Texts()) {
			t.Errorf("%q:\n%s\nwant\n%s", names, got, want.Member("index").Str())
		}
	})
}

func TestPinnedAgreesWithVectors(t *testing.T) {
	vectors(t, "pinned", func(t *testing.T, in, want vectortest.Value) {
		notes := written(in.Member("files"))
		block, at := pinned(notes)
		whole, _ := section(notes)
		if block != want.Member("rendered").Str() || len(at) != int(want.Member("count").Number()) ||
			whole != want.Member("prompt_section").Str() {
			t.Errorf("%d:\n%s\nwant\n%s", len(at), block, want.Member("rendered").Str())
		}
	})
}

// queryOf returns what memory_search looks for when its model hands in a value.
func queryOf(v jstext.Value) string {
	if v.Kind() == jstext.Null {
		return ""
	}
	return jstext.Trim(v.ToString())
}

func TestInjectNullQueryIsEmpty(t *testing.T) {
	for text, want := range map[string]string{"null": "", `"null"`: "null", "[null]": "", `[" a ","b"]`: "a ,b", "0": "0"} {
		v, err := jstext.Parse(text)
		if got := queryOf(v); err != nil || got != want {
			t.Errorf("%s looks for %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestSearchAgreesWithVectors(t *testing.T) {
	vectors(t, "search", func(t *testing.T, in, want vectortest.Value) {
		query := queryOf(in.Member("query").Value)
		result := want.Member("result")
		if query == "" {
			if result.Member("error").Str() != noQuery {
				t.Errorf("an empty query, want %s", result.AppendJSON(nil))
			}
			return
		}
		k := someHits
		if v := in.Member("k"); v.Kind() == jstext.Number && v.Number() > 0 {
			k = int(min(v.Number(), 1e6))
		}
		notes := written(in.Member("files"))
		words := tokens(query)
		if !slices.Equal(words, want.Member("tokens").Texts()) {
			t.Errorf("tokens %q, want %q", words, want.Member("tokens").Texts())
		}
		hits := search(notes, words)
		hits = hits[:min(k, len(hits))]
		list := want.Member("hits")
		if len(hits) != list.Len() {
			t.Fatalf("%d hits, want %d", len(hits), list.Len())
		}
		for i, h := range hits {
			n, w := notes[h.at], list.Item(i)
			if n.citePath("memory") != w.Member("path").Str() || n.description != w.Member("note").Str() ||
				math.Abs(h.score-w.Member("score").Number()) > 1e-9 {
				t.Errorf(
					"hit %d is %s %q %v, want %s",
					i,
					n.citePath("memory"),
					n.description,
					h.score,
					w.AppendJSON(nil),
				)
			}
		}
		got, _ := answer(notes, query, "memory", hits)
		if got, _ = capped(got); got != result.Member("value").Str() {
			t.Errorf("says\n%s\nwant\n%s", got, result.Member("value").Str())
		}
	})
}

func TestWrittenAgreesWithVectors(t *testing.T) {
	vectors(t, "write", func(t *testing.T, in, want vectortest.Value) {
		files := map[string]string{}
		made := !in.Member("files").IsNull()
		for i := range in.Member("files").Len() {
			key := in.Member("files").Key(i)
			files[key] = in.Member("files").Member(key).Str()
		}
		for i := range in.Member("calls").Len() {
			call, result := in.Member("calls").Item(i), want.Member("results").Item(i)
			said, ok := tool(files, call)
			made = made || ok
			if shown := result.Member("value").Str() + result.Member("error").Str(); said != shown ||
				ok != result.Member("ok").Bool() {
				t.Errorf("call %d says %q, want %q", i, said, shown)
			}
		}
		if made == want.Member("files").IsNull() {
			t.Fatalf("the folder is there: %t", made)
		}
		if n := want.Member("files").Len(); n != len(files) {
			t.Errorf("%d files, want %d", len(files), n)
		}
		for name, text := range files {
			if text != want.Member("files").Member(name).Str() {
				t.Errorf("%s holds\n%s\nwant\n%s", name, text, want.Member("files").Member(name).Str())
			}
		}
	})
}

// tool does to files what a call of memory_write does, of the parts that Compose is made
// of too.
func tool(files map[string]string, call vectortest.Value) (said string, ok bool) {
	text := func(key string) string {
		if !call.Has(key) || call.Member(key).IsNull() {
			return ""
		}
		return jstext.Trim(call.Member(key).ToString())
	}
	n := note{name: text("name"), description: text("description"), body: text("body"), kind: call.Member("type").Str()}
	if n.name == "" || n.description == "" || n.body == "" {
		return "name, description, and body are all required", false
	}
	if !isKind(n.kind) {
		n.kind = fact
	}
	switch n.name = slug(n.name); {
	case n.name == "":
		return "Error: memory name is empty after slugifying", false
	case len(n.body) > maxBody:
		return "Error: memory body exceeds 4096 bytes", false
	}
	_, there := files[n.name+ending]
	files[n.name+ending] = n.text()
	var list []jstext.Member
	for name, text := range files {
		list = append(list, jstext.Member{Key: name, Value: jstext.StringValue(text)})
	}
	files[indexName] = index(written(vectortest.Value{Value: jstext.ObjectValue(list...)}))
	if there {
		return "updated memory: " + n.name, true
	}
	return "saved memory: " + n.name, true
}
