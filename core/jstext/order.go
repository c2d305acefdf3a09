package jstext

import (
	"cmp"
	"slices"
	"strconv"
)

// ordered puts members, which it may change, in the order of JavaScript and
// merges repeated keys.
func ordered(m []Member) []Member {
	m = unique(m)
	if slices.ContainsFunc(m, func(m Member) bool { return arrayIndex(m.Key) < noIndex }) {
		slices.SortStableFunc(m, func(a, b Member) int { return cmp.Compare(arrayIndex(a.Key), arrayIndex(b.Key)) })
	}
	return m
}

// unique keeps the first place and the last value of each key.
func unique(m []Member) []Member {
	var places map[string]int // with few keys it is faster to compare them
	if len(m) > 16 {
		places = make(map[string]int, len(m))
	}
	n := 0
	for i := range m {
		at, there := places[m[i].Key]
		if places == nil {
			at, there = indexOf(m[:n], m[i].Key)
		}
		if there {
			m[at].Value = m[i].Value
			continue
		}
		if places != nil {
			places[m[i].Key] = n
		}
		if n < i {
			m[n] = m[i]
		}
		n++
	}
	return m[:n]
}

// indexOf returns the first member with a key, and whether there is one.
func indexOf(m []Member, key string) (int, bool) {
	for i := range m {
		if m[i].Key == key {
			return i, true
		}
	}
	return 0, false
}

// noIndex is more than any array index.
const noIndex = 1<<32 - 1

// arrayIndex returns the index that key spells in canonical form, "0" to "4294967294",
// or noIndex.
func arrayIndex(key string) uint64 {
	if key == "" || len(key) > 10 || key[0]-'0' > 9 || key[0] == '0' && len(key) > 1 {
		return noIndex
	}
	n, err := strconv.ParseUint(key, 10, 64)
	if err != nil {
		return noIndex
	}
	return min(n, noIndex)
}
