package library

import (
	"context"
	"slices"

	"winnow/core/memory"
)

// send puts a snapshot into the channel, in place of one that nobody took.
func (f *follow) send(snap memory.Snapshot) {
	f.seq++
	snap.Seq, snap.Watch = f.seq, f.mode
	if snap.Place.Store == "" {
		snap.Place.Store = f.id
	}
	snap = masked(snap)
	snap.Place = f.lib.place(snap.Place)
	f.last = snap
	select {
	case <-f.out:
	default:
	}
	f.out <- snap
}

// askDetail asks for the details of the last snapshot, which take long, unless
// that was done just now.
func (f *follow) askDetail(ctx context.Context) {
	detail := f.sys.Info().Detail
	if detail == nil || f.asking || f.last.Problem != nil && !f.last.Place.Exists || f.lib.now().Sub(f.detailed) < detailAge {
		return
	}
	f.asking = true
	snap := f.last
	f.begin(func() {
		select {
		case f.details <- masked(f.lib.audited(ctx, detail(ctx, snap))):
		case <-ctx.Done():
		}
	})
}

// onDetail sends the last snapshot with its details. When another one was sent
// meanwhile, or is under way that was made without them, the store is read again,
// which costs little.
func (f *follow) onDetail(ctx context.Context, snap memory.Snapshot) {
	f.asking, f.detailed = false, f.lib.now()
	switch {
	case snap.Seq != f.last.Seq || f.read != nil:
		f.restart(ctx, patience)
	case snap.Git != f.last.Git || !slices.Equal(snap.Facts, f.last.Facts):
		for _, h := range f.last.Health {
			there := func(o memory.Health) bool { return o.Code == h.Code }
			if h.Code == codeHistory && !slices.ContainsFunc(snap.Health, there) {
				snap.Health = append(slices.Clip(snap.Health), h)
			}
		}
		f.send(snap)
	}
}

// arrivals knows the records that were there when following began.
type arrivals struct {
	began bool
	known map[memory.ID]struct{}
}

// mark flags the records that arrived since.
func (a *arrivals) mark(snap *memory.Snapshot) {
	if !a.began {
		if !snap.Partial {
			a.learn(snap.Records)
			a.began = true
		}
		return
	}
	owned := false
	for i := range snap.Records {
		if _, ok := a.known[snap.Records[i].ID]; ok {
			continue
		}
		if !owned {
			snap.Records, owned = slices.Clone(snap.Records), true
		}
		snap.Records[i].Flags |= memory.FlagNew
	}
}

func (a *arrivals) learn(records []memory.Record) {
	if a.known == nil {
		a.known = make(map[memory.ID]struct{}, len(records))
	}
	for i := range records {
		a.known[records[i].ID] = struct{}{}
	}
}
