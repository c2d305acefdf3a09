package history

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// olderName is the file name of a history in an older format that was moved aside.
const olderName = name + ".old"

// CodeOlder is the problem code of an older history that cannot be moved aside because one is there.
const CodeOlder = "older-history"

// OlderPath returns the path to which a history in an older format is moved.
func (f *File) OlderPath() string { return filepath.Join(f.dir, olderName) }

// HasOlder reports whether there is an older history: one that was moved aside, or that the next change moves.
func (f *File) HasOlder() (bool, error) {
	if f.State.isOlder() {
		return true, nil
	}
	r, err := f.openFile(olderName)
	if r == nil || err != nil {
		return false, err
	}
	r.Close()
	return true, nil
}

// MoveOlder moves a history in an older format aside, and begins a new one with the pins, the decisions and
// what the guard watches. It reports whether there was one. The lock must be held, the state must be current, and
// no change may be unfinished. A crash leaves the older history, the new one, or both.
func (f *File) MoveOlder(now time.Time) (moved bool, _ error) {
	if !f.State.isOlder() {
		return false, nil
	}
	text, err := f.from(name, 0)
	if err != nil {
		return false, err
	}
	there, err := f.from(olderName, 0)
	if err != nil {
		return false, err
	}
	if len(there) > 0 && !bytes.HasPrefix(text, there) {
		return false, &memory.Problem{
			Code: CodeOlder, What: "two older histories of this store are there: " + f.Path() + " and " + f.OlderPath(),
			Hint: "move " + f.OlderPath() + " to another folder",
		}
	}
	if err := atomicfile.Rewrite(f.disk, f.OlderPath(), text); err != nil {
		return false, err
	}
	sum := f.State.summary(0, time.Time{})
	sum.Redactions = slices.DeleteFunc(sum.Redactions, func(r Redaction) bool { return len(r.Scrubs) == 0 })
	b := append(f.header(now), Encode(Event{Kind: Sum, At: now, Sum: sum})...)
	return true, f.rewriteDurably(append(b, mark(f.State.Pins)...))
}

// RemoveOlder deletes the older history that was moved aside, and reports whether there was one. The lock must be
// held.
func (f *File) RemoveOlder() (removed bool, _ error) {
	folder, err := f.disk.Folder(f.dir)
	if err != nil {
		return false, unlessMissing(err)
	}
	defer folder.Close()
	err = folder.Remove(olderName)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = folder.Sync()
	}
	return err == nil, err
}

// olderHolds reports whether the older history that was moved aside has a text that clean changes, or a line
// of which that is not known.
func (f *File) olderHolds(clean func(string) string) (bool, error) {
	text, err := f.from(olderName, 0)
	for line := range bytes.Lines(text) {
		e, ok := Decode(bytes.TrimSuffix(line, []byte{'\n'}), false)
		if !ok || e.Scrub(clean) {
			return true, err
		}
	}
	return false, err
}
