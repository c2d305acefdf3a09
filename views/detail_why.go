package views

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"winnow/core/memory"
)

// why returns, in sentences, why a record is still in its store and what would remove it.
// It is empty for stores that no agent evicts records from.
func (v RecordDetail) why() []string {
	r, f := v.Record, v.Record.Forecast
	switch {
	case !v.Display.Evicts:
		return nil
	case r.Flags&memory.FlagDamaged != 0:
		return []string{"no agent can read it; it stays until an agent rewrites the store"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"the agent's next load removes it: too old, and not recalled"}
	case f.Beyond && v.LoadCap > 0:
		loaded := strconv.Itoa(v.LoadCap) + " " + v.Display.Noun.OrRecord().Many
		return []string{
			"an agent loads " + loaded + " and this one comes after them: the agent's next save drops it",
		}
	case f.Beyond:
		return []string{"agents do not load it: the agent's next save drops it"}
	case f.Rank == 0:
		return nil
	}
	keeps := cmp.Or(
		textIf(r.Count.N > 0, "keeps: relevance %d, %s", r.Count.N, v.usedText()),
		"never recalled: nothing but its age keeps it",
	)
	return []string{keeps, v.eviction(), v.prune()}
}

func (v RecordDetail) eviction() string {
	f := v.Record.Forecast
	noun := v.Display.Noun.OrRecord()
	place := fmt.Sprintf("number %d of %d to be evicted", f.Rank, v.Held)
	if f.Rank == v.Held && f.LeavesAfter == 0 {
		place = fmt.Sprintf("last to be evicted (%d of %d)", f.Rank, v.Held)
	}
	return place + cmp.Or(
		textIf(f.LeavesAfter == 0, "; new %s never push it out", noun.Many),
		textIf(
			f.LeavesAfter == 1,
			": the next new %s pushes it out",
			noun.One,
		),
		fmt.Sprintf(": pushed out when %d more arrive", f.LeavesAfter),
	)
}

func (v RecordDetail) prune() string {
	at := v.Record.Forecast.PruneAt
	if at.IsZero() {
		return "age alone never removes it"
	}
	left := at.Sub(v.Now)
	if left < time.Minute {
		return "pruned at the next load unless recalled first"
	}
	return "pruned from " + day(v.Now, at) + " (in " + Age(left) + ") unless recalled first"
}
