package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// overtaken is how often a file is redacted once more when another program saved it
// right after.
const overtaken = 3

// RedactFile replaces secrets in a file that is no store, by what redact makes of its
// bytes, and returns how many places that were. No copy is kept. Mode, owner and links
// stay, and so does what other programs save meanwhile: it is redacted as well. A
// program that appends without opening the file anew can lose what it writes within
// the same instant.
//
// The error is that of ctx, wraps [memory.ErrNotFound], or is a *memory.Problem; the
// file is then as it was. Files over [atomicfile.MaxSize] are refused with a command
// that helps. Two at a time of one file exclude each other: hold a lock. What a process
// that was killed left beside the file is removed first, unless it holds what another
// program wrote: then it is a file like others, to be redacted as well.
func RedactFile(ctx context.Context, disk atomicfile.Disk, path string, redact func(text []byte) ([]byte, int)) (int, error) {
	atomicfile.Sweep(disk, path, atomicfile.TempOf(path), func(left, now []byte) bool {
		clean := func(text []byte) []byte { out, _ := redact(text); return out }
		return bytes.Equal(clean(left), clean(now)) // nobody else wrote it
	})
	total := 0
	for range overtaken {
		n, again, err := redactOnce(ctx, disk, path, redact)
		if err != nil && total == 0 {
			return 0, err
		}
		if total += n; err != nil || !again {
			break
		}
	}
	return total, nil
}

// redactOnce does that once. Again is set when another program saved right after.
func redactOnce(ctx context.Context, disk atomicfile.Disk, path string, redact func([]byte) ([]byte, int)) (n int, again bool, err error) {
	report, err := atomicfile.Replace(ctx, disk, path, atomicfile.Update{Temp: atomicfile.TempOf(path), Adopt: appended, Next: func(now []byte) ([]byte, error) {
		if now == nil {
			return nil, fmt.Errorf("redact %s: %w", filepath.Base(path), memory.ErrNotFound)
		}
		next, places := redact(now)
		if n = places; bytes.Equal(next, now) {
			return nil, atomicfile.ErrUnchanged
		}
		return next, nil
	}})
	if err != nil {
		return 0, false, tooLong(path, err)
	}
	return n, report.Overtaken, nil
}

// appended returns mine with the lines that found has behind base and mine has not.
// Where another program did more than append, nobody knows what it meant.
func appended(mine, base, found []byte) ([]byte, error) {
	more, ok := bytes.CutPrefix(found, base)
	if !ok && !bytes.Equal(mine, found) {
		return nil, &memory.Problem{
			Code: "busy", What: "other programs keep replacing the file",
			Hint: "wait until they are done, then try again",
		}
	}
	if !ok || len(more) == 0 {
		return mine, nil
	}
	has := map[string]int{}
	for line := range bytes.Lines(bytes.TrimPrefix(mine, base)) {
		has[string(bytes.TrimRight(line, "\r\n"))]++
	}
	out := bytes.Clone(mine)
	for line := range bytes.Lines(more) {
		if key := string(bytes.TrimRight(line, "\r\n")); has[key] > 0 {
			has[key]--
			continue
		}
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	return out, nil
}

// tooLong says what helps with a file that is too large to be replaced here.
func tooLong(path string, err error) error {
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "too-large" {
		return err
	}
	return &memory.Problem{
		Code: p.Code, What: p.What,
		Hint: "while no agent runs, write s/SECRET/[REDACTED]/g into a file outside of any repository, and run: sed -i -f THAT-FILE -- " + quoted(path),
	}
}
