package handbook

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

func FuzzParsedIsWrittenBack(f *testing.F) {
	for _, text := range []string{
		"---\nname: a\ndescription: b\ntype: fact\n---\n\nc\n", "---\nname:\ufeffa\n description:  b \n---- c",
		"---\n\n---", "\ufeff---\n", "---\nname: a\rb\n---",
	} {
		f.Add(text)
	}
	s := &store{}
	f.Fuzz(func(t *testing.T, stored string) {
		r := s.Decode(stored)
		if r.Raw != stored || r.Title == "" {
			t.Errorf("decoded %+v", r)
		}
		text := jstext.Decode([]byte(stored))
		n, ok := parse(text)
		if ok != (r.Problem == nil) && r.ID != indexID {
			t.Errorf("%t, and the problem %v", ok, r.Problem)
		}
		if mended, did := s.Mend(stored); did {
			if _, again := parse(mended); !again {
				t.Errorf("mended to %q", mended)
			}
		}
		if !ok {
			return
		}
		if back, ok := parse(n.text()); !ok || back.name != n.name || back.description != n.description ||
			back.kind != n.kind ||
			back.body != n.body {
			t.Errorf("%+v is read back as %+v", n, back)
		}
		edited(t, s, stored, n)
	})
}

// edited sets each field of a memory and takes it back.
func edited(t *testing.T, s *store, stored string, n note) {
	t.Helper()
	if !utf8.ValidString(stored) {
		return
	}
	if e, err := s.ParseForm(stored, s.Form(stored)); err != nil ||
		!reflect.DeepEqual(e, memory.Edit{}) && !strings.ContainsAny(stored, "\r") {
		t.Errorf("its form is read as %+v, %v", e, err)
	}
	title, kind, body := "Another title", decision, "Another body"
	after, err := s.Compose(stored, memory.Edit{Title: &title, Kind: &kind, Body: &body})
	if err != nil {
		t.Fatal(err)
	}
	got, ok := parse(after)
	if !ok || got.name != n.name || got.description != title || got.kind != decision || got.body != body {
		t.Errorf("composed %q, read as %+v", after, got)
	}
}

func FuzzSlugIsAFileName(f *testing.F) {
	for _, name := range []string{"User prefers Bun", "İstanbul", "K", "-a-", strings.Repeat("a ", 60), "日本", "\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := slug(name)
		if len(got) > maxSlug || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
			strings.HasPrefix(got, "-") ||
			strings.Contains(got, "--") {
			t.Errorf("slug %q", got)
		}
		if again := slug(strings.TrimSuffix(got, "-")); again != strings.TrimSuffix(got, "-") {
			t.Errorf("the slug of %q is %q", got, again)
		}
	})
}

func FuzzSearchFindsWhatHasAWord(f *testing.F) {
	f.Add("deploy friday", "Deploy on Friday", "never", "x\x00\u2028")
	f.Fuzz(func(t *testing.T, query, a, b, c string) {
		notes := []note{
			{name: "a", description: a, body: b, kind: fact},
			{name: c, description: b, body: c, kind: fact},
		}
		hits := search(notes, tokens(query))
		for i, h := range hits {
			if h.score <= 0 || len(h.words) == 0 || i > 0 && h.score > hits[i-1].score {
				t.Errorf("hits %+v", hits)
			}
		}
		text, at := answer(notes, query, "memory", hits)
		for i, p := range at {
			if !strings.HasPrefix(text[p[0]:p[1]], "<memory path=") ||
				!strings.Contains(text[p[0]:p[1]], notes[hits[i].at].searchText()) {
				t.Errorf("part %d of %q", i, text)
			}
		}
		if cut, kept := capped(text); kept > len(text) || kept > len(cut) || !strings.HasPrefix(text, cut[:kept]) {
			t.Errorf("cut to %d of %d", kept, len(text))
		}
	})
}

func TestHundredthsAreRoundedAsInJavaScript(t *testing.T) {
	for x, want := range map[float64]string{
		0:      "0.00",
		0.125:  "0.13",
		0.375:  "0.38",
		0.625:  "0.63",
		2.125:  "2.13",
		1.005:  "1.00",
		4.5135: "4.51",
		12.345: "12.35",
		0.135:  "0.14",
	} {
		if got := fixed2(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}
