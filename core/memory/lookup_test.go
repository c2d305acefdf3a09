package memory

import (
	"errors"
	"testing"
)

func namedAll(ids ...string) (all []Named) {
	for _, id := range ids {
		all = append(all, Named{ID: id})
	}
	return all
}

func TestAnExactIDIsMeantWhateverElseBeginsWithIt(t *testing.T) {
	for _, c := range []struct {
		name string
		of   []Named
		want int
	}{
		{"les-1", namedAll("les-10", "les-1"), 1},
		{"les-1", namedAll("les-1", "les-10"), 0},
		{"les-2", namedAll("les-10", "les-20"), 1},
		{"les-1", namedAll("a/les-10", "les-1", "b:les-1"), 1},
		{"les-1", namedAll("a/les-10", "b:les-1"), 1},
		{"les-2", namedAll("a/les-10", "b:les-20"), 1},
		// what an id looks like never hides the id that is really so
		{`a\x01`, []Named{{ID: "a\x01", Also: []string{`a\x01`}}, {ID: `a\x01`}}, 1},
		{`a\x01`, []Named{{ID: "a\x01", Also: []string{`a\x01`}}, {ID: `a\x011`}}, 0},
		// the same thing offered twice is one thing, the last time
		{"les", namedAll("les-10", "les-10", "x"), 1},
	} {
		if at, err := Find(c.name, c.of); err != nil || at != c.want {
			t.Errorf("Find(%q, %q) = %d, %v, want %d", c.name, c.of, at, err, c.want)
		}
	}
}

func TestAnUnclearNameIsRefusedWithItsCandidates(t *testing.T) {
	all := []Named{
		{ID: "p1", Also: []string{"les-1"}},
		{ID: "p2", Also: []string{"les-1"}},
		{ID: "p3", Also: []string{"les-10"}, Shown: "***"},
	}
	for name, want := range map[string]UnclearError{
		"les-1": {Name: "les-1", Whole: true, Count: 2, Shown: []string{"p1", "p2"}},
		"les":   {Name: "les", Count: 3, Shown: []string{"p1", "p2", "***"}},
		"p":     {Name: "p", Count: 3, Shown: []string{"p1", "p2", "***"}},
	} {
		_, err := Find(name, all)
		var unclear *UnclearError
		if !errors.As(err, &unclear) || unclear.Error() != want.Error() || len(unclear.Shown) != want.Count ||
			unclear.Shown[want.Count-1] != want.Shown[want.Count-1] {
			t.Errorf("Find(%q) = %+v, want %+v", name, err, want)
		}
	}
	for _, name := range []string{"", "q", "les-100"} {
		if _, err := Find(name, all); !errors.Is(err, ErrNotFound) {
			t.Errorf("Find(%q) = %v, want ErrNotFound", name, err)
		}
	}
}
