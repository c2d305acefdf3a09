package e2e

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"winnow/cli/program"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// programs are what scripts and campaigns can run: the program, another agent, and a
// Winnow that makes one change after the other. Those of the program that are not
// the real one differ from it in nothing but what is said of them.
func programs() map[string]func() {
	return map[string]func(){
		"winnow":         program.New().Main,
		"winnow-at":      program.Program{Systems: all.Systems, Now: stopped}.Main,
		"winnow-pinned":  program.New().Main,
		"winnow-fragile": program.Program{Systems: fragileSystems, Now: time.Now}.Main,
		"agent":          agentMain,
		"driver":         driverMain,
	}
}

// init keeps the main goroutine of winnow-pinned to one thread: strace counts calls by
// thread.
func init() {
	if filepath.Base(os.Args[0]) == "winnow-pinned" {
		runtime.LockOSThread()
	}
}

// moment is the time that the clock of winnow-at shows, for ever.
var moment = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func stopped() time.Time { return moment }

// fragileSystems are the systems that are known, with a panic where the variable
// FRAGILE says: "find", "snapshot" or "recall".
func fragileSystems(now func() time.Time) []system.System {
	list := all.Systems(now)
	for i, k := range list {
		list[i].Find = func(ctx context.Context, env system.Env) memory.Survey {
			breakAt("find")
			return k.Find(ctx, env)
		}
		list[i].Open = func(path string) (system.Store, error) {
			s, err := k.Open(path)
			if broken == "find" {
				return s, err
			}
			return panickingStore{s}, err
		}
	}
	return list
}

var broken = os.Getenv("FRAGILE") // the demo has an environment of its own

func breakAt(place string) {
	if broken == place {
		panic("broken at " + place)
	}
}

// panickingStore is a store that panics.
type panickingStore struct{ system.Store }

func (f panickingStore) Snapshot(ctx context.Context, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	breakAt("snapshot")
	return f.Store.(system.Snapshotter).Snapshot(ctx, emit)
}

func (f panickingStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	breakAt("recall")
	return f.Store.(system.Recaller).Recall(ctx, t)
}
