package approvals

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var (
	now  = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	fake = Words{"Run the tests", "failed", "Failed: no such table"}
)

func noted(t *testing.T, dir string, v Verdict, w Words) Decisions {
	t.Helper()
	b := Open(dir, rand.Reader)
	if err := b.Note(t.Context(), v, now, w); err != nil {
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
	if !d.Approved(fake) {
		t.Error("what was approved is not")
	}
	for _, w := range []Words{{}, {fake.Title, "succeeded", fake.Body}, {fake.Title + "F", "ailed", fake.Body}, {fake.Title, fake.Outcome, fake.Body + " "}} {
		if d.Approved(w) {
			t.Errorf("%q is approved", w)
		}
	}
}

func TestRejectionHoldsForWordsThatSayTheSame(t *testing.T) {
	d := noted(t, t.TempDir(), Reject, fake)
	if at, ok := d.Rejected(Words{"run the  Tests", "succeeded", "failed: no such TABLE\n"}); !ok || !at.Equal(now) {
		t.Error(at, ok)
	}
	if _, ok := d.Rejected(Words{"run the tests", "", "failed: no such column"}); ok {
		t.Error("other words are rejected")
	}
}

func TestTheLastVerdictCounts(t *testing.T) {
	dir := t.TempDir()
	noted(t, dir, Reject, fake)
	d := noted(t, dir, Approve, fake)
	if _, rejected := d.Rejected(fake); rejected || !d.Approved(fake) {
		t.Error("the rejection stands")
	}
	if d = noted(t, dir, Withdraw, fake); d.Approved(fake) {
		t.Error("the approval stands")
	}
}

func TestDigestsOfAnotherMachineApproveNothing(t *testing.T) {
	mine, theirs := t.TempDir(), t.TempDir()
	noted(t, mine, Approve, Words{"a", "", "b"})
	noted(t, theirs, Approve, fake)
	b, err := os.ReadFile(filepath.Join(theirs, bookName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(mine, bookName), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(mine, rand.Reader).Read(); err != nil || d.Approved(fake) {
		t.Error("approved by a book that came along", err)
	}
}

func TestWithoutAKeyNothingIsApproved(t *testing.T) {
	dir := t.TempDir()
	noted(t, dir, Approve, fake)
	for _, key := range []string{"", "00", "zz"} {
		if err := os.WriteFile(filepath.Join(dir, keyName), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := Open(dir, rand.Reader).Read(); err != nil || d.Approved(fake) {
			t.Errorf("key %q: %v", key, err)
		}
	}
}
