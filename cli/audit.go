package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

type auditFlags struct {
	stores, allText, shared, ignoredToo bool
	history, staged                     bool

	failOn          string
	families, rules []string
	showIgnored     bool

	json, sarif, markdown bool
	out                   string
	force, quiet, reveal  bool

	baseline, writeBaseline, reason, until string
	fix, dryRun, yes                       bool
}

// severities are the values of --fail-on, and families those of --family.
func severities() []string {
	return []string{memory.High.String(), memory.Medium.String(), memory.Low.String()}
}

func families() []string {
	var list []string
	for _, f := range []memory.Family{
		memory.FamilySecret, memory.FamilyPrivate, memory.FamilyInjection, memory.FamilyHidden, memory.FamilyRedaction, memory.FamilyFile,
	} {
		list = append(list, string(f))
	}
	return list
}

func (e Env) audit(all *flags) *cobra.Command {
	var f auditFlags
	c := &cobra.Command{
		Use:   "audit [PATH...|-]",
		Short: "look for secrets, injected instructions and hidden text before sharing",
		Long: `Answers whether files can be shared: it looks for secrets, private data, instructions
that act on a model, hidden text and redaction that went wrong, and says why each is
one and what to do. The verdict comes first, then the findings, worst first.

PATH is a file or a folder; without any it is this folder. Below a folder it reads the
files that agents read or write, or with --all-text every text; in a repository only
those that would be shared. - is standard input. --stores looks at the stores on this
machine instead. What is left out is counted, with the reason.

Status 1 says that something was found at or above --fail-on, and 2 that something
could not be looked at; what was found is printed all the same. Secrets are masked;
--reveal shows them on a terminal only. A comment in a file silences nothing: only
winnow ignore and --baseline do.

--fix replaces secrets by [REDACTED] in their files, keeping no copy, looks again, and
lists where they may still be. Revoke them first.`,
		Example: examples(
			"winnow audit",
			"winnow audit . --history --fail-on high",
			"winnow audit --staged",
			"winnow audit sessions/memory.jsonl --fix --dry-run",
			"winnow audit . --sarif --out winnow.sarif",
			"winnow audit . --write-baseline .winnow-baseline --reason 'test data'"),
		RunE: func(c *cobra.Command, args []string) error {
			files, err := e.auditedFiles(c.Context(), all, f.stores)
			if err != nil {
				return err
			}
			args = append(files, args...)
			f.stores = f.stores && len(files) == 0
			if err := e.checkAudit(c, all, &f, args); err != nil {
				return err
			}
			return e.runAudit(c.Context(), all, &f, args)
		},
	}
	f.declare(c)
	e.completeRules(c, "rule")
	return c
}

// auditedFiles returns the files that --store and --system stand for. A path is audited as
// it is; of a system, and of a store in a folder that others share, the files that its
// records are in.
func (e Env) auditedFiles(ctx context.Context, all *flags, stores bool) ([]string, error) {
	sorted := memory.StoreID(all.store).System() != "" || e.isSystem(all.store) && !e.Exists(all.store)
	switch {
	case all.system == "" && !sorted && all.store != "":
		return []string{all.store}, nil
	case all.system == "" && !sorted:
		return nil, nil
	case stores && all.store != "":
		return nil, usage("leave out one of them", "audit: --stores looks at all stores, not at %s", all.store)
	}
	var values []string
	if all.store != "" {
		values = []string{all.store}
	}
	s, err := e.places(ctx, all, values)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range existing(s) {
		before := len(files)
		// What cannot be read is told of the path itself.
		if _, err := e.Library.Each(ctx, []memory.StoreID{p.Store}, func(_ memory.StoreID, r *memory.Record) error {
			if r.File != "" && !slices.Contains(files, r.File) {
				files = append(files, r.File)
			}
			return nil
		}); err != nil {
			return nil, err
		}
		if len(files) == before && p.Store.System() == "" {
			files = append(files, p.Store.Path())
		}
	}
	if len(files) == 0 {
		return nil, noStore(s)
	}
	return files, nil
}

func (f *auditFlags) declare(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.stores, "stores", false, "look at the stores that are found on this machine")
	s.BoolVar(&f.allText, "all-text", false, "read every text file, not only those of agents")
	s.BoolVar(&f.shared, "shared", false, "read only what is tracked by git or not ignored; the default in a repository")
	s.BoolVar(&f.ignoredToo, "ignored-too", false, "read what git ignores as well")
	s.BoolVar(&f.staged, "staged", false, "read what the next commit would hold")
	s.BoolVar(&f.history, "history", false, "read every version that git holds, deleted ones too")
	failOnFlag(c, &f.failOn, "medium")
	s.StringSliceVar(&f.families, "family", nil, "report only the `FAMILY`: "+strings.Join(families(), ", "))
	s.StringSliceVar(&f.rules, "rule", nil, "report only the rule `ID`; winnow rules lists them")
	s.BoolVar(&f.showIgnored, "show-ignored", false, "list what is ignored as well")
	s.BoolVar(&f.sarif, "sarif", false, "print SARIF 2.1.0")
	s.BoolVar(&f.markdown, "markdown", false, "print Markdown that is safe in a pull request")
	s.StringVar(&f.out, "out", "", "write the report to `FILE`, and print only the verdict")
	s.BoolVar(&f.force, "force", false, "let --out replace a file")
	s.BoolVar(&f.quiet, "quiet", false, "print the verdict only, with what it does not cover")
	s.StringVar(&f.baseline, "baseline", "", "ignore what `FILE` lists")
	s.StringVar(&f.writeBaseline, "write-baseline", "", "add what is found to the baseline `FILE`")
	reasonFlags(c, &f.reason, &f.until)
	s.BoolVar(&f.fix, "fix", false, "replace secrets in their files, keeping no copy")
	s.BoolVar(&f.dryRun, "dry-run", false, "with --fix: say what would be replaced, and change nothing")
	s.BoolVar(&f.yes, "yes", false, "with --fix: do not ask")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
	complete(c, "family", families()...)
}

