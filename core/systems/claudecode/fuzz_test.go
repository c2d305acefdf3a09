package claudecode

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"", "---\n", "---\nname: a\ndescription: b # c\nmetadata: \n  type: user\n---\nbody",
		"\ufeff---\r\nname: x\r\n---\r\nB\r\n",
		"---\ndescription: >\n  a\n  b\n\ntype: project\n---\n", "---\n- a\n---\n", "---\na: &x [*x]\n---\n",
		"---\nname:\n---\n# H\n", "# H #\nx",
		"---\nmetadata:\n    type: user\n    description: in\n---\n", "---\n\"description\": q\n---\n",
		"---\ndescription: a\ndescription: b\n---\n",
	} {
		f.Add(s, "a \"new\" text # here")
	}
	s := &store{rand: strings.NewReader(strings.Repeat("x", 1<<20)), now: func() time.Time { return time.Time{} }}
	f.Fuzz(func(t *testing.T, text, title string) {
		h := headerOf(text)
		if h.start > h.end || h.end > h.body || h.body > len(text) {
			t.Fatalf("the header of %q is %+v", text, h)
		}
		r, _ := decoded(text)
		if same, err := s.Compose(text, memory.Edit{}); text != "" && (err != nil || same != text) {
			t.Fatalf("%q without an edit is %q, %v", text, same, err)
		}
		if text == "" || !utf8.ValidString(title) {
			return
		}
		if out, err := s.Compose(text, memory.Edit{Title: &title}); err == nil {
			now, _ := decoded(out)
			if now.Title != title || now.Problem != nil || h.there && h.problem == "" && now.Kind != r.Kind {
				t.Fatalf("%q with %q is %q: %+v", text, title, out, now)
			}
			if e, err := s.ParseForm(text, out); err != nil && r.Problem == nil {
				t.Fatalf("the form %q of %q is %+v, %v", out, text, e, err)
			}
		}
		if out, err := s.Compose(text, memory.Edit{Body: &title}); err == nil {
			if !strings.HasPrefix(out, text[:h.body]) {
				t.Fatalf("%q with the body %q is %q", text, title, out)
			}
		}
		if out, err := s.Compose("", memory.Edit{Title: &title, Body: &text}); err == nil {
			if now := s.Decode(out); now.Title != title || now.Problem != nil || now.ID == "" {
				t.Fatalf("a new memory with %q is %q: %+v", title, out, now)
			}
		}
	})
}

func FuzzProse(f *testing.F) {
	for _, s := range []string{"@a.md", "`@a`", "```\n@a.md\n```\n@b.md", "<!-- x -->\n@c", "[[a]] [[b|c]] `[[d]]`", "@a\\ b.md#x", "~~~\n<!--\n~~~\n-->", "`` ` @x ``", "<!--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if clean := content(text); utf8.ValidString(text) && len(clean) > len(text) {
			t.Fatalf("%q becomes longer: %q", text, clean)
		}
		pathsOf(text)
		described(text)
		for _, p := range imported(text) {
			if p == "" || strings.ContainsAny(p, "\x00\n") {
				t.Fatalf("%q imports %q", text, p)
			}
		}
		for _, l := range links(text) {
			if !strings.Contains(text, l) {
				t.Fatalf("%q links to %q", text, l)
			}
		}
	})
}

func FuzzGlobs(f *testing.F) {
	f.Add("src/**/*.go", "src/a/b.go")
	f.Add("{a,b{c,d}}/[x", "ac/x")
	f.Add("{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}", "a")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 200 || len(path) > 200 {
			return
		}
		g := globsOf([]string{pattern})
		if len(g.plain) > maxPatterns || len(g.plain) == 0 {
			t.Fatalf("%q is %d patterns", pattern, len(g.plain))
		}
		g.matches(path)
	})
}

func FuzzIndex(f *testing.F) {
	f.Add("- [A](a.md) — x\n- [B](b.md)\n", "a.md", "Title", "hook")
	f.Add("<!-- x\n-->\n- [A](<a b.md>)", "a b.md", "[T]", "")
	f.Fuzz(func(t *testing.T, text, file, title, hook string) {
		x := indexOf(filestore.File{Text: text})
		if jstext.Len(x.shown) > maxIndexUnits || x.warning == "" && x.shown != x.loaded ||
			!strings.HasPrefix(x.loaded, strings.TrimSuffix(x.shown, "\ufffd")) {
			t.Fatalf("of %q %q is shown", text, x.shown)
		}
		withoutFile(text, file)
		if file == "" || linkedFile(escaped(file)) != file || strings.ContainsAny(file+title+hook, "<>\n\r") ||
			strings.Contains(text, "<!--") ||
			strings.Contains(text, "---") {
			return
		}
		added := withLine(text, title, file, oneLine(hook))
		y := indexOf(filestore.File{Text: added})
		if len(y.lines) == 0 || !strings.Contains(added, "("+escaped(file)+")") {
			t.Fatalf("%q with a line for %q is %q", text, file, added)
		}
		merged, _ := (&store{}).Reconcile(
			memory.Forms{{Before: text, After: added}},
			text+"\n- [Other](other_one.md)\n",
		)
		leads := func(l indexLine) bool { return l.file == file } // however its link is spelled
		if !slices.ContainsFunc(indexOf(filestore.File{Text: merged}).lines, leads) {
			t.Fatalf("the line for %q is lost: %q", file, merged)
		}
	})
}

func TestWorkGrowsWithTheText(t *testing.T) {
	begin := time.Now()
	for _, s := range []string{"{", "[", "`", "``", "[[", "@a ", "<!--", "```\n", "{,}", "---\n", "a: b\n", "- [x](y.md)\n", " x:\n"} {
		text := strings.Repeat(s, 20_000)
		globsOf([]string{text})
		imported(text)
		links(text)
		content("---\n" + text)
		indexOf(filestore.File{Text: text})
		decoded("---\n" + text + "\n---\n")
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}
