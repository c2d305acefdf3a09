// Package fix redacts in place the secrets that an audit found, in stores and in other files.
package fix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/charset"
	"winnow/core/curate"
	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
)

// Fixer redacts secrets in the stores of a library and in other files.
type Fixer struct {
	lib      *library.Library
	state    library.State
	forms    []system.Form
	readOnly bool
}

// New returns a Fixer for the stores of a library.
func New(lib *library.Library) *Fixer {
	m := lib.Machine()
	return &Fixer{lib: lib, state: m.State, forms: m.Forms, readOnly: m.ReadOnly}
}

// Fix redacts in place every open secret of the audit that can be reached, in all files in which the audit
// found one. In stores it uses plans, which keep no copy; in other files it replaces bytes. A file that
// cannot be changed stays as it was and is listed in Failed. If it returns an error other than that of
// ctx, it changed nothing.
func (x *Fixer) Fix(ctx context.Context, a memory.Audit) (memory.Fixed, error) {
	if x.readOnly {
		return memory.Fixed{}, fmt.Errorf("redact: %w", memory.ErrReadOnly)
	}
	var out memory.Fixed
	mended := slices.DeleteFunc(slices.Clone(a.Findings), func(f memory.Finding) bool {
		return f.Family != memory.FamilySecret || !f.Open() || f.File != "" && !f.Fixable
	})
	files := byFile(mended)
	inStore, left := x.inStores(ctx, files), x.otherNames(files)
	listed := x.lib.StoresListing(ctx, files)
	values := detect.RandomOf(secretTexts(a.Findings, "", true))
	tally := tallyOf(files)
	copyLeft := map[string]string{} // the values of which a copy could not be changed, with its file
	unredacted := originalsOf(files)
	for _, file := range copiesFirst(files) {
		if ctx.Err() != nil {
			tally.into(&out)
			return out, ctx.Err()
		}
		if at := leftElsewhere(file, copyLeft); at != "" {
			out.Failed = append(out.Failed, memory.Unread{Path: file[0].Path, Problem: &memory.Problem{
				Code: "copy left",
				What: "left as it is, so that the next audit finds the copy in " + at,
				Hint: "redact that copy first",
			}})
			continue
		}
		ignored := secretTexts(a.Findings, file[0].File, false)
		err := x.fixFile(ctx, &fileFix{
			file, inStore[file[0].File], listed[file[0].File], textsWithout(values, ignored), len(ignored) > 0,
			tally, map[*memory.FixedFile]bool{},
		})
		if err == nil {
			unredacted.redact(file)
			continue
		}
		problem := unredacted.withCopies(library.ProblemOf(err), file)
		out.Failed = append(out.Failed, memory.Unread{Path: file[0].Path, Problem: problem})
		for i := range file {
			if file[i].Rule == detect.RuleKnown {
				copyLeft[secretOf(&file[i])] = file[0].Path
			}
		}
	}
	tally.into(&out)
	out.Beyond = append(left(), curate.Beyond(mended, x.around(ctx, mended))...)
	return out, nil
}

// copiesFirst returns the files in the order to redact them: first those with copies, which only a rule's finding in
// another file tells to be secrets.
func copiesFirst(files [][]memory.Finding) [][]memory.Finding {
	var copies, others [][]memory.Finding
	for _, file := range files {
		if slices.ContainsFunc(file, func(f memory.Finding) bool { return f.Rule == detect.RuleKnown }) {
			copies = append(copies, file)
		} else {
			others = append(others, file)
		}
	}
	return append(copies, others...)
}

// leftElsewhere returns the file in which a copy of a secret of the findings was left, or "".
func leftElsewhere(findings []memory.Finding, copyLeft map[string]string) string {
	for i := range findings {
		f := &findings[i]
		if at := copyLeft[secretOf(f)]; at != "" {
			return at
		}
	}
	return ""
}

