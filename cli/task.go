package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// taskFlags say what to recall for.
type taskFlags struct {
	text    string
	set     bool
	mode    string
	tools   []string
	without []string
	scope   string
	folder  string
	files   []string
	// optional is set where a store of most systems can do without a task.
	optional bool
}

func (t *taskFlags) declare(c *cobra.Command) {
	c.Flags().StringArrayVar(&t.tools, "tool", nil, "prefer lessons that used the tool `NAME`; may be repeated")
	c.Flags().StringArrayVar(&t.without, "without", nil, "leave `WORD` of the task out; may be repeated")
	c.Flags().StringVar(&t.scope, "scope", "", "recall for the part `NAME` of the store: an agent, a tenant")
	c.Flags().StringVar(&t.folder, "folder", "", "recall for a session that starts in the folder `PATH`, the working folder without it")
	c.Flags().StringArrayVar(&t.files, "file", nil, "recall for a session that reads or writes the file `PATH`; may be repeated")
}

// maxTask is the most that is read of a task, or of other input. An agent reads far
// less of it.
const maxTask = 64 << 20

// await returns what read does, or the error of ctx as soon as it is done: a read
// of a terminal or a pipe may never end.
func await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := read()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// read returns the task that the flags and arguments give. A dash stands for
// standard input, which is taken as it is, with its last line end.
func (t *taskFlags) read(ctx context.Context, e Env, args []string) (memory.Task, error) {
	given := strings.Join(args, " ")
	switch {
	case t.set && len(args) > 0:
		return memory.Task{}, usage("leave out one of them", "the task is given twice, by --task and as %q", given)
	case t.set:
		given = t.text
	case len(args) == 0 && t.optional:
		return t.task(e, ""), nil
	case len(args) == 0:
		return memory.Task{}, usage("give the task, or - to read it from standard input", "which task")
	}
	raw := []byte(given)
	if given == "-" {
		var err error
		if raw, err = e.input(ctx, "task"); err != nil {
			return memory.Task{}, err
		}
	}
	return t.task(e, e.Task(raw)), nil
}

// task returns the task of a text.
func (t *taskFlags) task(e Env, text string) memory.Task {
	made := memory.Task{
		Text: text, Tools: t.tools, Mode: memory.Mode(t.mode), Without: t.without, Scope: t.scope, Files: t.files,
	}
	if t.folder != "" {
		made.Folder = e.absolute(t.folder)
	}
	return made
}

// recallFor chooses the store and asks what the task would recall from it.
func (e Env) recallFor(ctx context.Context, all *flags, t *taskFlags, args []string) (memory.Place, memory.Recall, error) {
	fromInput := t.text == "-" || len(args) == 1 && args[0] == "-"
	place, err := e.choose(ctx, all, fromInput)
	if err != nil {
		return place, memory.Recall{}, err
	}
	t.optional = t.optional && place.System != engine // its agents recall for a task or not at all
	task, err := t.read(ctx, e, args)
	if err != nil {
		return place, memory.Recall{}, err
	}
	if task.Folder == "" {
		task.Folder = e.workingFolder(place)
	}
	r, err := e.Library.Recall(ctx, place.Store, task)
	return place, r, err
}

// workingFolder returns the folder that a session would start in where the person is; empty
// for the project's own, and for a place outside the project.
func (e Env) workingFolder(place memory.Place) string {
	dir := e.absolute(".")
	rel, err := filepath.Rel(place.Project, dir)
	if place.Project == "" || err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return dir
}
