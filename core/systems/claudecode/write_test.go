package claudecode

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
)

// libraryStore is a store with a library that keeps its history apart.
type libraryStore struct {
	*fixture
	t  *testing.T
	l  *library.Library
	id memory.StoreID
}

func (f *fixture) libraryStore(t *testing.T, rel string) *libraryStore {
	t.Helper()
	env := system.Env{
		Home:   f.home,
		Dir:    f.home,
		Lookup: func(name string) (string, bool) { v, ok := f.vars[name]; return v, ok },
	}
	k := systemOn(func() time.Time { return f.now }, f.machine)
	// The first kind of a library has the paths without a system.
	l := library.New([]system.System{k}, env, func() time.Time { return f.now }, func(fn func()) { go fn() },
		library.State{Dir: filepath.Join(t.TempDir(), "winnow"), Rand: rand.Reader}, Forms()...)
	return &libraryStore{f, t, l, memory.At(id, f.path(rel))}
}

func (d *libraryStore) plan(o memory.Order) memory.Plan {
	d.t.Helper()
	p, err := d.l.Plan(d.t.Context(), d.id, o)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

func (d *libraryStore) apply(o memory.Order) memory.Result {
	d.t.Helper()
	r, err := d.l.Apply(d.t.Context(), d.plan(o))
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// allBelow returns what is in a folder, with modes and dates.
func allBelow(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(b)
		}
		out[path] = info.Mode().String() + " " + info.ModTime().UTC().String() + "\n" + text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDeletedTopicTakesItsLineOfTheIndexAndUndoBringsBothBack(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	dir := f.memory("work/shop_api")
	before := allBelow(t, dir)
	p := d.plan(memory.Order{Do: memory.Delete, IDs: []memory.ID{memoryPrefix + "feedback_testing.md"}})
	if len(p.Changes) != 2 || !p.Changes[1].Companion || p.Changes[1].ID != memoryPrefix+indexName ||
		len(p.Notes) == 0 ||
		!strings.Contains(strings.Join(p.Notes, " "), "1 memory links") {
		t.Fatalf("the plan is %+v", p)
	}
	if _, err := d.l.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "feedback_testing.md")); err == nil {
		t.Error("the topic is still there")
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	want := strings.Replace(
		strings.SplitN(before[filepath.Join(dir, indexName)], "\n", 2)[1],
		"- [Testing feedback](feedback_testing.md) — integration tests hit a real database\n",
		"",
		1,
	)
	if string(index) != want {
		t.Errorf("the index is\n%s\nwant\n%s", index, want)
	}
	if info, _ := os.Stat(filepath.Join(dir, indexName)); !info.ModTime().Equal(f.now.AddDate(0, 0, -3)) {
		t.Errorf("the index is of %v now", info.ModTime())
	}
	d.apply(memory.Order{Do: memory.Undo})
	if after := allBelow(t, dir); !maps.Equal(before, after) {
		t.Errorf("undone is not as it was:\n%v\n%v", before, after)
	}
}

func TestUndoKeepsLinesThatAnotherSessionAdded(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	index := filepath.Join(f.memory("work/shop_api"), indexName)
	d.apply(memory.Order{Do: memory.Delete, IDs: []memory.ID{memoryPrefix + "feedback_testing.md"}})
	text, _ := os.ReadFile(index)
	put(t, index, string(text)+"- [Theirs](theirs.md) — of another session\n")
	d.apply(memory.Order{Do: memory.Undo})
	text, _ = os.ReadFile(index)
	for _, line := range []string{
		"- [Testing feedback](feedback_testing.md) —",
		"- [Theirs](theirs.md) — of another session\n",
	} {
		if strings.Count(string(text), line) != 1 {
			t.Errorf("%q is not there once:\n%s", line, text)
		}
	}
}

func TestAddedTopicGetsAHeaderAndALine(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	title, body, kind, name := `Say "yes" # and: no`, "Body.\n", "feedback", "feedback_yes"
	d.apply(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body, Kind: &kind, Name: &name}})
	dir := f.memory("work/shop_api")
	text, err := os.ReadFile(filepath.Join(dir, "feedback_yes.md"))
	want := "---\nname: feedback_yes\ndescription: \"Say \\\"yes\\\" # and: no\"\nmetadata: \n  node_type: memory\n  type: feedback\n---\n\nBody.\n"
	if string(text) != want || err != nil {
		t.Errorf("the file is\n%s(%v), want\n%s", text, err, want)
	}
	all, _ := records(t, f.open(t, "work/shop_api"))
	r := all[memoryPrefix+"feedback_yes.md"]
	if r.Title != title || r.Kind != kind || r.Body != "Body." || r.Flags&memory.FlagUnseen != 0 ||
		fact(r, "index") != `line 12: - [Feedback yes](feedback_yes.md) — Say "yes" # and: no` {
		t.Errorf("the record is %+v", r)
	}
	if _, err := d.l.Plan(t.Context(), d.id, memory.Order{
		Do:   memory.AddOne,
		Edit: memory.Edit{Title: &title, Body: &body, Kind: &kind, Name: &name},
	}); err == nil {
		t.Error("a second one of that name is planned")
	}
}

