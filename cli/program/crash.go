package program

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// panicReport describes a panic.
type panicReport struct {
	Value string
	Stack string
}

// panics keeps the first panic of a program, on any goroutine, so that it does not leave the terminal in a broken
// state: the program ends as if the user had quit, which restores the terminal. It is safe for concurrent use.
type panics struct {
	caught chan struct{} // closed at the first panic; the program must then end

	mu     sync.Mutex // guards report
	report *panicReport
}

func newPanics() *panics { return &panics{caught: make(chan struct{})} }

// first returns the first panic, or nil.
func (c *panics) first() *panicReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.report
}

// start runs f on a new goroutine, and catches its panic.
func (c *panics) start(f func()) {
	go func() {
		defer c.recovered(func() {})
		f()
	}()
}

// recovered records a panic and then calls then. It must be deferred.
func (c *panics) recovered(then func()) {
	r := recover()
	if r == nil {
		return
	}
	c.mu.Lock()
	if c.report == nil {
		c.report = &panicReport{Value: fmt.Sprint(r), Stack: string(debug.Stack())}
		close(c.caught)
	}
	c.mu.Unlock()
	then()
}

// guardedModel is a tea.Model that wraps another one.
type guardedModel struct {
	inner tea.Model
	*panics
}

// guarded returns inner such that panics in its methods and commands are caught.
func guarded(inner tea.Model, c *panics) tea.Model { return guardedModel{inner, c} }

// Init implements tea.Model.
func (m guardedModel) Init() (cmd tea.Cmd) {
	defer m.recovered(func() { cmd = tea.Quit })
	return m.guard(m.inner.Init())
}

// Update implements tea.Model.
func (m guardedModel) Update(t tea.Msg) (same tea.Model, cmd tea.Cmd) {
	if m.first() != nil {
		return m, tea.Quit
	}
	defer m.recovered(func() { same, cmd = m, tea.Quit })
	m.inner, cmd = m.inner.Update(t)
	return m, m.guard(cmd)
}

// View implements tea.Model.
func (m guardedModel) View() (v tea.View) {
	if m.first() != nil {
		return tea.NewView("")
	}
	defer m.recovered(func() { v = tea.NewView("") })
	return m.inner.View()
}

// caughtMsg wakes the program after a command panicked.
type caughtMsg struct{}

// guard returns a command that survives a panic of cmd, and of the commands that cmd returns.
func (m guardedModel) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (t tea.Msg) {
		defer m.recovered(func() { t = caughtMsg{} })
		return m.guardAll(cmd())
	}
}

// guardAll guards the commands in a message that is a list of commands: a batch, or a sequence,
// whose type is not exported.
func (m guardedModel) guardAll(t tea.Msg) tea.Msg {
	v := reflect.ValueOf(t)
	if t == nil || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return t
	}
	guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		cmd, _ := v.Index(i).Interface().(tea.Cmd)
		guarded.Index(i).Set(reflect.ValueOf(m.guard(cmd)))
	}
	return guarded.Interface()
}
