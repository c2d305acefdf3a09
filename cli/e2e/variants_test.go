package e2e

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"winnow/cli/program"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// called is the name under which this program was started. As one of these it is winnow:
//
//	winnow          the program as it is
//	winnow-at       its clock always shows the same moment
//	winnow-pinned   its main goroutine stays on one thread, because strace counts calls by thread
//	winnow-fragile  its systems panic where FRAGILE says: "find", "snapshot" or "recall"
var called = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")

func variants() []string { return []string{"winnow", "winnow-at", "winnow-pinned", "winnow-fragile"} }

func init() {
	if called == "winnow-pinned" {
		runtime.LockOSThread()
	}
}

// variant returns winnow under one of its names.
func variant(name string) program.Program {
	p := program.New()
	switch name {
	case "winnow-at":
		p.Now = func() time.Time { return moment }
		p.HookTime = time.Minute // what it prints is tested, on machines of any speed
	case "winnow-fragile":
		p.Systems = fragileSystems
	}
	return p
}

// fragileSystems are all systems, with a panic at the named place.
func fragileSystems(machine system.Env, now func() time.Time) []system.System {
	list := all.On(machine, now)
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

var broken = os.Getenv("FRAGILE") // read at the start: the demo has an environment of its own

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
