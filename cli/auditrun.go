package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/memory"
)

func (f *auditing) run(ctx context.Context, args []string) error {
	paths, err := f.paths(ctx)
	if err != nil {
		return err
	}
	f.stores = f.stores && len(paths) == 0
	paths = append(paths, args...)
	if err := f.check(paths); err != nil {
		return err
	}
	o, err := f.order(ctx, paths)
	if err != nil {
		return err
	}
	r := f.newReport(f.failsFrom(f.failOn))
	r.Narrowed, r.ShowIgnored, r.Fix = len(f.families)+len(f.rules) > 0, f.showIgnored, f.fixCommand(paths)
	r.Fixes = func(x *memory.Finding) bool { return f.isWanted(x, paths) }
	r.Long, r.Named, r.Baseline = f.long || f.reveal, len(paths) > 0 && !f.staged, f.baseline != ""
	var unseen, failed error
	r.Audit, unseen = f.runAudit(ctx, o)
	switch {
	case unseen != nil || r.Audit.Stopped:
	case f.fix:
		failed = f.redact(ctx, o, r)
	case f.writeBaseline != "":
		failed = f.acceptAll(ctx, &r.Audit)
	}
	if unseen == nil || len(r.Audit.Findings) > 0 {
		// Print the report before the error.
		failed = errors.Join(f.print(ctx, r), failed)
	}
	if unseen != nil {
		x := *asFailure(unseen)
		x.code = exitUnseen
		return errors.Join(&x, failed)
	}
	return cmp.Or(failed, f.verdict(r))
}

// verdict returns the exit status of an audit. The report has already said what was found and what
// could not be read. A finding weighs more than a gap, so that no gap lets evidence pass.
func (f *auditing) verdict(r *report.Report) error {
	switch {
	case r.Audit.Stopped:
		return context.Canceled
	case r.Fails():
		return silentExit(exitFound)
	case r.Verdict() == report.Incomplete && !f.incompleteOK:
		return silentExit(exitUnseen)
	}
	return nil
}

// order builds the audit order from the arguments.
func (f *auditing) order(ctx context.Context, paths []string) (o memory.AuditOrder, err error) {
	const mostListed = 200_000 // findings, for a list that must be complete
	o = memory.AuditOrder{
		Stores:     f.stores,
		AllText:    f.allText,
		AgentFiles: f.agentFiles,
		Staged:     f.staged,
		History:    f.history,
	}
	if f.fix || f.json || f.sarif || f.markdown || f.baseline != "" || f.writeBaseline != "" {
		o.Most = mostListed
	}
	if len(paths) > 0 {
		o.Paths = paths
	} else if !f.stores {
		o.Paths = []string{"."}
	}
	switch {
	case f.shared:
		o.Sharing = memory.SharedOnly
	case f.ignoredToo:
		o.Sharing = memory.SharedAndIgnored
	}
	if f.baseline != "" {
		o.Ignored, err = f.readBaseline(ctx, f.baseline)
	}
	return o, err
}

// runAudit runs the audit, and shows its progress on a terminal if it takes a while. It leaves out what
// was not asked for.
func (f *auditing) runAudit(ctx context.Context, o memory.AuditOrder) (memory.Audit, error) {
	bar := f.progress()
	bar.off = bar.off || f.quiet
	a, err := f.Auditing.Audit(
		ctx,
		o,
		f.In,
		func(m memory.Progress) { bar.show(func() string { return progressLine(m) }) },
	)
	bar.end()
	f.narrow(&a)
	if ctx.Err() != nil {
		a.Stopped = true
		return a, nil
	}
	return a, err
}

// progressLine says how far an audit has come.
func progressLine(m memory.Progress) string {
	return fmt.Sprintf(
		"%s: %s, %.1f MB, %s so far",
		m.Doing,
		output.Plural(m.Files, "file"),
		float64(m.Bytes)/1e6,
		output.Plural(m.Findings, "finding"),
	)
}

// narrow drops the findings of families and rules that were not asked for.
func (f *auditing) narrow(a *memory.Audit) {
	if len(f.families)+len(f.rules) > 0 {
		a.MoreOpen = memory.Tally{} // their rules are unknown
	}
	a.Findings = slices.DeleteFunc(a.Findings, func(x memory.Finding) bool {
		return len(f.families) > 0 && !slices.Contains(f.families, string(x.Family)) ||
			len(f.rules) > 0 && !slices.Contains(f.rules, x.Rule) &&
				(x.Origin == "" || x.Origin != x.Rule && !slices.Contains(f.rules, x.Origin))
	})
}

// print prints the report, or writes it to a file and prints the verdict.
func (f *auditing) print(ctx context.Context, r *report.Report) (err error) {
	form := cmp.Or(output.When(f.json, "json"), output.When(f.sarif, "sarif"), output.When(f.markdown, "md"), "text")
	toFile := f.target != "" && f.target != "-"
	if toFile { // the findings count even if the file cannot be written
		err = f.writeFile(ctx, f.target, r.Bytes(form), f.force, 0o644)
	}
	if toFile || f.quiet && form == "text" {
		r.Quiet(f.out)
	} else {
		r.Print(f.out, form)
	}
	return err
}

// writeFile writes a file that is not a store. Its error says what to do.
func (p *program) writeFile(ctx context.Context, path string, data []byte, replace bool, perm fs.FileMode) error {
	return p.writeError(path, p.Auditing.WriteFile(ctx, path, data, replace, perm))
}

// writeError explains the error of writing a file, which may be nil.
func (p *program) writeError(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return failed(exitFailure, "name another, or add --force", "%s: the file %s exists already", p.op, path)
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	x := *asFailure(err)
	x.err = fmt.Errorf("%s: %w", p.op, x.err)
	if q := (*memory.Problem)(nil); errors.As(err, &q) && q.Code == "is-link" {
		x.hint = "name the file that the link leads to"
	}
	return &x
}

// acceptAll adds all findings to a baseline file.
func (f *auditing) acceptAll(ctx context.Context, a *memory.Audit) error {
	if a.More > 0 {
		return failed(
			exitFailure,
			"audit fewer files at a time, or mend what is found first",
			"audit: %s are too many for a baseline, which would be incomplete",
			output.Plural(len(a.Findings)+a.More, "finding"),
		)
	}
	if _, err := f.oldBaseline(ctx, f.writeBaseline); err != nil {
		return err
	}
	accepted, add := map[*memory.Finding]*memory.Ignore{}, []memory.Ignore(nil)
	for i := range a.Findings {
		x := &a.Findings[i]
		if x.Open() && x.Fingerprint != "" {
			g := memory.Ignore{
				Fingerprint: x.Fingerprint,
				Rule:        x.Rule,
				Reason:      f.reason,
				Added:       f.Now(),
				Until:       f.ends,
			}
			add, accepted[x] = withIgnore(add, g), &g
		}
	}
	err := f.Auditing.IgnoreIn(ctx, f.writeBaseline, add, nil)
	if err := f.writeError(f.writeBaseline, err); err != nil {
		return err
	}
	for x, g := range accepted { // they are ignored only from now on
		x.Ignored = g
	}
	f.notef("%s added to %s", output.Plural(len(accepted), "finding"), f.writeBaseline)
	return nil
}
