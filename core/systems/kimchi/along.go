package kimchi

import (
	"fmt"
	"strings"

	"winnow/core/memory"
)

// Along is [system.Info.Along]: with a file go the lines of the index that link
// to it and to nothing else.
func (s *AgentStore) Along(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
	var index *memory.Record
	for i := range records {
		if records[i].ID == memoryFile && records[i].Fixed == "" {
			index = &records[i]
		}
	}
	gone := map[string]bool{}
	for i := range changes {
		switch {
		case changes[i].ID == memoryFile:
			return nil, nil // what a person makes of the index holds
		case changes[i].Do == memory.Deleting:
			gone[string(changes[i].ID)] = true
		}
	}
	if index == nil || len(gone) == 0 {
		return nil, nil
	}
	after, n := withoutLinks(index.Raw, gone)
	if n == 0 {
		return nil, nil
	}
	ch := memory.Change{Do: memory.Editing, With: true, ID: index.ID, Record: *index, Before: index.Raw, After: after, Line: index.Line}
	ch.Edited = s.record(memoryFile, after)
	ch.Edited.Line = index.Line
	what := "The line of MEMORY.md that links to what is deleted goes with it."
	if n > 1 {
		what = fmt.Sprintf("%d lines of MEMORY.md that link to what is deleted go with it.", n)
	}
	return []memory.Change{ch}, []string{what}
}

// withoutLinks returns an index without the lines whose links all lead to files that go.
func withoutLinks(index string, gone map[string]bool) (text string, n int) {
	var out strings.Builder
	for line := range strings.Lines(index) {
		links := linksOf(line)
		stays := len(links) == 0
		for _, l := range links {
			stays = stays || !gone[l]
		}
		if stays {
			out.WriteString(line)
		} else {
			n++
		}
	}
	return out.String(), n
}

// linksOf returns the files to which the links of a text lead: [title](file).
func linksOf(text string) []string {
	var all []string
	for _, part := range strings.Split(text, "](")[1:] {
		if link, _, ok := strings.Cut(part, ")"); ok {
			all = append(all, strings.TrimPrefix(link, "./"))
		}
	}
	return all
}
