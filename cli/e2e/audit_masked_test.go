package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/audit/audittest"
	"winnow/core/detect"
	"winnow/core/memory"
)

// runs is the length of the parts of a secret that no output may have.
const runs = 12

// secretParts are the parts of secrets that tell something, each with what it is of: those
// that no other secret has.
type secretParts map[string]string

func tellingOf(items []audittest.Item) secretParts {
	parts, twice := secretParts{}, map[string]bool{}
	for i, it := range items {
		for j := range max(0, len(it.Secret)-runs+1) {
			part, of := it.Secret[j:j+runs], fmt.Sprintf("%s in %s (%d)", it.Kind, it.Context, i)
			twice[part] = twice[part] || parts[part] != "" && parts[part] != of
			parts[part] = of
		}
	}
	for part := range twice {
		if twice[part] {
			delete(parts, part)
		}
	}
	return parts
}

// shown returns the secrets of which an output has a part that tells something.
func (parts secretParts) shown(out string) (list []string) {
	seen := map[string]bool{}
	for i := range max(0, len(out)-runs+1) {
		if of := parts[out[i:i+runs]]; of != "" && !seen[of] {
			seen[of] = true
			list = append(list, of+": …"+out[i:i+runs]+"…")
		}
	}
	return list
}

func TestShownSecretsAreSeen(t *testing.T) {
	items := audittest.Of(audittest.Corpus(31), memory.FamilySecret)
	parts := tellingOf(items)
	for _, it := range items {
		if it.Context != "cut" && len(parts.shown("key "+it.Secret[2:len(it.Secret)-2])) == 0 {
			t.Errorf("%s in %s is not seen", it.Kind, it.Context)
		}
	}
}

// TestNoOutputShowsASecret audits every kind of secret in every context, each by every
// format, and looks for it in all that is printed.
func TestNoOutputShowsASecret(t *testing.T) {
	t.Parallel()
	items := audittest.Of(audittest.Corpus(31), memory.FamilySecret)
	if !isLong() {
		items = every(items, 10)
	}
	parts := tellingOf(items)
	a := newAudited(t)
	a.write("sessions/memory.jsonl", string(audittest.Lessons(items).Data))
	a.write("MEMORY.md", string(audittest.Markdown(items).Data))
	base := filepath.Join(a.temp, "baseline.json")
	for _, args := range [][]string{
		{},
		{"--json"},
		{"--sarif"},
		{"--markdown"},
		{"--all-text"},
		{"--fail-on", "low"},
		{"--json", "--all-text"},
		{"--reveal"},
		{"--out", filepath.Join(a.temp, "report")},
		{"--write-baseline", base, "--reason", "a test"},
		{"--baseline", base, "--show-ignored"},
		{"--fix", "--dry-run"},
		{"--fix", "--yes"},
	} {
		t.Run(strings.Join(append([]string{"audit"}, args...), " "), func(t *testing.T) {
			o := a.run(append(append([]string{"audit"}, args...), ".")...)
			if len(o.out)+len(o.err) == 0 {
				t.Error("it says nothing")
			}
			for _, s := range parts.shown(o.out + o.err) {
				t.Errorf("shown: %s", s)
			}
		})
	}
	for _, dir := range []string{a.temp, a.home} {
		for _, name := range names(t, dir) {
			raw, _ := os.ReadFile(filepath.Join(dir, name))
			for _, s := range parts.shown(string(raw)) {
				t.Errorf("%s holds %s", name, s)
			}
		}
	}
}

// TestNoMistakeShowsASecret makes mistakes with secrets in them: with those that can be
// told without the words around them.
func TestNoMistakeShowsASecret(t *testing.T) {
	t.Parallel()
	items := slices.DeleteFunc(planted(32), func(it audittest.Item) bool {
		return !slices.Contains(certain, it.Kind) || it.Context != "prose" || it.Place() != it.Secret ||
			strings.ContainsAny(it.Secret, "/ ") ||
			strings.Contains(detect.Redact(it.Secret), it.Secret)
	})
	if len(items) < 15 {
		t.Fatalf("only %d secrets to try", len(items))
	}
	if !isLong() {
		items = every(items, 5)
	}
	a := newAudited(t)
	for _, it := range items {
		name, parts := it.Secret, tellingOf([]audittest.Item{it})
		bad := filepath.Join(a.temp, "baseline.json")
		if err := os.WriteFile(bad, []byte(`{"ignored": [`+it.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		a.write("d/"+name+".md", "# notes\n\nnothing\n")
		for _, args := range [][]string{
			{"audit", name},
			{"audit", "missing/" + name + ".md"},
			{"audit", "--fail-on", name},
			{"audit", "--" + name},
			{"audit", "--baseline", bad, "d"},
			{"audit", "--baseline", name, "d"}, {"audit", "--json", name}, {"audit", "--all-text", "d", "-"},
		} {
			o := a.run(args...)
			for _, s := range parts.shown(o.out + o.err) {
				t.Errorf("winnow %.40q: shown: %s\n%s%s", args[:len(args)-1], s, o.out, o.err)
			}
		}
	}
}
