package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// shortest is the minimum length of a secret to search for elsewhere: anything shorter occurs in
// too many words.
const shortest = 4

// cleaner returns a function that removes from a text the secrets that an order's changes remove
// from their records, and those that the order names, in any spelling. A secret that is a plain
// word is removed only where the rules of the order find it.
func (c *Curator) cleaner(changes []memory.Change, o memory.Order) func(string) string {
	secrets := append(removed(c.compose, changes), o.Also...)
	distinctive := slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return !detect.Distinctive(s) })
	redaction := detect.PrepareRedaction(memory.Redaction{Only: o.Only, Also: distinctive})
	texts := detect.NewTextSet(secrets)
	return func(s string) string {
		if len(texts.Find(s)) == 0 {
			return s
		}
		s, _ = c.compose.Redact(s, redaction)
		return s
	}
}

// CleanOthers removes what a redaction removed from this store from the histories of all other stores
// below the state folder, which may have had the same file or a copy of the text. The notes say how many
// held it, and which may still hold it.
func (c *Curator) CleanOthers(ctx context.Context, p *memory.Plan) (notes []string) {
	clean, stores := c.cleaner(p.Changes, p.Order), filepath.Dir(c.c.Dir)
	folder, err := c.c.Disk.Folder(stores)
	if err != nil {
		return []string{fmt.Sprintf("The histories of other stores could not be read: %v.", err)}
	}
	names, err := folder.Names()
	folder.Close()
	if err != nil {
		return []string{fmt.Sprintf("The histories of other stores could not be read: %v.", err)}
	}
	held := 0
	for _, name := range slices.Sorted(slices.Values(names)) {
		dir := filepath.Join(stores, name)
		if dir == c.c.Dir {
			continue
		}
		changed, err := cleanHistory(ctx, c.c.Disk, dir, clean, c.c.Now())
		switch {
		case err != nil:
			notes = append(notes, fmt.Sprintf("The history in %s may still hold it: %v.", dir, err))
		case changed:
			held++
		}
	}
	if held > 0 {
		notes = append(notes, fmt.Sprintf("It is removed from the histories of other stores too: %d.", held))
	}
	return notes
}

// secretsGone reports whether no record of a change contains what was redacted. The system cannot
// tell, because the history has the change without those texts.
func (c *Curator) secretsGone(ctx context.Context, e *event) (bool, error) {
	s, err := c.redactedTexts(redaction{Key: e.Key, Scrubs: e.Scrubs})
	if err != nil || len(s.sets) == 0 {
		return err == nil, err
	}
	snap, err := c.readStore(ctx)
	if err != nil {
		return false, err
	}
	hits, _ := s.hits(snap.Records)
	for _, h := range hits {
		if slices.ContainsFunc(e.Changes, func(ch memory.Change) bool { return ch.ID == h.cleaned.ID }) {
			return false, nil
		}
	}
	return true, nil
}

// removed returns the secrets that the changes remove, each once: those in the old forms that are
// not in the new ones.
func removed(compose system.Composer, changes []memory.Change) (secrets []string) {
	known := map[string]bool{}
	for i := range changes {
		ch := &changes[i]
		was, now := compose.Decode(ch.Before), compose.Decode(ch.After)
		for _, s := range was.Secrets {
			secret := plan.SecretText(&was, s)
			if len(secret) >= shortest && !known[secret] && !recordContains(&now, ch.After, secret) {
				known[secret] = true
				secrets = append(secrets, secret)
			}
		}
	}
	return secrets
}

// recordContains reports whether a record contains a text, in a field or as it is stored.
func recordContains(r *memory.Record, stored, text string) bool {
	is := len(detect.NewTextSet([]string{text}).Find(stored)) > 0
	r.EachText(func(_ memory.Field, _ int, t string) { is = is || strings.Contains(t, text) })
	return is
}

// cleanDrafts removes the secrets that a final plan removes from records from the person's
// unfinished drafts too. It returns a sentence for each draft that may still contain one.
func (c *Curator) cleanDrafts(ctx context.Context, p *memory.Plan, made []memory.Change) (notes []string) {
	if !p.Final || c.c.Drafts == "" {
		return nil
	}
	secrets := append(removed(c.compose, slices.Concat(p.Changes, made)), p.Order.Also...)
	names, err := c.drafts()
	if err != nil {
		return []string{fmt.Sprintf("The drafts in %s could not be read: %v.", c.c.Drafts, err)}
	}
	for _, name := range names {
		path := filepath.Join(c.c.Drafts, name)
		_, err := RedactFile(ctx, c.c.Disk, path, func(text []byte) ([]byte, int) {
			return plan.RedactText(text, false, secrets, detect.Distinctive)
		})
		if err != nil && !errors.Is(err, memory.ErrNotFound) && ctx.Err() == nil {
			notes = append(notes, fmt.Sprintf("The draft %s may still hold it: %v.", path, err))
		}
	}
	return notes
}

