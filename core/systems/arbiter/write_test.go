package arbiter

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// The environment makes this test binary another process with the database open, which
// runs a query for each line that it reads.
const otherVariable = "WINNOW_TEST_OTHER"

func TestMain(m *testing.M) {
	if path := os.Getenv(otherVariable); path != "" {
		if err := asAgent(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func asAgent(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := db.Exec(lines.Text()); err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

// agent is another process that has the database open, as a running Arbiter has.
type agent struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, path string) *agent {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), otherVariable+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no process can be started:", err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() }) // it ends with its input
	return &agent{t, in, bufio.NewScanner(out)}
}

func (a *agent) does(queries ...string) {
	a.t.Helper()
	for _, q := range queries {
		if _, err := io.WriteString(a.in, q+"\n"); err != nil {
			a.t.Fatal(err)
		}
		if !a.out.Scan() || a.out.Text() != "done" {
			a.t.Fatalf("the agent at %s: %q", q, a.out.Text())
		}
	}
}

func deleting(r memory.Record) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: r.ID, Before: r.Raw}
}

func editing(t *testing.T, s *store, r memory.Record, e memory.Edit) memory.Change {
	t.Helper()
	after, err := s.Compose(r.Raw, e)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Change{Do: memory.Editing, ID: r.ID, Before: r.Raw, After: after}
}

func adding(t *testing.T, s *store, title, body string) memory.Change {
	t.Helper()
	after, err := s.Compose("", memory.Edit{Title: &title, Body: &body})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Decode(after)
	return memory.Change{Do: memory.Adding, ID: r.ID, Record: r, After: after}
}