func TestFirstTopicBringsAnIndex(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "solo")
	title := "The first"
	d.apply(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title}})
	_, order := records(t, f.open(t, "solo"))
	if len(order) != 3 || order[1] != memoryPrefix+indexName {
		t.Errorf("records are %q", order)
	}
	d.apply(memory.Order{Do: memory.Undo})
	if _, order = records(t, f.open(t, "solo")); !slices.Equal(order, []memory.ID{"AGENTS.md"}) {
		t.Errorf("undone, records are %q", order)
	}
}

func TestEditKeepsTheDateUnlessVerified(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	path := filepath.Join(f.memory("work/shop_api"), "project_flaky_ci.md")
	was, _ := os.Stat(path)
	title, id := "Flaky since the move", memory.ID(memoryPrefix+"project_flaky_ci.md")
	d.apply(memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Title: &title}})
	if now, _ := os.Stat(path); !now.ModTime().Equal(was.ModTime()) || now.Mode() != was.Mode() {
		t.Errorf("the file is of %v now, and was of %v", now.ModTime(), was.ModTime())
	}
	all, _ := records(t, f.open(t, "work/shop_api"))
	if r := all[id]; r.Title != title || fact(r, "age") != "120 days" {
		t.Errorf("the record is %+v", r)
	}
	title = "Checked"
	d.apply(memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Title: &title}, Verified: true})
	if now, _ := os.Stat(path); now.ModTime().Equal(was.ModTime()) {
		t.Error("a verified memory keeps its date")
	}
	d.apply(memory.Order{Do: memory.Undo})
	if now, _ := os.Stat(path); !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("undone, the file is of %v, and was of %v", now.ModTime(), was.ModTime())
	}
}

func TestEditChangesNoOtherByte(t *testing.T) {
	for _, c := range []struct{ was, title, want string }{
		{
			"---\nname: a\ndescription: old text\ntype: project\n---\nB\n",
			"new text",
			"---\nname: a\ndescription: new text\ntype: project\n---\nB\n",
		},
		{
			"---\r\nname: a\r\ndescription:   'it''s old'  \r\nodd: [1,2] # x\r\n---\r\nB",
			"new # text",
			"---\r\nname: a\r\ndescription:   \"new # text\"  \r\nodd: [1,2] # x\r\n---\r\nB",
		},
		{
			"\ufeff---\nname: a\ndescription: |\n  one\n  two\ntype: user\n---\n",
			"x: y",
			"\ufeff---\nname: a\ndescription: \"x: y\"\ntype: user\n---\n",
		},
		{"---\nname: a\ntype: user\n---\nB\n", "added", "---\nname: a\ntype: user\ndescription: \"added\"\n---\nB\n"},
		{
			"---\nname: a\ndescription:\ntype: user\n---\nB\n",
			"added here",
			"---\nname: a\ndescription: added here\ntype: user\n---\nB\n",
		},
		{"# Old\n\ntext\n", "New", "# New\n\ntext\n"},
		{"---\npaths: '*.go'\n---\n```\n# no\n```\n## Old ##\n", "New", "---\npaths: '*.go'\n---\n```\n# no\n```\n## New\n"},
	} {
		s := new(store)
		got, err := s.Compose(c.was, memory.Edit{Title: &c.title})
		if got != c.want || err != nil {
			t.Errorf("%q with %q is\n%q (%v), want\n%q", c.was, c.title, got, err, c.want)
		}
	}
}

