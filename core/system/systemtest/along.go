package systemtest

import (
	"os"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

// testAlong makes changes together with their companions, and undoes them.
func (cfg Config) testAlong(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	companions := d.writer.Info().Companions
	if companions == nil {
		t.Skip(notFor + "a change of this system stands alone")
	}
	all := d.changeable()
	for name, own := range map[string][]memory.Change{
		"deletion": {d.deletion(all[0])}, "edit": {d.edit(all[0], "Another title")},
		"addition": {d.addition("One more")}, "mixed": d.mixed(all),
	} {
		records, check := d.records(), d.unchanged()
		more, _ := companions(records, own)
		check()
		for _, ch := range more {
			cfg.checkAlong(t, name, ch, own)
		}
		was := d.contents()
		written := d.mustWrite(append(append([]memory.Change{}, own...), more...)...)
		if again, _ := companions(d.records(), nil); len(again) > 0 {
			t.Errorf("%s: without a change %d others are due", name, len(again))
		}
		d.undo(written)
		if _, wrong := difference(was, d.contents()); wrong != "" {
			t.Errorf("%s: undone is not as it was: %s", name, wrong)
		}
	}
}

// checkAlong checks a companion change against what companions promise.
func (cfg Config) checkAlong(t *testing.T, name string, ch memory.Change, own []memory.Change) {
	t.Helper()
	if ch.ID == "" || ch.Record.Title == "" ||
		ch.Do == memory.Editing && (ch.Before == "" || ch.Before == ch.After || ch.Edited.Raw != ch.After) {
		t.Errorf("%s: with it goes %+v", name, ch)
	}
	for _, o := range own {
		if o.ID == ch.ID {
			t.Errorf("%s: with the change of %s goes another one of it", name, o.ID)
		}
	}
}

// testDates edits a record, first without and then with the claim that it was verified.
func (cfg Config) testDates(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	if !d.writer.Info().FileDates {
		t.Skip(notFor + "the age of a record of this system is not that of its file")
	}
	r := d.changeable()[0]
	then := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)
	if err := os.Chtimes(d.file(r), then, then); err != nil {
		t.Fatal(err)
	}
	date := func() time.Time {
		info, err := os.Stat(d.file(r))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().UTC()
	}
	edit := d.edit(r, "Another title")
	d.mustWrite(edit)
	if got := date(); !got.Equal(then) {
		t.Errorf("an edit sets the date to %v, want %v", got, then)
	}
	now := d.find(r.ID)
	verified, err := d.writer.Write(
		t.Context(),
		system.Write{Verified: true, Changes: []memory.Change{d.edit(*now, "And another")}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := date(); !got.After(then) {
		t.Errorf("a verified edit leaves the date at %v", got)
	}
	d.undo(verified)
	if got := date(); !got.Equal(then) {
		t.Errorf("undone, the date is %v, want %v", got, then)
	}
}
