package library

import (
	"context"
	"errors"
	"io/fs"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// mostFrozen is how much of a store is read for that, in bytes.
const mostFrozen = 256 << 10

// frozen completes what a session got that still has an earlier state of its store: from
// the history, where all that changed since was changed here.
func (l *Library) frozen(ctx context.Context, id memory.StoreID, s system.Store, r memory.Recall) memory.Recall {
	info := s.Info()
	if info.Earlier == nil || r.LastSession == nil || r.LastSession.Unknown == "" || r.LastSession.At.IsZero() {
		return r
	}
	data, cut, err := quietread.ReadFile(info.Place.Path, mostFrozen)
	if cut || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r
	}
	text := string(data)
	c, err := l.curator(id)
	if err != nil {
		return r
	}
	steps, first, ok, err := c.Since(ctx, r.LastSession.At)
	if err != nil || !ok {
		return r
	}
	for _, step := range steps {
		if text, ok = before(text, step); !ok {
			return r // somebody else wrote in between
		}
	}
	got := info.Earlier(*r.LastSession, r, text)
	if got.Unknown == "" {
		got.Source = "the history of Winnow: what stood there before your change of " + first.In(l.now().Location()).Format("2006-01-02 15:04")
	}
	r.LastSession = &got
	return r
}

// before returns the text that a replacement was made from, where text is what it led to.
func before(text string, s memory.Splices) (string, bool) {
	if atomicfile.Digest([]byte(text)) != s.To {
		return "", false
	}
	earlier, ok := jsonl.Splice(text, jsonl.Inverse(s.Parts))
	return earlier, ok && atomicfile.Digest([]byte(earlier)) == s.From
}
