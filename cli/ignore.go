package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

type ignoreFlags struct {
	reason, until, baseline string
	list, remove, json      bool
}

func (e Env) ignore(all *flags) *cobra.Command {
	var f ignoreFlags
	c := &cobra.Command{
		Use:   "ignore FINGERPRINT...",
		Short: "decide that findings of an audit are no matter",
		Long: `Notes that findings are no matter, with the reason, for every audit here after. A
FINGERPRINT is printed by winnow audit: it stands for a rule and what it found, so
that a line which moves stays ignored and one that is edited counts again.

Without --baseline the decisions are kept on this machine; with it they are in FILE,
to be shared with a project. --list prints them, --remove takes them back; for that
the first 8 characters are enough when no other begins so.`,
		Example: examples(
			"winnow ignore 0f1e2d3c4b5a69788796a5b4c3d2e1f0 --reason 'test key'",
			"winnow ignore --list",
			"winnow ignore --remove 0f1e2d3c --baseline .winnow-baseline"),
		RunE: func(c *cobra.Command, args []string) error { return e.runIgnore(c.Context(), all, &f, args) },
	}
	reasonFlags(c, &f.reason, &f.until)
	c.Flags().StringVar(&f.baseline, "baseline", "", "keep the decisions in `FILE`")
	c.Flags().BoolVar(&f.list, "list", false, "list what is ignored")
	c.Flags().BoolVar(&f.remove, "remove", false, "let the findings count again")
	jsonFlag(c, &f.json)
	return c
}

func (e Env) runIgnore(ctx context.Context, all *flags, f *ignoreFlags, names []string) error {
	until, err := e.deadline(all, "ignore", f.until)
	if err == nil {
		err = f.check(names)
	}
	if err != nil {
		return err
	}
	if all.readOnly && !f.list {
		return usage("leave out --readonly", "ignore: --readonly refuses what changes a store or what is kept of it")
	}
	list, err := e.decisions(ctx, f)
	switch {
	case err != nil:
		return err
	case f.list:
		return e.printIgnored(f, list, all.zone(e))
	case f.remove:
		list, err = e.takeBack(ctx, f, list, names)
	default:
		list, err = e.decide(ctx, f, list, names, until)
	}
	if err != nil || !f.json {
		return err
	}
	return e.printIgnored(f, list, all.zone(e))
}

// check refuses arguments that make no sense.
func (f *ignoreFlags) check(names []string) error {
	reason := strings.TrimSpace(f.reason) != ""
	switch {
	case f.list && f.remove:
		return usage("leave out one of them", "ignore: --list and --remove do not go together")
	case f.list && (len(names) > 0 || reason || f.until != ""):
		return usage("leave out the rest", "ignore: --list changes nothing")
	case f.list:
		return nil
	case len(names) == 0:
		return usage("see them: winnow audit, or winnow ignore --list", "ignore: which fingerprint")
	case f.remove && (reason || f.until != ""):
		return usage("leave it out", "ignore: --remove wants neither reason nor date")
	case f.remove:
		return nil
	case !reason:
		return usage("add --reason 'why it is no matter'", "ignore: a reason is wanted")
	}
	for _, n := range names {
		if !isFingerprint(n) {
			return usage("give all 32 characters that winnow audit prints", "ignore %s: this is no fingerprint", n)
		}
	}
	return nil
}

// fingerprintLen is the length of a fingerprint, and leastPrefix of the beginning that
// may stand for one.
const (
	fingerprintLen = 32
	leastPrefix    = 8
)

func isFingerprint(s string) bool {
	return len(s) == fingerprintLen && strings.Trim(s, "0123456789abcdef") == ""
}

// decisions returns what is ignored so far: in the file that was named, or here.
func (e Env) decisions(ctx context.Context, f *ignoreFlags) ([]memory.Ignore, error) {
	switch {
	case f.baseline == "":
		return e.Auditing.Ignored(ctx)
	case f.list || f.remove:
		return e.readBaseline(ctx, f.baseline)
	}
	return e.oldBaseline(ctx, f.baseline)
}

func (e Env) decide(ctx context.Context, f *ignoreFlags, list []memory.Ignore, names []string, until time.Time) ([]memory.Ignore, error) {
	var add []memory.Ignore
	for _, n := range names {
		add = append(add, memory.Ignore{Fingerprint: n, Reason: f.reason, Added: e.Now(), Until: until})
	}
	for _, g := range add {
		list = withIgnore(list, g)
	}
	if err := e.keep(ctx, f, list, add, nil); err != nil {
		return list, err
	}
	fmt.Fprintf(e.Err, "%s ignored from now on\n", plural(len(add), "finding"))
	return list, nil
}

