package cli

import (
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

func (e Env) export(all *flags) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export [ID...|-]",
		Short: "make a copy of a store that can be shared",
		Long: `Makes a copy of a store for others, with --share: secrets are redacted, home paths
become ~, and the ids of sessions are replaced by hashes that differ from copy to
copy. The copy is audited before it is written: when something is found in it at or
above --fail-on, nothing is written and the status is 1. --allow lets a rule pass, and
--leave-out-unsafe leaves out the records with such findings.

ID is as show takes it, and --filter as list does; without either all records are
copied. Those that cannot be decoded are left out, and named. --share - writes the
copy to standard output, where that is no terminal, and the report to standard error.`,
		Example: examples(
			"winnow export --share out.jsonl",
			"winnow export --share out.jsonl --filter outcome:succeeded --fail-on low",
			"winnow export --share - 7f3c 9a10 | wc -l"),
		RunE: func(c *cobra.Command, args []string) error {
			f.read(c, args)
			if err := e.checkExport(&f); err != nil {
				return err
			}
			return e.runExport(c.Context(), all, &f)
		},
	}
	c.ValidArgsFunction = e.completeIDs(all)
	c.Flags().StringVar(&f.share, "share", "", "write a copy for others to `FILE`; - is standard output")
	failOnFlag(c, &f.failOn, "medium")
	c.Flags().StringSliceVar(&f.allow, "allow", nil, "write the copy although the rule `ID` finds something in it")
	c.Flags().BoolVar(&f.leaveOut, "leave-out-unsafe", false, "leave out the records in which the audit of the copy finds something")
	c.Flags().BoolVar(&f.force, "force", false, "replace a file that is there")
	f.filterFlag(c)
	jsonFlag(c, &f.json)
	e.completeRules(c, "allow")
	return c
}

func (e Env) checkExport(f *exportFlags) error {
	switch {
	case f.share == "":
		return usage("add --share FILE", "export: where to")
	case f.share == "-" && e.OutTTY:
		return usage("give a file, or a pipe", "export: stored text is not written to a terminal as it is")
	case f.share == "-" && f.json:
		return usage("give a file", "export: --json and the copy cannot both go to standard output")
	case f.set && len(f.names) > 0:
		return f.wantSome("export") // says that they are given twice
	}
	if err := oneOf("fail-on", f.failOn, severities()...); err != nil {
		return err
	}
	if err := e.checkRules("--allow", f.allow); err != nil {
		return err
	}
	return f.noEmptyName("export")
}

func (e Env) runExport(ctx context.Context, all *flags, f *exportFlags) error {
	place, err := e.choose(ctx, all, f.fromInput())
	if err != nil {
		return err
	}
	if err := e.checkTarget(place, f); err != nil {
		return err
	}
	var o memory.ShareOrder
	if !f.empty() {
		found, err := e.selected(ctx, "export", place, &f.selection)
		if err != nil {
			return err
		}
		if o.IDs = idsOf(found); len(o.IDs) == 0 {
			return &failure{code: exitNotFound, err: errors.New("export: no record matches"), hint: "see them: winnow list"}
		}
	}
	r := e.reported(all, &auditFlags{failOn: f.failOn})
	s, err := e.copied(ctx, place, f, o, r)
	if err != nil {
		return err
	}
	refused := refusedBy(r, f.allow)
	if refused == nil {
		err = e.writeShared(ctx, f, s.Data)
	}
	if err != nil {
		return err
	}
	return errors.Join(refused, e.printShared(ctx, place, f, &s, r, refused == nil))
}

// copied makes the copy and puts its audit into r. With --leave-out-unsafe it makes
// another one without the records in which something was found.
func (e Env) copied(ctx context.Context, place memory.Place, f *exportFlags, o memory.ShareOrder, r *report.Report) (memory.Shared, error) {
	for {
		s, err := e.Auditing.Share(ctx, place.Store, o)
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
func (e Env) checkTarget(place memory.Place, f *exportFlags) error {
	if f.share == "-" || !e.Exists(f.share) {
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

func (e Env) writeShared(ctx context.Context, f *exportFlags, data []byte) error {
	if f.share != "-" {
		return e.writeFile(ctx, "export", f.share, data, f.force, 0o644)
	}
	o := e.output(false)
	_, _ = o.Write(data) // an error of the output is kept by it
	return o.close()
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
func (e Env) printShared(ctx context.Context, place memory.Place, f *exportFlags, s *memory.Shared, r *report.Report, written bool) error {
	o := e.output(false)
	if f.json {
		j := sharedJSON{
			Schema: schemaVersion, Store: o.placeJSON(place), Path: text(f.share), Written: written, Records: s.Records, Size: len(s.Data),
			Redacted: s.Redacted, Homes: s.Homes, Sessions: s.Sessions, Dropped: o.keptJSON(s.Dropped), Audit: r.Document(),
		}
		return o.json(j)
	}
	if f.share == "-" {
		e.Out = e.Err
		o = e.output(false)
	}
	did := "Written to " + f.share
	if !written {
		did = "Not written to " + f.share
	}
	o.line(word(did) + ": " + strings.Join([]string{
		e.noun(ctx, place).Count(s.Records), plural(s.Redacted, "secret") + " redacted", plural(s.Homes, "home path") + " replaced",
		plural(s.Sessions, "session id") + " hashed",
	}, ", ") + ".")
	for _, k := range s.Dropped {
		o.line("  left out " + o.recordID(&k.Record, k.Record.ID) + ": " + word(o.hidden(k.Why)))
	}
	o.printf("\n")
	if err := r.Text(o); err != nil && o.Flush() == nil {
		return err
	}
	return o.close()
}
