package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/config"
	"winnow/core/detect"
	"winnow/core/memory"
)

// auditing is one call of audit, with its flags.
type auditing struct {
	*program
	stores, allText, agentFiles, shared, ignoredToo bool
	history, staged                                 bool

	failOn          string
	families, rules []string
	showIgnored     bool

	sarif, markdown bool
	target          string // of the report
	force, quiet    bool
	long            bool
	incompleteOK    bool

	baseline, writeBaseline, reason, until string
	fix, dryRun, yes                       bool
	many, inCode                           bool      // with fix
	ends                                   time.Time // until
}

// severities are the values of --fail-on. families are those of --family.
func severities() []string { return config.Severities() }

func families() []string {
	return output.Each([]memory.Family{
		memory.FamilySecret, memory.FamilyPrivate, memory.FamilyInjection, memory.FamilyHidden,
		memory.FamilyRedaction, memory.FamilyFile,
	}, func(f *memory.Family) string { return string(*f) })
}

func (p *program) audit() command {
	f := auditing{program: p, failOn: usualFailOn}
	return command{
		paged: true, use: "audit [PATH...|-]", short: "Find secrets, injected instructions and hidden text",
		long: `Says whether files are safe to share: it looks for secrets, private data, instructions
that act on a model, hidden text and failed redaction. The verdict comes first, then the
findings, worst first, one a line; --long says why each is a finding and what to do.

PATH is a file or a folder, this folder by default. In a folder it looks for secrets in
every text, and for the rest in the files that agents read or write; in a repository only
in those that would be shared. - is standard input. --stores reads the stores on this
machine instead. What is left out is counted, with the reason.

NOT SAFE TO SHARE means evidence: findings of high severity, status 1. REVIEW means places
that a person should read, of medium severity: status 0, or 1 with --fail-on review.
INCOMPLETE means that something that matters could not be read: status 2, or 1 with a
finding at or above --fail-on. Secrets are masked; --reveal shows them, on a terminal only.
A comment in a file silences nothing: only winnow ignore and --baseline do.

--fix shows each secret masked, with its places, and replaces it with [REDACTED] in the files
of agents and in those you name, keeping no copy. It audits again, and lists where else they
may be. Revoke them first.`,
		examples: []string{
			"winnow audit", "winnow audit . --history --fail-on review", "winnow audit --staged",
			"winnow audit sessions/memory.jsonl --fix --dry-run", "winnow audit . --sarif --out winnow.sarif",
			"winnow audit . --write-baseline .winnow-baseline --reason 'test data'",
		},
		exclusive: auditExclusive(),
		flags: append([]flag{
			{to: &f.stores, name: "stores", help: "read the stores on this machine"},
			{to: &f.agentFiles, name: "agent-files", help: "read only the files of agents"},
			{to: &f.allText, name: "all-text", help: "look for everything in every text file, not only for secrets"},
			{to: &f.shared, name: "shared", help: "read only files that git tracks or does not ignore; default in a repository"},
			{to: &f.ignoredToo, name: "ignored-too", help: "also read files that git ignores"},
			{to: &f.staged, name: "staged", help: "read what the next commit would contain"},
			{to: &f.history, name: "history", help: "read every version in git, deleted ones too"},
			{to: &f.families, name: "family", help: "report only this `FAMILY`: " + strings.Join(families(), ", "), values: families(), commas: true},
			{to: &f.rules, name: "rule", help: "report only rule `ID`; winnow rules lists them", offer: p.offerRules, commas: true},
			{to: &f.showIgnored, name: "show-ignored", help: "also list ignored findings"},
			{to: &f.sarif, name: "sarif", help: "print SARIF 2.1.0"},
			{to: &f.markdown, name: "markdown", help: "print Markdown that is safe in a pull request"},
			{to: &f.target, name: "out", help: "write the report to `FILE`, and print only the verdict"},
			{to: &f.force, name: "force", help: "let --out replace a file"},
			{to: &f.quiet, name: "quiet", help: "print only the verdict and what it does not cover"},
			{to: &f.long, name: "long", help: "say of each finding why it is one and what to do"},
			{to: &f.baseline, name: "baseline", help: "ignore the findings listed in `FILE`"},
			{to: &f.writeBaseline, name: "write-baseline", help: "add the findings to the baseline `FILE`"},
			{to: &f.fix, name: "fix", help: "replace the secrets in their files, keeping no copy"},
			{to: &f.dryRun, name: "dry-run", help: "with --fix: say what would be replaced without changing anything"},
			{to: &f.yes, name: "yes", help: "with --fix: skip the confirmation"},
			{
				to:   &f.incompleteOK,
				name: "incomplete-ok",
				help: "end with status 0 although something could not be read",
			},
			{to: &f.many, name: "many", help: "with --fix: also replace a value that stands in more than 20 places"},
			{
				to:   &f.inCode,
				name: "in-code",
				help: "with --fix: also replace a value in source code outside of strings",
			},
			failOnFlag(&f.failOn), p.jsonFlag(), p.revealFlag(),
		}, reasonFlags(&f.reason, &f.until)...),
		run: f.run,
	}
}

