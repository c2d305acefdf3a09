package report

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

const (
	// around is how many characters are shown before and after a place, and longest how many of the
	// place itself.
	around  = 48
	longest = 200
	// reach is how many bytes around a place are searched for secrets that no finding covers. It is
	// much more than is shown, so that a secret that begins outside is hidden too.
	reach = 4 << 10
	// dots mark where a text was cut.
	dots = ".."
)

// passage is the text around a finding, with its secrets masked and otherwise unchanged.
type passage struct {
	before, place, after string
	masked               bool // the whole place is masked
}

// String returns the passage without a mark at its place.
func (p passage) String() string { return p.before + p.place + p.after }

// marked returns the passage with its place in brackets, unless the place is already masked with
// stars.
func (p passage) marked() string {
	if p.masked || p.before == "" && p.after == "" {
		return p.String()
	}
	return p.before + "[" + p.place + "]" + p.after
}

// passage returns the text shown around a finding.
func (r *Report) passage(f *memory.Finding) passage {
	s := f.Text
	start := min(max(f.Start, 0), len(s))
	end := min(max(f.End, start), len(s))
	var masks [][2]int
	if !r.Reveal {
		masks = joinedMasks(f, start, end)
	}
	start, end = widened(start, end, masks)
	whole := len(masks) > 0 && slices.Contains(masks, [2]int{start, end})
	from, to := widened(max(start-reach, 0), min(end+reach, len(s)), masks)
	return passage{
		before: Last(r.maskedPart(s, from, start, masks), around),
		place:  First(r.maskedPart(s, start, end, masks), longest),
		after:  First(r.maskedPart(s, end, to, masks), around),
		masked: whole,
	}
}

// joinedMasks returns the places to mask, sorted and not overlapping. The place of a secret is
// always one of them.
func joinedMasks(f *memory.Finding, start, end int) (out [][2]int) {
	masks := slices.Clone(f.Masks)
	if f.Family == memory.FamilySecret {
		masks = append(masks, [2]int{start, end})
	}
	slices.SortFunc(masks, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, m := range masks {
		m[0], m[1] = max(m[0], 0), min(m[1], len(f.Text))
		if m[0] >= m[1] {
			continue
		}
		if n := len(out); n > 0 && m[0] < out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], m[1])
			continue
		}
		out = append(out, m)
	}
	return out
}

// widened extends a place to include all masks that overlap its ends.
func widened(start, end int, masks [][2]int) (from, to int) {
	from, to = start, end
	for _, m := range masks {
		if m[0] < from && from < m[1] {
			from = m[0]
		}
		if m[0] < to && to < m[1] {
			to = m[1]
		}
	}
	return from, to
}

// maskedPart returns s[start:end] with the masks in it and everything else that looks like a secret
// hidden. No mask may cross the ends.
func (r *Report) maskedPart(s string, start, end int, masks [][2]int) string {
	var b strings.Builder
	for _, m := range masks {
		if m[0] < start || m[1] > end {
			continue
		}
		b.WriteString(r.hide(s[start:m[0]]))
		b.WriteString(safe.Secret(s[m[0]:m[1]]))
		start = m[1]
	}
	b.WriteString(r.hide(s[start:end]))
	return b.String()
}

// First returns the first n characters of s, followed by dots if it was cut.
func First(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + dots
	}
	return s
}

// Last returns the last n characters of s, preceded by dots if it was cut.
func Last(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return dots + string(r[len(r)-n:])
	}
	return s
}
