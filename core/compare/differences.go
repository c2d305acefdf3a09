// Package compare compares texts and records of different recalls, stores and systems: it finds what they
// have in common and where they differ or contradict each other. It does no IO.
package compare

import (
	"slices"

	"winnow/core/memory"
)

// Differences returns the texts that differ between two recalls. It matches the parts of blocks by path, or
// by name if they have no path. A block without parts is one text. Texts that only moved do not differ. The
// order is that of was, followed by new texts.
func Differences(was, now []memory.Block) (out []memory.Difference) {
	before, after := pieces(was), pieces(now)
	from := Pairs(before, after, func(p *piece) string { return p.key() + "\x00" + p.Text }, (*piece).key)
	add := func(p *piece, was, now string) {
		if was != now {
			out = append(out, memory.Difference{Name: p.Name, Path: p.Path, Was: was, Now: now})
		}
	}
	for i := range before {
		if j := slices.Index(from, i); j >= 0 {
			add(&after[j], before[i].Text, after[j].Text)
		} else {
			add(&before[i], before[i].Text, "")
		}
	}
	for j := range after {
		if from[j] < 0 {
			add(&after[j], "", after[j].Text)
		}
	}
	return out
}

// Pairs returns, for each element of after, the index of its match in before, or -1. It matches elements
// with equal first keys, then those left with equal second keys, and so on. Elements that share a key are
// paired in order. An empty key matches nothing.
func Pairs[T any](before, after []T, keys ...func(*T) string) []int {
	was := slices.Repeat([]int{-1}, len(after))
	taken := make([]bool, len(before))
	for _, keyOf := range keys {
		if !slices.Contains(was, -1) {
			break
		}
		queue := map[string][]int{}
		for k := range before {
			if key := keyOf(&before[k]); !taken[k] && key != "" {
				queue[key] = append(queue[key], k)
			}
		}
		for i := range after {
			key := keyOf(&after[i])
			if q := queue[key]; was[i] < 0 && len(q) > 0 {
				was[i], taken[q[0]], queue[key] = q[0], true, q[1:]
			}
		}
	}
	return was
}

// piece is one text of a recall: a part of a block, or a block without parts.
type piece struct {
	Name string
	Path string // may be empty
	ID   memory.ID
	Text string
}

func (p *piece) key() string {
	if p.Path != "" {
		return "p" + p.Path + "\x00" + string(p.ID)
	}
	return "n" + p.Name + "\x00" + string(p.ID)
}

// pieces returns the texts of blocks, in order. It leaves out the text between parts, which is the system's
// own frame.
func pieces(blocks []memory.Block) (out []piece) {
	for i := range blocks {
		b := &blocks[i]
		if len(b.Parts) == 0 && b.Text != "" {
			out = append(out, piece{Name: b.Name, Text: b.Text})
		}
		for _, p := range b.Parts {
			start := max(0, min(p.Start, len(b.Text)))
			end := max(start, min(p.End, len(b.Text)))
			out = append(out, piece{Name: p.Name, Path: p.Path, ID: p.ID, Text: b.Text[start:end]})
		}
	}
	return out
}
