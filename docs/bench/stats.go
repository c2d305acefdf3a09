//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"
)

// sample is a set of figures of one kind, in milliseconds, MiB or plain numbers.
type sample []float64

func (s *sample) add(d time.Duration) { *s = append(*s, float64(d)/float64(time.Millisecond)) }

// quantile returns the figure below which the share p lies, or 0 for no figures.
func (s sample) quantile(p float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(p*float64(len(sorted)-1)+0.5)]
}

func (s sample) median() float64 { return s.quantile(0.5) }
func (s sample) p95() float64    { return s.quantile(0.95) }

// ratios divides pair by pair: what was measured in the same round.
func (s sample) ratios(base sample) sample {
	out := make(sample, min(len(s), len(base)))
	for i := range out {
		out[i] = s[i] / base[i]
	}
	return out
}

// line is one row of the report.
type line struct {
	what   string
	goal   string
	ours   string
	base   string // what it is held against, measured beside it
	result float64
	limit  float64 // result must not be above it; 0 when there is none
}

// against makes a line whose result is ours over base, in pairs of one round.
func against(what string, limit float64, unit string, ours, base sample) line {
	goal := ""
	if limit > 0 {
		goal = fmt.Sprintf("%gx floor", limit)
	}
	return line{
		what: what, goal: goal,
		ours: fmt.Sprintf("%.1f %s", ours.median(), unit), base: fmt.Sprintf("%.1f %s", base.median(), unit),
		result: ours.ratios(base).median(), limit: limit,
	}
}

// verdict says whether the goal is reached, and how far off it is.
func (l line) verdict() string {
	switch {
	case l.limit == 0:
		return ""
	case l.result <= l.limit:
		return "reached"
	default:
		return fmt.Sprintf("missed by %.0f %%", 100*(l.result/l.limit-1))
	}
}

// String returns the line as a row of a Markdown table.
func (l line) String() string {
	result := ""
	if l.result != 0 {
		result = fmt.Sprintf("%.2f", l.result)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", l.what, l.goal, l.ours, l.base, result, l.verdict())
}
