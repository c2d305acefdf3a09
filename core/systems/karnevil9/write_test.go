package karnevil9

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/system"
)

// all returns the records of a store.
func all(t testing.TB, s *Store) []memory.Record {
	t.Helper()
	var out []memory.Record
	if err := s.List(t.Context(), func(r memory.Record) error { out = append(out, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func contents(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// agentSaves replaces the store as an agent does: by a file beside it whose name is
// always the same, with a mode of its own.
func agentSaves(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".tmp", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
}

func composed(t testing.TB, s *Store, stored string, e memory.Edit) string {
	t.Helper()
	after, err := s.Compose(stored, e)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func deletion(r memory.Record) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw, Line: r.Line}
}

func titled(t testing.TB, s *Store, r memory.Record, title string) memory.Change {
	t.Helper()
	after := composed(t, s, r.Raw, memory.Edit{Title: &title})
	return memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after, Line: r.Line}
}

func TestNewLessonIsOneOfTheAgentsOwnForm(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "memory.jsonl"))
	title := "Try it"
	stored := composed(t, s, "", memory.Edit{Title: &title})
	const want = `^\{"lesson_id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",` +
		`"task_summary":"Try it","outcome":"succeeded","lesson":"","tool_names":\[\],` +
		`"created_at":"2026-11-21T12:00:00.000Z","session_id":"winnow","relevance_count":0\}$`
	if !regexp.MustCompile(want).MatchString(stored) {
		t.Errorf("new lesson is\n%s\nwant\n%s", stored, want)
	}
}

// TestAgentThatSavesInTheSameInstantLosesNothing lets an agent save between the
// reading and the exchange, as often as it likes.
func TestAgentThatSavesInTheSameInstantLosesNothing(t *testing.T) {
	path := write(t, append(lessons(5), '\n'))
	s := openStore(t, path)
	records := all(t, s)
	held := strings.Split(strings.TrimSpace(contents(t, path)), "\n")
	held[2] = strings.Replace(held[2], `"relevance_count":2`, `"relevance_count":9`, 1)
	const saves = 3
	var staged []system.Staged
	written, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{deletion(records[0]), titled(t, s, records[2], "Mine")},
		Stage: func(st system.Staged) error {
			if staged = append(staged, st); len(staged) <= saves {
				title := "Theirs " + string(rune('0'+len(staged)))
				held = append(held, composed(t, s, "", memory.Edit{Title: &title}))
				agentSaves(t, path, strings.Join(held, "\n")+"\n")
			}
			return nil
		},
	})
	if err != nil || len(staged) <= saves {
		t.Fatalf("Write = %v after %d stages, want more than %d", err, len(staged), saves)
	}
	var titles []string
	for _, r := range all(t, s) {
		titles = append(titles, r.Title)
		if r.ID == records[0].ID {
			t.Error("the deleted lesson came back")
		}
		if r.ID == records[2].ID && (r.Title != "Mine" || r.Count.N != 9) {
			t.Errorf("edited lesson is %q with the count %d, want mine and theirs", r.Title, r.Count.N)
		}
	}
	for _, want := range []string{"Theirs 1", "Theirs 2", "Theirs 3"} {
		if n := strings.Count(strings.Join(titles, "\n"), want); n != 1 {
			t.Errorf("%q is there %d times in %q, want once", want, n, titles)
		}
	}
	if len(titles) != 4+saves || written.Adopted < saves {
		t.Errorf("%d lessons, %d adopted; want %d and at least %d", len(titles), written.Adopted, 4+saves, saves)
	}
	if got := atomicfile.Digest([]byte(contents(t, path))); got != written.Splices.To {
		t.Errorf("the store is %s, want %s as written", got, written.Splices.To)
	}
	onlyStore(t, path)
}

// onlyStore fails when something lies beside the store.
func onlyStore(t testing.TB, path string) {
	t.Helper()
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside the store are %v, %v", entries, err)
	}
}

