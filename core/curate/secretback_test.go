package curate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/memory"
)

// reapplies redoes everything that is undone, and checks that the store has the text and the
// history does not contain the token.
func (b *bench) reapplies(what, text string) {
	b.t.Helper()
	b.order(memory.Order{Do: memory.Reapply, All: true})
	b.wants(what, text)
	b.guards(what+", done again", "")
	b.forgot(what)
}

// forgot checks that the token is nowhere in the history.
func (b *bench) forgot(what string) {
	b.t.Helper()
	t, ok := b.t.(*testing.T)
	if !ok {
		return
	}
	if found := left(t, b.state, token, token[8:]); found != nil {
		t.Fatalf("%s: %v", what, found)
	}
}

func TestARedactedSecretThatIsBackIsSeen(t *testing.T) {
	for name, between := range map[string]func(*bench){
		"redacted":                  func(*bench) {},
		"redacted and edited":       func(b *bench) { b.title("a", "mine") },
		"redacted and deleted":      func(b *bench) { b.do(memory.Delete, "a") },
		"deleted and undone":        func(b *bench) { b.do(memory.Delete, "a"); b.do(memory.Undo) },
		"redacted with a new start": func(b *bench) { b.Curator = curate.Open(b.conf) },
		"purged":                    func(b *bench) { b.Purge(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, secretLine("a", token), line("b", 0))
			held := b.text()
			b.do(memory.Redact, "a")
			between(b)
			b.guards("before the agent saves", "")
			mine := b.text()
			records := b.records()
			b.agent(held)
			if err := b.Watched(t.Context(), records, b.records()); err != nil {
				t.Fatal(err)
			}
			b.guards("the agent saves its old copy", "a secret back 1")
			b.guards("the same state", "a secret back 1")
			b.forgot("seen")
			b.reapplies("redacted again", mine)
			b.agent(strings.Replace(held, `"relevance_count":0`, `"relevance_count":4`, 1))
			b.guards("and again, with a count", "a secret back 2")
			if strings.Contains(mine, `"lesson_id":"a"`) {
				mine = strings.Replace(mine, `"relevance_count":0`, `"relevance_count":4`, 1)
			}
			b.reapplies("the third time", mine)
		})
	}
}

// TestASecretOfAnotherLessonIsBack redacts a secret in one lesson; then the agent brings it back in
// another.
func TestASecretOfAnotherLessonIsBack(t *testing.T) {
	for name, theirs := range map[string]string{
		"in a new lesson": secretLine("new", token),
		"with escapes":    secretLine("new", `\u0067`+token[1:]),
		"glued to a word": secretLine("new", "x"+token+"y"),
		"as the id":       line(token, 0),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, secretLine("a", token), line("b", 0))
			b.do(memory.Redact, "a")
			clean := b.text()
			b.agent(clean + theirs)
			if got := b.guard(); !strings.HasSuffix(got, " secret back 1") || strings.Contains(got, token) {
				t.Fatalf("the guard says %q", got)
			}
			b.order(memory.Order{Do: memory.Reapply, All: true})
			b.guards("redacted", "")
			b.forgot("redacted")
			if text := b.text(); strings.Contains(text, token[8:]) || strings.Count(text, "\n") != 3 {
				t.Fatalf("the store holds\n%s", text)
			}
		})
	}
}

func TestASecretThatIsAWordIsBackOnlyWhereARuleFindsIt(t *testing.T) {
	const word = "correcthorse"
	said := strings.Replace(line("a", 0), "what a taught", "password: "+word+"!", 1)
	other := strings.Replace(line("b", 0), "what b taught", "a "+word+" is a horse", 1)
	b := newBench(t, said, other)
	held := b.text()
	r := b.do(memory.Redact, "a")
	if len(r.Changes) != 1 {
		t.Fatalf("changes are %+v", r.Changes)
	}
	b.guards("nothing came back", "")
	clean := b.text()
	b.agent(held)
	b.guards("back", "a secret back 1")
	b.order(memory.Order{Do: memory.Reapply, All: true})
	b.wants("redacted again", clean)
}

func TestWhatAPersonAcceptsMayStay(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	held := b.text()
	b.do(memory.Redact, "a")
	b.agent(held)
	b.guards("back", "a secret back 1")
	b.do(memory.Accept, "a")
	b.guards("accepted", "")
	b.agent(held + secretLine("c", token))
	b.guards("another one", "c secret back 1")
	b.do(memory.Redact)
	b.agent(held)
	b.guards("redacted once more", "a secret back 1, c dropped 1")
}

func TestASecretIsTakenOutAgainWithoutAskingWhereThatIsDecided(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	held := b.text()
	b.do(memory.Redact, "a")
	clean := b.text()
	b.order(memory.Order{Do: memory.Trust, All: true})
	for n := range 3 {
		b.agent(held)
		r, undone, err := b.GuardReapply(t.Context(), b.records())
		if err != nil || len(undone) != 0 || r.Entry == "" {
			t.Fatalf("round %d: %+v, %v, %v", n, r, undone, err)
		}
		b.wants("redacted again", clean)
		b.forgot("redacted again")
	}
	if info, err := os.Stat(b.history().Path); err != nil || info.Size() > 8<<10 {
		t.Errorf("the history grows with each time: %v, %v", info.Size(), err)
	}
}

