package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"winnow/cli/report"
	"winnow/core/memory"
	"winnow/views/safe"
)

func (e Env) runAudit(ctx context.Context, all *flags, f *auditFlags, paths []string) error {
	until, err := e.deadline(all, "audit", f.until)
	if err != nil {
		return err
	}
	o, err := e.auditOrder(ctx, f, paths)
	if err != nil {
		return err
	}
	r := e.reported(all, f)
	r.Fix = fixCommand(f, paths)
	var unseen error
	r.Audit, unseen = e.look(ctx, o, f.quiet)
	narrow(&r.Audit, f)
	var failed error
	switch {
	case unseen != nil || r.Audit.Stopped:
	case f.fix:
		failed = e.fix(ctx, f, o, r)
	case f.writeBaseline != "":
		failed = e.acceptAll(ctx, f, until, &r.Audit)
	}
	if unseen == nil || len(r.Audit.Findings) > 0 {
		// The order is that of a report and then what went wrong.
		failed = errors.Join(e.printAudit(ctx, r, f), failed)
	}
	return e.auditStatus(r, unseen, failed)
}

// mostListed is how many findings an audit keeps whose list is to be complete.
const mostListed = 200_000

// auditOrder makes an order of the arguments.
func (e Env) auditOrder(ctx context.Context, f *auditFlags, paths []string) (memory.AuditOrder, error) {
	o := memory.AuditOrder{Stores: f.stores, AllText: f.allText, Staged: f.staged, History: f.history}
	if f.fix || f.json || f.sarif || f.markdown || f.baseline != "" || f.writeBaseline != "" {
		o.Most = mostListed
	}
	switch {
	case len(paths) > 0:
		o.Paths = paths
	case !f.stores:
		o.Paths = []string{"."}
	}
	switch {
	case f.shared:
		o.Sharing = memory.SharedOnly
	case f.ignoredToo:
		o.Sharing = memory.SharedAndIgnored
	}
	if f.baseline == "" {
		return o, nil
	}
	var err error
	o.Ignored, err = e.readBaseline(ctx, f.baseline)
	return o, err
}

// look audits, and says on a terminal how far it got when that takes a while.
func (e Env) look(ctx context.Context, o memory.AuditOrder, quiet bool) (memory.Audit, error) {
	p := &progress{Env: e, start: e.Now(), off: quiet || !e.ErrTTY}
	a, err := e.Auditing.Audit(ctx, o, &interruptible{ctx: ctx, in: e.In}, p.tell)
	p.end()
	if ctx.Err() != nil {
		a.Stopped = true
		return a, nil
	}
	return a, err
}

// interruptible is an input that ends with a context, also while nothing comes.
type interruptible struct {
	ctx context.Context
	in  io.Reader
	buf []byte
}

// Read implements io.Reader.
func (r *interruptible) Read(to []byte) (int, error) {
	if len(r.buf) < len(to) {
		r.buf = make([]byte, len(to))
	}
	type read struct {
		n   int
		err error
	}
	buf := r.buf[:len(to)]
	got, err := await(r.ctx, func() (read, error) {
		n, err := r.in.Read(buf)
		return read{n, err}, nil
	})
	if err != nil {
		r.buf = nil // the read that was given up may still write to it
		return 0, err
	}
	return copy(to, buf[:got.n]), got.err
}

// narrow drops the findings of other families and rules than those asked for.
func narrow(a *memory.Audit, f *auditFlags) {
	if len(f.families)+len(f.rules) > 0 {
		a.MoreOpen = memory.Tally{} // nobody knows of which rules they are
	}
	a.Findings = slices.DeleteFunc(a.Findings, func(x memory.Finding) bool {
		return len(f.families) > 0 && !slices.Contains(f.families, string(x.Family)) ||
			len(f.rules) > 0 && !slices.Contains(f.rules, x.Rule) &&
				(x.Origin == "" || x.Origin != x.Rule && !slices.Contains(f.rules, x.Origin))
	})
}

// printAudit prints the report, or writes it to a file and prints the verdict.
func (e Env) printAudit(ctx context.Context, r *report.Report, f *auditFlags) error {
	o := e.output(f.reveal)
	toFile := f.out != "" && f.out != "-"
	if toFile {
		r.Width = 0
		var data bytes.Buffer
		if err := writeReport(&data, r, f); err != nil {
			return err
		}
		if err := e.writeFile(ctx, "audit", f.out, data.Bytes(), f.force, 0o644); err != nil {
			return errors.Join(err, r.Quiet(o), o.close()) // it was found all the same
		}
	}
	write := func(w io.Writer) error { return writeReport(w, r, f) }
	if toFile || f.quiet && !f.json && !f.sarif && !f.markdown {
		write = r.Quiet
	}
	if err := write(o); err != nil && o.Flush() == nil {
		return err
	}
	return o.close()
}

