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
	indices := 0
	for i := range m {
		if _, ok := arrayIndex(m[i].Key); ok {
			indices++
		}
	}
	if indices == 0 {
		return m
	}
	slices.SortStableFunc(m, func(a, b Member) int {
		x, xok := arrayIndex(a.Key)
		y, yok := arrayIndex(b.Key)
		switch {
		case xok && yok:
			return cmp.Compare(x, y)
		case xok:
			return -1
		case yok:
			return 1
		}
		return 0
	})
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

// arrayIndex returns the index that key spells in canonical form: "0" to
// "4294967294".
func arrayIndex(key string) (uint64, bool) {
	if key == "" || len(key) > 10 || key[0]-'0' > 9 || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	return n, err == nil && n < 1<<32-1
}
