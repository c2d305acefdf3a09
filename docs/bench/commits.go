//go:build linux

package main

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"
)

// commits simulates how many commits the branch of a share takes. Machines sync at random moments of a day; each
// fetches, merges and pushes, and begins again, after a random wait as in core/sync, when another was faster in
// that time.
func (b *bench) commits() ([]line, error) {
	var out []line
	for _, c := range []struct {
		machines, syncs, shards int
		round                   time.Duration
	}{
		{25, 20, 1, time.Second}, {1000, 10, 1, time.Second}, {2000, 10, 1, time.Second}, {4000, 10, 1, time.Second},
		{10_000, 10, 1, time.Second}, {10_000, 10, 1, 300 * time.Millisecond}, {100_000, 10, 100, time.Second},
	} {
		s := simulated(c.machines/c.shards, c.syncs, c.round, 1)
		what := fmt.Sprintf(
			"commits: %d machines, %d syncs a day, %d branches, %s from fetch to push",
			c.machines,
			c.syncs,
			c.shards,
			c.round,
		)
		out = append(out, line{what: what, ours: s.String()})
	}
	return out, nil
}

// pushing is a machine that fetched and will push.
type pushing struct {
	at    time.Duration // the end of its push
	begun time.Duration // of its first fetch
	seen  int           // commits of the branch when it fetched
	try   int
	fetch bool // its next fetch is at that time, not the end of a push
}

type queue []pushing

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(pushing)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// pushes is what came of a day.
type pushes struct {
	made, first, gaveUp int
	waits               sample // from the first fetch to the commit, in milliseconds
}

func (p pushes) String() string {
	all := max(1, p.made+p.gaveUp)
	return fmt.Sprintf(
		"%.1f %% at the first try, %.1f %% left for later, wait p50 %.1f s, p95 %.1f s, %.2f commits a second",
		100*float64(
			p.first,
		)/float64(
			all,
		),
		100*float64(p.gaveUp)/float64(all),
		p.waits.median()/1000,
		p.waits.p95()/1000,
		float64(p.made)/day.Seconds(),
	)
}

const day = 24 * time.Hour

// simulated plays a day. A push is refused when the branch has another commit than when its machine fetched.
func simulated(machines, syncs int, round time.Duration, seed uint64) (p pushes) {
	const mostTries = 12
	random := rand.New(rand.NewPCG(seed, uint64(machines)))
	var q queue
	for range machines * syncs {
		at := time.Duration(random.Int64N(int64(day)))
		q = append(q, pushing{at: at, begun: at, fetch: true})
	}
	heap.Init(&q)
	for tip := 0; q.Len() > 0; {
		m := heap.Pop(&q).(pushing)
		switch {
		case m.fetch:
			m.fetch, m.seen = false, tip
			m.at += round/2 + time.Duration(random.Int64N(int64(round))) // no two rounds take as long
		case m.seen == tip:
			tip++
			p.made++
			if m.try == 0 {
				p.first++
			}
			p.waits.add(m.at - m.begun)
			continue
		case m.try == mostTries:
			p.gaveUp++
			continue
		default:
			most := min(250*time.Millisecond<<m.try, 10*time.Second)
			m.at, m.fetch, m.try = m.at+time.Duration(random.Int64N(int64(most))), true, m.try+1
		}
		heap.Push(&q, m)
	}
	return p
}
