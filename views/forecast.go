package views

import (
	"strconv"
	"time"

	"winnow/core/memory"
)

// Why returns, in sentences, why a record is still in its store and what would remove it.
// It is empty for stores that no agent evicts records from.
func (v RecordDetail) Why() []string {
	r, f := v.Record, v.Record.Forecast
	switch {
	case !v.Display.Evicts:
		return nil
	case r.Flags&memory.FlagDamaged != 0:
		return []string{"no agent can read it; it stays until an agent rewrites the store"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"the agent's next load removes it: too old, and not recalled"}
	case f.Beyond && v.LoadCap > 0:
		return []string{"an agent loads " + strconv.Itoa(v.LoadCap) + " " + v.Display.Noun.OrRecord().Many + " and this one comes after them: the agent's next save drops it"}
	case f.Beyond:
		return []string{"agents do not load it: the agent's next save drops it"}
	case f.Rank == 0:
		return nil
	}
	return []string{v.keeps(), v.eviction(), v.prune()}
}

func (v RecordDetail) keeps() string {
	r := v.Record
	if r.Count.N > 0 {
		return "keeps: relevance " + strconv.Itoa(r.Count.N) + ", " + v.usedText()
	}
	return "never recalled: nothing but its age keeps it"
}

func (v RecordDetail) eviction() string {
	f := v.Record.Forecast
	noun := v.Display.Noun.OrRecord()
	place := strconv.Itoa(f.Rank) + " of " + strconv.Itoa(v.Held)
	switch {
	case f.LeavesAfter == 0 && f.Rank == v.Held:
		return "last to be evicted (" + place + "); new " + noun.Many + " never push it out"
	case f.LeavesAfter == 0:
		return "number " + place + " to be evicted; new " + noun.Many + " never push it out"
	case f.LeavesAfter == 1:
		return "number " + place + " to be evicted: the next new " + noun.One + " pushes it out"
	}
	return "number " + place + " to be evicted: pushed out when " + strconv.Itoa(f.LeavesAfter) + " more arrive"
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
	return "pruned from " + at.In(v.Now.Location()).Format("2006-01-02") + " (in " + Age(left) + ") unless recalled first"
}
