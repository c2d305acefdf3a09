package handbook

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
)

func noClock() time.Time { panic("nothing here depends on the time") }

// files returns a folder of files below project/memory.
func files(texts map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range texts {
		all["project/memory/"+name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return all
}

func good() map[string]string {
	notes := []note{
		{
			"deploy-day", "Deploys go out on Tuesday mornings",
			"We deploy every Tuesday at 09:00.\nNever on Friday.", decision, true,
		},
		{"likes-ripgrep", "Code search goes through ripgrep", "Use `rg -n` and not `grep -r`.", preference, true},
		{"postgres", "Postgres 15 is the database", "The replica lags.", fact, true},
	}
	all := map[string]string{indexName: index(notes)}
	for _, n := range notes {
		all[n.name+ending] = n.text()
	}
	return all
}

func TestConformance(t *testing.T) {
	damaged := map[string]string{
		"a.md": note{"a", "first", "one", fact, true}.text(),
		"b.md": "no header at all",
		"c.md": note{"c", "second", "two", fact, true}.text(),
		"d.md": "---\r\nname: d\r\ndescription: x\r\n---\r\n",
		"e.md": note{"e", "third", "three", decision, true}.text(),
	}
	systemtest.Run(t, systemtest.Config{
		System:  System(noClock),
		Good:    files(good()),
		Damaged: files(damaged),
		Store:   "project/memory",
		Shape:   systemtest.Folder,
		Add: func(text string) memory.Edit {
			body := "Added by hand."
			return memory.Edit{Title: &text, Body: &body}
		},
		Env: func(root string) system.Env {
			return system.Env{
				Home:   root,
				Dir:    filepath.Join(root, "project"),
				Lookup: func(string) (string, bool) { return "", false },
			}
		},
		Skip: map[string]string{
			"Writer/EditKeepsWhatOthersChanged": "a memory has no count; see TestEditKeepsTheOtherFields",
		},
	})
}

// folderOf returns the store in a folder that holds the files.
func folderOf(t *testing.T, texts map[string]string) *store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := open(dir)
	return s
}

func snapshot(t *testing.T, s *store) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// contents returns what the files of a folder hold.
func contents(t *testing.T, s *store) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(s.path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.path, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// plan returns the change of a record with those that go along with it.
func plan(t *testing.T, s *store, changes ...memory.Change) []memory.Change {
	t.Helper()
	more, _ := s.companions(snapshot(t, s).Records, changes)
	return append(changes, more...)
}

func record(t *testing.T, s *store, id memory.ID) memory.Record {
	t.Helper()
	all := snapshot(t, s).Records
	i := slices.IndexFunc(all, func(r memory.Record) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("no record is %s", id)
	}
	return all[i]
}

func inverse(made []memory.Change) []memory.Change {
	var back []memory.Change
	for _, c := range made {
		c.Before, c.After = c.After, c.Before
		c.Do = [...]memory.ChangeKind{memory.Adding, memory.Editing, memory.Deleting}[c.Do]
		back = append(back, c)
	}
	return back
}

func TestDeletionMakesTheIndexAnewAndUndoBringsBothBack(t *testing.T) {
	s := folderOf(t, good())
	was := contents(t, s)
	r := record(t, s, "likes-ripgrep")
	changes := plan(t, s, memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw})
	if len(changes) != 2 || !changes[1].Companion || changes[1].ID != indexID {
		t.Fatalf("planned %+v", changes)
	}
	written, err := s.Write(t.Context(), system.Write{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	now := contents(t, s)
	if _, there := now["likes-ripgrep.md"]; there || strings.Contains(now[indexName], "ripgrep") ||
		snapshot(t, s).Health != nil {
		t.Errorf("deleted, there is %q, and %+v", now, snapshot(t, s).Health)
	}
	if _, err := s.Write(t.Context(), system.Write{Changes: inverse(written.Staged.Changes)}); err != nil {
		t.Fatal(err)
	}
	if now := contents(t, s); now[indexName] != was[indexName] || now["likes-ripgrep.md"] != was["likes-ripgrep.md"] {
		t.Errorf("undone, there is %q", now)
	}
}

func TestAdditionAndCorrectionAreWrittenAsTheAgentWritesThem(t *testing.T) {
	s := folderOf(t, nil)
	title, body, kind, name := " Tabs over spaces ", "\nAlways tabs.\n", preference, "User prefers Tabs!"
	text, err := s.Compose("", memory.Edit{Title: &title, Body: &body, Kind: &kind, Name: &name})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Decode(text)
	if _, err := s.Write(t.Context(), system.Write{
		Changes: plan(t, s, memory.Change{Do: memory.Adding, ID: r.ID, Record: r, After: text}),
	}); err != nil {
		t.Fatal(err)
	}
	n := note{name: "user-prefers-tabs", description: "Tabs over spaces", body: "Always tabs.", kind: preference}
	if now := contents(t, s); now["user-prefers-tabs.md"] != n.text() || now[indexName] != index([]note{n}) ||
		len(now) != 2 {
		t.Errorf("added: %q", now)
	}
	r = record(t, s, "user-prefers-tabs")
	fixed := "Spaces over tabs"
	after, err := s.Compose(r.Raw, memory.Edit{Title: &fixed})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(t.Context(), system.Write{
		Changes: plan(t, s, memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after}),
	}); err != nil {
		t.Fatal(err)
	}
	n.description = fixed
	if now := contents(t, s); now["user-prefers-tabs.md"] != n.text() || now[indexName] != index([]note{n}) {
		t.Errorf("corrected: %q", now)
	}
}

// TestAgentThatSavesMeanwhileKeepsItsLine has an agent that saves a memory and its index
// between the plan and the change.
func TestAgentThatSavesMeanwhileKeepsItsLine(t *testing.T) {
	s := folderOf(t, good())
	r := record(t, s, "postgres")
	changes := plan(t, s, memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw})
	other := folderOf(t, nil)
	other.path = s.path
	save(t, other, note{name: "new-fact", description: "New", body: "New.", kind: fact})
	written, err := s.Write(t.Context(), system.Write{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, s)[indexName], snapshotIndex(t, s); got != want {
		t.Errorf("the index holds\n%s\nwant\n%s", got, want)
	}
	if _, err := s.Write(t.Context(), system.Write{Changes: inverse(written.Staged.Changes)}); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, s)[indexName], snapshotIndex(t, s); got != want ||
		!strings.Contains(got, "postgres") || !strings.Contains(got, "new-fact") {
		t.Errorf("undone, the index holds\n%s\nwant\n%s", got, want)
	}
}

// save writes a memory and the index, as the agent does.
func save(t *testing.T, s *store, n note) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.path, n.name+ending), []byte(n.text()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.path, indexName), []byte(snapshotIndex(t, s)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// snapshotIndex returns the index that the files ask for.
func snapshotIndex(t *testing.T, s *store) string {
	t.Helper()
	d, p := s.read(t.Context())
	if p != nil {
		t.Fatal(p)
	}
	return d.derivedIndex()
}

func TestEditKeepsTheOtherFields(t *testing.T) {
	s := folderOf(t, good())
	r := record(t, s, "postgres")
	mine, theirs := "Postgres 16 is the database", "The replica is gone."
	after, err := s.Compose(r.Raw, memory.Edit{Title: &mine})
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, note{name: "postgres", description: r.Title, body: theirs, kind: fact})
	edit := memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after}
	written, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{edit}})
	if err != nil || written.Fates[0].Fate != memory.Merged {
		t.Fatalf("%+v, %v", written.Fates, err)
	}
	if r := record(t, s, "postgres"); r.Title != mine || r.Body != theirs {
		t.Errorf("it says %q and %q", r.Title, r.Body)
	}
	save(t, s, note{name: "postgres", description: "MySQL is the database", body: theirs, kind: fact})
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{edit}}); !errors.Is(err,
		memory.ErrConflict) {
		t.Errorf("another description: %v, want %v", err, memory.ErrConflict)
	}
}

