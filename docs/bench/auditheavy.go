//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// load is an input that is hard on memory, and how it is audited.
type load struct {
	what string
	dir  string
	args []string
}

// heavy writes inputs that are hard on memory.
func (b *bench) heavy(c corpora) ([]load, error) {
	w := newAuditWriter()
	dir := filepath.Join(b.dir, "heavy")
	out := []load{
		{"1,000 files of lessons", c.sparse, []string{"."}},
		{"5,000 dense files", c.dense, []string{"."}},
		{"500 commits", c.history, []string{".", "--history"}},
	}
	for _, f := range w.heavyFiles() {
		path := filepath.Join(dir, strings.ReplaceAll(f.what, " ", "-"), f.name)
		if err := writeHeavy(path, f.write); err != nil {
			return nil, fmt.Errorf("write %s: %w", f.what, err)
		}
		out = append(out, load{f.what, filepath.Dir(path), []string{path}})
	}
	return out, nil
}

// heavyFile is a file that takes much memory if one is careless.
type heavyFile struct {
	what, name string
	write      func(io.Writer) // nil for one that holds nothing
}

func (w *auditWriter) heavyFiles() []heavyFile {
	return append(w.longFiles(), []heavyFile{
		{"20 MB of instructions and hidden text", "threats.md", func(out io.Writer) {
			repeat(out, 20<<20, func() string { return w.threats[w.rng.IntN(len(w.threats))] + "\n" })
		}},
		{"a line of 5 MB of these", "threat.md", func(out io.Writer) {
			repeat(out, 5<<20, func() string { return w.threats[w.rng.IntN(len(w.threats))] + " " })
		}},
		{
			"5 MB of characters without width",
			"CLAUDE.md",
			func(out io.Writer) { repeat(out, 5<<20, func() string { return "\u200b\u200c" }) },
		},
		{"20 MB of addresses", "private.md", func(out io.Writer) {
			repeat(out, 20<<20, func() string {
				return fmt.Sprintf("ask u%d@corp-mail.io in /home/u%d/x\n", w.rng.IntN(1<<20), w.rng.IntN(1<<20))
			})
		}},
		{"a store of 100,000 lessons", "memory.jsonl", func(out io.Writer) {
			for range 100_000 {
				w.lesson(out, w.extra(1, 1, 10))
			}
		}},
		{"50 MB of UTF-16", "wide.md", func(out io.Writer) {
			io.WriteString(out, "\xff\xfe")
			repeat(out, 50<<20, func() string { return "u\x00s\x00e\x00 \x00i\x00t\x00\n\x00" })
		}},
		{"50 MB of what nearly is a secret", "near.md", func(out io.Writer) {
			near := []string{
				"gh" + "p_",
				"AK" + "IA",
				"s" + "k-",
				"Bearer ",
				"-----BE" + "GIN ",
				"password=",
				"token: ",
			}
			repeat(out, 50<<20, func() string { return near[w.rng.IntN(len(near))] })
		}},
	}...)
}

// longFiles are those with long lines, or very many.
func (w *auditWriter) longFiles() []heavyFile {
	return []heavyFile{
		{"a sparse file of 5 GB", "memory.jsonl", nil},
		{"a line of 100 MB", "MEMORY.md", func(out io.Writer) {
			repeat(out, 100<<20, func() string { return "use the cache before the network " })
		}},
		{"a lesson of 100 MB", "lessons.jsonl", func(out io.Writer) {
			io.WriteString(out, `{"lesson_id":"a","task_summary":"x","outcome":"failed","lesson":"`)
			repeat(out, 100<<20, func() string { return "use the cache before the network " })
			io.WriteString(
				out,
				`","tool_names":[],"created_at":"2026-03-01T12:00:00.000Z","session_id":"s","relevance_count":0}`+"\n",
			)
		}},
		{"1,000,000 lines", "notes.md", func(out io.Writer) {
			repeat(out, 50<<20, func() string { return "- use the cache before the network, it is faster\n" })
		}},
		{"20 MB of nothing but secrets", "secrets.md", func(out io.Writer) {
			repeat(out, 20<<20, func() string { return w.secrets[w.rng.IntN(len(w.secrets))] + "\n" })
		}},
		{"a line of 20 MB of secrets", "line.md", func(out io.Writer) {
			repeat(out, 20<<20, func() string { return w.secrets[w.rng.IntN(len(w.secrets))] + " " })
		}},
	}
}

// writeHeavy writes a file; without a write one of 5 GB that holds nothing.
func writeHeavy(path string, write func(io.Writer)) error {
	if err := place(path, nil); err != nil {
		return err
	}
	if write == nil {
		return os.Truncate(path, 5<<30)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	write(out)
	return out.Flush()
}

func repeat(out io.Writer, size int, piece func() string) {
	for size > 0 {
		n, err := io.WriteString(out, piece())
		if size -= n; err != nil {
			return
		}
	}
}
