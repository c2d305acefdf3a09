package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/audit/baseline"
	"winnow/core/memory"
	"winnow/views"
)

// ignoring is one call of ignore, with its flags.
type ignoring struct {
	*program
	reason, until, baseline string
	list, remove            bool
	ends                    time.Time // until
}

func (p *program) ignore() command {
	f := ignoring{program: p}
	return command{
		use: "ignore FINGERPRINT...", short: "Ignore audit findings, with a reason",
		long: `Ignores findings in all later audits, with a reason. winnow audit prints the FINGERPRINT:
it identifies a rule and what it found, so a moved line stays ignored and an edited one is
reported again.

The decisions are kept on this machine, or with --baseline in FILE, which can be shared
with a project. --list prints them and --remove drops them; for --remove a unique prefix
of at least 8 characters will do.`,
		examples: []string{
			"winnow ignore 0f1e2d3c4b5a69788796a5b4c3d2e1f0 --reason 'test key'",
			"winnow ignore --list", "winnow ignore --remove 0f1e2d3c --baseline .winnow-baseline",
		},
		flags: append(reasonFlags(&f.reason, &f.until),
			flag{to: &f.baseline, name: "baseline", help: "keep the decisions in `FILE`, not on this machine"},
			flag{to: &f.list, name: "list", help: "list what is ignored"},
			flag{to: &f.remove, name: "remove", help: "stop ignoring the findings"},
			p.jsonFlag()),
		check: f.check, run: f.run,
	}
}

func (f *ignoring) run(ctx context.Context, names []string) error {
	list, err := f.decisions(ctx)
	if err != nil {
		return err
	}
	switch {
	case f.list:
	case f.remove:
		list, err = f.takeBack(ctx, list, names)
	default:
		list, err = f.decide(ctx, list, names)
	}
	if err == nil && (f.list || f.json) {
		f.print(list)
	}
	return err
}

// check refuses invalid arguments.
func (f *ignoring) check(names []string) (err error) {
	reason := strings.TrimSpace(f.reason) != ""
	if f.ends, err = f.deadline(f.until); err != nil {
		return err
	}
	if err := refuse(
		refusal{f.list && f.remove, "leave out one of them", "ignore: --list and --remove do not go together"},
		refusal{
			f.list && (len(names) > 0 || reason || f.until != ""),
			"leave out the rest",
			"ignore: --list changes nothing",
		},
		refusal{
			!f.list && len(names) == 0,
			"list them: winnow audit, or winnow ignore --list",
			"ignore: which fingerprint?",
		},
		refusal{
			f.remove && (reason || f.until != ""),
			"leave it out",
			"ignore: --remove takes neither reason nor date",
		},
		refusal{!f.list && !f.remove && !reason, "add --reason TEXT", "ignore: a reason is needed"},
	); err != nil {
		return err
	}
	odd := slices.IndexFunc(names, func(n string) bool { return !isFingerprint(n) })
	if odd >= 0 && !f.remove {
		const hint = "give all 32 characters that winnow audit prints"
		return usage(hint, "ignore %s: this is not a fingerprint", names[odd])
	}
	return refuse(refusal{f.readOnly && !f.list, "leave out --readonly", "ignore: --readonly forbids saving decisions"})
}

func isFingerprint(s string) bool {
	return len(s) == fingerprintLen && strings.Trim(s, "0123456789abcdef") == ""
}

// fingerprintLen is the length of a fingerprint. leastPrefix is the shortest prefix that may stand
// for one.
const (
	fingerprintLen = 32
	leastPrefix    = 8
)

// decisions returns what is ignored so far: in the named file, or on this machine.
func (f *ignoring) decisions(ctx context.Context) ([]memory.Ignore, error) {
	switch {
	case f.baseline == "":
		return f.Auditing.Ignored(ctx)
	case f.list || f.remove:
		return f.readBaseline(ctx, f.baseline)
	}
	return f.oldBaseline(ctx, f.baseline)
}

func (f *ignoring) decide(ctx context.Context, list []memory.Ignore, names []string) ([]memory.Ignore, error) {
	add := output.Each(names, func(n *string) memory.Ignore {
		return memory.Ignore{Fingerprint: *n, Reason: f.reason, Added: f.Now(), Until: f.ends}
	})
	for _, g := range add {
		list = withIgnore(list, g)
	}
	return list, f.storeDecisions(ctx, add, nil, output.Plural(len(add), "finding")+" ignored from now on")
}

