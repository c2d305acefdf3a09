package curate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// historyName is the file name of a history in its folder, and historyLock that of its lock.
const (
	historyName = "history"
	historyLock = "lock"
)

// historyFile is the history of one store on a disk, and the state computed from it. It is not safe for
// concurrent use; other processes may append to the same file.
type historyFile struct {
	state *historyState
	size  int64

	dir   string
	store memory.StoreID
	disk  atomicfile.Disk
	log   *atomicfile.Log // nil until something is appended

	head []byte // the header as it was read
	off  int64  // everything before it is in state
	torn bool   // the file does not end with a line end
	// unsure is set after an append failed.
	unsure bool
	tidied bool
}

// openHistory returns the history in the folder dir. It reads nothing yet.
func openHistory(disk atomicfile.Disk, dir string, store memory.StoreID) *historyFile {
	return &historyFile{state: newState(), dir: dir, store: store, disk: disk}
}

// path returns the path of the history file.
func (f *historyFile) path() string { return filepath.Join(f.dir, historyName) }

// exclude locks the folder without reading anything.
func (f *historyFile) exclude(ctx context.Context) (unlock func(), err error) {
	return atomicfile.Lock(ctx, filepath.Join(f.dir, historyLock))
}

// lock locks the history for appending and brings the state up to date. It creates the folder if it
// is missing.
func (f *historyFile) lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = f.exclude(ctx)
	if err != nil {
		return nil, err
	}
	err = f.refresh(true)
	if err == nil && f.state.Format > historyFormat {
		err = newerFormat(f.state.Format)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	f.removeLeftovers()
	return unlock, nil
}

// codeNewer is the problem code of a history with a later version than historyFormat.
const codeNewer = "newer-history"

func newerFormat(format int) error {
	return &memory.Problem{
		Code: codeNewer,
		What: fmt.Sprintf(
			"a later version of Winnow keeps the history of this store: its format is %d, and this version writes %d",
			format,
			historyFormat,
		),
		Hint: "make changes with that version; nothing was changed",
	}
}

// removeLeftovers removes, once, what a crash left behind while the file was being rewritten.
func (f *historyFile) removeLeftovers() {
	if f.tidied {
		return
	}
	f.tidied = true
	folder, err := f.disk.Folder(f.dir)
	if err != nil {
		return
	}
	defer folder.Close()
	_ = folder.Remove(historyName + ".new")
}

// refresh reads what anybody appended since the last read. A last line without a line end is still
// being written, unless the lock is held: then it is torn.
func (f *historyFile) refresh(locked bool) error {
	r, err := f.open()
	if err != nil || r == nil {
		f.restart()
		return err
	}
	defer r.Close()
	if r.size < f.off || !f.sameHead(r) {
		f.restart()
	}
	f.size = r.size
	b, err := r.from(f.off)
	if err != nil {
		return err
	}
	if f.off == 0 {
		f.head = firstLine(b)
	}
	f.foldLines(b, locked)
	return nil
}

// firstLine returns the first line with its line end. It returns nothing while that line has no end.
func firstLine(b []byte) []byte { return bytes.Clone(b[:bytes.IndexByte(b, '\n')+1]) }

// sameHead reports whether the file still begins with the same line. If not, it was rewritten.
func (f *historyFile) sameHead(r *historyReader) bool {
	head := make([]byte, len(f.head))
	return f.off == 0 || len(head) > 0 && r.readAt(head, 0) == nil && bytes.Equal(head, f.head)
}

func (f *historyFile) restart() {
	f.state, f.size, f.head, f.off, f.torn = newState(), 0, nil, 0, false
}

// foldLines adds the lines in b, which begins at f.off, to the state.
func (f *historyFile) foldLines(b []byte, locked bool) {
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		whole := end >= 0
		if !whole {
			end = len(b)
		}
		if !whole && !locked {
			return
		}
		if e, ok := decodeEvent(b[:end], true); ok {
			f.state.fold(&e, place{f.off, int64(end)})
		} else if end > 0 {
			f.state.Damaged++
		}
		f.torn = !whole
		f.off += int64(end)
		if whole {
			f.off++
			end++
		}
		b = b[end:]
	}
	if f.state.isOlder() {
		f.state.Items, f.state.Undo, f.state.Redo = nil, nil, nil
	}
}

// append adds an event; with sync it waits until the event is durable. A mark follows unless a
// change is then pending. The lock must be held, and the state must be current. After an error the
// event may or may not be in the file.
func (f *historyFile) append(e event, sync bool) error {
	if f.unsure {
		if err := f.rewriteAll(e.At); err != nil {
			return err
		}
	}
	var b []byte
	if f.size == 0 {
		b = f.header(e.At)
	}
	if err := f.add(append(b, encodeEvent(e)...), sync); err != nil {
		return err
	}
	if f.state.Pending == nil {
		_ = f.add(historyMark(f.state.Pins), false) // without it, finding the pins requires reading the whole history
	}
	return nil
}

