package journal

import (
	"os"
	"testing"
)

func TestOnlyARunningProcessIsAlive(t *testing.T) {
	for pid, want := range map[int]bool{
		os.Getpid(): true,
		2147483646:  false, // more than any system has
		0:           false,
		-1:          false,
	} {
		if got := (Holder{PID: pid}).Alive(); got != want {
			t.Errorf("process %d alive: %v, want %v", pid, got, want)
		}
	}
}
