package karnevil9

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestPartsAreAllOfIt(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 1000, 4096} {
		var sum atomic.Int64
		inParts(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				sum.Add(int64(i))
			}
		})
		if want := int64(n) * int64(n-1) / 2; sum.Load() != want {
			t.Errorf("of %d the sum is %d, want %d", n, sum.Load(), want)
		}
	}
}

func TestPanicOfAPartReachesTheCaller(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("there is one processor, and so one part")
	}
	defer func() {
		err, ok := recover().(error)
		if !ok || !strings.HasPrefix(err.Error(), "boom\n") || !strings.Contains(err.Error(), "decode_test.go") {
			t.Errorf("the caller gets %v", err)
		}
	}()
	inParts(10_000, func(lo, _ int) {
		if lo > 0 {
			panic("boom")
		}
	})
	t.Error("the caller goes on")
}
