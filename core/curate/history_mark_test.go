package curate

import (
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// pin returns the event that pins or unpins a record.
func pin(id int, do memory.ChangeKind, record memory.ID) event {
	return event{Kind: kindDid, ID: memory.EntryID(strconv.Itoa(id)), At: now, Who: memory.You,
		Changes: []memory.Change{{Do: do, ID: record, Before: "{}"}}}
}

// pinned returns the text of a history in which records are changed, pinned and unpinned, and which
// is rewritten now and then.
func pinned(t *testing.T, random *rand.Rand) string {
	t.Helper()
	f := on(t, "")
	for i := 1; i < 40; i++ {
		record := memory.ID("r" + strconv.Itoa(random.IntN(5)))
		locked(t, f, func() error {
			switch random.IntN(12) {
			case 0, 1, 2:
				return f.append(pin(i, memory.Pinning, record), false)
			case 3, 4:
				return f.append(pin(i, memory.Unpinning, record), false)
			case 5:
				f.unsure = true // as after a failure: the next append rewrites the file
				return nil
			case 6:
				return f.keep(now, now.AddDate(1, 0, 0), 0)
			}
			for _, e := range change(memory.EntryID(strconv.Itoa(i)), record) {
				if err := f.append(e, false); err != nil {
					return err
				}
			}
			return nil
		})
	}
	text, err := os.ReadFile(f.path())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheEndSaysWhatIsPinnedOrNothing(t *testing.T) {
	random, said := rand.New(rand.NewPCG(1, 2)), 0
	for range 4 {
		text := pinned(t, random)
		dir := on(t, text).dir
		for cut := range len(text) + 1 {
			if near := text[max(0, cut-2):min(len(text), cut+2)]; cut%101 > 0 && !strings.Contains(near, "\n") {
				continue
			}
			if err := os.WriteFile(dir+"/"+historyName, []byte(text[:cut]), 0o600); err != nil {
				t.Fatal(err)
			}
			pins, ok, err := openHistory(atomicfile.OS(), dir, "/s").pins()
			if err != nil {
				t.Fatal(err)
			}
			all := openHistory(atomicfile.OS(), dir, "/s")
			if err := all.refresh(false); err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			said++
			if all.state.Pending != nil || !maps.Equal(pins, all.state.Pins) {
				t.Fatalf("cut at %d: %v, want %v (pending %v)", cut, pins, all.state.Pins, all.state.Pending)
			}
		}
		if _, ok, _ := on(t, text).pins(); !ok {
			t.Fatalf("the end of %q says nothing", text)
		}
	}
	if said < 20 {
		t.Errorf("only %d ends say something", said)
	}
}

// counting counts the bytes that are read.
type counting struct {
	atomicfile.Disk
	read *int
}

type countingFolder struct {
	atomicfile.Folder
	read *int
}

type countingFile struct {
	atomicfile.File
	read *int
}

func (d counting) Folder(path string) (atomicfile.Folder, error) {
	f, err := d.Disk.Folder(path)
	return countingFolder{f, d.read}, err
}

func (f countingFolder) Open(name string) (atomicfile.File, error) {
	file, err := f.Folder.Open(name)
	return countingFile{file, f.read}, err
}

func (f countingFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(b, off)
	*f.read += n
	return n, err
}

func TestPinsAreReadWithoutTheWholeHistory(t *testing.T) {
	f := on(t, "")
	locked(t, f, func() error { return f.append(pin(1, memory.Pinning, "p"), false) })
	for i := range 500 {
		e := event{
			Kind: kindOthers,
			ID:   memory.EntryID(strconv.Itoa(2 + i)),
			At:   now,
			Who:  memory.Others,
			What: strings.Repeat("x", 1000),
		}
		locked(t, f, func() error { return f.append(e, false) })
	}
	read := 0
	pins, ok, err := openHistory(counting{atomicfile.OS(), &read}, f.dir, "/s").pins()
	if err != nil || !ok || !pins["p"] || len(pins) != 1 {
		t.Fatalf("pins are %v, %v, %v", pins, ok, err)
	}
	if read > 2*historyTail {
		t.Errorf("%d bytes of %d were read", read, f.size)
	}
}
