package cli

import (
	"cmp"
	"context"
	"os"
	"slices"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/memory"
)

// exporting is one call of export, with its flags.
type exporting struct {
	*program
	selection
	share, failOn   string
	allow           []string
	force, leaveOut bool
}

func (p *program) export() command {
	f := exporting{program: p, failOn: usualFailOn}
	return command{
		use: "export [ID...|-]", short: "Write a copy of a store that is safe to share",
		long: `Writes a copy of a store for others: secrets are redacted, home paths become ~, and
session ids are replaced with hashes that differ from copy to copy. The copy is audited
before it is written: on a finding at or above --fail-on nothing is written and the status
is 1. --allow lets a rule pass, and --leave-out-unsafe drops the records concerned.

ID is anything that show takes, and --filter is as in list; without either all records are
copied. Records that cannot be decoded are left out and listed. --share - writes the copy
to standard output, unless that is a terminal, and the report to standard error.`,
		examples: []string{
			"winnow export --share out.jsonl",
			"winnow export --share out.jsonl --filter outcome:succeeded --fail-on low",
			"winnow export --share - 7f3c 9a10 | wc -l",
		},
		offer: p.offerIDs,
		flags: []flag{
			{to: &f.share, name: "share", help: "write the copy to `FILE`; - is standard output"},
			failOnFlag(&f.failOn),
			{
				to:     &f.allow,
				name:   "allow",
				help:   "write the copy despite findings of rule `ID`",
				offer:  p.offerRules,
				commas: true,
			},
			{to: &f.leaveOut, name: "leave-out-unsafe", help: "leave out records with findings in the copy"},
			{to: &f.force, name: "force", help: "replace an existing file"},
			f.filterFlag(), p.jsonFlag(),
		},
		check: f.check, on: func() choice {
			return choice{inputTaken: f.fromInput(), holds: f.selects(&f.selection)}
		}, run: f.run,
	}
}

func (f *exporting) check(args []string) error {
	return cmp.Or(refuse(
		refusal{f.share == "", "add --share FILE", "export: where to?"},
		refusal{
			f.share == "-" && f.OutTTY,
			"give a file, or a pipe",
			"export: stored bytes are not written to a terminal",
		},
		refusal{
			f.share == "-" && f.json,
			"give a file",
			"export: --json and the copy cannot both go to standard output",
		},
	), f.read(f.program, args, true), f.checkRules("--allow", f.allow))
}

func (f *exporting) run(ctx context.Context, _ []string) error {
	if err := f.checkTarget(); err != nil {
		return err
	}
	var o memory.ShareOrder
	if !f.empty() {
		found, err := f.selected(ctx, &f.selection)
		if err != nil {
			return err
		}
		if o.IDs = idsOf(found); len(o.IDs) == 0 {
			return failed(exitNotFound, "see them: winnow list", "export: no record matches")
		}
	}
	r := f.newReport(f.failsFrom(f.failOn))
	r.Long = true
	s, err := f.copied(ctx, o, r)
	if err != nil {
		return err
	}
	refused := f.refused(r)
	if refused == nil {
		err = f.writeShared(ctx, s.Data)
	}
	if err != nil {
		return err
	}
	f.print(&s, r, refused == nil)
	return refused
}

// copied makes the copy and puts its audit into r. With --leave-out-unsafe it makes another copy
// without the records that have findings.
func (f *exporting) copied(ctx context.Context, o memory.ShareOrder, r *report.Report) (memory.Shared, error) {
	for {
		s, err := f.Copying.Share(ctx, f.place.Store, o)
		if err != nil {
			return s, err
		}
		r.Audit = ofCopy(s.Audit, f.share)
		before := len(o.Unsafe)
		for i := range r.Audit.Findings {
			x := &r.Audit.Findings[i]
			if f.leaveOut && x.ID != "" && blocksExport(r, x, f.allow) && !slices.Contains(o.Unsafe, x.ID) {
				o.Unsafe = append(o.Unsafe, x.ID)
			}
		}
		if len(o.Unsafe) == before {
			return s, nil
		}
	}
}

