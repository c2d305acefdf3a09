package library

import (
	"io"
	"path/filepath"
	"time"

	"winnow/core/system"
)

// How much history is kept of a store unless something else is asked for.
const (
	keepFor   = 90 * 24 * time.Hour
	keepBytes = 50 << 20
)

// State says where Winnow keeps what it knows of stores, and how much of it.
type State struct {
	Dir       string // empty when there is no place for it: nothing can be changed then
	Rand      io.Reader
	KeepFor   time.Duration
	KeepBytes int64
}

// StateIn returns the state of a user: below $XDG_STATE_HOME, or ~/.local/state
// when that is not an absolute path, as the XDG specification has it.
func StateIn(env system.Env, random io.Reader) State {
	s := State{Rand: random, KeepFor: keepFor, KeepBytes: keepBytes}
	home, _ := env.Lookup("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(home):
		s.Dir = filepath.Join(home, "winnow")
	case env.Home != "":
		s.Dir = filepath.Join(env.Home, ".local", "state", "winnow")
	}
	return s
}
