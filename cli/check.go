package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

func (e Env) check(all *flags) *cobra.Command {
	var asJSON, reveal bool
	c := &cobra.Command{
		Use:   "check [NAME [FILE|-]]",
		Short: "say what a system makes of a text that is in no store",
		Long: `Looks at a text of a product: a reply of its model, an exchange that was recorded, an
entry that is about to be written. The text is FILE, or standard input. Each remark
has the line that it is about and how much it matters; the status is 1 when one of them
is a warning or worse. Without NAME the checks are listed.`,
		Example: examples("winnow check", "winnow check writ reply.txt", "pbpaste | winnow check loop - --json"),
		Args:    atMost(2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.listChecks(asJSON)
			}
			return e.runCheck(c.Context(), args, asJSON, reveal)
		},
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var names []string
		for _, k := range e.Library.Checks() {
			if strings.HasPrefix(k.Name, begun) {
				names = append(names, cobra.CompletionWithDesc(k.Name, k.Short))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	jsonFlag(c, &asJSON)
	revealFlag(c, &reveal)
	return c
}

type checksJSON struct {
	Schema int         `json:"schema"`
	Checks []checkJSON `json:"checks"`
}

type checkJSON struct {
	Name  string `json:"name"`
	Short string `json:"short"`
	Long  string `json:"long"`
}

func (e Env) listChecks(asJSON bool) error {
	o := e.output(false)
	checks := e.Library.Checks()
	if asJSON {
		j := checksJSON{Schema: schemaVersion, Checks: make([]checkJSON, 0, len(checks))}
		for _, k := range checks {
			j.Checks = append(j.Checks, checkJSON{k.Name, k.Short, k.Long})
		}
		return o.json(j)
	}
	for _, k := range checks {
		if o.width == 0 {
			o.printf("%s\t%s\n", safe.Line(k.Name), safe.Line(k.Short))
			continue
		}
		o.line(fmt.Sprintf("%-12s %s", safe.Line(k.Name), safe.Line(k.Short)))
		if k.Long != "" {
			o.paragraph("             ", safe.Line(k.Long))
		}
	}
	if len(checks) == 0 && o.width > 0 {
		o.line("No system has a check.")
	}
	return o.close()
}

type checkedJSON struct {
	Schema  int          `json:"schema"`
	Check   string       `json:"check"`
	Worst   string       `json:"worst"`
	Remarks []remarkJSON `json:"remarks"`
}

type remarkJSON struct {
	Line  int    `json:"line"`
	Level string `json:"level"`
	What  text   `json:"what"`
	Next  text   `json:"next"`
}

func (e Env) runCheck(ctx context.Context, args []string, asJSON, reveal bool) error {
	checks := e.Library.Checks()
	at := slices.IndexFunc(checks, func(k memory.Check) bool { return k.Name == args[0] })
	if at < 0 {
		f := &failure{code: exitNotFound, err: fmt.Errorf("check %s: no such check", args[0]), hint: "see them: winnow check"}
		for _, k := range checks {
			f.more = append(f.more, "  "+k.Name+"  "+k.Short)
		}
		return f
	}
	raw, err := e.checkedText(ctx, args[1:])
	if err != nil {
		return err
	}
	remarks := checks[at].Run(e.Task(raw))
	worst := memory.Good
	for _, r := range remarks {
		worst = max(worst, r.Level)
	}
	o := e.output(reveal)
	if asJSON {
		j := checkedJSON{Schema: schemaVersion, Check: checks[at].Name, Worst: worst.String(), Remarks: make([]remarkJSON, 0, len(remarks))}
		for _, r := range remarks {
			j.Remarks = append(j.Remarks, remarkJSON{r.Line, r.Level.String(), o.said(r.What), o.said(r.Next)})
		}
		err = o.json(j)
	} else {
		for _, r := range remarks {
			o.printRemark(r)
		}
		if len(remarks) == 0 && o.width > 0 {
			o.line("Nothing to say of it.")
		}
		err = o.close()
	}
	if err == nil && worst >= memory.Warn {
		return silent(exitWarned)
	}
	return err
}

// checkedText reads the text of a check: a file, or standard input.
func (e Env) checkedText(ctx context.Context, args []string) ([]byte, error) {
	if len(args) == 0 || args[0] == "-" {
		if len(args) == 0 && e.InTTY {
			return nil, usage("name a file, or - to type it here", "check: which text")
		}
		return e.input(ctx, "text")
	}
	if info, err := os.Stat(args[0]); err == nil && (!info.Mode().IsRegular() || info.Size() > maxTask) {
		return nil, &failure{code: exitFailure, err: fmt.Errorf("check %s: it is no file, or has more than %d MiB", args[0], maxTask>>20), hint: "name a smaller file"}
	}
	raw, err := os.ReadFile(args[0])
	if err != nil {
		return nil, &failure{code: exitNotFound, err: fmt.Errorf("check: %w", err), hint: "name a file, or - for standard input"}
	}
	return raw, nil
}

// printRemark prints what a check says of a line.
func (o *output) printRemark(r memory.Remark) {
	where := "-"
	if r.Line > 0 {
		where = fmt.Sprint(r.Line)
	}
	if o.width == 0 {
		o.printf("%s\t%s\t%s\t%s\n", where, r.Level, o.sentence(r.What), word(o.hidden(r.Next)))
		return
	}
	if r.Line > 0 {
		where = "line " + where
	}
	o.paragraph("", fmt.Sprintf("%-4s  %-8s  %s", r.Level, where, o.sentence(r.What)))
	if r.Next != "" {
		o.paragraph("                ", "next: "+o.sentence(r.Next))
	}
}
