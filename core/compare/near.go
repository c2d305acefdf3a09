package compare

import (
	"strings"

	"winnow/core/memory"
)

// mostNear is how much of a text is compared, in bytes. The measure counts 64 words.
const mostNear = 2000

// fewWords is how many spaces a body has that says something without its title, which is
// often a name.
const fewWords = 3

// Near returns for each record the indexes of others that say nearly the same, the
// nearest first, at most 20, for records of any system. The measure is that of
// [Similar] on the bodies, and with the titles where those say little. Records that
// contradict each other in what they say first are not near, however alike their words
// are. Sessions and lines of an index are near to nothing.
func Near(records []memory.Record) [][]int {
	texts := make([]memory.Record, len(records))
	for i := range records {
		r := &records[i]
		if !compared(r) {
			continue
		}
		text := r.Body
		if strings.Count(strings.TrimSpace(text), " ") < fewWords {
			text = r.Title + "\n" + text
		}
		texts[i].Title = strings.ToValidUTF8(text[:min(len(text), mostNear)], "")
	}
	near := Similar(texts)
	c := collection{reader: newReader()}
	first := make([]*statement, len(records))
	opening := func(i int) *statement {
		if first[i] == nil {
			first[i] = &statement{}
			statements(texts[i].Title, func(s string) {
				if st := c.read(s); st.weight > first[i].weight && len(first[i].text) == 0 {
					*first[i] = st
				}
			})
		}
		return first[i]
	}
	for i, others := range near {
		kept := others[:0]
		for _, j := range others {
			if v, _, _ := c.judge(opening(i), opening(j)); v != contrary {
				kept = append(kept, j)
			}
		}
		near[i] = kept
		if len(kept) == 0 {
			near[i] = nil
		}
	}
	return near
}
