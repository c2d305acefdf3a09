package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"winnow/cli/output"
	"winnow/core/memory"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// hostile acts on a terminal, on JSON and on Markdown.
const hostile = "a\x1b]52;c;ZXZpbA==\a \u202eb\u200b\tc\n# d @jane #12 <img src=x onerror=y> [e](http://f.example) ``g`` | www.h.example \xff"

// token looks like a key, and is none.
func token() string { return "gh" + "p_" + strings.Repeat("0123456789abcdefgh", 2) }

// ofAudit is a report in which masks and hides are seen.
func ofAudit(a memory.Audit) *Report {
	return &Report{
		Audit: a, FailOn: memory.High, Long: true, Version: "1.2.3", Zone: time.UTC,
		Hidden: func(s string) string { return strings.ReplaceAll(s, token(), "[REDACTED]") },
	}
}

// filled is an audit in which s stands in each text.
func filled(s string) memory.Audit {
	problem := &memory.Problem{Code: "denied", What: s, Hint: s}
	of := func(sev memory.Severity, family memory.Family, f memory.Finding) memory.Finding {
		f.Severity, f.Family, f.Rule, f.Name = sev, family, string(family)+"-rule", "A rule"
		f.Text, f.Start, f.End = "before "+s+" after "+s, len("before "), len("before "+s)
		f.ID, f.Field, f.What, f.Why, f.Next = memory.ID(s), s, s, s, []string{s, s}
		f.Path, f.Shown, f.Recalled, f.Lands, f.Fingerprint = s, s, s, s, strings.Repeat("0a", 16)
		return f
	}
	return memory.Audit{
		Findings: []memory.Finding{
			of(memory.High, memory.FamilySecret, memory.Finding{Line: 3, Column: 8, Fixable: true}),
			of(memory.Medium, memory.FamilyInjection, memory.Finding{Offset: 77, Masks: [][2]int{{7, 7 + len(s)}}}),
			of(memory.Low, memory.FamilyPrivate, memory.Finding{Line: 1, Count: 2}),
			of(memory.Low, memory.FamilyPrivate, memory.Finding{Line: 2, Count: 3}),
			of(memory.Low, memory.FamilyFile, memory.Finding{Commit: strings.Repeat("ab", 20), CommitTime: noon}),
			of(memory.High, memory.FamilyHidden, memory.Finding{
				Ignored: &memory.Ignore{Reason: s, Added: noon, Until: noon},
			}),
		},
		Files:     3,
		Records:   9,
		Blobs:     2,
		Commits:   1,
		Bytes:     99,
		Rules:     7,
		More:      4,
		Took:      time.Second,
		Stopped:   true,
		Left:      []memory.LeftOut{{Why: s, Files: 1, Example: s}},
		Failed:    []memory.Unread{{Path: s, Problem: problem}, {Path: s}},
		Uncovered: []string{s},
	}
}

// written returns a form of the report that is JSON.
func written(t *testing.T, r *Report, form string) []byte {
	t.Helper()
	var out bytes.Buffer
	o := output.New(&out, 0, r.Reveal)
	if r.Print(o, form); o.Close() != nil || !json.Valid(out.Bytes()) {
		t.Fatal(&out)
	}
	return out.Bytes()
}

// words returns a form of the report at a width.
func words(t *testing.T, r *Report, form string, width int) string {
	t.Helper()
	var out strings.Builder
	o := output.New(&out, width, r.Reveal)
	r.Print(o, form)
	o.Flush()
	return out.String()
}

// forms returns the report in every form.
func forms(t *testing.T, r *Report) map[string]string {
	t.Helper()
	doc, sarif := written(t, r, "json"), written(t, r, "sarif")
	return map[string]string{
		"text":        words(t, r, "text", 0),
		"narrow text": words(t, r, "text", 30),
		"JSON":        string(doc),
		"SARIF":       string(sarif),
		"Markdown":    words(t, r, "md", 0),
	}
}

func hostileReport() *Report {
	r := ofAudit(filled(hostile))
	r.ShowIgnored = true
	r.Fixed = &memory.Fixed{
		Secrets: 2, Files: []memory.FixedFile{{Path: hostile, Secrets: 2, Records: 1}}, Failed: r.Audit.Failed,
		Beyond: []memory.Beyond{{What: hostile, Commands: []string{hostile}}},
	}
	return r
}

