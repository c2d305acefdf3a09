package history

import (
	"time"

	"winnow/core/memory"
)

// event reads an event. Members that it does not know are passed over.
func (r *reader) event(brief bool) (e Event) {
	r.object(func(k string) {
		switch k {
		case "kind":
			e.Kind = Kind(r.str())
		case "format":
			e.Format = int(r.number())
		case "store":
			e.Store = memory.StoreID(r.str())
		case "id":
			e.ID = memory.EntryID(r.str())
		case "at":
			e.At = r.time()
		case "who":
			e.Who = memory.Who(r.str())
		case "act":
			e.Do = memory.Act(r.str())
		case "what":
			e.What = r.str()
		case "final":
			e.Final = r.yes()
		case "omitted":
			e.Omitted = int(r.number())
		case "undoes":
			e.Undoes = memory.EntryID(r.str())
		case "redoes":
			e.Redoes = memory.EntryID(r.str())
		case "temp":
			e.Temp = r.str()
		default:
			r.rest(&e, k, brief)
		}
	})
	return e
}

// rest reads the members of an event that are more than a value.
func (r *reader) rest(e *Event, k string, brief bool) {
	switch k {
	case "changes":
		e.Changes, e.Digests = r.changes()
	case "decided":
		e.Decided = r.decisions()
	case "record":
		e.Record = memory.ID(r.str())
	case "how":
		e.How = memory.UndoneKind(r.number())
	case "state":
		e.State = r.str()
	case "pins":
		e.Pins = readTexts[memory.ID](r)
	case "pins_at":
		e.PinsAt = r.number()
	case "key":
		e.Key = r.str()
	case "scrubs":
		e.Scrubs = r.scrubs()
	case "kept":
		e.Kept = readTexts[memory.ID](r)
	case "sum":
		e.Sum = r.summary()
	case "splices":
		e.Splices = r.splices(brief)
	default:
		r.skip()
	}
}

func (r *reader) time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.str())
	r.bad = r.bad || err != nil
	return t
}

func (r *reader) changes() (changes []memory.Change, digests []string) {
	any := false
	r.array(func() {
		c, digest := r.change()
		changes, digests = append(changes, c), append(digests, digest)
		any = any || digest != ""
	})
	if !any {
		digests = nil
	}
	return changes, digests
}

func (r *reader) change() (c memory.Change, digest string) {
	r.object(func(k string) {
		switch k {
		case "do":
			c.Do = r.changeKind()
		case "id":
			c.ID = memory.ID(r.str())
		case "before":
			c.Before = r.str()
		case "after":
			c.After = r.str()
		case "line":
			c.Line = int(r.number())
		case "behind":
			c.Behind = memory.ID(r.str())
		case "why":
			c.Why = r.str()
		case "twins":
			c.Twins = int(r.number())
		case "spot":
			c.Spot = r.spot()
		case "was":
			digest = r.str()
		default:
			r.skip()
		}
	})
	return c, digest
}

func (r *reader) spot() *memory.Spot {
	s := new(memory.Spot)
	r.object(func(k string) {
		switch k {
		case "above":
			s.Above = r.str()
		case "blank":
			s.Blank = int(r.number())
		case "under":
			s.Under = int(r.number())
		case "beside":
			s.Beside = int(r.number())
		case "alike":
			s.Alike = int(r.number())
		case "mode":
			s.Mode = uint32(r.number())
		case "date":
			s.Date = r.time()
		default:
			r.skip()
		}
	})
	return s
}

func (r *reader) changeKind() memory.ChangeKind {
	word := r.str()
	for k := memory.Deleting; k <= memory.Unpinning; k++ {
		if k.String() == word {
			return k
		}
	}
	r.bad = true
	return 0
}

func (r *reader) decisions() map[memory.ID]memory.Decision {
	d := map[memory.ID]memory.Decision{}
	r.array(func() {
		var id memory.ID
		var decision memory.Decision
		r.object(func(k string) {
			switch k {
			case "id":
				id = memory.ID(r.str())
			case "decision":
				decision = memory.Decision(r.str())
			default:
				r.skip()
			}
		})
		d[id] = decision
	})
	return d
}

func (r *reader) splices(brief bool) *memory.Splices {
	s := new(memory.Splices)
	r.object(func(k string) {
		switch {
		case k == "from":
			s.From = r.str()
		case k == "to":
			s.To = r.str()
		case k == "parts" && !brief:
			s.Parts = []memory.Splice{}
			r.array(func() { s.Parts = append(s.Parts, r.splice()) })
		default:
			r.skip()
		}
	})
	return s
}

func (r *reader) splice() (p memory.Splice) {
	r.object(func(k string) {
		switch k {
		case "at":
			p.At = r.number()
		case "old":
			p.Old = r.str()
		case "new":
			p.New = r.str()
		default:
			r.skip()
		}
	})
	return p
}
