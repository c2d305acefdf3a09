package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestStateIsReadAsItWasSaved(t *testing.T) {
	f := OpenState(filepath.Join(t.TempDir(), "winnow"))
	want := State{
		Theme:  "light",
		Store:  "/a/b",
		Record: "x",
		Folded: []string{"p"},
		Seen:   []string{"tour"},
		Drafts: []string{"second", "first"},
		Lists:  map[string]List{"lessons": {Layout: 2, Share: 40}},
		Orders: map[string]Order{"s/n": {Sort: "age", Desc: true, Filter: "x", Columns: []string{"age"}}},
	}
	if err := f.Save(t.Context(), State{}, want); err != nil {
		t.Fatal(err)
	}
	if got := f.Read(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	info, err := os.Stat(f.path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if err := f.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := f.Read(); got.Drafts != nil || got.Theme != "light" {
		t.Errorf("forgot %+v", got)
	}
}

// TestDraftTakesThePlaceOfItsBeginning, which was saved while it was typed.
func TestDraftTakesThePlaceOfItsBeginning(t *testing.T) {
	f := OpenState(t.TempDir())
	secret := "ghp_" + "016C7f2Qd8nVb3Lx5Rt9Yw1Zk4Hs6Jp0Ma2E"
	last := State{}
	for _, text := range []string{"dep", "deploy with " + secret, "deploy with " + secret + " now"} {
		now := State{Drafts: []string{text, "earlier"}}
		if err := f.Save(t.Context(), last, now); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(t.Context(), State{}, State{Drafts: []string{"of another Winnow"}}); err != nil {
			t.Fatal(err)
		}
		last = now
	}
	if got := f.Read().Drafts; !slices.Equal(
		got,
		[]string{"of another Winnow", "deploy with [REDACTED] now", "earlier"},
	) {
		t.Errorf("%q", got)
	}
}

func TestUnreadableStateIsThatOfAFirstRun(t *testing.T) {
	for name, data := range map[string]string{
		"damaged": `{"theme": "dar`, "of another type": `[1]`, "with a wrong field": `{"drafts": 4, "theme": "dark"}`,
		"empty": "", "binary": "\x00\xff",
		"huge": `{"theme": "dark", "seen": ["` + strings.Repeat("x", mostState) + `"]}`,
	} {
		dir := t.TempDir()
		f := OpenState(dir)
		if err := os.WriteFile(f.path(), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := f.Read(); !reflect.DeepEqual(got, State{}) {
			t.Errorf("%s: %+v", name, got)
		}
		if err := f.Save(t.Context(), State{}, State{Theme: "mono"}); err != nil || f.Read().Theme != "mono" {
			t.Errorf("%s: %v, saved over it is %+v", name, err, f.Read())
		}
	}
	folder := OpenState(t.TempDir())
	if err := os.Mkdir(folder.path(), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := folder.Read(); !reflect.DeepEqual(got, State{}) ||
		folder.Save(t.Context(), State{}, State{Theme: "mono"}) == nil {
		t.Error("a folder was taken for the state")
	}
	if none := (StateFile{}); none.Save(t.Context(), State{}, State{Theme: "x"}) != nil || none.Read().Theme != "" {
		t.Error("a state without a folder")
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	f := OpenState(t.TempDir())
	secret := "ghp_" + "016C7f2Qd8nVb3Lx5Rt9Yw1Zk4Hs6Jp0Ma2E"
	now := State{Drafts: []string{"deploy with " + secret}, Orders: map[string]Order{"s": {Filter: secret}}}
	if err := f.Save(t.Context(), State{}, now); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(f.path()); err != nil || bytes.Contains(data, []byte(secret)) ||
		!bytes.Contains(data, []byte("deploy with")) {
		t.Errorf("%s %v", data, err)
	}
	if now.Drafts[0] != "deploy with "+secret {
		t.Error("the draft on the screen was changed")
	}
}

func TestDraftsAreBounded(t *testing.T) {
	f := OpenState(t.TempDir())
	var now State
	for i := range 80 {
		now.Drafts = append(now.Drafts, fmt.Sprint("task ", i))
	}
	if err := f.Save(t.Context(), State{}, now); err != nil {
		t.Fatal(err)
	}
	if got := f.Read().Drafts; len(got) != MostDrafts || got[0] != "task 0" {
		t.Error(len(got), got[0])
	}
	if err := f.Save(t.Context(), now, State{Drafts: []string{strings.Repeat("word ", 60_000)}}); err != nil ||
		len(f.Read().Drafts) != 0 {
		t.Error("a draft without end was kept", err)
	}
}

// TestTwoWinnowsLoseNothing: each changes something else, and a draft that both have is kept once.
func TestTwoWinnowsLoseNothing(t *testing.T) {
	f := OpenState(t.TempDir())
	start := State{Theme: "dark", Drafts: []string{"old"}}
	if err := f.Save(t.Context(), State{}, start); err != nil {
		t.Fatal(err)
	}
	one := State{Theme: "light", Drafts: []string{"from one", "old"}, Orders: map[string]Order{"a": {Sort: "age"}}}
	two := State{Theme: "dark", Drafts: []string{"from two", "old"}, Orders: map[string]Order{"b": {Sort: "rel"}}}
	for _, now := range []State{one, two} {
		if err := f.Save(t.Context(), start, now); err != nil {
			t.Fatal(err)
		}
	}
	got := f.Read()
	if got.Theme != "light" || !reflect.DeepEqual(got.Drafts, []string{"from two", "from one", "old"}) ||
		len(got.Orders) != 2 {
		t.Errorf("%+v", got)
	}
	if err := f.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(t.Context(), two, State{Theme: "mono", Drafts: two.Drafts, Orders: two.Orders}); err != nil {
		t.Fatal(err)
	}
	if got := f.Read(); got.Drafts != nil || got.Theme != "mono" {
		t.Errorf("forgotten drafts came back: %+v", got)
	}
}

// TestStateIsNeverTorn writes from many goroutines at once and reads meanwhile.
func TestStateIsNeverTorn(t *testing.T) {
	f := OpenState(t.TempDir())
	if err := f.Save(t.Context(), State{}, State{Theme: "first"}); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			before := State{}
			for i := range 10 {
				now := State{Theme: fmt.Sprint("theme ", w, i), Seen: []string{strings.Repeat(fmt.Sprint(w), 3000)}}
				if err := f.Save(t.Context(), before, now); err != nil {
					t.Error(err)
				}
				before = now
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		if f.Read().Theme == "" {
			t.Fatal("a state was read that nobody wrote")
		}
	}
	if got := f.Read(); len(got.Seen) != 4 {
		t.Errorf("%d marks of 4", len(got.Seen))
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"theme":"dark","drafts":["a"],"orders":{"s":{"sort":"age"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := decodeState(data)
		if len(s.Drafts) > MostDrafts || len(s.Orders) > mostItems || len(s.redacted().bounded().Drafts) > MostDrafts {
			t.Error("too much was taken")
		}
	})
}