func TestFolderWithTheNameOfAMemoryStopsTheAgent(t *testing.T) {
	s := folderOf(t, good())
	if err := os.Mkdir(filepath.Join(s.path, "notes.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	snap := snapshot(t, s)
	if len(snap.Health) == 0 || snap.Health[0].Level != memory.Stop || snap.Health[0].Next == "" ||
		snap.Start != (memory.Size{}) || len(snap.Records) != 5 {
		t.Errorf("health %+v, start %+v, %d records", snap.Health, snap.Start, len(snap.Records))
	}
	r, err := s.Recall(t.Context(), memory.Task{Text: "deploy"})
	if err != nil || r.Stop == nil || r.Block.Text != "" || len(r.Also) > 0 {
		t.Errorf("recall %+v, %v", r, err)
	}
}

func TestWhatTheAgentPassesOverHasItsReason(t *testing.T) {
	ok := note{name: "x", description: "y", body: "z", kind: fact}.text()
	for name, c := range map[string]struct{ text, code string }{
		"bom":         {"\ufeff" + ok, "bom"},
		"blank":       {"\n" + ok, "no-header"},
		"crlf":        {strings.ReplaceAll(ok, "\n", "\r\n"), "crlf"},
		"dashes":      {"-" + ok, "unclosed"},
		"open":        {"---\nname: a\ndescription: b\n", "unclosed"},
		"plain":       {"# Notes\n", "no-header"},
		"empty":       {"", "no-header"},
		"nameless":    {"---\ndescription: b\n---\n", "no-name"},
		"silent":      {"---\nname: b\n---\n", "no-description"},
		"separator":   {"---\nname: b\ndescription: one\u2028two\n---\n", "line-break"},
		"return":      {"---\nname: b\ndescription: one\rtwo\n---\n", "line-break"},
		"nothing":     {"---\n---\n", "unclosed"},
		"nothing-two": {"---\n\n---\n", "no-name"},
	} {
		s := folderOf(t, map[string]string{name + ending: c.text, "sound.md": ok})
		r := record(t, s, memory.ID(name))
		if r.Problem == nil || r.Problem.Code != c.code || r.Problem.What == "" || r.Problem.Hint == "" ||
			r.Flags&memory.FlagUnseen == 0 || r.Title == "" {
			t.Errorf("%s: %+v, title %q", name, r.Problem, r.Title)
		}
		if _, passed := parse(c.text); passed {
			t.Errorf("%s is a memory", name)
		}
		if text, mended := s.Mend(r.Raw); mended != strings.Contains("bom blank crlf separator return", name) {
			t.Errorf("%s is mended: %t, %q", name, mended, text)
		}
	}
}

func TestWhatIsOddIsSaid(t *testing.T) {
	texts := good()
	texts["copy.md"] = texts["postgres.md"]
	texts["Old Name.md"] = note{
		name:        "Other name",
		description: "say \"it\"",
		body:        strings.Repeat("ж", 3000),
		kind:        fact,
	}.text()
	texts["untyped.md"] = "---\nname: untyped\ndescription: ничего\ntype: Fact\n---\nтекст"
	texts["x.MD"] = texts["postgres.md"]
	texts[indexName] = index([]note{{name: "gone", description: "d", kind: fact}})
	s := folderOf(t, texts)
	for id, want := range map[memory.ID]string{
		"copy":     "same name",
		"postgres": "same name",
		"Old Name": "other-name.md",
		"untyped":  "takes for a fact",
		indexID:    "gone.md, which is not there",
	} {
		r := record(t, s, id)
		if !strings.Contains(strings.Join(r.Notes, " "), want) {
			t.Errorf("%s: %q, want %q in it", id, r.Notes, want)
		}
		if same := r.Flags&memory.FlagDuplicate != 0; same != (want == "same name") {
			t.Errorf("%s is a duplicate: %t", id, same)
		}
	}
	if r := record(t, s, "untyped"); !strings.Contains(strings.Join(r.Notes, " "), "a search never finds it") {
		t.Errorf("untyped: %q", r.Notes)
	}
	var codes []string
	for _, h := range snapshot(t, s).Health {
		codes = append(codes, h.Code)
	}
	if got := strings.Join(codes, " "); got != "same-name renamed passed-over stale-index" {
		t.Errorf("health %s", got)
	}
}

func TestFieldsThatWouldBeReadOtherwiseAreRefused(t *testing.T) {
	s := folderOf(t, good())
	r := record(t, s, "postgres")
	text := func(s string) *string { return &s }
	n := 3
	for code, e := range map[string]memory.Edit{
		"line-break": {Title: text("x\n---\ninjected")},
		"empty-text": {Body: text(" \n")},
		"too-long":   {Body: text(strings.Repeat("é", 2049))},
		"type":       {Kind: text("Fact")},
		"no-field":   {Count: &n},
		"name":       {Name: text("other")},
		"no-header":  {Raw: text("no header")},
	} {
		for _, stored := range []string{r.Raw, ""} {
			if stored == "" && (code == "name" || code == "empty-text") {
				continue
			}
			if stored == "" {
				e.Title, e.Body = cmpOr(e.Title, text("t")), cmpOr(e.Body, text("b"))
				if e.Raw != nil {
					e.Title, e.Body = nil, nil
				}
			}
			_, err := s.Compose(stored, e)
			var p *memory.Problem
			if !errors.As(err, &p) || p.Code != code || p.Hint == "" {
				t.Errorf("%s of %.10q: %v", code, stored, err)
			}
		}
	}
	for _, title := range []string{"memory", "日本語", "MEMORY!"} {
		if _, err := s.Compose("", memory.Edit{Title: &title, Body: text("b")}); err == nil {
			t.Errorf("a memory can be called %q", title)
		}
	}
}

func cmpOr(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}

func TestRecallIsWhatTheAgentGets(t *testing.T) {
	s := folderOf(t, good())
	r, err := s.Recall(t.Context(), memory.Task{Text: " When do we deploy to Postgres? "})
	if err != nil {
		t.Fatal(err)
	}
	d, _ := s.read(t.Context())
	notes := d.notes()
	want, _ := answer(notes, "When do we deploy to Postgres?", "memory",
		search(notes, tokens("When do we deploy to Postgres?")))
	if r.Block.Text != want || r.Block.Where != "tool result" || len(r.Block.Parts) != 2 || len(r.Hits) != 2 || r.Hits[0].Points <= r.Hits[1].Points || r.Hits[0].Why == "" {
		t.Errorf("block %+v, hits %+v", r.Block, r.Hits)
	}
	for _, p := range r.Block.Parts {
		if part := r.Block.Text[p.Start:p.End]; !strings.HasPrefix(part, `<memory path="memory/`+p.Name+`.md"`) || !strings.HasSuffix(part, "</memory>") {
			t.Errorf("a part is %q", part)
		}
	}
	whole, _ := section(notes)
	if len(r.Also) != 1 || r.Also[0].Text != whole || len(r.Also[0].Parts) != 3 {
		t.Fatalf("pinned is %+v", r.Also)
	}
	first := r.Also[0].Parts[0]
	if got := whole[first.Start:first.End]; got != "- deploy-day (decision): Deploys go out on Tuesday mornings" {
		t.Errorf("the first part is %q", got)
	}
	if r, err := s.Recall(t.Context(), memory.Task{}); err != nil || r.Block.Text != "" || r.Empty == "" ||
		len(r.Also) != 1 {
		t.Errorf("without a task: %+v, %v", r, err)
	}
	if r, err := s.Recall(t.Context(), memory.Task{Text: "zebra"}); err != nil ||
		r.Block.Text != "no matching memory for: zebra" || r.Empty == "" {
		t.Errorf("without a hit: %+v, %v", r.Block, err)
	}
}

func TestOnlyAFolderOfTheHandbookIsFound(t *testing.T) {
	top := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(top, path)), 0o755),
			os.WriteFile(filepath.Join(top, path), []byte(text), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	put("claude/memory/MEMORY.md", "- [User](user.md) — likes tabs\n")
	put("claude/memory/user.md", "---\nname: user\ndescription: d\nmetadata: \n  type: feedback\n---\n\nx\n")
	put("kimchi/memory/MEMORY.md", "one\n§\ntwo")
	put("book/memory/"+indexName, good()[indexName])
	put("book/memory/a.md", "no header")
	put("repo/.git/HEAD", "ref: refs/heads/main\n")
	put("repo/memory/a.md", good()["postgres.md"])
	put("repo/deep/er/x", "")
	put("named/a.md", good()["postgres.md"])
	for dir, want := range map[string][]string{
		"claude":       nil,
		"kimchi":       nil,
		"book":         {"book/memory"},
		"repo":         {"repo/memory"},
		"repo/deep/er": {"repo/memory"},
		"named":        nil,
	} {
		for variable, more := range map[string][]string{
			"":                                  nil,
			filepath.Join(top, "named"):         {"named"},
			filepath.Join(top, "claude/memory"): nil,
			"no/such":                           nil,
		} {
			env := system.Env{
				Home:   top,
				Dir:    filepath.Join(top, dir),
				Lookup: func(string) (string, bool) { return variable, variable != "" },
			}
			var got []string
			survey := find(t.Context(), env)
			for _, p := range survey.Places {
				rel, _ := filepath.Rel(top, p.Store.Path())
				got = append(got, rel)
			}
			if all := slices.Concat(more, want); !slices.Equal(got, all) || len(survey.Looked) == 0 {
				t.Errorf("in %s with %q: %q, want %q", dir, variable, got, all)
			}
		}
		for _, w := range want {
			if p, ok := reads(filepath.Join(top, w)); !ok || p.Store.Path() != filepath.Join(top, w) {
				t.Errorf("%s is read: %t, %+v", w, ok, p)
			}
		}
	}
	if _, ok := reads(filepath.Join(top, "claude/memory")); ok {
		t.Error("a folder of Claude Code is taken")
	}
}

func TestFolderThatIsTooMuchIsReadToItsLimit(t *testing.T) {
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set, and this reads 70 large files")
	}
	s := folderOf(t, good())
	for i := range 70 {
		path := filepath.Join(s.path, "zero-"+string(rune('A'+i))+".md")
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 5<<30)); err != nil {
			t.Skip("no room for the sizes of the files:", err)
		}
	}
	snap := snapshot(t, s)
	unread := 0
	for _, r := range snap.Records {
		if r.Problem != nil && r.Problem.Code == codeTooMuch {
			unread++
		}
	}
	if unread < 5 || unread > 8 || len(snap.Records) != 74 ||
		!slices.ContainsFunc(snap.Health, func(h memory.Health) bool {
			return h.Code == codeTooMuch &&
				h.Count == unread
		}) {
		t.Errorf("%d of %d are unread: %+v", unread, len(snap.Records), snap.Health)
	}
	if r, err := s.Recall(t.Context(), memory.Task{Text: "deploy"}); err != nil || r.Stop != nil || len(r.Hits) != 1 {
		t.Errorf("recall %+v, %v", r, err)
	}
}

