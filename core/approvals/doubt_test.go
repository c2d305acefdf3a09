package approvals

import (
	"strings"
	"testing"
	"time"
)

func TestDoubtIsOpenUntilAPersonDecidesOrNothingSpeaksForIt(t *testing.T) {
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	words, other := Words{Title: "Seed", Body: "Run seed.sh"}, Words{Title: "Seed", Body: "Run seed.sh", When: "always"}
	for _, test := range []struct {
		said                       string
		approved, doubted, settled bool
	}{
		{"approve", true, false, false},
		{"approve doubt", false, true, false},
		{"approve doubt settle", true, false, false},
		{"approve doubt settle doubt", false, true, false},
		{"approve doubt approve", true, false, true},
		{"approve doubt drop", false, false, true},
		{"approve doubt reject", false, false, true},
		{"approve doubt reject unreject", false, true, false},
		{"approve doubt reject reject unreject", false, true, false},
		{"approve doubt approve reject unreject", true, false, true},
		{"approve doubt reject approve unreject", true, false, true},
		{"doubt", false, true, false},
	} {
		b := Open(t.TempDir(), strings.NewReader(strings.Repeat("k", 64)))
		for i, v := range strings.Fields(test.said) {
			d, err := b.Keyed(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			m := d.Mark(words)
			if Verdict(v) == Doubt {
				m.With = d.Digest("gone")
			}
			if err := b.NoteMarks(t.Context(), Verdict(v), at.AddDate(0, 0, i), "s", m); err != nil {
				t.Fatal(err)
			}
		}
		d, err := b.Read()
		if err != nil {
			t.Fatal(err)
		}
		approved, answered := d.Approved("s", words), d.Answered(d.Digest("gone"))
		if approved != test.approved || d.Doubted("s", words) != test.doubted || answered != test.settled {
			t.Errorf("%s: approved %v, doubted %v, answered %v", test.said, approved, d.Doubted("s", words), answered)
		}
		if d.Doubted("s", other) || d.Doubted("elsewhere", words) {
			t.Errorf("%s: other words or another store are doubted", test.said)
		}
	}
}
