package zstd

// The types of literals and of tables. Literals that are treeless use the Huffman table before.
const (
	raw        = 0
	repeated   = 1
	compressed = 2
	treeless   = 3

	predefined = 0
	oneSymbol  = 1
	described  = 2
)

// readLiterals reads the literals of a block, and returns the data behind them.
func (r *Reader) readLiterals(data []byte) (rest []byte, err error) {
	if len(data) == 0 {
		return nil, errCorrupt
	}
	kind, format := data[0]&3, data[0]>>2&3
	f := forward{data: data, at: 4}
	if kind == raw || kind == repeated {
		width := 12
		switch format {
		case 0, 2:
			f.at, width = 3, 5
		case 3:
			width = 20
		}
		size := f.read(width)
		return r.plainLiterals(data, f.at/8, size, kind == repeated)
	}
	streams, width := 4, []int{10, 10, 14, 18}[format]
	if format == 0 {
		streams = 1
	}
	size, stored := f.read(width), f.read(width)
	if size > maxBlock || f.at/8+stored > len(data) {
		return nil, errCorrupt
	}
	data, rest = data[f.at/8:f.at/8+stored], data[f.at/8+stored:]
	if kind == compressed {
		if r.huffman, data, err = readHuffman(data); err != nil {
			return nil, err
		}
	}
	if r.huffman.bits == 0 {
		return nil, errCorrupt
	}
	r.literals = r.literals[:0]
	if streams == 1 {
		r.literals, err = r.huffman.decode(r.literals, data, size)
		return rest, err
	}
	return rest, r.fourStreams(data, size)
}

// plainLiterals takes literals that are stored as they are, or as one byte.
func (r *Reader) plainLiterals(data []byte, head, size int, one bool) (rest []byte, err error) {
	stored := size
	if one {
		stored = 1
	}
	if size > maxBlock || head+stored > len(data) {
		return nil, errCorrupt
	}
	if data, rest = data[head:head+stored], data[head+stored:]; one {
		r.literals = appendRepeated(r.literals[:0], data[0], size)
	} else {
		r.literals = append(r.literals[:0], data...)
	}
	return rest, nil
}

// fourStreams decodes literals in four parts.
func (r *Reader) fourStreams(data []byte, size int) (err error) {
	const jumps = 6
	if len(data) < jumps || size < 6 {
		return errCorrupt
	}
	f, data := forward{data: data[:jumps]}, data[jumps:]
	part := (size + 3) / 4
	for range 3 {
		n := f.read(16)
		if n > len(data) {
			return errCorrupt
		}
		if r.literals, err = r.huffman.decode(r.literals, data[:n], part); err != nil {
			return err
		}
		data = data[n:]
	}
	if size < 3*part {
		return errCorrupt
	}
	r.literals, err = r.huffman.decode(r.literals, data, size-3*part)
	return err
}

// code is how the codes of a kind of number become numbers.
type code struct {
	maxSymbol, maxBits int
	predefined         []int16
	predefinedBits     int
	base               []int // nil for powers of two
	bits               []byte
}

// codes are those of literal lengths, offsets and match lengths. They never change.
var codes = [3]code{
	{35, 9, []int16{
		4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
	}, 6, []int{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512,
		1024, 2048, 4096,
		8192, 16384, 32768, 65536,
	}, []byte{
		16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	}},
	{31, 8, []int16{
		1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
	}, 5, nil, nil},
	{52, 9, []int16{
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1,
		1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
	}, 6, []int{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
		33, 34,
		35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
	}, []byte{
		32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	}},
}

// number returns the number of a code, with its further bits.
func (c *code) number(symbol byte, b *backward) int {
	if c.base == nil {
		return 1<<symbol + b.read(int(symbol))
	}
	return c.base[symbol] + b.read(int(c.bits[symbol]))
}

