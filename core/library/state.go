package library

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"winnow/core/system"
)

// How much history is kept of a store unless something else is asked for.
const (
	keepDays = 90
	keepMB   = 50
)

// State says where Winnow keeps what it knows about stores, and how much of it.
type State struct {
	Dir       string // empty when there is no place for it: nothing can be changed then
	Rand      io.Reader
	KeepFor   time.Duration
	KeepBytes int64
}

// StateIn returns the state of a user: below $XDG_STATE_HOME, or ~/.local/state
// when that is not an absolute path, as the XDG specification has it.
// $WINNOW_HISTORY_DAYS and $WINNOW_HISTORY_MB say how much history of a store is
// kept, 0 without limit; the error says that one of them is not an integer.
func StateIn(env system.Env, random io.Reader) (State, error) {
	days, err := setting(env, "WINNOW_HISTORY_DAYS", keepDays, 100_000)
	mb, mbErr := setting(env, "WINNOW_HISTORY_MB", keepMB, 1_000_000)
	s := State{Rand: random, KeepFor: time.Duration(days) * 24 * time.Hour, KeepBytes: mb << 20}
	home, _ := env.Lookup("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(home):
		s.Dir = filepath.Join(home, "winnow")
	case env.Home != "":
		s.Dir = filepath.Join(env.Home, ".local", "state", "winnow")
	}
	return s, cmp.Or(err, mbErr)
}

// setting returns the integer in a variable of the environment, at most most,
// or normal when it is not set.
func setting(env system.Env, name string, normal, most int64) (int64, error) {
	text, _ := env.Lookup(name)
	if text == "" {
		return normal, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > most {
		return normal, fmt.Errorf("read %s: %q: want an integer from 0 to %d", name, text, most)
	}
	return n, nil
}
