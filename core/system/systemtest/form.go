package systemtest

import (
	"reflect"
	"testing"

	"winnow/core/memory"
)

func (cfg Config) testFormsComeBack(t *testing.T) {
	for _, folder := range cfg.folders() {
		d := cfg.writable(t, folder)
		for _, r := range d.records() {
			if r.Problem != nil || r.Fixed != "" || r.RawCut() {
				continue
			}
			edit, err := d.ParseForm(r.Raw, d.Form(r.Raw))
			if err != nil || !reflect.DeepEqual(edit, memory.Edit{}) {
				t.Errorf("the form of %s as it was = %+v, %v; want no edit", r.ID, edit, err)
			}
			want := cfg.edited("Another title")
			after, err := d.Compose(r.Raw, want)
			if err != nil {
				t.Fatal(err)
			}
			edit, err = d.ParseForm(r.Raw, d.Form(after))
			if err != nil || !reflect.DeepEqual(edit, want) {
				t.Errorf("the form of %s with one edit = %+v, %v; want that alone", r.ID, edit, err)
			}
		}
	}
}

func (cfg Config) testComposedIsDecoded(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	for _, r := range d.changeable() {
		if same, err := d.Compose(r.Raw, memory.Edit{}); err != nil || same != r.Raw {
			t.Errorf("%s without an edit = %q, %v; want %q", r.ID, same, err, r.Raw)
		}
		if cfg.Shape == File && cfg.Field == memory.InTitle {
			cfg.checkComposed(t, d, r)
			continue
		}
		after, err := d.Compose(r.Raw, cfg.edited("Ein \"anderer\" Text <b>\\ é"))
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Decode(after); !d.hasText(&got, "Ein \"anderer\" Text <b>\\ é") || got.Problem != nil ||
			got.Raw != after {
			t.Errorf("composed and decoded: %+v", got)
		}
	}
	second := "One"
	if cfg.New != nil || cfg.Add != nil {
		second = "Two"
	}
	a, b := d.addition("One"), d.addition(second)
	if a.ID == "" || a.ID == b.ID {
		t.Errorf("two new records have the ids %q and %q, want one each", a.ID, b.ID)
	}
}

// checkComposed sets all fields of a record that has them all.
func (cfg Config) checkComposed(t *testing.T, d *writableStore, r memory.Record) {
	t.Helper()
	title, body, outcome, count := "A \"title\"\n\u2028", "Learnt <b>\\", string(memory.Failed), 12
	tools := []string{"one", "två"}
	after, err := d.Compose(
		r.Raw,
		memory.Edit{Title: &title, Body: &body, Outcome: &outcome, Tools: &tools, Count: &count},
	)
	if err != nil {
		t.Fatal(err)
	}
	got, want := d.Decode(after), d.Decode(r.Raw)
	want.Title, want.Body, want.Outcome, want.Tools, want.Count.N = title, body, memory.Failed, tools, count
	for _, r := range []*memory.Record{&got, &want} { // these follow from the text
		r.Rev, r.Raw, r.RawLen, r.Secrets, r.Flags = "", "", 0, nil, 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("composed and decoded:\n%+v\nwant\n%+v", got, want)
	}
}
