//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"time"

	"winnow/core/audit"
	"winnow/core/memory"
	"winnow/core/systems/all"
)

// writeLines audits a folder and writes each secret that is found as a JSON object with
// its file, its line and its text as it is. Only made-up secrets belong into that folder.
func writeLines(out io.Writer, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	short := func(path string) string {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return path
		}
		return rel
	}
	a := audit.New(audit.Config{Forms: all.Forms(), Now: time.Now, Dir: dir, Short: short})
	found, err := a.Run(
		context.Background(),
		memory.AuditOrder{Paths: []string{dir}, Sharing: memory.SharedAndIgnored, Most: 1 << 20},
		nil,
		nil,
	)
	if err != nil {
		return err
	}
	if len(found.Failed) > 0 {
		return found.Failed[0].Problem
	}
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	for _, f := range found.Findings {
		if f.Family != memory.FamilySecret {
			continue
		}
		err := enc.Encode(struct {
			File string `json:"file"`
			Line int    `json:"line"`
			Text string `json:"text"`
		}{f.Path, f.Line, f.Text[f.Start:f.End]})
		if err != nil {
			return err
		}
	}
	return w.Flush()
}
