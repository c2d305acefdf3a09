package e2e

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestSecretsAreFoundWhereTheyHide looks for keys that are disguised, and beside
// comments with which others are silenced.
func TestSecretsAreFoundWhereTheyHide(t *testing.T) {
	t.Parallel()
	key := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	wide := "\xff\xfe"
	for _, u := range utf16.Encode([]rune("# notes\n\npush with " + key + "\n")) {
		wide += string([]byte{byte(u), byte(u >> 8)})
	}
	escaped := ""
	for i := range len(key) {
		escaped += `\u00` + string("0123456789abcdef"[key[i]>>4]) + string("0123456789abcdef"[key[i]&15])
	}
	silent := ""
	for _, word := range []string{"gitleaks:allow", "winnow:ignore", "winnow-ignore", "nosec", "pragma: allowlist secret", "trufflehog:ignore", "noqa", "audit: ignore", "nolint", "no findings here"} {
		silent += "<!-- " + word + " -->\nkey " + key + " # " + word + "\n"
	}
	for name, c := range map[string]struct {
		text string
		want int // lines with a secret
	}{
		"plain":                 {"push with " + key + "\n", 1},
		"split by zero width":   {"push with " + key[:18] + "\u200b" + key[18:] + "\n", 1},
		"in UTF-16":             {wide, 1},
		"behind colours":        {"token \x1b[32m" + key + "\x1b[0m was used\n", 1},
		"between colours":       {"token \x1b[1;31m" + key[:20] + "\x1b[0m\x1b[1;31m" + key[20:] + "\x1b[0m\n", 1},
		"in JSON escapes":       {`{"token":"` + escaped + `"}` + "\n", 1},
		"in base64":             {"data: " + base64.StdEncoding.EncodeToString([]byte(key)) + "\n", 1},
		"in percent":            {"GET /x?t=" + strings.ReplaceAll(key, "_", "%5F") + "\n", 1},
		"NATS seed":             {"seed " + "SU" + "AIBDPBAUTWCWBKIO6XHQNX5OGKYLAQ6PYQXMQ2ZSO3K5ZGR5Q6X6RQHM" + "\n", 1},
		"password in a URL":     {"DATABASE_URL=postgres://app:" + "Zq8vT3mKx1" + "@db.corp.internal:5432/orders\n", 1},
		"comment of a scanner":  {silent, 10},
		"last line has no end":  {"one\ntwo\nkey " + key, 1},
		"behind Windows ends":   {"one\r\nkey " + key + "\r\n", 1},
		"behind old Mac's ends": {"one\rkey " + key + "\r", 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAudited(t)
			a.write("MEMORY.md", c.text)
			lines := map[int]bool{}
			for _, f := range secrets(a.findings(".")) {
				lines[f.Line] = true
			}
			if len(lines) != c.want {
				t.Errorf("secrets in %d lines, want %d", len(lines), c.want)
			}
			if o := a.run("audit", "--fail-on", "review", "."); o.status != 1 {
				t.Errorf("status %d", o.status)
			}
		})
	}
}

// TestFindingStaysIgnoredWhenItsLineMoves holds a baseline to what it is keyed on.
func TestFindingStaysIgnoredWhenItsLineMoves(t *testing.T) {
	a := newAudited(t)
	key := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	line := "- push with " + key + " from the old machine\n"
	a.write("MEMORY.md", "# notes\n\n"+line)
	before := secrets(a.findings("."))
	a.write("MEMORY.md", "# notes\n\nanother\n\nthird\n"+line)
	moved := secrets(a.findings("."))
	a.write("MEMORY.md", "# notes\n\n- push with "+key+" from the new machine\n")
	edited := secrets(a.findings("."))
	if len(before) != 1 || len(moved) != 1 || len(edited) != 1 {
		t.Fatalf("found %v, %v, %v", before, moved, edited)
	}
	if before[0].Fingerprint != moved[0].Fingerprint || before[0].Line == moved[0].Line {
		t.Errorf("moved: %+v, before %+v", moved[0], before[0])
	}
	if before[0].Fingerprint == edited[0].Fingerprint {
		t.Error("an edited line has the same fingerprint")
	}
}
