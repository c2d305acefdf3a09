package source

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/core/memory"
)

// children returns the processes that this one started and that have not been waited for.
func children(t *testing.T) (pids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(files) == 0 {
		t.Skip("this kernel does not tell the children of a process")
	}
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil { // a thread may have ended
			pids = append(pids, strings.Fields(string(text))...)
		}
	}
	return pids
}

func TestNoProcessAndNoGoroutineIsLeft(t *testing.T) {
	r := repository(t)
	r.history(60)
	before := runtime.NumGoroutine()
	step := 8
	if os.Getenv("WINNOW_LONG") != "" {
		step = 1
	}
	for at := 0; at < 40; at += step {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		o := order(Order{Dir: r.dir, Paths: []string{"."}, History: true, Tell: func(memory.Progress) {
			if n++; n == at*4 {
				cancel()
			}
		}})
		_, _ = Each(ctx, o, drop)
		cancel()
		if left := children(t); len(left) > 0 {
			t.Fatalf("ended after %d versions, these processes are left: %v", at*4, left)
		}
	}
	for range 1_000_000 { // what has been told to end may need its turn
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, before there were %d", runtime.NumGoroutine(), before)
}