func write(t *testing.T, s *store, changes ...memory.Change) system.Written {
	t.Helper()
	w, err := s.Write(t.Context(), system.Write{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// back returns the changes that take back what was written.
func back(w system.Written) (changes []memory.Change) {
	for _, ch := range w.Staged.Changes {
		ch.Before, ch.After = ch.After, ch.Before
		switch ch.Do {
		case memory.Deleting:
			ch.Do = memory.Adding
		case memory.Adding:
			ch.Do = memory.Deleting
		}
		changes = append(changes, ch)
	}
	return changes
}

func TestDeletedRowComesBackWithIdHitsAndTimes(t *testing.T) {
	s, _ := copied(t)
	before := records(t, s)
	w := write(t, s, deleting(before["#11"]), deleting(before["#42"]))
	if after := records(t, s); len(after) != len(before)-2 {
		t.Errorf("%d records, want %d", len(after), len(before)-2)
	}
	write(t, s, back(w)...)
	after := records(t, s)
	for id, r := range before {
		if after[id].Raw != r.Raw {
			t.Errorf("%s is\n%s\nand was\n%s", id, after[id].Raw, r.Raw)
		}
	}
}

func TestNumbersAreNotUsedAgain(t *testing.T) {
	s, _ := copied(t)
	first := write(t, s, adding(t, s, "one", "text"))
	if id := first.Fates[0].ID; id != "#43" || first.Staged.Changes[0].ID != id || records(t, s)[id].Title != "one" {
		t.Errorf("the new lesson is %s, staged as %+v", id, first.Staged.Changes[0])
	}
	write(t, s, back(first)...)
	two := write(t, s, adding(t, s, "two", "text"), adding(t, s, "three", "text"))
	if a, b := two.Fates[0].ID, two.Fates[1].ID; a != "#44" || b != "#45" {
		t.Errorf("the next lessons are %s and %s, want #44 and #45", a, b)
	}
	write(t, s, back(back2(first))...)
	if r := records(t, s)["#43"]; r.Title != "one" {
		t.Errorf("done again, the first is %+v", r)
	}
}

// back2 returns what takes the taking back back.
func back2(w system.Written) system.Written {
	return system.Written{Staged: system.Staged{Changes: back(w)}}
}

func TestUndoKeepsWhatOthersAdded(t *testing.T) {
	s, path := copied(t)
	before := records(t, s)
	title := "Another title"
	w := write(t, s, deleting(before["#1"]), editing(t, s, before["#2"], memory.Edit{Title: &title}))
	change(
		t,
		path,
		"INSERT INTO lessons(tenant_id,agent_id,signature,lesson_text,created_at,updated_at) VALUES(1,'scout','theirs','x',1,1)",
	)
	write(t, s, back(w)...)
	after := records(t, s)
	if len(after) != len(before)+1 || after["#43"].Title != "theirs" || after["#1"].Raw != before["#1"].Raw ||
		after["#2"].Title != before["#2"].Title {
		t.Errorf("after the undo there are %d records: %+v", len(after), after["#43"])
	}
}

func TestComposedRowsAreDecoded(t *testing.T) {
	s, _ := copied(t)
	records(t, s)
	title, body, scope, hits := "sig", "a\n<b>\u2028\u200b", "globex/quill", 7
	stored, err := s.Compose("", memory.Edit{Title: &title, Body: &body, Scope: &scope, Count: &hits})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Decode(stored); r.ID != newLesson || r.Title != title || r.Body != body || r.Scope != scope ||
		r.Count.N != 7 ||
		r.Problem != nil {
		t.Errorf("%s is decoded as %+v", stored, r)
	}
	if edited, err := s.Compose(stored, memory.Edit{Title: &title}); err != nil || edited != stored {
		t.Errorf("setting what stands makes %s, %v", edited, err)
	}
	form := s.Form(stored)
	if e, err := s.ParseForm(stored, form); err != nil || e != (memory.Edit{}) {
		t.Errorf("the form\n%s\ncomes back as %+v, %v", form, e, err)
	}
	e, err := s.ParseForm(stored, strings.Replace(form, `"sig"`, `"other"`, 1))
	if err != nil || e.Title == nil || *e.Title != "other" || e.Body != nil || e.Count != nil {
		t.Errorf("the changed form comes back as %+v, %v", e, err)
	}
	if strings.ContainsAny(form, "\u200b\u2028") {
		t.Errorf("the form hides characters:\n%q", form)
	}
	if _, err := s.ParseForm(stored, strings.Replace(form, "}", "", 1)); code(err) != "bad-form" {
		t.Errorf("a broken form = %v", err)
	}
}

func TestWhatArbiterWouldNotStoreIsRefused(t *testing.T) {
	s, _ := copied(t)
	all := records(t, s)
	text := func(s string) *string { return &s }
	negative, tools := -1, []string{"x"}
	for want, e := range map[string]memory.Edit{
		"signature":      {Title: text(strings.Repeat("s", 201))},
		"lesson_text":    {Body: text(strings.Repeat("é", 2049))},
		"lesson_text ":   {Body: text("")},
		"hit_count":      {Count: &negative},
		"NUL":            {Body: text("a\x00b")},
		"UTF-8":          {Body: text("a\xff")},
		"has no tools":   {Tools: &tools},
		"has no outcome": {Outcome: text("failed")},
		"No tenant":      {Scope: text("nobody/scout")},
		"no column":      {Raw: text(`{"id":3,"weight":1}`)},
	} {
		_, err := s.Compose(all["#3"].Raw, e)
		if code(err) == "" || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestWhatArbiterCountedMeanwhileIsKept(t *testing.T) {
	s, path := copied(t)
	r := records(t, s)["#3"]
	title := "Mine"
	edit := editing(t, s, r, memory.Edit{Title: &title})
	change(t, path, "UPDATE lessons SET hit_count=9, last_seen_at=1790000000 WHERE id=3")
	w := write(t, s, edit)
	got := records(t, s)["#3"]
	if w.Fates[0].Fate != memory.Merged || got.Title != "Mine" || got.Count.N != 9 ||
		got.Used.Time.Unix() != 1790000000 {
		t.Errorf("fate %v, record %+v", w.Fates[0].Fate, got)
	}
	r = got
	change(t, path, "UPDATE lessons SET hit_count=10 WHERE id=3")
	if w := write(t, s, deleting(r)); w.Fates[0].Fate != memory.Done ||
		!strings.Contains(w.Staged.Changes[0].Before, `"hit_count":10`) {
		t.Errorf("a deletion of what was counted on is %+v", w)
	}
}

func TestTextThatAnotherChangedIsAConflict(t *testing.T) {
	s, path := copied(t)
	all := records(t, s)
	body, title := "Mine", "Mine"
	changes := []memory.Change{deleting(all["#5"]), editing(t, s, all["#3"], memory.Edit{Body: &body})}
	change(t, path, "UPDATE lessons SET lesson_text='theirs', updated_at=1790000000 WHERE id=3")
	w, err := s.Write(t.Context(), system.Write{Changes: changes})
	if !errors.Is(err, memory.ErrConflict) || w.Fates[1].Fate != memory.Refused ||
		w.Fates[1].TheirRecord.Body != "theirs" {
		t.Errorf("Write = %+v, %v", w.Fates, err)
	}
	if _, there := records(t, s)["#5"]; !there {
		t.Error("the other change was made all the same")
	}
	other := write(t, s, editing(t, s, all["#3"], memory.Edit{Title: &title}))
	if r := records(t, s)["#3"]; other.Fates[0].Fate != memory.Merged || r.Title != "Mine" || r.Body != "theirs" {
		t.Errorf("an edit of another column is %v: %+v", other.Fates[0].Fate, r)
	}
}

func TestOtherWriterBetweenLookAndChangeIsStagedAgain(t *testing.T) {
	s, path := copied(t)
	r := records(t, s)["#3"]
	title, stages := "Mine", 0
	var last system.Staged
	_, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{editing(t, s, r, memory.Edit{Title: &title}), adding(t, s, "new", "text")},
		Stage: func(st system.Staged) error {
			if stages++; stages == 1 {
				change(
					t,
					path,
					"UPDATE lessons SET hit_count=9 WHERE id=3",
					"INSERT INTO lessons(tenant_id,agent_id,signature,lesson_text,created_at,updated_at) VALUES(1,'scout','theirs','x',1,1)",
				)
			}
			last = st
			return nil
		},
	})
	if err != nil || stages != 2 {
		t.Fatalf("%d stages, %v; want 2", stages, err)
	}
	all := records(t, s)
	if last.Changes[0].Before != strings.Replace(r.Raw, `"hit_count":0`, `"hit_count":9`, 1) ||
		last.Changes[1].ID != "#44" ||
		all["#44"].Title != "new" ||
		all["#43"].Title != "theirs" {
		t.Errorf("staged last is %+v", last)
	}
}

func TestAgentThatHoldsTheLockIsWaitedForOrNamed(t *testing.T) {
	s, path := copied(t)
	a := start(t, path)
	r := records(t, s)["#3"]
	a.does("BEGIN IMMEDIATE", "UPDATE lessons SET hit_count=hit_count+1 WHERE id=3")
	if got := records(t, s)["#3"]; got.Raw != r.Raw {
		t.Error("what is not committed is read")
	}
	staged := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		_, err := s.Write(
			t.Context(),
			system.Write{Changes: []memory.Change{deleting(r)}, Stage: func(system.Staged) error {
				select {
				case <-staged:
				default:
					close(staged)
				}
				return nil
			}},
		)
		done <- err
	}()
	<-staged
	a.does("COMMIT") // it waits for this, and deletes with the hit in its copy
	if err := <-done; err != nil {
		t.Errorf("Write = %v", err)
	}
	a.does("BEGIN IMMEDIATE")
	s.patience = 20 * time.Millisecond
	_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deleting(records(t, s)["#5"])}})
	if code(err) != "busy" {
		t.Errorf("Write = %v, want the problem busy", err)
	}
	a.does("COMMIT")
	if _, there := records(t, s)["#5"]; !there {
		t.Error("it was deleted all the same")
	}
}

