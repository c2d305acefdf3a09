package atomicfile

import (
	"path/filepath"
	"testing"
	"time"
)

func TestAWaiterThatIsKilledHoldsUpNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	waiter := child(t, "lock", path, nil)
	if err := waiter.Start(); err != nil {
		t.Fatal(err)
	}
	look, err := openLock(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLock(look)
	for { // until the waiter is the next
		free, err := tryPart(look, lockPart+1)
		if err != nil {
			t.Fatal(err)
		}
		if !free {
			break
		}
		if err := freePart(look, lockPart+1); err != nil {
			t.Fatal(err)
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		pause(time.Millisecond)
	}
	if err := waiter.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = waiter.Wait() // says that it was killed
	unlock()
	unlock, err = Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

func TestNobodyComesBeforeThoseWhoWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := openLock(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLock(first)
	if got, err := tryPart(first, lockPart+2); !got || err != nil {
		t.Fatal(got, err) // waits in the queue
	}
	late, err := openLock(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLock(late)
	if got, err := tryAll(late); got || err != nil {
		t.Errorf("%v, %v: the lock was taken while another waits", got, err)
	}
}
