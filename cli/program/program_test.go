package program

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFolderIsRemovedWithTheDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, remove, err := unpack(time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	remove()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

func TestTaskIsDecodedAsAnAgentWould(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"plain é 🙂\n":               "plain é 🙂\n",
		"\xff":                      "\uFFFD",
		"a\xe2\x82b":                "a\uFFFDb",
		"\xed\xa0\xbd":              "\xed\xa0\xbd",
		"x\xed\xa0\xbd\xed\xb8\x80": "x\U0001F600",
		"\xed\xb8\x80\xed\xa0\xbd!": "\xed\xb8\x80\xed\xa0\xbd!",
		"\xffa\xed\xa0\xbdb\xff":    "\uFFFDa\xed\xa0\xbdb\uFFFD",
	} {
		if got := taskText([]byte(in)); got != want {
			t.Errorf("%q is decoded as %q, want %q", in, got, want)
		}
	}
}
