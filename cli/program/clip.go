package program

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui"
)

const (
	// maxClip is the longest text in bytes to send to a terminal's clipboard. Some terminals drop
	// longer ones.
	maxClip = 74_000
	// tmuxTime is how long to wait for tmux to report its settings.
	tmuxTime = time.Second
)

// clip copies texts to the clipboard.
type clip struct {
	lookup func(string) (string, bool)
	plain  bool   // the terminal may receive nothing but lines
	state  string // the folder of Winnow's state, empty if there is none
}

// copy copies a text. It returns the escape sequence to send to the terminal, and where the text
// went. If the terminal takes no text, the sequence is empty and the text is kept in a file.
func (c clip) copy(text string) (sequence, where string, err error) {
	name, _ := c.lookup("TERM")
	program, _ := c.lookup("TERM_PROGRAM")
	tmux, _ := c.lookup("TMUX")
	gnu, _ := c.lookup("STY")
	why := ""
	switch {
	case c.plain:
	case len(text) > maxClip:
		why = " (it is too long for a terminal)"
	case tmux != "":
		switch taken, passed := c.tmux(); {
		case taken:
			return ansi.SetSystemClipboard(text), "Sent to the clipboard through tmux", nil
		case passed:
			sequence = ansi.TmuxPassthrough(ansi.SetSystemClipboard(text))
			return sequence, "Sent past tmux to the clipboard, if the terminal allows", nil
		}
		why = " (tmux has neither set-clipboard nor allow-passthrough on)"
	case gnu != "" || program == "Apple_Terminal" ||
		slices.Contains([]string{"", "dumb", "linux", "vt100", "vt220", "ansi"}, name):
		why = " (this terminal has no clipboard)"
	default:
		return tui.Clip(text)
	}
	path, err := c.saveFile(text)
	return "", "Kept in " + path + why, err
}

// tmux asks tmux whether it accepts copied text, and whether it passes sequences on to the outer
// terminal.
func (c clip) tmux() (taken, passed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), tmuxTime)
	defer cancel()
	pane, _ := c.lookup("TMUX_PANE")
	out, _ := exec.CommandContext(
		ctx, "tmux", "display-message", "-p", "-t", pane, "#{set-clipboard} #{allow-passthrough}",
	).Output()
	clipboard, passing, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return clipboard == "on", slices.Contains([]string{"1", "on", "all"}, passing)
}

// saveFile writes a text to a new file that only the user can read, in the place of the previous one, and returns
// its path. It follows no link.
func (c clip) saveFile(text string) (path string, err error) {
	dir := c.runtimeFolder()
	if dir == "" {
		dir = c.state
	}
	if dir == "" {
		return "", errors.New("there is no folder to keep it in: set HOME, or XDG_RUNTIME_DIR")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "copy.txt")
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return path, errors.Join(err, f.Close())
}

// runtimeFolder returns our folder in the user's folder for the time of a login. It is empty if there is none, or if
// others may write there.
func (c clip) runtimeFolder() string {
	const others = 0o022
	run, _ := c.lookup("XDG_RUNTIME_DIR")
	info, err := os.Lstat(run)
	if !filepath.IsAbs(run) || err != nil || !info.IsDir() || info.Mode()&others != 0 {
		return ""
	}
	dir := filepath.Join(run, "winnow")
	if own, err := os.Lstat(dir); err == nil && !own.IsDir() {
		return ""
	}
	return dir
}
