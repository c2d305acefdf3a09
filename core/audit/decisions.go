package audit

import (
	"time"

	"winnow/core/memory"
)

// decisions are those that hold, by fingerprint.
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
}
