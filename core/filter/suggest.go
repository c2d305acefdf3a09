package filter

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// suggest returns a field and value close to a term of a query that found nothing, or "" if none is close.
func suggest(records []memory.Record, terms []Term) string {
	for i := range terms {
		t := &terms[i]
		if t.Not || t.Problem != "" {
			continue
		}
		if s := suggestFor(records, t); s != "" {
			return s
		}
	}
	return ""
}

func suggestFor(records []memory.Record, t *Term) string {
	switch {
	case t.Kind == Field && (t.Name == "age" || t.Name == "used") && !strings.ContainsAny(t.Text, "<>=."):
		return t.Name + ":>" + t.Text // an exact time never matches
	case t.Kind == Field:
		near := nearValue(records, t.Name, t.Text)
		if t.Name == "outcome" { // there are few outcomes, so suggesting any is useful
			near = cmp.Or(
				near,
				nearValue(records, t.Name, string(memory.Failed)),
				nearValue(records, t.Name, string(memory.Succeeded)),
			)
		}
		return near
	case strings.Contains(t.Text, ":"):
		return t.nearField()
	}
	for _, field := range []string{"outcome", "tool", "session", "id", "kind", "scope"} {
		for i := range records {
			for _, v := range values(&records[i], field) {
				if indexFold(v, strings.ToLower(t.Text)) == 0 && quotable(v) {
					return field + ":" + v
				}
			}
		}
	}
	return nearValue(records, "outcome", t.Text)
}

// nearField returns t with its field name corrected, or with the colon that is missing before an operator;
// "" if no field is close.
func (t *Term) nearField() string {
	if i := strings.IndexAny(t.Text, "<>="); i > 0 && isCounted(strings.ToLower(t.Text[:i])) {
		return strings.ToLower(t.Text[:i]) + ":" + t.Text[i:]
	}
	name, value, ok := strings.Cut(t.Text, ":")
	if !ok || value == "" {
		return ""
	}
	if field := nearest(strings.ToLower(name), Fields()); field != "" {
		return field + ":" + value
	}
	return ""
}

// isCounted reports whether a field is compared as a number or a time.
func isCounted(field string) bool {
	return field == "rel" || field == "line" || field == "age" || field == "used"
}

// nearValue returns the field with the value closest to what was typed, or "".
func nearValue(records []memory.Record, field, typed string) string {
	var all []string
	for i := range records {
		for _, v := range values(&records[i], field) {
			if quotable(v) && len(all) < 1000 && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	if v := nearest(strings.ToLower(typed), all); v != "" {
		return field + ":" + v
	}
	return ""
}

// values returns the values of a record's field. It returns none if the field has a secret, because a
// suggestion would show it.
func values(r *memory.Record, field string) []string {
	in, masked := map[string]memory.Field{
		"outcome": memory.InOutcome, "tool": memory.InTools, "session": memory.InSession, "id": memory.InID,
	}[field]
	of, ok := texts[field]
	if !ok || field == "file" ||
		masked && slices.ContainsFunc(r.Secrets, func(s memory.Secret) bool { return s.Field == in }) {
		return nil
	}
	return of(r)
}

// quotable reports whether a value can be used in a query unquoted.
func quotable(v string) bool {
	return v != "" && len(v) <= 64 &&
		!strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r == '"' || r == 0xFFFD })
}

// nearest returns the candidate that differs from s in the fewest letters, or "" if more than a third of s
// (at least one letter) would differ.
func nearest(s string, candidates []string) string {
	best, least := "", max(len(s)/3, 1)+1
	for _, c := range candidates {
		if d := distance(s, strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance returns how many letters must be changed, added, removed or swapped with the next to turn one
// text into the other.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		cur[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
