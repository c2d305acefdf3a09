// Variants is winnow for the tests of the whole program. Its file name says which one it is:
//
//	winnow          the program as it is
//	winnow-at       its clock always shows the same moment
//	winnow-pinned   its main goroutine stays on one thread, because strace counts calls by thread
//	winnow-fragile  its systems panic where FRAGILE says: "find", "snapshot" or "recall"
//
// The program of the tests could play these parts, but takes twice as long to start.
package main

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

// moment is what the clock of winnow-at shows, in RFC 3339. The build sets it.
var moment string

// variant is the part of the file name behind "winnow-".
var _, variant, _ = strings.Cut(filepath.Base(os.Args[0]), "-")

func init() {
	if variant == "pinned" {
		runtime.LockOSThread()
	}
}

func main() {
	p := program.New()
	switch variant {
	case "at":
		now, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			panic(err)
		}
		p.Now = func() time.Time { return now }
	case "fragile":
		p.Systems = fragileSystems
	}
	p.Main()
}

// fragileSystems are all systems, with a panic at the named place.
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
