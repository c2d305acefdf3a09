package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestPackagesAllocateLittleAtTheStart adds up the allocations of the initialisation of all
// packages, as the runtime reports them. They decide how fast every command starts: an expression
// compiled at the start, or a careless dependency, shows here. The limits are a fifth above what
// the program needs; docs/bench measures the time.
func TestPackagesAllocateLittleAtTheStart(t *testing.T) {
	const mostBytes, mostAllocations = 680_000, 4_600
	long(t)
	program, err := built() // the program itself: that of the tests has their packages in it
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	bytes, allocations := 0, 0
	trace := regexp.MustCompile(`(?m)^init \S+ @\S+ ms, \S+ ms clock, (\d+) bytes, (\d+) allocs`)
	for _, m := range trace.FindAllSubmatch(out, -1) {
		b, _ := strconv.Atoi(string(m[1])) // the expression matches numbers only
		a, _ := strconv.Atoi(string(m[2]))
		bytes, allocations = bytes+b, allocations+a
	}
	if allocations == 0 {
		t.Fatalf("the runtime reports no package:\n%s", out)
	}
	if bytes > mostBytes || allocations > mostAllocations {
		t.Errorf(
			"packages allocate %d bytes in %d pieces, want at most %d in %d",
			bytes,
			allocations,
			mostBytes,
			mostAllocations,
		)
	}
}