// auditExclusive returns the groups of flags that exclude each other.
func auditExclusive() [][]string {
	return [][]string{
		{"json", "sarif", "markdown"},
		{"shared", "ignored-too"},
		{"all-text", "agent-files"},
		{"fix", "staged"},
		{"fix", "write-baseline"},
		{"reveal", "json"},
		{"reveal", "sarif"},
		{"reveal", "markdown"},
		{"reveal", "out"},
		{"fix", "sarif"},
		{"fix", "markdown"},
		{"fix", "out"},
	}
}

// usualFailOn is the default severity from which an audit fails.
const usualFailOn = "high"

// failsFrom returns the severity from which an audit fails: the value of --fail-on or, without it,
// that of config.toml.
func (p *program) failsFrom(failOn string) memory.Severity {
	if path := p.Config; path != "" && !p.isSet("fail-on") {
		failOn = cmp.Or(config.Read(path).Share.FailOn, failOn)
	}
	return severity(failOn)
}

func failOnFlag(to *string) flag {
	return flag{to: to, name: "fail-on", help: "fail on findings of this `SEVERITY` or worse: " + strings.Join(severities(), ", "), values: severities()}
}

func reasonFlags(reason, until *string) []flag {
	return []flag{
		{to: reason, name: "reason", help: "why to ignore it, as a `TEXT` for those who come after you"},
		{to: until, name: "until", help: "ignore it only until `DATE`: 2027-01-31, or 30d for 30 days"},
	}
}

// offerRules completes rule IDs.
func (p *program) offerRules(context.Context, []string) []string {
	return output.Each(p.Auditing.AuditRules(), func(u *memory.AuditRule) string { return u.ID })
}

// paths returns what --store and --system refer to. A path is audited as it is; a store of a system is
// named, for its files to be audited.
func (f *auditing) paths(ctx context.Context) ([]string, error) {
	if f.system == "" && memory.StoreID(f.store).System() == "" && !f.namesSystem(f.store) {
		return output.NonEmpty(f.store), nil
	}
	if f.stores && f.store != "" {
		return nil, usage("leave out one of them", "audit: --stores reads all stores, not %s", f.store)
	}
	found, err := f.existing(ctx, output.NonEmpty(f.store)...)
	if err != nil {
		return nil, err
	}
	return output.Each(found, func(q *memory.Place) string { return string(memory.At(q.System, q.Store.Path())) }), nil
}

// check refuses flags that make no sense together.
func (f *auditing) check(paths []string) (err error) {
	if err := refuse(f.oddPaths(paths)...); err != nil {
		return err
	}
	if err := refuse(f.oddFlags()...); err != nil {
		return err
	}
	if f.fix && f.readOnly && !f.dryRun {
		return refusesToWrite("audit")
	}
	if err = f.checkRules("--rule", f.rules); err != nil {
		return err
	}
	f.ends, err = f.deadline(f.until)
	return err
}

