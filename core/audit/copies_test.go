package audit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/audit"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/karnevil9"
)

// named in a text, the value is a secret by a rule; alone it is one only as a copy.
var (
	value    = "zl_live_" + "Kq8ZtR3mW7xP2vB9nL4cD6hJ1"
	asSecret = "API key: " + value
	asCopy   = "Used `" + value + "` there."
)

// texter is a database of which the n-th record says the n-th text.
type texter []string

func (x texter) Texts(_ context.Context, want func(memory.ID) bool, fn func(system.Text) error) error {
	for i, text := range x {
		id := memory.ID(fmt.Sprint("r", i))
		if want != nil && !want(id) {
			continue
		}
		if err := fn(system.Text{Record: id, Line: i + 1, Field: "part.data", Text: text}); err != nil {
			return err
		}
	}
	return nil
}

// screens are the ways a store comes to a screen: each puts texts in the store, a record
// each, and returns what a screen finds in them and what Run does, where that reads the same.
var screens = map[string]func(
	t *testing.T, a *audit.Auditor, dir string, texts []string, ignored []memory.Ignore,
) (screen, read []memory.Finding){
	"lines": func(
		t *testing.T, a *audit.Auditor, dir string, texts []string, ignored []memory.Ignore,
	) (_, _ []memory.Finding) {
		var all strings.Builder
		for i, text := range texts {
			all.WriteString(lesson(i, "Task", text) + "\n")
		}
		store := karnevil9.Open(write(t, dir, "sessions/memory.jsonl", all.String()), clock)
		snap, err := store.Snapshot(t.Context(), func(memory.Snapshot) {})
		if err != nil {
			t.Fatal(err)
		}
		snap.Place.Path = "sessions/memory.jsonl" // as a screen calls it
		return auditSnapshot(t, a, &snap, ignored), run(t, dir, memory.AuditOrder{Ignored: ignored}).Findings
	},
	"files": func(
		t *testing.T, a *audit.Auditor, dir string, texts []string, ignored []memory.Ignore,
	) (_, _ []memory.Finding) {
		folder := filepath.Join(dir, ".claude", "projects", "-work-shop", "memory")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		snap := memory.Snapshot{
			Place:   memory.Place{System: "claudecode", Store: memory.StoreID(folder), Path: folder, Exists: true},
			TakenAt: now,
		}
		o := memory.AuditOrder{Ignored: ignored}
		for i, text := range texts {
			name := fmt.Sprintf("topic%d.md", i)
			path := write(t, folder, name, text+"\n")
			snap.Records = append(
				snap.Records,
				memory.Record{
					ID:   memory.ID(name),
					File: path,
					Raw:  text + "\n",
					Line: i + 1,
					Rev:  memory.Revision(text),
				},
			)
			o.Paths = append(o.Paths, path)
		}
		return auditSnapshot(t, a, &snap, ignored), run(t, dir, o).Findings
	},
	"database": func(
		t *testing.T, a *audit.Auditor, _ string, texts []string, ignored []memory.Ignore,
	) (screen, _ []memory.Finding) {
		snap := memory.Snapshot{
			Place:   memory.Place{System: "opencode", Store: "/db", Path: "db", Exists: true},
			TakenAt: now,
		}
		for i, text := range texts {
			snap.Records = append(
				snap.Records,
				memory.Record{ID: memory.ID(fmt.Sprint("r", i)), Line: i + 1, Rev: memory.Revision(text)},
			)
		}
		screen, unread := a.Snapshot(t.Context(), &snap, texter(texts), ignored)
		if len(unread) > 0 {
			t.Errorf("not judged: %v", unread)
		}
		return screen, nil
	},
}

// secretsText is where secrets are, by which rule, and why.
func secretsText(findings []memory.Finding) (out []string) {
	for _, f := range findings {
		if f.Family == memory.FamilySecret {
			out = append(
				out,
				fmt.Sprintf(
					"%s %s:%d %s %q %q %q open=%v",
					f.Rule,
					f.Path,
					f.Line,
					f.Fingerprint,
					f.Text[f.Start:f.End],
					f.Why,
					f.Origin,
					f.Open(),
				),
			)
		}
	}
	slices.Sort(out)
	return out
}

func rules(findings []memory.Finding) string {
	var out []string
	for _, f := range findings {
		if f.Family == memory.FamilySecret {
			out = append(out, f.Rule)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestCopyOfASecretComesAndGoesWithIt holds what a screen finds, while a store changes, to
// what an audit of its files finds.
func TestCopyOfASecretComesAndGoesWithIt(t *testing.T) {
	const both = "generic-secret known-secret"
	for name, look := range screens {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := auditor(dir)
			for _, step := range []struct {
				texts []string
				want  string
			}{
				{[]string{asCopy, "Nothing."}, ""},
				{[]string{asCopy, asSecret}, both},
				{[]string{asCopy, asSecret, "More."}, both},
				{[]string{asCopy, "API key: " + strings.ToUpper(value)}, "generic-secret"},
				{[]string{asCopy, asSecret}, both},
				{[]string{asCopy, "Nothing."}, ""},
				{[]string{asCopy, asSecret}, both},
			} {
				screen, read := look(t, a, dir, step.texts, nil)
				if got := rules(screen); got != step.want {
					t.Errorf("%q: the screen has %q, want %q", step.texts, got, step.want)
				}
				if read != nil && !slices.Equal(secretsText(screen), secretsText(read)) {
					t.Errorf(
						"%q:\nscreen %s\nread   %s",
						step.texts,
						strings.Join(secretsText(screen), "\n"),
						strings.Join(secretsText(read), "\n"),
					)
				}
			}
		})
	}
}

func TestCopyIsIgnoredWithItsSecret(t *testing.T) {
	for name, look := range screens {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := auditor(dir)
			texts := []string{asCopy, asSecret}
			screen, _ := look(t, a, dir, texts, nil)
			i := slices.IndexFunc(screen, func(f memory.Finding) bool { return f.Rule == "generic-secret" })
			ignored := []memory.Ignore{
				{Fingerprint: screen[i].Fingerprint, Rule: screen[i].Rule, Reason: "of a manual"},
			}
			for _, decided := range [][]memory.Ignore{ignored, nil} {
				screen, read := look(t, a, dir, texts, decided)
				for _, f := range screen {
					if f.Family == memory.FamilySecret && f.Open() != (decided == nil) {
						t.Errorf("%s is open: %v, with decisions %v", f.Rule, f.Open(), decided)
					}
				}
				if read != nil && !slices.Equal(secretsText(screen), secretsText(read)) {
					t.Errorf(
						"screen %s\nread   %s",
						strings.Join(secretsText(screen), "\n"),
						strings.Join(secretsText(read), "\n"),
					)
				}
			}
		})
	}
}
