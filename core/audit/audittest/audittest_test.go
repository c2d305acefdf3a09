package audittest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/memory"
)

func TestCorpusHasWhatItPromises(t *testing.T) {
	items := Corpus(1)
	in := map[string]map[string]bool{}
	texts := map[string]bool{}
	for _, it := range Of(items, memory.FamilySecret) {
		if in[it.Kind] == nil {
			in[it.Kind] = map[string]bool{}
		}
		in[it.Kind][it.Context] = true
	}
	for kind, contexts := range in {
		if len(contexts) != len(Contexts) {
			t.Errorf("%s stands in %d contexts, want %d", kind, len(contexts), len(Contexts))
		}
	}
	if len(in) < 40 {
		t.Errorf("%d kinds of secret, want at least 40", len(in))
	}
	for family, least := range map[memory.Family]int{memory.FamilyInjection: 60, memory.FamilyHidden: 30, "": 400} {
		if n := len(Of(items, family)); n < least {
			t.Errorf("%d items of family %q, want at least %d", n, family, least)
		}
	}
	for _, it := range items {
		if texts[it.Text] {
			t.Errorf("%s is there twice: %q", it.Kind, it.Text)
		}
		texts[it.Text] = true
	}
	t.Logf("%d kinds of secret, %d items", len(in), len(items))
}

func TestItemsAreWhatTheySay(t *testing.T) {
	for seed := range uint64(20) {
		for _, it := range Corpus(seed) {
			if strings.ContainsAny(it.Text, "⟦⟧‹›·") || !utf8.ValidString(it.Text) {
				t.Errorf("%s: a mark is left in %q", it.Kind, it.Text)
			}
			if harmless := it.Family == ""; harmless != (it.End == 0) || it.End > len(it.Text) || it.Start > it.End {
				t.Errorf("%s: place %d to %d of %q", it.Kind, it.Start, it.End, it.Text)
			}
			if it.Context == "cut" &&
				(len(it.Text) != cutAt || it.End != cutAt || !strings.HasSuffix(it.Secret, it.Place())) {
				t.Errorf("%s: %d characters, with %q", it.Kind, len(it.Text), it.Place())
			}
			if it.Family == memory.FamilySecret && it.Context != "cut" && it.Context != "json" && it.Context != "url" &&
				strings.TrimPrefix(it.Secret, "https://") != it.Place() {
				t.Errorf("%s: %q is not %q", it.Kind, it.Place(), it.Secret)
			}
		}
	}
}

func TestSameSeedGivesTheSameCorpus(t *testing.T) {
	if !reflect.DeepEqual(Corpus(7), Corpus(7)) {
		t.Error("two corpora of one seed differ")
	}
	if reflect.DeepEqual(Corpus(7), Corpus(8)) {
		t.Error("two seeds give the same corpus")
	}
}

func TestFilesHoldEachItemOnItsLine(t *testing.T) {
	items := Corpus(3)
	for name, f := range map[string]File{"lessons": Lessons(items), "markdown": Markdown(items)} {
		lines := slices.Collect(strings.Lines(string(f.Data)))
		for i, it := range items {
			if f.Lines[i] == 0 && it.Whole && name == "lessons" {
				continue
			}
			line := lines[f.Lines[i]-1]
			want, _, _ := strings.Cut(it.Text, "\n")
			if it.Family != "" {
				want, _, _ = strings.Cut(it.Place(), "\n")
			}
			if name == "lessons" {
				want = strings.Trim(quoted(want), `"`)
			}
			if !strings.Contains(line, want) {
				t.Fatalf("%s: %q is not in line %d: %q", name, want, f.Lines[i], line)
			}
		}
	}
}

func TestThereAre200Expressions(t *testing.T) {
	all := Expressions()
	for _, e := range all {
		if _, err := regexp.Compile(e); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
	if len(all) < 200 {
		t.Errorf("%d expressions", len(all))
	}
}