// auditStatus is how an audit ends. The report has said what was found and what could
// not be looked at.
func (e Env) auditStatus(r *report.Report, unseen, failed error) error {
	switch {
	case unseen != nil:
		x := *asFailure(unseen)
		x.code, x.err, x.hint = exitUnseen, errors.New(e.Redact(x.err.Error())), e.Redact(x.hint)
		return errors.Join(&x, failed)
	case failed != nil:
		return failed
	case r.Audit.Stopped:
		return context.Canceled
	case len(r.Audit.Failed) > 0 || r.Verdict() == report.Unknown:
		return silent(exitUnseen)
	case r.Verdict() == report.Unsafe:
		return silent(exitFound)
	}
	return nil
}

// writeFile writes a file that is no store, with an error that says what to do.
func (e Env) writeFile(ctx context.Context, op, path string, data []byte, replace bool, perm fs.FileMode) error {
	err := e.Auditing.WriteFile(ctx, path, data, replace, perm)
	if errors.Is(err, fs.ErrExist) {
		return &failure{code: exitFailure, err: fmt.Errorf("%s: there is a file at %s already", op, path), hint: "name another, or add --force"}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		x := *asFailure(err)
		x.err = fmt.Errorf("%s: %w", op, x.err)
		if p := (*memory.Problem)(nil); errors.As(err, &p) && p.Code == "is-link" {
			x.hint = "name the file that the link leads to"
		}
		return &x
	}
	return err
}

// fix redacts the secrets that were found, and looks again.
func (e Env) fix(ctx context.Context, f *auditFlags, o memory.AuditOrder, r *report.Report) error {
	files, n := fixable(&r.Audit)
	switch {
	case n == 0:
		fmt.Fprintln(e.Err, "audit: there is no secret that can be replaced here")
		return nil
	case f.dryRun:
		e.tellFixable(files)
		fmt.Fprintf(e.Err, "dry run: nothing was changed; the secrets of %s in %s would be replaced\n", plural(n, "finding"), plural(len(files), "file"))
		return nil
	}
	if !f.yes {
		e.tellFixable(files)
		question := fmt.Sprintf("Redact the secrets of %s in %s, keeping no copy?", plural(n, "finding"), plural(len(files), "file"))
		if err := e.sure(ctx, "audit", question, e.InTTY && e.ErrTTY); err != nil {
			return err
		}
	}
	for i := range r.Audit.Findings { // what is left of them is found without its origin too
		if x := &r.Audit.Findings[i]; x.Family == memory.FamilySecret && x.Open() {
			o.Known = append(o.Known, x.Text[x.Start:x.End])
		}
	}
	fixed, err := e.Auditing.Fix(ctx, r.Audit)
	if err == nil || len(fixed.Files) > 0 {
		r.Fixed = &fixed
	}
	if err != nil {
		return err
	}
	if r.Audit, err = e.look(ctx, o, f.quiet); err != nil {
		return err
	}
	narrow(&r.Audit, f)
	if len(fixed.Failed) > 0 {
		return silent(exitFailure)
	}
	return nil
}

// tellFixable names the files in which secrets can be replaced.
func (e Env) tellFixable(files []string) {
	for _, path := range files {
		fmt.Fprintf(e.Err, "has secrets: %s\n", safe.Line(e.Redact(path)))
	}
}

// fixable returns the files in which there are secrets that can be replaced, and how
// many findings these are.
func fixable(a *memory.Audit) (files []string, n int) {
	for i := range a.Findings {
		if x := &a.Findings[i]; x.Open() && x.Fixable {
			n++
			if !slices.Contains(files, x.Path) {
				files = append(files, x.Path)
			}
		}
	}
	return files, n
}

// acceptAll adds all that was found to a baseline file.
func (e Env) acceptAll(ctx context.Context, f *auditFlags, until time.Time, a *memory.Audit) error {
	if a.More > 0 {
		return &failure{
			code: exitFailure, err: fmt.Errorf("audit: %s are too many for a baseline: it would not have all of them", plural(len(a.Findings)+a.More, "finding")),
			hint: "audit fewer files at a time, or mend what is found first",
		}
	}
	list, err := e.oldBaseline(ctx, f.writeBaseline)
	if err != nil {
		return err
	}
	accepted := map[*memory.Finding]*memory.Ignore{}
	for i := range a.Findings {
		x := &a.Findings[i]
		if x.Open() && x.Fingerprint != "" {
			g := memory.Ignore{Fingerprint: x.Fingerprint, Rule: x.Rule, Reason: f.reason, Added: e.Now(), Until: until}
			list, accepted[x] = withIgnore(list, g), &g
		}
	}
	if err := e.writeFile(ctx, "audit", f.writeBaseline, e.EncodeBaseline(list), true, 0o644); err != nil {
		return err
	}
	for x, g := range accepted { // only now do they not count
		x.Ignored = g
	}
	fmt.Fprintf(e.Err, "%s added to %s\n", plural(len(accepted), "finding"), safe.Line(f.writeBaseline))
	return nil
}
