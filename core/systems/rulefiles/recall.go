package rulefiles

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Recall implements [system.Recaller]. It returns what each tool's documentation says a session
// gets when it works on the files of the task. The scope of the task can name one tool.
func (s *store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t, Empty: "By the documentation, no session is given one of these files without more."}
	given := map[tool]*instructions.Text{}
	var tools []tool
	all, _ := s.files(ctx, 20_000)
	for _, f := range all {
		if t.Scope != "" && t.Scope != f.name {
			continue
		}
		if given[f.tool] == nil {
			tools, given[f.tool] = append(tools, f.tool), &instructions.Text{}
		}
		why, recalled := s.whyGiven(&f, t)
		if recalled {
			s.write(given[f.tool], &f)
		}
		id := s.ID(f.path)
		if i := slices.IndexFunc(r.Hits, func(h memory.Hit) bool { return h.ID == id }); i >= 0 {
			r.Hits[i].Scope += ", " + f.name
			continue
		}
		s.Hit(&r, f.path, f.how, f.file.Text)
		h := &r.Hits[len(r.Hits)-1]
		h.Title, h.Scope, h.Why, h.Recalled = cmp.Or(s.title(f.path), h.Title), f.name, why, recalled
	}
	last := map[bool]int{false: 1}
	slices.SortStableFunc(r.Hits, func(a, b memory.Hit) int { return cmp.Compare(last[a.Recalled], last[b.Recalled]) })
	r.Limit, r.Searched = 0, len(r.Hits)
	for i := range r.Hits {
		if r.Hits[i].Rank = i + 1; r.Hits[i].Recalled {
			r.Limit = i + 1
		}
	}
	var pages []string
	for _, tool := range tools {
		pages = append(pages, tool.name+" "+tool.page)
		r.Also = append(r.Also, given[tool].Block("context", "rules of "+tool.name))
	}
	if r.Also = instructions.Filled(r.Also...); len(r.Also) > 0 {
		r.Block, r.Also, r.Empty = r.Also[0], r.Also[1:], ""
	}
	r.Estimate = "These programs were not run. What they read is taken from copies of their documentation, read on " +
		read + ": " + strings.Join(pages, ", ") + "."
	r.Notes = []string{"Rules for some files come with those: name files to see them.",
		"What a tool writes around these texts, in which order it gives them, and what a person switched off in it is not known."}
	return r, ctx.Err()
}

// whyGiven says why a session with the task is given a file, or is not.
func (s *store) whyGiven(f *found, t memory.Task) (why string, given bool) {
	matches := matching(f.globs)
	for _, target := range t.Files {
		if !filepath.IsAbs(target) {
			target = filepath.Join(s.StartOf(t), target)
		}
		if rel, err := filepath.Rel(s.Dir, target); err == nil && f.how == withFiles && matches(filepath.ToSlash(rel)) {
			return filepath.ToSlash(rel) + " matches " + strings.Join(f.globs, ", "), true
		}
	}
	return ways[f.how][1] + strings.Join(f.globs, ", "), f.how == always
}

// write appends the text of a file, without its header, to what its tool gives a session.
func (s *store) write(w *instructions.Text, f *found) {
	p := memory.Part{Name: f.how, Path: f.path}
	w.ID = s.Here
	text := []rune(jstext.DecodeString(f.file.Text[filestore.ParseFrontMatter(f.file.Text).Body:]))
	if f.limit > 0 && len(text) > f.limit {
		p.Note, text = fmt.Sprintf("first %d of %d characters", f.limit, len(text)), text[:f.limit]
	}
	if said := strings.TrimSpace(string(text)); said != "" {
		w.WriteString(system.Say(w.Len() > 0, "\n\n"))
		w.Add(p, said)
	}
}
