package audit

import (
	"cmp"
	"slices"
	"sync"

	"winnow/core/memory"
)

// pool keeps the worst findings of an audit, one of each kind in a file, and counts the
// rest. It is safe for concurrent use.
type pool struct {
	mu    sync.Mutex
	most  int
	kept  []memory.Finding
	index map[name]int
	floor *memory.Finding // the mildest that is kept, once some were dropped
	more  int
}

// name tells findings apart: those of one name are the same finding in several places.
type name struct{ path, what string }

func nameOf(f *memory.Finding) name {
	if f.Family == memory.FamilyPrivate {
		return name{f.Path, f.Rule} // one a kind and file, in all its versions
	}
	return name{f.Path, f.Fingerprint}
}

func newPool(n int) *pool {
	if n <= 0 {
		n = most
	}
	return &pool{most: n, index: map[name]int{}}
}

// add takes a finding.
func (p *pool) add(f memory.Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := nameOf(&f)
	if i, known := p.index[key]; known {
		p.kept[i] = joined(p.kept[i], f)
		return
	}
	if p.floor != nil && worse(&f, p.floor) >= 0 {
		p.more++
		return
	}
	p.index[key] = len(p.kept)
	p.kept = append(p.kept, f)
	if len(p.kept) >= p.most+p.most/4+16 {
		p.drop()
	}
}

// drop keeps the worst findings.
func (p *pool) drop() {
	p.sort()
	p.more += len(p.kept) - p.most
	clear(p.kept[p.most:])
	p.kept = p.kept[:p.most]
	floor := p.kept[p.most-1]
	p.floor = &floor
	clear(p.index)
	for i := range p.kept {
		p.index[nameOf(&p.kept[i])] = i
	}
}

func (p *pool) sort() {
	slices.SortFunc(p.kept, func(a, b memory.Finding) int { return worse(&a, &b) })
}

// worse orders findings for a list, so that no two compare as equal.
func worse(a, b *memory.Finding) int {
	return cmp.Or(a.Worse(b), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// size returns how many findings there are.
func (p *pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.kept) + p.more
}

// result returns the findings, worst first, and how many were dropped.
func (p *pool) result() ([]memory.Finding, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) > p.most {
		p.drop()
	}
	p.sort()
	return p.kept, p.more
}

// joined makes one finding of two of the same name. What lies in the folder has the
// better place, then the oldest commit, then what stands first.
func joined(a, b memory.Finding) memory.Finding {
	if better(&b, &a) {
		a, b = b, a
	}
	switch {
	case a.Family == memory.FamilyFile:
		a.Count = max(a.Count, b.Count)
	case fromTree(&a) != fromTree(&b) || a.Family == memory.FamilyPrivate && a.Commit != b.Commit:
		// the places in the file count, and not its versions
	default:
		a.Count += b.Count
	}
	if b.Commit != "" && (a.Commit == "" || older(&b, &a)) {
		a.Commit, a.CommitTime = b.Commit, b.CommitTime
		a.Next = united(a.Next, b.Next)
	}
	return a
}

// better reports whether a has the better place of the two.
func better(a, b *memory.Finding) bool {
	if inTree, other := fromTree(a), fromTree(b); inTree != other {
		return inTree
	}
	if a.Commit != b.Commit && !fromTree(a) {
		return older(a, b)
	}
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Offset, b.Offset)) < 0
}

// fromTree reports whether a finding has its place in a file, and not in a version that
// only git holds.
func fromTree(f *memory.Finding) bool { return f.Commit == "" || f.File != "" }

// older reports whether the commit of a is the older one.
func older(a, b *memory.Finding) bool {
	return cmp.Or(a.CommitTime.Compare(b.CommitTime), cmp.Compare(a.Commit, b.Commit)) < 0
}

// united returns steps and those of more that it has not.
func united(steps, more []string) []string {
	out := slices.Clone(steps)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