// blocksExport reports whether a finding keeps the copy from being written.
func blocksExport(r *report.Report, x *memory.Finding, allow []string) bool {
	return x.Open() && x.Severity >= r.FailOn && !slices.Contains(allow, x.Rule)
}

// ofCopy returns the audit of a copy, which was read from a stream, under the copy's name.
func ofCopy(a memory.Audit, name string) memory.Audit {
	if name == "-" {
		name = "the copy"
	}
	a.Findings = slices.Clone(a.Findings)
	for i := range a.Findings {
		a.Findings[i].Path = name
	}
	return a
}

// checkTarget refuses to overwrite a file, and always refuses to overwrite the store itself.
func (f *exporting) checkTarget() error {
	if f.share == "-" || !f.exists(f.share) {
		return nil
	}
	target, err := os.Stat(f.Absolute(f.share))
	store, missing := os.Stat(string(f.place.Store))
	if err == nil && missing == nil && os.SameFile(target, store) {
		return usage("name another file", "export: %s is the store itself", f.share)
	}
	if !f.force {
		return failed(exitFailure, "name another, or add --force", "export: there is a file at %s already", f.share)
	}
	return nil
}

// refused returns why the copy is not written, or nil if it is.
func (f *exporting) refused(r *report.Report) error {
	var rules []string
	for i := range r.Audit.Findings {
		if x := &r.Audit.Findings[i]; blocksExport(r, x, f.allow) {
			rules = append(rules, x.Rule)
		}
	}
	switch {
	case len(r.Audit.Failed) > 0 || r.Audit.Stopped:
		return failed(exitUnseen, "", "export: the copy could not be audited, and was not written")
	case len(rules) > 0:
		return failed(
			exitFound,
			"leave these records out with --leave-out-unsafe, or write it all the same with"+allowFlags(rules),
			"export: the copy is not safe to share, and was not written",
		)
	}
	return nil
}

func (f *exporting) writeShared(ctx context.Context, data []byte) error {
	if f.share != "-" {
		return f.writeFile(ctx, f.share, data, f.force, 0o644)
	}
	f.out.Exact(data)
	return nil
}

// exportedJSON is what is in the copy of a store, and what its audit found.
type exportedJSON struct {
	Schema   int             `json:"schema"`
	Store    placeJSON       `json:"store"`
	Path     text            `json:"path"`
	Written  bool            `json:"written"`
	Records  int             `json:"records"`
	Size     int             `json:"size"`
	Redacted int             `json:"redacted"`
	Homes    int             `json:"homes"`
	Sessions int             `json:"sessions"`
	Dropped  []keptJSON      `json:"dropped"`
	Audit    report.Document `json:"audit"`
}

// print says what is in the copy, and what its audit found.
func (f *exporting) print(s *memory.Shared, r *report.Report, written bool) {
	o := f.out
	if f.json {
		o.JSON(exportedJSON{
			Schema:   schemaVersion,
			Store:    placeOf(o, f.place),
			Path:     text(f.share),
			Written:  written,
			Records:  s.Records,
			Size:     len(s.Data),
			Redacted: s.Redacted,
			Homes:    s.Homes,
			Sessions: s.Sessions,
			Dropped:  keptOf(o, s.Dropped),
			Audit:    r.Document(),
		})
		return
	}
	if f.share == "-" {
		o = o.To(f.Err, f.Width)
	}
	o.Line(
		"%s to %s: %s, %s redacted, %s replaced, %s hashed.",
		cmp.Or(output.When(written, "Written"), "Not written"),
		f.share,
		f.noun.Count(
			s.Records,
		),
		output.Plural(s.Redacted, "secret"),
		output.Plural(s.Homes, "home path"),
		output.Plural(s.Sessions, "session id"),
	)
	for _, k := range s.Dropped {
		o.Line("  left out %s: %s", o.ID(&k.Record, k.Record.ID), o.Dash(k.Why))
	}
	o.Printf("\n")
	r.Print(o, "text")
	o.Flush()
}
