package kimchi

import "winnow/core/memory"

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
	return m.Text, len(m.Changes)
}

// tally counts entries by their bytes.
func tally(n notes) map[string]int {
	all := make(map[string]int, len(n.spans))
	for i := range n.spans {
		all[n.raw(i)]++
	}
	return all
}
