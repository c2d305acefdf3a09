//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/audit/audittest"
	"winnow/core/memory"
)

// corpora are the folders that audits are measured on.
type corpora struct {
	sparse  string // 1,000 files of 100 lessons, 182 secrets
	dense   string // 5,000 files of 2 KB, 1,200 secrets
	few     string // 20 files of dense
	history string // 500 commits of two files, 100 secrets, none of them left
}

// auditCorpora returns the folders, written unless others were named or they are there.
func (b *bench) auditCorpora() (corpora, error) {
	root := b.corpora
	if root == "" {
		root = filepath.Join(b.dir, "audit")
	}
	c := corpora{
		filepath.Join(root, "sparse"),
		filepath.Join(root, "dense"),
		filepath.Join(root, "few"),
		filepath.Join(root, "history"),
	}
	if _, err := os.Stat(root); err == nil {
		return c, nil
	}
	w := newAuditWriter()
	for _, step := range []func() error{
		func() error { return w.sparse(c.sparse) }, func() error { return w.dense(c.dense, 5000, 1200) },
		func() error { return w.dense(c.few, 20, 5) }, func() error { return w.history(c.history) },
	} {
		if err := step(); err != nil {
			return c, fmt.Errorf("write what audits are measured on: %w", err)
		}
	}
	return c, nil
}

// auditWriter writes folders of memories with known secrets and harmless texts.
type auditWriter struct {
	rng             *rand.Rand
	secrets, decoys []string
	threats         []string
}

func newAuditWriter() *auditWriter {
	w := &auditWriter{rng: rand.New(rand.NewPCG(1, 2))}
	for seed := range uint64(3) {
		items := audittest.Corpus(1000 + seed)
		for _, it := range audittest.Of(items, memory.FamilySecret) {
			if it.Context != "cut" {
				w.secrets = append(w.secrets, strings.ReplaceAll(it.Text, "\n", " "))
			}
		}
		for _, it := range append(
			audittest.Of(items, memory.FamilyInjection),
			audittest.Of(items, memory.FamilyHidden)...,
		) {
			w.threats = append(w.threats, strings.ReplaceAll(it.Text, "\n", " "))
		}
		for _, it := range audittest.Of(items, "") {
			if !it.Whole {
				w.decoys = append(w.decoys, strings.ReplaceAll(it.Text, "\n", " "))
			}
		}
	}
	return w
}

// extra draws what a record says besides: a secret, a harmless text that looks like
// one, or nothing.
func (w *auditWriter) extra(secrets, decoys, of int) string {
	switch n := w.rng.IntN(of); {
	case n < secrets:
		return "; " + w.secrets[w.rng.IntN(len(w.secrets))]
	case n < secrets+decoys:
		return "; " + w.decoys[w.rng.IntN(len(w.decoys))]
	}
	return ""
}

// lesson writes a line of a store.
func (w *auditWriter) lesson(out io.Writer, extra string) {
	var line bytes.Buffer
	writeLesson(&line, w.rng, w.rng.IntN(100), time.Date(2026, 3, 1, 0, w.rng.IntN(9999), 0, 0, time.UTC))
	text := fmt.Sprintf("%q", extra)
	out.Write(
		bytes.Replace(line.Bytes(), []byte(`","tool_names"`), []byte(strings.Trim(text, `"`)+`","tool_names"`), 1),
	)
}

func (w *auditWriter) sparse(dir string) error {
	for i := range 1000 {
		var out bytes.Buffer
		for range 100 {
			w.lesson(&out, w.extra(182, 997, 100_000))
		}
		file := filepath.Join(dir, fmt.Sprintf("p%03d", i/100), fmt.Sprintf("lessons-%05d.jsonl", i))
		if err := place(file, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// dense writes n files of notes with so many secrets in all, and five times as many
// harmless texts.
func (w *auditWriter) dense(dir string, n, secrets int) error {
	for i := range n {
		out := bytes.NewBufferString(
			"---\nname: " + phrase(
				w.rng,
				3,
			) + "\ndescription: " + phrase(
				w.rng,
				8,
			) + "\n---\n\n# " + phrase(
				w.rng,
				4,
			) + "\n\n",
		)
		for out.Len() < 2048 {
			fmt.Fprintf(out, "- %s%s\n", phrase(w.rng, 12), w.extra(secrets, 5*secrets, 24*n))
		}
		folder := filepath.Join(dir, fmt.Sprintf("proj%03d", i/50), ".agent", "memory")
		if err := place(filepath.Join(folder, fmt.Sprintf("MEMORY-%05d.md", i)), out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// history writes commits of a store of 100 lessons and of a file of notes. A secret is
// taken out again with the next commits.
func (w *auditWriter) history(dir string) error {
	if err := exec.Command("git", "init", "-q", "-b", "main", dir).Run(); err != nil {
		return fmt.Errorf("git init: %w", err)
	}
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	out := bufio.NewWriter(in)
	var store, notes []string
	for i := range 500 {
		var line strings.Builder
		w.lesson(&line, w.extra(1, 1, 10))
		store = append(store[max(0, len(store)-99):], line.String())
		notes = append(notes[max(0, len(notes)-140):], "- "+phrase(w.rng, 10)+w.extra(1, 1, 10)+"\n")
		fmt.Fprintf(
			out,
			"commit refs/heads/main\ncommitter Bench <bench@example.invalid> %d +0000\ndata 4\nkeep\n",
			1767225600+i*600,
		)
		for _, f := range [][2]string{
			{"memory/lessons.jsonl", strings.Join(store, "")},
			{"memory/MEMORY.md", "# memory\n\n" + strings.Join(notes, "")},
		} {
			fmt.Fprintf(out, "M 100644 inline %s\ndata %d\n%s\n", f[0], len(f[1]), f[1])
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	return exec.Command("git", "-C", dir, "reset", "-q", "--hard", "main").Run()
}

// place writes a file, and the folders around it.
func place(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// expressions are the patterns for ripgrep, a line each.
func expressions() []byte {
	return []byte(strings.Join(audittest.Expressions(), "\n") + "\n")
}
