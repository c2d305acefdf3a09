package karnevil9

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"winnow/core/memory"
)

// batchSize is how many lines are decoded together, on all processors.
const batchSize = 2048

// gather puts a record of the window aside, and decodes and shows those that
// wait when they are enough.
func (r *reading) gather(l *line, copied found) {
	r.batch = append(r.batch, copied)
	r.text += int64(len(l.Text))
	enough := batchSize
	if r.shown == 0 {
		enough = firstPart
	}
	if len(r.batch) < enough || r.list == nil {
		return
	}
	r.flush()
	left := r.f.Info.Size() - (l.Off + l.Len)
	if left > worthParts && r.now().After(r.nextAt) {
		r.show()
		r.reserve(left, l.Off+l.Len)
	}
}

// reserve makes room for the records that are still to come, as many as the
// size of the file lets expect.
func (r *reading) reserve(left, read int64) {
	more := int(float64(left) / float64(max(read, 1)) * float64(r.at) * 1.05)
	more = min(more, r.window.Max-len(r.snap.Records))
	if n := len(r.snap.Records); cap(r.snap.Records) < n+more {
		grown := make([]memory.Record, n, n+more)
		copy(grown, r.snap.Records)
		r.snap.Records = grown
	}
}

// flush decodes the records that wait. Those that were shown are not touched.
func (r *reading) flush() {
	n := len(r.snap.Records)
	r.snap.Records = append(r.snap.Records, make([]memory.Record, len(r.batch))...)
	records := r.snap.Records[n:]
	decodeAll(r.batch, records)
	for i := range records {
		if first := r.names.Give(&records[i]); first > 0 {
			r.twice = append(r.twice, first)
		}
	}
	clear(r.batch)
	r.batch = r.batch[:0]
	if r.list != nil {
		r.mark()
	}
}

// mark sets the forecasts of the records that have none yet, and counts them
// for the report.
func (r *reading) mark() {
	for i := r.marked; i < len(r.snap.Records); i++ {
		record := &r.snap.Records[i]
		r.list.Mark(record)
		if !r.counted {
			r.report.add(record)
		}
	}
	r.marked = len(r.snap.Records)
}

// decodeAll decodes the lines into records.
func decodeAll(from []found, to []memory.Record) {
	inParts(len(from), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to[i] = from[i].decode()
		}
	})
}

// inParts calls work for the numbers from 0 to n in parts, in parallel where they
// are many. A panic in any part is one of the caller.
func inParts(n int, work func(lo, hi int)) {
	const worthIt = 256
	workers := min(runtime.GOMAXPROCS(0), n/worthIt+1)
	panics := make(chan error, workers)
	var others sync.WaitGroup
	for w := 1; w < workers; w++ {
		others.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					panics <- fmt.Errorf("%v\n%s", r, debug.Stack())
				}
			}()
			work(w*n/workers, (w+1)*n/workers)
		})
	}
	work(0, n/workers)
	others.Wait()
	select {
	case err := <-panics:
		panic(err)
	default:
	}
}