func TestInstructionsAreEditedAndNotDeleted(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	body := "# Other\n\nText."
	for _, id := range []memory.ID{
		"docs/l2.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/api.md", "AGENTS.md",
		".claude/agent-memory/db-migrator/MEMORY.md",
	} {
		d.apply(memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Body: &body}})
		text, _ := os.ReadFile(f.path("work/shop_api/" + string(id)))
		if !strings.HasSuffix(string(text), body+"\n") {
			t.Errorf("%s is %q", id, text)
		}
		if id == ".claude/agent-memory/db-migrator/MEMORY.md" {
			continue
		}
		p, err := d.l.Plan(t.Context(), d.id, memory.Order{Do: memory.Delete, IDs: []memory.ID{id}})
		if err == nil {
			_, err = d.l.Apply(t.Context(), p)
		}
		if problem := (*memory.Problem)(nil); !errors.As(err, &problem) || problem.Hint == "" {
			t.Errorf("deleting %s = %v, want a sentence", id, err)
		}
		if _, err := os.Stat(f.path("work/shop_api/" + string(id))); err != nil {
			t.Errorf("%s is gone", id)
		}
	}
	for _, id := range []memory.ID{
		"/etc/passwd",
		memory.ID(f.path("work/CLAUDE.md")),
		"../CLAUDE.md",
		".claude/settings.json",
		"src/api/handler.go",
		"memory:.consolidate-lock",
		"memory:../x.jsonl",
		"memory:../../x.md",
		"memory:@-other/x.md",
		"memory:a/../b.md",
		"docs/never.md",
	} {
		s := f.open(t, "work/shop_api")
		_, err := s.Write(
			t.Context(),
			system.Write{Changes: []memory.Change{{Do: memory.Editing, ID: id, Before: "x", After: "y"}}},
		)
		if problem := (*memory.Problem)(nil); !errors.As(err, &problem) {
			t.Errorf("writing %s = %v, want a problem", id, err)
		}
	}
}

func TestLiveSessionAndConsolidationAskFirst(t *testing.T) {
	f := unpack(t)
	asks := func(rel string) string { return f.open(t, rel).asks(t.Context()) }
	if got := asks("work/site"); got != "" {
		t.Errorf("a session that died asks: %q", got)
	}
	f.live[424242] = true
	if got := asks("work/site"); !strings.Contains(got, "424242") || !strings.Contains(got, "busy") {
		t.Errorf("a live session says %q", got)
	}
	if got := asks("work/shop_api"); got != "" {
		t.Errorf("a session of another project asks: %q", got)
	}
	f.live[31337] = true
	if got := asks("work/shop_api"); got != "" {
		t.Errorf("a lock of last week asks: %q", got)
	}
	touch(t, filepath.Join(f.memory("work/shop_api"), lockName), f.now.Add(-59*time.Minute))
	if got := asks("work/shop_api"); !strings.Contains(got, "31337") {
		t.Errorf("a fresh lock says %q", got)
	}
	snap, err := f.open(t, "work/shop_api").Summary(t.Context())
	if err != nil || healthy(snap.Health, "consolidating") == nil {
		t.Errorf("the summary says %+v, %v", snap.Health, err)
	}
	f.live[31337] = false
	if got := asks("work/shop_api"); got != "" {
		t.Errorf("a lock of a dead process asks: %q", got)
	}
	p := f.libraryStore(t, "work/site").
		plan(memory.Order{Do: memory.Delete, IDs: []memory.ID{memoryPrefix + "note_003.md"}})
	if p.Asks == "" {
		t.Error("the plan does not ask")
	}
}

func TestEditsOfDifferentFieldsMerge(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	r := all[memoryPrefix+"feedback_testing.md"]
	title, body := "Mine", "Theirs."
	mine, err := s.Compose(r.Raw, memory.Edit{Title: &title})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := s.Compose(r.Raw, memory.Edit{Body: &body})
	if err != nil {
		t.Fatal(err)
	}
	put(t, r.File, theirs)
	w, err := s.Write(
		t.Context(),
		system.Write{Changes: []memory.Change{{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: mine}}},
	)
	if err != nil || w.Fates[0].Fate != memory.Merged {
		t.Fatalf("%+v, %v", w.Fates, err)
	}
	all, _ = records(t, s)
	if now := all[r.ID]; now.Title != title || now.Body != body {
		t.Errorf("the record is %+v", now)
	}
}

