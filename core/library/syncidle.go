package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/curate"
)

// standing names all that a sync comes from but the share: the store, its history, and what a person decided, by size and date.
// It is "" where that does not tell: a file that changed a moment ago can change again and keep its date. It is another one
// each day, since deletions expire.
func (y *syncing) standing() string {
	now := y.now()
	text := y.f.Machine + now.UTC().Format(time.DateOnly) + strings.Join(y.f.Trusted, " ")
	for i, path := range []string{y.f.Store.Path(), filepath.Join(curate.Folder(y.state.Dir, real(y.f.Store)), "history"), y.inbox.Book.Path()} {
		info, err := os.Stat(path)
		switch {
		case i > 0 && os.IsNotExist(err):
			continue
		case err != nil, !info.Mode().IsRegular(), now.Sub(info.ModTime()) < 2*time.Second:
			return ""
		}
		text += fmt.Sprintf("\n%d %d %d", i, info.Size(), info.ModTime().UnixNano())
	}
	return digest(text)
}

// idle reports whether nothing changed since a sync that had nothing to do.
func (y *syncing) idle(tip, standing string) bool {
	return y.f.Idle != "" && y.o.Scratch == "" && !y.o.Private && y.f.Idle == tip+standing
}

// settled notes that there was nothing to do, when that is so: nothing waits for a person and nothing was said.
func (y *syncing) settled(tip, standing string) {
	y.f.Idle = ""
	busy := len(y.out.In) + len(y.out.Out) + len(y.out.Stopped) + len(y.out.Private) + len(y.out.Notes) + y.out.Counts
	if standing != "" && busy == 0 && y.out.Entry == "" {
		y.f.Idle = tip + standing
	}
}
