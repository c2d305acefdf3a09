package approvals

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	now  = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	fake = Words{"Run the tests", "failed", "Failed: no such table", ""}
)

func noted(t *testing.T, dir string, v Verdict, w Words) Decisions {
	t.Helper()
	b := Open(dir, rand.Reader)
	if err := b.Note(t.Context(), v, now, "/s", w); err != nil {
		t.Fatal(err)
	}
	d, err := b.Read()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOnlyTheVeryWordsAreApproved(t *testing.T) {
	d := noted(t, t.TempDir(), Approve, fake)
	if !d.Approved("/s", fake) {
		t.Error("what was approved is not")
	}
	for _, w := range []Words{
		{}, {fake.Title, "succeeded", fake.Body, ""}, {fake.Title + "F", "ailed", fake.Body, ""},
		{fake.Title, fake.Outcome, fake.Body + " ", ""}, {fake.Title, fake.Outcome, fake.Body, "always"},
	} {
		if d.Approved("/s", w) {
			t.Errorf("%q is approved", w)
		}
	}
}

// TestAMomentCannotBeReadAsWords has words that only differ in where the moment begins.
func TestAMomentCannotBeReadAsWords(t *testing.T) {
	told := fake
	told.When = "always"
	d := noted(t, t.TempDir(), Approve, told)
	if !d.Approved("/s", told) {
		t.Error("what was approved is not")
	}
	for _, w := range []Words{
		fake,
		{fake.Title, fake.Outcome, fake.Body + "always", ""},
		{fake.Title, fake.Outcome, fake.Body + "al", "ways"},
	} {
		if d.Approved("/s", w) {
			t.Errorf("%q is approved", w)
		}
	}
	if d = noted(t, t.TempDir(), Reject, told); !d.AnyRejected() {
		t.Error("nothing is rejected")
	}
	if _, rejected := d.Rejected(fake); !rejected {
		t.Error("the same words are not rejected at another moment")
	}
}

// TestDecisionsOfBeforeMomentsHold has the digests of a version that knew no moments.
func TestDecisionsOfBeforeMomentsHold(t *testing.T) {
	key := make([]byte, keySize)
	old := Decisions{key: key}
	const text = "13 6 21\x00Run the testsfailedFailed: no such table"
	if m := old.Mark(fake); m.exact != sum(key, text) {
		t.Error("approvals of words without a moment have another digest than before")
	}
}

func TestRejectionHoldsForWordsThatSayTheSame(t *testing.T) {
	d := noted(t, t.TempDir(), Reject, fake)
	if at, ok := d.Rejected(Words{"run the  Tests", "succeeded", "failed: no such TABLE\n", ""}); !ok ||
		!at.Equal(now) {
		t.Error(at, ok)
	}
	if _, ok := d.Rejected(Words{"run the tests", "", "failed: no such column", ""}); ok {
		t.Error("other words are rejected")
	}
}

func TestTheLastVerdictCounts(t *testing.T) {
	dir := t.TempDir()
	noted(t, dir, Reject, fake)
	d := noted(t, dir, Approve, fake)
	if _, rejected := d.Rejected(fake); rejected || !d.Approved("/s", fake) {
		t.Error("the rejection stands")
	}
	if d = noted(t, dir, Withdraw, fake); d.Approved("/s", fake) {
		t.Error("the approval stands")
	}
}

func TestDigestsOfAnotherMachineApproveNothing(t *testing.T) {
	mine, theirs := t.TempDir(), t.TempDir()
	noted(t, mine, Approve, Words{"a", "", "b", ""})
	noted(t, theirs, Approve, fake)
	b, err := os.ReadFile(filepath.Join(theirs, "decisions"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(mine, "decisions"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(mine, rand.Reader).Read(); err != nil || d.Approved("/s", fake) {
		t.Error("approved by a book that came along", err)
	}
}

func TestWithoutAKeyNothingIsApproved(t *testing.T) {
	dir := t.TempDir()
	noted(t, dir, Approve, fake)
	for _, key := range []string{"", "00", "zz"} {
		if err := os.WriteFile(filepath.Join(dir, "key"), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := Open(dir, rand.Reader).Read(); err != nil || d.Approved("/s", fake) {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

// TestApprovalHoldsEverywhereButWhereItWasWithdrawn: words that were approved in one store are approved in others.
func TestApprovalHoldsEverywhereButWhereItWasWithdrawn(t *testing.T) {
	b := Open(t.TempDir(), rand.Reader)
	for _, step := range []struct {
		v       Verdict
		store   string
		a, b, c bool // whether it is approved in three stores
	}{
		{Approve, "/a", true, true, true},
		{Drop, "/b", true, false, true},
		{Approve, "/b", true, true, true},
		{Drop, "/a", false, true, true},
		{Withdraw, "/b", false, false, false},
		{Approve, "/a", true, false, true},
		{Reject, "/b", false, false, false},
		{Unreject, "", true, false, true},
		{Reject, "/b", false, false, false},
		{Reject, "/b", false, false, false},
		{Approve, "/b", true, true, true}, // the rejection left nothing of before
		{Unreject, "", true, true, true},
		{Withdraw, "", false, false, false},
	} {
		if err := b.Note(t.Context(), step.v, now, step.store, fake); err != nil {
			t.Fatal(err)
		}
		got := [3]bool{b.Approved("/a", fake), b.Approved("/b", fake), b.Approved("/c", fake)}
		if want := [3]bool{step.a, step.b, step.c}; got != want {
			t.Errorf("after %s in %q it is approved: %v, want %v", step.v, step.store, got, want)
		}
	}
}

// TestUnrejectionBringsBackAllThatSaysTheSame: a rejection covers other spellings as well.
func TestUnrejectionBringsBackAllThatSaysTheSame(t *testing.T) {
	dir, loud := t.TempDir(), Words{"RUN THE TESTS", "", fake.Body, ""}
	noted(t, dir, Approve, fake)
	d := noted(t, dir, Reject, loud)
	if d.Approved("/s", fake) || !d.AnyRejected() {
		t.Error("the same in other letters is rejected, and these words are approved")
	}
	if d = noted(t, dir, Unreject, loud); !d.Approved("/s", fake) || d.Approved("/s", loud) || d.AnyRejected() {
		t.Error("the rejection leaves something behind")
	}
}

// TestBookOfAnOlderVersionIsRead: its lines name no store.
func TestBookOfAnOlderVersionIsRead(t *testing.T) {
	dir := t.TempDir()
	d := noted(t, dir, Withdraw, Words{}) // creates the key
	write := func(lines ...string) Decisions {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "decisions"), []byte(strings.Join(lines, "\n")+"\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(dir, rand.Reader).Read()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	said := d.Mark(fake)
	approve := d.line(Approve, now, "", said)
	reject := d.line(Reject, now, "", said)
	withdraw := d.line(Withdraw, now, "", said)
	if old := write(approve); !old.Approved("/a", fake) || !old.Approved("/b", fake) {
		t.Error("what was approved is not")
	}
	if old := write(approve, reject); old.Approved("/a", fake) || !old.AnyRejected() {
		t.Error("the rejection does not hold")
	}
	if old := write(approve, reject, withdraw); old.Approved("/a", fake) || old.AnyRejected() {
		t.Error("the withdrawal does not hold")
	}
	drop := d.line(Drop, now, "/a", d.Mark(fake))
	if old := write(approve, drop); old.Approved("/a", fake) || old.Approved("/b", fake) {
		t.Error("nobody knows where it was approved, and it is approved still")
	}
	if cut := write(approve, drop[:len(drop)-3]); !cut.Approved("/a", fake) {
		t.Error("a line that a crash cut off counts")
	}
}
