package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cli/report"
	"winnow/core/memory"
)

type exportFlags struct {
	selection
	share, failOn string
	allow         []string
	force, json   bool
	leaveOut      bool
}

func (p *program) export() command {
	f := exportFlags{failOn: "medium"}
	return command{
		use: "export [ID...|-]", short: "Make a copy of a store that can be shared",
		long: `Makes a copy of a store for others, with --share: secrets are redacted, home paths
become ~, and the ids of sessions are replaced by hashes that differ from copy to copy.
The copy is audited before it is written: with a finding at or above --fail-on nothing is
written and the status is 1. --allow lets a rule pass, and --leave-out-unsafe leaves out
the records with such findings.

ID is what show takes, and --filter as in list; without either all records are copied.
Those that cannot be decoded are left out, and listed. --share - writes the copy to
standard output, unless that is a terminal, and the report to standard error.`,
		examples: []string{
			"winnow export --share out.jsonl", "winnow export --share out.jsonl --filter outcome:succeeded --fail-on low",
			"winnow export --share - 7f3c 9a10 | wc -l",
		},
		offer: p.offerIDs,
		flags: []flag{
			{to: &f.share, name: "share", help: "write a copy for others to `FILE`; - is standard output"},
			failOnFlag(&f.failOn),
			{to: &f.allow, name: "allow", help: "write the copy despite findings of the rule `ID`", offer: p.offerRules, commas: true},
			{to: &f.leaveOut, name: "leave-out-unsafe", help: "leave out the records in which the audit of the copy finds something"},
			{to: &f.force, name: "force", help: "replace an existing file"},
			f.filterFlag(), jsonFlag(&f.json),
		},
		run: func(c *cobra.Command, args []string) error {
			f.read(c, args)
			if err := refuse(
				refusal{f.share == "", "add --share FILE", "export: where to?"},
				refusal{f.share == "-" && p.OutTTY, "give a file, or a pipe", "export: stored bytes are not written to a terminal"},
				refusal{f.share == "-" && f.json, "give a file", "export: --json and the copy cannot both go to standard output"},
			); err != nil {
				return err
			}
			if err := cmp.Or(f.check("export", true), p.checkRules("--allow", f.allow)); err != nil {
				return err
			}
			return p.runExport(c.Context(), &f)
		},
	}
}

func (p *program) runExport(ctx context.Context, f *exportFlags) error {
	by := p.given()
	by.inputTaken = f.fromInput()
	place, err := p.choose(ctx, by)
	if err != nil {
		return err
	}
	if err := p.checkTarget(place, f); err != nil {
		return err
	}
	var o memory.ShareOrder
	if !f.empty() {
		found, err := p.selected(ctx, "export", place, &f.selection)
		if err != nil {
			return err
		}
		if o.IDs = idsOf(found); len(o.IDs) == 0 {
			return &failure{code: exitNotFound, err: errors.New("export: no record matches"), hint: "see them: winnow list"}
		}
	}
	r := p.newReport(&auditFlags{failOn: f.failOn})
	s, err := p.copied(ctx, place, f, o, r)
	if err != nil {
		return err
	}
	refused := refusedBy(r, f.allow)
	if refused == nil {
		err = p.writeShared(ctx, f, s.Data)
	}
	if err != nil {
		return err
	}
	return errors.Join(refused, p.printShared(ctx, place, f, &s, r, refused == nil))
}

// copied makes the copy and puts its audit into r. With --leave-out-unsafe it makes
// another one without the records in which something was found.
func (p *program) copied(ctx context.Context, place memory.Place, f *exportFlags, o memory.ShareOrder, r *report.Report) (memory.Shared, error) {
	for {
		s, err := p.Auditing.Share(ctx, place.Store, o)
		if err != nil {
			return s, err
		}
		r.Audit = ofCopy(s.Audit, f.share)
		before := len(o.Unsafe)
		for i := range r.Audit.Findings {
			x := &r.Audit.Findings[i]
			if f.leaveOut && x.ID != "" && unsafe(r, x, f.allow) && !slices.Contains(o.Unsafe, x.ID) {
				o.Unsafe = append(o.Unsafe, x.ID)
			}
		}
		if len(o.Unsafe) == before {
			return s, nil
		}
	}
}

