package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
)

// far is a share that is out of reach for some tries; sessions of agents end at the given times.
type far struct {
	Sharing
	fails int
	ends  []time.Duration
	began time.Time
	tries []time.Duration
}

func (f *far) Shares(context.Context) ([]memory.Share, error) {
	return []memory.Share{{Key: "k", Place: "store.jsonl"}}, nil
}

func (f *far) Sync(context.Context, memory.SyncOrder) (memory.Synced, error) {
	f.tries = append(f.tries, time.Since(f.began))
	if f.fails--; f.fails >= 0 {
		return memory.Synced{}, errors.New("the remote cannot be reached")
	}
	return memory.Synced{}, nil
}

// SyncsDue passes on what a follower of one file does: of several ends before it is read, one is left.
func (f *far) SyncsDue(ctx context.Context) <-chan struct{} {
	due := make(chan struct{}, 1)
	go func() {
		for _, at := range f.ends {
			select {
			case <-time.After(at - time.Since(f.began)):
			case <-ctx.Done():
				return
			}
			select {
			case due <- struct{}{}:
			default:
			}
		}
	}()
	return due
}

// TestWatchSyncsAtMostOnceAMinute: it syncs at its start and after each session, never twice within a minute, and waits
// twice as long after each failure.
func TestWatchSyncsAtMostOnceAMinute(t *testing.T) {
	s, m := time.Second, time.Minute
	for name, c := range map[string]struct {
		far
		want []time.Duration
	}{
		"no session":      {want: []time.Duration{0}},
		"a session later": {far: far{ends: []time.Duration{10 * m}}, want: []time.Duration{0, 10 * m}},
		"three at once": {
			far:  far{ends: []time.Duration{10 * s, 11 * s, 12 * s}},
			want: []time.Duration{0, m},
		},
		"two failures, then a session": {
			far:  far{fails: 2, ends: []time.Duration{20 * m}},
			want: []time.Duration{0, 2 * m, 6 * m, 20 * m},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 25*m)
				defer cancel()
				c.began = time.Now()
				Run(
					ctx,
					Env{
						Out:     io.Discard,
						Err:     io.Discard,
						Sharing: &c.far,
						Now:     time.Now,
						Zone:    time.UTC,
						Lookup:  func(string) (string, bool) { return "", false },
					},
					[]string{"sync", "--watch"},
				)
				if !slices.Equal(c.tries, c.want) {
					t.Errorf("synced at %v, want %v", c.tries, c.want)
				}
			})
		})
	}
}