// TestAnotherWriterIsNeverLost lets a session save the index and a topic right before
// they are replaced.
func TestAnotherWriterIsNeverLost(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	all, order := records(t, s)
	var list []memory.Record
	for _, id := range order {
		list = append(list, all[id])
	}
	r := all[memoryPrefix+"feedback_testing.md"]
	deletion := memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw}
	with, _ := s.companions(list, []memory.Change{deletion})
	index := all[memoryPrefix+indexName].File
	theirs := all[memoryPrefix+indexName].Raw + "- [New](new.md) — saved in between\n"
	w, err := s.Write(
		t.Context(),
		system.Write{Changes: append([]memory.Change{deletion}, with...), Stage: func(system.Staged) error {
			put(t, index, theirs)
			return nil
		}},
	)
	if err != nil || len(w.Fates) != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	text, _ := os.ReadFile(index)
	if want := strings.Replace(theirs, "- [Testing feedback](feedback_testing.md) — integration tests hit a real database\n", "", 1); string(
		text,
	) != want {
		t.Errorf("the index is\n%s\nwant\n%s", text, want)
	}
	if _, err := os.Lstat(r.File); err == nil {
		t.Error("the topic is still there")
	}
	// A topic that is saved in between is not deleted.
	r = all[memoryPrefix+"user_role.md"]
	put(t, r.File, "saved since\n")
	_, err = s.Write(
		t.Context(),
		system.Write{Changes: []memory.Change{{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw}}},
	)
	if text, _ := os.ReadFile(r.File); !errors.Is(err, memory.ErrConflict) || string(text) != "saved since\n" {
		t.Errorf("deleting what was saved since = %v, and there is %q", err, text)
	}
}

func TestFormIsTheFile(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	stored := all[memoryPrefix+"user_role.md"].Raw
	if s.Form(stored) != stored {
		t.Error("the form is not the file")
	}
	e, err := s.ParseForm(stored, strings.Replace(stored, "type: user", "type: project", 1))
	if err != nil || e.Kind == nil || *e.Kind != "project" || e.Title != nil || e.Raw != nil {
		t.Errorf("another type is %+v, %v", e, err)
	}
	other := strings.Replace(stored, "node_type: memory", "node_type: memory\n  mine: 1", 1)
	if e, err = s.ParseForm(stored, other); err != nil || e.Raw == nil || *e.Raw != other {
		t.Errorf("another key is %+v, %v", e, err)
	}
	if _, err = s.ParseForm(stored, strings.Replace(stored, "type: user", "type: \"user", 1)); err == nil {
		t.Error("a header that is damaged is taken")
	}
	if e, err = s.ParseForm("", s.Form("")); err != nil || e != (memory.Edit{}) {
		t.Errorf("the empty form is %+v, %v", e, err)
	}
	e, err = s.ParseForm("", "---\nname: a_name\ndescription: About it\nmetadata:\n  type: user\n---\nText\n")
	if err != nil || *e.Name != "a_name" || *e.Title != "About it" || *e.Kind != "user" || *e.Body != "Text" {
		t.Errorf("a new form is %+v, %v", e, err)
	}
}

func TestUserStoreHasNoTopics(t *testing.T) {
	f := unpack(t)
	s := f.open(t, ".claude")
	all, order := records(t, s)
	want := []memory.ID{
		memory.ID(filepath.ToSlash(filepath.Join(f.etc, "CLAUDE.md"))),
		"CLAUDE.md",
		"style.md",
		"rules/preferences.md",
		"rules/python.md",
		"agent-memory/code-reviewer/MEMORY.md",
	}
	if !slices.Equal(order, want) || all[want[0]].Fixed == "" || all["rules/python.md"].Kind != kindRule {
		t.Errorf("records are %q, want %q", order, want)
	}
	title := "x"
	if _, err := s.Compose("", memory.Edit{Title: &title}); err == nil {
		t.Error("a topic for all projects is made")
	}
	body := "# Mine\n"
	f.libraryStore(t, ".claude").
		apply(memory.Order{
			Do:   memory.EditOne,
			IDs:  []memory.ID{"rules/preferences.md"},
			Edit: memory.Edit{Body: &body},
		})
	if text, _ := os.ReadFile(f.path(".claude/rules/preferences.md")); string(text) != body {
		t.Errorf("the rule is %q", text)
	}
}

func TestLookingLeavesNoTrace(t *testing.T) {
	f := unpack(t)
	before := allBelow(t, f.home)
	ctx := context.Background()
	for _, rel := range []string{
		"work/shop_api",
		"work/site",
		".claude",
		"solo",
		".claude/projects/" + slug(f.path("work/site")),
	} {
		s := f.open(t, rel)
		_, _ = s.Snapshot(ctx, nil)
		_, _ = s.Summary(ctx)
		_, _ = s.Recall(ctx, memory.Task{Text: "flaky", Files: []string{"src/api/x.go"}})
		_ = s.CanWrite()
		s.asks(ctx)
		s.WatchPaths()
	}
	f.find(t, f.path("work/site"))
	if after := allBelow(t, f.home); !maps.Equal(before, after) {
		t.Error("looking changed the home folder")
	}
}