func TestAgentThatChangesTheSameTextMeanwhileIsAConflict(t *testing.T) {
	path := write(t, append(lessons(5), '\n'))
	s := openStore(t, path)
	r := all(t, s)[1]
	theirs := strings.Replace(contents(t, path), r.Raw, titled(t, s, r, "Theirs").After, 1)
	stages := 0
	written, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{titled(t, s, r, "Mine")},
		Stage: func(system.Staged) error {
			if stages++; stages == 1 {
				agentSaves(t, path, theirs)
			}
			return nil
		},
	})
	if !errors.Is(err, memory.ErrConflict) || len(written.Fates) != 1 || written.Fates[0].Fate != memory.Refused ||
		written.Temp != "" {
		t.Errorf("Write = %+v, %v; want a conflict", written, err)
	}
	if now := contents(t, path); now != theirs {
		t.Errorf("the store holds\n%s\nwant what the agent saved:\n%s", now, theirs)
	}
	onlyStore(t, path)
}

func TestPartsOfAnAdoptedVersionAreThoseOfItsBytes(t *testing.T) {
	path := write(t, append(lessons(4), '\n'))
	s := openStore(t, path)
	r := all(t, s)[0]
	for i, c := range []struct{ from, to string }{
		{"", ""}, {"a\n", "a\n"}, {"", "a\n"}, {"a\nb\n", "a\nc\nb\n"}, {"a\nb\nc", "a\nc"},
		{"aé\nx\n", "aè\nx\n"}, {"a\na\n", "a\na\na\n"}, {"x", "xx"}, {contents(t, path), r.Raw},
	} {
		parts := jsonl.Difference(c.from, c.to)
		got := c.from
		for _, p := range parts {
			if c.from[p.At:p.At+int64(len(p.Old))] != p.Old {
				t.Errorf("%d: %q is not at %d of %q", i, p.Old, p.At, c.from)
			}
			got = c.from[:p.At] + p.New + c.from[p.At+int64(len(p.Old)):]
			if strings.ToValidUTF8(p.Old+p.New, "?") != p.Old+p.New {
				t.Errorf("%d: a character is cut in two: %+v", i, p)
			}
		}
		if got != c.to {
			t.Errorf("%d: %+v make %q of %q, want %q", i, parts, got, c.from, c.to)
		}
	}
}

func TestBytesThatDoNotFitAreNotInverted(t *testing.T) {
	path := write(t, append(lessons(4), '\n'))
	s := openStore(t, path)
	r := all(t, s)[1]
	before := contents(t, path)
	written, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}})
	if err != nil {
		t.Fatal(err)
	}
	back := memory.Change{
		Do:     memory.Adding,
		ID:     r.ID,
		Record: r,
		After:  r.Raw,
		Line:   r.Line,
		Behind: written.Staged.Changes[0].Behind,
	}
	for name, parts := range map[string][]memory.Splice{
		"none":        nil,
		"other bytes": {{At: written.Splices.Parts[0].At, Old: "something else\n"}},
		"far":         {{At: 1 << 62, Old: "x", New: "y"}},
		"negative":    {{At: -5, Old: "x"}},
	} {
		wrong := written.Splices
		wrong.Parts = parts
		undone, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{back}, Exact: &wrong})
		if err != nil || contents(t, path) != before {
			t.Errorf("%s: %v, and the store holds\n%s", name, err, contents(t, path))
		}
		if undone.Splices.From != written.Splices.To {
			t.Errorf("%s: undone from %s", name, undone.Splices.From)
		}
		if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBytesAreInvertedWhereTheyStand names no changes: the bytes alone say what is to
