package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

// spelled prints an edit with what its pointers point to.
func spelled(e memory.Edit) string {
	var out []string
	for name, p := range map[string]*string{"title": e.Title, "body": e.Body, "outcome": e.Outcome, "raw": e.Raw} {
		if p != nil {
			out = append(out, fmt.Sprintf("%s=%q", name, *p))
		}
	}
	if e.Tools != nil {
		out = append(out, fmt.Sprintf("tools=%q", *e.Tools))
	}
	if e.Count != nil {
		out = append(out, fmt.Sprintf("count=%d", *e.Count))
	}
	return strings.Join(out, " ")
}

func TestTypedFieldsReachTheOrder(t *testing.T) {
	for _, c := range []struct {
		args []string
		in   string
		want string
	}{
		{[]string{"edit", "aa11", "--set", "task_summary=a = b"}, "", `title="a = b"`},
		{[]string{"edit", "aa11", "--set", "lesson="}, "", `body=""`},
		{[]string{"edit", "aa11", "--set", "outcome=failed"}, "", `outcome="failed"`},
		{[]string{"edit", "aa11", "--set", `tool_names=["a, b","c"]`}, "", `tools=["a, b" "c"]`},
		{[]string{"edit", "aa11", "--set", "tool_names= a ,b,"}, "", `tools=["a" "b"]`},
		{[]string{"edit", "aa11", "--set", "tool_names="}, "", `tools=[]`},
		{[]string{"edit", "aa11", "--set", "relevance_count=7"}, "", `count=7`},
		{[]string{"edit", "aa11", "--raw", "{\"x\": 1}\r\n"}, "", `raw="{\"x\": 1}\r\n"`},
		{[]string{"edit", "aa11", "--raw", "-"}, "{\"x\":1}\n", `raw="{\"x\":1}\n"`},
		{[]string{"edit", "aa11", "--raw", ""}, "", `raw=""`},
		{[]string{"merge", "aa11", "aa22", "--text-from", "aa2", "--set", "lesson=mine", "--yes"}, "",
			`title="Rotate token ` + token + `" body="mine" outcome="failed"`},
		{[]string{"add", "-"}, `{"task_summary":"a","tool_names":[],"relevance_count":0}`, `title="a" tools=[] count=0`},
	} {
		w := newWorld(standard())
		w.In = strings.NewReader(c.in)
		w.run(t, 0, c.args...)
		lib := w.Library.(*memoryLibrary)
		if got := spelled(lib.orders[0].Edit); !sameWords(got, c.want) {
			t.Errorf("winnow %q sets %s, want %s", c.args, got, c.want)
		}
	}
}

// sameWords reports whether two texts have the same words, in any order.
func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, w := range strings.Fields(a) {
		count[w]++
	}
	for _, w := range strings.Fields(b) {
		count[w]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestFormComesFromAFileOrTheInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "form")
	if err := os.WriteFile(path, []byte("a form"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"edit aa11 --form " + path, "edit aa11 --form -", "add --form -"} {
		w := newWorld(standard())
		lib := w.Library.(*memoryLibrary)
		w.In = strings.NewReader("a form")
		w.run(t, 0, strings.Fields(args)...)
		if lib.orders[0].Form != "a form" {
			t.Errorf("winnow %s takes %q", args, lib.orders[0].Form)
		}
	}
	w := newWorld(standard())
	w.run(t, exitFailure, "edit", "aa11", "--form", path+"x")
	if !strings.Contains(w.err.String(), "\nhint: name the file from the earlier message") {
		t.Errorf("without the form it says %q", &w.err)
	}
}

func TestLessonsThatCannotBeReadAreRefused(t *testing.T) {
	for _, in := range []string{
		"", "x", "[]", "1", `"x"`, "null", `{"lesson_id":"x"}`, `{"LESSON":"x"}`, `{"lesson":1}`, `{"lesson":null}`,
		`{"tool_names":"a"}`,
		`{"relevance_count":1.5}`, `{"relevance_count":-1}`, `{"lesson":"x"} {`, `{"lesson":"x"} null`,
		`{"lesson":"x"}]`,
	} {
		w := newWorld(standard())
		w.In = strings.NewReader(in)
		w.run(t, exitUsage, "add", "-")
		if lib := w.Library.(*memoryLibrary); len(lib.orders) > 0 || !strings.Contains(w.err.String(), "hint: ") {
			t.Errorf("%s orders %v and says %q", in, lib.orders, &w.err)
		}
	}
}

