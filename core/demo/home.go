package demo

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// files is a template of the files in the home. Each begins with a line that holds its path, and how many days
// old it is; a path that ends in a slash is a folder. "session ID FOLDER" is a session of Claude Code, see
// [transcript]. In addition to the tokens of [lessons] there is {memory}, the folder in which Claude Code keeps
// the memories of the project.
//
//go:embed home.txt
var files string

// Home is a home folder with the memories of several agents.
type Home struct {
	Dir     string
	Project string // the folder that the agents work in, a repository of git without a commit
	Memory  string // the project's memories of Claude Code
	Lessons string // the store that [Agent] works on, in the project
	Session string // a finished session that nobody has learnt from yet
	Task    string // a draft task for a recall
}

// UnpackHome writes the home to the folder home below dir, which must be absolute.
func UnpackHome(dir string, now time.Time) (h Home, err error) {
	h.Dir = filepath.Join(dir, "home")
	h.Project = filepath.Join(h.Dir, "parcels")
	h.Memory = filepath.Join(transcripts(h.Project), "memory")
	if h.Lessons, err = Unpack(h.Project, now); err != nil {
		return h, err
	}
	h.Session = "5d2c7b10-64e1-4f0a-9a35-0b8d51c7e2f4"
	h.Task = "Deploy release 3.8 to staging and run the integration tests"
	for _, file := range strings.Split("\n"+files, "\n-- ")[1:] {
		head, body, _ := strings.Cut(file, " --\n")
		if err := h.unpack(strings.Fields(head), body, now); err != nil {
			return h, fmt.Errorf("unpack demo: %w", err)
		}
	}
	return h, nil
}

// transcripts is the folder in which Claude Code keeps what belongs to a project.
func transcripts(project string) string {
	slug := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(project, "-")
	return filepath.Join(filepath.Dir(project), ".claude", "projects", slug)
}

// unpack writes a file of the template. Its head is its path and age, or that of a session.
func (h *Home) unpack(head []string, body string, now time.Time) error {
	age := lastSession
	if days, is := strings.CutSuffix(head[len(head)-1], "d"); is && len(head) > 1 {
		n, err := strconv.Atoi(days)
		if err != nil {
			return err
		}
		age += time.Duration(n) * 24 * time.Hour
	}
	body = strings.ReplaceAll(body, "{memory}", h.Memory)
	if head[0] == "session" {
		project := filepath.Join(h.Dir, head[2])
		text, err := transcript(head[1], project, body, now.Add(-age))
		if err != nil {
			return err
		}
		return write(filepath.Join(transcripts(project), head[1]+".jsonl"), text, now.Add(-age))
	}
	path := strings.ReplaceAll(head[0], "{memory}", h.Memory)
	if rest, is := strings.CutPrefix(head[0], "home/"); is {
		path = filepath.Join(h.Dir, filepath.FromSlash(rest))
	}
	if strings.HasSuffix(head[0], "/") {
		return os.MkdirAll(path, 0o700)
	}
	return write(path, render(body, now)+"\n", now.Add(-age))
}

// write writes a file with a date.
func write(path, text string, at time.Time) error {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err == nil {
		err = os.Chtimes(path, at, at)
	}
	return err
}
