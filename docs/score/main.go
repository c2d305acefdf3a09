// Score says how well a winnow tells poisoned texts and hidden secrets from harmless ones. It
// runs the program, so that two versions can be compared on the same material.
//
//	go build -o /tmp/winnow . && go run ./docs/score -winnow /tmp/winnow
//	go run ./docs/score -winnow /tmp/winnow -files FOLDER
//
// Each folder in FOLDER is one repository's files that agents read, which are taken to be
// harmless: what is found in them at high is counted, and listed with -list.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	program := flag.String("winnow", "winnow", "the program to score")
	files := flag.String("files", "", "a folder with a folder of real files for each repository")
	list := flag.Bool("list", false, "list what is wrong, not only how much")
	flag.Parse()
	if err := run(os.Stdout, scorer{program: *program, list: *list}, *files); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, s scorer, files string) error {
	path, err := exec.LookPath(s.program)
	if err != nil {
		return err
	}
	if s.program, err = filepath.Abs(path); err != nil {
		return err
	}
	for _, score := range []func(io.Writer) error{s.texts, s.evasions, s.decoys} {
		if err := score(w); err != nil {
			return err
		}
	}
	if files == "" {
		return nil
	}
	return s.repositories(w, files)
}

// scorer runs the audit of one program.
type scorer struct {
	program string
	list    bool
}

// finding is what an audit reports, as far as it is scored.
type finding struct {
	Rule, Family, Severity, Path string
	Line                         int
}

// audit returns what the program finds in every text below dir, and how many files it read.
func (s scorer) audit(dir string) ([]finding, int, error) {
	home, err := os.MkdirTemp("", "score-home-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(home)
	cmd := exec.Command(s.program, "audit", "--json", "--all-text", ".")
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 2) {
		return nil, 0, fmt.Errorf("audit %s: %w", dir, err)
	}
	var report struct {
		Files    int
		Findings []finding
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, 0, fmt.Errorf("read report of %s: %w", dir, err)
	}
	return report.Findings, report.Files, nil
}

// text is one paragraph of testdata/detector.
type text struct {
	class, body string
	aside       bool // not looked at when rules are written
}

// perClass is how many texts each class has; the second half is kept aside.
const perClass = 6

// What ends the names of files of which no half is kept aside. The rules learnt from the train
// texts. The later texts (by an independent author) and the fresh ones (by an author of the rules,
// before the rules that follow) are only counted.
const (
	trainSuffix = "_train.txt"
	laterSuffix = "_later.txt"
	freshSuffix = "_fresh.txt"
)

// readTexts returns the texts of a file in testdata/detector.
func readTexts(path string) (texts []text, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	class, n := "", 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "); ok {
			class, n = name, 0
			continue
		}
		if class == "" || line == "" {
			continue
		}
		body, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		if err != nil {
			return nil, fmt.Errorf("read %s: %q: %w", path, line, err)
		}
		texts = append(texts, text{class: class, body: body, aside: n >= perClass/2 && !whole(path)})
		n++
	}
	return texts, nil
}

// whole reports whether the texts of a file are counted together.
func whole(file string) bool {
	return strings.HasSuffix(file, trainSuffix) || counted(file)
}

// counted reports whether the texts of a file are only counted, never listed.
func counted(file string) bool {
	return strings.HasSuffix(file, laterSuffix) || strings.HasSuffix(file, freshSuffix)
}

// texts scores the poisoned and the harmless memories, each a lesson of one store.
func (s scorer) texts(w io.Writer) error {
	for _, set := range []struct{ file, verb string }{
		{"poisoned.txt", "found"},
		{"harmless.txt", "flagged"},
		{"poisoned_train.txt", "found"},
		{"harmless_train.txt", "flagged"},
		{"poisoned_later.txt", "found"},
		{"harmless_later.txt", "flagged"},
		{"poisoned_fresh.txt", "found"},
		{"harmless_fresh.txt", "flagged"},
	} {
		texts, err := readTexts(filepath.Join("testdata", "detector", set.file))
		if errors.Is(err, fs.ErrNotExist) && counted(set.file) {
			continue // all of it was learnt from since
		}
		if err != nil {
			return err
		}
		flagged, err := s.flagged(texts)
		if err != nil {
			return err
		}
		sums := [2]int{}
		for i, t := range texts {
			if flagged[i] {
				sums[index(t.aside)]++
			}
			if s.list && !counted(set.file) && flagged[i] == (set.verb == "flagged") {
				fmt.Fprintf(w, "  %s: %s\n", t.class, t.body)
			}
		}
		if whole(set.file) {
			fmt.Fprintf(w, "%s: %d of %d %s\n", set.file, sums[0], len(texts), set.verb)
			continue
		}
		half := len(texts) / 2
		fmt.Fprintf(
			w,
			"%s: %d of %d %s, of those kept aside %d of %d\n",
			set.file,
			sums[0],
			half,
			set.verb,
			sums[1],
			half,
		)
	}
	return nil
}

func index(aside bool) int {
	if aside {
		return 1
	}
	return 0
}

// flagged reports for each text whether something of medium or higher is found in it: an
// injection, hidden text, or the secret that it is about.
func (s scorer) flagged(texts []text) ([]bool, error) {
	findings, err := s.findings(texts)
	out := make([]bool, len(texts))
	for _, f := range findings {
		if f.Severity != "low" {
			out[f.Line-1] = true
		}
	}
	return out, err
}

// findings returns what is found in a store that has a lesson of each text; the line of a
// finding is the place of its text, from 1.
func (s scorer) findings(texts []text) ([]finding, error) {
	dir, err := os.MkdirTemp("", "score-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var store strings.Builder
	for i, t := range texts {
		line, err := json.Marshal(map[string]any{
			"lesson_id":       fmt.Sprintf("%08d-0000-4000-8000-000000000000", i),
			"task_summary":    "Notes on the project",
			"outcome":         "succeeded",
			"lesson":          t.body,
			"tool_names":      []string{},
			"created_at":      "2026-11-01T10:00:00.000Z",
			"session_id":      "s",
			"relevance_count": 0,
		})
		if err != nil {
			return nil, err
		}
		store.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(store.String()), 0o600); err != nil {
		return nil, err
	}
	findings, _, err := s.audit(dir)
	return slices.DeleteFunc(findings, func(f finding) bool { return f.Line < 1 || f.Line > len(texts) }), err
}

// repositories counts what is found at high in real files.
func (s scorer) repositories(w io.Writer, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	files, high, unsafe, read := 0, 0, 0, 0
	for _, e := range entries {
		found, n, err := s.audit(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		files, read = files+n, read+1
		here := 0
		for _, f := range found {
			if f.Severity == "high" {
				here++
				if s.list {
					fmt.Fprintf(w, "  %s %s %s:%d\n", e.Name(), f.Rule, f.Path, f.Line)
				}
			}
		}
		high += here
		if here > 0 {
			unsafe++
		}
	}
	fmt.Fprintf(w, "real files: %d high findings in %d files (%.2f per 100), %d of %d repositories not safe to share\n",
		high, files, 100*float64(high)/float64(max(1, files)), unsafe, read)
	return nil
}