func TestVersionThatIsNotKnownIsOnlyRead(t *testing.T) {
	f := unpack(t)
	put(
		t,
		filepath.Join(filepath.Dir(f.memory("solo")), "s.jsonl"),
		`{"type":"user","cwd":"`+f.path("solo")+`","sessionId":"s","version":"3.0.1"}`+"\n",
	)
	s := f.open(t, "solo")
	problem := (*memory.Problem)(nil)
	if err := s.CanWrite(); !errors.As(err, &problem) || problem.Code != "unknown-version" {
		t.Errorf("CanWrite = %v", err)
	}
	if _, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{{Do: memory.Editing, ID: "AGENTS.md", Before: "x", After: "y"}},
	}); !errors.As(
		err,
		&problem,
	) ||
		problem.Code != "unknown-version" {
		t.Errorf("Write = %v", err)
	}
	if snap, err := s.Summary(t.Context()); err != nil || healthy(snap.Health, "unknown-version") == nil {
		t.Errorf("the summary says %+v, %v", snap.Health, err)
	}
}

func TestMachineWithoutAHomeFindsNothing(t *testing.T) {
	m := machineOf("", func(string) (string, bool) { return "", false })
	dir := t.TempDir()
	if got := find(t.Context(), m, dir, false); len(got.Places) > 0 {
		t.Errorf("found %+v", got.Places)
	}
	s := open(dir, m, time.Now)
	for _, path := range s.WatchPaths() {
		if !filepath.IsAbs(path) {
			t.Errorf("%s is watched, wherever the program runs", path)
		}
	}
	if snap, err := s.Snapshot(t.Context(), nil); err != nil || snap.Problem == nil {
		t.Errorf("the store is %+v, %v", snap, err)
	}
}

// notices reports whether Claude Code sees before it writes that a file was changed since
// it read it, as the vectors of kind write recorded it: by the time of change alone, in
// milliseconds.
func notices(read, now time.Time) bool { return now.UnixMilli() > read.UnixMilli() }

func TestVectorsOfWritesSayWhatClaudeNotices(t *testing.T) {
	read := time.Date(2026, 11, 1, 12, 0, 0, 123_456_789, time.UTC)
	for name, v := range map[string]struct {
		delta   time.Duration
		noticed bool
	}{
		"write-mtime-equal":     {0, false},
		"write-mtime-minus-5ms": {-5 * time.Millisecond, false},
		"write-mtime-plus-1ms":  {time.Millisecond, true},
	} {
		if notices(read, read.Add(v.delta)) != v.noticed {
			t.Errorf("%s: noticed is %v", name, !v.noticed)
		}
	}
}

func TestARunningSessionNoticesEveryEdit(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/shop_api")
	put(
		t,
		f.path(".claude/sessions/4242.json"),
		`{"pid":4242,"sessionId":"s","cwd":"/elsewhere","startedAt":1,"version":"2.1.330"}`,
	)
	f.live = map[int]bool{4242: true}
	path := filepath.Join(f.memory("work/shop_api"), "project_flaky_ci.md")
	id := memory.ID(memoryPrefix + "project_flaky_ci.md")
	at := func() time.Time {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	title, first := "Flaky since the move", at()
	edit := memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Title: &title}}
	verified := edit
	verified.Verified = true
	for i, o := range []memory.Order{edit, {Do: memory.Undo}, {Do: memory.Redo}, verified, {Do: memory.Undo}} {
		read := at()
		title = strings.Repeat("x", i+1)
		d.apply(o)
		if !notices(read, at()) {
			t.Errorf("%s %d: read at %v, and changed at %v", o.Do, i, read, at())
		}
		if i > 2 {
			continue
		}
		if moved := at().Sub(read); moved > time.Millisecond {
			t.Errorf("%s %d: the file is %v later", o.Do, i, moved)
		}
		all, _ := records(t, f.open(t, "work/shop_api"))
		if r := all[id]; fact(r, "age") != "120 days" {
			t.Errorf("%s: the age is %q", o.Do, fact(r, "age"))
		}
		h, err := d.l.History(t.Context(), d.id)
		if err != nil || !strings.Contains(h.Entries[0].Changes[0].Why, "a running session notices") {
			t.Errorf("the history says %q, %v", h.Entries[0].Changes[0].Why, err)
		}
	}
	if !at().After(first) {
		t.Errorf("the file is of %v again", at())
	}
}
