package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/statefile"
	"winnow/core/system"
)

// mostSettings is the size limit of an agent's settings file, in bytes.
const mostSettings = 1 << 20

// AgentSettings returns the text of an agent's settings file, "" if there is none or an empty one, and the
// note of the last [Server.ChangeSettings]. The settings of a project must not be a link that leads out of
// it: the error is then a *memory.Problem.
func (sv *Server) AgentSettings(path string, inProject bool) (text, noted string, err error) {
	if err := sv.staysInProject(path, inProject); err != nil {
		return "", "", err
	}
	if sv.state.Dir != "" {
		note, _ := sv.settingsNote(path).Read() // without a note there is nothing to compare
		noted, _ = readSettingsNote(note)
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

// staysInProject returns why a settings file is neither read nor written, or nil: one of a project leads out of it,
// or there is no home folder for one of the user.
func (sv *Server) staysInProject(path string, inProject bool) error {
	if !filepath.IsAbs(path) {
		return &memory.Problem{
			Code: "no-home", What: "there is no home folder, so the agent's own settings are nowhere",
			Hint: "set HOME, or name the settings of this project with --project",
		}
	}
	if !inProject {
		return nil
	}
	err := sv.lib.MayWriteFile(system.Resolved(path), path)
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		p.Hint = "replace the link by a file; your own settings are changed without --project"
	}
	return err
}

// ChangeSettings replaces the text of an agent's settings file if it is still was. It follows links. An
// empty text means no file, or an empty one if an empty one was there before the first change. It keeps no
// copy, because settings may contain keys. It saves only note, which says which part is ours.
func (sv *Server) ChangeSettings(ctx context.Context, path string, inProject bool, was, to, note string) error {
	if sv.readOnly {
		return fmt.Errorf("write %s: %w", path, memory.ErrReadOnly)
	}
	if err := sv.staysInProject(path, inProject); err != nil {
		return err
	}
	target := system.Resolved(path)
	if sv.state.Dir == "" {
		before := settingsBefore{}
		if was == "" {
			before = foundAt(target)
		}
		return sv.replaceSettings(ctx, target, was, to, before)
	}
	return sv.settingsNote(path).Change(ctx, statefile.ForChange, func(noted []byte) ([]byte, error) {
		_, before := readSettingsNote(noted)
		if was == "" {
			before = foundAt(target)
		}
		if err := sv.replaceSettings(ctx, target, was, to, before); err != nil {
			return nil, err
		}
		if note == "" {
			return nil, nil
		}
		return []byte(note + before.lines()), nil
	})
}

func (sv *Server) replaceSettings(ctx context.Context, path, was, to string, before settingsBefore) error {
	if to == was {
		return nil
	}
	if to == "" && !before.empty {
		err := sv.lib.RemoveFile(ctx, path, []byte(was))
		if err == nil {
			atomicfile.RemoveFolders(atomicfile.OS(), before.made)
		}
		return err
	}
	return sv.lib.ReplaceFile(ctx, path, atomicfile.Update{
		Real: true,
		Next: func(now []byte) ([]byte, error) {
			if string(now) != was {
				return nil, fmt.Errorf("write %s: %w", path, memory.ErrConflict)
			}
			return []byte(to), nil
		},
	})
}

// settingsBefore is what was in place of a settings file before setup first wrote it.
type settingsBefore struct {
	empty bool     // an empty file, and not none
	made  []string // the folders that were missing, outermost first
}

func foundAt(path string) (before settingsBefore) {
	if _, err := os.Lstat(path); err == nil {
		before.empty = true
		return before
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		before.made = append(before.made, dir)
	}
	slices.Reverse(before.made)
	return before
}

// The lines of a note that say what was there before, behind those about our entries.
const (
	wasEmpty   = "# it was empty"
	wasMissing = "# made "
)

func (b settingsBefore) lines() (text string) {
	if b.empty {
		text += "\n" + wasEmpty
	}
	for _, dir := range b.made {
		text += "\n" + wasMissing + strconv.Quote(dir)
	}
	return text
}

// readSettingsNote returns what a note of a change of a settings file says about our entries, and about what was
// there before.
func readSettingsNote(note []byte) (entries string, before settingsBefore) {
	entries, rest, _ := strings.Cut(string(note), "\n#")
	for line := range strings.Lines("#" + rest) {
		line = strings.TrimSuffix(line, "\n")
		before.empty = before.empty || line == wasEmpty
		quoted, isFolder := strings.CutPrefix(line, wasMissing)
		if dir, err := strconv.Unquote(quoted); isFolder && err == nil {
			before.made = append(before.made, dir)
		}
	}
	return entries, before
}

func (sv *Server) settingsNote(path string) statefile.File {
	return statefile.File{Path: filepath.Join(sv.state.Dir, "setup", atomicfile.ShortDigest(path))}
}