// TestAnIndexThatTheAgentMadeAnewIsNoRevert judges the index after the agent saved a
// memory beside the one that a person edited and the one that they deleted.
func TestAnIndexThatTheAgentMadeAnewIsNoRevert(t *testing.T) {
	of := func(names ...string) string {
		var notes []note
		for _, n := range names {
			name, description, _ := strings.Cut(n, " ")
			notes = append(notes, note{name: name, description: description, kind: fact})
		}
		return index(notes)
	}
	made := memory.Forms{
		{Before: of("a old", "b old", "c old"), After: of("a mine", "b old", "c old")},
		{Before: of("a mine", "b old", "c old", "d theirs"), After: of("a mine", "c old", "d theirs")},
	}
	s := folderOf(t, nil)
	for _, c := range []struct {
		theirs, want string
		settled      system.Relation
	}{
		{of("a mine", "c old", "d newer", "e theirs"), of("a mine", "c old", "d newer", "e theirs"), system.Kept},
		{of("a theirs", "c old"), of("a theirs", "c old"), system.Kept},
		{of("a old", "c old", "e theirs"), of("a mine", "c old", "e theirs"), system.Reverted},
		{of("a mine", "b old", "c old", "e theirs"), of("a mine", "c old", "e theirs"), system.Reverted},
		{of("a old", "b old", "c old"), made.Mine(), system.Reverted},
		{"no index", "no index", system.Diverged},
	} {
		if merged, settled := s.Reconcile(made, c.theirs); merged != c.want || settled != c.settled {
			t.Errorf("%s\nis settled as %d:\n%s\nwant %d:\n%s", c.theirs, settled, merged, c.settled, c.want)
		}
	}
}
