package compare

import (
	"fmt"
	"slices"
	"testing"

	"winnow/core/memory"
)

// block makes a block of parts: "name|path|text".
func block(name string, parts ...[3]string) memory.Block {
	b := memory.Block{Name: name, Text: "<begin>"}
	for _, p := range parts {
		start := len(b.Text)
		b.Text += p[2]
		b.Parts = append(b.Parts, memory.Part{Name: p[0], Path: p[1], Start: start, End: len(b.Text)})
		b.Text += "<between>"
	}
	return b
}

func TestDifferencesAreThoseOfTheParts(t *testing.T) {
	was := []memory.Block{
		block(
			"start",
			[3]string{"project", "/a", "one"},
			[3]string{"index", "/m", "same"},
			[3]string{"rule", "/r", "gone"},
		),
		{Name: "frozen", Text: "entry 1"},
	}
	now := []memory.Block{
		block(
			"new frame",
			[3]string{"index", "/m", "same"},
			[3]string{"user", "/u", "new"},
			[3]string{"project instructions", "/a", "two"},
		),
		{Name: "frozen", Text: "entry 1, entry 2"},
	}
	var got []string
	for _, d := range Differences(was, now) {
		got = append(got, fmt.Sprintf("%s %s %q>%q", d.Name, d.Path, d.Was, d.Now))
	}
	want := []string{
		`project instructions /a "one">"two"`, `rule /r "gone">""`, `frozen  "entry 1">"entry 1, entry 2"`,
		`user /u "">"new"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if d := Differences(was, was); d != nil {
		t.Errorf("a recall differs from itself: %v", d)
	}
}

func TestPartsOfOneNameAreMatchedByTheirText(t *testing.T) {
	was := []memory.Block{
		block("b", [3]string{"entry", "", "x"}, [3]string{"entry", "", "y"}, [3]string{"entry", "", "z"}),
	}
	now := []memory.Block{
		block("b", [3]string{"entry", "", "y"}, [3]string{"entry", "", "z2"}, [3]string{"entry", "", "x"}),
	}
	d := Differences(was, now)
	if len(d) != 1 || d[0].Was != "z" || d[0].Now != "z2" {
		t.Errorf("%+v", d)
	}
}

func TestOddPartsDoNotStopTheComparison(t *testing.T) {
	b := memory.Block{
		Text: "abc",
		Parts: []memory.Part{
			{Name: "x", Start: -5, End: 99},
			{Name: "y", Start: 3, End: 1},
			{Name: "z", Start: 77, End: 80},
		},
	}
	if d := Differences([]memory.Block{b}, nil); len(d) != 1 || d[0].Was != "abc" {
		t.Errorf("%+v", d)
	}
}

func FuzzDifferencesLeadFromWasToNow(f *testing.F) {
	f.Add("a", "b", "a", "c")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		was := []memory.Block{block("x", [3]string{"e", "", a}, [3]string{"e", "", b}), {Name: "n", Text: c}}
		now := []memory.Block{block("x", [3]string{"e", "", c}, [3]string{"f", "/p", d}), {Name: "n", Text: a}}
		left := map[string]int{}
		for _, p := range pieces(was) {
			left[p.Text]++
		}
		for _, diff := range Differences(was, now) {
			if diff.Was == diff.Now {
				t.Errorf("%q does not differ", diff.Was)
			}
			left[diff.Was]--
			left[diff.Now]++
		}
		for _, p := range pieces(now) {
			left[p.Text]--
		}
		delete(left, "")
		for text, n := range left {
			if n != 0 {
				t.Errorf("%q is left %d times", text, n)
			}
		}
	})
}
