//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// figures are what a benchmark reports, by unit.
type figures map[string]float64

// changes holds the replacement of a store against the raw sequence of write, sync,
// rename and sync of the folder, by the benchmarks beside the code: they measure
// both in turn.
func (b *bench) changes() ([]line, error) {
	replace, err := b.benchmark("Replace", "./core/atomicfile", 50*b.rounds)
	if err != nil {
		return nil, err
	}
	apply, err := b.benchmark("Apply", "./core/curate", 50*b.rounds)
	if err != nil {
		return nil, err
	}
	four, err := b.benchmark("FourWriters", "./core/curate", 10*b.rounds)
	if err != nil {
		return nil, err
	}
	return []line{
		replace.line("replace a store of 40 KB with its lock, median", 1.3, "x-median"),
		replace.line("the same, p99", 2, "x-p99"),
		apply.line("a whole change with its history, median", 3, "x-median"),
		four.line("the same beside three other processes that write, p95", 6, "x-p95"),
	}, nil
}

// line makes a line of a figure that is a multiple of the raw sequence.
func (f figures) line(what string, limit float64, unit string) line {
	base, medians := f["raw-median-µs"], "raw median"
	if unit == "x-p99" {
		base, medians = f["raw-p99-µs"], "raw p99"
	}
	return line{
		what: what, goal: fmt.Sprintf("%gx the %s", limit, medians), limit: limit, result: f[unit],
		ours: fmt.Sprintf("%.0f µs", base*f[unit]), base: fmt.Sprintf("%.0f µs (raw)", base),
	}
}

// benchmark runs a benchmark n times round.
func (b *bench) benchmark(name, pkg string, n int) (figures, error) {
	cmd := exec.Command(
		"go",
		"test",
		"-run",
		"^$",
		"-bench",
		"^Benchmark"+name+"$",
		"-benchtime",
		strconv.Itoa(n)+"x",
		pkg,
	)
	cmd.Env = append(os.Environ(), "TMPDIR="+b.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run the benchmark %s: %w", name, err)
	}
	return reported(string(out), name)
}

// reported reads what go test prints of a benchmark.
func reported(out, name string) (figures, error) {
	for text := range strings.Lines(out) {
		words := strings.Fields(text)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark"+name) {
			continue
		}
		f := figures{}
		for i := 2; i+1 < len(words); i += 2 {
			n, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				return nil, fmt.Errorf("read the figures of %s: %w", name, err)
			}
			f[words[i+1]] = n
		}
		return f, nil
	}
	return nil, fmt.Errorf("the benchmark %s reported nothing", name)
}
