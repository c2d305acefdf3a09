package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/curate"
	"winnow/core/curate/plan"
	"winnow/core/memory"
	"winnow/core/redact"
)

// Fix redacts, in place, every open secret that the audit lists and that can be reached:
// in stores by plans, which keep no copy, and in other files byte by byte. A file that
// cannot be changed is told in Failed, and is as it was. The error says that nothing was
// tried.
func (l *Library) Fix(ctx context.Context, a memory.Audit) (memory.Fixed, error) {
	if l.readOnly {
		return memory.Fixed{}, fmt.Errorf("redact: %w", memory.ErrReadOnly)
	}
	var out memory.Fixed
	var mended []memory.Finding
	for _, file := range secretFiles(a.Findings) {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		done, err := l.fixFile(ctx, file, ignoresIn(a.Findings, file[0].File))
		if err != nil {
			out.Failed = append(out.Failed, memory.Unread{Path: file[0].Path, Problem: problemOf(err)})
		}
		if done.Secrets > 0 {
			out.Files = append(out.Files, done)
			out.Secrets += done.Secrets
		}
		mended = append(mended, file...)
	}
	for _, f := range a.Findings { // in versions that git holds, which stay as they are
		if f.Family == memory.FamilySecret && f.Open() && f.File == "" {
			mended = append(mended, f)
		}
	}
	out.Beyond = curate.Beyond(mended, l.around(ctx, mended))
	return out, nil
}

// secretFiles returns the open secrets that can be redacted, those of a file together.
func secretFiles(findings []memory.Finding) (files [][]memory.Finding) {
	at := map[string]int{}
	for _, f := range findings {
		if f.Family != memory.FamilySecret || !f.Open() || !f.Fixable || f.File == "" {
			continue
		}
		i, ok := at[f.File]
		if !ok {
			i = len(files)
			at[f.File], files = i, append(files, nil)
		}
		files[i] = append(files[i], f)
	}
	return files
}

// ignoresIn reports whether a secret in the file is ignored.
func ignoresIn(findings []memory.Finding, file string) bool {
	return slices.ContainsFunc(findings, func(f memory.Finding) bool {
		return f.File == file && f.Family == memory.FamilySecret && !f.Open()
	})
}

func (l *Library) fixFile(ctx context.Context, findings []memory.Finding, ignores bool) (memory.FixedFile, error) {
	done := memory.FixedFile{Path: findings[0].Path}
	id := memory.StoreID(findings[0].Store)
	if id != "" {
		return l.fixStore(ctx, id, redactions(findings, ignores), done)
	}
	path := findings[0].File
	if l.state.Dir != "" {
		unlock, err := atomicfile.Lock(ctx, filepath.Join(l.state.Dir, "redact.lock"))
		if err != nil {
			return done, err
		}
		defer unlock()
	}
	redacted := func(text []byte) ([]byte, int) {
		return plan.RedactText(text, l.lined(path, text), secretsIn(string(text), findings, ignores))
	}
	if owner := leftOf(path); owner != "" {
		// What is needless of it goes with a look at its owner.
		if _, err := curate.RedactFile(ctx, atomicfile.OS(), owner, redacted); err == nil && gone(path) {
			done.Secrets = len(findings)
			return done, nil
		}
	}
	n, err := curate.RedactFile(ctx, atomicfile.OS(), path, redacted)
	done.Secrets = n
	return done, err
}

