package curate

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
const olderName = historyName + ".old"

// codeOlder is the problem code of an older history that cannot be moved aside because one is there.
const codeOlder = "older-history"

// olderPath returns the path to which a history in an older format is moved.
func (f *historyFile) olderPath() string { return filepath.Join(f.dir, olderName) }

// hasOlder reports whether there is an older history: one that was moved aside, or that the next change moves.
func (f *historyFile) hasOlder() (bool, error) {
	if f.state.isOlder() {
		return true, nil
	}
	r, err := f.openFile(olderName)
	if r == nil || err != nil {
		return false, err
	}
	r.Close()
	return true, nil
}

// moveOlder moves a history in an older format aside, and begins a new one with the pins, the decisions and
// what the guard watches. It reports whether there was one. The lock must be held, the state must be current, and
// no change may be unfinished. A crash leaves the older history, the new one, or both.
func (f *historyFile) moveOlder(now time.Time) (moved bool, _ error) {
	if !f.state.isOlder() {
		return false, nil
	}
	text, err := f.from(historyName, 0)
	if err != nil {
		return false, err
	}
	there, err := f.from(olderName, 0)
	if err != nil {
		return false, err
	}
	if len(there) > 0 && !bytes.HasPrefix(text, there) {
		return false, &memory.Problem{
			Code: codeOlder, What: "two older histories of this store are there: " + f.path() + " and " + f.olderPath(),
			Hint: "move " + f.olderPath() + " to another folder",
		}
	}
	if err := atomicfile.Rewrite(f.disk, f.olderPath(), text); err != nil {
		return false, err
	}
	sum := f.state.summary(0, time.Time{})
	sum.Redactions = slices.DeleteFunc(sum.Redactions, func(r redaction) bool { return len(r.Scrubs) == 0 })
	b := append(f.header(now), encodeEvent(event{Kind: kindSum, At: now, Sum: sum})...)
	return true, f.rewriteDurably(append(b, historyMark(f.state.Pins)...))
}

// removeOlder deletes the older history that was moved aside, and reports whether there was one. The lock must be
// held.
func (f *historyFile) removeOlder() (removed bool, _ error) {
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
func (f *historyFile) olderHolds(clean func(string) string) (bool, error) {
	text, err := f.from(olderName, 0)
	for line := range bytes.Lines(text) {
		e, ok := decodeEvent(bytes.TrimSuffix(line, []byte{'\n'}), false)
		if !ok || e.scrub(clean) {
			return true, err
		}
	}
	return false, err
}
