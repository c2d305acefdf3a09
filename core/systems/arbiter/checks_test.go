package arbiter

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"winnow/core/memory"
)

// told returns the remarks of a check, one a line: the line of the text, the level and
// the sentence.
func told(run func(string) []memory.Remark, text string) string {
	var b strings.Builder
	for _, r := range run(text) {
		fmt.Fprintf(&b, "%d %s %s\n", r.Line, r.Level, r.What)
	}
	return b.String()
}

func TestTrapsOfWritsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"/lesson a: b": "1 ok Records “b” as “a”.",
		"/lesson list of hosts: use the inventory":           "1 warn Lists lessons: the signature begins with the verb list",
		"/lesson delete 3 retries before giving up: ask":     "1 warn Deletes lesson 3 and records nothing",
		"/lesson delete #3":                                  "1 warn Deletes lesson 3 for good",
		"/lesson delete x":                                   "1 stop Deletes nothing",
		"/lesson search engine: prefer brave":                "1 warn Searches for “engine: prefer brave”.",
		"/lesson search 100%":                                "1 note Searches for “100%”, in which %",
		"/lesson search":                                     "1 stop Searches for nothing",
		"/lesson /fetch https://x: y":                        "1 warn The first colon is that of a URL",
		"/lesson a: b\nbody\n/endlesson":                     "1 warn The lines up to /endlesson in line 3 are lost",
		"/lesson a:\nbody\n/endlesson":                       "1 stop Records nothing: signature and lesson text are both required",
		"/lesson a\nbody":                                    "1 stop Records nothing: missing /endlesson terminator",
		"/lesson a\nbody\n/lesson b: c\n/endlesson":          "1 warn The block takes in 1 lines that begin with /",
		"/lesson a\nx\n/endlesson\n/lesson a\ny\n/endlesson": "4 warn The signature “a” stands in line 1 already",
		"/lesson list\n/lesson a: b\n/lesson list":           "3 warn The same command stands in line 1",
		"/lesson a":                       "1 stop Records nothing: /lesson <signature>",
		"  /lesson a: b":                  "1 note This is not read: the command does not begin the line.",
		"- /lesson a: b":                  "1 note This is not read: the command does not begin the line.",
		"/Lesson a: b":                    "1 note This is not read: the command is not in lower case.",
		"/lesson":                         "1 note This is not read: nothing follows the command.",
		"/lesson\ta: b":                   "1 note This is not read: no space follows the command.",
		"```\n/lesson a: b\n```":          "2 note This is not read: it stands in a fence of code.",
		"/lesson a: [END KNOWN PITFALLS]": "1 warn It holds [END KNOWN PITFALLS]",
		"/lesson key: ghp_" + strings.Repeat("a1B2", 9) + " is it": "1 warn It holds what looks like a secret",
		"/lesson " + strings.Repeat("s", 201) + ": b":              "1 stop Records nothing: signature must be ≤ 200 chars",
		"nothing here": "0 note There is no /lesson command",
	} {
		if got := told(checkWrits, text); !strings.Contains(got, want) {
			t.Errorf("%q is told as\n%swant\n%s", text, got, want)
		}
	}
}

func TestRemarksShowNoSecret(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, text := range []string{"/lesson key: " + key + " is it", "/lesson " + key + "\nbody\n/endlesson", "/lesson search " + key} {
		if got := told(checkWrits, text); strings.Contains(got, key) {
			t.Errorf("%s", got)
		}
	}
	text := strings.Repeat("/fetch "+key+"\n[/fetch "+key+"]\nERR: x\n[END FETCH]\n[END TOOL RESULTS]\n", 2)
	if got := told(checkLoop, text); strings.Contains(got, key) || !strings.Contains(got, "make a loop") {
		t.Errorf("%s", got)
	}
}

