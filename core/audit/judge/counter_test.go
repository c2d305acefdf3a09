package judge

import (
	"strings"
	"testing"
)

// Lines and columns of places in one long line, and in many, take one look at each byte.
func TestPlacesThatRiseAreCountedOnce(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 60_000),
		strings.Repeat("ab\n", 20_000),
		"\n" + strings.Repeat("y", 50_000) + "\nz",
	} {
		c := counter{text: text}
		for i := 0; i < len(text); i += 5 {
			line, column := c.position(i)
			if want := i - strings.LastIndexByte(text[:i], '\n') - 1; column != want ||
				i%500 == 0 && line != strings.Count(text[:i], "\n") {
				t.Fatalf("byte %d is at %d:%d", i, line, column)
			}
		}
		if c.counted > len(text) {
			t.Errorf("%d bytes were counted of %d", c.counted, len(text))
		}
		if line, column := c.position(1); line != strings.Count(text[:1], "\n") || column != 1-line {
			t.Errorf("byte 1 is at %d:%d", line, column)
		}
	}
}
