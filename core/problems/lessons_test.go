package problems

import (
	"testing"
	"time"
)

func TestLessonIsDoubtedOnlyForWhatGitHad(t *testing.T) {
	p := NewLessons("/p", map[string]string{
		"gone":  "Seeding\n\nCall `bin/seed.sh` and `bin/new.sh`.",
		"moved": "Docs\n\n\n\n`docs/a.md`",
		"never": "Call `bin/never.sh`, and `README.md`.",
		"run":   "Docs\n\nRun `npm run docs`.",
	})
	read := func(string) string { return "{\n  \"scripts\": {\n    \"test\": \"x\"\n  }\n}\n" }
	look := p.Look([]string{"README.md", "bin/new.sh", "package.json"}, read, func(string) bool { return false })
	look.AskPattern("none", func(file string) bool { return file == "a.ts" })
	look.AskPattern("some", func(file string) bool { return file == "README.md" })
	if _, asked := look.Patterns["some"]; asked || len(look.Patterns) != 1 {
		t.Errorf("asked for %v", look.Patterns)
	}
	may := Fate{Commit: "0123456789abcdef", At: time.Date(2026, 5, 3, 0, 0, 0, 0, time.UTC)}
	moved := may
	moved.To = "docs/b.md"
	e := Evidence{
		Fates:   map[string]Fate{"bin/seed.sh": may, "docs/a.md": moved, "bin/never.sh": {}},
		Removed: map[string]Fate{Entry{script, "docs"}.Key(): may},
	}
	const since = " in 012345678, 3 May 2026."
	for name, want := range map[string]string{
		"gone":  "It names bin/seed.sh, which is gone: deleted" + since,
		"moved": "It names docs/a.md, which is now docs/b.md: moved" + since,
		"never": "",
		"run":   "It runs docs, and package.json has no script: removed" + since,
	} {
		got := ""
		for _, d := range look.Doubts(name, e) {
			got += d.What
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
