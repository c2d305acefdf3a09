package git

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// mostSilences is how many times its longest silence a run may take in all, so that a remote that says a
// little now and then does not hold it for ever.
const mostSilences = 30

// EndingSilence returns a git whose runs are killed when they print nothing for that long. Their
// [Failure] then has Silent set.
func (g Git) EndingSilence(longest time.Duration) Git {
	g.silence = longest
	return g
}

// listener ends a run that says nothing for too long.
type listener struct {
	cancel  context.CancelFunc
	longest time.Duration
	timers  []*time.Timer // of the silence, then of the whole run; none if it may be silent for ever
	ended   atomic.Bool
	pipe    atomic.Pointer[string] // a pipe that git would read for ever; see lookBelow
}

// listen returns the context of a run, and what ends it.
func (g Git) listen(ctx context.Context) (context.Context, *listener) {
	ctx, cancel := context.WithCancel(ctx)
	l := &listener{cancel: cancel, longest: g.silence}
	if g.silence > 0 {
		end := func() {
			l.ended.Store(true)
			cancel()
		}
		l.timers = []*time.Timer{time.AfterFunc(g.silence, end), time.AfterFunc(mostSilences*g.silence, end)}
	}
	return ctx, l
}

// heard notes that git said something.
func (l *listener) heard() {
	if len(l.timers) > 0 {
		l.timers[0].Reset(l.longest)
	}
}

// stop frees what the listener holds. It may be called again.
func (l *listener) stop() {
	for _, t := range l.timers {
		t.Stop()
	}
	l.cancel()
}

// heardWriter and heardReader tell a listener of what passes them.
type heardWriter struct {
	io.Writer
	*listener
}

func (w heardWriter) Write(p []byte) (int, error) {
	w.heard()
	return w.Writer.Write(p)
}

type heardReader struct {
	io.Reader
	*listener
}

func (r heardReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.heard()
	}
	return n, err
}
