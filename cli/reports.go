package cli

import (
	"context"
	"fmt"
	"time"

	"winnow/cli/report"
	"winnow/core/memory"
)

// WriteReport writes the report of an audit, with secrets masked, in the form "md",
// "json" or "sarif", and returns the path that it was written to. A file that is there
// is fs.ErrExist unless replace is set.
func (e Env) WriteReport(ctx context.Context, form string, a memory.Audit, path string, replace bool) (written string, err error) {
	f := auditFlags{failOn: memory.Medium.String()}
	switch form {
	case "md":
		f.markdown = true
	case "json":
		f.json = true
	case "sarif":
		f.sarif = true
	default:
		return "", fmt.Errorf("write report: no form %s", form)
	}
	r := e.reported(&flags{}, &f)
	r.Audit = a
	data, err := reportData(r, &f)
	if err != nil {
		return "", fmt.Errorf("write report: %w", err)
	}
	return path, e.Auditing.WriteFile(ctx, path, data, replace, 0o644)
}

// reported is the report of an audit that was not made yet.
func (e Env) reported(all *flags, f *auditFlags) *report.Report {
	return &report.Report{
		Rules: e.Auditing.AuditRules(), FailOn: severity(f.failOn), Narrowed: len(f.families)+len(f.rules) > 0,
		ShowIgnored: f.showIgnored, Version: e.Version, Zone: all.zone(e), Width: e.Width,
		Hidden: e.Redact, Masked: e.Masked, Reveal: f.reveal,
	}
}

// reportData returns the report in the form that was asked for.
func reportData(r *report.Report, f *auditFlags) ([]byte, error) {
	switch {
	case f.json:
		return r.JSON()
	case f.sarif:
		return r.SARIF()
	case f.markdown:
		return []byte(r.Markdown()), nil
	}
	if f.out != "" {
		r.Width = 0
	}
	return []byte(r.Text()), nil
}

// day returns the date of a time, or nothing for none.
func day(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateOnly)
}
