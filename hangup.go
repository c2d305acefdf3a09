package main

import (
	"io"
	"os"
)

// hangup is a terminal that calls closed when nothing can be read from it any more. A
// program hears of that by a signal only when the terminal controls it and the signal
// is not ignored.
type hangup struct {
	*os.File
	closed func()
}

// Read implements io.Reader.
func (h hangup) Read(p []byte) (int, error) {
	n, err := h.File.Read(p)
	if err != nil {
		h.closed()
	}
	return n, err
}

// onHangup returns in so that closed is called when in is a terminal that went away.
func onHangup(in io.Reader, closed func()) io.Reader {
	if f, ok := in.(*os.File); ok {
		return hangup{f, closed}
	}
	return in
}