func TestNothingIsLostBesideAnAgentThatWrites(t *testing.T) {
	s, path := copied(t)
	a := start(t, path)
	const rounds = 10
	hits := records(t, s)["#3"].Count.N
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for i := range rounds {
			a.does(
				"UPDATE lessons SET hit_count=hit_count+1, last_seen_at=last_seen_at+1 WHERE id=3",
				fmt.Sprintf(
					"INSERT INTO lessons(tenant_id,agent_id,signature,lesson_text,created_at,updated_at) VALUES(1,'scout','theirs %d','x',1,1)",
					i,
				),
			)
		}
	}()
	for i := range rounds {
		title := fmt.Sprintf("Mine %d", i)
		write(t, s, editing(t, s, records(t, s)["#3"], memory.Edit{Title: &title}), adding(t, s, title, "added"))
	}
	wait.Wait()
	all := records(t, s)
	if r := all["#3"]; r.Count.N != hits+rounds || r.Title != fmt.Sprintf("Mine %d", rounds-1) {
		t.Errorf("the lesson that both changed is %q with %d hits, want %d", r.Title, r.Count.N, hits+rounds)
	}
	if len(all) != 45+2*rounds {
		t.Errorf("%d records, want %d", len(all), 45+2*rounds)
	}
}

func TestRecoveryTellsWhetherATransactionStands(t *testing.T) {
	title := "Mine"
	hits := 40
	for name, changes := range map[string]func(*store, map[memory.ID]memory.Record) []memory.Change{
		"delete": func(_ *store, all map[memory.ID]memory.Record) []memory.Change {
			return []memory.Change{deleting(all["#3"])}
		},
		"edit": func(s *store, all map[memory.ID]memory.Record) []memory.Change {
			return []memory.Change{editing(t, s, all["#3"], memory.Edit{Title: &title})}
		},
		"count": func(s *store, all map[memory.ID]memory.Record) []memory.Change {
			return []memory.Change{editing(t, s, all["#3"], memory.Edit{Count: &hits})}
		},
		"add": func(s *store, _ map[memory.ID]memory.Record) []memory.Change {
			return []memory.Change{adding(t, s, "new", "text")}
		},
	} {
		s, path := copied(t)
		var staged system.Staged
		stop := errors.New("stop")
		w := system.Write{
			Changes: changes(s, records(t, s)),
			Stage:   func(st system.Staged) error { staged = st; return stop },
		}
		if _, err := s.Write(t.Context(), w); !errors.Is(err, stop) || staged.Temp == "" ||
			staged.Temp != filepath.Base(staged.Temp) {
			t.Errorf("%s: Write = %v, staged %+v", name, err, staged)
		}
		if stands, err := at(path).Recover(t.Context(), staged); stands || err != nil {
			t.Errorf("%s: before it is made, Recover = %t, %v", name, stands, err)
		}
		w.Stage = nil
		made := write(t, s, w.Changes...)
		if stands, err := at(path).Recover(t.Context(), made.Staged); !stands || err != nil {
			t.Errorf("%s: after it is made, Recover = %t, %v", name, stands, err)
		}
	}
}

