// Package compare compares texts and records of different recalls, stores and systems: it finds what they
// have in common and where they differ or contradict each other. It does no IO.
package compare

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// Differences returns the texts that differ between two recalls. It matches the parts of blocks by path, or
// by name if they have no path. A block without parts is one text. Texts that only moved do not differ. The
// order is that of was, followed by new texts.
func Differences(was, now []memory.Block) (out []memory.Difference) {
	before, after := pieces(was), pieces(now)
	from := Pairs(before, after, func(p *Piece) string { return p.key() + "\x00" + p.Text }, (*Piece).key)
	add := func(p *Piece, was, now string) {
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

// Piece is one text of a recall: a part of a block, or a block without parts.
type Piece struct {
	Name string
	Path string // may be empty
	ID   memory.ID
	Text string
	// Shared are the byte ranges of Text whose lines the other recall also has, in order and without
	// overlap. White space around lines is ignored.
	Shared [][2]int
	// Same means that the other recall has a piece with the same text, except for white space around it.
	Same bool
}

func (p *Piece) key() string {
	if p.Path != "" {
		return "p" + p.Path + "\x00" + string(p.ID)
	}
	return "n" + p.Name + "\x00" + string(p.ID)
}

// pieces returns the texts of blocks, in order. It leaves out the text between parts, which is the system's
// own frame.
func pieces(blocks []memory.Block) (out []Piece) {
	for i := range blocks {
		b := &blocks[i]
		if len(b.Parts) == 0 && b.Text != "" {
			out = append(out, Piece{Name: b.Name, Text: b.Text})
		}
		for _, p := range b.Parts {
			start := max(0, min(p.Start, len(b.Text)))
			end := max(start, min(p.End, len(b.Text)))
			out = append(out, Piece{Name: p.Name, Path: p.Path, ID: p.ID, Text: b.Text[start:end]})
		}
	}
	return out
}

// Sides are two recalls side by side.
type Sides struct {
	Left, Right []Piece
}

// Blocks compares two recalls. It returns all pieces of each, in the order in which the model reads them,
// with what the other also has marked.
func Blocks(a, b memory.Recall) Sides {
	s := Sides{Left: pieces(injectedBlocks(a)), Right: pieces(injectedBlocks(b))}
	left, right := linesOf(s.Left), linesOf(s.Right)
	share(s.Left, right)
	share(s.Right, left)
	return s
}

// injectedBlocks returns all blocks of a recall.
func injectedBlocks(r memory.Recall) []memory.Block {
	out := r.Also[:len(r.Also):len(r.Also)]
	if r.Block.Text != "" {
		out = append(out, r.Block)
	}
	return out
}

// sideTexts holds the texts and the lines of one side.
type sideTexts struct {
	texts, lines map[string]bool
}

func linesOf(all []Piece) sideTexts {
	s := sideTexts{texts: map[string]bool{}, lines: map[string]bool{}}
	for i := range all {
		s.texts[strings.TrimSpace(all[i].Text)] = true
		for line := range strings.Lines(all[i].Text) {
			s.lines[strings.TrimSpace(line)] = true
		}
	}
	return s
}

// share marks what the other side also has. A line without letters and digits is shared if the line before
// it is.
func share(all []Piece, other sideTexts) {
	for i := range all {
		p := &all[i]
		trimmed := strings.TrimSpace(p.Text)
		p.Same = trimmed != "" && other.texts[trimmed]
		at, shared := 0, false
		for line := range strings.Lines(p.Text) {
			if meaningful(line) {
				shared = other.lines[strings.TrimSpace(line)]
			}
			if end := at + len(line); shared || p.Same {
				if n := len(p.Shared); n > 0 && p.Shared[n-1][1] == at {
					p.Shared[n-1][1] = end
				} else {
					p.Shared = append(p.Shared, [2]int{at, end})
				}
			}
			at += len(line)
		}
	}
}

// meaningful reports whether a line has a letter or a digit.
func meaningful(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r > 0x7F
	})
}
