package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// The rollback journal, by section 3 of https://sqlite.org/fileformat2.html.
const (
	journalSuffix = "-journal"
	journalMagic  = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	journalHead   = 28
	allRecords    = 1<<32 - 1 // as many as the file has room for
	maxSector     = 1 << 16
	sumStep       = 200 // bytes of a page between two that count in its sum
)

// journal is what a transaction that was not finished found in the pages that it
// changes.
type journal struct {
	file  *quietread.File
	path  string
	head  [journalHead]byte
	pages map[uint32]int64 // where the old form of a page begins
}

// page returns where the old form of a page stands. The receiver may be nil.
func (j *journal) page(page uint32) (int64, bool) {
	if j == nil {
		return 0, false
	}
	at, ok := j.pages[page]
	return at, ok
}

// openJournal opens the journal of the database, if it has one in use. With its pages
// laid over, what is read is the state before the transaction.
func (v *view) openJournal() error {
	j := &journal{path: v.path + journalSuffix, pages: map[uint32]int64{}}
	file, err := quietread.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return beside(j.path, err)
	}
	if n, err := file.ReadAt(j.head[:], 0); err != nil && !errors.Is(err, io.EOF) || n == 0 || j.head[0] == 0 {
		_ = file.Close() // a transaction was finished: its journal is empty or blank
		return nil
	}
	j.file, v.journal = file, j
	if j.spansFiles() {
		return &memory.Problem{
			Code: "unfinished",
			What: "A transaction over several databases was broken off here. Only SQLite can tell which of them it changed.",
			Hint: "start the program that the database belongs to once, so that it finishes the transaction",
		}
	}
	pages, ok := j.read(v.pageSize)
	if !ok {
		return nil // nothing was synced yet, so nothing was changed
	}
	v.pages = pages
	return nil
}

// spansFiles reports whether the journal ends with the name of one that several
// databases share.
func (j *journal) spansFiles() bool {
	var end [8]byte
	n, err := j.file.ReadAt(end[:], j.file.Info.Size()-int64(len(end)))
	return err == nil && n == len(end) && string(end[:]) == journalMagic && j.file.Info.Size() > journalHead
}

// read finds the pages in the journal, and returns how many the database had.
func (j *journal) read(pageSize int) (pages int64, ok bool) {
	var head [journalHead]byte
	size := j.file.Info.Size()
	record := int64(pageSize) + 8
	buf := make([]byte, record)
	for at := int64(0); ; {
		if _, err := j.file.ReadAt(head[:], at); err != nil || string(head[:len(journalMagic)]) != journalMagic {
			return pages, ok
		}
		word := func(i int) int64 { return int64(binary.BigEndian.Uint32(head[8+4*i:])) }
		count, sector := word(0), word(3)
		if sector < minPage || sector > maxSector || sector&(sector-1) != 0 || word(4) != int64(pageSize) {
			return pages, ok
		}
		if at == 0 {
			pages, ok = word(2), true
		}
		at += sector
		if count == allRecords {
			count = max(0, size-at) / record
		}
		for range count {
			if _, err := j.file.ReadAt(buf, at); err != nil || !j.keep(buf, uint32(word(1)), at+4) {
				return pages, ok
			}
			at += record
		}
		at = (at + sector - 1) / sector * sector
	}
}

// keep remembers the record of a page, unless its sum is wrong.
func (j *journal) keep(record []byte, nonce uint32, at int64) bool {
	page, data := binary.BigEndian.Uint32(record), record[4:len(record)-4]
	sum := nonce
	for i := len(data) - sumStep; i > 0; i -= sumStep {
		sum += uint32(data[i])
	}
	if page == 0 || sum != binary.BigEndian.Uint32(record[len(record)-4:]) {
		return false
	}
	j.pages[page] = at
	return true
}

// journalSettled reports whether no transaction began, went on or was finished since the
// view was opened. Still is set where the database has the size and date that it had.
func (v *view) journalSettled(still bool) bool {
	if v.journal == nil {
		return !inUse(v.path + journalSuffix)
	}
	j := v.journal
	info, err := os.Stat(j.path)
	if err != nil || !os.SameFile(info, j.file.Info) || info.Size() != j.file.Info.Size() || !info.ModTime().Equal(j.file.Info.ModTime()) {
		return false
	}
	var head [journalHead]byte
	_, err = j.file.ReadAt(head[:], 0)
	return still && (err == nil || errors.Is(err, io.EOF)) && head == j.head
}

// inUse reports whether there is a journal that is not blank.
func inUse(path string) bool {
	f, err := quietread.Open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	var first [1]byte
	n, _ := f.ReadAt(first[:], 0)
	return n == 1 && first[0] != 0
}