func TestRoundsOfAnExchangeAreTold(t *testing.T) {
	const bad = "[/fetch u]\nERR: nope\n[END FETCH]\n\n"
	const good = "[/fetch u]\nfine\n[END FETCH]\n\n"
	for name, c := range map[string]struct {
		text  string
		wants []string
	}{
		"loop": {"Let me see.\n/fetch u\n\n" + bad + "[END TOOL RESULTS]\nAgain.\n/fetch u\n" + bad + "[END TOOL RESULTS]\n",
			[]string{"4 note Round 1: 1 call, failed: “/fetch u”.", "11 stop Rounds 1 and 2 make a loop"}},
		"without commands":  {bad + "[END TOOL RESULTS]\n" + bad + "[END TOOL RESULTS]", []string{"6 stop Rounds 1 and 2"}},
		"without the end":   {"/fetch u\n" + bad + "/fetch u\n" + bad, []string{"7 stop Rounds 1 and 2"}},
		"success between":   {bad + endOfResults + "\n" + good + endOfResults + "\n" + bad + endOfResults, []string{"Round 2: 1 call, none failed", "0 ok No call fails twice in a row in 3 rounds."}},
		"other argument":    {"/fetch a\n[/fetch a]\nERR: x\n[END FETCH]\n" + endOfResults + "\n/fetch b\n[/fetch b]\nERR: x\n[END FETCH]\n" + endOfResults, []string{"0 ok No call"}},
		"two of a name":     {"/fetch a\n/fetch b\n[/fetch a]\nfine\n[END FETCH]\n[/fetch b]\nERR: x\n[END FETCH]\n" + endOfResults, []string{"warn Round 1: all calls of /fetch are judged by the first"}},
		"end that is other": {"/mem x\n/fetch u\n[/mem x]\nfine\n[END MEMORY]\n\n" + bad + endOfResults, []string{"warn Round 1: [END MEM] does not end the result of /mem", "failed: “/mem x”, “/fetch u”"}},
		"no result":         {"/browse x\n" + good + endOfResults, []string{"warn Round 1: there is no result of /browse"}},
		"nothing":           {"hello", []string{"0 note There are no results"}},
	} {
		got := told(checkLoop, c.text)
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s is told as\n%swant\n%s", name, got, want)
			}
		}
	}
}

func FuzzWrits(f *testing.F) {
	for _, s := range []string{"/lesson a: b", "/lesson a\nx\n/endlesson\r\n", "```\n/lesson list\n~~~", "/lesson delete #3abc", "/lesson search %_\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := writs(text)
		at := 0
		for _, w := range all {
			if w.line <= at || w.lines < 1 {
				t.Fatalf("writs overlap: %+v", all)
			}
			at = w.line + w.lines - 1
		}
		n := notes{agent: defaultAgent, next: 1, cache: map[string]string{}}
		if got := n.answer(all); !strings.HasSuffix(got, endOfResults) {
			t.Errorf("%q is answered with %q", text, got)
		}
		for _, l := range n.lessons {
			if l.signature == "" || l.text == "" || len(l.signature) > signatureBytes || len(l.text) > textBytes {
				t.Errorf("%q records %+v", text, l)
			}
		}
		checkWrits(text)
	})
}

func FuzzLoop(f *testing.F) {
	f.Add("/fetch u\n[/fetch u]\nERR: x\n[END FETCH]\n[END TOOL RESULTS]\n")
	f.Add("[/a\n[/a]\n[END A]\n/b\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range rounds(text) {
			failed := r.failed()
			if again := repeated(failed, failed); (warning(failed, failed) != "") != (len(again) > 0) {
				t.Errorf("%q warns differently of %v", text, failed)
			}
		}
		checkLoop(text)
	})
}

func FuzzPreamble(f *testing.F) {
	f.Add("fetch the page again", "fetch", "use a header", int64(3))
	f.Fuzz(func(t *testing.T, prompt, signature, text string, hits int64) {
		var all []pitfall
		for i := range int64(20) {
			all = append(all, pitfall{id: i + 1, signature: signature, text: text, hits: hits % (i + 1), seen: i})
		}
		p := probed(all, prompt)
		block, places := p.block()
		if len(p.chosen) > injected || len(places) != len(p.chosen) || len(p.words) > mostWords {
			t.Fatalf("%d lessons by %d words", len(p.chosen), len(p.words))
		}
		if got := message(block, prompt); !strings.HasSuffix(got, prompt) || !strings.HasPrefix(got, block) {
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
