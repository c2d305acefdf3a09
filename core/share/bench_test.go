package share

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkSyncOfTenThousandLessons is all that a sync computes beside git where nothing changed.
func BenchmarkSyncOfTenThousandLessons(b *testing.B) {
	files := map[string][]byte{SettingsFile: []byte("version = 2\n")}
	held := map[string]Lesson{}
	for i := range 10_000 {
		id := fmt.Sprintf("3f2a6c1e-0000-4000-8000-%012d", i)
		l, err := FromLine(
			"karnevil9",
			fmt.Sprintf(
				`{"lesson_id":%q,"task_summary":%q,"outcome":"succeeded","lesson":%q,"tool_names":[],"created_at":"2026-11-01T00:00:00.000Z","session_id":%q,"relevance_count":1}`,
				id,
				strings.Repeat("write the thing ", 10),
				strings.Repeat("prefer this over that, ", 10),
				id,
			),
		)
		if err != nil {
			b.Fatal(err)
		}
		files[Lessons+fileName(id)+".json"] = l.Bytes()
		held[id] = l
	}
	here := &Here{System: "karnevil9", Now: time.Now(), Held: held}
	var base []byte
	step := func() {
		r := NewReader()
		for path, data := range files {
			r.Add(path, data)
		}
		s, err := r.State()
		if err != nil {
			b.Fatal(err)
		}
		var was *Base
		if base != nil {
			if was, err = ReadBase(base); err != nil {
				b.Fatal(err)
			}
		}
		m := Merge(was, here, s)
		m.Files(nil)
		if base == nil {
			base = m.Base(nil).Bytes()
		}
	}
	step()
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}
