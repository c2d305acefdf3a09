package cli

import "testing"

func TestOnlyAnotherEncodingMeansASCII(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, false},
	} {
		w := newWorld(standard())
		w.InTTY, w.OutTTY, w.Lookup = true, true, lookup(c.vars)
		if w.run(t, 0); w.started.ASCII != c.want {
			t.Errorf("%v: %v, want %v", c.vars, w.started.ASCII, c.want)
		}
	}
}

func TestNoColorIsTakenFromTheEnvironment(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		w := newWorld(standard())
		w.InTTY, w.OutTTY, w.Lookup = true, true, lookup(map[string]string{"NO_COLOR": value})
		if w.run(t, 0); w.started.NoColor != want {
			t.Errorf("with %q it is %v, want %v", value, w.started.NoColor, want)
		}
	}
}
