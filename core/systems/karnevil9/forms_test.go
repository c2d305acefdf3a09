package karnevil9

import (
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// storeForm returns the form of a store of lessons.
func storeForm(t *testing.T) system.Form {
	t.Helper()
	for _, f := range Forms() {
		if f.Decode != nil && f.Both {
			return f
		}
	}
	t.Fatal("there is none")
	return system.Form{}
}

func TestALessonLandsAsThePlannerPrintsItAndNoFurther(t *testing.T) {
	f := storeForm(t)
	long := strings.Repeat("x", 600)
	r := f.Decode(
		`{"lesson_id":"a","task_summary":"do\n## it","outcome":"failed","lesson":"`+long+`","created_at":"2026-01-01T00:00:00.000Z"}`,
		7,
	)
	if r.Line != 7 {
		t.Errorf("line = %d", r.Line)
	}
	l := f.Land(&r)
	want := "## Past Experience\n- [failed] Task \"do\n## it\": " + long[:500] + "\n\nConsider these when planning.\n"
	if l.Text != want || l.Prose {
		t.Errorf("landed %q", l.Text)
	}
	var parts []string
	for _, p := range l.Parts {
		parts = append(parts, p.Field+"="+l.Text[p.Start:p.End])
	}
	if got := strings.Join(parts, "|"); got != "outcome=failed|task_summary=do\n## it|lesson="+long[:500] {
		t.Errorf("parts are %s", got)
	}
}

func TestALineThatThePlannerStopsWithLandsNowhere(t *testing.T) {
	f := storeForm(t)
	for _, stored := range []string{`null`, `{"lesson_id":"a","lesson":"b"}`, `{"task_summary":"a","lesson":"b","outcome":3}`, `{"task_summary":"a`} {
		r := f.Decode(stored, 1)
		if l := f.Land(&r); l.Text != "" {
			t.Errorf("%s lands as %q", stored, l.Text)
		}
	}
	r := f.Decode("\u00a0"+`{"task_summary":"a","lesson":"b","outcome":"failed"}`, 1)
	if r.Flags&memory.FlagDamaged == 0 || f.Land(&r).Text == "" {
		t.Errorf("a first line with a space before it has the flags %v and lands as %q", r.Flags, f.Land(&r).Text)
	}
}

func TestSecretsAndFlagsOfALineAreThere(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	r := storeForm(t).Decode(`{"lesson_id":"a","task_summary":"a\n# b","outcome":"failed","lesson":"`+key+`"}`, 1)
	if r.Flags&memory.FlagSecret == 0 || r.Flags&memory.FlagInjection == 0 || len(r.Secrets) == 0 {
		t.Errorf("%+v", r)
	}
}

func TestALessonOfTheStoreIsShared(t *testing.T) {
	s := openStore(t, write(t, lessons(1)))
	r := all(t, s)[0]
	copied, ok := s.Share(r.Raw, strings.ToUpper, func(string) string { return "h" })
	if got := s.Decode(copied); !ok || got.Session != "h" || got.Title != strings.ToUpper(r.Title) ||
		got.Count != r.Count {
		t.Errorf("%s, %t", copied, ok)
	}
}

func TestWhatAKilledProcessLeftIsStale(t *testing.T) {
	for path, want := range map[string]bool{
		"sessions/memory.jsonl.tmp": true, "sessions/memory.jsonl.lock": true, "journal/journal.lock": true,
		"sessions/.winnow-1a2b.tmp": true, "journal/journal.jsonl.lock": true,
		"sessions/memory.jsonl": false, "package.lock": false, "notes.tmp": false, ".winnow-notes": false,
	} {
		if got := stale(path); got != want {
			t.Errorf("stale(%q) = %t", path, got)
		}
	}
}