func TestNoSecretIsInAnyForm(t *testing.T) {
	r := ofAudit(filled("x" + token() + "y"))
	r.ShowIgnored = true
	s := token()
	r.Fixed = &memory.Fixed{
		Files:  []memory.FixedFile{{Path: s}},
		Failed: r.Audit.Failed,
		Beyond: []memory.Beyond{{What: s, Commands: []string{s}}},
	}
	for name, out := range forms(t, r) {
		if i := strings.Index(out, s[10:20]); i >= 0 {
			t.Errorf("%s has a part of the secret: %q", name, out[max(0, i-200):i+20])
		}
	}
	r.Reveal = true
	for name, out := range forms(t, r) {
		if revealed := strings.Contains(out, s); revealed != strings.HasSuffix(name, "text") {
			t.Errorf("%s, asked to reveal, does: %v", name, revealed)
		}
	}
}

func TestNothingHiddenIsInAnyForm(t *testing.T) {
	for name, out := range forms(t, hostileReport()) {
		bad := func(c rune) bool {
			return c < ' ' && c != '\n' || c == 0x7f || unicode.Is(unicode.Cf, c) ||
				c == unicode.ReplacementChar && name != "JSON" && name != "SARIF"
		}
		if i := strings.IndexFunc(out, bad); i >= 0 {
			t.Errorf("%s has %q", name, out[max(0, i-60):min(len(out), i+20)])
		}
	}
}

func TestEveryFormTellsWhatWasFound(t *testing.T) {
	r := ofAudit(filled("here"))
	for name, out := range forms(t, r) {
		for _, want := range []string{
			"secret-rule",
			"injection-rule",
			"private-rule",
			"file-rule",
			strings.Repeat("0a", 16),
			"here",
		} {
			if !strings.Contains(out, want) && name != "narrow text" {
				t.Errorf("%s does not tell of %s:\n%s", name, want, out)
			}
		}
		if strings.Contains(out, "hidden-rule") {
			t.Errorf("%s lists what is ignored", name)
		}
	}
}

