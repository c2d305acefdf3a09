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
	texts := []*string{&snap.Writer, &snap.ReadOnly}
	snap.Health = slices.Clone(snap.Health)
	for i := range snap.Health {
		texts = append(texts, &snap.Health[i].What, &snap.Health[i].Next)
	}
	snap.Facts = slices.Clone(snap.Facts)
	for i := range snap.Facts {
		texts = append(texts, &snap.Facts[i].Name, &snap.Facts[i].Text)
	}
	snap.Usage = slices.Clone(snap.Usage)
	for i := range snap.Usage {
		texts = append(texts, &snap.Usage[i].Name, &snap.Usage[i].Text)
	}
	snap.Running = slices.Clone(snap.Running)
	for i := range snap.Running {
		texts = append(texts, &snap.Running[i].Session, &snap.Running[i].Folder, &snap.Running[i].State)
	}
	mask(texts...)
	return snap
}

// maskedRecall returns r with the secrets replaced in what is said about it. Its blocks
// and hits stay: they know the places of their secrets.
func maskedRecall(r memory.Recall) memory.Recall {
	r.Stop = maskedProblem(r.Stop)
	texts := []*string{&r.Empty, &r.Estimate}
	r.Notes = slices.Clone(r.Notes)
	for i := range r.Notes {
		texts = append(texts, &r.Notes[i])
	}
	mask(texts...)
	return r
}

// mask replaces the secrets in texts.
func mask(texts ...*string) {
	for _, text := range texts {
		*text = detect.Redact(*text)
	}
}

func maskedProblem(p *memory.Problem) *memory.Problem {
	if p == nil {
		return nil
	}
	out := *p
	mask(&out.What, &out.Hint)
	return &out
}