// be taken back.
func TestBytesAreInvertedWhereTheyStand(t *testing.T) {
	path := write(t, append(lessons(4), '\n'))
	s := openStore(t, path)
	before := contents(t, path)
	records := all(t, s)
	written, err := s.Write(
		t.Context(),
		system.Write{Changes: []memory.Change{deletion(records[0]), titled(t, s, records[2], "Mine")}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(t.Context(), system.Write{Exact: &written.Splices}); err != nil ||
		contents(t, path) != before {
		t.Errorf("taken back: %v, and the store holds\n%s", err, contents(t, path))
	}
	if w, err := s.Write(t.Context(), system.Write{Exact: &written.Splices}); err != nil || w.Temp != "" ||
		contents(t, path) != before {
		t.Errorf("taken back twice: %+v, %v", w, err)
	}
}

// TestSnapshotAfterAWriteIsOfWhatWasWritten has a clock that stands still, and
// changes that keep the size.
func TestSnapshotAfterAWriteIsOfWhatWasWritten(t *testing.T) {
	path := write(t, append(lessons(6), '\n'))
	s := openStore(t, path)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"AAAA", "BBBB", "CCCC", "DDDD", "EEEE"} {
		for _, i := range []int{0, 3} {
			r := snapshot(t, s).Records[i]
			if _, err := s.Write(t.Context(), system.Write{
				Changes: []memory.Change{titled(t, s, r, title)},
			}); err != nil {
				t.Fatal(err)
			}
			if got := snapshot(t, s).Records[i].Title; got != title {
				t.Errorf("snapshot after the write has %q, want %q", got, title)
			}
			hit, err := s.Recall(t.Context(), memory.Task{Text: strings.ToLower(title)})
			if err != nil || len(hit.Hits) == 0 {
				t.Errorf("recall after the write finds %d, %v", len(hit.Hits), err)
			}
		}
	}
}

func TestNothingIsMadeOfADeletionWhereThereIsNoStore(t *testing.T) {
	r := all(t, openStore(t, write(t, lessons(2))))[0]
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	s := openStore(t, path)
	written, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}})
	if err != nil || len(written.Fates) != 1 || written.Fates[0].Fate != memory.Gone || written.Temp != "" {
		t.Errorf("Write = %+v, %v; want the lesson gone", written, err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the store was made")
	}
}

func TestTooLargeStoreIsNotChanged(t *testing.T) {
	path := write(t, append(lessons(3), '\n'))
	s := openStore(t, path)
	change := deletion(all(t, s)[0])
	if err := os.Truncate(path, atomicfile.MaxSize+1); err != nil {
		t.Skip("the file system has no room for the size of the file:", err)
	}
	for what, err := range map[string]error{
		"CanWrite": s.CanWrite(),
		"Write": func() error {
			_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{change}})
			return err
		}(),
	} {
		var p *memory.Problem
		if !errors.As(err, &p) || p.Code != "too-large" || p.Hint == "" {
			t.Errorf("%s = %v, want the problem too-large", what, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() != atomicfile.MaxSize+1 {
		t.Errorf("size = %d, %v; want it as it was", info.Size(), err)
	}
	onlyStore(t, path)
}

// TestLookingWhileWritingSeesOneOfTheStates looks all the time from another
// goroutine, and after each change once from this one.
func TestLookingWhileWritingSeesOneOfTheStates(t *testing.T) {
	path := write(t, append(lessons(20), '\n'))
	s := openStore(t, path)
	stop := make(chan struct{})
	looked := make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				looked <- nil
				return
			default:
			}
			snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
			if err == nil && (snap.Problem != nil || len(snap.Records) != 20) {
				err = fmt.Errorf("a snapshot of %d records, problem %v", len(snap.Records), snap.Problem)
			}
			if err != nil {
				looked <- err
				return
			}
		}
	}()
	for i := range 20 {
		title := fmt.Sprintf("Title %02d", i)
		r := snapshot(t, s).Records[7]
		if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{titled(t, s, r, title)}}); err != nil {
			t.Fatal(err)
		}
		if got := snapshot(t, s).Records[7].Title; got != title {
			t.Errorf("after a change the snapshot has %q, want %q", got, title)
		}
	}
	close(stop)
	if err := <-looked; err != nil {
		t.Error(err)
	}
}