func TestSARIFFitsItsSchema(t *testing.T) {
	root := sarifSchema(t)
	rules := []memory.AuditRule{{
		ID:       "secret-rule",
		Family:   memory.FamilySecret,
		Severity: memory.High,
		Name:     "N",
		Why:      "W [x]",
		Next:     "revoke {it}",
		Source:   "https://docs.example/a",
	}, {ID: "file-rule", Source: "section 3"}}
	all := hostileReport()
	all.Rules = rules
	for name, r := range map[string]*Report{
		"hostile": all,
		"empty":   ofAudit(memory.Audit{}),
		"plain":   ofAudit(filled("x")),
	} {
		for _, fault := range faultsIn(root, written(t, r, "sarif")) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func TestSARIFKeepsEveryByteOfAPath(t *testing.T) {
	r := ofAudit(memory.Audit{})
	for path, want := range map[string]string{
		"a b/c%d.md": "a%20b/c%25d.md",
		"x\xff\n":    "x%FF%0A",
		"/abs/é":     "file:///abs/%C3%A9",
		"c:d":        "c%3Ad",
		"~/m.md":     "~/m.md",
	} {
		if got := r.artifact(path).URI; got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
}

func TestSARIFColumnsAreCharacters(t *testing.T) {
	for _, c := range []struct {
		f    memory.Finding
		want int
	}{
		{memory.Finding{Text: "äöü x", Start: 7, Column: 8}, 5},
		{memory.Finding{Text: "abc", Column: 1}, 1},
		{memory.Finding{Text: "abc", Column: 90}, 0},
		{memory.Finding{Text: "abc", Column: 1, Field: "lesson"}, 0},
		{memory.Finding{Text: "abc", Start: 9, Column: 10}, 0},
	} {
		if got := column(&c.f); got != c.want {
			t.Errorf("%+v is in column %d, want %d", c.f, got, c.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	of := func(s memory.Severity, ignored bool) memory.Audit {
		f := memory.Finding{Severity: s, Family: memory.FamilySecret}
		if ignored {
			f.Ignored = &memory.Ignore{}
		}
		return memory.Audit{Files: 1, Findings: []memory.Finding{f}}
	}
	narrowed := func(r *Report) { r.Narrowed = true }
	failed := of(memory.Low, false)
	failed.Failed = []memory.Unread{{}}
	stopped := memory.Audit{Files: 1, Stopped: true}
	part := memory.Audit{Files: 145, Others: 141, Findings: of(memory.Low, false).Findings}
	for _, c := range []struct {
		a      memory.Audit
		change func(*Report)
		want   Verdict
		says   string
	}{
		{of(memory.High, false), nil, Unsafe, "NOT SAFE TO SHARE: 1 high"},
		{of(memory.Medium, false), nil, Review, "REVIEW: 1 place to read"},
		{
			of(memory.Medium, false),
			func(r *Report) { r.FailOn = memory.Medium },
			Review,
			"REVIEW: 1 place to read, and --fail-on medium",
		},
		{of(memory.Medium, false), func(r *Report) { r.Baseline = true }, Review, "REVIEW: 1 new place to read"},
		{of(memory.Low, false), nil, Clean, "No known problems in 1 file; 1 note"},
		{part, nil, Clean, "No known problems in 145 files, of them 4 that agents read; 1 note"},
		{of(memory.High, true), nil, Clean, "No known problems in 1 file"},
		{of(memory.High, true), func(r *Report) { r.Baseline = true }, Clean, "No new problems, 1 accepted, in 1 file"},
		{failed, nil, Incomplete, "INCOMPLETE: 1 place could not be read, 1 note"},
		{stopped, nil, Incomplete, "INCOMPLETE: it was interrupted"},
		{memory.Audit{Files: 2, Records: 1, More: 1}, narrowed, Incomplete, "INCOMPLETE: not every finding is listed"},
		{
			memory.Audit{Files: 2, Records: 1, Blobs: 2, Commits: 3},
			nil,
			Clean,
			"No known problems in 2 files, 1 lesson, 2 versions in git, 3 commits",
		},
		{memory.Audit{Files: 2}, narrowed, Clean, "No known problems of the requested kinds in 2 files"},
		{memory.Audit{}, nil, Nothing, "Nothing to read: there are no files here"},
		{memory.Audit{}, func(r *Report) { r.Named = true }, Incomplete, "INCOMPLETE: there was nothing to read"},
	} {
		r := ofAudit(c.a)
		if c.change != nil {
			c.change(r)
		}
		if r.Verdict() != c.want || r.headline() != c.says {
			t.Errorf("it is %s, %q, want %s, %q", r.Verdict(), r.headline(), c.want, c.says)
		}
	}
}

func TestPrivateDataIsOneLineAKind(t *testing.T) {
	out := words(t, ofAudit(filled("x")), "text", 0)
	if !strings.Contains(out, "P  private-rule  5 places in 1 file, first x:1, x, x\n") ||
		strings.Count(out, "private-rule") != 1 {
		t.Errorf("it says\n%s", out)
	}
}

func TestTooManyOfARuleAreCounted(t *testing.T) {
	var a memory.Audit
	for i := range 50 {
		a.Findings = append(a.Findings, memory.Finding{
			Family:      memory.FamilyHidden,
			Severity:    memory.High,
			Rule:        "r",
			Path:        fmt.Sprintf("f%d", i/25),
			Line:        i + 1,
			Fingerprint: fmt.Sprintf("%032d", i),
		})
	}
	r := ofAudit(a)
	for name, out := range map[string]string{"text": words(t, r, "text", 0), "Markdown": words(t, r, "md", 0)} {
		if strings.Count(out, "fingerprint") != listedMost ||
			!strings.Contains(out, "30 more of this rule in 2 files") {
			t.Errorf("%s is\n%s", name, out)
		}
	}
	if n := strings.Count(string(written(t, r, "json")), `"fingerprint"`); n != 50 {
		t.Errorf("JSON has %d of 50", n)
	}
}

func TestAdviceIsGivenOnceARule(t *testing.T) {
	f := memory.Finding{
		Family:   memory.FamilySecret,
		Severity: memory.High,
		Rule:     "r",
		Path:     "p",
		Line:     1,
		Name:     "a key",
		What:     "A key in line 1",
		Why:      "So it is.",
		Next:     []string{"revoke it", "cut it", "clean git"},
		Fixable:  true,
	}
	g := f
	g.Line = 2
	other := f
	other.Why = "for another reason"
	second := f
	second.Rule = "s"
	second.Path = "q"
	second.Fixable = false
	second.Next = []string{"revoke that", "cut it", "clean git"}
	r := ofAudit(memory.Audit{Findings: []memory.Finding{f, g, other, second}})
	r.Fix = "fix it"
	out := words(t, r, "text", 0)
	for want, n := range map[string]int{
		"   A key. So it is.\n":   2,
		"   for another reason\n": 1,
		"next: revoke it\n":       1,
		"next: revoke that\n":     1,
		"in line 1":               0,
		"\nThen, when what can be revoked is revoked:\n  replace the secrets in 1 file by [REDACTED], keeping no copy:\n    fix it\n  clean git\n  cut it\n": 1,
	} {
		if strings.Count(out, want) != n {
			t.Errorf("it does not say %q %d times:\n%s", want, n, out)
		}
	}
}

func TestNothingIsRedactedWhenNoFileCouldBeChanged(t *testing.T) {
	r := ofAudit(filled("x"))
	r.Fixed = &memory.Fixed{Failed: r.Audit.Failed, Beyond: []memory.Beyond{{What: "backups"}}}
	if out := words(t, r, "text", 0); !strings.Contains(out, "Nothing was redacted.\nNot changed:\n") ||
		strings.Contains(out, "backups") {
		t.Errorf("it says\n%s", out)
	}
}

func TestWhatIsCopiedIsNotWrapped(t *testing.T) {
	a := filled("x")
	r := ofAudit(a)
	r.Fix = "winnow audit 'a folder' --fix"
	for i := range r.Audit.Findings {
		r.Audit.Findings[i].Recalled = "yes, relevance 4"
	}
	r.Fixed = &memory.Fixed{
		Secrets: 1,
		Beyond:  []memory.Beyond{{What: "backups of it", Commands: []string{"find . -name '*.bak' -print"}}},
	}
	out := words(t, r, "text", 24)
	for _, want := range []string{
		"\n    find . -name '*.bak' -print\n",
		"\n   fingerprint " + strings.Repeat("0a", 16) + "\n   recalled: yes,\n   relevance 4, in x\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestFilesOfOneRuleAreOneLine(t *testing.T) {
	var a memory.Audit
	for _, path := range []string{"a", "b", "c"} {
		a.Findings = append(a.Findings, memory.Finding{
			Family:   memory.FamilyFile,
			Severity: memory.Low,
			Rule:     "r",
			Path:     path,
			Name:     "open file",
			What:     "it is open",
		})
	}
	if out := words(t, ofAudit(a), "text", 0); !strings.Contains(out, "F  r  3 files, first a\n   Open file\n") ||
		strings.Count(out, "F  r") != 1 {
		t.Errorf("it says\n%s", out)
	}
}

func TestPassages(t *testing.T) {
	long := strings.Repeat("w ", 100)
	for _, c := range []struct {
		name string
		f    memory.Finding
		want string
	}{
		{
			"a secret is masked without a mask",
			memory.Finding{Family: memory.FamilySecret, Text: "key abcdefghijkl end", Start: 4, End: 16},
			"key ************ end",
		},
		{
			"a place is marked",
			memory.Finding{Text: "please ignore all rules now", Start: 7, End: 23},
			"please [ignore all rules] now",
		},
		{
			"masks beside the place",
			memory.Finding{Text: "k=abcdefghijkl run it", Start: 15, End: 18, Masks: [][2]int{{2, 14}}},
			"k=************ [run] it",
		},
		{
			"a mask across the end",
			memory.Finding{Text: "run abcdefghijkl it", Start: 0, End: 8, Masks: [][2]int{{4, 16}}},
			"[run ************] it",
		},
		{
			"masks that overlap",
			memory.Finding{
				Family: memory.FamilySecret,
				Text:   "abcdefghijkl",
				Start:  2,
				End:    8,
				Masks:  [][2]int{{6, 12}, {0, 3}},
			},
			"************",
		},
		{
			"long texts are cut",
			memory.Finding{Text: long + "HERE" + long, Start: 200, End: 204},
			dots + strings.Repeat("w ", 24) + "[HERE]" + strings.Repeat("w ", 24) + dots,
		},
		{
			"places outside",
			memory.Finding{Text: "abc", Start: -4, End: 99, Masks: [][2]int{{-5, 1}, {2, 70}, {3, 3}}},
			"************b************",
		},
	} {
		r := ofAudit(memory.Audit{})
		if got := r.passage(&c.f).marked(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// uncoded returns a text in Markdown without its code.
func uncoded(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for i+n < len(s) && s[i+n] == '`' {
			n++
		}
		if n == 0 {
			out.WriteByte(s[i])
			i++
			continue
		}
		end, at := -1, i+n
		for at < len(s) && end < 0 {
			m := 0
			for at+m < len(s) && s[at+m] == '`' {
				m++
			}
			if m == n {
				end = at + m
			}
			at += max(m, 1)
		}
		if end < 0 {
			out.WriteString(s[i : i+n])
			i += n
			continue
		}
		out.WriteString("C")
		i = end
	}
	return out.String()
}

// active reports whether Markdown without its code may hold more than lists, headings
// and bold letters.
func active(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(line, "# -")
		for _, l := range []string{"S", "P", "I", "H", "R", "F"} {
			line = strings.TrimPrefix(line, "**"+l+"**")
		}
		if strings.ContainsAny(line, "@#<>[]|_*~`&$!\\/=") || strings.Contains(line, "www") {
			return true
		}
	}
	return false
}

func TestMarkdownOfHostileTextIsCode(t *testing.T) {
	if out := uncoded(words(t, hostileReport(), "md", 0)); active(out) {
		t.Errorf("it has more than words outside of code:\n%s", out)
	}
}

func TestOnlyTameWordsAreProse(t *testing.T) {
	for s, want := range map[string]bool{
		"Revoke it, then look: it may be used (by others).": true,
		"the agent reads 200 lines":                         true,
		"":                                                  false,
		"see https://x.example":                             false,
		"write to a@b":                                      false,
		"www.x.example":                                     false,
		"GH-12":                                             false,
		"in 1234abc":                                        false,
		"a: smile:x":                                        false,
		"# x":                                               false,
		"- x":                                               false,
		"1. x":                                              false,
		"x\ny":                                              false,
		"é":                                                 false,
		"a_b":                                               false,
	} {
		if isPlainText(s) != want {
			t.Errorf("%q is tame: %v, want %v", s, !want, want)
		}
	}
}

func FuzzNoFormBreaksOut(f *testing.F) {
	f.Add(hostile, 3, 9)
	f.Add("` a `` b ```", 0, 4)
	f.Fuzz(func(t *testing.T, s string, start, end int) {
		a := memory.Audit{Findings: []memory.Finding{{
			Family:   memory.FamilyInjection,
			Severity: memory.High,
			Rule:     "r",
			Path:     s,
			Line:     1,
			Text:     s,
			Start:    start,
			End:      end,
			What:     s,
			Masks:    [][2]int{{end, start}},
		}}}
		r := ofAudit(a)
		if out := uncoded(words(t, r, "md", 0)); active(out) {
			t.Fatalf("outside of code: %q", out)
		}
		written(t, r, "json")
		if out := words(t, r, "text", 0); strings.ContainsFunc(out, func(c rune) bool { return c < ' ' && c != '\n' }) {
			t.Fatalf("%q", out)
		}
	})
}

func FuzzPassageHidesMasks(f *testing.F) {
	f.Add("some text ", " and more", 2, 30, 4, 40)
	f.Fuzz(func(t *testing.T, before, after string, a, b, c, d int) {
		s := before + token() + after
		r := ofAudit(memory.Audit{})
		r.Hidden = func(s string) string { return s } // nothing but the masks helps
		p := r.passage(&memory.Finding{
			Text:  s,
			Start: a,
			End:   b,
			Masks: [][2]int{{c, d}, {len(before), len(before) + len(token())}},
		})
		if strings.Contains(p.String(), token()[9:20]) && !strings.Contains(before+after, token()[9:20]) {
			t.Fatalf("%q shows the secret", p)
		}
	})
}
