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
	if len(m) > 16 {
		return uniqueMany(m)
	}
	n := 0
next:
	for i := range m {
		for j := range n {
			if m[j].Key == m[i].Key {
				m[j].Value = m[i].Value
				continue next
			}
		}
		if n != i {
			m[n] = m[i]
		}
		n++
	}
	return m[:n]
}

func uniqueMany(m []Member) []Member {
	place := make(map[string]int, len(m))
	n := 0
	for i := range m {
		if j, ok := place[m[i].Key]; ok {
			m[j].Value = m[i].Value
			continue
		}
		place[m[i].Key] = n
		m[n] = m[i]
		n++
	}
	return m[:n]
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
