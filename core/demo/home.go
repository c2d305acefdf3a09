package demo

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// files is a template of the files in the home. Each begins with a line that holds its path; a path
// that ends in a slash is a folder. In addition to the tokens of [lessons] there are {project}, the
// project folder, and the folders in which Claude Code keeps what belongs to that project.
//
//go:embed home.txt
var files string

// Home is a home folder with the memories of several agents.
type Home struct {
	Dir     string
	Project string // the folder that the agents work in
	Lessons string // the store that [Agent] works on, in the project
	// Held is a lesson at the end of that store, to be deleted: the first session of [Agent] still
	// has it, and brings it back.
	Held, HeldID string
	Session      string // a finished session that nobody has learnt from yet
	Task         string // a draft task for a recall
}

// UnpackHome writes the home to the folder home below dir, which must be absolute.
func UnpackHome(dir string, now time.Time) (h Home, err error) {
	h.Dir = filepath.Join(dir, "home")
	h.Project = filepath.Join(h.Dir, "parcels")
	if h.Lessons, err = Unpack(h.Project, now); err != nil {
		return h, err
	}
	h.HeldID, h.Held = "5e0d8c1a-7f43-4b52-9c0e-2a6b1d94f3e7", render(strings.TrimSpace(held), now)
	h.Session, h.Task = "5d2c7b10-64e1-4f0a-9a35-0b8d51c7e2f4", "Rotate the deploy token, then deploy the docs to staging"
	lessons, err := os.ReadFile(h.Lessons)
	if err == nil {
		err = write(h.Lessons, string(lessons)+h.Held+"\n", now)
	}
	slug := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(h.Project, "-")
	transcripts := "home/.claude/projects/" + slug
	text := strings.NewReplacer("{project}", strings.Trim(fmt.Sprintf("%q", filepath.ToSlash(h.Project)), `"`), "{memory}", transcripts+"/memory", "{transcripts}", transcripts).Replace(files)
	for _, file := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, body, _ := strings.Cut(file, " --\n")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err == nil && strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = write(path, render(body, now)+"\n", now)
		}
	}
	if err != nil {
		err = fmt.Errorf("unpack demo: %w", err)
	}
	return h, err
}

// write writes a file dated like the agent's last save.
func write(path, text string, now time.Time) error {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err == nil {
		err = os.Chtimes(path, now.Add(-lastSession), now.Add(-lastSession))
	}
	return err
}

//go:embed held.jsonl
var held string
