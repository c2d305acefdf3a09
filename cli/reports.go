package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
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
	var data bytes.Buffer
	if err := writeReport(&data, r, &f); err != nil {
		return "", fmt.Errorf("write report: %w", err)
	}
	return path, e.Auditing.WriteFile(ctx, path, data.Bytes(), replace, 0o644)
}

// reported is the report of an audit that was not made yet.
func (e Env) reported(all *flags, f *auditFlags) *report.Report {
	return &report.Report{
		Rules: e.Auditing.AuditRules(), FailOn: severity(f.failOn), Narrowed: len(f.families)+len(f.rules) > 0,
		ShowIgnored: f.showIgnored, Version: e.Version, Zone: all.zone(e), Width: e.Width,
		Hidden: e.Redact, Reveal: f.reveal,
	}
}

// fixCommand returns the command that redacts what an audit finds.
func fixCommand(f *auditFlags, paths []string) string {
	words := "winnow audit"
	for _, flag := range []struct {
		set  bool
		name string
	}{{f.stores, "stores"}, {f.allText, "all-text"}, {f.shared, "shared"}, {f.ignoredToo, "ignored-too"}} {
		if flag.set {
			words += " --" + flag.name
		}
	}
	for _, path := range paths {
		if strings.HasPrefix(path, "-") {
			path = "./" + path
		}
		words += " " + quotedWord(path)
	}
	return words + " --fix"
}

// writeReport writes the report in the form that was asked for.
func writeReport(w io.Writer, r *report.Report, f *auditFlags) error {
	switch {
	case f.json:
		return r.JSON(w)
	case f.sarif:
		return r.SARIF(w)
	case f.markdown:
		return r.Markdown(w)
	}
	return r.Text(w)
}

// day returns the date of a time, or nothing for none.
func day(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateOnly)
}
