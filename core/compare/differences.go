// Package compare tells what texts and records of different recalls, stores and systems
// have in common and in what they differ. It does no IO.
package compare

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// Differences returns the texts that differ between two recalls: by the paths of the
// parts of their blocks, and by their names where they have no path. A block without
// parts is one text. Texts that only moved do not differ. The order is that of was, and
// what is new comes after it.
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

// Pairs returns, for each of after, the index of what it was before, or -1: one with the same
// first key, then one with the same second key, and so on. Where several share a key, they are
// paired in order. An empty key pairs nothing.
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
	// Shared are the bytes of Text that the other recall has as well, line by line, in
	// order and apart. White space at the ends of lines plays no part.
	Shared [][2]int
	// Same is set when the other recall has a piece of just this text, but for white
	// space around it.
	Same bool
}

func (p *Piece) key() string {
	if p.Path != "" {
		return "p" + p.Path + "\x00" + string(p.ID)
	}
	return "n" + p.Name + "\x00" + string(p.ID)
}

// pieces returns the texts of blocks, in order. What stands between the parts is the
// frame of a system and is left out.
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

// Sides are two recalls beside each other.
type Sides struct {
	Left, Right []Piece
}

// Blocks compares two recalls text by text: all pieces of each, in the order in which the
// model reads them, with what the other has as well.
func Blocks(a, b memory.Recall) Sides {
	s := Sides{Left: pieces(injected(a)), Right: pieces(injected(b))}
	left, right := linesOf(s.Left), linesOf(s.Right)
	share(s.Left, right)
	share(s.Right, left)
	return s
}

// injected returns the blocks of a recall.
func injected(r memory.Recall) []memory.Block {
	out := r.Also[:len(r.Also):len(r.Also)]
	if r.Block.Text != "" {
		out = append(out, r.Block)
	}
	return out
}

// said are the texts and the lines that the pieces of one side hold.
type said struct {
	texts, lines map[string]bool
}

func linesOf(all []Piece) said {
	s := said{texts: map[string]bool{}, lines: map[string]bool{}}
	for i := range all {
		s.texts[strings.TrimSpace(all[i].Text)] = true
		for line := range strings.Lines(all[i].Text) {
			s.lines[strings.TrimSpace(line)] = true
		}
	}
	return s
}

// share marks what the other side has. A line that has no letter or digit is shared when
// the line before it is.
func share(all []Piece, other said) {
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
