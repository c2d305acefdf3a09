package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// moment is the time that the clock of winnow-at shows.
var moment = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// TestMain lets scripts and campaigns run winnow and its variants (see the folder variants), and
// two programs that this test program plays: another agent, and a Winnow that makes one change
// after the other.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"agent": agentMain, "driver": driverMain})
}

// tests are the tests, for which winnow is built first.
type tests struct{ *testing.M }

// Run implements testscript.TestingM.
func (t tests) Run() int {
	if err := buildVariants(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return t.M.Run()
}

// buildVariants builds winnow and its variants beside the programs of testscript.
func buildVariants() error {
	beside, err := exec.LookPath("agent")
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(beside), "winnow")
	if err := build(path, "winnow/cli/e2e/variants", "-race="+strconv.FormatBool(raced), "-ldflags=-X main.moment="+moment.Format(time.RFC3339)); err != nil {
		return err
	}
	for _, variant := range []string{"at", "pinned", "fragile"} {
		if err := os.Link(path, path+"-"+variant); err != nil {
			return err
		}
	}
	return nil
}

// build builds a program as it is shipped, without C, unless the race detector needs it.
func build(path, source string, flags ...string) error {
	cmd := exec.Command("go", slices.Concat([]string{"build", "-buildvcs=false", "-o", path}, flags, []string{source})...)
	if !slices.Contains(flags, "-race=true") {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", source, err, out)
	}
	return nil
}
