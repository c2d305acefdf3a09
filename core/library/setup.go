package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// mostSettings is the size limit of an agent's settings file, in bytes.
const mostSettings = 1 << 20

// AgentSettings returns the text of an agent's settings file, "" if there is none, and the note of the last
// [Library.ChangeSettings].
func (l *Library) AgentSettings(path string) (text, noted string, err error) {
	if l.state.Dir != "" {
		state, _ := atomicfile.Look(atomicfile.OS(), l.settingsNote(path)) // without a note there is nothing to compare
		noted = string(state.Data)
	}
	data, cut, err := quietread.ReadFile(path, mostSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", noted, nil
	case err != nil:
		p := *quietread.Problem(err)
		p.What = "read " + path + ": " + p.What
		return "", noted, &p
	case cut:
		return "", noted, &memory.Problem{
			Code: "too-large", What: fmt.Sprintf("read %s: it has more than %d MiB", path, mostSettings>>20),
			Hint: "no agent's settings are that large; look what fills it",
		}
	}
	return string(data), noted, nil
}

// ChangeSettings replaces the text of an agent's settings file if it is still was. An empty text means no
// file. It keeps no copy, because settings may contain keys. It saves only note, which says which part is
// ours.
func (l *Library) ChangeSettings(ctx context.Context, path, was, to, note string) error {
	if l.readOnly {
		return fmt.Errorf("write %s: %w", path, memory.ErrReadOnly)
	}
	if err := l.replaceSettings(ctx, path, was, to); err != nil || l.state.Dir == "" {
		return err
	}
	return atomicfile.Rewrite(atomicfile.OS(), l.settingsNote(path), []byte(note))
}

func (l *Library) replaceSettings(ctx context.Context, path, was, to string) error {
	switch {
	case to == was:
		return nil
	case to == "":
		return l.RemoveFile(ctx, path, []byte(was))
	}
	return l.replace(ctx, path, atomicfile.Update{
		Next: func(now []byte) ([]byte, error) {
			if string(now) != was {
				return nil, fmt.Errorf("write %s: %w", path, memory.ErrConflict)
			}
			return []byte(to), nil
		},
	})
}

func (l *Library) settingsNote(path string) string {
	return filepath.Join(l.state.Dir, "setup", digest(path))
}
