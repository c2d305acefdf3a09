package audittest

import (
	"fmt"
	"strings"
	"time"
)

// File is a file that is made of items.
type File struct {
	Data []byte
	// Lines is the line of each item, from 1, on which what is in it begins.
	Lines []int
	// Offsets is the byte at which the text of each item begins, where the file has it
	// as it is.
	Offsets []int
}

// Lessons writes each item as a lesson of a JSONL store: one that was cut as the
// summary of what was asked, others as what was learnt. Documents are no lessons: they
// are left out, and their line is 0.
func Lessons(items []Item) (f File) {
	created, line := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), 0
	for i, it := range items {
		if it.Whole {
			f.Lines = append(f.Lines, 0)
			continue
		}
		summary, learnt := "Look after the build", it.Text
		if it.Context == "cut" {
			summary, learnt = it.Text, "Completed using grep. 1 step(s) succeeded."
		}
		line++
		f.Lines = append(f.Lines, line)
		f.Data = fmt.Appendf(
			f.Data,
			`{"lesson_id":"00000000-0000-4000-a000-%012d","task_summary":%s,"outcome":"succeeded","lesson":%s,"tool_names":["grep"],"created_at":%q,"session_id":"00000000-0000-4000-b000-%012d","relevance_count":%d}`+"\n",
			i,
			quoted(summary),
			quoted(learnt),
			created.Add(time.Duration(i)*time.Minute).Format("2006-01-02T15:04:05.000Z"),
			i,
			i%4,
		)
	}
	return f
}

// Markdown writes each item as a paragraph of notes.
func Markdown(items []Item) (f File) {
	f.Data = []byte("# Notes\n\n")
	line := 3
	for _, it := range items {
		f.Lines = append(f.Lines, line+strings.Count(it.Text[:it.Start], "\n"))
		f.Offsets = append(f.Offsets, len(f.Data))
		f.Data = append(f.Data, it.Text+"\n\n"...)
		line += strings.Count(it.Text, "\n") + 2
	}
	return f
}
