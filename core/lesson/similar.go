package lesson

import (
	"winnow/core/memory"
)

// Similar returns for each record the indexes of others that say the same.
func Similar(records []memory.Record) [][]int {
	out := make([][]int, len(records))
	same := map[string][]int{}
	for i := range records {
		key := records[i].Title + "\x00" + records[i].Body
		same[key] = append(same[key], i)
	}
	for _, group := range same {
		for _, i := range group {
			for _, j := range group {
				if i != j && len(group) < 50 {
					out[i] = append(out[i], j)
				}
			}
		}
	}
	return out
}