func FuzzReadLessons(f *testing.F) {
	f.Add([]byte(`{"task_summary":"a","lesson":"b","outcome":"failed","tool_names":["c"],"relevance_count":1}`))
	f.Add([]byte("{}\n{\"lesson\":null}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := readRecords(raw)
		if (err == nil) != (len(list) > 0) {
			t.Fatalf("%q gives %d lessons and %v", raw, len(list), err)
		}
		for _, e := range list {
			if e.Raw != nil || e.Count != nil && *e.Count < 0 {
				t.Fatalf("%q sets %s", raw, spelled(e))
			}
		}
	})
}

func FuzzDays(f *testing.F) {
	for _, s := range []string{"30d", "30", "4w", "d", "-1", "+3", "3dw", "99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := days(s); ok && (n < 1 || n > 700_000 || !strings.ContainsAny(s, "0123456789")) {
			t.Fatalf("%q is %d days", s, n)
		}
	})
}

// editing is a testEnv in which the editor is a script. It returns where drafts are.
func editing(t *testing.T, script string) (*testEnv, string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to play the editor")
	}
	dir := t.TempDir()
	editor := filepath.Join(dir, "editor.sh")
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	w := newWorld(standard())
	w.Lookup, w.State = lookup(map[string]string{"EDITOR": sh + " " + editor}), dir
	w.Library.(*memoryLibrary).form = "the form\n"
	return w, filepath.Join(dir, "drafts")
}

func TestEditorTextIsKeptUntilItIsStored(t *testing.T) {
	problem := &memory.Problem{What: "Line 2 is no field.", Hint: "correct it"}
	for _, c := range []struct {
		name, script string
		args         string
		arrange      func(*memoryLibrary)
		status       int
		kept         bool
		orders       int
	}{
		{"stored", "echo more >> $1", "edit aa11", nil, 0, false, 1},
		{"unchanged", "true", "edit aa11", nil, 0, false, 0},
		{
			"a mistake",
			"echo more >> $1",
			"edit aa11",
			func(s *memoryLibrary) { s.planErr = problem },
			exitFailure,
			true,
			1,
		},
		{
			"refused",
			"echo more >> $1",
			"edit aa11",
			func(s *memoryLibrary) { s.findings = []memory.Finding{{Rule: "heading"}} },
			exitRefused,
			true,
			1,
		},
		{
			"a conflict",
			"echo more >> $1",
			"edit aa11",
			func(s *memoryLibrary) { s.applyErr = memory.ErrConflict },
			exitConflict,
			true,
			1,
		},
		{"not confirmed", "echo more >> $1", "edit aa11", pinFirst, exitUsage, true, 1},
		{"only planned", "echo more >> $1", "edit aa11 --dry-run", nil, 0, true, 1},
		{"the editor failed", "echo more >> $1; exit 3", "edit aa11", nil, exitFailure, true, 0},
		{
			"a mistake in a new one",
			"echo more >> $1",
			"add",
			func(s *memoryLibrary) { s.planErr = problem },
			exitFailure,
			true,
			1,
		},
	} {
		w, drafts := editing(t, c.script)
		lib := w.Library.(*memoryLibrary)
		if c.arrange != nil {
			c.arrange(lib)
		}
		w.run(t, c.status, strings.Fields(c.args)...)
		left, _ := filepath.Glob(filepath.Join(drafts, "*"))
		if (len(left) == 1) != c.kept || len(left) > 1 {
			t.Fatalf("%s: %q are left", c.name, left)
		}
		if len(lib.orders) != c.orders || c.orders > 0 && lib.orders[0].Form != "the form\nmore\n" {
			t.Errorf("%s: ordered is %+v", c.name, lib.orders)
		}
		if c.kept {
			raw, err := os.ReadFile(left[0])
			if err != nil || string(raw) != "the form\nmore\n" || !strings.Contains(w.err.String(), left[0]) {
				t.Errorf("%s: kept is %q (%v), it says %q", c.name, raw, err, &w.err)
			}
		}
		op, id, _ := strings.Cut(c.args, " ")
		if again := "to continue with it: winnow " + op + " --form "; c.kept && c.status != 0 &&
			(!strings.Contains(w.err.String(), again) ||
				id != "" && !strings.Contains(w.err.String(), ".txt "+id+"\n")) {
			t.Errorf("%s: it says %q, want %q and %s", c.name, &w.err, again, id)
		}
	}
}

