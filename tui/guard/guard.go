// Package guard keeps a panic of the program from reaching the terminal: the
// program ends as if the user had quit, so that the terminal is restored first,
// and the panic is kept for the one who started it.
package guard

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Crash is what is known of a panic.
type Crash struct {
	Value string
	Stack string
}

// Model is a tea.Model around another one. Panics of its methods and of its
// commands are caught.
type Model struct {
	inner tea.Model
	// quit ends the program from outside of an update.
	quit func()

	mu    sync.Mutex
	crash *Crash
}

// New returns a guarded model. quit is called, on a goroutine of its own, when
// drawing panics; it has to end the program.
func New(inner tea.Model, quit func()) *Model { return &Model{inner: inner, quit: quit} }

// Crash returns the first panic, or nil.
func (m *Model) Crash() *Crash {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.crash
}

// Init implements tea.Model.
func (m *Model) Init() (cmd tea.Cmd) {
	defer m.recovered(func() { cmd = tea.Quit })
	return m.guard(m.inner.Init())
}

// Update implements tea.Model.
func (m *Model) Update(t tea.Msg) (same tea.Model, cmd tea.Cmd) {
	same = m
	if m.Crash() != nil {
		return m, tea.Quit
	}
	defer m.recovered(func() { cmd = tea.Quit })
	m.inner, cmd = m.inner.Update(t)
	return m, m.guard(cmd)
}

// View implements tea.Model.
func (m *Model) View() (v tea.View) {
	if m.Crash() != nil {
		return tea.NewView("")
	}
	defer m.recovered(func() {
		v = tea.NewView("")
		go m.quit()
	})
	return m.inner.View()
}

// crashedMsg wakes the program after a command panicked.
type crashedMsg struct{}

// recovered notes a panic and then calls then. It is to be deferred.
func (m *Model) recovered(then func()) {
	r := recover()
	if r == nil {
		return
	}
	m.mu.Lock()
	if m.crash == nil {
		m.crash = &Crash{Value: fmt.Sprint(r), Stack: string(debug.Stack())}
	}
	m.mu.Unlock()
	then()
}

// guard returns a command that survives a panic of cmd, and of the commands that
// cmd results in.
func (m *Model) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (t tea.Msg) {
		defer m.recovered(func() { t = crashedMsg{} })
		return m.guardAll(cmd())
	}
}

// guardAll guards the commands in a message that is a list of commands: a batch
// or a sequence, whose type has no public name.
func (m *Model) guardAll(t tea.Msg) tea.Msg {
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
