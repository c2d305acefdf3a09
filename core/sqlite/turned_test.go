package sqlite

import "encoding/binary"

// swapByteOrder gives a log the checksums of the other byte order.
func swapByteOrder(log []byte) {
	const magicAt, pageAt, sumAt = 3, 8, 24
	log[magicAt] ^= 1
	var order binary.ByteOrder = binary.LittleEndian
	if log[magicAt]&1 != 0 {
		order = binary.BigEndian
	}
	put := func(at int, sum [2]uint32) {
		binary.BigEndian.PutUint32(log[at:], sum[0])
		binary.BigEndian.PutUint32(log[at+4:], sum[1])
	}
	sum := checksum(order, [2]uint32{}, log[:sumAt])
	put(sumAt, sum)
	size := frameHead + int(binary.BigEndian.Uint32(log[pageAt:]))
	for at := walHeadSize; at+size <= len(log); at += size {
		sum = checksum(order, checksum(order, sum, log[at:at+saltOffset]), log[at+frameHead:at+size])
		put(at+sumOffset, sum)
	}
}
