//go:build agents

package agents

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Terminal is an agent with a person before it. It ends with the test.
type Terminal struct {
	cmd  *exec.Cmd
	file *os.File
	mu   sync.Mutex // guards emu
	emu  *vt.Emulator
	done sync.WaitGroup
	once sync.Once
}

// Terminal starts an agent in a terminal, where it asks what it does not ask in a run.
func (m *Model) Terminal(t testing.TB, a Agent, home, project string) *Terminal {
	t.Helper()
	a.prepare(t, home)
	c := &Terminal{cmd: exec.Command(a.path(), a.options(m.URL)...), emu: vt.NewEmulator(120, 40)}
	c.cmd.Dir, c.cmd.Env = project, a.Environment(home, m.URL)
	var err error
	if c.file, err = pty.StartWithSize(c.cmd, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatalf("start %s: %v", a, err)
	}
	c.done.Go(func() { _, _ = io.Copy(c.file, c.emu) }) // what a terminal answers
	c.done.Go(func() {
		buffer := make([]byte, 32<<10)
		for {
			n, err := c.file.Read(buffer)
			c.mu.Lock()
			_, _ = c.emu.Write(buffer[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(c.Close)
	return c
}

// Screen returns what the screen shows.
func (c *Terminal) Screen() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.emu.String()
}

// Type types keys.
func (c *Terminal) Type(keys string) { _, _ = c.file.WriteString(keys) } // it may have ended

// Close ends the agent.
func (c *Terminal) Close() {
	c.once.Do(func() {
		_ = c.cmd.Process.Kill() // it may have ended
		_ = c.cmd.Wait()         // it was killed
		_ = c.file.Close()
		_ = c.emu.Close()
		c.done.Wait()
	})
}
