package claudecode

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
)

// What is read by hand reads as these expressions do.
var (
	linkGrammar = regexp.MustCompile(`\[[^\]\n]*\]\(<?([^()\n]+?)>?\)`)
	headGrammar = regexp.MustCompile(`^---` + jsSpace + `*\n((?s:.*?))---` + jsSpace + `*\n?`)
)

func TestLinksAreReadAsTheirGrammar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{
		"[",
		"]",
		"](",
		"(",
		")",
		"<",
		">",
		"a",
		"b.md",
		" ",
		"  ",
		":",
		": ",
		"\t",
		"_",
		"-",
		".",
		"7",
		"é",
		"\xff",
		"^",
		"\r",
	}
	lines := []string{"", "[a](b.md)", "[[a]](b.md) [c](<d e.md>)", "[a](<>) [b](>) [c](<)", "[a](b(c).md)"}
	for range 5_000 {
		line := ""
		for range rng.IntN(12) {
			line += parts[rng.IntN(len(parts))]
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		var want []string
		for _, m := range linkGrammar.FindAllStringSubmatch(line, -1) {
			want = append(want, m[1])
		}
		if got := targets(line); !slices.Equal(got, want) || link().MatchString(line) != (len(want) > 0) {
			t.Fatalf("the links of %q are %q, want %q", line, got, want)
		}
	}
}

func TestHeaderIsReadAsItsGrammar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"---", "-", "\n", "\r\n", " ", "\t", "\u00a0", "\u2028", "a: b", "é"}
	for range 5_000 {
		text := "---"
		for range rng.IntN(12) {
			text += parts[rng.IntN(len(parts))]
		}
		want, head := text, ""
		if m := headGrammar.FindStringSubmatchIndex(text); m != nil {
			want, head = text[m[1]:], text[m[2]:m[3]]
		}
		if got, header := withoutHeader(text); got != want || header != head {
			t.Fatalf("%q is %q behind the header %q, want %q behind %q", text, got, header, want, head)
		}
	}
}

func TestIndexLineFollowsTheDescriptionOfItsTopic(t *testing.T) {
	f := unpack(t)
	put(
		t,
		filepath.Join(f.memory("work/shop_api"), "hook.md"),
		"---\nname: hook\ndescription: the old hook\n---\nbody\n",
	)
	put(
		t,
		filepath.Join(f.memory("work/shop_api"), indexName),
		"- [Hook](hook.md) — the old hook\r\n- [Hook](hook.md) — words of its own\n- [Other](other.md) — the old hook\n",
	)
	d := f.libraryStore(t, "work/shop_api")
	title, body := "a new hook", "other text\n"
	for _, e := range []memory.Edit{{Body: &body}, {Title: &title}} {
		p, err := d.l.Plan(
			t.Context(),
			d.id,
			memory.Order{Do: memory.EditOne, IDs: []memory.ID{memoryPrefix + "hook.md"}, Edit: e},
		)
		if err == nil {
			_, err = d.l.Apply(t.Context(), p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const want = "- [Hook](hook.md) — a new hook\r\n- [Hook](hook.md) — words of its own\n- [Other](other.md) — the old hook\n"
	if got := filestore.Read(filepath.Join(f.memory("work/shop_api"), indexName), maxTopic).Text; got != want {
		t.Errorf("the index is %q", got)
	}
}
