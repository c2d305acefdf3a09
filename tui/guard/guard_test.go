package guard

import (
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// model panics where it is told to.
type model struct{ init, update, view, cmd func() }

type goMsg struct{}

func call(f func()) {
	if f != nil {
		f()
	}
}

func (m model) Init() tea.Cmd {
	call(m.init)
	return func() tea.Msg { return goMsg{} }
}

func (m model) Update(t tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := t.(goMsg); ok {
		call(m.update)
		return m, tea.Batch(nil, tea.Sequence(
			func() tea.Msg { return nil },
			func() tea.Msg { call(m.cmd); return tea.Quit() },
		))
	}
	return m, nil
}

func (m model) View() tea.View {
	call(m.view)
	return tea.NewView("all well")
}

func boom() { panic("boom") }

func run(t *testing.T, inner model) *Model {
	t.Helper()
	var p *tea.Program
	m := New(inner, func() { p.Quit() })
	p = tea.NewProgram(m, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignals())
	if _, err := p.Run(); err != nil {
		t.Fatalf("the program ended with %v, want it to quit", err)
	}
	return m
}

func TestPanicEndsTheProgramAndIsKept(t *testing.T) {
	for name, inner := range map[string]model{
		"init": {init: boom}, "update": {update: boom}, "view": {view: boom}, "command": {cmd: boom},
	} {
		t.Run(name, func(t *testing.T) {
			crash := run(t, inner).Crash()
			if crash == nil || crash.Value != "boom" {
				t.Fatalf("crash is %+v, want boom", crash)
			}
			if !strings.Contains(crash.Stack, "guard_test.boom") && !strings.Contains(crash.Stack, "guard.boom") {
				t.Errorf("the stack does not show where the panic was:\n%s", crash.Stack)
			}
		})
	}
}

func TestProgramWithoutPanicHasNoCrash(t *testing.T) {
	if crash := run(t, model{}).Crash(); crash != nil {
		t.Errorf("crash is %+v, want none", crash)
	}
}