func TestEditorGetsTheFormAndWhatWasSeen(t *testing.T) {
	w, drafts := editing(t, "cat $1; ls -l $1 | cut -c1-10; ls -ld "+"$(dirname $1) | cut -c1-10; echo >> $1")
	w.run(t, 0, "edit", "aa11")
	if want := "the form\n-rw-------\ndrwx------\n"; w.err.String() != want {
		t.Errorf("in %s the editor sees %q, want %q", drafts, &w.err, want)
	}
	if o := w.Library.(*memoryLibrary).orders[0]; len(o.Base) != 1 || o.Base[0] != `{"lesson_id":"aa11"}` {
		t.Errorf("seen was %q", o.Base)
	}
}

func TestLessonDraftThatCannotBeWrittenIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(standard())
	w.State, w.InTTY, w.ErrTTY = file, true, true
	w.run(t, exitFailure, "edit", "aa11")
	if !strings.HasPrefix(w.err.String(), "winnow: edit: write lesson: ") {
		t.Errorf("it says %q", &w.err)
	}
}

func TestWordsOfAShellAreQuoted(t *testing.T) {
	for s, want := range map[string]string{"7f3c": "7f3c", "line 4": "'line 4'", "it's": `'it'\''s'`, "": "''", "a$b": "'a$b'"} {
		if got := memory.ShellWord(s); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}

func TestEditorWantsATerminalUnlessTheUserNamedOne(t *testing.T) {
	for _, args := range []string{"add", "edit aa11"} {
		w := newWorld(standard())
		w.run(t, exitUsage, strings.Fields(args)...)
		if !strings.Contains(w.err.String(), "there is no terminal for the editor vi\nhint: name one in EDITOR, ") {
			t.Errorf("winnow %s says %q", args, &w.err)
		}
	}
}

func TestDraftInWhichNothingWasTypedIsNotKept(t *testing.T) {
	w := newWorld(standard())
	w.State = t.TempDir()
	w.Lookup = lookup(map[string]string{"EDITOR": filepath.Join(w.State, "none")})
	w.run(t, exitFailure, "add")
	left, err := filepath.Glob(filepath.Join(w.State, "drafts", "*"))
	if err != nil || len(left) > 0 || strings.Contains(w.err.String(), "your text is kept") {
		t.Errorf("left are %q, %v; it says %q", left, err, &w.err)
	}
}

func TestWrongValueHasItsOwnHint(t *testing.T) {
	for args, hint := range map[string]string{
		"edit aa11 --set outcome=maybe":      "use succeeded or failed",
		"edit aa11 --set relevance_count=-1": "give an integer, 0 or more",
		"edit aa11 --set tool_names=[":       "give names with commas between them, or a JSON array: ",
		"edit aa11 --set titel=x":            "the fields are task_summary, ",
	} {
		w := newWorld(standard())
		w.run(t, exitUsage, strings.Fields(args)...)
		if !strings.Contains(w.err.String(), "\nhint: "+hint) {
			t.Errorf("winnow %s says %q", args, &w.err)
		}
	}
}

func TestOneWrongLessonOfSeveralAddsNone(t *testing.T) {
	w := newWorld(standard())
	w.In = strings.NewReader(`{"lesson":"a"}{"lesson":1}{"lesson":"c"}`)
	w.run(t, exitUsage, "add", "-", "--yes")
	if lib := w.Library.(*memoryLibrary); len(lib.orders)+len(lib.applied) > 0 ||
		!strings.Contains(w.err.String(), "record 2 is wrong, and nothing was added: lesson cannot be a number\n") {
		t.Errorf("%d orders; it says %q", len(lib.orders), &w.err)
	}
	w.In = strings.NewReader("")
	w.run(t, exitUsage, "add", "-")
	if !strings.HasPrefix(w.err.String(), "winnow: add: there is no record on standard input\n") {
		t.Errorf("of nothing it says %q", &w.err)
	}
}

func TestTaskIsDecodedAsAnAgentWould(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"plain é 🙂\n":               "plain é 🙂\n",
		"\xff":                      "\uFFFD",
		"a\xe2\x82b":                "a\uFFFDb",
		"\xed\xa0\xbd":              "\xed\xa0\xbd",
		"x\xed\xa0\xbd\xed\xb8\x80": "x\U0001F600",
		"\xed\xb8\x80\xed\xa0\xbd!": "\xed\xb8\x80\xed\xa0\xbd!",
		"\xffa\xed\xa0\xbdb\xff":    "\uFFFDa\xed\xa0\xbdb\uFFFD",
	} {
		if got := typed([]byte(in)); got != want {
			t.Errorf("%q is decoded as %q, want %q", in, got, want)
		}
	}
}
