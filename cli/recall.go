package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

type recallFlags struct {
	taskFlags
	format               string
	block, with          string
	json, reveal, commit bool
	dryRun               bool
}

func (e Env) recall(all *flags) *cobra.Command {
	var f recallFlags
	c := &cobra.Command{
		Use:   "recall [TASK...|-]",
		Short: "show what an agent would be told for a task",
		Long: `Shows what an agent would recall for a task, and the text that it would read.
Nothing is changed, no relevance count is raised, unless --commit is given: each of
the recalled, and no other record, then counts one recall more and has the time of
it. One recall counts once, where an agent in agentic mode counts each time that
it plans. undo takes it back.

Without TASK it shows what a system injects at every start, whatever the task is;
KarnEvil9 wants one. Where a model chooses, the ranking is our estimate, and says so;
the texts are exact all the same.

--format text is for reading, all as well, with each text whole. block prints the
injected block, prompt the whole user prompt that holds it: the exact bytes and nothing
else, secrets too, without a line end of our own; half a surrogate pair is U+FFFD. On a
terminal both are made visible and masked instead. A system that injects several texts
has them numbered: --block prints the one of that number or name, as block does. json is
the same as --json.

--with STORE recalls for the same task from a second store, and says what both have and
what only one has.`,
		Example: examples(
			"winnow recall --task 'deploy the docs'",
			"pbpaste | winnow recall - --format block",
			"winnow recall --task - --mode agentic --format prompt < task.txt",
			"winnow recall --system claudecode --file src/api.go",
			"winnow recall --store kimchi --block 'USER PROFILE'",
			"winnow recall 'deploy the docs' --with claudecode",
			"winnow recall --commit --format block 'deploy the docs'"),
		RunE: func(c *cobra.Command, args []string) error {
			f.set = c.Flags().Changed("task")
			return e.runRecall(c.Context(), all, &f, args)
		},
	}
	c.Flags().StringVar(&f.text, "task", "", "take `TEXT` as the draft task; - reads standard input")
	c.Flags().StringVar(&f.mode, "mode", string(memory.Single), "planner `MODE`: single, agentic")
	c.Flags().StringVar(&f.format, "format", "text", "print in this `FORM`: "+strings.Join(recallForms(), ", "))
	c.Flags().StringVar(&f.block, "block", "", "print exactly the text of that `NUMBER` or name")
	c.Flags().StringVar(&f.with, "with", "", "compare with what `STORE` recalls, as --store takes it")
	f.declare(c)
	c.Flags().BoolVar(&f.commit, "commit", false, "count the recall in the store")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "with --commit: tell what would be counted and change nothing")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
	complete(c, "mode", string(memory.Single), string(memory.Agentic))
	complete(c, "format", recallForms()...)
	_ = c.RegisterFlagCompletionFunc("with", e.offerStores(all))
	return c
}

// recallForms are the values of --format.
func recallForms() []string { return []string{"text", "all", "block", "prompt", "json"} }

// check refuses flags of recall that make no sense together.
func (f *recallFlags) check() error {
	exact := f.block != "" || f.format == "block" || f.format == "prompt"
	switch {
	case f.dryRun && !f.commit:
		return usage("leave it out: nothing is changed anyway", "recall: --dry-run goes with --commit")
	case f.block != "" && (f.json || f.format != "text" && f.format != "block"):
		return usage("leave out one of them", "recall: --block prints one text, and no other form")
	case f.with != "" && exact:
		return usage("leave out one of them", "recall: --with compares, and prints no exact text")
	case f.with != "" && f.commit:
		return usage("count in one store after the other", "recall: --commit does not go with --with")
	}
	if err := oneOf("mode", f.mode, string(memory.Single), string(memory.Agentic)); err != nil {
		return err
	}
	return oneOf("format", f.format, recallForms()...)
}

func (e Env) runRecall(ctx context.Context, all *flags, f *recallFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.json {
		f.format = "json"
	}
	asked := *all
	asked.writes, f.optional = f.commit, true
	place, r, err := e.recallFor(ctx, &asked, &f.taskFlags, args)
	if err != nil {
		return err
	}
	if f.with != "" {
		return e.recallWith(ctx, all, f, recalled{place, r})
	}
	run := &change{
		Env: e, changeFlags: &changeFlags{dryRun: f.dryRun, reveal: f.reveal}, op: "recall --commit", place: place, named: all.named(), noun: memory.Noun{One: "lesson", Many: "lessons"},
	}
	var counted *step
	if f.commit && r.Stop == nil {
		if counted, err = run.count(ctx, all, r.Task); err != nil {
			return err
		}
	}
	return run.printCounted(f, r, counted)
}

// printCounted prints a recall, and what was counted of it unless that is nil.
func (c *change) printCounted(f *recallFlags, r memory.Recall, counted *step) (err error) {
	o := c.output(f.reveal)
	if f.block != "" {
		b, err := blockNamed(r, f.block)
		if err != nil {
			return err
		}
		return errors.Join(c.printExact(o, r, b), c.tellCounted(counted))
	}
	switch f.format {
	case "block":
		return errors.Join(c.printExact(o, r, r.Block), c.tellCounted(counted))
	case "prompt":
		return errors.Join(c.printExact(o, r, r.Prompt), c.tellCounted(counted))
	case "json":
		j := o.recallJSON(c.place, r, true)
		if counted != nil {
			p := c.planJSON(o, counted)
			j.Commit = &p
		}
		err = o.json(j)
	default:
		c.printRecall(o, c.place, r, f.format == "all")
		if counted == nil {
			o.printf("\npreview only: %s was changed\n", map[bool]string{false: "no relevance count", true: "nothing"}[o.foreign])
		} else {
			c.printCounts(o, counted)
		}
		err = o.close()
	}
	if err == nil && r.Stop != nil {
		return agentStops(r.Stop)
	}
	return err
}

// printExact prints a block as the agent would send it, and nothing else. A
// terminal gets it made visible.
func (e Env) printExact(o *output, r memory.Recall, b memory.Block) error {
	if r.Stop != nil {
		return agentStops(r.Stop)
	}
	if r.Unread != "" {
		fmt.Fprintln(e.Err, "warning: "+safe.Line(r.Unread))
	}
	if e.OutTTY {
		o.printBlock("", b)
		err := o.close()
		fmt.Fprintln(e.Err, "made visible for the terminal; to a file or pipe go the exact bytes")
		return err
	}
	if _, err := io.WriteString(o, e.Encode(b.Text)); err != nil {
		return o.close()
	}
	if r.Block.Text == "" && r.Empty != "" {
		fmt.Fprintln(e.Err, "nothing would be recalled: "+safe.Line(r.Empty))
	}
	return o.close()
}

// printNotes prints what else there is to say of a recall.
func (o *output) printNotes(r memory.Recall) {
	for _, n := range r.Notes {
		o.paragraph("", "note: "+safe.Line(n))
	}
}

// printBlock prints a block line by line, made visible. A secret that crosses a
// line break is masked in all of its lines.
func (o *output) printBlock(margin string, b memory.Block) {
	secrets := markedSecrets(b.Marks)
	for start := 0; start < len(b.Text); {
		line, _, _ := strings.Cut(b.Text[start:], "\n")
		var here [][2]int
		for _, s := range secrets {
			if s[0] < start+len(line) && s[1] > start {
				here = append(here, [2]int{max(s[0]-start, 0), min(s[1]-start, len(line))})
			}
		}
		o.paragraph(margin, safe.Masked(line, here, o.reveal))
		start += len(line) + 1
	}
}