// readTable reads the table of a kind of number, and returns the data behind it.
func (r *Reader) readTable(i int, c *code, mode byte, data []byte) (rest []byte, err error) {
	t := &r.tables[i]
	switch mode {
	case predefined:
		*t, err = newFSE(c.predefined, c.predefinedBits)
	case oneSymbol:
		if len(data) == 0 || int(data[0]) > c.maxSymbol {
			return nil, errCorrupt
		}
		*t, data = fseTable{states: []fseState{{symbol: data[0]}}}, data[1:]
	case described:
		*t, data, err = readFSE(data, c.maxSymbol, c.maxBits)
	}
	if err == nil && t.states == nil {
		err = errCorrupt // there is none before
	}
	return data, err
}

// readSequences appends what literals and matches stand for.
func (r *Reader) readSequences(data []byte) (err error) {
	n, data, err := sequenceCount(data)
	if err != nil {
		return err
	}
	if n == 0 {
		if len(data) > 0 {
			return errCorrupt
		}
		r.out = append(r.out, r.literals...)
		return nil
	}
	if data, err = r.readTables(data); err != nil {
		return err
	}
	b, ok := newBackward(data)
	if !ok {
		return errCorrupt
	}
	var state [3]int
	for i := range state {
		state[i] = b.read(r.tables[i].bits)
	}
	literals, most := r.literals, len(r.out)+maxBlock
	for i := range n {
		length, offset := r.tables[0].states[state[0]], r.tables[1].states[state[1]]
		match := r.tables[2].states[state[2]]
		offsetValue := codes[1].number(offset.symbol, &b)
		matched := codes[2].number(match.symbol, &b)
		copied := codes[0].number(length.symbol, &b)
		distance := r.distance(offsetValue, copied == 0)
		if b.left < 0 || copied > len(literals) || len(r.out)+copied+matched > most || distance < 1 ||
			distance > len(r.out)+copied {
			return errCorrupt
		}
		r.out = append(r.out, literals[:copied]...)
		literals = literals[copied:]
		r.copyMatch(distance, matched)
		if i < n-1 {
			state[0] = int(length.base) + b.read(int(length.bits))
			state[2] = int(match.base) + b.read(int(match.bits))
			state[1] = int(offset.base) + b.read(int(offset.bits))
		}
	}
	if b.left != 0 {
		return errCorrupt
	}
	r.out = append(r.out, literals...)
	return nil
}

// readTables reads the tables of the three codes, and returns the data behind them.
func (r *Reader) readTables(data []byte) (rest []byte, err error) {
	if len(data) == 0 || data[0]&3 != 0 {
		return nil, errCorrupt
	}
	modes := data[0]
	rest = data[1:]
	for i := range codes {
		if rest, err = r.readTable(i, &codes[i], modes>>(6-2*i)&3, rest); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// copyMatch repeats what was written at a distance before the end. It may overlap what it appends.
func (r *Reader) copyMatch(distance, length int) {
	for length > 0 {
		from := r.out[len(r.out)-distance:]
		k := min(length, distance)
		r.out = append(r.out, from[:k]...)
		length -= k
	}
}

// sequenceCount reads how many sequences there are, and returns the data behind it.
func sequenceCount(data []byte) (n int, rest []byte, err error) {
	f := forward{data: data}
	size := 1
	switch n = f.read(8); {
	case n == 255:
		n, size = f.read(16)+0x7F00, 3
	case n >= 128:
		n, size = (n-128)<<8+f.read(8), 2
	}
	if size > len(data) {
		return 0, nil, errCorrupt
	}
	return n, data[size:], nil
}

// distance returns how far back a match is, and remembers it. The first three values stand for the last
// distances or, without literals before the match, for the next ones and the last one less 1.
func (r *Reader) distance(value int, noLiterals bool) int {
	last := &r.offsets
	if value > 3 {
		last[0], last[1], last[2] = value-3, last[0], last[1]
		return last[0]
	}
	if noLiterals {
		value++
	}
	d := last[0] - 1
	if value < 4 {
		d = last[value-1]
	}
	if value > 2 {
		last[2] = last[1]
	}
	if value > 1 {
		last[0], last[1] = d, last[0]
	}
	return d
}
