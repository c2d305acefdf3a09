package program

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	lookup  func(string) (string, bool)
	plain   bool                   // the terminal may receive nothing but lines
	private func() (string, error) // returns a folder that only the user can read, the same each time
}

func newClip(lookup func(string) (string, bool), plain bool) clip {
	return clip{lookup, plain, sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "winnow-") })}
}

// copy copies a text. It returns the escape sequence to send to the terminal, and which way was
// taken. If the terminal takes no text, the sequence is empty and the text is kept in a file.
func (c clip) copy(text string) (sequence, way string, err error) {
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
			return ansi.TmuxPassthrough(ansi.SetSystemClipboard(text)), "Sent past tmux to the clipboard, if the terminal allows", nil
		}
		why = " (tmux has neither set-clipboard nor allow-passthrough on)"
	case gnu != "" || program == "Apple_Terminal" || slices.Contains([]string{"", "dumb", "linux", "vt100", "vt220", "ansi"}, name):
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
	out, _ := exec.CommandContext(ctx, "tmux", "display-message", "-p", "-t", pane, "#{set-clipboard} #{allow-passthrough}").Output()
	clipboard, passing, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return clipboard == "on", slices.Contains([]string{"1", "on", "all"}, passing)
}

// saveFile writes a text to a file that only the user can read, replacing the previous one, and returns
// its path.
func (c clip) saveFile(text string) (path string, err error) {
	dir, _ := c.lookup("XDG_RUNTIME_DIR")
	if dir = filepath.Join(dir, "winnow"); !filepath.IsAbs(dir) || os.MkdirAll(dir, 0o700) != nil {
		if dir, err = c.private(); err != nil {
			return "", err
		}
	}
	path = filepath.Join(dir, "copy.txt")
	return path, os.WriteFile(path, []byte(text), 0o600)
}
