package audit_test

import (
	"testing"

	"winnow/core/memory"
)

// Where one finding stands for several places, deleting would take the record of the first only.
func TestAFindingOfSeveralPlacesDeletesNothing(t *testing.T) {
	grouped := func(s *started) {
		s.b.Find = func(records []memory.Record) []memory.Finding {
			list := find(records)
			for i := range list {
				list[i].Count, list[i].Elsewhere = 88, true
			}
			return list
		}
	}
	start(t, grouped, func(t *testing.T, p *program) {
		p.Press("j", "j", "d")
		p.WantText("stands for 88 places")
		if n := len(p.b.Applied()); n > 0 {
			t.Errorf("%d changes were applied", n)
		}
	})
}
