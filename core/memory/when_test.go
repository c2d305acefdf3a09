package memory

import "testing"

func TestAMomentIsReadAsItIsWritten(t *testing.T) {
	for _, text := range []string{
		"task", "always", "command: git push", "file: docs/**/*.md", "error: no such file: x",
	} {
		w, err := ParseWhen(text)
		if err != nil || w.String() != text {
			t.Errorf("%q became %q, %v", text, w, err)
		}
	}
	if w, err := ParseWhen(""); err != nil || w != (When{}) {
		t.Errorf("no text became %v, %v", w, err)
	}
	for _, text := range []string{"never", "command", "command:", "always: now", "file:  "} {
		if w, err := ParseWhen(text); err == nil {
			t.Errorf("%q became %v", text, w)
		}
	}
}

func FuzzParseWhen(f *testing.F) {
	f.Add("Command :  git  push ")
	f.Add("error: a:b")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWhen(text)
		if err != nil {
			return
		}
		if again, err := ParseWhen(w.String()); err != nil || again != w {
			t.Errorf("%v written and read is %v, %v", w, again, err)
		}
	})
}
