package cli

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// atOnce is how many stores are asked at the same time: what is read waits for the disk
// more than it computes.
const atOnce = 4

// inParallel calls fn with 0 to n-1, a few at a time, and returns when all calls did. A
// panic in one of them is one of the caller.
func inParallel(n int, fn func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var failed any
	work := func() {
		defer func() {
			if r := recover(); r != nil {
				once.Do(func() { failed = fmt.Sprintf("%v\n%s", r, debug.Stack()) })
			}
		}()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			fn(int(i))
		}
	}
	for range min(n, atOnce) {
		wg.Go(work)
	}
	wg.Wait()
	if failed != nil {
		panic(failed)
	}
}
