package program

import (
	"io"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// model panics where it is told to.
type fragile struct{ init, update, view, cmd func() }

type goMsg struct{}

func call(f func()) {
	if f != nil {
		f()
	}
}

func (m fragile) Init() tea.Cmd {
	call(m.init)
	return func() tea.Msg { return goMsg{} }
}

func (m fragile) Update(t tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := t.(goMsg); ok {
		call(m.update)
		return m, tea.Batch(nil, tea.Sequence(
			func() tea.Msg { return nil },
			func() tea.Msg { call(m.cmd); return tea.Quit() },
		))
	}
	return m, nil
}

func (m fragile) View() tea.View {
	call(m.view)
	return tea.NewView("all well")
}

func boom() { panic("boom") }

// run runs a program until a panic is caught or it quits by itself.
func run(t *testing.T, inner fragile, beside func(c *panics)) *panics {
	t.Helper()
	c := newPanics()
	p := tea.NewProgram(
		guarded(inner, c),
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithWindowSize(80, 24),
		tea.WithoutSignals(),
	)
	over := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		select {
		case <-c.caught:
			p.Quit()
		case <-over:
		}
	})
	beside(c)
	_, err := p.Run()
	close(over)
	ended.Wait()
	if err != nil {
		t.Fatalf("the program ended with %v, want it to quit", err)
	}
	return c
}

func TestPanicEndsTheProgramAndIsKept(t *testing.T) {
	nothing := func(*panics) {}
	forever := func() { select {} }
	for name, c := range map[string]struct {
		inner  fragile
		beside func(*panics)
	}{
		"init":      {fragile{init: boom}, nothing},
		"update":    {fragile{update: boom}, nothing},
		"view":      {fragile{view: boom}, nothing},
		"command":   {fragile{cmd: boom}, nothing},
		"goroutine": {fragile{cmd: forever}, func(c *panics) { c.start(boom) }},
	} {
		t.Run(name, func(t *testing.T) {
			report := run(t, c.inner, c.beside).first()
			if report == nil || report.Value != "boom" {
				t.Fatalf("the report is %+v, want boom", report)
			}
			if !strings.Contains(report.Stack, "program.boom") {
				t.Errorf("the stack does not show where the panic was:\n%s", report.Stack)
			}
		})
	}
}

func TestProgramWithoutPanicHasNoReport(t *testing.T) {
	if report := run(t, fragile{}, func(*panics) {}).first(); report != nil {
		t.Errorf("the report is %+v, want none", report)
	}
}

func TestFirstPanicIsKept(t *testing.T) {
	c := newPanics()
	c.start(boom)
	<-c.caught
	func() {
		defer c.recovered(func() {})
		panic("later")
	}()
	if got := c.first().Value; got != "boom" {
		t.Errorf("the report is of %q, want boom", got)
	}
}
