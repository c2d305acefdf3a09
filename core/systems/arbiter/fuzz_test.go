package arbiter

import (
	"math"
	"strings"
	"testing"

	"winnow/core/jstext"
)

func FuzzLoop(f *testing.F) {
	f.Add("fetch", "u", "[/fetch u]\nERR: x\n[END FETCH]\n[END TOOL RESULTS]\n")
	f.Add("a", "", "[/a\n[/a]\n[END A]\n/b\n")
	f.Fuzz(func(t *testing.T, name, args, results string) {
		it := iteration{commands: []command{{name, args}, {name, args}}, results: results}
		failed := it.failed()
		if got := warning(failed, failed); (got != "") != (len(failed) > 0) || strings.Count(got, loopBegin) > 1 {
			t.Errorf("%q of %q fails %v and warns %q", results, name, failed, got)
		}
		if got := warning(nil, failed); got != "" {
			t.Errorf("a first failure warns %q", got)
		}
	})
}

func FuzzPreamble(f *testing.F) {
	f.Add("fetch the page again", "fetch", "use a header", int64(3))
	f.Fuzz(func(t *testing.T, prompt, signature, text string, hits int64) {
		var all []pitfall
		for i := range int64(20) {
			all = append(all, pitfall{id: i + 1, signature: signature, text: text, hits: hits % (i + 1), seen: i})
		}
		p := newProbe(all, prompt)
		block, message := p.blocks(prompt)
		if len(p.chosen) > injected || len(block.Parts) != len(p.chosen) || len(p.words) > mostWords {
			t.Fatalf("%d lessons by %d words", len(p.chosen), len(p.words))
		}
		if got := message.Text; !strings.HasSuffix(got, jstext.WellFormed(prompt)) ||
			!strings.HasPrefix(got, block.Text) {
			t.Errorf("the message is %q", got)
		}
		for _, w := range p.words {
			if len(w) < wordLetters || strings.ToLower(w) != w {
				t.Errorf("%q is looked up", w)
			}
		}
	})
}

func FuzzRows(f *testing.F) {
	f.Add(int64(3), "sig", []byte("text"), 1.5, true)
	f.Add(int64(-1), "\x00\xff", []byte{0xff}, -1e300, false)
	f.Fuzz(func(t *testing.T, n int64, text string, bytes []byte, real float64, null bool) {
		r := row{n, n, text, text, blob(bytes), real, n, n, nil}
		if null {
			r[colAgent] = nil
		}
		stored := r.encode()
		again, err := decodeRow(stored)
		if err != nil || !math.IsNaN(real) && again != r || again.encode() != stored {
			t.Errorf("%+v comes back as %+v, %v", r, again, err)
		}
	})
}
