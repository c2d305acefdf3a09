//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// frameTick is the time between two frames at 120 a second.
const frameTick = time.Second / 120

// agentSaves measures from the rename with which an agent saves to the repainted
// frame. It saves a store of 90 lessons and one of 91 in turn.
func (b *bench) agentSaves() ([]line, error) {
	path := filepath.Join(b.dir, "saves", "memory.jsonl")
	var texts [2][]byte
	for i := range texts {
		if err := writeCorpus(path, 90+i, time.Now()); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	s, _, err := b.start(program{name: "saves", argv: []string{b.binary, path}})
	if err != nil {
		return nil, err
	}
	defer s.quit()
	s.settle()
	var delays sample
	for i := range b.rounds * 5 {
		s.drain(200*time.Millisecond, 2*time.Second, false)
		at, err := save(path, texts[i%2])
		if err != nil {
			return nil, err
		}
		seen := s.answer(300 * time.Millisecond)
		if seen.bytes == 0 {
			return nil, fmt.Errorf("save %s: no frame followed", path)
		}
		delays.add(seen.first.Sub(at))
	}
	limit := float64(frameTick+10*time.Millisecond) / float64(time.Millisecond)
	return []line{{
		what:   "rename by an agent to repainted frame, p95",
		goal:   fmt.Sprintf("%.1f ms: a tick and 10 ms", limit),
		ours:   fmt.Sprintf("%.1f ms (p50 %.1f)", delays.p95(), delays.median()),
		result: delays.p95(),
		limit:  limit,
	}}, nil
}

// save replaces path as an agent does, and returns the moment of the rename.
func save(path string, text []byte) (time.Time, error) {
	if err := os.WriteFile(path+".tmp", text, 0o600); err != nil {
		return time.Time{}, err
	}
	at := time.Now()
	return at, os.Rename(path+".tmp", path)
}

// size reports the size of the stripped program.
func (b *bench) size() ([]line, error) {
	const limit = 23
	var mb [2]float64
	for i, path := range []string{b.binary, b.floor.argv[0]} {
		fi, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		mb[i] = float64(fi.Size()) / 1e6
	}
	return []line{{what: "binary, stripped", goal: "23 MB", ours: fmt.Sprintf("%.2f MB", mb[0]),
		base: fmt.Sprintf("%.2f MB", mb[1]), result: mb[0], limit: limit}}, nil
}

// version runs the program for its version alone, beside the smallest Go program
// there is.
func (b *bench) version() ([]line, error) {
	hello := filepath.Join(b.dir, "hello")
	src := hello + ".go"
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() { println(\"hello\") }\n"), 0o600); err != nil {
		return nil, err
	}
	if err := build(hello, src); err != nil {
		return nil, err
	}
	programs := [][]string{{hello}, {b.binary, "--version"}, {b.binary, "list", "--store", b.store(100)}}
	var times [3]sample
	for range b.rounds * 10 {
		for i, argv := range programs {
			start := time.Now()
			if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
				return nil, fmt.Errorf("run %v: %w", argv, err)
			}
			times[i].add(time.Since(start))
		}
	}
	l := against("--version, from exec to exit", 3.5, "ms", times[1], times[0])
	l.goal = "3.5x the smallest Go program"
	list := against("list of 100 lessons, from exec to exit", 2, "ms", times[2], times[1])
	list.goal = "2x --version"
	return []line{l, list}, nil
}

var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// packageInit adds up what the packages do before main.
func (b *bench) packageInit() ([]line, error) {
	var totals sample
	slowest, worst := "", 0.0
	for range b.rounds {
		cmd := exec.Command(b.binary, "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("trace package init: %w", err)
		}
		total := 0.0
		for _, m := range initLine.FindAllSubmatch(trace.Bytes(), -1) {
			ms, _ := strconv.ParseFloat(string(m[2]), 64)
			if total += ms; ms > worst {
				slowest, worst = string(m[1]), ms
			}
		}
		totals = append(totals, total)
	}
	return []line{{
		what:   "package init in all",
		goal:   "under 5 ms",
		ours:   fmt.Sprintf("%.2f ms (most: %s, %.2f)", totals.median(), slowest, worst),
		result: totals.median(),
		limit:  5,
	}}, nil
}