func (f *ignoring) takeBack(ctx context.Context, list []memory.Ignore, names []string) ([]memory.Ignore, error) {
	var remove []string
	for _, n := range names {
		full, err := fullFingerprint(list, n)
		if err != nil {
			return list, err
		}
		remove = append(remove, full)
	}
	list = slices.DeleteFunc(list, func(g memory.Ignore) bool { return slices.Contains(remove, g.Fingerprint) })
	return list, f.storeDecisions(ctx, nil, remove, output.Plural(len(remove), "finding")+" reported again from now on")
}

// fullFingerprint returns the fingerprint in list that has the prefix name.
func fullFingerprint(list []memory.Ignore, name string) (string, error) {
	if len(name) < leastPrefix {
		return "", usage("give at least 8 characters", "ignore %s: too short for a fingerprint", name)
	}
	at, err := memory.Find(
		name,
		output.Each(list, func(g *memory.Ignore) memory.Named { return memory.Named{ID: g.Fingerprint} }),
	)
	if errors.Is(err, memory.ErrNotFound) {
		return "", failed(exitNotFound, "see what is: winnow ignore --list", "ignore %s: it is not ignored", name)
	}
	if err != nil {
		return "", unclearName("ignore", "give more of it", err)
	}
	return list[at].Fingerprint, nil
}

// storeDecisions stores the decisions where they belong, and prints them.
func (f *ignoring) storeDecisions(ctx context.Context, add []memory.Ignore, remove []string, done string) (err error) {
	if f.baseline == "" {
		err = f.Auditing.Ignore(ctx, add, remove)
	} else {
		err = f.writeError(f.baseline, f.Auditing.IgnoreIn(ctx, f.baseline, add, remove))
	}
	if err == nil {
		f.notef("%s", done)
	}
	return err
}

// withIgnore returns list with g, which replaces the entry with the same fingerprint.
func withIgnore(list []memory.Ignore, g memory.Ignore) []memory.Ignore {
	i := slices.IndexFunc(list, func(h memory.Ignore) bool { return h.Fingerprint == g.Fingerprint })
	if i < 0 {
		return append(list, g)
	}
	g.Rule = cmp.Or(g.Rule, list[i].Rule)
	list[i] = g
	return list
}

// readBaseline reads a baseline file.
func (p *program) readBaseline(ctx context.Context, path string) (list []memory.Ignore, _ error) {
	raw, err := await(ctx, func() ([]byte, error) { return readLimited(p.Absolute(path), maxInput) })
	if err == nil {
		list, err = baseline.Decode(raw)
	}
	if err != nil {
		return nil, &failure{
			code: exitUnseen,
			err:  fmt.Errorf("read baseline %s: %w", path, err),
			hint: "make one: winnow audit --write-baseline FILE --reason TEXT",
		}
	}
	return list, nil
}

// oldBaseline reads a baseline file that is about to be written. It need not exist.
func (p *program) oldBaseline(ctx context.Context, path string) ([]memory.Ignore, error) {
	if !p.exists(path) {
		return nil, nil
	}
	if info, err := os.Stat(p.Absolute(path)); err == nil && !info.Mode().IsRegular() {
		return nil, &failure{
			code: exitUnseen,
			err:  fmt.Errorf("write baseline %s: it is not a regular file", path),
			hint: "name a file",
		}
	}
	return p.readBaseline(ctx, path)
}

// readLimited reads a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

// ignoredJSON is the findings that a person ignores.
type ignoredJSON struct {
	Schema   int          `json:"schema"`
	Baseline text         `json:"baseline"`
	Ignored  []ignoreJSON `json:"ignored"`
}

type ignoreJSON struct {
	Fingerprint text       `json:"fingerprint"`
	Rule        text       `json:"rule"`
	Reason      text       `json:"reason"`
	Added       *time.Time `json:"added"`
	Until       *time.Time `json:"until"`
	Ended       bool       `json:"ended"`
}

