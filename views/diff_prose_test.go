package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/theme"
)

// TestFilesAreComparedLineByLine: of an index that loses a line, that line is shown, and
// not the whole twice.
func TestFilesAreComparedLineByLine(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	const secret = "ghp_0123456789abcdefghij"
	was := memory.Record{
		ID:      "memory:MEMORY.md",
		Kind:    "index",
		File:    "/m/MEMORY.md",
		Title:   "Memory index",
		Body:    "# Index\n\n- [a](a.md)\n- [b](b.md)\n- [c](c.md) " + secret,
		Created: memory.Moment{Text: "2026-10-17T12:00:00Z", Time: time.Unix(1, 0)},
	}
	hide := func(r *memory.Record) {
		at := strings.Index(r.Body, secret)
		r.Secrets = []memory.Secret{{Field: memory.InBody, Start: at, End: at + len(secret)}}
	}
	hide(&was)
	now := memory.Record{
		ID:    was.ID,
		Kind:  "index",
		Title: was.Title,
		Body:  "# Index\n\n- [a](a.md)\n- [c](c.md) " + secret,
	}
	hide(&now)
	d := diffOf(memory.Change{Do: memory.Editing, Record: was, Edited: now, Before: was.Body, After: now.Body}, false)
	out := ansi.Strip(strings.Join(d.Lines(th, 80), "\n"))
	if want := "Text\n  - [a](a.md)\n- - [b](b.md)\n  - [c](c.md) ghp_************"; out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	now = was
	now.Title, now.Created = "Other", memory.Moment{}
	d = diffOf(memory.Change{Do: memory.Editing, Record: was, Edited: now, Before: "a", After: "b"}, false)
	if out := ansi.Strip(strings.Join(d.Lines(th, 80), "\n")); !strings.HasPrefix(out, "Title\n") ||
		strings.Contains(out, "Created") {
		t.Errorf("another title is shown as\n%s", out)
	}
	now = was
	now.Body = strings.ReplaceAll(was.Body, "\n", "\r\n")
	hide(&now)
	d = diffOf(memory.Change{Do: memory.Editing, Record: was, Edited: now, Before: was.Body, After: now.Body}, false)
	if out := strings.Join(d.Lines(th, 80), "\n"); out == "" {
		t.Error("line ends that differ are not shown at all")
	}
}
