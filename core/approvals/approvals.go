// Package approvals keeps what a person approved and rejected on this machine, as keyed digests
// without the texts. The key never leaves Winnow's state folder, so digests that come with a clone
// mean nothing here.
package approvals

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"winnow/core/atomicfile"
)

// Verdict is what a person decided about a text.
type Verdict string

// The verdicts. The last one about a text counts.
const (
	Approve  Verdict = "approve"
	Reject   Verdict = "reject"
	Withdraw Verdict = "withdraw" // cancels either of the others
)

// Words are the texts of a record that reach a prompt.
type Words struct{ Title, Outcome, Body string }

// Decisions holds what was decided. In the zero value nothing is approved and nothing is rejected.
type Decisions struct {
	key      []byte
	approved map[string]bool
	rejected map[string]time.Time
}

// Approved reports whether exactly these words were approved.
func (d *Decisions) Approved(w Words) bool { return d.approved[sum(d.key, approvalKey(w))] }

// Rejected returns when these words were rejected, ignoring case and spacing, or false if they were
// not.
func (d *Decisions) Rejected(w Words) (at time.Time, ok bool) {
	at, ok = d.rejected[sum(d.key, rejectionKey(w))]
	return at, ok
}

// AnyRejected reports whether anything was rejected.
func (d *Decisions) AnyRejected() bool { return len(d.rejected) > 0 }

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
func (b *Book) Path() string { return filepath.Join(b.dir, bookName) }

const (
	keyName  = "key"
	bookName = "decisions"
	keySize  = 32
)

// Read returns what was decided. A missing book has no decisions.
func (b *Book) Read() (Decisions, error) {
	d := Decisions{approved: map[string]bool{}, rejected: map[string]time.Time{}}
	if err := atomicfile.NoFolder(b.dir); err != nil {
		return d, err
	}
	key, keyErr := atomicfile.Look(atomicfile.OS(), filepath.Join(b.dir, keyName))
	book, err := atomicfile.Look(atomicfile.OS(), filepath.Join(b.dir, bookName))
	if err := cmp.Or(keyErr, err); err != nil {
		return d, fmt.Errorf("read approvals: %w", err)
	}
	d.key, err = hex.DecodeString(string(bytes.TrimSpace(key.Data)))
	if err != nil || len(d.key) != keySize { // a torn key approves nothing
		return Decisions{}, nil
	}
	for line := range bytes.Lines(book.Data) {
		d.applyLine(strings.Fields(string(line)))
	}
	return d, nil
}

// Approved reports whether words are approved now. The book is only read again if it changed. An
// unreadable book approves nothing.
func (b *Book) Approved(w Words) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	info, err := os.Stat(filepath.Join(b.dir, bookName))
	if err != nil {
		return false
	}
	if s := b.seen; s == nil || !os.SameFile(s, info) || s.Size() != info.Size() || !s.ModTime().Equal(info.ModTime()) {
		if b.known, err = b.Read(); err != nil {
			b.known, info = Decisions{}, nil
		}
		b.seen = info
	}
	return b.known.Approved(w)
}

// applyLine applies a line of the book. It skips a line that a crash cut off.
func (d *Decisions) applyLine(f []string) {
	if len(f) != 4 {
		return
	}
	at, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return
	}
	delete(d.approved, f[1])
	delete(d.rejected, f[2])
	switch Verdict(f[0]) {
	case Approve:
		d.approved[f[1]] = true
	case Reject:
		d.rejected[f[2]] = time.Unix(at, 0)
	}
}

// Note records a verdict about words. It is durable if there is no error.
func (b *Book) Note(ctx context.Context, v Verdict, now time.Time, words ...Words) error {
	unlock, err := atomicfile.Lock(ctx, filepath.Join(b.dir, bookName+".lock"))
	if err != nil {
		return fmt.Errorf("note approvals: %w", err)
	}
	defer unlock()
	d, err := b.Read()
	if err == nil && d.key == nil {
		d.key, err = b.newKey()
	}
	if err != nil {
		return err
	}
	log, err := atomicfile.OpenLog(atomicfile.OS(), filepath.Join(b.dir, bookName))
	if err != nil {
		return fmt.Errorf("note approvals: %w", err)
	}
	defer log.Close()
	for i, w := range words {
		line := fmt.Sprintf("%s %s %s %d", v, sum(d.key, approvalKey(w)), sum(d.key, rejectionKey(w)), now.Unix())
		if err := log.Append([]byte(line), i == len(words)-1); err != nil {
			return fmt.Errorf("note approvals: %w", err)
		}
	}
	return nil
}

// newKey creates the key of this machine. The lock must be held.
func (b *Book) newKey() ([]byte, error) {
	key := make([]byte, keySize)
	if _, err := io.ReadFull(b.random, key); err != nil {
		return nil, atomicfile.NoRandomness(err)
	}
	if err := atomicfile.Rewrite(atomicfile.OS(), filepath.Join(b.dir, keyName), []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return nil, fmt.Errorf("note approvals: %w", err)
	}
	return key, nil
}

// approvalKey returns what an approval covers: the exact words.
func approvalKey(w Words) string {
	return fmt.Sprintf("%d %d %d\x00%s%s%s", len(w.Title), len(w.Outcome), len(w.Body), w.Title, w.Outcome, w.Body)
}

// rejectionKey returns what a rejection covers: the title and body in lower case, with single spaces.
func rejectionKey(w Words) string {
	same := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return same(w.Title) + "\x00" + same(w.Body)
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
