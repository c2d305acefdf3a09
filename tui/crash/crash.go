// Package crash keeps a panic from leaving the terminal in a broken state: the program ends as if
// the user had quit, which restores the terminal, and the panic is kept for the caller.
package crash

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Report describes a panic.
type Report struct {
	Value string
	Stack string
}

// Catcher keeps the first panic of a program, on any goroutine. It is safe for concurrent use.
type Catcher struct {
	caught chan struct{}

	mu     sync.Mutex // guards report
	report *Report
}

// NewCatcher returns a Catcher that has caught nothing.
func NewCatcher() *Catcher { return &Catcher{caught: make(chan struct{})} }

// Report returns the first panic, or nil.
func (c *Catcher) Report() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.report
}

// Caught is closed at the first panic. The program must then end.
func (c *Catcher) Caught() <-chan struct{} { return c.caught }

// Go runs f on a new goroutine, and catches its panic.
func (c *Catcher) Go(f func()) {
	go func() {
		defer c.recovered(func() {})
		f()
	}()
}

// recovered records a panic and then calls then. It must be deferred.
func (c *Catcher) recovered(then func()) {
	r := recover()
	if r == nil {
		return
	}
	c.mu.Lock()
	if c.report == nil {
		c.report = &Report{Value: fmt.Sprint(r), Stack: string(debug.Stack())}
		close(c.caught)
	}
	c.mu.Unlock()
	then()
}

// model is a tea.Model that wraps another one.
type model struct {
	inner tea.Model
	*Catcher
}

// Wrap returns inner such that panics in its methods and commands are caught.
func Wrap(inner tea.Model, c *Catcher) tea.Model { return model{inner, c} }

// Init implements tea.Model.
func (m model) Init() (cmd tea.Cmd) {
	defer m.recovered(func() { cmd = tea.Quit })
	return m.guard(m.inner.Init())
}

// Update implements tea.Model.
func (m model) Update(t tea.Msg) (same tea.Model, cmd tea.Cmd) {
	if m.Report() != nil {
		return m, tea.Quit
	}
	defer m.recovered(func() { same, cmd = m, tea.Quit })
	m.inner, cmd = m.inner.Update(t)
	return m, m.guard(cmd)
}

// View implements tea.Model.
func (m model) View() (v tea.View) {
	if m.Report() != nil {
		return tea.NewView("")
	}
	defer m.recovered(func() { v = tea.NewView("") })
	return m.inner.View()
}

// caughtMsg wakes the program after a command panicked.
type caughtMsg struct{}

// guard returns a command that survives a panic of cmd, and of the commands that cmd returns.
func (m model) guard(cmd tea.Cmd) tea.Cmd {
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
func (m model) guardAll(t tea.Msg) tea.Msg {
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