func TestRedactedTextIsNowhereInTheFiles(t *testing.T) {
	s, path := copied(t)
	key := "ghp_" + strings.Repeat("a1B2", 9)
	change(t, path, "UPDATE lessons SET lesson_text='push with "+key+"' WHERE id=3")
	r := records(t, s)["#3"]
	redacted, n := s.Redact(r.Raw, memory.Redaction{})
	if n != 1 || strings.Contains(redacted, key) || len(r.Secrets) == 0 {
		t.Fatalf("%d places of %d were redacted: %s", n, len(r.Secrets), redacted)
	}
	w := write(t, s, memory.Change{Do: memory.Editing, ID: r.ID, Before: r.Raw, After: redacted})
	if len(w.Notes) != 1 {
		t.Errorf("notes %q, want one", w.Notes)
	}
	for _, suffix := range []string{"", "-wal"} {
		if text, err := os.ReadFile(path + suffix); err == nil && strings.Contains(string(text), key) {
			t.Errorf("the secret still stands in %s", filepath.Base(path+suffix))
		}
	}
	if !strings.Contains(records(t, s)["#3"].Body, "[REDACTED") {
		t.Errorf("the lesson says %q", records(t, s)["#3"].Body)
	}
}

func TestRedactionBesideARunningAgentEmptiesTheLog(t *testing.T) {
	s, path := copied(t)
	a := start(t, path)
	key := "ghp_" + strings.Repeat("a1B2", 9)
	a.does("UPDATE lessons SET lesson_text='push with " + key + "' WHERE id=3")
	r := records(t, s)["#3"]
	redacted, _ := s.Redact(r.Raw, memory.Redaction{})
	write(t, s, memory.Change{Do: memory.Editing, ID: r.ID, Before: r.Raw, After: redacted})
	for _, suffix := range []string{"", "-wal"} {
		if text, err := os.ReadFile(path + suffix); err == nil && strings.Contains(string(text), key) {
			t.Errorf("the secret still stands in %s", filepath.Base(path+suffix))
		}
	}
	a.does("UPDATE lessons SET hit_count=1 WHERE id=5")
	if got := records(t, s)["#5"].Count.N; got != 1 {
		t.Errorf("what the agent wrote afterwards is %d", got)
	}
}

