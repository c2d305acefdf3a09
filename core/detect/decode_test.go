package detect

import (
	"runtime"
	"strings"
	"testing"
)

// A text that begins with what is left out takes one copy, not one for each character.
func TestLeftOutCharactersTakeOneCopy(t *testing.T) {
	text := strings.Repeat("\u200b\u200c", 10_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, ok := decode(text, unseen)
	runtime.ReadMemStats(&after)
	if !ok || d.text != "" {
		t.Fatalf("decoded %q %v", d.text, ok)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16*uint64(len(text)) {
		t.Errorf("%d bytes were taken for a text of %d", took, len(text))
	}
}
