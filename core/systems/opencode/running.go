package opencode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/journal"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

const (
	maxLocks = 50
	maxLock  = 4 << 10
)

func (m machine) locks() string { return filepath.Join(m.state(), "locks") }

// running returns the processes of OpenCode that hold a lock and are alive. There is one
// lock for all sessions of a user; it stays behind when a process is killed.
func (m machine) running() (all []memory.Running) {
	entries, _ := inFolder(m.locks(), maxLocks)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasSuffix(e.Name(), ".lock") {
			continue
		}
		f := filestore.Read(filepath.Join(m.locks(), e.Name(), "meta.json"), maxLock)
		v, err := jstext.Parse(jstext.Decode([]byte(f.Text)))
		if err != nil {
			continue
		}
		host, _ := os.Hostname() // where it is not known, the process is looked for here
		there := text(v, "hostname")
		r := memory.Running{PID: int(number(v, "pid")), Since: lockTime(v)}
		switch {
		case there != "" && host != "" && there != host:
			r.State = "on another machine, " + there
		case !(journal.Holder{PID: r.PID}).Alive():
			continue
		}
		all = append(all, r)
	}
	return all
}

// lockTime returns when a lock was taken, as milliseconds or as a date.
func lockTime(v jstext.Value) time.Time {
	at := dig(v, "createdAt")
	if at.Kind() == jstext.String {
		t, _ := time.Parse(time.RFC3339, at.Str()) // the zero time when it is none
		return t
	}
	return moment(int64(at.Number())).Time
}

// runningHealth says that OpenCode runs.
func runningHealth(all []memory.Running) memory.Health {
	pid := 0
	if len(all) > 0 {
		pid = all[0].PID
	}
	return system.When(len(all) > 0, "running", memory.Note, len(all),
		fmt.Sprintf("OpenCode runs now (pid %d).", pid), "what is shown of its sessions can change at any moment")
}