// TestALookAtASecretThatIsBackKeepsNoCopy has a person change the lesson in which the secret is
// back, other than by redacting it.
func TestALookAtASecretThatIsBackKeepsNoCopy(t *testing.T) {
	for _, do := range []memory.Act{memory.Delete, memory.EditOne, memory.Pin} {
		b := newBench(t, secretLine("a", token), line("b", 0))
		held := b.text()
		b.do(memory.Redact, "a")
		b.agent(held)
		title := "mine"
		o := memory.Order{Do: do, IDs: []memory.ID{"a"}}
		if do == memory.EditOne {
			o.Edit.Title = &title
		}
		p, err := b.Plan(t.Context(), o)
		if said := strings.Contains(strings.Join(p.Notes, "\n"), "is back in 1 lesson: this change redacts it again"); err != nil ||
			said != (do == memory.EditOne) {
			t.Errorf("the plan of %s says %q, %v", do, p.Notes, err)
		}
		b.order(o)
		b.forgot(string(do))
		if do == memory.EditOne && strings.Contains(b.text(), token) {
			t.Errorf("an edit leaves it: %s", b.text())
		}
		b.do(memory.Undo)
		b.forgot("undo of " + string(do))
		if do != memory.Pin {
			b.guards("undo of "+string(do), "")
		}
	}
}

func TestWhatNobodyCanTellIsSaid(t *testing.T) {
	const redaction = "redaction 1 cannot tell 1"
	b := newBench(t, secretLine("a", token), line("b", 0), secretLine("c", token+"x"))
	held := b.text()
	b.do(memory.Redact, "a")
	if err := os.Remove(filepath.Join(filepath.Dir(b.history().Path), "key")); err != nil {
		t.Fatal(err)
	}
	b.Curator = curate.Open(b.conf)
	b.guards("nobody wrote", redaction)
	b.agent(held)
	b.guards("the secret is back", redaction)
	b.order(memory.Order{Do: memory.Trust, All: true})
	b.guards("always", redaction)
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Reapply, IDs: []memory.ID{"redaction 1"}})
	if err != nil || len(p.Changes) > 0 {
		t.Fatalf("it is done again: %+v, %v", p, err)
	}
	b.do(memory.Redact)
	b.guards("another one, with a new key", redaction)
	b.agent(held)
	b.guards("of which it can tell", redaction+", a secret back 1 always, c secret back 1 always")
	b.do(memory.Accept, "redaction 1")
	b.guards("accepted", "a secret back 1 always, c secret back 1 always")
}

// TestTheHistoryNamesNoTextThatWasRedacted checks what the history contains about a redaction.
func TestTheHistoryNamesNoTextThatWasRedacted(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	b.do(memory.Redact, "a")
	text, err := os.ReadFile(b.history().Path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"scrubs":[{"kind":"text","len":40`) {
		t.Errorf("the history has no hash: %s", text)
	}
	same := newBench(t, secretLine("a", token), line("b", 0))
	same.conf.Rand = strings.NewReader(strings.Repeat("another source of keys", 9))
	same.Curator = curate.Open(same.conf)
	same.do(memory.Redact, "a")
	sums := map[string]bool{}
	for _, path := range []string{b.history().Path, same.history().Path} {
		for _, l := range strings.Split(read(t, path), "\n") {
			for _, sum := range curate.HashesIn(l) {
				sums[sum] = true
			}
		}
	}
	if len(sums) != 2 {
		t.Errorf("two keys make %d hashes of one text: %v", len(sums), sums)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzARedactedSecretIsFoundAgain puts a secret into arbitrary text.
func FuzzARedactedSecretIsFoundAgain(f *testing.F) {
	f.Add("before ", " after", uint8(0))
	f.Add("\\u0041", "\"\\", uint8(1))
	f.Add("%41", "\u200b", uint8(2))
	f.Fuzz(func(t *testing.T, before, after string, how uint8) {
		b := newBench(t, secretLine("a", token), line("b", 0))
		b.do(memory.Redact, "a")
		clean := b.text()
		secret := token
		if how%2 == 1 {
			secret = `\u0067\u0068` + token[2:]
		}
		body, _ := json.Marshal(before + "~~" + after)
		theirs := fmt.Sprintf(
			`{"lesson_id":"n","task_summary":"t","outcome":"succeeded","lesson":%s,"tool_names":[],"created_at":"2026-11-20T10:00:00.000Z","session_id":"s","relevance_count":0}`+"\n",
			strings.Replace(string(body), "~~", secret, 1),
		)
		b.agent(clean + theirs)
		if got := b.guard(); got != "n secret back 1" {
			t.Fatalf("the guard says %q of %s", got, theirs)
		}
		b.order(memory.Order{Do: memory.Reapply, All: true})
		if text := b.text(); strings.Contains(text, token[8:]) {
			t.Fatalf("left is %s", text)
		}
		b.guards("redacted again", "")
		b.forgot("redacted again")
	})
}
