package detect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLookAtHeadsOfWordsMissesNoRelation(t *testing.T) {
	files, err := filepath.Glob("../../testdata/detector/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	v, found := vocabulary(), 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			words := v.read(nil, line, 0, len(line))
			for i := range v.relations {
				if _, end := v.relations[i].find(words); end == 0 {
					continue
				}
				if found++; !v.mayRelate(line) {
					t.Errorf("%s: not looked at: %s", v.relations[i].needs, line)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no relation was found")
	}
}

func TestConceptsFitInTheirBits(t *testing.T) {
	if n := len(vocabulary().bit); n > 64 {
		t.Errorf("%d concepts, and a bit for 64", n)
	}
}
