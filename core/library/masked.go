package library

import (
	"slices"

	"winnow/core/detect"
	"winnow/core/memory"
)

// masked returns snap with the secrets replaced in what is said of the store as a whole.
// Systems quote stored text there: a prompt, a pattern, the name of a file. Records and
// scopes stay as they are stored, for those who show them to mask.
func masked(snap memory.Snapshot) memory.Snapshot {
	snap.Problem = maskedProblem(snap.Problem)
	snap.Health = slices.Clone(snap.Health)
	for i := range snap.Health {
		h := &snap.Health[i]
		h.What, h.Next = detect.Redact(h.What), detect.Redact(h.Next)
	}
	snap.Facts = slices.Clone(snap.Facts)
	for i := range snap.Facts {
		f := &snap.Facts[i]
		f.Name, f.Text = detect.Redact(f.Name), detect.Redact(f.Text)
	}
	snap.Usage = slices.Clone(snap.Usage)
	for i := range snap.Usage {
		u := &snap.Usage[i]
		u.Name, u.Text = detect.Redact(u.Name), detect.Redact(u.Text)
	}
	snap.Running = slices.Clone(snap.Running)
	for i := range snap.Running {
		r := &snap.Running[i]
		r.Session, r.Folder, r.State = detect.Redact(r.Session), detect.Redact(r.Folder), detect.Redact(r.State)
	}
	snap.Writer, snap.ReadOnly = detect.Redact(snap.Writer), detect.Redact(snap.ReadOnly)
	return snap
}

// maskedRecall returns r with the secrets replaced in what is said about it. Its blocks
// and hits stay: they know the places of their secrets.
func maskedRecall(r memory.Recall) memory.Recall {
	r.Stop = maskedProblem(r.Stop)
	r.Empty, r.Estimate = detect.Redact(r.Empty), detect.Redact(r.Estimate)
	r.Notes = slices.Clone(r.Notes)
	for i, n := range r.Notes {
		r.Notes[i] = detect.Redact(n)
	}
	return r
}

func maskedProblem(p *memory.Problem) *memory.Problem {
	if p == nil {
		return nil
	}
	out := *p
	out.What, out.Hint = detect.Redact(p.What), detect.Redact(p.Hint)
	return &out
}