// leftOf returns the file beside which an interrupted redaction left the one at path;
// empty when it is not of that kind.
func leftOf(path string) string {
	dir, base := filepath.Split(path)
	if !strings.HasPrefix(base, ".winnow-") {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.Name() != base && strings.HasPrefix(base, atomicfile.TempOf(e.Name())) {
			return filepath.Join(dir, e.Name())
		}
	}
	return ""
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// lined reports whether each line of a file is a JSON text of its own.
func (l *Library) lined(path string, text []byte) bool {
	path = filepath.ToSlash(path)
	head := text[:min(len(text), headSize)]
	for _, f := range l.forms {
		named := f.Named != nil && f.Named(path)
		looks := f.Looks != nil && f.Looks(head)
		if f.Both && named && looks || !f.Both && (named || looks) {
			return f.Lines
		}
	}
	return false
}

// headSize is how much of a file is looked at to tell what it is.
const headSize = 16 << 10

// fixStore redacts in a store by plans, which take in every other place that holds the
// same text, and scrub the history of the store.
func (l *Library) fixStore(ctx context.Context, id memory.StoreID, orders []memory.Order, done memory.FixedFile) (memory.FixedFile, error) {
	for _, o := range orders {
		secrets, records, err := l.redacted(ctx, id, o)
		if err != nil {
			return done, err
		}
		done.Secrets += secrets
		done.Records += records
	}
	return done, nil
}

// redactions returns the orders that redact what was found: one for all, or when some is
// ignored one for the records in which the same rules found something, so that nothing
// goes that is ignored there.
func redactions(findings []memory.Finding, ignores bool) (orders []memory.Order) {
	rules := map[memory.ID][]string{}
	var ids []memory.ID
	for _, f := range findings {
		if rules[f.ID] == nil {
			ids = append(ids, f.ID)
		}
		if !slices.Contains(rules[f.ID], f.Rule) {
			rules[f.ID] = append(rules[f.ID], f.Rule)
		}
	}
	if !ignores {
		return []memory.Order{{Do: memory.Redact, IDs: ids, Only: rulesOf(findings)}}
	}
	at := map[string]int{}
	for _, id := range ids {
		slices.Sort(rules[id])
		set := strings.Join(rules[id], " ")
		i, ok := at[set]
		if !ok {
			i = len(orders)
			at[set], orders = i, append(orders, memory.Order{Do: memory.Redact, Only: rules[id]})
		}
		orders[i].IDs = append(orders[i].IDs, id)
	}
	return orders
}

// redacted applies an order of redaction, and returns how many secrets in how many
// records are gone.
func (l *Library) redacted(ctx context.Context, id memory.StoreID, o memory.Order) (secrets, records int, err error) {
	p, err := l.Plan(ctx, id, o)
	if errors.Is(err, memory.ErrNotFound) || err == nil && len(p.Changes) == 0 {
		return 0, 0, nil // somebody else was faster
	}
	if err != nil {
		return 0, 0, err
	}
	result, err := l.Apply(ctx, p)
	if err != nil {
		return 0, 0, err
	}
	for i, c := range p.Changes {
		if fate := result.Changes[i].Fate; fate == memory.Done || fate == memory.Merged {
			records++
			secrets += strings.Count(c.After, redact.Mark) - strings.Count(c.Before, redact.Mark)
		}
	}
	return secrets, records, nil
}

func rulesOf(findings []memory.Finding) (rules []string) {
	for _, f := range findings {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// secretsIn returns what the findings found, as they tell it and as the text has it now.
// Where something is ignored these are only secrets that hold what a finding tells.
func secretsIn(text string, findings []memory.Finding, ignores bool) (secrets []string) {
	rules := rulesOf(findings)
	for _, p := range redact.Find(text) {
		s := text[p.Start:p.End]
		if slices.Contains(rules, p.Rule) && (!ignores || toldBy(findings, s)) {
			secrets = append(secrets, s)
		}
	}
	for i := range findings {
		f := &findings[i]
		secrets = append(secrets, f.Text[f.Start:f.End])
	}
	return secrets
}

// toldBy reports whether one of the findings shows a secret, or the beginning of it.
func toldBy(findings []memory.Finding, secret string) bool {
	for i := range findings {
		f := &findings[i]
		for _, m := range append([][2]int{{f.Start, f.End}}, f.Masks...) {
			if m[0] < m[1] && strings.Contains(secret, f.Text[m[0]:m[1]]) {
				return true
			}
		}
	}
	return false
}

// problemOf returns an error as a problem.
func problemOf(err error) *memory.Problem {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &memory.Problem{Code: "error", What: err.Error()}
}
