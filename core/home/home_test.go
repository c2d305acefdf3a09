package home

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/librarytest"
	"winnow/core/memory"
)

func TestMendChangesTheLineItNames(t *testing.T) {
	for _, c := range []struct {
		text, want string
		m          memory.Mend
	}{
		{"a\nb", "a\nb\n@c\n", memory.Mend{New: "@c"}},
		{"a\r\nb\r\n", "@c\r\na\r\nb\r\n", memory.Mend{Line: 1, New: "@c"}},
		{"see x\nsee x\n", "see x\nsee y\n", memory.Mend{Line: 2, Old: "x", New: "y"}},
		{"see x\nsee x\n", "see y\nsee y\n", memory.Mend{All: true, Old: "x", New: "y"}},
	} {
		if got, ok := mended(c.text, &c.m); !ok || got != c.want {
			t.Errorf("%q with %+v is %q, %v; want %q", c.text, c.m, got, ok, c.want)
		}
	}
	if got, ok := mended("a\nb\n", &memory.Mend{Line: 1, Old: "b", New: "c"}); ok {
		t.Errorf("a line that does not hold it gives %q", got)
	}
}

func TestHomeOfAFolderThatVanishedSaysNothing(t *testing.T) {
	d := librarytest.NewDesk(t)
	dir, l := d.Dir, New(d.Library)
	gone := filepath.Join(dir, "gone")
	if err := os.MkdirAll(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	h, err := l.Home(t.Context(), memory.HomeOrder{Folder: gone}, nil)
	if err != nil || len(h.Issues) != 0 || h.Stage != memory.HomeHistory {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestTheStartsOfTheSourcesMakeThatOfTheirAgent: the notes that Kimchi gives every session have one size, in its row
// and in the list of what it reads.
func TestTheStartsOfTheSourcesMakeThatOfTheirAgent(t *testing.T) {
	d := librarytest.NewDesk(t)
	home := New(d.Library)
	notes := filepath.Join(home.env.Home, ".config", "kimchi", "harness", "memory", "MEMORY.md")
	if err := os.MkdirAll(filepath.Dir(notes), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(notes, []byte("Use tabs.\n§\nThe staging host is down on Fridays.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := home.Home(t.Context(), memory.HomeOrder{Folder: d.Dir, Agents: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range h.Agents {
		if a.System != "kimchi" {
			continue
		}
		sum := memory.Size{}
		for _, s := range a.Sources {
			sum = added(sum, s.Start)
		}
		if sum != a.Start || sum.Bytes == 0 {
			t.Errorf("its sources start with %+v, it with %+v", sum, a.Start)
		}
		return
	}
	t.Error("Kimchi reads nothing")
}
