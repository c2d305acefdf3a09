package curate_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/curate"
	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
)

// rules is a file that is not a store.
const rules = "# Rules\r\n\nuse " + token + "\nand " + token + " again"

func cleanText(text string) string { return strings.ReplaceAll(text, token, "[REDACTED]") }

// take replaces the token.
func take(text []byte) ([]byte, int) {
	return plan.RedactText(text, false, []string{token}, detect.Random)
}

func TestAFileThatIsNoStoreIsRedactedInPlace(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "CLAUDE.md")
	if err := os.WriteFile(real, []byte(rules), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("AGENTS.md", link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	n, err := curate.RedactFile(t.Context(), atomicfile.OS(), link, take)
	if n != 2 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	text, err := os.ReadFile(real)
	if string(text) != cleanText(rules) || err != nil {
		t.Errorf("it holds %q, %v", text, err)
	}
	if target, err := os.Readlink(link); target != "AGENTS.md" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if info, err := os.Stat(real); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if found := left(t, dir, token, ".winnow"); found != nil {
		t.Error(found)
	}
	if n, err := curate.RedactFile(t.Context(), atomicfile.OS(), link, take); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
}

func TestWhatIsNoFileToRedactIsSaidAndStays(t *testing.T) {
	dir := t.TempDir()
	if _, err := curate.RedactFile(t.Context(), atomicfile.OS(), filepath.Join(dir, "missing.md"), take); !errors.Is(
		err,
		memory.ErrNotFound,
	) {
		t.Errorf("missing: %v", err)
	}
	if _, err := curate.RedactFile(t.Context(), atomicfile.OS(), filepath.Join(dir, "no", "missing.md"), take); !errors.Is(
		err,
		memory.ErrNotFound,
	) {
		t.Errorf("missing folder: %v", err)
	}
	var p *memory.Problem
	if _, err := curate.RedactFile(t.Context(), atomicfile.OS(), dir, take); !errors.As(err, &p) {
		t.Errorf("folder: %v", err)
	}
	large := filepath.Join(dir, "it's large.jsonl")
	if err := os.WriteFile(large, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, atomicfile.MaxSize+1); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	_, err := curate.RedactFile(t.Context(), atomicfile.OS(), large, take)
	if !errors.As(err, &p) || p.Code != "too-large" || !strings.Contains(p.Hint, `sed -i -f THAT-FILE -- '`) ||
		!strings.Contains(p.Hint, `it'\''s large.jsonl'`) {
		t.Errorf("large: %v, %+v", err, p)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := curate.RedactFile(stopped, atomicfile.OS(), large, take); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestWhatOthersSaveMeanwhileStaysAndIsRedactedToo(t *testing.T) {
	const path = "/w/log.jsonl"
	for _, times := range []int{1, 2, 3} {
		d := crashdisk.New(map[string]string{path: rules})
		left := times
		d.Before(func(op crashdisk.Op) {
			if op.Do == "exchange" && left > 0 {
				left--
				d.Put(path, d.Files()[path]+"\nmore "+strings.Repeat("x", left)+token)
			}
		})
		n, err := curate.RedactFile(t.Context(), d, path, take)
		want := cleanText(rules)
		for i := times - 1; i >= 0; i-- {
			want += "\nmore " + strings.Repeat("x", i) + "[REDACTED]"
		}
		got := d.Files()[path]
		if !slices.Equal(sortedLines(got), sortedLines(want)) || !strings.HasPrefix(got, cleanText(rules)) || n == 0 ||
			err != nil ||
			left != 0 {
			t.Errorf("%d times: %q, %d, %v\nwant %q", times, got, n, err, want)
		}
		if len(d.Files()) != 1 {
			t.Errorf("%d times: it leaves %v", times, d.Files())
		}
	}
}

func TestAFileThatOthersKeepRewritingIsLeftToThem(t *testing.T) {
	const path = "/w/CLAUDE.md"
	d := crashdisk.New(map[string]string{path: rules})
	n := 0
	d.Before(func(op crashdisk.Op) {
		if op.Do == "exchange" && n < 2 {
			n++
			d.Put(path, strings.Repeat("other ", n)+token)
		}
	})
	_, err := curate.RedactFile(t.Context(), d, path, take)
	var p *memory.Problem
	if !errors.As(err, &p) {
		t.Fatalf("error %v", err)
	}
	if text := d.Files()[path]; text != "other other "+token && text != "other "+token {
		t.Errorf("the file holds %q", text)
	}
}

func TestACrashLeavesTheFileAsItWasOrRedacted(t *testing.T) {
	const path = "/w/CLAUDE.md"
	d := crashdisk.New(map[string]string{path: strings.Repeat("a line of text\n", 80) + rules})
	was := d.Files()[path]
	if n, err := curate.RedactFile(t.Context(), d, path, take); n != 2 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	d.Mark("done")
	states := 0
	for s := range d.Crashes(400) {
		states++
		files := s.Files()
		if text := files[path]; text != was && text != cleanText(was) ||
			s.Reached("done") && (text != cleanText(was) || len(files) != 1) {
			t.Fatalf("reported done: %v; the disk holds %q", s.Reached("done"), files)
		}
		for name := range files {
			if name != path && !strings.HasPrefix(name, "/w/.winnow-") {
				t.Fatalf("%s is left", name)
			}
		}
		if _, err := curate.RedactFile(t.Context(), s, path, take); err != nil {
			t.Fatalf("once more: %v", err)
		}
		if now := s.Files(); len(now) != 1 || now[path] != cleanText(was) {
			t.Fatalf("after the next run the disk holds %q, before it %q", now, files)
		}
	}
	if t.Logf("%d states", states); states < 40 {
		t.Errorf("%d states, want at least 40", states)
	}
}

func TestAFailureWhileAFileIsRedactedChangesNothing(t *testing.T) {
	const path = "/w/CLAUDE.md"
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EROFS} {
		for op := 1; ; op++ {
			d := crashdisk.New(map[string]string{path: rules})
			d.Fail(op, crashdisk.Fault{Err: errno, Short: 3})
			_, err := curate.RedactFile(t.Context(), d, path, take)
			if d.Ops() < op {
				break
			}
			text := d.Files()[path]
			if err != nil && text != rules || err == nil && text != cleanText(rules) || len(d.Files()) != 1 {
				t.Fatalf("%v at %d: %v, and the disk holds %q", errno, op, err, d.Files())
			}
		}
	}
}

func TestWhatIsRedactedIsAskedForAgainOfWhatStands(t *testing.T) {
	const path = "/w/a.md"
	d := crashdisk.New(map[string]string{path: "a"})
	n, err := curate.RedactFile(t.Context(), d, path, func(text []byte) ([]byte, int) { return bytes.Clone(text), 3 })
	if n != 3 || err != nil || d.Files()[path] != "a" {
		t.Errorf("%d, %v, %q", n, err, d.Files())
	}
}
