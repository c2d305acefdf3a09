package share

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkSyncOfTenThousandLessons is all that a sync computes beside git, of 1,000 machines, where
// nothing changed.
func BenchmarkSyncOfTenThousandLessons(b *testing.B) {
	files := map[string][]byte{SettingsFile: []byte("version = 1\n")}
	held := map[string]Held{}
	for i := range 10_000 {
		id := fmt.Sprintf("3f2a6c1e-0000-4000-8000-%012d", i)
		l, _, err := FromLine("karnevil9", fmt.Sprintf(`{"lesson_id":%q,"task_summary":%q,"outcome":"succeeded","lesson":%q,"tool_names":[],"created_at":"2026-11-01T00:00:00.000Z","session_id":%q,"relevance_count":1}`,
			id, strings.Repeat("write the thing ", 10), strings.Repeat("prefer this over that, ", 10), id))
		if err != nil {
			b.Fatal(err)
		}
		files[Lessons+Name(id)+".json"] = l.Bytes()
		held[id] = Held{l, Count{N: 1}, id}
		machine := fmt.Sprintf("m-%d", i%1000)
		files[CountFiles+machine+".json"] = Counts{id: {N: 1}}.Bytes()
	}
	here := &Here{Machine: "m-1", System: "karnevil9", Now: time.Now(), Held: held}
	var base []byte
	step := func() {
		r := NewReader("m-1")
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
			base = m.Base(nil, nil).Bytes()
		}
	}
	step()
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}
