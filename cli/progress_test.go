package cli

import (
	"strings"
	"testing"
	"time"
)

// TestProgressIsToldAfterAWhileAndGoes, on a terminal alone, and not beside JSON on it.
func TestProgressIsToldAfterAWhileAndGoes(t *testing.T) {
	for _, c := range []struct {
		name           string
		err, out, json bool
		after          time.Duration
		want           bool
	}{
		{"on a terminal", true, true, false, time.Second, true},
		{"at once", true, true, false, slow / 2, false},
		{"without a terminal", false, true, false, time.Second, false},
		{"JSON on the same terminal", true, true, true, time.Second, false},
		{"JSON into a file", true, false, true, time.Second, true},
	} {
		var said strings.Builder
		now := noon
		p := &program{
			Env:  Env{Err: &said, ErrTTY: c.err, OutTTY: c.out, Now: func() time.Time { return now }},
			json: c.json,
		}
		bar := p.progress()
		now = now.Add(c.after)
		for range 3 { // one line, however often
			bar.show(func() string { return "3 records" })
		}
		bar.end()
		text := said.String()
		if got := strings.Count(text, "3 records") == 1 && strings.HasSuffix(text, " \r"); got != c.want ||
			!c.want && text != "" {
			t.Errorf("%s: it says %q", c.name, text)
		}
	}
}
