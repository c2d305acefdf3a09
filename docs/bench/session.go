//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// The terminal that programs are measured in.
const (
	columns = 120
	rows    = 40
)

// patience bounds every wait for a program.
const patience = 15 * time.Second

// chunk is what one read of the terminal returned, and when.
type chunk struct {
	at   time.Time
	text []byte
}

// session is a program running in a pseudo-terminal of ours. One goroutine reads
// what it writes, at the moment it is written; all else happens on the caller's.
type session struct {
	cmd   *exec.Cmd
	tty   *os.File
	out   chan chunk
	start time.Time // just before the program was started
	mute  bool      // the terminal answers no query
	text  []byte    // all that the program wrote
	asked int       // how much of text was searched for queries
}

// launch starts argv in dir. A mute terminal answers no query.
func launch(argv []string, dir string, mute bool) (*session, error) {
	s := &session{cmd: exec.Command(argv[0], argv[1:]...), out: make(chan chunk, 4096), mute: mute}
	s.cmd.Dir = dir
	s.cmd.Env = []string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"),
	}
	s.start = time.Now()
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	s.tty = tty
	go s.read()
	return s, nil
}

func (s *session) read() {
	defer close(s.out)
	buf := make([]byte, 1<<16)
	for {
		n, err := s.tty.Read(buf)
		if n > 0 {
			s.out <- chunk{time.Now(), bytes.Clone(buf[:n])}
		}
		if err != nil {
			return
		}
	}
}

// take notes a chunk and answers the queries in it.
func (s *session) take(c chunk) {
	s.text = append(s.text, c.text...)
	if s.mute {
		return
	}
	answers, end := reply(s.text[s.asked:])
	s.asked += end
	if len(answers) > 0 {
		s.tty.Write(answers) // a program that is gone is noticed by the reader
	}
}

// waitFor reads until done holds for the text on the screen, escape sequences
// left out, and returns how long after the start that was.
func (s *session) waitFor(what string, done func(visible string) bool) (time.Duration, error) {
	limit := time.After(patience)
	for {
		select {
		case c, open := <-s.out:
			if !open {
				return 0, fmt.Errorf("wait for %s: %s ended; it wrote %q", what, s.cmd.Path, tail(s.text))
			}
			s.take(c)
			if done(ansi.Strip(string(s.text))) {
				return c.at.Sub(s.start), nil
			}
		case <-limit:
			return 0, fmt.Errorf("wait for %s: nothing for %v from %s", what, patience, s.cmd.Path)
		}
	}
}

func tail(text []byte) []byte { return text[max(0, len(text)-300):] }

// burst is what a program wrote until it fell silent.
type burst struct {
	first time.Time // zero when it wrote nothing
	bytes int
}

// drain reads until the program has been silent for quiet, or until the limit, or
// only the next chunk.
func (s *session) drain(quiet, limit time.Duration, one bool) (b burst) {
	end := time.Now().Add(limit)
	timer := time.NewTimer(min(quiet, limit))
	for {
		select {
		case c, open := <-s.out:
			if !open {
				return b
			}
			s.take(c)
			if b.bytes == 0 {
				b.first = c.at
			}
			b.bytes += len(c.text)
			if one {
				return b
			}
			timer.Reset(min(quiet, time.Until(end)))
		case <-timer.C:
			return b
		}
	}
}

// answer waits for what the program writes next, and until it has been silent for
// quiet after that.
func (s *session) answer(quiet time.Duration) burst {
	first := s.drain(2*time.Second, 2*time.Second, true)
	if first.bytes > 0 {
		rest := s.drain(quiet, time.Second, false)
		first.bytes += rest.bytes
	}
	return first
}

// settle lets the program finish what it does after its first frame.
func (s *session) settle() { s.drain(200*time.Millisecond, patience, false) }

// press sends a key and returns when.
func (s *session) press(key string) (time.Time, error) {
	at := time.Now()
	_, err := s.tty.WriteString(key)
	return at, err
}

// quit asks the program to end, and ends it if it does not.
func (s *session) quit() {
	s.tty.WriteString("q")
	go func() {
		for range s.out { // until the terminal is closed, so that no write blocks
		}
	}()
	gone := make(chan struct{})
	go func() {
		s.cmd.Wait()
		close(gone)
	}()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		select {
		case <-gone:
			s.tty.Close()
			return
		case <-time.After(2 * time.Second):
			s.cmd.Process.Signal(sig)
		}
	}
	<-gone
	s.tty.Close()
}
