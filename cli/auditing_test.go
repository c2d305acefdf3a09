package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/audit/baseline"
	"winnow/core/memory"
)

// fakeAuditor is what audits, in memory: it finds what it was given, and once it fixed
// something, what it was given for then. Files are real.
type fakeAuditor struct {
	found, after memory.Audit
	err          error
	asked        memory.AuditOrder
	input        string
	tells        []memory.Progress
	during       func()

	fixed   memory.Fixed
	fixErr  error
	isFixed bool

	kept     []memory.Ignore
	shared   memory.Shared
	sharedOf memory.ShareOrder
	hooks    string
	hooksErr error
	writeErr error
}

func (d *fakeAuditor) Audit(
	ctx context.Context,
	o memory.AuditOrder,
	in io.Reader,
	tell func(memory.Progress),
) (memory.Audit, error) {
	d.asked = o
	if slices.Contains(o.Paths, "-") {
		raw, err := io.ReadAll(in)
		if err != nil {
			return memory.Audit{}, err
		}
		d.input = string(raw)
	}
	for _, p := range d.tells {
		tell(p)
	}
	if d.during != nil {
		d.during()
	}
	a := d.found
	if d.isFixed {
		a = d.after
	}
	a.Findings = slices.Clone(a.Findings)
	for i := range a.Findings {
		for _, g := range slices.Concat(o.Ignored, d.kept) {
			if g.Fingerprint == a.Findings[i].Fingerprint {
				a.Findings[i].Ignored = &g
			}
		}
	}
	return a, d.err
}

func (d *fakeAuditor) Fix(_ context.Context, a memory.Audit) (memory.Fixed, error) {
	d.isFixed = d.fixErr == nil
	return d.fixed, d.fixErr
}

func (d *fakeAuditor) AuditRules() []memory.AuditRule {
	return []memory.AuditRule{
		{
			ID:       "github-pat",
			Family:   memory.FamilySecret,
			Severity: memory.High,
			Name:     "GitHub personal access token",
			Why:      "Whoever has it acts as its owner.",
			Next:     "revoke it at https://github.com/settings/tokens",
			Source:   "https://docs.github.com/x",
		},
		{ID: "home-path", Family: memory.FamilyPrivate, Severity: memory.Low, Name: "Home path"},
		{ID: "hidden-tag", Family: memory.FamilyHidden, Severity: memory.High, Name: "Tag characters"},
	}
}

func (d *fakeAuditor) Ignored(context.Context) ([]memory.Ignore, error) { return d.kept, nil }

func (d *fakeAuditor) Ignore(_ context.Context, add []memory.Ignore, remove []string) error {
	d.kept = append(d.kept, add...)
	d.kept = slices.DeleteFunc(d.kept, func(g memory.Ignore) bool { return slices.Contains(remove, g.Fingerprint) })
	return nil
}

func (d *fakeAuditor) IgnoreIn(_ context.Context, path string, add []memory.Ignore, remove []string) error {
	if d.writeErr != nil {
		return d.writeErr
	}
	var list []memory.Ignore
	if data, err := os.ReadFile(path); err == nil {
		if list, err = baseline.Decode(data); err != nil {
			return err
		}
	}
	for _, g := range add {
		list = withIgnore(list, g)
	}
	list = slices.DeleteFunc(list, func(g memory.Ignore) bool { return slices.Contains(remove, g.Fingerprint) })
	return os.WriteFile(path, baseline.Encode(list), 0o644)
}

func (d *fakeAuditor) Share(_ context.Context, _ memory.StoreID, o memory.ShareOrder) (memory.Shared, error) {
	d.sharedOf = o
	return d.shared, nil
}

func (d *fakeAuditor) WriteFile(_ context.Context, path string, data []byte, replace bool, perm fs.FileMode) error {
	if d.writeErr != nil {
		return d.writeErr
	}
	if _, err := os.Lstat(path); err == nil && !replace {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	return os.WriteFile(path, data, perm)
}

func (d *fakeAuditor) RemoveFile(_ context.Context, path string, was []byte) error {
	if raw, err := os.ReadFile(path); err != nil || !bytes.Equal(raw, was) {
		return fmt.Errorf("remove %s: it is another file: %w", path, err)
	}
	return os.Remove(path)
}

func (d *fakeAuditor) HooksDir(context.Context, string) (string, error) { return d.hooks, d.hooksErr }

// onFakeAuditor is a testEnv whose audits go over a fakeAuditor with one finding of each severity.
func onFakeAuditor() (*testEnv, *fakeAuditor) {
	print := func(i int) string { return fmt.Sprintf("%032x", 0xabc0000+i) }
	d := &fakeAuditor{found: memory.Audit{
		Files: 3, Records: 5, Rules: 3, Uncovered: []string{"git history"},
		Left: []memory.LeftOut{{Why: "ignored by git", Files: 2, Example: "x.md"}},
		Findings: []memory.Finding{
			{
				Rule:        "github-pat",
				Family:      memory.FamilySecret,
				Severity:    memory.High,
				Name:        "GitHub personal access token",
				Path:        "m.jsonl",
				Line:        41,
				Column:      7,
				ID:          "aa11",
				Field:       "lesson",
				Text:        "push with " + token + " fails",
				Start:       10,
				End:         10 + len(token),
				Fixable:     true,
				OfAgent:     true,
				Why:         "The lesson keeps error text as it came.",
				Next:        []string{"revoke it at https://github.com/settings/tokens", "winnow audit --fix"},
				Recalled:    "yes, relevance 4",
				Lands:       "Past Experience",
				Fingerprint: print(1),
				Count:       1,
			},
			{
				Rule:        "hidden-tag",
				Family:      memory.FamilyHidden,
				Severity:    memory.Medium,
				Path:        "n.md",
				Line:        2,
				Text:        "a\U000E0041b",
				Start:       1,
				End:         5,
				Shown:       "A",
				Fingerprint: print(2),
				Count:       1,
			},
			{
				Rule:        "home-path",
				Family:      memory.FamilyPrivate,
				Severity:    memory.Low,
				Path:        "n.md",
				Line:        3,
				Text:        "/Users/jane/x",
				End:         11,
				Fingerprint: print(3),
				Count:       7,
			},
		},
	}}
	w := newWorld(standard())
	w.Auditing, w.Fixing, w.Copying = d, d, d
	return w, d
}

// said runs a command on a fakeAuditor, and wants its status and its words.
func (w *testEnv) said(t *testing.T, status int, args string, want ...string) string {
	t.Helper()
	out := w.run(t, status, strings.Fields(args)...) + w.err.String()
	for _, s := range want {
		if !strings.Contains(out, s) {
			t.Errorf("winnow %s prints\n%s\nwant %q in it", args, out, s)
		}
	}
	return out
}
