package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestPackageInitIsShort adds up what the initialisation of all packages takes,
// as the runtime reports it. It is the one test with a clock: the sum decides how
// fast every single command starts, and a careless dependency costs 55 ms. The
// least of several runs is what the program takes when nobody disturbs it.
func TestPackageInitIsShort(t *testing.T) {
	const limit = 5.0 // ms
	if raced {
		t.Skip("the race detector takes several times as long for everything")
	}
	program, err := built() // the program itself: that of the tests has their packages in it
	if err != nil {
		t.Fatal(err)
	}
	clock := regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)
	least := 1e9
	for range 9 {
		cmd := exec.Command(program, "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		sum, n := 0.0, 0
		for _, m := range clock.FindAllSubmatch(out, -1) {
			ms, err := strconv.ParseFloat(string(m[2]), 64)
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+ms, n+1
		}
		if n == 0 {
			t.Fatalf("the runtime reports no package:\n%s", out)
		}
		least = min(least, sum)
	}
	if least > limit {
		t.Errorf("packages take %.2f ms to start, want at most %.0f", least, limit)
	}
	t.Logf("%.2f ms", least)
}