// add appends lines to the log and to the state.
func (f *historyFile) add(lines []byte, sync bool) error {
	if err := f.write(lines[:len(lines)-1], sync); err != nil {
		return err
	}
	if f.size == 0 {
		f.head = firstLine(lines)
	}
	if f.torn { // the log ended that line first
		f.off++
		f.size++
	}
	f.size += int64(len(lines))
	f.foldLines(lines, true)
	return nil
}

// write appends to the log.
func (f *historyFile) write(b []byte, sync bool) error {
	log, err := f.opened()
	if err != nil {
		return err
	}
	if err = log.Append(b, sync); err != nil {
		f.closeBroken()
	}
	return err
}

// opened returns the log, and creates it if it is missing.
func (f *historyFile) opened() (_ *atomicfile.Log, err error) {
	if f.log != nil {
		return f.log, nil
	}
	f.log, err = atomicfile.OpenLog(f.disk, f.path())
	return f.log, err
}

// closeBroken closes the log after an error. How much of it is durable is unknown and its descriptor
// cannot tell, so the next append rewrites the file.
func (f *historyFile) closeBroken() {
	f.log.Close()
	f.log, f.unsure = nil, true
}

// rewriteAll rewrites the whole file after a failed append.
func (f *historyFile) rewriteAll(now time.Time) error {
	old, err := f.from(historyName, 0)
	if err != nil {
		return err
	}
	b := f.header(now)
	if old != nil {
		b = append(b, old[len(f.head):]...)
	}
	return f.rewriteDurably(b)
}

// header returns the first line of a rewritten file. Its number distinguishes it from the
// previous file.
func (f *historyFile) header(at time.Time) []byte {
	first, _, _ := bytes.Cut(f.head, []byte{'\n'})
	was, _ := decodeEvent(first, true)
	id := memory.EntryID(strconv.FormatInt(entryNumber(was.ID)+1, 10))
	store := cmp.Or(f.store, was.Store)
	return encodeEvent(event{Kind: kindHeader, ID: id, Format: historyFormat, Store: store, At: at})
}

// events returns the events from an entry on, or all if from is nil, including those that say how a
// change ended.
func (f *historyFile) events(from *historyItem) (events []event, _ error) {
	at := int64(0)
	if from != nil {
		at = from.place.at
	}
	b, err := f.from(historyName, at)
	if err != nil || b == nil {
		return nil, err
	}
	if from != nil { // the file may have been replaced by now
		end := bytes.IndexByte(b, '\n')
		if e, ok := decodeEvent(b[:max(0, end)], true); !ok || e.ID != from.ID {
			return nil, errMoved
		}
	}
	for line := range bytes.SplitSeq(b, []byte{'\n'}) {
		if e, ok := decodeEvent(line, false); ok {
			events = append(events, e)
		}
	}
	return events, nil
}

// event returns one complete entry.
func (f *historyFile) event(it *historyItem) (event, error) {
	b, err := f.line(it)
	if err != nil {
		return event{}, err
	}
	e, ok := decodeEvent(b, false)
	if !ok || e.ID != it.ID {
		return event{}, errMoved
	}
	return e, nil
}

// begun returns the complete pending change.
func (f *historyFile) begun() (event, error) {
	return f.event(&historyItem{ID: f.state.Pending.ID, place: f.state.begun})
}

// errMoved reports that the history was rewritten between two reads. Only another process can do
// that.
var errMoved = errors.New("the history was rewritten meanwhile")

// line returns the bytes of an entry's line.
func (f *historyFile) line(it *historyItem) ([]byte, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errMoved
	}
	defer r.Close()
	b := make([]byte, it.place.size)
	return b, r.readAt(b, it.place.at)
}

// historyReader is an open file of the folder of a history.
type historyReader struct {
	atomicfile.File
	size int64
}

// open opens the history file. It returns nil if there is none.
func (f *historyFile) open() (*historyReader, error) { return f.openFile(historyName) }

// openFile opens a file of the folder. It returns nil if there is none.
func (f *historyFile) openFile(name string) (*historyReader, error) {
	folder, err := f.disk.Folder(f.dir)
	if err != nil {
		return nil, unlessMissing(err)
	}
	defer folder.Close()
	file, err := folder.Open(name)
	if err != nil {
		return nil, unlessMissing(err)
	}
	info, err := file.Stat()
	if err == nil && info.Kind != atomicfile.Regular {
		err = &memory.Problem{
			Code: "not-a-file",
			What: filepath.Join(f.dir, name) + " is not a regular file",
			Hint: "move it away",
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &historyReader{file, info.Size}, nil
}

// from returns the content of a file of the folder from off on, or nil if there is none.
func (f *historyFile) from(name string, off int64) ([]byte, error) {
	r, err := f.openFile(name)
	if err != nil || r == nil {
		return nil, err
	}
	defer r.Close()
	return r.from(off)
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func unlessMissing(err error) error {
	if isMissing(err) {
		return nil
	}
	return err
}

// from returns the content from off on.
func (r *historyReader) from(off int64) ([]byte, error) {
	b := make([]byte, max(0, r.size-off))
	return b, r.readAt(b, off)
}

func (r *historyReader) readAt(b []byte, off int64) error {
	_, err := io.ReadFull(io.NewSectionReader(r, off, int64(len(b))), b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errMoved
	}
	return err
}
