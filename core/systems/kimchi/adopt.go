package kimchi

import (
	"unicode/utf8"

	"winnow/core/memory"
)

// adopt returns the file with what other has more than base, for three states of one
// store: base is what the file was made from, and other what another writer made of base
// at the same time. Entries that are new in other are added at the end, each as often as
// it is missing; nothing is removed, so that an entry which other dropped stays. It also
// returns how many were added.
func (d *dialect) adopt(file, base, other string) (string, int) {
	stood, stands := tally(d.split(base)), tally(d.split(file))
	var changes []memory.Change
	theirs := d.split(other)
	met := map[string]int{}
	for i := range theirs.spans {
		raw := theirs.raw(i)
		if met[raw]++; met[raw] > stood[raw] && met[raw] > stands[raw] {
			changes = append(changes, memory.Change{Do: memory.Adding, After: raw, Spot: &memory.Spot{Above: "none", Under: 1 << 30, Alike: stands[raw]}})
		}
	}
	if len(changes) == 0 {
		return file, 0
	}
	m, p := d.rewrite(file, changes, nil)
	if p != nil {
		return file, 0
	}
	return m.out, len(m.changes)
}

// tally counts entries by their bytes.
func tally(n notes) map[string]int {
	all := make(map[string]int, len(n.spans))
	for i := range n.spans {
		all[n.raw(i)]++
	}
	return all
}

// difference returns the one part by which two files differ, or none. It cuts no
// character in two.
func difference(from, to string) []memory.Splice {
	if from == to {
		return nil
	}
	head := 0
	for head < len(from) && head < len(to) && from[head] == to[head] {
		head++
	}
	for head > 0 && !(starts(from, head) && starts(to, head)) {
		head--
	}
	a, b := len(from), len(to)
	for a > head && b > head && from[a-1] == to[b-1] {
		a, b = a-1, b-1
	}
	for !starts(from, a) {
		a, b = a+1, b+1
	}
	return []memory.Splice{{At: int64(head), Old: from[head:a], New: to[head:b]}}
}

// starts reports whether a character can begin at i.
func starts(s string, i int) bool { return i >= len(s) || utf8.RuneStart(s[i]) }
