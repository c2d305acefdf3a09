package crashdisk

import (
	"fmt"
	"slices"
)

// Op is one operation on a disk.
type Op struct {
	N    int    // from 1
	Do   string // "write", "exchange", ...
	Name string // of the file or folder concerned, if there is one
}

// String returns the operation for printing.
func (o Op) String() string { return fmt.Sprintf("%d %s %s", o.N, o.Do, o.Name) }

// Fault is a failure of one operation.
type Fault struct {
	Err error
	// Short is the number of bytes that a write writes before it fails. With a nil Err it writes no
	// more than these, and reports it.
	Short int
}

// Fail makes the n-th operation since the disk was created fail, counted from 1.
func (d *Disk) Fail(n int, f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults[n] = f
}

// FailFrom makes every operation from the n-th on fail.
func (d *Disk) FailFrom(n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.always, d.because = n, err
}

// FailEvery makes every operation named do fail, from the n-th of all operations on. A full disk
// fails each "write".
func (d *Disk) FailEvery(do string, n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.only = do
	d.always, d.because = n, err
}

// Before calls fn before each operation. fn can act as another program, by Put.
func (d *Disk) Before(fn func(Op)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before = fn
}

// Ops returns the number of operations so far.
func (d *Disk) Ops() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ops
}

// Trace returns the operations in order.
func (d *Disk) Trace() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.trace)
}

// Resyncs returns the descriptors that were synced again after a failed sync.
func (d *Disk) Resyncs() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.resyncs)
}

// begin counts an operation and locks the disk for it, unless the operation fails.
func (d *Disk) begin(do, name string) (done func(), err error) {
	f := d.count(do, name)
	if f.Err != nil {
		return nil, f.Err
	}
	d.mu.Lock()
	return d.mu.Unlock, nil
}

// count counts an operation and returns its fault.
func (d *Disk) count(do, name string) Fault {
	d.mu.Lock()
	d.ops++
	op := Op{d.ops, do, name}
	d.trace = append(d.trace, op.String())
	f, before := d.faults[d.ops], d.before
	if d.always > 0 && d.ops >= d.always && (d.only == "" || d.only == do) {
		f.Err = d.because
	}
	d.mu.Unlock()
	if before != nil {
		before(op)
	}
	return f
}