// unsafe reports whether a finding keeps the copy from being written.
func unsafe(r *report.Report, x *memory.Finding, allow []string) bool {
	return x.Open() && x.Severity >= r.FailOn && !slices.Contains(allow, x.Rule)
}

// ofCopy returns the audit of a copy, which was read as a stream, with the name that the
// copy gets.
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

// checkTarget refuses to write over a file, and over the store itself in any case.
func (p *program) checkTarget(place memory.Place, f *exportFlags) error {
	if f.share == "-" || !exists(f.share) {
		return nil
	}
	target, err := os.Stat(f.share)
	store, gone := os.Stat(string(place.Store))
	if err == nil && gone == nil && os.SameFile(target, store) {
		return usage("name another file", "export: %s is the store itself", f.share)
	}
	if !f.force {
		return &failure{code: exitFailure, err: fmt.Errorf("export: there is a file at %s already", f.share), hint: "name another, or add --force"}
	}
	return nil
}

// refusedBy returns why the copy is not written, nil when it is.
func refusedBy(r *report.Report, allow []string) error {
	var rules []string
	for i := range r.Audit.Findings {
		x := &r.Audit.Findings[i]
		if unsafe(r, x, allow) && !slices.Contains(rules, x.Rule) {
			rules = append(rules, x.Rule)
		}
	}
	switch {
	case len(r.Audit.Failed) > 0 || r.Audit.Stopped:
		return &failure{code: exitUnseen, err: errors.New("export: the copy could not be looked at, and was not written")}
	case len(rules) == 0:
		return nil
	}
	hint := ""
	for _, rule := range rules {
		hint += " --allow " + quotedWord(rule)
	}
	return &failure{
		code: exitFound, err: errors.New("export: the copy is not safe to share, and was not written"),
		hint: "leave these records out with --leave-out-unsafe, or write it all the same with" + hint,
	}
}

func (p *program) writeShared(ctx context.Context, f *exportFlags, data []byte) error {
	if f.share != "-" {
		return p.writeFile(ctx, "export", f.share, data, f.force, 0o644)
	}
	o := p.output(false)
	o.Exact(data)
	return o.Close()
}

type sharedJSON struct {
	Schema   int             `json:"schema"`
	Store    storeJSON       `json:"store"`
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

// printShared says what is in the copy, and what an audit says of it.
func (p *program) printShared(ctx context.Context, place memory.Place, f *exportFlags, s *memory.Shared, r *report.Report, written bool) error {
	o := p.output(false)
	if f.json {
		return o.JSON(sharedJSON{
			Schema: schemaVersion, Store: placeJSON(o, place), Path: text(f.share), Written: written, Records: s.Records, Size: len(s.Data),
			Redacted: s.Redacted, Homes: s.Homes, Sessions: s.Sessions, Dropped: keptOf(o, s.Dropped), Audit: r.Document(),
		})
	}
	if f.share == "-" {
		o = o.To(p.Err, p.Width)
	}
	did := "Written to "
	if !written {
		did = "Not written to "
	}
	noun, _ := p.description(ctx, place)
	o.Line("%s%s: %s.", did, f.share, strings.Join([]string{
		noun.Count(s.Records), plural(s.Redacted, "secret") + " redacted", plural(s.Homes, "home path") + " replaced",
		plural(s.Sessions, "session id") + " hashed",
	}, ", "))
	for _, k := range s.Dropped {
		o.Line("  left out %s: %s", o.ID(&k.Record, k.Record.ID), o.Dash(k.Why))
	}
	o.Printf("\n")
	return r.Print(o, "text")
}
