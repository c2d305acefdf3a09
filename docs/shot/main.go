//go:build unix

// Shot takes the pictures of the documentation: it builds winnow, runs
// winnow --demo in a terminal of its own, types, and writes what is on the screen
// to docs/lessons.svg, docs/recall.svg, docs/audit.svg and docs/prune.svg. Only dates
// differ from run to run.
//
//	go run ./docs/shot
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// task is what the picture of the recall screen asks for.
const task = "Summarise the notes of the release, with retry and a timeout"

// scene is what is typed and what must be seen before a picture is taken.
type scene struct {
	keys []string
	see  string
	file string
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "winnow-shot-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "winnow")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build winnow: %w", err)
	}
	t, err := start([]string{binary, "--demo"}, dir, 120, 35)
	if err != nil {
		return err
	}
	err = t.play(scenes())
	if quit := t.end(); err == nil {
		err = quit
	}
	return err
}

func scenes() []scene {
	down := slices.Repeat([]string{"j"}, 17)
	return []scene{
		{see: "keeps: relevance"},
		{keys: down, see: "Bad credentials", file: "docs/lessons.svg"},
		{keys: []string{"2", "i"}, see: "Draft task"},
		{keys: []string{task, "\r"}, see: "starts a heading", file: "docs/recall.svg"},
		{keys: []string{"\x1b"}, see: "i edit task"},
		{keys: []string{"3"}, see: "NOT SAFE TO SHARE", file: "docs/audit.svg"},
		{keys: []string{"1", "g", "j", "j", "p"}, see: "u to undo"},
		{keys: []string{"P", "j", "j"}, see: "Would remove 35", file: "docs/prune.svg"},
	}
}

// play types scene by scene and writes a picture after each.
func (t *terminal) play(scenes []scene) error {
	for _, s := range scenes {
		t.press(s.keys...)
		if err := t.see(s.see); err != nil {
			return err
		}
		if s.file == "" {
			continue
		}
		if err := os.WriteFile(s.file, []byte(t.picture()), 0o644); err != nil {
			return err
		}
		fmt.Println(s.file)
	}
	return nil
}
