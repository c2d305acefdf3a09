package atomicfile

import (
	"time"

	"golang.org/x/sys/unix"
)

// pause sleeps in the kernel, which wakes it on time. A runtime timer would be up to a millisecond
// late, several times what a change takes.
func pause(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // waking early does no harm
}
