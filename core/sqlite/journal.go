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

// The rollback journal, as in section 3 of https://sqlite.org/fileformat2.html.
const (
	journalSuffix = "-journal"
	journalMagic  = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	journalHead   = 28
	allRecords    = 1<<32 - 1 // as many as fit in the file
	maxSector     = 1 << 16
	sumStep       = 200 // distance in bytes between the page bytes that count in its checksum
)

// journal holds the pages that an unfinished transaction changes, as they were before it.
type journal struct {
	file  *quietread.File
	path  string
	head  [journalHead]byte
	pages map[uint32]int64 // page -> offset of its old content
}

// page returns the offset of a page's old content. The receiver may be nil.
func (j *journal) page(page uint32) (int64, bool) {
	if j == nil {
		return 0, false
	}
	at, ok := j.pages[page]
	return at, ok
}

// openJournal opens the database's journal, if there is one in use. With the journal's pages laid
// over, readers see the state before the transaction.
func (v *view) openJournal() error {
	j := &journal{path: v.path + journalSuffix, pages: map[uint32]int64{}}
	file, err := quietread.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return besideProblem(j.path, err)
	}
	if n, err := file.ReadAt(j.head[:], 0); err != nil && !errors.Is(err, io.EOF) || n == 0 || j.head[0] == 0 {
		_ = file.Close() // the transaction is finished: its journal is empty or blank
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

// spansFiles reports whether the journal ends with the name of a journal shared by several
// databases.
func (j *journal) spansFiles() bool {
	var end [8]byte
	n, err := j.file.ReadAt(end[:], j.file.Info.Size()-int64(len(end)))
	return err == nil && n == len(end) && string(end[:]) == journalMagic && j.file.Info.Size() > journalHead
}

// read finds the pages in the journal, and returns the number of pages that the database had.
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

// keep remembers the record of a page, unless its checksum is wrong.
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

// journalSettled reports whether no transaction began, continued or finished since the view was
// opened. unchanged is set if the database has the same size and date as then.
func (v *view) journalSettled(unchanged bool) bool {
	if v.journal == nil {
		return !inUse(v.path + journalSuffix)
	}
	j := v.journal
	info, err := os.Stat(j.path)
	if err != nil || !os.SameFile(info, j.file.Info) || info.Size() != j.file.Info.Size() ||
		!info.ModTime().Equal(j.file.Info.ModTime()) {
		return false
	}
	var head [journalHead]byte
	_, err = j.file.ReadAt(head[:], 0)
	return unchanged && (err == nil || errors.Is(err, io.EOF)) && head == j.head
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