func TestMemoryEntriesAreNotChanged(t *testing.T) {
	s, _ := copied(t)
	_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deleting(records(t, s)["memory#1"])}})
	if code(err) != "fixed" {
		t.Errorf("Write = %v", err)
	}
}

func TestSettleTellsWhatBecameOfAnEdit(t *testing.T) {
	s, _ := copied(t)
	r := records(t, s)["#3"]
	title := "Mine"
	mine := editing(t, s, r, memory.Edit{Title: &title}).After
	counted := strings.Replace(r.Raw, `"hit_count":0`, `"hit_count":4`, 1)
	if merged, got := s.Reconcile(memory.Forms{{Before: r.Raw, After: mine}}, counted); got != system.Reverted ||
		!strings.Contains(merged, `"hit_count":4`) ||
		!strings.Contains(merged, `"Mine"`) {
		t.Errorf("settled = %v: %s", got, merged)
	}
	both := strings.Replace(mine, `"hit_count":0`, `"hit_count":4`, 1)
	if merged, got := s.Reconcile(memory.Forms{{Before: r.Raw, After: mine}}, both); got != system.Kept ||
		merged != both {
		t.Errorf("settled = %v: %s", got, merged)
	}
	third := strings.Replace(mine, `"Mine"`, `"Theirs"`, 1)
	if _, got := s.Reconcile(memory.Forms{{Before: r.Raw, After: mine}}, third); got != system.Diverged {
		t.Errorf("settled = %v", got)
	}
}

func TestUnitedLessonHasTheMostHits(t *testing.T) {
	s, _ := copied(t)
	all := records(t, s)
	united, err := s.Unite([]string{all["#1"].Raw, all["#8"].Raw}, memory.Edit{})
	if r := s.Decode(united); err != nil || r.ID != "#1" || r.Count.N < all["#8"].Count.N {
		t.Errorf("united is %+v, %v", r, err)
	}
}

func TestStoreInAReadOnlyFolderIsReadAndNotWritten(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("does not apply: root may write everywhere")
	}
	s, path := copied(t)
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o755) }) // so that it can be removed
	if len(records(t, s)) != 45 {
		t.Error("the records are not read")
	}
	if code(s.CanWrite()) != "read-only" {
		t.Errorf("CanWrite = %v", s.CanWrite())
	}
}

func TestOtherColumnsOfARowStayAsTheyAre(t *testing.T) {
	s, path := copied(t)
	title := "Mine"
	write(t, s, editing(t, s, records(t, s)["#3"], memory.Edit{Title: &title}))
	err := sqlite.Look(t.Context(), path, func(db *sql.DB) error {
		var got string
		err := db.QueryRow("SELECT signature||'|'||hit_count||'|'||created_at||'|'||updated_at||'|'||last_seen_at||'|'||typeof(lesson_text) FROM lessons WHERE id=3").
			Scan(&got)
		if want := "Mine|0|1770086400|1780000000|1770086400|text"; got != want {
			t.Errorf("the row is %s, want %s", got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestADatabaseThatMayNotBeChangedStaysAsItIs, whether that is known at first, before its rows are looked at or, because a
// link was put in its place meanwhile, only after they were changed.
func TestADatabaseThatMayNotBeChangedStaysAsItIs(t *testing.T) {
	for allowed := range 3 {
		s, _ := copied(t)
		was, asked := records(t, s)["#3"], 0
		s.Confine(func(string) error {
			if asked++; asked > allowed {
				return &memory.Problem{Code: "outside", What: "it is not of the project.", Hint: "open it by its path"}
			}
			return nil
		})
		_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deleting(was)}})
		if code(err) != "outside" {
			t.Errorf("allowed %d times, Write = %v", allowed, err)
		}
		if got := records(t, s)["#3"]; got.Raw != was.Raw || got.Raw == "" {
			t.Errorf("allowed %d times, the database was changed", allowed)
		}
	}
}
