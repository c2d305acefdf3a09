package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/memory"
)

// fixValue is a secret that --fix would replace, and where it stands.
type fixValue struct {
	secret string
	places int
	files  []string
	code   string // a file of source code in which it stands outside of a string; empty for none
}

// mostPlaces is in how many places --fix replaces one value without being told to.
const mostPlaces = 20

// redact redacts the secrets that were found, and audits again.
func (f *auditing) redact(ctx context.Context, o memory.AuditOrder, r *report.Report) error {
	for i := range r.Audit.Findings {
		x := &r.Audit.Findings[i]
		if x.Family == memory.FamilySecret && x.Open() { // what is left of it is found even without its origin
			o.Known = append(o.Known, x.Text[x.Start:x.End])
		}
	}
	fixes := r.Audit
	fixes.Findings = f.withoutOtherFiles(r.Audit.Findings, o.Paths)
	values := fixValues(fixes.Findings)
	if len(values) == 0 {
		f.notef("audit: there is no secret to replace here")
		return nil
	}
	places, files := f.listValues(values)
	if err := f.refuseFix(values); err != nil {
		return err
	}
	what := fmt.Sprintf(
		"%s in %s of %s",
		output.Plural(len(values), "secret"),
		output.Plural(places, "place"),
		output.Plural(len(files), "file"),
	)
	switch {
	case f.dryRun:
		f.notef("dry run: nothing was changed; --fix would replace %s", what)
		return nil
	case !f.yes:
		if err := f.confirmed(ctx, "Redact "+what+", keeping no copy?"); err != nil {
			return err
		}
	}
	return f.fixAndAudit(ctx, o, fixes, r)
}

// fixAndAudit redacts the secrets of fixes, and audits again.
func (f *auditing) fixAndAudit(ctx context.Context, o memory.AuditOrder, fixes memory.Audit, r *report.Report) error {
	fixed, err := f.Fixing.Fix(ctx, fixes)
	for _, x := range fixed.Failed {
		if x.Problem.Outside != "" {
			x.Problem.Hint = "if you mean that file: " + f.naming(x.Problem.Outside)
		}
	}
	if err == nil || len(fixed.Files) > 0 {
		r.Fixed = &fixed
	}
	if err == nil {
		r.Audit, err = f.runAudit(ctx, o)
	}
	if err == nil && len(fixed.Failed) > 0 {
		err = silentExit(exitFailure)
	}
	return err
}

// listValues returns in how many places the values stand, and in which files. It names both unless --yes was given.
func (f *auditing) listValues(values []fixValue) (places int, files []string) {
	quiet := f.yes && !f.dryRun
	for i := range values {
		v := &values[i]
		places += v.places
		files = memory.AppendNew(files, v.files...)
		if !quiet {
			f.notef("%s: %s in %s", v.masked(), output.Plural(v.places, "place"), strings.Join(v.files, ", "))
		}
	}
	if quiet {
		return places, files
	}
	for _, path := range files {
		f.notef("has secrets: %s", path)
	}
	return places, files
}

// withoutOtherFiles returns the findings, with those in files that no agent reads or writes left as they are, unless
// the file was named or --all-text was given. It says which files these are and what to revoke. Notes stay too, unless
// their file was named: they are values that are probably made up.
func (f *auditing) withoutOtherFiles(findings []memory.Finding, named []string) []memory.Finding {
	out := slices.Clone(findings)
	said := map[string]bool{}
	for i := range out {
		x := &out[i]
		if x.Severity == memory.Low && !isNamed(x, named) {
			x.Fixable = false
		}
		if f.isWanted(x, named) || x.Family != memory.FamilySecret || !x.Open() || !x.Fixable {
			continue
		}
		x.Fixable = false
		next := strings.Join(x.Next[:min(1, len(x.Next))], "")
		if line := fmt.Sprintf("%s in %s: %s", x.Name, x.Path, next); !said[line] {
			said[line] = true
			f.notef("not changed, since no agent reads it; name the file or add --all-text: %s", line)
		}
	}
	return out
}

// isWanted reports whether --fix is to change the file of a finding: one of an agent, or one that was named.
func (f *auditing) isWanted(x *memory.Finding, named []string) bool {
	return x.OfAgent || f.stores || f.store != "" || f.allText || isNamed(x, named)
}

// isNamed reports whether the file of a finding is one of the paths of the command.
func isNamed(x *memory.Finding, paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return filepath.Clean(path) == filepath.Clean(x.Path) || path == x.File
	})
}

// fixValues returns the secrets that a redaction replaces, those in the most places first.
func fixValues(findings []memory.Finding) (values []fixValue) {
	at := map[string]int{}
	for i := range findings {
		x := &findings[i]
		if x.Family != memory.FamilySecret || !x.Open() || !x.Fixable {
			continue
		}
		secret := x.Text[x.Start:x.End]
		n, known := at[secret]
		if !known {
			n = len(values)
			at[secret], values = n, append(values, fixValue{secret: secret})
		}
		v := &values[n]
		v.places += max(1, x.Count)
		v.files = memory.AppendNew(v.files, x.Path)
		if x.InCode {
			v.code = x.Path
		}
	}
	slices.SortStableFunc(values, func(a, b fixValue) int { return b.places - a.places })
	return values
}

// masked returns the secret as it may be shown: its first characters, if it is long, and its length.
func (v *fixValue) masked() string {
	const shown, long = 4, 16
	first := ""
	if len(v.secret) >= long &&
		strings.Trim(v.secret[:shown], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		first = v.secret[:shown]
	}
	return fmt.Sprintf("%s… (%d bytes)", first, len(v.secret))
}

// refuseFix refuses values that stand in so many places, or in such, that they are probably no secrets.
func (f *auditing) refuseFix(values []fixValue) error {
	for i := range values {
		v := &values[i]
		if v.places > mostPlaces && !f.many {
			return failed(
				exitFailure,
				"look whether it is a secret; if it is, add --many",
				"audit: %s stands in %d places",
				v.masked(),
				v.places,
			)
		}
		if v.code != "" && !f.inCode {
			return failed(
				exitFailure,
				"look whether it is a secret; if it is, add --in-code",
				"audit: %s stands in the code of %s, outside of a string",
				v.masked(),
				v.code,
			)
		}
	}
	return nil
}
