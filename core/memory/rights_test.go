package memory

import (
	"strings"
	"testing"
)

func TestWindowsHasNoModes(t *testing.T) {
	const chmod = "chmod u+r the file"
	for _, goos := range []string{"linux", "darwin"} {
		if OthersMay(goos, 0o666) != 0o066 || OthersMay(goos, 0o600) != 0 || Allow(goos, chmod) != chmod {
			t.Errorf("%s: %o, %q", goos, OthersMay(goos, 0o666), Allow(goos, chmod))
		}
	}
	if OthersMay("windows", 0o666) != 0 || strings.Contains(Allow("windows", chmod), "chmod") {
		t.Errorf("windows: %o, %q", OthersMay("windows", 0o666), Allow("windows", chmod))
	}
}
