package cli

import (
	"bytes"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"winnow/cli/output"
)

// display sets how the output is shown: whether in colours, and in a pager if it may be longer than
// the screen. done ends the pager.
func (p *program) display(paged bool) (done func() error) {
	if paged && p.OutTTY && !p.noPager && !p.json && p.Height > 0 {
		if words := p.pagerWords(); words != nil {
			p.pager = &pager{
				words:   words,
				to:      p.Out,
				err:     p.Err,
				room:    p.Height - 1,
				lookup:  p.Lookup,
				program: p.programOf,
			}
			p.out = output.New(p.pager, p.Width, false)
		}
	}
	p.out.Reveal, p.out.Colours = p.reveal, p.colours()
	if p.pager == nil {
		return func() error { return nil }
	}
	return p.pager.close
}

// colours reports whether to use colours. The flag takes precedence over the conventions of the
// environment.
func (p *program) colours() bool {
	term, _ := p.Lookup("TERM")
	none, _ := p.Lookup("NO_COLOR")
	some, set := p.Lookup("CLICOLOR")
	switch {
	case p.colour != "auto":
		return p.colour == "always"
	case none != "":
		return false
	case p.has("CLICOLOR_FORCE"):
		return true
	}
	return p.OutTTY && term != "dumb" && !strings.HasPrefix(term, "vt") && !(set && some == "0")
}

// pagerWords returns the words of the user's pager command, or nil for none.
func (e *Env) pagerWords() []string {
	v, set := e.Lookup("PAGER")
	if term, _ := e.Lookup("TERM"); term == "dumb" {
		return nil
	}
	if !set {
		v = defaultPrograms(runtime.GOOS).pager
	}
	words := e.commandWords(v)
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil
	}
	return words
}

// pager is a terminal that shows short output at once, and passes longer output to a program that
// shows it page by page.
type pager struct {
	words   []string
	to, err io.Writer
	room    int // lines
	lookup  func(string) (string, bool)
	program func(words []string) *exec.Cmd

	held  []byte // held back until it is too long
	shown int    // bytes of it already shown
	cmd   *exec.Cmd
	input io.WriteCloser
}

// Write implements io.Writer.
func (p *pager) Write(b []byte) (int, error) {
	if p.input != nil {
		return p.input.Write(b)
	}
	if p.held = append(p.held, b...); bytes.Count(p.held, []byte("\n")) > p.room {
		if err := p.start(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// start starts the pager. If it cannot be started, there is none.
func (p *pager) start() (err error) {
	p.cmd = p.program(p.words)
	p.cmd.Stdout, p.cmd.Stderr = p.to, p.err
	p.cmd.Env = slices.Clip(p.cmd.Environ())
	if _, set := p.lookup("LESS"); !set { // as git does: quit if everything fits, colours, no alternate screen
		p.cmd.Env = append(p.cmd.Env, "LESS=FRX")
	}
	if p.input, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.cmd, p.input, p.room = nil, nil, len(p.held)+1<<30
		return nil
	}
	_, err = p.input.Write(p.held)
	p.held, p.shown = nil, 0
	return err
}

// flush shows what was printed so far, unless the pager is running. If the output turns out to be
// longer than the screen, the pager shows it again from the start.
func (p *program) flush() {
	p.out.Flush()
	if g := p.pager; g != nil && g.cmd == nil {
		_, _ = g.to.Write(g.held[g.shown:]) // close reports a failure of the terminal
		g.shown = len(g.held)
	}
}

// runs reports whether the pager is running.
func (p *pager) runs() bool { return p != nil && p.cmd != nil }

// close writes what is left, and waits until the person leaves the pager. Leaving it early is not a
// failure.
func (p *pager) close() error {
	_, err := p.to.Write(p.held[p.shown:])
	if p.cmd != nil {
		_ = p.input.Close()
		_ = p.cmd.Wait() // its status says nothing about us
	}
	return err
}
