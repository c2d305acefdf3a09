package views

import (
	"strconv"
	"time"

	"winnow/core/memory"
)

// Why returns, in sentences, why a lesson is still in its store and what would
// remove it.
func (v LessonDetail) Why() []string {
	r, f := v.Record, v.Record.Forecast
	switch {
	case r.Flags&memory.FlagDamaged != 0:
		return []string{"no agent can read it; it stays until an agent rewrites the store"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"the agent's next load removes it: too old, and not recalled"}
	case f.Beyond:
		return []string{v.beyondText()}
	case f.Rank == 0:
		return nil
	}
	return append([]string{v.keeps(), v.eviction()}, v.prune())
}

func (v LessonDetail) beyondText() string {
	if v.LoadCap > 0 {
		return "an agent loads " + strconv.Itoa(v.LoadCap) + " lessons and this one comes after them: the agent's next save drops it"
	}
	return "agents do not load it: the agent's next save drops it"
}

func (v LessonDetail) keeps() string {
	r := v.Record
	if r.Count.N > 0 {
		return "keeps: relevance " + strconv.Itoa(r.Count.N) + ", " + v.usedText()
	}
	return "never recalled: nothing but its age keeps it"
}

func (v LessonDetail) eviction() string {
	f := v.Record.Forecast
	place := strconv.Itoa(f.Rank) + " of " + strconv.Itoa(v.Held)
	if f.Rank == v.Held {
		place = "last to be evicted (" + place + ")"
	} else {
		place = "number " + place + " to be evicted"
	}
	switch f.LeavesAfter {
	case 0:
		return place + "; new lessons never push it out"
	case 1:
		return place + ": the next new lesson pushes it out"
	}
	return place + ": pushed out when " + strconv.Itoa(f.LeavesAfter) + " more arrive"
}

func (v LessonDetail) prune() string {
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

func (v LessonDetail) forecast(p *paper) {
	why := v.Why()
	if len(why) == 0 {
		return
	}
	p.section("Why it is still here")
	for _, s := range why {
		p.add(p.t.Info, "  ", s)
	}
}
