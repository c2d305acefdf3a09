package audit_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/audit"
	"winnow/core/audit/audittest"
	"winnow/core/memory"
)

// Private data is one finding for each kind of it in a file: it is left out here.

// TestAuditOfLessonsFindsWhatItFoundBefore holds an audit of a lesson store to the
// recorded figures: each text is a lesson of its own. TestScannersFindWhatTheyFoundBefore has the same texts.
func TestAuditOfLessonsFindsWhatItFoundBefore(t *testing.T) {
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set")
	}
	got := newFigures()
	for _, seed := range seeds {
		items := slices.DeleteFunc(
			audittest.Corpus(seed),
			func(it audittest.Item) bool { return it.Whole || it.Family == memory.FamilyPrivate },
		)
		f := audittest.Lessons(items)
		in := make([][]place, len(items))
		for _, x := range auditOf(t, "memory.jsonl", f.Data) {
			if i, ok := slices.BinarySearch(f.Lines, x.Line); ok {
				in[i] = append(in[i], placeOf(&x, &items[i]))
			}
		}
		for i := range items {
			got.add(&items[i], in[i])
		}
	}
	hold(t, "lessons", got)
}

// placeOf returns where a finding is in the text of its lesson.
func placeOf(x *memory.Finding, it *audittest.Item) place {
	what := x.Text[x.Start:x.End]
	p := place{len(it.Text), len(it.Text), x.Family, x.Rule}
	if at := strings.Index(it.Text, what); at >= 0 {
		p.start, p.end = at, at+len(what)
	} else if it.End > 0 && strings.Contains(what, it.Place()) {
		p.start, p.end = it.Start, it.End
	}
	return p
}

// TestAuditOfNotesFindsWhatItFoundBefore holds an audit of a Markdown file to the
// recorded figures: each text is a paragraph.
func TestAuditOfNotesFindsWhatItFoundBefore(t *testing.T) {
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set")
	}
	got := newFigures()
	for _, seed := range seeds {
		items := slices.DeleteFunc(
			audittest.Corpus(seed),
			func(it audittest.Item) bool { return it.Lands || it.Family == memory.FamilyPrivate },
		)
		f := audittest.Markdown(items)
		in := make([][]place, len(items))
		for _, x := range auditOf(t, "CLAUDE.md", f.Data) {
			i, exact := slices.BinarySearch(f.Offsets, int(x.Offset))
			if !exact {
				i--
			}
			if i >= 0 {
				at := int(x.Offset) - f.Offsets[i]
				in[i] = append(in[i], place{at, at + x.End - x.Start, x.Family, x.Rule})
			}
		}
		for i := range items {
			got.add(&items[i], in[i])
		}
	}
	hold(t, "notes", got)
}

// auditOf audits a file, and returns what was found in the order of the lines.
func auditOf(t *testing.T, name string, text []byte) []memory.Finding {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
	a := audit.New(audit.Config{
		Forms: forms(), Dir: dir, Short: filepath.ToSlash,
		Now: func() time.Time { return time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC) },
	})
	found, err := a.Run(context.Background(), memory.AuditOrder{Paths: []string{dir}}, nil, func(memory.Progress) {})
	if err != nil || len(found.Failed) > 0 || found.More > 0 {
		t.Fatalf("%v, %v, %d more", err, found.Failed, found.More)
	}
	list := slices.DeleteFunc(
		found.Findings,
		func(x memory.Finding) bool { return x.Line == 0 || !counts(x.Family, x.Severity) },
	)
	slices.SortStableFunc(list, func(x, y memory.Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return list
}
