// Package approvals keeps what a person approved and rejected on this machine, as keyed digests
// without the texts. The key never leaves Winnow's state folder, so digests that come with a clone
// mean nothing here.
package approvals

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/statefile"
)

// Book is the file of the decisions. It is safe for concurrent use, also by several processes.
type Book struct {
	dir    string
	random io.Reader

	mu    sync.Mutex  // guards the fields below
	seen  fs.FileInfo // of the file from which known was read
	known Decisions
}

// Open returns the book in a folder. The folder is created when something is first noted.
func Open(dir string, random io.Reader) *Book { return &Book{dir: dir, random: random} }

// Path returns the path of the decisions file.
func (b *Book) Path() string { return b.decisions().Path }

const keySize = 32

func (b *Book) decisions() statefile.File {
	return statefile.File{Path: filepath.Join(b.dir, "decisions")}
}

// key returns the file of this machine's key, which is written under the lock of the decisions.
func (b *Book) key() statefile.File { return statefile.File{Path: filepath.Join(b.dir, "key")} }

// Read returns what was decided. A missing book has no decisions.
func (b *Book) Read() (Decisions, error) {
	d := Decisions{said: map[string]*decided{}, with: map[string][]Mark{}, answered: map[string]bool{}}
	if err := memory.NoPlace(b.dir, "the inbox"); err != nil {
		return d, err
	}
	key, err := b.key().Read()
	if err != nil {
		return d, fmt.Errorf("read approvals: %w", err)
	}
	lines, err := b.decisions().Read()
	if err != nil {
		return d, fmt.Errorf("read approvals: %w", err)
	}
	d.key, err = hex.DecodeString(string(bytes.TrimSpace(key)))
	if err != nil || len(d.key) != keySize { // a torn key approves nothing
		return Decisions{Damaged: bytes.Count(lines, []byte("\n"))}, nil
	}
	for line := range bytes.Lines(lines) {
		if !d.applyLine(string(line)) {
			d.Damaged++
		}
	}
	return d, nil
}

// Approved reports whether words are approved now in a store. The book is only read again if it changed. An
// unreadable book approves nothing.
func (b *Book) Approved(store string, w Words) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	info, err := os.Stat(b.Path())
	if err != nil {
		return false
	}
	if s := b.seen; s == nil || !os.SameFile(s, info) || s.Size() != info.Size() || !s.ModTime().Equal(info.ModTime()) {
		if b.known, err = b.Read(); err != nil {
			b.known, info = Decisions{}, nil
		}
		b.seen = info
	}
	return b.known.Approved(store, w)
}

// Note records a verdict about words in a store, which is empty for a verdict that is about none. It is durable if
// there is no error.
func (b *Book) Note(ctx context.Context, v Verdict, now time.Time, store string, words ...Words) error {
	return b.note(ctx, v, now, store, func(d *Decisions) (marks []Mark) {
		for _, w := range words {
			marks = append(marks, d.Mark(w))
		}
		return marks
	})
}

// NoteMarks is Note for words that have these marks, of decisions that [Book.Keyed] returned.
func (b *Book) NoteMarks(ctx context.Context, v Verdict, now time.Time, store string, marks ...Mark) error {
	return b.note(ctx, v, now, store, func(*Decisions) []Mark { return marks })
}

// Keyed is Read, and creates the key of this machine if there is none.
func (b *Book) Keyed(ctx context.Context, now time.Time) (Decisions, error) {
	d, err := b.Read()
	if err == nil && d.key == nil {
		if err = b.Note(ctx, Withdraw, now, ""); err == nil {
			d, err = b.Read()
		}
	}
	return d, err
}

func (b *Book) note(ctx context.Context, v Verdict, now time.Time, store string, of func(*Decisions) []Mark) error {
	release, err := b.decisions().Hold(ctx, statefile.ForChange)
	if err != nil {
		return fmt.Errorf("note approvals: %w", err)
	}
	defer release()
	d, err := b.Read()
	if err != nil {
		return err
	}
	if d.key == nil {
		if d.key, err = b.newKey(); err != nil {
			return err
		}
	}
	var lines []string
	for _, m := range of(&d) {
		lines = append(lines, d.line(v, now, store, m))
	}
	if err := b.decisions().Append(0, true, lines...); err != nil {
		return fmt.Errorf("note approvals: %w", err)
	}
	return nil
}

// newKey creates the key of this machine. The lock must be held.
func (b *Book) newKey() ([]byte, error) {
	key := make([]byte, keySize)
	if _, err := io.ReadFull(b.random, key); err != nil {
		return nil, atomicfile.NoRandomness(err)
	}
	if err := b.key().Write([]byte(hex.EncodeToString(key) + "\n")); err != nil {
		return nil, fmt.Errorf("note approvals: %w", err)
	}
	return key, nil
}

func sum(key []byte, text string) string {
	h := hmac.New(sha256.New, key)
	io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Digest returns a keyed digest of a text, which reveals nothing without this machine's key. It is
// empty if there is no key yet.
func (d *Decisions) Digest(text string) string {
	if len(d.key) == 0 {
		return ""
	}
	return sum(d.key, text)
}
