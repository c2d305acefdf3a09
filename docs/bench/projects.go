//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The home of somebody who has worked long: so many projects, each with so many
// memories of Claude Code.
const (
	homeProjects = 200
	homeMemories = 50
)

// writeHome writes such a home: work trees with instructions, and in .claude for each
// a session and its memories with their index.
func writeHome(home string) error {
	rng := rand.New(rand.NewPCG(homeProjects, homeMemories))
	files := map[string]string{}
	for p := range homeProjects {
		root := filepath.Join(home, "work", fmt.Sprintf("project%03d", p))
		slug := filepath.Join(
			home,
			".claude",
			"projects",
			strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(root),
		)
		files[filepath.Join(root, ".git", "HEAD")] = "ref: refs/heads/main\n"
		files[filepath.Join(root, "CLAUDE.md")] = "# Project\n\n" + phrase(rng, 60) + "\n"
		session := uuid(rng)
		files[filepath.Join(slug, session+".jsonl")] = fmt.Sprintf(
			`{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%q,"cwd":%q,"timestamp":"2026-10-01T10:00:00.000Z","version":"2.1.280","message":{"role":"user","content":%q}}`+"\n",
			uuid(rng),
			session,
			root,
			phrase(rng, 8),
		)
		var index strings.Builder
		for m := range homeMemories {
			name := fmt.Sprintf("project_note_%02d", m)
			files[filepath.Join(slug, "memory", name+".md")] = fmt.Sprintf(
				"---\nname: %s\ndescription: %s\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: %s\n---\n\n%s\n\n**Why:** %s\n",
				name,
				phrase(rng, 9),
				session,
				phrase(rng, 60),
				phrase(rng, 20),
			)
			fmt.Fprintf(&index, "- [%s](%s.md) — %s\n", phrase(rng, 3), name, phrase(rng, 8))
		}
		files[filepath.Join(slug, "memory", "MEMORY.md")] = index.String()
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("write home: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("write home: %w", err)
		}
	}
	return nil
}

// home returns such a home.
func (b *bench) home() (string, error) {
	home := filepath.Join(b.dir, "home")
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	return home, writeHome(home)
}

// search measures a search of all stores of that home on a terminal: for a word that most of its
// records have, and for one that none has. The first hits are there with the first command that opens one.
func (b *bench) search() ([]line, error) {
	home, err := b.home()
	if err != nil {
		return nil, err
	}
	var first, all, none sample
	for round := range b.rounds + 1 {
		for _, c := range []struct {
			word, seen string
			to         *sample
		}{{"webhook", "winnow show", &first}, {"webhook", " records in ", &all}, {"nowhere", " records in ", &none}} {
			s, err := launch([]string{b.binary, "search", "--all", "--no-pager", c.word}, home, false)
			if err != nil {
				return nil, err
			}
			took, err := s.waitFor(c.seen, func(visible string) bool { return strings.Contains(visible, c.seen) })
			s.quit()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				c.to.add(took)
			}
		}
	}
	what := fmt.Sprintf("search of %d records in %d projects, ", homeProjects*(homeMemories+2), homeProjects)
	return []line{
		within(what+"first hits", 150, "ms", first),
		{what: what + "to the end, a common word", ours: fmt.Sprintf("%.1f ms", all.median()), result: all.median()},
		{what: what + "to the end, a word of none", ours: fmt.Sprintf("%.1f ms", none.median()), result: none.median()},
	}, nil
}

// projects measures how long it takes until such a home is listed: the first frame of
// the screen, and the command from its start to its end.
func (b *bench) projects() ([]line, error) {
	home, err := b.home()
	if err != nil {
		return nil, err
	}
	var frames, listed, memory, held sample
	for round := range b.rounds + 1 {
		s, err := launch([]string{b.binary}, home, false)
		if err != nil {
			return nil, err
		}
		frame, err := s.waitFor("the first frame", isFrame)
		if err != nil {
			s.quit()
			return nil, err
		}
		s.settle()
		kept := float64(rss(s.cmd.Process.Pid)) / 1024
		s.quit()
		took, peak, err := b.list(home)
		if err != nil {
			return nil, err
		}
		if round == 0 {
			continue
		}
		frames.add(frame)
		listed.add(took)
		memory, held = append(memory, peak), append(held, kept)
	}
	what := fmt.Sprintf("%d projects with %d memories each", homeProjects, homeMemories)
	return []line{
		within("first frame, "+what, 150, "ms", frames), within("winnow stores, "+what, 500, "ms", listed),
		within("memory of winnow stores", 100, "MiB", memory), within("memory of the screen", 100, "MiB", held),
	}, nil
}

// list runs winnow stores and returns how long it took, and the most memory in MiB.
func (b *bench) list(home string) (took time.Duration, peak float64, err error) {
	cmd := exec.Command(b.binary, "stores", "--json")
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	begin := time.Now()
	out, err := cmd.Output()
	took = time.Since(begin)
	if err != nil {
		return 0, 0, fmt.Errorf("list %s: %w", home, err)
	}
	if n := bytes.Count(out, []byte("/project")); n < homeProjects {
		return 0, 0, fmt.Errorf("list %s: %d stores, want %d", home, n, homeProjects)
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(u.Maxrss) / 1024
	}
	return took, peak, nil
}

// within makes a line whose result is a figure of our own, held against a limit.
func within(what string, limit float64, unit string, s sample) line {
	return line{
		what: what, goal: fmt.Sprintf("%g %s", limit, unit), ours: fmt.Sprintf("%.1f %s", s.median(), unit),
		result: s.median(), limit: limit,
	}
}
