package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// agentMain is the program "agent STORE": another agent that behaves as the facts
// of the lesson format say. It loads the store once, prunes and caps what it holds,
// and rewrites the whole file through STORE.tmp, without a lock, when it is told to
// save. It takes one command a line from its input and answers each with one line:
//
//	learn ID TEXT  add a lesson about TEXT, which may evict others
//	recall TEXT    search, and count what was found
//	save           rewrite the store
//	reload         start anew: load the store again
//	churn N NAME   N sessions at full speed: recall, learn NAME-1 and so on, save
//	work N TEXT    N sessions that learn nothing: recall TEXT, save
//	held           how many lessons it holds
//	evicted        how many it dropped because it held too many
func agentMain() {
	if err := runAgent(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func runAgent(store string, in io.Reader, out io.Writer) error {
	a := &agent{path: store}
	if err := a.load(); err != nil {
		return err
	}
	fmt.Fprintln(out, "ready", a.list.Len())
	for s := bufio.NewScanner(in); s.Scan(); {
		answer, err := a.do(s.Text())
		if err != nil {
			answer = "error " + err.Error()
		}
		fmt.Fprintln(out, answer)
	}
	return nil
}

// agent holds its own copy of a store.
type agent struct {
	path    string
	list    *lesson.List
	evicted int
}

func (a *agent) load() error {
	raw, err := os.ReadFile(a.path)
	if err != nil && !os.IsNotExist(err) {
		raw = nil // an agent that cannot read starts empty
	}
	a.list = lesson.Load(jstext.Decode(raw), time.Now(), time.Local)
	if p := a.list.Problem(); p != nil {
		return p
	}
	return nil
}

func (a *agent) do(line string) (string, error) {
	verb, rest, _ := strings.Cut(line, " ")
	first, more, _ := strings.Cut(rest, " ")
	switch verb {
	case "learn":
		return "learnt " + first, a.learn(first, more)
	case "recall":
		n, err := a.recall(rest)
		return "recalled " + strconv.Itoa(n), err
	case "save":
		return "saved", a.save()
	case "reload":
		return "reloaded", a.load()
	case "held":
		return "held " + strconv.Itoa(a.list.Len()), nil
	case "evicted":
		return "evicted " + strconv.Itoa(a.evicted), nil
	case "work":
		n, err := strconv.Atoi(first)
		for i := 0; i < n && err == nil; i++ {
			if _, err = a.recall(more); err == nil {
				err = a.save()
			}
		}
		return "worked " + first, err
	case "churn":
		n, err := strconv.Atoi(first)
		for i := 1; i <= n && err == nil; i++ {
			err = a.session(more+"-"+strconv.Itoa(i), "session "+strconv.Itoa(i)+" of "+more)
		}
		return "churned " + first, err
	}
	return "", fmt.Errorf("no such command: %s", verb)
}

func (a *agent) session(id, text string) error {
	if _, err := a.recall(text); err != nil {
		return err
	}
	if err := a.learn(id, text); err != nil {
		return err
	}
	return a.save()
}

func (a *agent) learn(id, text string) error {
	session := "session-" + id
	v, ok := lesson.Original.Extract(lesson.Session{
		LessonID: id, Now: time.Now(), Text: text, Plan: &lesson.Plan{Tools: []string{"shell"}},
		Results: []lesson.StepResult{{Status: "succeeded"}}, Status: "completed", ID: &session,
	})
	if !ok {
		return fmt.Errorf("learn %s: no lesson", id)
	}
	held := a.list.Len()
	if p := a.list.Add(v); p != nil {
		return p
	}
	a.evicted += held + 1 - a.list.Len()
	return nil
}

func (a *agent) recall(text string) (int, error) {
	hits, p := a.list.Search(text, nil)
	if p != nil {
		return 0, p
	}
	a.list.Commit(hits, time.Now())
	return len(hits), nil
}

// save replaces the store as the facts say: the folder is made, the temporary name
// is fixed, the file is synced and its folder is not.
func (a *agent) save() error {
	if err := os.MkdirAll(filepath.Dir(a.path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(a.path + ".tmp")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(a.list.Save()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(a.path+".tmp", a.path)
}
