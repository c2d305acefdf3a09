package approvals

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Verdict is what a person decided about words.
type Verdict string

// The verdicts. The last one about words counts. All but Reject and Unreject are about one store.
const (
	Approve  Verdict = "approve"
	Reject   Verdict = "reject"   // of these words and all that say the same, in every store
	Unreject Verdict = "unreject" // what was approved before the rejection is so again
	Withdraw Verdict = "withdraw" // cancels an approval or a rejection
	// Drop is Withdraw for approved words that a person deleted or replaced in a store. An undo there
	// approves them again.
	Drop Verdict = "drop"
	// Doubt is no decision of a person: something speaks against approved words, which is what it is noted with. They
	// are not approved until a person decides about them, or Settle says that nothing speaks against them any more.
	Doubt  Verdict = "doubt"
	Settle Verdict = "settle"
)

// Words are what a person decides about: the texts of a record that reach a prompt, and the moment at which they
// do, as [memory.SameWhen] spells it. It is empty for a task.
type Words struct{ Title, Outcome, Body, When string }

// Decisions holds what was decided. In the zero value nothing is approved and nothing is rejected.
type Decisions struct {
	// Damaged is the number of lines of the book that could not be read. What they decided does not count.
	Damaged int

	key  []byte
	said map[string]*decided // by rejection key
	with map[string][]Mark   // what was noted with something, in any store: by the digest of the thing
	// answered are the digests of what spoke against words about which a person decided then.
	answered map[string]bool
}

// Mark stands for words whose texts may not be known.
type Mark struct {
	exact, same string
	// With is the digest of what the verdict is noted with: for an approval the record that says the words, for a
	// drop what the words were dropped with, though it did not say them. It is empty if there is none.
	With string
}

// Mark returns what stands for words.
func (d *Decisions) Mark(w Words) Mark {
	return Mark{exact: sum(d.key, approvalKey(w)), same: sum(d.key, rejectionKey(w))}
}

// NotedWith returns what was noted, in any store, with the thing that has this digest.
func (d *Decisions) NotedWith(digest string) []Mark { return d.with[digest] }

// decided is what was decided about words that say the same.
type decided struct {
	verdicts storeVerdicts
	first    time.Time            // of their first approval, in any store and for any moment
	doubts   map[doubted][]string // digests of what speaks against them, as long as nobody decided

	rejected     time.Time            // zero if they are not
	before       storeVerdicts        // what the rejection replaced
	doubtsBefore map[doubted][]string // what the rejection answered
}

// doubted are exact words in a store, by their digests, which something speaks against.
type doubted struct{ words, store string }

// storeVerdicts are the last verdicts about words in stores: by the digest of the exact words, then by that of
// the store. The empty digest is any store: older versions did not note which one it was.
type storeVerdicts map[string]map[string]Verdict

// Approved reports whether exactly these words were approved, and not withdrawn in this store. Words that were
// approved in one store are approved in all others.
func (d *Decisions) Approved(store string, w Words) bool { return d.ApprovedMark(store, d.Mark(w)) }

// FirstApproved returns when words that say the same were first approved, in any store and for any moment. It is zero
// if they never were.
func (d *Decisions) FirstApproved(w Words) (at time.Time) {
	if s := d.said[sum(d.key, rejectionKey(w))]; s != nil {
		at = s.first
	}
	return at
}

// ApprovedMark is Approved for words that have this mark.
func (d *Decisions) ApprovedMark(store string, m Mark) bool {
	if d.doubtedMark(store, m) {
		return false
	}
	if v, ok := d.Noted(store, m); ok {
		return v == Approve
	}
	return slices.Contains(d.in(m), Approve)
}

// Doubted reports whether words would be approved in a store but for a doubt.
func (d *Decisions) Doubted(store string, w Words) bool { return d.doubtedMark(store, d.Mark(w)) }

func (d *Decisions) doubtedMark(store string, m Mark) bool {
	s := d.said[m.same]
	return s != nil && len(s.doubts) > 0 && len(s.doubts[doubted{m.exact, d.storeDigest(store)}]) > 0
}

// Answered reports whether a person decided about words that a doubt with this digest was noted about.
func (d *Decisions) Answered(digest string) bool { return d.answered[digest] }

// Noted returns the last verdict about exactly these words in a store, or false if there is none. Rejected words
// have none.
func (d *Decisions) Noted(store string, m Mark) (v Verdict, ok bool) {
	if s := d.said[m.same]; s != nil {
		v, ok = s.verdicts[m.exact][d.storeDigest(store)]
	}
	return v, ok
}

// in returns the verdicts about exactly these words in all stores.
func (d *Decisions) in(m Mark) (all []Verdict) {
	if s := d.said[m.same]; s != nil {
		for _, v := range s.verdicts[m.exact] {
			all = append(all, v)
		}
	}
	return all
}

func (d *Decisions) storeDigest(store string) string { return sum(d.key, "store\x00"+store) }