// print prints what is ignored: as JSON, or one per line with columns separated by tabs.
func (f *ignoring) print(list []memory.Ignore) {
	ended := func(g *memory.Ignore) bool { return !g.Until.IsZero() && !g.Until.After(f.Now()) }
	if f.json {
		f.out.JSON(ignoredJSON{
			Schema:   schemaVersion,
			Baseline: text(f.baseline),
			Ignored: output.Each(list, func(g *memory.Ignore) ignoreJSON {
				return ignoreJSON{
					Fingerprint: text(g.Fingerprint),
					Rule:        text(g.Rule),
					Reason:      f.out.Text(g.Reason),
					Added:       output.Instant(g.Added),
					Until:       output.Instant(g.Until),
					Ended:       ended(g),
				}
			}),
		})
		return
	}
	day := func(t time.Time) string { return output.When(!t.IsZero(), t.In(f.zone()).Format(time.DateOnly)) }
	for _, g := range list {
		f.out.Row(
			output.Visible(g.Fingerprint),
			g.Rule,
			day(g.Added),
			day(g.Until)+output.When(ended(&g), " (ended)"),
			g.Reason,
		)
	}
	if len(list) == 0 && f.out.Width > 0 {
		f.out.Line("Nothing is ignored.")
	}
}

func (p *program) rules() command {
	return command{
		paged: true, use: "rules [ID...]", short: "List the audit rules",
		long: `Lists the rules of winnow audit: id, family, severity, and what each finds. With ID it
says why that is a finding, what to do, and where the format is documented. When the
output is not a terminal, the columns are tab-separated.`,
		examples: []string{"winnow rules", "winnow rules github-pat", "winnow rules --json | jq '.rules[].id'"},
		offer:    p.offerRules,
		flags:    []flag{p.jsonFlag()},
		run:      p.runRules,
	}
}

// rulesJSON is the rules of the audit.
type rulesJSON struct {
	Schema int        `json:"schema"`
	Rules  []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	ID       text   `json:"id"`
	Family   text   `json:"family"`
	Severity string `json:"severity"`
	Name     text   `json:"name"`
	Why      text   `json:"why"`
	Next     text   `json:"next"`
	Source   text   `json:"source"`
}

// runRules prints the rules with these IDs, or all rules. Their texts are our own, and show what a
// secret looks like.
func (p *program) runRules(_ context.Context, ids []string) error {
	if err := p.checkRules("rules", ids); err != nil {
		return err
	}
	rules, widest := p.Auditing.AuditRules(), 0
	for i := range rules {
		widest = max(widest, views.Width(string(output.Visible(rules[i].ID))))
	}
	rules = slices.DeleteFunc(
		slices.Clone(rules),
		func(u memory.AuditRule) bool { return len(ids) > 0 && !slices.Contains(ids, u.ID) },
	)
	if p.json {
		p.out.JSON(rulesJSON{schemaVersion, output.Each(rules, func(u *memory.AuditRule) ruleJSON {
			return ruleJSON{
				ID:       text(u.ID),
				Family:   text(u.Family),
				Severity: u.Severity.String(),
				Name:     text(u.Name),
				Why:      text(u.Why),
				Next:     text(u.Next),
				Source:   text(u.Source),
			}
		})})
		return nil
	}
	for i, u := range rules {
		id, name := output.Visible(u.ID), output.Visible(u.Name)
		switch {
		case len(ids) > 0:
			p.out.Printf("%s", output.Safe(output.When(i > 0, "\n")))
			printRule(p.out, &u)
		case p.out.Width > 0:
			p.out.Line(
				"%s  %s  %s  %s",
				p.out.Cell(id, widest),
				p.out.Cell(u.Family, 9),
				p.out.Cell(u.Severity, 6),
				name,
			)
		default:
			p.out.Row(id, u.Family, u.Severity, name)
		}
	}
	return nil
}

// printRule prints everything about a rule.
func printRule(o *output.Out, u *memory.AuditRule) {
	o.Named("id", output.Visible(u.ID))
	o.Named("name", o.Dash(output.Visible(u.Name)))
	o.Named("family", u.Family)
	o.Named("severity", u.Severity)
	for _, part := range [][2]string{{"why", u.Why}, {"next", u.Next}, {"source", u.Source}} {
		if part[1] != "" {
			o.Printf("%s\n", part[0])
			o.Paragraph("  ", "%s", output.Visible(part[1]))
		}
	}
}
