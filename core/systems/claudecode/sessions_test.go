package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

const (
	fixed   = "2b802e19-0320-4588-a910-39a3fc6ef4cd"
	deploys = "c09f7bb2-7a67-49a9-acaa-22f153a67faf"
	rebuilt = "77cd4e68-f8e1-40a4-a813-3e428db93f3e"
	crashed = "73303e0e-26d0-4328-ad62-fc08823106bb"
)

// details returns the whole snapshot of a store with its details.
func details(t testing.TB, s *store) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.detail(t.Context(), snap)
}

func said(facts []memory.Fact, name string) string { return fact(memory.Record{Facts: facts}, name) }

// transcriptOf returns the path of a transcript of a project.
func (f *fixture) transcriptOf(project, id string) string {
	return filepath.Join(filepath.Dir(f.memory(project)), id+".jsonl")
}

func TestDetailsTellOfTheLastSession(t *testing.T) {
	for id, c := range map[string]struct {
		project string
		running bool
		said    string
		level   memory.Level
	}{
		fixed: {
			"work/shop_api",
			false,
			"Fix failing checkout test (2b802e19), 2026-10-17 09:00 UTC; finished.",
			memory.Good,
		},
		deploys: {"work/shop_api", false, "it ended with an error of the service; 3 uses of tools failed", memory.Note},
		rebuilt: {"work/site", true, "it runs now; 1 was rejected by the person", memory.Note},
		crashed: {"work/site", false, "it has no end: it was closed, or crashed", memory.Note},
	} {
		f := unpack(t)
		f.live[424242] = c.running
		touch(t, f.transcriptOf(c.project, id), f.now.AddDate(1, 0, 0))
		snap := details(t, f.open(t, c.project))
		if got := said(snap.Facts, factSession); !strings.Contains(got, c.said) {
			t.Errorf("%s: the fact is %q, want %q", id, got, c.said)
		}
		h := healthy(snap.Health, codeSession)
		if h == nil || h.Level != c.level || !strings.Contains(h.What, c.said) {
			t.Errorf("%s: the report is %+v, want %q", id, h, c.said)
		}
	}
}

func TestRecordSaysWhichSessionWroteIt(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	snap := details(t, s)
	of := func(snap memory.Snapshot, id memory.ID) memory.Record {
		i := slices.IndexFunc(snap.Records, func(r memory.Record) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("%s is not there", id)
		}
		return snap.Records[i]
	}
	role := of(snap, memoryPrefix+"user_role.md")
	if got, want := fact(role, factWritten), "2026-10-17 by session 2b802e19 (Fix failing checkout test), which made it"; got != want {
		t.Errorf("it was written %q, want %q", got, want)
	}
	if got := fact(role, factOrigin); got != "" {
		t.Errorf("the same is said twice: %q", got)
	}
	if got, want := fact(of(snap, memoryPrefix+"reference_dashboards.md"),
		factOrigin), "session c09f7bb2 (Deploy attempt with rejected credentials)"; got != want {
		t.Errorf("it is of %q, want %q", got, want)
	}
	gone := s.origin(&recentSessions{}, "99999999-0000-4000-8000-000000000000")
	if gone != "session 99999999, whose transcript is not here any more" {
		t.Errorf("a session without a transcript is %q", gone)
	}
	if old := s.origin(&recentSessions{}, fixed); old != "session 2b802e19 of 2026-10-17" {
		t.Errorf("an old session is %q", old)
	}
	again, err := s.Snapshot(t.Context(), nil)
	if err != nil || fact(of(again, memoryPrefix+"user_role.md"), factWritten) == "" ||
		!slices.Equal(again.Facts, snap.Facts) {
		t.Errorf("the next snapshot has forgotten it: %v, %v", err, again.Facts)
	}
	if twice := s.detail(t.Context(), again); !slices.Equal(twice.Facts, again.Facts) ||
		len(twice.Health) != len(again.Health) {
		t.Errorf("details are added twice: %v", twice.Facts)
	}
	quick, err := f.open(t, "work/shop_api").Summary(t.Context())
	if err != nil || said(quick.Facts, factSession) != "" {
		t.Errorf("a summary reads transcripts: %v, %v", quick.Facts, err)
	}
}

func TestSessionsAreReadOnceAndAgainWhenTheyGrow(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	details(t, s)
	path := f.transcriptOf("work/shop_api", fixed)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Repeat(" ", len(was)-1)+"\n") // as large and as old
	touch(t, path, info.ModTime())
	writes := func(name string) (n int) {
		for _, r := range details(t, s).Records {
			for _, f := range r.Facts {
				if r.ID == memory.ID(memoryPrefix+name) && f.Name == factWritten {
					n++
				}
			}
		}
		return n
	}
	if writes("user_role.md") != 1 {
		t.Error("a transcript that is as it was is read again")
	}
	line := strings.ReplaceAll(string(was), "user_role.md", "feedback_testing.md")
	put(t, path, string(was)+line)
	touch(t, path, f.now)
	if first, second := writes("user_role.md"), writes("feedback_testing.md"); first != 1 || second != 1 {
		t.Errorf("memories written: %d and %d, want 1 and 1", first, second)
	}
}