// drafts returns the names of the drafts, sorted.
func (c *Curator) drafts() ([]string, error) {
	folder, err := c.c.Disk.Folder(c.c.Drafts)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Names()
	slices.Sort(names)
	return names, err
}

// redactTries is how often to redact a file if another program saves it right afterwards.
const redactTries = 3

// RedactFile replaces secrets in a file that is not a store. redact returns the new bytes and the
// number of replacements; RedactFile returns their total. No copy is kept. Mode, owner and links
// stay. What other programs save meanwhile also stays, and is redacted too. A program that appends
// without reopening the file may lose what it writes at the same moment.
//
// The error is that of ctx, wraps [memory.ErrNotFound], or is a *memory.Problem; the file is then
// unchanged. Files over [atomicfile.MaxSize] are refused with a command that helps. Two calls for
// the same file must not run at the same time: hold a lock. A leftover file of a killed process is
// removed first, unless it contains what another program wrote: then it is a file like any other
// and has to be redacted as well.
func RedactFile(
	ctx context.Context,
	disk atomicfile.Disk,
	path string,
	redact func(text []byte) ([]byte, int),
) (total int, _ error) {
	atomicfile.Sweep(disk, path, atomicfile.TempOf(path), func(left, now []byte) bool {
		clean := func(text []byte) []byte { out, _ := redact(text); return out }
		return bytes.Equal(clean(left), clean(now)) // nobody else wrote it
	})
	for range redactTries {
		n, again, err := redactOnce(ctx, disk, path, redact)
		if err != nil && total == 0 {
			return 0, err
		}
		if total += n; err != nil || !again {
			break
		}
	}
	return total, nil
}

// redactOnce redacts the file once. again is set if another program saved it right afterwards.
func redactOnce(
	ctx context.Context,
	disk atomicfile.Disk,
	path string,
	redact func([]byte) ([]byte, int),
) (n int, again bool, err error) {
	report, err := atomicfile.Replace(
		ctx,
		disk,
		path,
		atomicfile.Update{Temp: atomicfile.TempOf(path), Adopt: adoptAppended, Next: func(now []byte) ([]byte, error) {
			if now == nil {
				return nil, fmt.Errorf("redact %s: %w", filepath.Base(path), memory.ErrNotFound)
			}
			next, places := redact(now)
			if n = places; bytes.Equal(next, now) {
				return nil, atomicfile.ErrUnchanged
			}
			return next, nil
		}},
	)
	if err != nil {
		return 0, false, tooLong(path, err)
	}
	return n, report.Overtaken, nil
}

// adoptAppended returns mine with the lines that found has after base and mine lacks. If another program
// did more than append, it is an error, because nobody knows what was intended.
func adoptAppended(mine, base, found []byte) ([]byte, error) {
	more, ok := bytes.CutPrefix(found, base)
	if !ok && !bytes.Equal(mine, found) {
		return nil, &memory.Problem{
			Code: "busy", What: "other programs keep replacing the file",
			Hint: "wait until they are done, then try again",
		}
	}
	if !ok || len(more) == 0 {
		return mine, nil
	}
	has := map[string]int{}
	for line := range bytes.Lines(bytes.TrimPrefix(mine, base)) {
		has[string(bytes.TrimRight(line, "\r\n"))]++
	}
	out := bytes.Clone(mine)
	for line := range bytes.Lines(more) {
		if key := string(bytes.TrimRight(line, "\r\n")); has[key] > 0 {
			has[key]--
			continue
		}
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	return out, nil
}

// tooLong adds a hint about what to do with a file that is too large to be replaced here.
func tooLong(path string, err error) error {
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "too-large" {
		return err
	}
	return &memory.Problem{
		Code: p.Code,
		What: p.What,
		Hint: "while no agent runs, write s/SECRET/[REDACTED]/g into a file outside of any repository, " +
			"and run: sed -i -f THAT-FILE -- " + quoted(path),
	}
}
