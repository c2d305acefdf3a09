package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/curate"
)

// inputs returns a digest of all the local input of a sync: the store, its history, and a person's
// decisions, each by size and date. It is "" if a file changed in the last two seconds, because it could
// change again and keep its date. It differs each day, because deletions expire.
func (y *syncing) inputs() string {
	now := y.now()
	text := y.f.Machine + now.UTC().Format(time.DateOnly) + strings.Join(y.f.Trusted, " ")
	for i, path := range []string{y.f.Store.Path(), filepath.Join(curate.Folder(y.state.Dir, realID(y.f.Store)), "history"), y.inbox.Book.Path()} {
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
func (y *syncing) idle(tip, inputs string) bool {
	return y.f.Idle != "" && y.o.Scratch == "" && !y.o.Private && y.f.Idle == tip+inputs
}

// settled records whether the sync had nothing to do and nothing to report, so that idle can skip the
// next one.
func (y *syncing) settled(tip, inputs string) {
	y.f.Idle = ""
	busy := len(y.out.In) + len(y.out.Out) + len(y.out.Stopped) + len(y.out.Private) + len(y.out.Notes) + y.out.Counts
	if inputs != "" && busy == 0 && y.out.Entry == "" {
		y.f.Idle = tip + inputs
	}
}