// oddPaths are the refusals of paths: empty ones, and those that a flag has no use for.
func (f *auditing) oddPaths(paths []string) []refusal {
	empty := f.target == "" && f.isSet("out") || f.baseline == "" && f.isSet("baseline") ||
		f.writeBaseline == "" && f.isSet("write-baseline")
	return []refusal{
		{
			f.stores && len(paths) > 0,
			"leave out one of them",
			"audit: --stores reads all stores, not " + append(paths, "")[0],
		},
		{f.reveal && !f.OutTTY, "leave it out", "audit: --reveal shows secrets on a terminal only"},
		{slices.Contains(paths, "") || empty, "see winnow audit --help", "audit: a path is empty"},
		{
			slices.Contains(paths, "-") && (f.fix || f.staged || f.history),
			"name files or folders",
			"audit: standard input is not in git and cannot be changed",
		},
	}
}

// oddFlags are the refusals of flags that go with another one.
func (f *auditing) oddFlags() []refusal {
	writes := f.isSet("write-baseline")
	return []refusal{
		{!f.fix && (f.dryRun || f.yes), "add --fix", "audit: --dry-run and --yes go with --fix"},
		{!f.fix && (f.many || f.inCode), "add --fix", "audit: --many and --in-code go with --fix"},
		{
			writes && strings.TrimSpace(f.reason) == "",
			"add --reason TEXT",
			"audit: --write-baseline needs a reason",
		},
		{
			!writes && (f.isSet("reason") || f.isSet("until")),
			"add --write-baseline FILE, or use winnow ignore",
			"audit: --reason and --until go with --write-baseline",
		},
		{f.force && f.target == "", "add --out FILE", "audit: --force goes with --out"},
	}
}

// checkRules refuses unknown rule IDs.
func (p *program) checkRules(what string, ids []string) error {
	all := p.Auditing.AuditRules()
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(u memory.AuditRule) bool { return u.ID == id }) {
			return usage("list them: winnow rules", "%s %s: no such rule", what, id)
		}
	}
	return nil
}

// severity returns the severity with a name, or 0 if there is none.
func severity(word string) memory.Severity {
	if word == config.FailOnReview {
		return memory.Medium
	}
	return memory.Severity(slices.Index([]string{"", "low", "medium", "high"}, word))
}

// deadline returns the time given by --until, or zero if it was not given.
func (p *program) deadline(until string) (time.Time, error) {
	if until == "" {
		return time.Time{}, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, until, p.zone())
	if n, ok := days(until); err != nil && ok {
		at, err = p.Now().AddDate(0, 0, n), nil
	}
	return at, refuse(
		refusal{err != nil, "give a day, as in --until 2027-01-31 or 30d", p.op +
			": --until " + until + " is not a date"},
		refusal{!at.After(p.Now()), "give a day to come", p.op + ": --until " + until + " is past"},
	)
}

// WriteReport writes the report of an audit, with secrets masked, in the form "md", "json" or
// "sarif". It returns the path written to. An existing file is fs.ErrExist unless replace is set.
func (e *Env) WriteReport(
	ctx context.Context, form string, a memory.Audit, path string, replace bool,
) (written string, err error) {
	r := (&program{Env: *e}).newReport(memory.High)
	r.Audit, r.Long = a, true
	return path, e.Auditing.WriteFile(ctx, path, r.Bytes(form), replace, 0o644)
}

// newReport returns a report for an audit that has not run yet.
func (p *program) newReport(failOn memory.Severity) *report.Report {
	return &report.Report{
		Rules:   p.Auditing.AuditRules(),
		FailOn:  failOn,
		Version: p.Version,
		Zone:    p.zone(),
		Hidden:  detect.Redact,
		Reveal:  p.reveal,
	}
}

// fixCommand returns the command that redacts what an audit finds.
func (f *auditing) fixCommand(paths []string) string {
	words := "winnow audit" + output.When(f.stores, " --stores") +
		output.When(f.allText, " --all-text") + output.When(f.agentFiles, " --agent-files") +
		output.When(f.shared, " --shared") + output.When(f.ignoredToo, " --ignored-too")
	for _, path := range paths {
		words += " " + memory.ShellPath(path)
	}
	return words + " --fix"
}