func TestLastSessionIsOfTheProjectThatSharesItsFolder(t *testing.T) {
	f := unpack(t)
	other := f.path("work/shop-api") // has the same name of a folder
	put(t, filepath.Join(other, ".git", "HEAD"), "ref: refs/heads/main\n")
	path := f.transcriptOf("work/shop_api", "11111111-0000-4000-8000-000000000000")
	put(
		t,
		path,
		`{"type":"user","cwd":"`+other+`","sessionId":"11111111-0000-4000-8000-000000000000","version":"2.1.281","timestamp":"2026-10-19T09:00:00Z","message":{"role":"user","content":"another project"}}`+"\n",
	)
	touch(t, path, f.now.AddDate(1, 0, 0))
	snap := details(t, f.open(t, "work/shop_api"))
	if got := said(snap.Facts, factSession); strings.Contains(got, "another project") || got == "" {
		t.Errorf("the last session is %q", got)
	}
	if got := said(details(t, f.open(t, "work/shop-api")).Facts, factSession); !strings.HasPrefix(
		got,
		"another project (11111111)",
	) {
		t.Errorf("the last session of the other is %q", got)
	}
	r, err := f.open(t, "work/shop_api").Recall(t.Context(), memory.Task{})
	if err != nil || r.LastSession == nil || r.LastSession.Session == "11111111-0000-4000-8000-000000000000" {
		t.Errorf("what the last session got is of another project: %+v, %v", r.LastSession, err)
	}
}

func TestHostileSessionsAreOneLine(t *testing.T) {
	f := unpack(t)
	secret := "AKIAIOSFODNN7EXAMPLE"
	path := f.transcriptOf("work/site", "22222222-0000-4000-8000-000000000000")
	put(
		t,
		path,
		`{"type":"user","cwd":"`+f.path(
			"work/site",
		)+`","version":"2.1.281","timestamp":"2026-10-19T09:00:00Z","message":{"role":"user","content":"`+
			strings.Repeat(
				"word ",
				38,
			)+secret+` \u001b[2J\n\nmore `+strings.Repeat(
			"x",
			9000,
		)+`"}}`+"\n"+`{"type":"ai-title","aiTitle":"`+strings.Repeat(
			"a ",
			9000,
		)+`"}`+"\n",
	)
	touch(t, path, f.now.AddDate(1, 0, 0))
	snap := details(t, f.open(t, "work/site"))
	for _, fc := range snap.Facts {
		if len(fc.Text) > 5000 || strings.ContainsAny(fc.Text, "\n\r") {
			t.Errorf("%s is %d bytes: %q", fc.Name, len(fc.Text), fc.Text)
		}
		if i := strings.Index(fc.Text, "AKIA"); i >= 0 && !strings.HasPrefix(fc.Text[i:], secret) {
			t.Errorf("a secret is cut, so that it is not masked: %q", fc.Text)
		}
	}
	if s := f.open(t, "work/site"); s.origin(&recentSessions{}, "../../x") != "session ../../x" {
		t.Errorf("an ID that is a path is looked for: %q", s.origin(&recentSessions{}, "../../x"))
	}
}

