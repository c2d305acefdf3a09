package atomicfile

import (
	"path/filepath"
	"sync"

	"winnow/core/memory"
)

// Aim is where the path of a store leads. What it led to at first is the file that the
// history belongs to: a link that another program puts there later leads to a file that
// nobody chose. Its zero value is ready.
type Aim struct {
	mu    sync.Mutex
	first string
	seen  Folders
}

// Look remembers the folder of the file that path leads to, before the file is read: a
// change is refused when another folder is in its place by then.
func (a *Aim) Look(d Disk, path string) {
	if to, err := Resolve(d, path); err == nil {
		path = to
	}
	a.seen.Look(d, filepath.Dir(path))
}

// Steady returns d for one change of the file; see [Folders.Steady].
func (a *Aim) Steady(d Disk) Disk { return a.seen.Steady(d) }

// At returns the file that path, always the same one, leads to. It is a *memory.Problem
// when that is another than at first.
func (a *Aim) At(d Disk, path string) (string, error) {
	to, err := Resolve(d, path)
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.first == "" {
		a.first = to
	}
	if to != a.first && to != path {
		return "", &memory.Problem{
			Code: "is-link",
			What: "The path is a link to another file than when the store was opened.",
			Hint: "another program put a link there; look where it leads, and open the store again if that is meant",
		}
	}
	return to, nil
}
