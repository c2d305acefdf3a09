//go:build linux

// Bench measures winnow from the outside, in a pseudo-terminal, beside a minimal
// program that is built with the same versions (testdata/floor), and prints the
// tables of docs/lab/benchmarks.md. What is compared is measured in turn in the same
// round, so that a busy machine slows both; the figures are medians.
//
//	go run ./docs/bench                       everything, with the audits
//	go run ./docs/bench -only 'frames|keys|idle|changes|version|search|size'
//	                                          what a person waits for
//	go run ./docs/bench -corpus 10000 FILE    write a store of 10,000 lessons
//	go run ./docs/bench -lines FOLDER         the secrets that an audit finds, for a scorer
//	go run ./docs/bench -home FOLDER          write a home with 200 projects
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// program is a command line to measure, in a terminal that may be mute.
type program struct {
	name string
	argv []string
	mute bool
}

// bench is one run of the harness. All its files are below dir.
type bench struct {
	dir    string
	rounds int
	binary string
	floor  program // at 100 rows

	gitleaks string // a program, or empty
	corpora  string // a folder of those that audits are measured on, or empty
}

func main() {
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 11, "how often each pair is measured")
	only := flag.String("only", "", "measure only what matches `regexp`")
	flag.StringVar(&b.binary, "winnow", "", "measure this `program` instead of building one")
	flag.StringVar(&b.gitleaks, "gitleaks", "gitleaks", "the `program` that audits are held against")
	flag.StringVar(
		&b.corpora,
		"corpora",
		"",
		"a `folder` with sparse, dense, few and history to measure audits on, instead of writing them",
	)
	corpus := flag.Int("corpus", 0, "write a store of `n` lessons to the file that is named, and end")
	lines := flag.String("lines", "", "write the secrets that an audit of a `folder` finds as JSON lines, and end")
	home := flag.String("home", "", "write the home of 200 projects to a `folder`, and end")
	flag.Parse()
	var err error
	switch {
	case *corpus > 0:
		err = writeCorpus(flag.Arg(0), *corpus, time.Now())
	case *home != "":
		err = writeHome(*home)
	case *lines != "":
		err = writeLines(os.Stdout, *lines)
	default:
		err = b.run(*only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prepares a folder, measures, and prints the table.
func (b *bench) run(only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "winnow-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b.dir = dir
	if err := b.prepare(); err != nil {
		return err
	}
	fmt.Printf("%s; %d rounds, terminal %dx%d.\n\n", machine(), b.rounds, columns, rows)
	fmt.Println("| what | goal | winnow | beside it | ratio or figure | |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, m := range b.measures() {
		if !wanted.MatchString(m.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", m.name)
		lines, err := m.take()
		if err != nil {
			fmt.Printf("| %s | | not measured: %v | | | |\n", m.name, err)
		}
		for _, l := range lines {
			fmt.Println(l)
		}
	}
	return nil
}

// measure takes figures of one kind.
type measure struct {
	name string
	take func() ([]line, error)
}

func (b *bench) measures() []measure {
	return []measure{
		{"frames", b.firstFrames},
		{"mute", b.muteTerminal},
		{"keys", b.keys},
		{"idle", b.idle},
		{"saves", b.agentSaves},
		{"size", b.size},
		{"version", b.version},
		{"init", b.packageInit},
		{"hooks", b.hooks},
		{"changes", b.changes},
		{"audit-speed", b.audits},
		{"audit-memory", b.auditMemory},
		{"projects", b.projects},
		{"search", b.search},
		{"commits", b.commits},
	}
}

// prepare builds the programs and writes the stores.
func (b *bench) prepare() error {
	if b.binary == "" {
		b.binary = filepath.Join(b.dir, "winnow")
		if err := build(b.binary, "."); err != nil {
			return err
		}
	}
	floor := filepath.Join(b.dir, "floor")
	if err := build(floor, "./testdata/floor"); err != nil {
		return err
	}
	b.floor = program{name: "floor", argv: []string{floor, "-n", "100"}}
	for _, n := range []int{100, 10_000, 50_000} {
		if err := writeCorpus(b.store(n), n, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// build compiles a package as it is released: without C, symbols and paths.
func build(out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Stderr, cmd.Env = os.Stderr, append(os.Environ(), "CGO_ENABLED=0")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", pkg, err)
	}
	return nil
}

func (b *bench) store(n int) string {
	return filepath.Join(b.dir, strconv.Itoa(n), "memory.jsonl")
}

// ours is winnow on a store of n lessons.
func (b *bench) ours(n int) program {
	return program{name: strconv.Itoa(n) + " lessons", argv: []string{b.binary, b.store(n)}}
}

// eachRound starts the programs one after the other, round by round, and calls
// do for each once its first frame is there. The first round only warms up.
func (b *bench) eachRound(rounds int, programs []program, do func(i int, s *session, frame time.Duration) error) error {
	for round := range rounds + 1 {
		for i, p := range programs {
			s, frame, err := b.start(p)
			if err != nil {
				return err
			}
			if round > 0 {
				err = do(i, s, frame)
			}
			s.quit()
			if err != nil {
				return err
			}
		}
	}
	return nil
}
