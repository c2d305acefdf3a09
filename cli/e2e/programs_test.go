package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// moment is the time that the clock of winnow-at shows.
var moment = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// TestMain lets scripts and campaigns run programs that this test program plays: winnow and its variants,
// another agent, and a Winnow that makes one change after the other.
func TestMain(m *testing.M) {
	if slices.Contains(variants(), called) {
		variant(called).Main()
	}
	testscript.Main(tests{m}, map[string]func(){"agent": agentMain, "driver": driverMain})
}

// tests are the tests, beside which winnow can be started.
type tests struct{ *testing.M }

// Run implements testscript.TestingM.
func (t tests) Run() int {
	if err := addVariants(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := flag.Set("test.parallel", "6"); err != nil { // scripts wait for disks and terminals most of the time
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	debug.SetGCPercent(400) // what each run of winnow holds is small, and garbage at its end
	return t.M.Run()
}

// addVariants puts winnow and its variants beside the programs of testscript.
func addVariants() error {
	agent, err := exec.LookPath("agent")
	if err != nil {
		return err
	}
	for _, name := range variants() {
		if err := os.Link(agent, filepath.Join(filepath.Dir(agent), name+filepath.Ext(agent))); err != nil {
			return err
		}
	}
	return nil
}

// build builds a program as it is shipped, without C.
func build(path, source string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", path, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", source, err, out)
	}
	return nil
}
