package history

import (
	"bytes"
	"maps"
	"slices"

	"winnow/core/memory"
)

// A mark ends what is appended while no change is pending, so that the pins, which are
// all that a list of a store needs of the history, can be read from its end.

// withMark returns e's line with the mark behind it, or e's line alone when a change is
// pending then. The state is the one before e.
func (s *State) withMark(e *Event) []byte {
	b := Encode(*e)
	pending := s.Pending
	changes := e.Changes
	switch {
	case e.Kind == Begin, e.Kind == Aborted && e.Temp != "":
		return b
	case e.Kind == Done || e.Kind == Aborted:
		if pending == nil || pending.ID != e.ID {
			return b
		}
		if changes = pending.Changes; e.Kind == Aborted {
			changes = nil
		}
	case pending != nil:
		return b
	}
	pins, at := s.Pins, s.pinsAt
	if slices.ContainsFunc(changes, func(c memory.Change) bool { return c.Do >= memory.Pinning }) {
		pins, at = maps.Clone(pins), 0
		for i := range changes {
			switch c := &changes[i]; c.Do {
			case memory.Pinning:
				pins[c.ID] = true
			case memory.Unpinning:
				delete(pins, c.ID)
			}
		}
	}
	return append(b, mark(pins, at)...)
}

// mark returns the line of a mark. It lists the pins, unless the mark at an offset does.
func mark(pins map[memory.ID]bool, at int64) []byte {
	m := Event{Kind: Mark, PinsAt: at}
	if at == 0 {
		m.Pins = sorted(pins)
	}
	return Encode(m)
}

// tail is how much of the end of the history is read at first.
const tail = 4096

// Pins returns what is pinned as the end of the file says it. It is false when that says
// nothing, and when more was read already: then the state has it.
func (f *File) Pins() (pins map[memory.ID]bool, ok bool, err error) {
	if f.off > 0 {
		return nil, false, nil
	}
	r, err := f.open()
	if err != nil || r == nil {
		return nil, false, err
	}
	defer r.Close()
	b, err := r.from(max(0, r.size-tail))
	if err != nil || !bytes.HasSuffix(b, []byte{'\n'}) {
		return nil, false, err
	}
	b = b[:len(b)-1]
	m, ok := Decode(b[bytes.LastIndexByte(b, '\n')+1:], true)
	if !ok || m.Kind != Mark {
		return nil, false, nil
	}
	if m.PinsAt > 0 {
		if m, ok, err = r.mark(m.PinsAt); !ok {
			return nil, false, err
		}
	}
	pins = map[memory.ID]bool{}
	for _, id := range m.Pins {
		pins[id] = true
	}
	return pins, true, nil
}

// mark reads the mark at an offset that lists the pins.
func (c *content) mark(at int64) (Event, bool, error) {
	for n := int64(tail); at < c.size; n *= 4 {
		b := make([]byte, min(n, c.size-at))
		if err := c.readAt(b, at); err != nil {
			return Event{}, false, err
		}
		if line, _, whole := bytes.Cut(b, []byte{'\n'}); whole {
			m, ok := Decode(line, true)
			return m, ok && m.Kind == Mark && m.PinsAt == 0, nil
		}
		if n >= c.size-at {
			break
		}
	}
	return Event{}, false, nil
}
