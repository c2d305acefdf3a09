//go:build unix

// Shot takes the pictures of the documentation: it builds winnow, runs
// winnow --demo in a terminal of its own, types, and writes what is on the screen
// to docs/home.svg, docs/lessons.svg, docs/recall.svg, docs/audit.svg and docs/prune.svg, and a minute of it, frame
// by frame, to docs/minute.svg. Only dates and the name of a temporary folder differ from run to run.
//
//	go run ./docs/shot
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// task is what the picture of the recall screen asks for.
const task = "Deploy release 3.8 to staging and run the tests"

// scene is what is typed and what must be seen before a picture is taken.
type scene struct {
	keys []string
	see  string
	file string
	note string // below the frame of the minute; without one there is no frame
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
	frames, err := t.play(scenes())
	if quit := t.end(); err == nil {
		err = quit
	}
	if err != nil {
		return err
	}
	return write("docs/minute.svg", movie(frames))
}

func write(file, text string) error {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Println(file)
	return nil
}

func scenes() []scene {
	return []scene{
		{see: "MEMORY.md (index)"},
		{
			keys: []string{"\x1b"}, see: "docs/prices.md", file: "docs/home.svg", // the tour is not in the pictures
			note: "winnow: what each agent reads in this project, and what is wrong with it",
		},
		{keys: []string{"j"}, see: ".codex/AGENTS.md", note: "j: Codex is told something else"},
		{
			keys: []string{"j", "j", "j", "j"}, see: "decide what", // before it is imported
			note: "A file that Claude Code silently leaves out: decide what holds, then import it",
		},
		{keys: []string{"j"}, see: "meant so", note: "Two agents are told two versions. e edits either place"},
		{keys: []string{"j", "j", "j", "j", "j"}, see: "in place of", note: "A script that was moved three weeks ago"},
		{keys: []string{"2"}, see: "barcode_font", note: "2: the memories, with what is wrong with each"},
		{keys: []string{"j", "j", "j", "j", "j"}, see: "ignore all previous", file: "docs/lessons.svg"},
		{
			keys: []string{"P"}, see: "Would remove 5", file: "docs/prune.svg",
			note: "P: a rule, what it deletes, and why. Five were read in no session",
		},
		{keys: []string{"y"}, see: "u to undo", note: "y: they are gone. u undoes it"},
		{keys: []string{"3", "i", "\x15"}, see: "Draft task"},
		{
			keys: []string{task, "\r"}, see: "release 3.8", file: "docs/recall.svg",
			note: "3: what Claude Code would read for a task, word for word",
		},
		{
			keys: []string{"4"}, see: "NOT SAFE TO SHARE", file: "docs/audit.svg",
			note: "4: is it safe to share? A key, and orders to the model",
		},
		{keys: []string{"A"}, see: "Redact 1", note: "A: redact what looks like a secret"},
		{keys: []string{"y"}, see: "REVIEW", note: "y: the key is gone, also from the history"},
		{keys: []string{"d"}, see: "No known problems", note: "d: so is the memory that gave orders"},
	}
}

// play types scene by scene, writes the pictures, and returns the frames of the minute.
func (t *terminal) play(scenes []scene) (frames []frame, err error) {
	for _, s := range scenes {
		t.press(s.keys...)
		if err := t.see(s.see); err != nil {
			return nil, err
		}
		if s.note != "" {
			frames = append(frames, t.frame(s.note))
		}
		if s.file == "" {
			continue
		}
		if err := write(s.file, t.picture()); err != nil {
			return nil, err
		}
	}
	return frames, nil
}
