package audit

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"winnow/core/memory"
)

// pool keeps the worst findings of an audit, one for each name, and counts the rest. It is safe for
// concurrent use.
type pool struct {
	mu    sync.Mutex
	most  int
	kept  []found
	index map[name]int
	floor *memory.Finding // the mildest finding kept, once some were dropped
	more  int
	open  memory.Tally // the dropped findings that count
	// decided holds the decisions in force. Findings that they ignore are dropped first.
	decided decisions
}

// mostInStore is the limit on findings kept for an open store. It is high because a screen cannot
// show a count of dropped ones.
const mostInStore = 200_000

// found is a finding and the position of its commit in the history.
type found struct {
	memory.Finding
	nth int
}

// name identifies a finding: findings with equal names are one finding in several places. Said is
// the text of a secret, because fingerprints keep little of it.
type name struct{ path, what, text string }

func nameOf(f *memory.Finding) name {
	if f.Family == memory.FamilyPrivate {
		return name{path: f.Path, what: f.Rule} // one for each kind and file, across all its versions
	}
	n := name{path: f.Path, what: f.Fingerprint}
	if f.Family == memory.FamilySecret {
		n.text = f.Text[f.Start:f.End]
	}
	return n
}

func newPool(n int, d decisions) *pool {
	if n <= 0 {
		n = most
	}
	return &pool{most: n, index: map[name]int{}, decided: d}
}

// add takes a finding. nth is the position of its commit in the history, 0 for none.
func (p *pool) add(finding memory.Finding, nth int) {
	f := found{Finding: finding, nth: nth}
	p.decided.apply(&f.Finding)
	p.mu.Lock()
	defer p.mu.Unlock()
	key := nameOf(&f.Finding)
	if i, known := p.index[key]; known {
		p.kept[i] = joined(p.kept[i], f)
		return
	}
	if p.floor != nil && worse(&f.Finding, p.floor) >= 0 {
		p.count(&f.Finding)
		return
	}
	p.index[key] = len(p.kept)
	p.kept = append(p.kept, f)
	if len(p.kept) >= p.most+p.most/4+16 {
		p.drop()
	}
}

// drop discards all but the worst findings.
func (p *pool) drop() {
	slices.SortFunc(p.kept, func(a, b found) int { return worse(&a.Finding, &b.Finding) })
	for i := range p.kept[p.most:] {
		p.count(&p.kept[p.most+i].Finding)
	}
	clear(p.kept[p.most:])
	p.kept = p.kept[:p.most]
	floor := p.kept[p.most-1].Finding
	p.floor = &floor
	clear(p.index)
	for i := range p.kept {
		p.index[nameOf(&p.kept[i].Finding)] = i
	}
}

// count counts a finding that is not kept.
func (p *pool) count(f *memory.Finding) {
	p.more++
	if f.Open() {
		p.open.Add(f)
	}
}

// worse orders findings by what to keep first: findings that count, then the most severe. No two
// different findings compare as equal.
func worse(a, b *memory.Finding) int {
	if a.Open() != b.Open() {
		if a.Open() {
			return -1
		}
		return 1
	}
	return cmp.Or(a.Worse(b), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// size returns the number of findings, kept and dropped.
func (p *pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.kept) + p.more
}

// result stores the findings, worst first, and the number of dropped ones in an audit.
func (p *pool) result(to *memory.Audit) {
	to.Findings = p.findings()
	to.More, to.MoreOpen = p.more, p.open
}

// findings returns the findings kept, worst first.
func (p *pool) findings() []memory.Finding {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) > p.most {
		p.drop()
	}
	out := make([]memory.Finding, len(p.kept))
	for i := range p.kept {
		out[i] = p.kept[i].Finding
	}
	slices.SortFunc(out, func(a, b memory.Finding) int {
		return cmp.Or(a.Worse(&b), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return out
}

// joined merges two findings of the same name. The better place is one in the folder, then one in
// the oldest commit, then the first. The result names the oldest commit of both.
func joined(a, b found) found {
	if better(&b, &a) {
		a, b = b, a
	}
	switch {
	case a.Family == memory.FamilyFile:
		a.Count = max(a.Count, b.Count)
	case fromTree(&a.Finding) != fromTree(&b.Finding) || a.Family == memory.FamilyPrivate && a.Commit != b.Commit:
		// count the places in the file, not in its versions
	default:
		a.Count += b.Count
		a.Elsewhere = a.Elsewhere || b.Elsewhere || a.ID != b.ID || a.Line != b.Line || a.Path != b.Path
	}
	if fromTree(&a.Finding) && b.Commit != "" {
		a.Next = memory.AppendNew(slices.Clip(a.Next), b.Next...)
		if a.Commit == "" || b.isOlder(&a) {
			a.Commit, a.CommitTime, a.nth = b.Commit, b.CommitTime, b.nth
		}
	}
	return a
}

// isOlder reports whether the commit of f is older than that of g.
func (f *found) isOlder(g *found) bool {
	return cmp.Or(f.CommitTime.Compare(g.CommitTime), cmp.Compare(f.nth, g.nth), cmp.Compare(f.Commit, g.Commit)) < 0
}

// better reports whether a has the better place.
func better(a, b *found) bool {
	if inTree, other := fromTree(&a.Finding), fromTree(&b.Finding); inTree != other {
		return inTree
	}
	if a.Commit != b.Commit && !fromTree(&a.Finding) {
		return a.isOlder(b)
	}
	if inFile := a.File != ""; inFile != (b.File != "") { // the other one is only staged
		return inFile
	}
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Offset, b.Offset)) < 0
}

// fromTree reports whether the place of a finding is in a file on disk, not in a version that only
// git holds.
func fromTree(f *memory.Finding) bool { return f.Commit == "" || f.File != "" }

// decisions are the decisions in force, by fingerprint.
type decisions map[string][]*memory.Ignore

func newDecisions(list []memory.Ignore, now time.Time) decisions {
	holds := make(decisions, len(list))
	for k := range list {
		if i := &list[k]; i.Until.IsZero() || now.Before(i.Until) {
			holds[i.Fingerprint] = append(holds[i.Fingerprint], i)
		}
	}
	return holds
}

func (d decisions) apply(f *memory.Finding) {
	f.Ignored = nil
	for _, i := range d[f.Fingerprint] {
		if i.Rule == "" || i.Rule == f.Rule {
			f.Ignored = i
		}
	}
	for fingerprint, rule := range f.Formerly {
		for _, i := range d[fingerprint] {
			if i.Rule == "" || i.Rule == rule {
				f.Ignored = i
			}
		}
	}
}
