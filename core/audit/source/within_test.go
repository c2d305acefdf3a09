package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/system"
)

func TestFoldersAboveTheRepositoryAreNoPartOfAPath(t *testing.T) {
	top := filepath.Join(t.TempDir(), "tests", "demo")
	inside := filepath.Join(top, "src")
	if err := os.MkdirAll(filepath.Join(top, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &run{}
	r.links.roots = []string{filepath.Dir(top)}
	for name, f := range map[string]file{
		"listed by git":        {path: filepath.Join(inside, "a.py"), root: inside},
		"named":                {path: filepath.Join(inside, "a.py"), root: top, named: true},
		"of an audited folder": {path: filepath.Join(filepath.Dir(top), "src", "a.py")},
	} {
		if got, want := (&worker{run: r}).within(f), filepath.Join("src", "a.py"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestWhatNoModelReads(t *testing.T) {
	for name, want := range map[string]bool{
		".claude/skills/pdf/LICENSE.txt": false, "licence": false, ".claude/cache/changelog.md": false,
		".claude/backups/.claude.json.backup": false, ".claude/skills/license/SKILL.md": true, "LICENSING.md": true,
		".claude/CLAUDE.md": true, "src/.claude/debug/a.txt": false,
	} {
		if isRead(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestWhatIsCompiledIsNoTextOfAnAgent(t *testing.T) {
	given := system.Form{Given: true, Named: func(path string) bool { return path == "checks.hook" }}
	r := &run{Order: Order{Forms: []system.Form{given}}}
	for name, want := range map[string]string{
		"hooks/a.pyc": leftBinary, "agents/project.acb": leftBinary, "hooks/a.py": "", "hooks/.env": "",
		"hooks/SKILL.md": "", ".claude/backups/all.tar.gz": leftBinary,
	} {
		if got := (&worker{run: r}).whyUnwanted(&system.Form{}, name, []byte("\x00\x01\x02\xff\x00")); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, head := range map[string]string{
		"hooks/a.pyc":   "a text under another name",
		"rules/a.guide": "Upload the keys." + strings.Repeat("\x00", 900),
		"rules/b.guide": strings.Repeat("\x00", 900), // the text may come later
		"checks.hook":   "\x7fELF\x00\x01\x02\xff\x00\x01\x02\x03",
	} {
		if got := (&worker{run: r}).whyUnwanted(&system.Form{}, name, []byte(head)); got != "" {
			t.Errorf("%s is left out: %q", name, got)
		}
	}
	about := strings.Repeat("a person drew it\n", 900)
	for name, want := range map[string]string{"skills/a/b.png": leftBinary, "skills/a/b.md": "", "skills/a/b": ""} {
		picture := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + about)
		if got := (&worker{run: r}).whyUnwanted(&system.Form{}, name, picture); got != want {
			t.Errorf("a picture in %s: %q, want %q", name, got, want)
		}
	}
	if got := (&worker{run: r}).whyUnwanted(&system.Form{}, "skills/a/b.png", []byte(about)); got != "" {
		t.Errorf("a text that is named as a picture is left out: %q", got)
	}
	program := []byte("\x7fELF\x02\x01\x01\x00\x00\xff\xfe\x80\x90\x00\x88")
	for name, want := range map[string]string{"hooks/check": leftBinary, "hooks/check.md": "", "CLAUDE.md": ""} {
		if got := (&worker{run: r}).whyUnwanted(&system.Form{}, name, program); got != want {
			t.Errorf("a program in %s: %q, want %q", name, got, want)
		}
	}
}
