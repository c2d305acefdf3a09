package main

import (
	"path/filepath"
	"testing"
)

func TestEveryClassHasAsManyHarmlessTextsAsPoisoned(t *testing.T) {
	counts := map[string][2]int{}
	for i, file := range []string{"poisoned.txt", "harmless.txt"} {
		texts, err := readTexts(filepath.Join("..", "..", "testdata", "detector", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			c := counts[text.class]
			c[i]++
			counts[text.class] = c
		}
	}
	if len(counts) != 12 {
		t.Errorf("%d classes, want 12", len(counts))
	}
	for class, n := range counts {
		if n != [2]int{perClass, perClass} {
			t.Errorf("%s has %d poisoned and %d harmless texts, want %d", class, n[0], n[1], perClass)
		}
	}
}
