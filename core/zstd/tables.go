package zstd

import (
	"encoding/binary"
	"math/bits"
)

// fseTable decodes a symbol from a state.
type fseTable struct {
	states []fseState
	bits   int // of a state
}

// fseState is a symbol, and how the next state follows: from as many more bits, added to a base.
type fseState struct {
	symbol, bits byte
	base         uint16
}

// newFSE returns the table of the probabilities of symbols, which add up to 1<<n. -1 is less than 1.
func newFSE(probabilities []int16, n int) (fseTable, error) {
	size := 1 << n
	states := make([]fseState, size)
	next, high := make([]uint16, len(probabilities)), size
	for s, p := range probabilities {
		if next[s] = uint16(p); p < 0 {
			high--
			states[high].symbol, next[s] = byte(s), 1
		}
	}
	at := 0
	for s, p := range probabilities {
		for range p {
			states[at].symbol = byte(s)
			for at = (at + size>>1 + size>>3 + 3) & (size - 1); at >= high && high > 0; {
				at = (at + size>>1 + size>>3 + 3) & (size - 1)
			}
		}
	}
	if at != 0 {
		return fseTable{}, errCorrupt
	}
	for i := range states {
		s := &states[i]
		x := next[s.symbol]
		next[s.symbol]++
		s.bits = byte(n + 1 - bits.Len16(x))
		s.base = x<<s.bits - uint16(size)
	}
	return fseTable{states, n}, nil
}

// readFSE reads a table of symbols up to maxSymbol with states of at most maxBits, and returns the
// data behind it.
func readFSE(data []byte, maxSymbol, maxBits int) (t fseTable, rest []byte, err error) {
	f := forward{data: data}
	n := f.read(4) + 5
	if n > maxBits {
		return t, nil, errCorrupt
	}
	var probabilities []int16
	for remaining := 1 << n; remaining > 0; {
		if len(probabilities) > maxSymbol || f.at > 8*len(data) {
			return t, nil, errCorrupt
		}
		width := bits.Len(uint(remaining + 1))
		value, low := f.peek(width), 1<<(width-1)-1
		if short := 1<<width - 2 - remaining; value&low < short {
			value &= low
			width--
		} else if value > low {
			value -= short
		}
		f.at += width
		p := value - 1
		remaining -= max(p, -p)
		probabilities = append(probabilities, int16(p))
		for more := 3; p == 0 && more == 3 && len(probabilities) <= maxSymbol+1; {
			more = f.read(2)
			probabilities = append(probabilities, make([]int16, more)...)
		}
	}
	end := (f.at + 7) / 8
	if len(probabilities) > maxSymbol+1 || end > len(data) {
		return t, nil, errCorrupt
	}
	t, err = newFSE(probabilities, n)
	return t, data[end:], err
}

// huffmanTable decodes the symbol that the next bits begin with.
type huffmanTable struct {
	codes []huffmanCode
	bits  int
}

type huffmanCode struct{ symbol, bits byte }

const maxHuffmanBits = 11

// readHuffman reads a table, and returns the data behind it.
func readHuffman(data []byte) (t huffmanTable, rest []byte, err error) {
	if len(data) == 0 {
		return t, nil, errCorrupt
	}
	n, data := int(data[0]), data[1:]
	var weights []byte
	if n < 128 {
		if n > len(data) {
			return t, nil, errCorrupt
		}
		if weights, err = compressedWeights(data[:n]); err != nil {
			return t, nil, err
		}
		rest = data[n:]
	} else {
		n -= 127
		size := (n + 1) / 2
		if size > len(data) {
			return t, nil, errCorrupt
		}
		for i := range n {
			weights = append(weights, data[i/2]>>(4*(1-i%2))&15)
		}
		rest = data[size:]
	}
	t, err = newHuffman(weights)
	return t, rest, err
}

// compressedWeights decodes the weights of symbols, with two states that take turns.
func compressedWeights(data []byte) (weights []byte, err error) {
	const maxWeight, maxBits, most = 12, 6, 255
	t, data, err := readFSE(data, maxWeight, maxBits)
	if err != nil {
		return nil, err
	}
	b, ok := newBackward(data)
	if !ok {
		return nil, errCorrupt
	}
	this, other := b.read(t.bits), b.read(t.bits)
	for b.left >= 0 {
		s := t.states[this]
		weights = append(weights, s.symbol)
		if len(weights) > most {
			return nil, errCorrupt
		}
		if b.left < int(s.bits) {
			return append(weights, t.states[other].symbol), nil
		}
		this, other = other, int(s.base)+b.read(int(s.bits))
	}
	return nil, errCorrupt
}

// newHuffman returns the table of the weights of all symbols but the last, which has what is left.
func newHuffman(weights []byte) (t huffmanTable, err error) {
	sum := 0
	for _, w := range weights {
		if w > maxHuffmanBits {
			return t, errCorrupt
		}
		sum += 1 << w >> 1
	}
	t.bits = bits.Len(uint(sum))
	left := 1<<t.bits - sum
	if sum == 0 || t.bits > maxHuffmanBits || left&(left-1) != 0 || len(weights) > 255 {
		return t, errCorrupt
	}
	weights = append(weights, byte(bits.Len(uint(left))))
	for weight := 1; weight <= t.bits; weight++ {
		for s, w := range weights {
			if int(w) != weight {
				continue
			}
			for range 1 << (weight - 1) {
				t.codes = append(t.codes, huffmanCode{byte(s), byte(t.bits + 1 - weight)})
			}
		}
	}
	if len(t.codes) != 1<<t.bits {
		return t, errCorrupt
	}
	return t, nil
}

// perLoad is how many symbols are decoded from 56 bits.
const perLoad = 56 / maxHuffmanBits

// decode appends n symbols.
func (t *huffmanTable) decode(to, data []byte, n int) ([]byte, error) {
	b, ok := newBackward(data)
	if !ok {
		return to, errCorrupt
	}
	for ; n >= perLoad && b.left >= 64; n -= perLoad {
		start := b.left - 56
		v := binary.LittleEndian.Uint64(b.data[start>>3:]) << (8 - start&7)
		for range perLoad {
			c := t.codes[v>>(64-t.bits)]
			to = append(to, c.symbol)
			v <<= c.bits
			b.left -= int(c.bits)
		}
	}
	for range n {
		c := t.codes[b.peek(t.bits)]
		to = append(to, c.symbol)
		b.left -= int(c.bits)
	}
	if b.left != 0 {
		return to, errCorrupt
	}
	return to, nil
}
