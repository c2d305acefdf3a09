//go:build unix

package e2e

import (
	"os"
	"syscall"
)

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// maxMemory returns what a process that ended counts as its memory, in MB; 0 for one that did not start.
func maxMemory(ended *os.ProcessState) float64 {
	if ended == nil {
		return 0
	}
	usage, _ := ended.SysUsage().(*syscall.Rusage)
	return float64(usage.Maxrss) / 1000
}

// unblocked returns the terminal f as one whose reads end when it is closed.
func unblocked(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), f.Close()
}
