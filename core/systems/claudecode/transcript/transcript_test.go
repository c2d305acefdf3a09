package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// put writes a transcript of lines and returns its path.
func put(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const common = `"sessionId":"s","cwd":"/w","version":"2.1.281","timestamp":"2026-10-17T09:00:02.037Z",`

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func asked(text string) string {
	return `{` + common + `"type":"user","message":{"role":"user","content":` + quoted(text) + `}}`
}

func replied(stop string) string {
	return `{` + common + `"type":"assistant","message":{"content":[{"type":"text","text":"said"}],"stop_reason":` +
		stop + `}}`
}

func used(id, tool, input string) string {
	return `{` + common + `"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"` +
		tool + `","input":` + input + `}],"stop_reason":"tool_use"}}`
}

func result(id, text, more, toolUseResult string) string {
	return `{` + common + `"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id +
		`","content":` + quoted(text) + more + `}]},"toolUseResult":` + toolUseResult + `}`
}

func summary(t *testing.T, lines ...string) Summary {
	t.Helper()
	s, err := Session(t.Context(), put(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEndIsWhatTheLastLinesSay(t *testing.T) {
	failed := `{` + common +
		`"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error"}],"stop_reason":"stop_sequence"}}`
	for name, c := range map[string]struct {
		lines   []string
		want    End
		pending int
	}{
		"nothing":                     {nil, Unused, 0},
		"a mode":                      {[]string{`{"type":"mode","mode":"normal"}`}, Unused, 0},
		"a prompt":                    {[]string{asked("do")}, Open, 0},
		"an answer":                   {[]string{asked("do"), replied(`"end_turn"`)}, Finished, 0},
		"an answer without a mark":    {[]string{asked("do"), replied(`null`)}, Answered, 0},
		"a text before a result":      {[]string{asked("do"), used("1", "Bash", `{}`), replied(`null`)}, Open, 1},
		"an answer, and /exit":        {[]string{asked("do"), replied(`null`), asked("<command-name>/exit</command-name>")}, Answered, 0},
		"an answer, and a prompt":     {[]string{asked("do"), replied(`null`), asked("and that")}, Open, 0},
		"an old answer with its turn": {[]string{asked("do"), replied(`null`), `{"type":"system","subtype":"turn_duration"}`}, Finished, 0},
		"a tool":                      {[]string{asked("do"), used("1", "Bash", `{}`)}, Open, 1},
		"a tool and its result":       {[]string{asked("do"), used("1", "Bash", `{}`), result("1", "ok", "", `{}`)}, Open, 0},
		"a dead turn and a done one":  {[]string{asked("do"), used("1", "Bash", `{}`), asked("again"), replied(`"end_turn"`)}, Finished, 0},
		"a dead turn and a new one":   {[]string{asked("do"), used("1", "Bash", `{}`), asked("again"), used("2", "Bash", `{}`)}, Open, 1},
		"interrupted":                 {[]string{asked("do"), asked("[Request interrupted by user]")}, Interrupted, 0},
		"interrupted at a tool":       {[]string{asked("do"), used("1", "Bash", `{}`), asked("[Request interrupted by user for tool use at 9:00]")}, Interrupted, 0},
		"interrupted and done":        {[]string{asked("do"), asked("[Request interrupted by user]"), asked("go on"), replied(`"end_turn"`)}, Finished, 0},
		"an error of the service":     {[]string{asked("do"), failed}, Broken, 0},
		"an error, and then done":     {[]string{asked("do"), failed, replied(`"end_turn"`)}, Finished, 0},
		"a subagent goes on":          {[]string{asked("do"), replied(`"end_turn"`), `{"isSidechain":true,` + used("1", "Bash", `{}`)[1:]}, Finished, 0},
	} {
		if s := summary(t, c.lines...); s.End != c.want || s.Pending != c.pending {
			t.Errorf("%s: %s with %d pending, want %s with %d", name, s.End, s.Pending, c.want, c.pending)
		}
	}
}

func TestTaskIsTheFirstPromptOfThePerson(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"text": {[]string{asked("fix it")}, "fix it"},
		"after a notice": {
			[]string{asked("<local-command-stdout>x"), asked("<system-reminder>x"), asked("fix it")},
			"fix it",
		},
		"after meta":     {[]string{`{"isMeta":true,` + asked("Caveat")[1:], asked("fix it")}, "fix it"},
		"after summary":  {[]string{`{"isCompactSummary":true,` + asked("This session")[1:], asked("fix it")}, "fix it"},
		"not a hook's":   {[]string{`{"origin":{"kind":"hook"},` + asked("hook")[1:], asked("fix it")}, "fix it"},
		"a human's":      {[]string{`{"origin":{"kind":"human"},` + asked("fix it")[1:]}, "fix it"},
		"not a subagent": {[]string{`{"isSidechain":true,` + asked("look")[1:], asked("fix it")}, "fix it"},
		"command alone":  {[]string{asked("<command-message>x</command-message><command-name>/review</command-name><command-args>12</command-args>")}, "/review 12"},
		"after command":  {[]string{asked("<command-name>/clear</command-name>"), asked("fix it")}, "fix it"},
		"block after a reminder": {[]string{`{"type":"user","message":{"content":[{"type":"text","text":"<system-reminder>x"},{"type":"image"},{"type":"text","text":"fix it"}]}}`},
			"fix it"},
	} {
		if s := summary(t, c.lines...); s.Task != c.want {
			t.Errorf("%s: %q, want %q", name, s.Task, c.want)
		}
	}
}

func TestTitleIsThePersonsElseTheModelsElseTheSummary(t *testing.T) {
	custom, ai := `{"type":"custom-title","customTitle":"mine"}`, `{"type":"ai-title","aiTitle":"model's"}`
	other, own := `{"type":"summary","summary":"of another","leafUuid":"x"}`, `{"type":"summary","summary":"own","leafUuid":"u"}`
	line := `{"uuid":"u",` + asked("fix")[1:]
	for want, lines := range map[string][]string{
		"mine":       {own, custom, line, ai},
		"model's":    {ai, line, own},
		"own":        {own, line, other},
		"of another": {other},
		"":           {line},
	} {
		if s := summary(t, lines...); s.Title != want {
			t.Errorf("%q, want %q", s.Title, want)
		}
	}
}

func TestRejectionIsNoFailureOfTheTool(t *testing.T) {
	s := summary(
		t,
		asked("do"),
		used("1", "Bash", `{}`),
		result("1", "Exit code 7\nno", `,"is_error":true`, `"Error: Exit code 7"`),
		used(
			"2",
			"Edit",
			`{}`,
		),
		result(
			"2",
			"The user doesn't want to proceed with this tool use. STOP",
			`,"is_error":true`,
			`"User rejected tool use"`,
		),
		used(
			"3",
			"Read",
			`{}`,
		),
		result("3", "<tool_use_error>none</tool_use_error>", `,"is_error":true`, `"Error: none"`),
	)
	if s.Failed != 2 || s.Rejected != 1 {
		t.Errorf("%d failed and %d rejected, want 2 and 1", s.Failed, s.Rejected)
	}
}

func TestWritesToMemoriesAreTold(t *testing.T) {
	const dir = "/home/a/.claude/projects/-w/memory/"
	path := put(
		t,
		asked("do"),
		used(
			"1",
			"Write",
			`{"file_path":"`+dir+`a.md","content":"new"}`,
		),
		result("1", "ok", "", `{"type":"update","originalFile":"old"}`),
		used(
			"2",
			"Edit",
			`{"file_path":"`+dir+`a.md","old_string":"x","new_string":"y"}`,
		),
		result("2", "ok", "", `{"originalFile":"whole x"}`),
		used("3", "Write", `{"file_path":"`+dir+`b.md","content":"b"}`),
		result("3", "ok", "", `{"type":"create"}`),
		used(
			"4",
			"Write",
			`{"file_path":"`+dir+`c.md","content":"c"}`,
		),
		result("4", "no", `,"is_error":true`, `"Error: no"`),
		used("5", "Write", `{"file_path":"/w/src/memory/d.md","content":"no memory"}`),
		used("6", "Edit", `{"file_path":"/w/.claude/agent-memory/rev/MEMORY.md","old_string":"","new_string":"z"}`),
		used(
			"7",
			"MultiEdit",
			`{"file_path":"/notes/e.md","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3","new_string":"4"}]}`,
		),
		result("7", "ok", "", `{}`),
		used("8", "Read", `{"file_path":"`+dir+`a.md"}`),
	)
	s, err := Session(t.Context(), path, "/notes")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range s.Writes {
		got = append(got, fmt.Sprintf("%s %s %v %v %v", w.Tool, filepath.Base(w.Path), w.Created, w.Failed, w.Pending))
	}
	want := []string{
		"Write a.md false false false", "Edit a.md false false false", "Write b.md true false false",
		"Write c.md false true false", "Edit MEMORY.md false false true", "MultiEdit e.md false false false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func attached(attachment string) string {
	return `{` + common + `"type":"attachment","attachment":` + attachment + `}`
}

func instructions(key, files string) string {
	return attached(`{"type":"instructions","` + key + `":` + files + `,"reason":"session_start"}`)
}

func held(t *testing.T, lines ...string) string {
	t.Helper()
	in, err := Injected(t.Context(), put(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range in.Received() {
		out = append(out, p.Path+"="+p.Content)
	}
	return strings.Join(out, " ")
}

func TestChangedAndRemovedInstructionsCount(t *testing.T) {
	start := instructions(
		"files",
		`[{"path":"/a","type":"User","content":"1"},{"path":"/b","type":"Project","content":"2"}]`,
	)
	rule := attached(`{"type":"nested_memory","path":"/r","content":{"path":"/r","type":"Project","content":"rule"}}`)
	recall := attached(
		`{"type":"relevant_memories","memories":[{"path":"/m","content":"fact","mtimeMs":1792490000000}]}`,
	)
	compact := `{"type":"system","subtype":"compact_boundary"}`
	for want, lines := range map[string][]string{
		"/a=1 /b=2":                      {start},
		"/a=1 /b=3":                      {start, instructions("changed", `[{"path":"/b","content":"3"}]`)},
		"/b=2":                           {start, instructions("removed", `["/a"]`)},
		"/a=1":                           {start, instructions("removed", `[{"path":"/b"}]`)},
		"/a=9 /b=2":                      {start, instructions("removed", `["/a"]`), instructions("changed", `[{"path":"/a","content":"9"}]`)},
		"/a=1 /b=2 /r=rule":              {start, rule},
		"/a=1 /b=2 /c=c /m=fact":         {start, recall, instructions("added", `[{"path":"/c","content":"c"}]`)},
		"/a=1 /b=2 /c=c /r=rule /m=fact": {start, rule, recall, compact, instructions("added", `[{"path":"/c","content":"c"}]`)},
		"/r=rule":                        {rule, `{"isSidechain":true,` + start[1:], compact[:20]},
		"/x=text":                        {attached(`{"type":"nested_memory","path":"/x","content":"text"}`)},
		"/r=new":                         {rule, compact, strings.Replace(rule, `"rule"`, `"new"`, 1)},
	} {
		if got := held(t, lines...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatIsNotOnRecordIsUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"older version": {[]string{strings.Replace(asked("x"), "2.1.281", "2.0.1", 1)}, true},
		"only recalls":  {[]string{attached(`{"type":"relevant_memories","memories":[{"path":"/m","content":"x"}]}`)}, true},
		"none at start": {[]string{instructions("files", "[]")}, false},
	} {
		in, err := Injected(t.Context(), put(t, c.lines...))
		if err != nil || (in.Unknown != "") != c.want || c.want && !strings.Contains(in.Unknown, "not recorded") {
			t.Errorf("%s: %q, %v", name, in.Unknown, err)
		}
	}
}

// TestOddLinesHideNoOthers: torn, not JSON, blank, binary, of another session, of unknown
// form, and longer than what is read.
func TestOddLinesHideNoOthers(t *testing.T) {
	path := put(
		t,
		asked("do"),
		"",
		"   ",
		"{",
		"null",
		"[]",
		`"x"`,
		"\x00\xff\xfe",
		`{"type":7,"message":[1,{"a":[}`,
		`{"type":"later","new":{"x":[1,2,{"y":null}]}}`,
		strings.Replace(
			asked("another"),
			`"s"`,
			`"other"`,
			1,
		),
		`{"type":"user","message":"text"}`,
		`{"type":"user","message":{"content":{"a":1}}}`,
		`{"type":"assistant","message":{"content":[1,null,"x",[],{"type":"tool_use"},{"type":"tool_use","id":5,"name":{},"input":"x"}]}}`,
		`{"type":"assistant","pad":"`+strings.Repeat("x", mostLine)+`"}`,
		instructions("files", `[null,7,"/only/a/path",{"path":5,"content":["x"]},{"path":"/a","content":"1"}]`),
		replied(`"end_turn"`),
	)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"type":"user","message":{"content":"torn`); err != nil {
		t.Fatal(err)
	}
	s, err := Session(t.Context(), path)
	if err != nil || s.Task != "do" || s.End != Finished || s.ID != "s" {
		t.Errorf("%+v, %v", s, err)
	}
	in, err := Injected(t.Context(), path)
	if err != nil || len(in.Received()) != 2 || in.Unknown != "" {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestFilesThatAreNoTranscriptAreAProblem(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "gone.jsonl")} {
		_, err1 := Head(path)
		_, err2 := Injected(t.Context(), path)
		_, err3 := Session(t.Context(), path)
		for _, err := range []error{err1, err2, err3} {
			if p := (*memory.Problem)(nil); !errors.As(err, &p) || p.What == "" {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Injected(ctx, put(t, asked("x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestHeadIsFoundBehindLongLines(t *testing.T) {
	pad := strings.Repeat("x", 30_000)
	for want, lines := range map[string][]string{
		"/w":     {`{"type":"queue-operation","content":"` + pad + `"}`, asked("x")},
		"/first": {`{"parentUuid":null,"cwd":"/first","message":{"content":"` + pad + pad + pad + pad + pad + pad + pad + pad + pad + pad + `"}}`},
		"/true":  {`{"note":"\"cwd\":\"/no\"","message":{"cwd":"/no"}}`, `{"cwd":"/true"}`},
		"/é\n":   {`{"cwd":"/\u00e9\n"}`},
		"":       {`{"type":"summary","summary":"x"}`, strings.Repeat(pad, 10), asked("too far away")},
	} {
		if h, err := Head(put(t, lines...)); h.Folder != want || err != nil {
			t.Errorf("%q, %v; want %q", h.Folder, err, want)
		}
	}
}

func TestTranscriptsAreRegularFilesAndNoSubagentsTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"old.jsonl", "new.jsonl", "agent-x.jsonl", "notes.txt", ".jsonl"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, base, base.AddDate(0, 0, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink(filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "link.jsonl")) // where links can be made
	if got := List(dir); len(got) != 2 || got[0].Session != "new" || got[1].Session != "old" {
		t.Errorf("%+v", got)
	}
	if got := List(filepath.Join(dir, "gone")); got != nil {
		t.Errorf("a folder that is not there has %+v", got)
	}
}

func TestOnlyLiveSessionsRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	me := os.Getpid()
	for name, data := range map[string]string{
		fmt.Sprint(me):  `{"sessionId":"a","cwd":"/w","startedAt":5}`,
		"2147483646":    `{"pid":2147483646,"sessionId":"dead"}`,
		"x":             `{"sessionId":"without a process"}`,
		"7":             `{"pid":`,
		"1 of 2 copies": fmt.Sprintf(`{"pid":%d,"sessionId":"b","startedAt":"2026-10-17T09:00:02Z"}`, me),
	} {
		if err := os.WriteFile(filepath.Join(dir, "sessions", name+".json"), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := Live(dir, Alive)
	if len(got) != 2 || got[0].Session != "a" || got[1].Session != "b" || got[0].Since.IsZero() || got[0].PID != me {
		t.Errorf("%+v", got)
	}
	if Live(filepath.Join(dir, "gone"), Alive) != nil {
		t.Error("nothing that runs is expected")
	}
}

// BenchmarkLong reads a transcript of 64 MB, most of it results of tools.
func BenchmarkLong(b *testing.B) {
	lines := []string{asked("do"), instructions("files", `[{"path":"/a","content":"1"}]`)}
	big := strings.Repeat("line of a file\n", 600)
	for range 3500 {
		lines = append(
			lines,
			used("1", "Read", `{"file_path":"/x"}`),
			result("1", big, "", `{"file":{"content":`+quoted(big)+`}}`),
		)
	}
	path := put(b, lines...)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"Injected": func() error { _, err := Injected(b.Context(), path); return err },
		"Session":  func() error { _, err := Session(b.Context(), path); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzTranscriptNeverPanics(f *testing.F) {
	for _, s := range []string{
		asked("x"), instructions("files", `[{"path":"/a","content":"1"}]`), used("1", "Write", `{"file_path":"/projects/x/memory/a.md"}`) +
			"\n" + result("1", "x", "", `{}`),
		`{"type":"user","message":{"content":[{"type":"tool_result"}]}}`, "\n\n{",
	} {
		f.Add([]byte(s))
	}
	path := filepath.Join(f.TempDir(), "x.jsonl")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Head(path); err != nil {
			t.Error(err)
		}
		if _, err := Session(t.Context(), path); err != nil {
			t.Error(err)
		}
		in, err := Injected(t.Context(), path)
		if err != nil {
			t.Error(err)
		}
		in.Received()
	})
}

func TestWhatASubagentSaidSoFarIsNotDecoded(t *testing.T) {
	long := strings.Repeat(`a line \"quoted\", a \\ and {[`, plenty/20)
	data := `{"list":[{"data":"` + long + `"},1],"data":{"x":"` + long + `"}}`
	for line, want := range map[string]string{
		`{"type":"progress","data":` + data +
			`,"uuid":"p"}`: `{"type":"progress","data":0,"uuid":"p"}`,
		`{"type":"progress","data" : ` + data + "}\n": `{"type":"progress","data" :0}` +
			"\n",
		`{"data":"` + long + `","type":"user","message":{"data":"` + long +
			`"}}`: `{"data":0,"type":"user","message":{"data":"` + long + `"}}`,
		`{"type":"user","message":{"data":` + data + `}}`:  "",
		`{"type":"data","note":"` + long + `"}`:            "",
		`{"type":"progress","data":{"torn":"` + long:       "",
		`{"type":"progress","data":{"torn":"` + long + `"`: "",
		`{"data":"short"}`: "",
	} {
		if want == "" {
			want = line
		}
		if got := string(withoutData([]byte(line))); got != want {
			t.Errorf("%.60s…: got %.200s, want %.200s", line, got, want)
		}
	}
}

func FuzzWithoutDataKeepsTheRest(f *testing.F) {
	f.Add(`{"type":"a","data":{"x":[1,"}"]},"uuid":"u"}`)
	f.Add(`{"data":1,"data":"\"","m":{"data":[{}]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		long := line + strings.Repeat(" ", plenty)
		var before, after map[string]json.RawMessage
		if json.Unmarshal([]byte(long), &before) != nil {
			return
		}
		if err := json.Unmarshal(withoutData([]byte(long)), &after); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		delete(before, "data")
		delete(after, "data")
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%q: %v, then %v", line, before, after)
		}
	})
}
