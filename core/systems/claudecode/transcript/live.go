package transcript

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/journal"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
)

// Limits of what Live reads.
const (
	mostRegistered = 1000
	mostEntry      = 64 << 10 // bytes of a file
)

// Live returns the running sessions, by their beginning: those that Claude Code has registered in
// the folder sessions of its configuration and whose process is alive. A crash leaves a
// registration behind.
func Live(configDir string, alive func(pid int) bool) []memory.Running {
	return slices.DeleteFunc(Noted(configDir), func(r memory.Running) bool { return !alive(r.PID) })
}

// Noted returns the sessions registered in that folder, including those whose process died.
func Noted(configDir string) (out []memory.Running) {
	dir := filepath.Join(configDir, "sessions")
	entries, _, _ := filestore.Listing(dir, mostRegistered) // without Claude Code there is no such folder
	for _, e := range entries {
		name, is := strings.CutSuffix(e.Name(), ".json")
		if !is || !e.Type().IsRegular() {
			continue
		}
		if r, ok := registered(filepath.Join(dir, e.Name()), name); ok {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b memory.Running) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.PID, b.PID))
	})
	return out
}

// Alive reports whether a process with that ID is running.
func Alive(pid int) bool { return journal.Holder{PID: pid}.Alive() }

// registered reads the registration of a session. Its file is named after its process.
func registered(path, name string) (memory.Running, bool) {
	var note struct {
		PID                    int
		SessionID, Cwd, Status string
		StartedAt              any // milliseconds since 1970, or a date
	}
	b, _, err := quietread.ReadFile(path, mostEntry)
	if err != nil || !session.Decode(b, &note) {
		return memory.Running{}, false
	}
	r := memory.Running{PID: note.PID, Session: note.SessionID, Folder: note.Cwd, State: note.Status}
	switch at := note.StartedAt.(type) {
	case string:
		r.Since = session.Time(at)
	case float64:
		if at > 0 && at < lastMilli {
			r.Since = time.UnixMilli(int64(at)).UTC()
		}
	}
	if r.PID == 0 {
		r.PID, _ = strconv.Atoi(name) // 0 if the name is not a number
	}
	return r, r.PID > 0
}

// lastMilli is the end of the year 9999, in milliseconds since 1970.
const lastMilli = 253402300800000
