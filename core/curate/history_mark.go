package curate

import (
	"bytes"

	"winnow/core/memory"
)

// historyMark returns the line at the end of the file while no change is pending. A list of records needs
// only the pins from the history, and reads them from that line.
func historyMark(pins map[memory.ID]bool) []byte {
	return encodeEvent(event{Kind: kindMark, Format: historyFormat, Pins: sorted(pins)})
}

// historyTail is the number of bytes that are first read from the end of the history.
const historyTail = 4096

// pins returns the pins listed by a mark at the end of the file. It returns false if there is no
// mark, or if the state has been read already and therefore has the pins.
func (f *historyFile) pins() (pins map[memory.ID]bool, ok bool, err error) {
	if f.off > 0 {
		return nil, false, nil
	}
	r, err := f.open()
	if err != nil || r == nil {
		return nil, false, err
	}
	defer r.Close()
	last, err := r.lastLine()
	if err != nil {
		return nil, false, err
	}
	m, ok := decodeEvent(last, true)
	if !ok || m.Kind != kindMark || m.Format != historyFormat {
		return nil, false, nil
	}
	pins = map[memory.ID]bool{}
	for _, id := range m.Pins {
		pins[id] = true
	}
	return pins, true, nil
}

// lastLine returns the last line without its line end, or nothing if that line is incomplete.
func (r *historyReader) lastLine() ([]byte, error) {
	for n := int64(historyTail); ; n *= 4 {
		b, err := r.from(max(0, r.size-n))
		if err != nil || !bytes.HasSuffix(b, []byte{'\n'}) {
			return nil, err
		}
		b = b[:len(b)-1]
		if start := bytes.LastIndexByte(b, '\n'); start >= 0 || n >= r.size {
			return b[start+1:], nil
		}
	}
}
