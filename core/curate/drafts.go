package curate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"winnow/core/curate/plan"
	"winnow/core/memory"
	"winnow/core/system"
)

// cleanDrafts takes the secrets that a final plan takes out of records out of the texts
// that a person began to edit. It returns a sentence for each that still may have one.
func (c *Curator) cleanDrafts(ctx context.Context, p *memory.Plan, made []memory.Change) (notes []string) {
	compose, ok := c.c.System.(system.Composer)
	if !ok || !p.Final || c.c.Drafts == "" {
		return nil
	}
	secrets := append(removed(compose, slices.Concat(p.Changes, made)), p.Order.Also...)
	names, err := c.drafts()
	if err != nil {
		return []string{fmt.Sprintf("The drafts in %s could not be looked at: %v.", c.c.Drafts, err)}
	}
	for _, name := range names {
		path := filepath.Join(c.c.Drafts, name)
		_, err := RedactFile(ctx, c.c.Disk, path, func(text []byte) ([]byte, int) { return plan.RedactText(text, false, secrets) })
		if err != nil && !errors.Is(err, memory.ErrNotFound) && ctx.Err() == nil {
			notes = append(notes, fmt.Sprintf("The draft %s may still hold it: %v.", path, err))
		}
	}
	return notes
}

// drafts returns the names of the drafts, in order.
func (c *Curator) drafts() ([]string, error) {
	folder, err := c.c.Disk.Folder(c.c.Drafts)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Names()
	slices.Sort(names)
	return names, err
}