func (e Env) takeBack(ctx context.Context, f *ignoreFlags, list []memory.Ignore, names []string) ([]memory.Ignore, error) {
	var remove []string
	for _, n := range names {
		full, err := whole(list, n)
		if err != nil {
			return list, err
		}
		remove = append(remove, full)
	}
	list = slices.DeleteFunc(list, func(g memory.Ignore) bool { return slices.Contains(remove, g.Fingerprint) })
	if err := e.keep(ctx, f, list, nil, remove); err != nil {
		return list, err
	}
	fmt.Fprintf(e.Err, "%s will count again\n", plural(len(remove), "finding"))
	return list, nil
}

// whole returns the fingerprint in list that begins with name.
func whole(list []memory.Ignore, name string) (string, error) {
	var fit []string
	for _, g := range list {
		if strings.HasPrefix(g.Fingerprint, name) && !slices.Contains(fit, g.Fingerprint) {
			fit = append(fit, g.Fingerprint)
		}
	}
	switch {
	case len(name) < leastPrefix:
		return "", usage("give at least 8 characters", "ignore %s: too short for a fingerprint", name)
	case len(fit) == 0:
		return "", &failure{code: exitNotFound, err: fmt.Errorf("ignore %s: it is not ignored", name), hint: "see what is: winnow ignore --list"}
	case len(fit) > 1:
		return "", usage("give more of it", "ignore %s: %d fingerprints begin so", name, len(fit))
	}
	return fit[0], nil
}

// keep writes the decisions down where they belong.
func (e Env) keep(ctx context.Context, f *ignoreFlags, list, add []memory.Ignore, remove []string) error {
	if f.baseline == "" {
		return e.Auditing.Ignore(ctx, add, remove)
	}
	return e.writeFile(ctx, "ignore", f.baseline, e.EncodeBaseline(list), true, 0o644)
}

// withIgnore returns list with g, in place of what it has with that fingerprint.
func withIgnore(list []memory.Ignore, g memory.Ignore) []memory.Ignore {
	i := slices.IndexFunc(list, func(h memory.Ignore) bool { return h.Fingerprint == g.Fingerprint })
	if i < 0 {
		return append(list, g)
	}
	if g.Rule == "" {
		g.Rule = list[i].Rule
	}
	list[i] = g
	return list
}

// readBaseline reads a baseline file.
func (e Env) readBaseline(ctx context.Context, path string) ([]memory.Ignore, error) {
	raw, err := await(ctx, func() ([]byte, error) { return readLimited(path, maxTask) })
	var list []memory.Ignore
	if err == nil {
		list, err = e.DecodeBaseline(raw)
	}
	if err != nil {
		return nil, &failure{code: exitUnseen, err: fmt.Errorf("read baseline %s: %w", path, err), hint: "make one: winnow audit --write-baseline FILE --reason TEXT"}
	}
	return list, nil
}

// oldBaseline reads a baseline file that is to be written; it may not be there yet.
func (e Env) oldBaseline(ctx context.Context, path string) ([]memory.Ignore, error) {
	if !e.Exists(path) {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &failure{code: exitUnseen, err: fmt.Errorf("write baseline %s: it is not a regular file", path), hint: "name a file"}
	}
	return e.readBaseline(ctx, path)
}

// readLimited reads a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = fmt.Errorf("it has more than %d MiB", limit>>20)
	}
	return raw, err
}

type ignoredListJSON struct {
	Schema   int           `json:"schema"`
	Baseline text          `json:"baseline"`
	Ignored  []ignoredJSON `json:"ignored"`
}

type ignoredJSON struct {
	Fingerprint text       `json:"fingerprint"`
	Rule        text       `json:"rule"`
	Reason      text       `json:"reason"`
	Added       *time.Time `json:"added"`
	Until       *time.Time `json:"until"`
	Ended       bool       `json:"ended"`
}

// printIgnored prints what is ignored: as JSON, or a line each with tabs between the
// columns.
func (e Env) printIgnored(f *ignoreFlags, list []memory.Ignore, zone *time.Location) error {
	o := e.output(false)
	j := ignoredListJSON{Schema: schemaVersion, Baseline: text(f.baseline), Ignored: []ignoredJSON{}}
	for _, g := range list {
		ended := !g.Until.IsZero() && !g.Until.After(e.Now())
		if f.json {
			j.Ignored = append(j.Ignored, ignoredJSON{
				Fingerprint: text(g.Fingerprint), Rule: text(g.Rule), Reason: o.said(g.Reason),
				Added: instant(g.Added), Until: instant(g.Until), Ended: ended,
			})
			continue
		}
		until := day(g.Until, zone)
		if ended {
			until += " (ended)"
		}
		o.printf("%s\n", strings.Join([]string{
			word(g.Fingerprint), word(g.Rule), word(day(g.Added, zone)), word(until), word(o.hidden(g.Reason)),
		}, "\t"))
	}
	if f.json {
		return o.json(j)
	}
	if len(list) == 0 && o.width > 0 {
		o.line("Nothing is ignored.")
	}
	return o.close()
}