// originals are the secrets that a rule finds, each with the number of files in which it stands unredacted. A copy
// that no rule finds is found by an audit only as long as there is one.
type originals map[string]int

func originalsOf(files [][]memory.Finding) originals {
	o := originals{}
	for _, file := range files {
		for value := range originalsIn(file) {
			o[value]++
		}
	}
	return o
}

// originalsIn returns the secrets that a rule finds in a file.
func originalsIn(file []memory.Finding) map[string]bool {
	in := map[string]bool{}
	for i := range file {
		if file[i].Rule != detect.RuleKnown {
			in[secretOf(&file[i])] = true
		}
	}
	return in
}

// redact notes that a file was redacted.
func (o originals) redact(file []memory.Finding) {
	for value := range originalsIn(file) {
		o[value]--
	}
}

// withCopies returns why a file could not be redacted, with the lines of those secrets in it that no audit finds again.
// Files that hold copies of each other's secrets have no order in which that cannot happen.
func (o originals) withCopies(p *memory.Problem, file []memory.Finding) *memory.Problem {
	var lines []string
	for i := range file {
		f := &file[i]
		if left, known := o[secretOf(f)]; f.Rule == detect.RuleKnown && known && left == 0 {
			lines = memory.AppendNew(lines, strconv.Itoa(f.Line))
		}
	}
	if len(lines) == 0 {
		return p
	}
	out := *p
	out.What += " Copies of secrets that are redacted in other files stay in it, and the next audit " +
		"does not find them: line " + strings.Join(lines, ", ") + "."
	out.Hint = "replace what stands there by hand"
	return &out
}

// secretOf returns the secret of a finding.
func secretOf(f *memory.Finding) string { return f.Text[f.Start:f.End] }

// tally is what was redacted in each file, in their order, and by the path that is left when links are followed. The
// plan for one file also redacts the copies in other files of its store.
type tally struct {
	files []*memory.FixedFile
	at    map[string]*memory.FixedFile
}

func tallyOf(files [][]memory.Finding) tally {
	t := tally{at: map[string]*memory.FixedFile{}}
	for _, file := range files {
		f := &memory.FixedFile{Path: file[0].Path}
		t.files = append(t.files, f)
		t.at[library.RealID(memory.StoreID(file[0].File)).Path()] = f
	}
	return t
}

// of returns the count of a file, or nil if the audit found nothing in it.
func (t *tally) of(path string) *memory.FixedFile {
	return t.at[library.RealID(memory.StoreID(path)).Path()]
}

// into adds the files that were redacted to a result.
func (t *tally) into(out *memory.Fixed) {
	for _, f := range t.files {
		if f.Secrets > 0 {
			out.Files = append(out.Files, *f)
			out.Secrets += f.Secrets
		}
	}
}

