package library

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestKinAreOfTheProjectAndOfWhatHoldsForAll(t *testing.T) {
	dir, plain := workingFolder(t)
	l := New([]system.System{sayingKind("red"), sayingKind("blue")}, plain.env, plain.now, plain.start, plain.state)
	here, there, all := filepath.Join(dir, "here"), filepath.Join(dir, "there"), filepath.Join(dir, "all")
	for path, text := range map[string]string{
		here:  "The tests of this repository listen on port 8080",
		there: "The tests of this repository listen on port 3000",
		all:   "The tests of this repository listen on port 3000",
	} {
		put(t, filepath.Join(path, "notes"), text)
	}
	red, blue, other, common := memory.At("red", here), memory.At("blue", here), memory.At("red", there), memory.At("red", all)
	for id, project := range map[memory.StoreID]string{red: here, blue: here, other: there, common: ""} {
		l.places[id] = memory.Place{Store: id, System: id.System(), Project: project, Exists: true}
	}
	kin, err := l.Kin(t.Context(), red)
	if err != nil {
		t.Fatal(err)
	}
	got := map[memory.StoreID]bool{}
	for _, list := range kin {
		for _, k := range list {
			got[k.Store] = k.Contrary
		}
	}
	contrary, met := got[common]
	if same, ok := got[blue]; !ok || same || !met || !contrary || len(got) != 2 {
		t.Errorf("kin = %+v, want the same text of the project and the contrary that holds for all", kin)
	}
	snap := until(t, l.Follow(t.Context(), red), "kin", func(s memory.Snapshot) bool {
		return len(s.Records) == 1 && len(s.Records[0].Elsewhere) == 2
	})
	if flags := snap.Records[0].Flags; flags&memory.FlagContradicts == 0 || flags&memory.FlagSimilar == 0 {
		t.Errorf("flags = %s, want both", flags.Letters())
	}
	if kin, err := l.Kin(t.Context(), common); err != nil || kin != nil {
		t.Errorf("kin of what belongs to no project = %+v, %v", kin, err)
	}
}

// sayingKind is a system like notes whose file is one record.
func sayingKind(id memory.SystemID) system.System {
	k := noteKind(id)
	k.Open = func(path string) (system.Store, error) { return saying{notes{id, path}}, nil }
	return k
}

type saying struct{ notes }

func (s saying) List(ctx context.Context, fn func(memory.Record) error) error {
	text, err := os.ReadFile(filepath.Join(s.path, "notes"))
	if err != nil {
		return err
	}
	return fn(memory.Record{ID: "notes", Title: string(text), Body: string(text), Raw: string(text)})
}
