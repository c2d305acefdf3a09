package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/atomicfile"
	"winnow/core/audit/baseline"
	"winnow/core/memory"
)

// ignoredName is the file in the state folder that holds the findings that a person
// ignores, in the form of a baseline.
const ignoredName = "ignored.json"

// Ignored returns the findings that this machine ignores, including expired entries. The
// error is a *memory.Problem when the file cannot be read: then nothing is ignored.
func (l *Library) Ignored(context.Context) ([]memory.Ignore, error) {
	if l.state.Dir == "" {
		return nil, nil
	}
	f, err := os.ReadFile(filepath.Join(l.state.Dir, ignoredName))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, &memory.Problem{Code: "ignored", What: "read ignored findings: " + err.Error(), Hint: "make the file readable; until then nothing is ignored"}
	}
	return baseline.Decode(f)
}

// Ignore ignores some findings and no longer ignores others, by their fingerprints. A
// finding that is ignored already gets the new reason.
func (l *Library) Ignore(ctx context.Context, add []memory.Ignore, remove []string) error {
	if l.readOnly {
		return fmt.Errorf("ignore findings: %w", memory.ErrReadOnly)
	}
	if l.state.Dir == "" {
		return &memory.Problem{Code: "no-state", What: "ignore findings: there is no folder to keep that in", Hint: "set HOME or XDG_STATE_HOME"}
	}
	temp, err := atomicfile.NewTemp(l.state.Rand)
	if err != nil {
		return err
	}
	_, err = atomicfile.Replace(ctx, atomicfile.OS(), filepath.Join(l.state.Dir, ignoredName), atomicfile.Update{
		Temp:  temp,
		Next:  func(now []byte) ([]byte, error) { return decided(now, add, remove) },
		Adopt: func(_, _, found []byte) ([]byte, error) { return decided(found, add, remove) },
	})
	l.touch("")
	return err
}

// decided returns a baseline with the decisions made.
func decided(now []byte, add []memory.Ignore, remove []string) ([]byte, error) {
	var list []memory.Ignore
	if len(now) > 0 {
		var err error
		if list, err = baseline.Decode(now); err != nil {
			return nil, err
		}
	}
	list = slices.DeleteFunc(list, func(i memory.Ignore) bool {
		again := func(a memory.Ignore) bool { return a.Fingerprint == i.Fingerprint }
		return slices.Contains(remove, i.Fingerprint) || slices.ContainsFunc(add, again)
	})
	return baseline.Encode(append(list, add...)), nil
}
