package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/audit/baseline"
	"winnow/core/memory"
	"winnow/views"
)

func (p *program) runAudit(ctx context.Context, f *auditFlags, paths []string) error {
	until, err := p.deadline("audit", f.until)
	if err != nil {
		return err
	}
	o, err := p.auditOrder(ctx, f, paths)
	if err != nil {
		return err
	}
	r := p.newReport(f)
	r.Fix = fixCommand(f, paths)
	var unseen, failed error
	r.Audit, unseen = p.look(ctx, o, f.quiet)
	narrow(&r.Audit, f)
	switch {
	case unseen != nil || r.Audit.Stopped:
	case f.fix:
		failed = p.fix(ctx, f, o, r)
	case f.writeBaseline != "":
		failed = p.acceptAll(ctx, f, until, &r.Audit)
	}
	if unseen == nil || len(r.Audit.Findings) > 0 {
		// The report is printed before what went wrong.
		failed = errors.Join(p.printAudit(ctx, r, f), failed)
	}
	switch { // the report has said what was found and what could not be read
	case unseen != nil:
		x := *asFailure(unseen)
		x.code = exitUnseen
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

// auditOrder makes an order of the arguments.
func (p *program) auditOrder(ctx context.Context, f *auditFlags, paths []string) (memory.AuditOrder, error) {
	const mostListed = 200_000 // findings, where the list must be complete
	o := memory.AuditOrder{Stores: f.stores, AllText: f.allText, Staged: f.staged, History: f.history}
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
	if f.baseline == "" {
		return o, nil
	}
	var err error
	o.Ignored, err = p.readBaseline(ctx, f.baseline)
	return o, err
}

// look audits, and says on a terminal how far it got when that takes a while.
func (p *program) look(ctx context.Context, o memory.AuditOrder, quiet bool) (memory.Audit, error) {
	bar := &progress{Env: &p.Env, start: p.Now(), off: quiet || !p.ErrTTY}
	a, err := p.Auditing.Audit(ctx, o, &interruptible{ctx: ctx, in: p.In}, bar.tellProgress)
	bar.end()
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
		r.buf = nil // the abandoned read may still write to it
		return 0, err
	}
	return copy(to, buf[:got.n]), got.err
}

// progress says on a terminal how far an audit got. It is safe for concurrent use.
type progress struct {
	*Env
	start time.Time
	off   bool

	mu    sync.Mutex // guards what follows
	last  time.Time
	shown bool
}

// progressWidth is how long a line about progress is at most, in cells.
const progressWidth = 78

func (b *progress) tellProgress(m memory.Progress) {
	const first, pause = time.Second, 100 * time.Millisecond
	if b.off {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.Now()
	if now.Sub(b.start) < first || now.Sub(b.last) < pause {
		return
	}
	b.last, b.shown = now, true
	b.prompt("\r%s", output.Safe(views.Cell(string(output.Visible(progressLine(m))), progressWidth)))
}

// progressLine says how far an audit got.
func progressLine(m memory.Progress) string {
	files := plural(m.Files, "file")
	if m.Of > 0 {
		files = fmt.Sprintf("%d of %s", m.Files, plural(m.Of, "file"))
	}
	return fmt.Sprintf("%s: %s, %.1f MB, %s so far", m.Doing, files, float64(m.Bytes)/1e6, plural(m.Findings, "finding"))
}

// end clears the line.
func (b *progress) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.off = true
	if b.shown {
		b.prompt("\r%s\r", strings.Repeat(" ", progressWidth))
	}
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
func (p *program) printAudit(ctx context.Context, r *report.Report, f *auditFlags) error {
	o := p.output(f.reveal)
	toFile := f.out != "" && f.out != "-"
	if toFile {
		var data bytes.Buffer
		if err := r.Print(output.New(&data, 0, false), f.formName()); err != nil {
			return err
		}
		if err := p.writeFile(ctx, "audit", f.out, data.Bytes(), f.force, 0o644); err != nil {
			r.Quiet(o) // it was found anyway
			return errors.Join(err, o.Close())
		}
	}
	if !toFile && (!f.quiet || f.formName() != "text") {
		return r.Print(o, f.formName())
	}
	r.Quiet(o)
	return o.Close()
}

// formName is the form of the report that was asked for: that of [report.Report.Print].
func (f *auditFlags) formName() string {
	switch {
	case f.json:
		return "json"
	case f.sarif:
		return "sarif"
	case f.markdown:
		return "md"
	}
	return "text"
}

// writeFile writes a file that is no store, with an error that says what to do.
func (p *program) writeFile(ctx context.Context, op, path string, data []byte, replace bool, perm fs.FileMode) error {
	err := p.Auditing.WriteFile(ctx, path, data, replace, perm)
	if errors.Is(err, fs.ErrExist) {
		return failed(exitFailure, "name another, or add --force", "%s: the file %s exists already", op, path)
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	x := *asFailure(err)
	x.err = fmt.Errorf("%s: %w", op, x.err)
	if q := (*memory.Problem)(nil); errors.As(err, &q) && q.Code == "is-link" {
		x.hint = "name the file that the link leads to"
	}
	return &x
}

// fix redacts the secrets that were found, and looks again.
func (p *program) fix(ctx context.Context, f *auditFlags, o memory.AuditOrder, r *report.Report) error {
	var files []string
	n := 0
	for i := range r.Audit.Findings {
		if x := &r.Audit.Findings[i]; x.Open() && x.Fixable {
			n++
			if !slices.Contains(files, x.Path) {
				files = append(files, x.Path)
			}
		}
	}
	if n == 0 {
		p.tell("audit: there is no secret to replace here")
		return nil
	}
	if f.dryRun || !f.yes {
		for _, path := range files {
			p.tell("has secrets: %s", path)
		}
	}
	what := fmt.Sprintf("the secrets of %s in %s", plural(n, "finding"), plural(len(files), "file"))
	if f.dryRun {
		p.tell("dry run: nothing was changed; --fix would replace %s", what)
		return nil
	}
	if !f.yes {
		if err := p.confirmed(ctx, "audit", "Redact "+what+", keeping no copy?", p.InTTY && p.ErrTTY); err != nil {
			return err
		}
	}
	for i := range r.Audit.Findings { // what is left of them is found without its origin too
		if x := &r.Audit.Findings[i]; x.Family == memory.FamilySecret && x.Open() {
			o.Known = append(o.Known, x.Text[x.Start:x.End])
		}
	}
	fixed, err := p.Auditing.Fix(ctx, r.Audit)
	if err == nil || len(fixed.Files) > 0 {
		r.Fixed = &fixed
	}
	if err != nil {
		return err
	}
	if r.Audit, err = p.look(ctx, o, f.quiet); err != nil {
		return err
	}
	narrow(&r.Audit, f)
	if len(fixed.Failed) > 0 {
		return silent(exitFailure)
	}
	return nil
}

// acceptAll adds all that was found to a baseline file.
func (p *program) acceptAll(ctx context.Context, f *auditFlags, until time.Time, a *memory.Audit) error {
	if a.More > 0 {
		return failed(exitFailure, "audit fewer files at a time, or mend what is found first",
			"audit: %s are too many for a baseline, which would be incomplete", plural(len(a.Findings)+a.More, "finding"))
	}
	list, err := p.oldBaseline(ctx, f.writeBaseline)
	if err != nil {
		return err
	}
	accepted := map[*memory.Finding]*memory.Ignore{}
	for i := range a.Findings {
		x := &a.Findings[i]
		if x.Open() && x.Fingerprint != "" {
			g := memory.Ignore{Fingerprint: x.Fingerprint, Rule: x.Rule, Reason: f.reason, Added: p.Now(), Until: until}
			list, accepted[x] = withIgnore(list, g), &g
		}
	}
	if err := p.writeFile(ctx, "audit", f.writeBaseline, baseline.Encode(list), true, 0o644); err != nil {
		return err
	}
	for x, g := range accepted { // only now are they ignored
		x.Ignored = g
	}
	p.tell("%s added to %s", plural(len(accepted), "finding"), f.writeBaseline)
	return nil
}
