package curate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/curate"
	"winnow/core/memory"
	"winnow/core/system"
)

// memorySystem is a system with nothing but what package system requires: records of the form "id=title",
// held in memory.
type memorySystem struct {
	system.Whole
	forms []string
	made  int
}

func (c *memorySystem) Info() system.Info { return system.Info{System: "cards", Name: "Cards"} }

func (c *memorySystem) List(_ context.Context, fn func(memory.Record) error) error {
	for i, form := range c.forms {
		r := c.Decode(form)
		r.Line = i + 1
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

func (c *memorySystem) Decode(stored string) memory.Record {
	id, title, _ := strings.Cut(stored, "=")
	return memory.Record{
		ID:     memory.ID(id),
		Rev:    memory.Revision(stored),
		Title:  title,
		Body:   title,
		Raw:    stored,
		RawLen: len(stored),
	}
}

func (c *memorySystem) Compose(stored string, e memory.Edit) (string, error) {
	id, title, _ := strings.Cut(stored, "=")
	if stored == "" {
		c.made++
		id = fmt.Sprint("new", c.made)
	}
	switch {
	case e.Raw != nil:
		return *e.Raw, nil
	case e.Title != nil:
		title = *e.Title
	}
	return id + "=" + title, nil
}

func (c *memorySystem) Form(stored string) string { return stored }

func (c *memorySystem) ParseForm(_, form string) (memory.Edit, error) {
	return memory.Edit{Raw: &form}, nil
}

func (c *memorySystem) Unite(stored []string, e memory.Edit) (string, error) {
	return c.Compose(stored[0], e)
}

func (c *memorySystem) Redact(stored string, _ memory.Redaction) (string, int) { return stored, 0 }

func (c *memorySystem) CanWrite() error { return nil }

// Write ignores splices and positions.
func (c *memorySystem) Write(_ context.Context, w system.Write) (system.Written, error) {
	next := slices.Clone(c.forms)
	out := system.Written{}
	out.Temp = "temp"
	for _, ch := range w.Changes {
		at := slices.IndexFunc(next, func(form string) bool { return c.Decode(form).ID == ch.ID })
		fate := memory.Applied{ID: ch.ID}
		switch {
		case ch.Do == memory.Adding && at < 0 && ch.Line == 0:
			next = append(next, ch.After)
		case ch.Do == memory.Adding && at < 0:
			next = slices.Insert(next, min(ch.Line-1, len(next)), ch.After)
		case ch.Do != memory.Adding && at >= 0 && next[at] == ch.Before && ch.Do == memory.Deleting:
			next = slices.Delete(next, at, at+1)
		case ch.Do == memory.Editing && at >= 0 && next[at] == ch.Before:
			next[at] = ch.After
		case ch.Do == memory.Deleting && at < 0:
			fate.Fate = memory.Gone
		default:
			fate.Fate = memory.Refused
		}
		if out.Fates = append(out.Fates, fate); fate.Fate == memory.Refused {
			return system.Written{Fates: out.Fates}, memory.ErrConflict
		}
		if fate.Fate == memory.Done {
			out.Changes = append(out.Changes, ch)
		}
	}
	if slices.Equal(next, c.forms) {
		return system.Written{Fates: out.Fates}, nil
	}
	if err := w.Stage(out.Staged); err != nil {
		return system.Written{}, err
	}
	c.forms = next
	return out, nil
}

func (c *memorySystem) Recover(context.Context, system.Staged) (bool, error) {
	return false, errors.New("nothing was interrupted")
}

func TestAnySystemThatKeepsTheContractIsCurated(t *testing.T) {
	state := t.TempDir()
	d := crashdisk.New(map[string]string{state + "/": ""})
	s := &memorySystem{forms: []string{"a=one", "b=two", "c=three"}}
	b := &bench{t: t, Curator: curate.Open(curate.Config{
		Dir: state, Store: "cards", System: s, Disk: d, Now: clock(), Rand: rand.NewChaCha8([32]byte{2}),
	})}
	stands := func(what, want string) {
		t.Helper()
		if got := strings.Join(s.forms, " "); got != want {
			t.Fatalf("%s: the store holds %q, want %q", what, got, want)
		}
	}
	guards := func(want string) {
		t.Helper()
		var records []memory.Record
		_ = s.List(t.Context(), func(r memory.Record) error { records = append(records, r); return nil })
		undone, err := b.Guard(t.Context(), records)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, u := range undone {
			all = append(all, fmt.Sprint(u.ID, " ", u.Kind))
		}
		if got := strings.Join(all, ", "); got != want {
			t.Fatalf("the guard says %q, want %q", got, want)
		}
	}
	b.do(memory.Delete, "b")
	stands("delete", "a=one c=three")
	b.do(memory.Undo)
	stands("undo", "a=one b=two c=three")
	b.do(memory.Redo)
	b.title("c", "mine")
	added := b.order(memory.Order{Do: memory.AddOne, Form: "d=four"})
	stands("edit and add", "a=one c=mine d=four")
	guards("")
	s.forms = []string{"a=one", "b=two", "c=three", "e=theirs"}
	guards("b came back, c reverted, d dropped")
	b.order(memory.Order{Do: memory.Reapply, All: true})
	if !slices.Contains(s.forms, "e=theirs") || !slices.Contains(s.forms, "c=mine") ||
		slices.Contains(s.forms, "b=two") ||
		!slices.Contains(s.forms, "d=four") {
		t.Fatalf("reapplied: %q (added %+v)", s.forms, added)
	}
	guards("")
	b.order(memory.Order{Do: memory.Restore, IDs: []memory.ID{"b"}})
	if !slices.Contains(s.forms, "b=two") {
		t.Fatalf("restored: %q", s.forms)
	}
	b.order(memory.Order{Do: memory.Undo})
	guards("")
	if h := b.history(); len(h.Entries) != 8 || h.Damaged != 0 {
		t.Fatalf("%d entries", len(h.Entries))
	}
}
