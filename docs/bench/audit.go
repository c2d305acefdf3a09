//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// cost is what a process took.
type cost struct {
	cpu, wall time.Duration
	memory    float64 // at the most, in MB
}

// costs are those of the rounds.
type costs struct{ cpu, wall, memory sample }

func (c *costs) add(one cost) {
	c.cpu.add(one.cpu)
	c.wall.add(one.wall)
	c.memory = append(c.memory, one.memory)
}

// contest are command lines that do the same work, in turn, in a folder.
type contest struct {
	dir  string
	cast [][]string
}

// take runs each command once a round, and once before to warm up.
func (c contest) take(rounds int) ([]costs, error) {
	all := make([]costs, len(c.cast))
	for round := range rounds + 1 {
		for i, argv := range c.cast {
			one, err := spend(c.dir, argv)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i].add(one)
			}
		}
	}
	return all, nil
}

// spend runs a command to its end, whatever its status says, and throws away what it
// prints. What its children take counts, its memory is that of the largest.
func spend(dir string, argv []string) (cost, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return cost{}, fmt.Errorf("run %s: %w", argv[0], err)
	}
	if s := cmd.ProcessState; s.ExitCode() < 0 || s.ExitCode() > 1 {
		return cost{}, fmt.Errorf("run %v: %s", argv, s)
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, float64(usage.Maxrss) / 1000}, nil
}

// peers are the programs that the audit is held against; empty where there is none.
type peers struct {
	gitleaks, rg, patterns string
	// report is a file for what gitleaks reports. It removes what was there before: it
	// must not be given /dev/null.
	report string
}

func (b *bench) findPeers() (p peers, err error) {
	if p.gitleaks, err = exec.LookPath(b.gitleaks); err != nil {
		fmt.Fprintln(os.Stderr, "there is no gitleaks here: nothing is held against it")
		p.gitleaks = ""
	}
	if p.rg, err = exec.LookPath("rg"); err != nil {
		fmt.Fprintln(os.Stderr, "there is no ripgrep here: nothing is held against it")
		p.rg = ""
	}
	p.patterns, p.report = filepath.Join(b.dir, "patterns.txt"), filepath.Join(b.dir, "report.json")
	return p, os.WriteFile(p.patterns, expressions(), 0o600)
}

// leaks is gitleaks on the folder it is run in, or on its history: "dir" or "git".
func (p peers) leaks(what string) []string {
	return []string{p.gitleaks, what, ".", "--no-banner", "-l", "error", "-f", "json", "-r", p.report}
}

// grep is ripgrep with an alternation for each of 200 patterns.
func (p peers) grep(dir string) []string {
	return []string{p.rg, "-uu", "-n", "-o", "-f", p.patterns, dir}
}

// audits measures winnow audit beside others that look for secrets.
func (b *bench) audits() ([]line, error) {
	p, err := b.findPeers()
	if err != nil {
		return nil, err
	}
	places, err := b.auditCorpora()
	if err != nil {
		return nil, err
	}
	var out []line
	for _, part := range []func(peers, corpora) ([]line, error){
		b.auditSparse, b.auditDense, b.auditFew, b.auditHistory,
	} {
		lines, err := part(p, places)
		if err != nil {
			return out, err
		}
		out = append(out, lines...)
	}
	return out, nil
}

func (b *bench) audit(args ...string) []string {
	return append([]string{b.binary, "audit"}, args...)
}

func (b *bench) auditSparse(p peers, c corpora) (out []line, err error) {
	if p.rg != "" {
		all, err := contest{c.sparse, [][]string{b.audit("."), p.grep(".")}}.take(b.rounds)
		if err != nil {
			return nil, err
		}
		out = append(
			out,
			beside("audit of 1,000 files of 100 lessons, processor", 2, "ms", "ripgrep", all[0].cpu, all[1].cpu),
		)
	}
	if p.gitleaks != "" {
		all, err := contest{c.sparse, [][]string{b.audit("."), p.leaks("dir")}}.take(min(b.rounds, 2))
		if err != nil {
			return nil, err
		}
		out = append(out, beside("the same", 0.01, "ms", "gitleaks", all[0].cpu, all[1].cpu))
	}
	return out, nil
}

func (b *bench) auditDense(p peers, c corpora) ([]line, error) {
	if p.gitleaks == "" {
		return nil, nil
	}
	all, err := contest{c.dense, [][]string{b.audit("."), p.leaks("dir")}}.take(min(b.rounds, 5))
	if err != nil {
		return nil, err
	}
	const what = "audit of 5,000 dense Markdown files, processor"
	return []line{beside(what, 0.05, "ms", "gitleaks", all[0].cpu, all[1].cpu)}, nil
}

func (b *bench) auditFew(p peers, c corpora) ([]line, error) {
	if p.gitleaks == "" {
		return nil, nil
	}
	all, err := contest{c.few, [][]string{b.audit("."), p.leaks("dir")}}.take(2 * b.rounds)
	if err != nil {
		return nil, err
	}
	const what = "audit of a folder of 20 files, from exec to exit"
	return []line{beside(what, 0.25, "ms", "gitleaks", all[0].wall, all[1].wall)}, nil
}

func (b *bench) auditHistory(p peers, c corpora) ([]line, error) {
	log := []string{"git", "--no-pager", "log", "-p"}
	all, err := contest{c.history, [][]string{b.audit(".", "--history"), log}}.take(b.rounds)
	if err != nil {
		return nil, err
	}
	out := []line{beside("audit of 500 commits, from exec to exit", 1.2, "ms", "git log -p", all[0].wall, all[1].wall)}
	if p.gitleaks == "" {
		return out, nil
	}
	all, err = contest{c.history, [][]string{b.audit(".", "--history"), p.leaks("git")}}.take(b.rounds)
	if err != nil {
		return nil, err
	}
	return append(out, beside("the same", 0.6, "ms", "gitleaks git", all[0].wall, all[1].wall)), nil
}

// beside makes a line of ours against a peer.
func beside(what string, limit float64, unit, peer string, ours, theirs sample) line {
	l := against(what, limit, unit, ours, theirs)
	l.goal, l.base = fmt.Sprintf("%gx %s", limit, peer), fmt.Sprintf("%s (%s)", l.base, peer)
	return l
}

// auditMemory measures the most memory that an audit takes of inputs of all kinds.
func (b *bench) auditMemory() ([]line, error) {
	c, err := b.auditCorpora()
	if err != nil {
		return nil, err
	}
	inputs, err := b.heavy(c)
	if err != nil {
		return nil, err
	}
	var out []line
	for _, in := range inputs {
		all, err := contest{in.dir, [][]string{b.audit(in.args...)}}.take(1)
		if err != nil {
			return out, err
		}
		most := all[0].memory.quantile(1)
		out = append(out, line{what: "memory of an audit, " + in.what, goal: "40 MB", limit: 40, result: most,
			ours: fmt.Sprintf("%.1f MB, %.0f ms", most, all[0].wall.median())})
	}
	return out, nil
}