// byFile groups findings by file. It skips findings in git's versions, which are in no file and stay as
// they are.
func byFile(findings []memory.Finding) (files [][]memory.Finding) {
	at := map[string]int{}
	for _, f := range findings {
		if f.File == "" {
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

// owner is the store that a file belongs to, and the record that the file is. Record is empty if the file
// has all records of the store.
type owner struct {
	store  memory.StoreID
	record memory.ID
}

// inStores returns the owners of the files that belong to stores. These are redacted by a plan, which also
// scrubs the history of the store.
func (x *Fixer) inStores(ctx context.Context, files [][]memory.Finding) map[string]owner {
	wanted, owners := map[string]string{}, map[string]owner{}
	for _, file := range files {
		if file[0].Store == "" {
			wanted[library.RealID(memory.StoreID(file[0].File)).Path()] = file[0].File
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	claim := func(path string, o owner) {
		if file, ok := wanted[library.RealID(memory.StoreID(path)).Path()]; ok && owners[file] == (owner{}) {
			owners[file] = o
		}
	}
	for _, p := range x.lib.Find(ctx).Places {
		s, err := x.lib.Store(p.Store)
		if err != nil || !p.Exists || x.lib.WhyReadOnly(s) != "" {
			continue
		}
		if info, err := os.Stat(p.Store.Path()); err == nil && !info.IsDir() {
			claim(p.Store.Path(), owner{store: p.Store})
			continue
		}
		_ = s.List(ctx, func(r memory.Record) error { // files that cannot be listed get no owner
			if r.File != "" && r.Fixed == "" {
				claim(r.File, owner{p.Store, r.ID})
			}
			return nil
		})
	}
	return owners
}

// secretTexts returns the texts of the open secrets, or of the ignored ones if open is false. They are those
// of one file, or of all files for "".
func secretTexts(findings []memory.Finding, file string, open bool) (texts []string) {
	for i := range findings {
		if f := &findings[i]; f.Family == memory.FamilySecret && f.Open() == open && (file == "" || f.File == file) {
			texts = append(texts, secretOf(f))
		}
	}
	return texts
}

// textsWithout returns the texts that are not among the others.
func textsWithout(texts, others []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return slices.Contains(others, s) })
}

// fileFix is what to redact in a file: its findings, the store that it belongs to, the stores that list it,
// the values to redact in all files, and whether some secret in it is ignored.
type fileFix struct {
	findings []memory.Finding
	owner    owner
	listedBy []memory.StoreID
	values   []string
	ignores  bool
	tally    tally
	counted  map[*memory.FixedFile]bool // by its plan
}

// count counts the secrets that were redacted in a record.
func (f *fileFix) count(r *memory.Record, secrets int) {
	done := f.tally.of(f.findings[0].File)
	if r.File != "" {
		done = cmp.Or(f.tally.of(r.File), done)
	}
	switch {
	case f.owner.record == "":
		done.Records++
	case f.counted[done]: // the records are files, and this one is a link to a file that was counted
		return
	default:
		f.counted[done] = true
	}
	done.Secrets += secrets
}

func (x *Fixer) fixFile(ctx context.Context, f *fileFix) error {
	switch id := f.findings[0].Store; {
	case id != "":
		return x.fixStore(ctx, id, f.orders(), f.count)
	case f.owner.store != "" && !f.ignores: // a plan can leave out rules and records, but not one finding
		order := memory.Order{Do: memory.Redact, Only: rulesOf(f.findings), Also: f.values}
		if f.owner.record != "" {
			order.IDs = []memory.ID{f.owner.record}
		}
		if err := x.fixStore(ctx, f.owner.store, []memory.Order{order}, f.count); err != nil {
			return err
		}
	}
	rest, err := x.fixBytes(ctx, f) // text outside records
	f.tally.of(f.findings[0].File).Secrets += rest
	return err
}

// fixBytes redacts a file byte by byte, and returns how many secrets it replaced.
func (x *Fixer) fixBytes(ctx context.Context, f *fileFix) (int, error) {
	path := f.findings[0].File
	may := x.lib.MayFix(path, f.listedBy)
	if err := may(system.Resolved(path)); err != nil {
		return 0, err
	}
	disk := atomicfile.Confined(atomicfile.OS(), may)
	if x.state.Dir != "" {
		unlock, err := atomicfile.Lock(ctx, filepath.Join(x.state.Dir, "redact.lock"))
		if err != nil {
			return 0, err
		}
		defer unlock()
	}
	redacted := func(text []byte) ([]byte, int) {
		decoded := charset.Decode(string(text)).String
		secrets := append(secretsIn(decoded, f.findings, f.ignores), f.values...)
		return plan.RedactText(text, x.isJSONLines(path, decoded), secrets, detect.Random)
	}
	if owner := leftOf(path); owner != "" {
		// Redacting the owner removes a leftover that is no longer needed.
		if _, err := curate.RedactFile(ctx, disk, owner, redacted); err == nil && isMissing(path) {
			return len(f.findings), nil
		}
	}
	return curate.RedactFile(ctx, disk, path, redacted)
}

// leftOf returns the original file if path is a temporary file that an interrupted redaction left, else "".
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

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isJSONLines reports whether each line of a file is a separate JSON text.
func (x *Fixer) isJSONLines(path, text string) bool {
	f := x.lib.FormOf(path, []byte(text[:min(len(text), library.HeadSize)]))
	return f != nil && f.Lines
}

// fixStore redacts in a store by plans. These also redact every other place with the same text, and scrub
// the history of the store.
func (x *Fixer) fixStore(
	ctx context.Context,
	id memory.StoreID,
	orders []memory.Order,
	count func(r *memory.Record, secrets int),
) error {
	for _, o := range orders {
		p, err := x.lib.Plan(ctx, id, o)
		if errors.Is(err, memory.ErrNotFound) || err == nil && len(p.Changes) == 0 {
			continue // already gone
		}
		var result memory.Result
		if err == nil {
			result, err = x.lib.Apply(ctx, p)
		}
		if err != nil {
			return err
		}
		for i := range p.Changes {
			c := &p.Changes[i]
			if fate := result.Changes[i].Fate; fate == memory.Done || fate == memory.Merged {
				count(&c.Record, marksIn(c.After)-marksIn(c.Before))
			}
		}
	}
	return nil
}

// marksIn counts the redactions in a stored form.
func marksIn(stored string) int { return strings.Count(charset.Narrow(stored), detect.Redacted) }

// orders returns the orders that redact the findings. If nothing is ignored, that is one order. Otherwise it
// is one for each set of rules, with the records in which just these rules found something, so that
// ignored findings stay.
func (f *fileFix) orders() (orders []memory.Order) {
	rules := map[memory.ID][]string{}
	for _, x := range f.findings {
		rules[x.ID] = memory.AppendNew(rules[x.ID], x.Rule)
	}
	ids := slices.Sorted(maps.Keys(rules))
	if !f.ignores {
		return []memory.Order{{Do: memory.Redact, IDs: ids, Only: rulesOf(f.findings), Also: f.values}}
	}
	bySet := map[string][]memory.ID{}
	for _, id := range ids {
		set := strings.Join(slices.Sorted(slices.Values(rules[id])), " ")
		bySet[set] = append(bySet[set], id)
	}
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		orders = append(
			orders,
			memory.Order{Do: memory.Redact, IDs: bySet[set], Only: strings.Fields(set), Also: f.values},
		)
	}
	return orders
}

func rulesOf(findings []memory.Finding) (rules []string) {
	for _, f := range findings {
		rules = memory.AppendNew(rules, f.Rule)
	}
	return rules
}

// secretsIn returns the secrets to redact in text: those of the findings, and those that the same rules find
// in the text now. If something is ignored, the latter are limited to secrets that contain the text of a
// finding.
func secretsIn(text string, findings []memory.Finding, ignores bool) (secrets []string) {
	rules := rulesOf(findings)
	for _, p := range detect.Secrets(text) {
		s := text[p.Start:p.End]
		if slices.Contains(rules, p.Rule) && (!ignores || shownBy(findings, s)) {
			secrets = append(secrets, s)
		}
	}
	for i := range findings {
		secrets = append(secrets, secretOf(&findings[i]))
	}
	return secrets
}

// shownBy reports whether the secret contains the text of one of the findings.
func shownBy(findings []memory.Finding, secret string) bool {
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

// otherNames returns a function to call after the redaction. It lists the hard links, unknown to the audit,
// that still have the old text.
func (x *Fixer) otherNames(files [][]memory.Finding) func() []memory.Beyond {
	var paths []string
	for _, file := range files {
		paths = append(paths, file[0].File)
	}
	all := library.LinkedFiles(paths)
	return func() (beyond []memory.Beyond) {
		for _, f := range all {
			if what, command := f.Left(x.lib); what != "" {
				beyond = append(
					beyond,
					memory.Beyond{What: what, Commands: []string{command + " # then: winnow audit --fix FILE"}},
				)
			}
		}
		return beyond
	}
}