// Rejected returns when these words were rejected, ignoring case and spacing, or false if they were
// not.
func (d *Decisions) Rejected(w Words) (at time.Time, ok bool) {
	if s := d.said[sum(d.key, rejectionKey(w))]; s != nil {
		at = s.rejected
	}
	return at, !at.IsZero()
}

// AnyApproved reports whether anything is approved in some store.
func (d *Decisions) AnyApproved() bool {
	for _, s := range d.said {
		for _, verdicts := range s.verdicts {
			for _, v := range verdicts {
				if v == Approve {
					return true
				}
			}
		}
	}
	return false
}

// AnyRejected reports whether anything is rejected.
func (d *Decisions) AnyRejected() bool {
	for _, s := range d.said {
		if !s.rejected.IsZero() {
			return true
		}
	}
	return false
}

// line returns the line of the book for a verdict about words in a store, which is empty for none.
func (d *Decisions) line(v Verdict, now time.Time, store string, m Mark) string {
	fields := []string{string(v), m.exact, m.same, strconv.FormatInt(now.Unix(), 10)}
	if store != "" {
		fields = append(fields, d.storeDigest(store))
		if m.With != "" {
			fields = append(fields, m.With)
		}
	}
	return strings.Join(fields, " ")
}

// applyLine applies a line of the book. It returns false for a line that it skips, such as one that a crash cut off.
func (d *Decisions) applyLine(line string) bool {
	f := strings.Fields(line)
	if len(f) < 4 || len(f) > 6 || slices.ContainsFunc(f[4:], func(s string) bool { return len(s) != len(f[1]) }) {
		return false
	}
	at, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return false
	}
	s := d.said[f[2]]
	if s == nil {
		s = &decided{verdicts: storeVerdicts{}}
		d.said[f[2]] = s
	}
	f = append(f, "", "")
	if d.applyDoubt(s, Verdict(f[0]), doubted{f[1], f[4]}, f[5]) {
		return true
	}
	s.apply(Verdict(f[0]), f[1], f[4], time.Unix(at, 0))
	if m := (Mark{exact: f[1], same: f[2], With: f[5]}); m.With != "" && !slices.Contains(d.with[m.With], m) {
		d.with[m.With] = append(d.with[m.With], m)
	}
	return true
}

// applyDoubt notes a doubt about words, and ends those that a verdict answers. It reports whether that is all.
func (d *Decisions) applyDoubt(s *decided, v Verdict, of doubted, with string) bool {
	switch {
	case v == Doubt:
		if s.doubts == nil {
			s.doubts = map[doubted][]string{}
		}
		s.doubts[of] = append(s.doubts[of], with)
	case v == Settle:
		delete(s.doubts, of)
	case v == Reject && s.rejected.IsZero():
		d.answer(s.doubts, true)
		s.doubts, s.doubtsBefore = nil, s.doubts
	case v == Unreject && !s.rejected.IsZero():
		d.answer(s.doubtsBefore, false)
		s.doubts = s.doubtsBefore
	case len(s.doubts[of]) > 0:
		d.answer(map[doubted][]string{of: s.doubts[of]}, true)
		delete(s.doubts, of)
	}
	return v == Doubt || v == Settle
}

// answer notes whether a person decided about words with these doubts.
func (d *Decisions) answer(doubts map[doubted][]string, is bool) {
	for _, digests := range doubts {
		for _, digest := range digests {
			d.answered[digest] = is
		}
	}
}

// apply adds a verdict about the words with this digest, in a store or, if that is empty, in all.
func (s *decided) apply(v Verdict, words, store string, at time.Time) {
	if v == Approve && s.first.IsZero() {
		s.first = at
	}
	rejected := !s.rejected.IsZero()
	if v == Reject {
		if !rejected {
			s.verdicts, s.before = storeVerdicts{}, s.verdicts
		}
		s.rejected = at
		return
	}
	if v == Unreject && rejected {
		s.verdicts = s.before
	}
	s.rejected, s.before = time.Time{}, nil
	if v == Unreject {
		return
	}
	if v != Approve {
		delete(s.verdicts[words], "")
	}
	if s.verdicts[words] == nil || v != Approve && store == "" {
		s.verdicts[words] = map[string]Verdict{}
	}
	s.verdicts[words][store] = v
}

// approvalKey returns what an approval covers: the exact words, and the moment if it is another than a task. What
// was approved before there were moments is approved for a task.
func approvalKey(w Words) string {
	lengths := strconv.Itoa(len(w.Title)) + " " + strconv.Itoa(len(w.Outcome)) + " " + strconv.Itoa(len(w.Body))
	if w.When != "" {
		lengths += " " + strconv.Itoa(len(w.When))
	}
	return lengths + "\x00" + w.Title + w.Outcome + w.Body + w.When
}

// rejectionKey returns what a rejection covers: the title and body in lower case, with single spaces, at any moment.
func rejectionKey(w Words) string {
	same := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return same(w.Title) + "\x00" + same(w.Body)
}
