package claudecode

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
)

// What is read by hand reads as these expressions do.
var (
	linkGrammar = regexp.MustCompile(`\[[^\]\n]*\]\(<?([^()\n]+?)>?\)`)
	keyGrammar  = regexp.MustCompile(`^( *)([A-Za-z_][A-Za-z0-9_.-]*):(?:[ \t]|$)`)
)

func TestLinksAndKeysAreReadAsTheirGrammar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"[", "]", "](", "(", ")", "<", ">", "a", "b.md", " ", "  ", ":", ": ", "\t", "_", "-", ".", "7", "é", "\xff", "^", "\r"}
	lines := []string{"", "[a](b.md)", "[[a]](b.md) [c](<d e.md>)", "[a](<>) [b](>) [c](<)", "[a](b(c).md)", "key: x", "  k.e-y:", "é: x", ": x", "a:b"}
	for range 50_000 {
		line := ""
		for range rng.IntN(12) {
			line += parts[rng.IntN(len(parts))]
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		var want []string
		for _, m := range linkGrammar.FindAllStringSubmatch(line, -1) {
			want = append(want, m[1])
		}
		if got := slices.Collect(targets(line)); !slices.Equal(got, want) || hasLink(line) != (len(want) > 0) {
			t.Fatalf("the links of %q are %q, want %q", line, got, want)
		}
		indent, key := keyOf(line)
		if m := keyGrammar.FindStringSubmatch(line); m == nil && key != "" || m != nil && (key != m[2] || indent != len(m[1])) {
			t.Fatalf("the key of %q is %q at %d, want %q", line, key, indent, m)
		}
	}
}