func failOnFlag(c *cobra.Command, to *string, normal string) {
	c.Flags().StringVar(to, "fail-on", normal, "fail from this `SEVERITY` on: "+strings.Join(severities(), ", "))
	complete(c, "fail-on", severities()...)
}

func reasonFlags(c *cobra.Command, reason, until *string) {
	c.Flags().StringVar(reason, "reason", "", "why it is no matter: `TEXT` for those who come after you")
	c.Flags().StringVar(until, "until", "", "let it count again from `DATE` on: 2027-01-31, or 30d from now")
}

// completeRules offers the ids of rules for a flag, and for arguments when it is empty.
func (e Env) completeRules(c *cobra.Command, flag string) {
	offer := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var ids []string
		for _, u := range e.Auditing.AuditRules() {
			ids = append(ids, u.ID)
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
	if flag == "" {
		c.ValidArgsFunction = offer
		return
	}
	// The error is that the flag does not exist, which a test would see.
	_ = c.RegisterFlagCompletionFunc(flag, offer)
}

// checkAudit refuses flags that make no sense together.
func (e Env) checkAudit(c *cobra.Command, all *flags, f *auditFlags, paths []string) error {
	for _, names := range [][]string{
		{"json", "sarif", "markdown"}, {"shared", "ignored-too"}, {"fix", "staged"}, {"fix", "write-baseline"},
		{"reveal", "json"}, {"reveal", "sarif"}, {"reveal", "markdown"}, {"reveal", "out"},
		{"fix", "sarif"}, {"fix", "markdown"}, {"fix", "out"},
	} {
		if err := onlyOne(c, names...); err != nil {
			return err
		}
	}
	given := func(name string) bool { return c.Flags().Changed(name) }
	dash := slices.Contains(paths, "-")
	switch {
	case f.reveal && !e.OutTTY:
		return usage("leave it out", "audit: --reveal shows secrets on a terminal only")
	case f.stores && len(paths) > 0:
		return usage("leave out one of them", "audit: --stores looks at all stores, not at %s", paths[0])
	case slices.Contains(paths, ""), f.out == "" && given("out"), f.baseline == "" && given("baseline"), f.writeBaseline == "" && given("write-baseline"):
		return usage("see winnow audit --help", "audit: a path is empty")
	case dash && (f.fix || f.staged || f.history):
		return usage("name files or folders", "audit: standard input is neither in git nor can it be changed")
	case !f.fix && (f.dryRun || f.yes):
		return usage("add --fix", "audit: --dry-run and --yes go with --fix")
	case f.fix && all.readOnly && !f.dryRun:
		return refusesToWrite("audit")
	case given("write-baseline") && strings.TrimSpace(f.reason) == "":
		return usage("add --reason 'why it is no matter'", "audit: --write-baseline wants a reason")
	case !given("write-baseline") && (given("reason") || given("until")):
		return usage("add --write-baseline FILE, or use winnow ignore", "audit: --reason and --until go with --write-baseline")
	case f.force && f.out == "":
		return usage("add --out FILE", "audit: --force goes with --out")
	}
	return e.checkNames(f)
}

// checkNames refuses severities, families and rules that do not exist.
func (e Env) checkNames(f *auditFlags) error {
	if err := oneOf("fail-on", f.failOn, severities()...); err != nil {
		return err
	}
	for _, name := range f.families {
		if err := oneOf("family", name, families()...); err != nil {
			return err
		}
	}
	return e.checkRules("--rule", f.rules)
}

// checkRules refuses the ids of rules that do not exist.
func (e Env) checkRules(what string, ids []string) error {
	all := e.Auditing.AuditRules()
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(u memory.AuditRule) bool { return u.ID == id }) {
			return usage("see them: winnow rules", "%s %s: no such rule", what, id)
		}
	}
	return nil
}

// severity returns the severity of a word, 0 when there is none.
func severity(word string) memory.Severity {
	for _, s := range []memory.Severity{memory.Low, memory.Medium, memory.High} {
		if s.String() == word {
			return s
		}
	}
	return 0
}

// deadline returns the time that --until gives: zero when it was not given.
func (e Env) deadline(all *flags, op, until string) (time.Time, error) {
	if until == "" {
		return time.Time{}, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, until, all.zone(e))
	if n, ok := days(until); err != nil && ok {
		at, err = e.Now().AddDate(0, 0, n), nil
	}
	switch {
	case err != nil:
		return at, usage("give a day, as in --until 2027-01-31 or 30d", "%s: --until %s is no date", op, until)
	case !at.After(e.Now()):
		return at, usage("give a day to come", "%s: --until %s is past", op, until)
	}
	return at, nil
}
