package compare

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkFindDiffering compares two files of 5,000 statements: each nearly equal to its like, and each nearly equal
// to all others.
func BenchmarkFindDiffering(b *testing.B) {
	for _, c := range []struct {
		name string
		line func(i, side int) string
	}{
		{"its like", func(i, side int) string {
			return fmt.Sprintf("Service alpha%d of beta%d listens at port %d in test.\n\n", i, i, 8000+side)
		}},
		{"near-equal", func(i, side int) string {
			return fmt.Sprintf("Service number %d listens at port %d in every test.\n\n", i, 8000+i*2+side)
		}},
		{"hostile", func(i, side int) string {
			return strings.Repeat("the same word once more ", 11) + fmt.Sprintf("%d\n\n", i*2+side)
		}},
	} {
		var texts [2]strings.Builder
		for i := range 5000 {
			for side := range texts {
				texts[side].WriteString(c.line(i, side))
			}
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				differences(texts[0].String(), texts[1].String())
			}
		})
	}
}
