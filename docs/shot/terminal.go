//go:build unix

package main

import (
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The colours of the terminal that the pictures show.
var (
	paper = color.RGBA{0x1a, 0x1b, 0x26, 0xff}
	ink   = color.RGBA{0xc8, 0xcc, 0xd8, 0xff}
)

// terminal runs a program and keeps the screen that it paints.
type terminal struct {
	cmd *exec.Cmd
	tty *os.File

	mu      sync.Mutex // guards what follows
	screen  *vt.Emulator
	painted time.Time // the last time something was written
}

// start runs argv in a terminal of w x h cells that is dark and knows all
// colours. Its home is the folder home.
func start(argv []string, home string, w, h int) (*terminal, error) {
	t := &terminal{cmd: exec.Command(argv[0], argv[1:]...), screen: vt.NewEmulator(w, h)}
	t.screen.SetBackgroundColor(paper)
	t.screen.SetForegroundColor(ink)
	t.cmd.Dir = home
	t.cmd.Env = []string{
		"TERM=xterm-256color",
		"COLORTERM=truecolor",
		"LANG=C.UTF-8",
		"HOME=" + home,
		"PATH=" + os.Getenv("PATH"),
	}
	tty, err := pty.StartWithSize(t.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	t.tty = tty
	go io.Copy(tty, onlyReader{t.screen}) // the answers to queries, which block the emulator while nobody reads them
	go t.paint()
	return t, nil
}

type onlyReader struct{ io.Reader }

func (t *terminal) paint() {
	buf := make([]byte, 1<<16)
	for {
		n, err := t.tty.Read(buf)
		t.mu.Lock()
		t.screen.Write(buf[:n])
		t.painted = time.Now()
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// see waits until the screen shows text and has then been still for a moment.
func (t *terminal) see(text string) error {
	const still, patience = 400 * time.Millisecond, 20 * time.Second
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		t.mu.Lock()
		shown := strings.Contains(t.screen.String(), text) && time.Since(t.painted) > still
		t.mu.Unlock()
		if shown {
			return nil
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Errorf("wait for %q: the screen shows\n%s", text, t.screen.String())
}

// press types keys, one after the other, as a person would.
func (t *terminal) press(keys ...string) {
	for _, k := range keys {
		t.tty.WriteString(k)
		time.Sleep(60 * time.Millisecond)
	}
}

// picture returns the screen as an SVG image.
func (t *terminal) picture() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return picture(t.screen)
}

// frame returns the screen as a frame with a note below it.
func (t *terminal) frame(note string) frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return frameOf(t.screen, note)
}

// end asks the program to quit, and ends it if it does not.
func (t *terminal) end() error {
	gone := make(chan error, 1)
	go func() { gone <- t.cmd.Wait() }()
	t.press("\x03")
	select {
	case err := <-gone:
		return err
	case <-time.After(5 * time.Second):
		t.cmd.Process.Kill()
		<-gone
		return fmt.Errorf("quit %s: it did not end", t.cmd.Path)
	}
}