// TestTranscriptOpensNoOtherFiles: whoever writes a transcript does not choose what is
// shown of this machine.
func TestTranscriptOpensNoOtherFiles(t *testing.T) {
	f := unpack(t)
	const inner = "top secret of another place"
	outside := f.path("private/notes.md")
	put(t, outside, inner)
	put(t, f.path(".ssh/id_ed25519"), inner)
	put(t, f.path("work/shop_api/.env"), inner)
	if err := os.Symlink(outside, f.path("work/shop_api/led.md")); err != nil {
		t.Skip("no links here")
	}
	if err := os.Symlink(f.path("work/shop_api/.env"), f.path("work/shop_api/env.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.path("private"), f.path("work/shop_api/deep")); err != nil {
		t.Fatal(err)
	}
	put(t, f.path("work/shop_api/src/CLAUDE.md"), "nested now")
	var text strings.Builder
	text.WriteString(
		`{"type":"user","cwd":"` + f.path(
			"work/shop_api",
		) + `","version":"2.1.281","timestamp":"2026-10-19T09:00:00Z","message":{"role":"user","content":"x"}}` + "\n",
	)
	for _, p := range []string{
		outside,
		f.path(".ssh/id_ed25519"),
		f.path("work/shop_api/.env"),
		f.path("work/shop_api/led.md"),
		f.path("work/shop_api/env.md"),
		f.path("work/shop_api/deep/notes.md"),
		f.path("work/shop_api") + "/../../private/notes.md",
		"/etc/passwd",
		"/dev/zero",
		"relative.md",
		f.path("work/shop_api/gone.md"),
	} {
		text.WriteString(
			`{"type":"attachment","attachment":{"type":"relevant_memories","memories":[{"path":"` + p + `","content":"as sent","mtimeMs":1}]}}` + "\n",
		)
		text.WriteString(
			`{"type":"attachment","attachment":{"type":"nested_memory","path":"` + p + `#","content":"as sent"}}` + "\n",
		)
	}
	text.WriteString(
		`{"type":"attachment","attachment":{"type":"nested_memory","path":"` + f.path(
			"work/shop_api/src/CLAUDE.md",
		) + `","content":"nested then"}}` + "\n",
	)
	path := f.transcriptOf("work/shop_api", "33333333-0000-4000-8000-000000000000")
	put(t, path, text.String())
	touch(t, path, f.now.AddDate(1, 0, 0))
	r, err := f.open(t, "work/shop_api").Recall(t.Context(), memory.Task{})
	if err != nil || r.LastSession == nil {
		t.Fatal(r.LastSession, err)
	}
	nested, gone := false, false
	for _, d := range r.LastSession.Differs {
		nested = nested || d.Was == "nested then" && d.Now == "nested now"
		gone = gone || strings.HasSuffix(d.Path, "gone.md") && d.Now == ""
		if strings.Contains(d.Now, inner) || d.Was == "as sent" && !strings.HasSuffix(d.Path, "gone.md") {
			t.Errorf("%s is opened, or said to differ: %q", d.Path, d.Now)
		}
	}
	if !nested || !gone {
		t.Errorf("what sessions are given is not compared: nested %t, gone %t", nested, gone)
	}
}

func TestTranscriptThatIsTooLargeIsSaid(t *testing.T) {
	f := unpack(t)
	path := f.transcriptOf("work/site", "44444444-0000-4000-8000-000000000000")
	put(t, path, `{"type":"user","cwd":"`+f.path("work/site")+`","version":"2.1.281"}`+"\n")
	if err := os.Truncate(path, maxRecentBytes+1); err != nil {
		t.Skip("no sparse files here")
	}
	touch(t, path, f.now.AddDate(1, 0, 0))
	snap := details(t, f.open(t, "work/site"))
	got := said(snap.Facts, factSession)
	if !strings.HasPrefix(got, "session 44444444, 2027-") ||
		!strings.HasSuffix(got, "Its transcript is not read. With those that are newer it is larger than 128 MB.") {
		t.Errorf("the last session is %q", got)
	}
}

// TestWhatASessionWroteToInstructionsIsCreditedToIt: memories are not all that it writes.
func TestWhatASessionWroteToInstructionsIsCreditedToIt(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path("p/CLAUDE.md"), "new\n")
	put(t, f.path("p/.claude/rules/r.md"), "rule\n")
	line := func(id, path string) string {
		return `{"type":"assistant","sessionId":"s1","cwd":"` + f.path(
			"p",
		) + `","version":"2.1.330","timestamp":"2026-11-01T10:00:00.000Z","message":{"id":"m` + id +
			`","role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"Write","input":{"file_path":"` + path + `","content":"new\n"}}]}}` + "\n" +
			`{"type":"user","sessionId":"s1","cwd":"` + f.path(
			"p",
		) + `","version":"2.1.330","timestamp":"2026-11-01T10:00:01.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id +
			`","content":"ok"}]},"toolUseResult":{"type":"update","filePath":"` + path + `","content":"new\n"}}` + "\n"
	}
	put(
		t,
		filepath.Join(filepath.Dir(f.memory("p")), "s1.jsonl"),
		line("t1", f.path("p/CLAUDE.md"))+line("t2", f.path("p/.claude/rules/r.md"))+line("t3", f.path("p/main.go")),
	)
	s := f.open(t, "p")
	recent, err := s.readSessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.sessions.Store(recent)
	all, _ := records(t, s)
	for _, id := range []memory.ID{"CLAUDE.md", ".claude/rules/r.md"} {
		if got := fact(all[id], factWritten); !strings.Contains(got, "by session s1") {
			t.Errorf("%s was written %q", id, got)
		}
	}
	if n := len(recent.sessions[0].sum.Writes); n != 2 {
		t.Errorf("%d memories were written, want 2", n)
	}
}
