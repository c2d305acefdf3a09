package library

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
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Fix redacts in place every open secret of the audit that can be reached, in all files in which the audit
// found one. In stores it uses plans, which keep no copy; in other files it replaces bytes. A file that
// cannot be changed stays as it was and is listed in Failed. If it returns an error other than that of
// ctx, it changed nothing.
func (l *Library) Fix(ctx context.Context, a memory.Audit) (memory.Fixed, error) {
	if l.readOnly {
		return memory.Fixed{}, fmt.Errorf("redact: %w", memory.ErrReadOnly)
	}
	var out memory.Fixed
	mended := slices.DeleteFunc(slices.Clone(a.Findings), func(f memory.Finding) bool {
		return f.Family != memory.FamilySecret || !f.Open() || f.File != "" && !f.Fixable
	})
	files := byFile(mended)
	inStore, left := l.inStores(ctx, files), l.otherNames(files)
	listed := l.listing(ctx, files)
	values := detect.RandomOf(secretTexts(a.Findings, "", true))
	tally := tallyOf(files)
	for _, file := range files {
		if ctx.Err() != nil {
			tally.into(&out)
			return out, ctx.Err()
		}
		ignored := secretTexts(a.Findings, file[0].File, false)
		err := l.fixFile(ctx, &fileFix{
			file, inStore[file[0].File], listed[file[0].File], textsWithout(values, ignored), len(ignored) > 0,
			tally, map[*memory.FixedFile]bool{},
		})
		if err != nil {
			out.Failed = append(out.Failed, memory.Unread{Path: file[0].Path, Problem: problemOf(err)})
		}
	}
	tally.into(&out)
	out.Beyond = append(left(), curate.Beyond(mended, l.around(ctx, mended))...)
	return out, nil
}

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
		t.at[realID(memory.StoreID(file[0].File)).Path()] = f
	}
	return t
}

// of returns the count of a file, or nil if the audit found nothing in it.
func (t *tally) of(path string) *memory.FixedFile { return t.at[realID(memory.StoreID(path)).Path()] }

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
func (l *Library) inStores(ctx context.Context, files [][]memory.Finding) map[string]owner {
	wanted, owners := map[string]string{}, map[string]owner{}
	for _, file := range files {
		if file[0].Store == "" {
			wanted[realID(memory.StoreID(file[0].File)).Path()] = file[0].File
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	claim := func(path string, o owner) {
		if file, ok := wanted[realID(memory.StoreID(path)).Path()]; ok && owners[file] == (owner{}) {
			owners[file] = o
		}
	}
	for _, p := range l.Find(ctx).Places {
		s, err := l.store(p.Store)
		if err != nil || !p.Exists || l.whyReadOnly(s) != "" {
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
			texts = append(texts, f.Text[f.Start:f.End])
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

func (l *Library) fixFile(ctx context.Context, f *fileFix) error {
	switch id := f.findings[0].Store; {
	case id != "":
		return l.fixStore(ctx, id, f.orders(), f.count)
	case f.owner.store != "" && !f.ignores: // a plan can leave out rules and records, but not one finding
		order := memory.Order{Do: memory.Redact, Only: rulesOf(f.findings), Also: f.values}
		if f.owner.record != "" {
			order.IDs = []memory.ID{f.owner.record}
		}
		if err := l.fixStore(ctx, f.owner.store, []memory.Order{order}, f.count); err != nil {
			return err
		}
	}
	rest, err := l.fixBytes(ctx, f) // text outside records
	f.tally.of(f.findings[0].File).Secrets += rest
	return err
}

// fixBytes redacts a file byte by byte, and returns how many secrets it replaced.
func (l *Library) fixBytes(ctx context.Context, f *fileFix) (int, error) {
	path := f.findings[0].File
	may := l.mayFix(path, f.listedBy)
	if err := may(system.Resolved(path)); err != nil {
		return 0, err
	}
	disk := atomicfile.Confined(atomicfile.OS(), may)
	if l.state.Dir != "" {
		unlock, err := atomicfile.Lock(ctx, filepath.Join(l.state.Dir, "redact.lock"))
		if err != nil {
			return 0, err
		}
		defer unlock()
	}
	redacted := func(text []byte) ([]byte, int) {
		decoded := charset.Decode(string(text)).String
		secrets := append(secretsIn(decoded, f.findings, f.ignores), f.values...)
		return plan.RedactText(text, l.isJSONLines(path, decoded), secrets, detect.Random)
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
func (l *Library) isJSONLines(path, text string) bool {
	f := l.formOf(path, []byte(text[:min(len(text), headSize)]))
	return f != nil && f.Lines
}

// formOf returns the form of a file, recognized by its name and its first bytes, or nil.
func (l *Library) formOf(path string, head []byte) *system.Form {
	path = filepath.ToSlash(path)
	for i := range l.forms {
		f := &l.forms[i]
		named := f.Named != nil && f.Named(path)
		looks := f.Looks != nil && f.Looks(head)
		if f.Both && named && looks || !f.Both && (named || looks) {
			return f
		}
	}
	return nil
}

// headSize is how many bytes of a file are read to recognize its form.
const headSize = 16 << 10

// fixStore redacts in a store by plans. These also redact every other place with the same text, and scrub
// the history of the store.
func (l *Library) fixStore(
	ctx context.Context,
	id memory.StoreID,
	orders []memory.Order,
	count func(r *memory.Record, secrets int),
) error {
	for _, o := range orders {
		p, err := l.Plan(ctx, id, o)
		if errors.Is(err, memory.ErrNotFound) || err == nil && len(p.Changes) == 0 {
			continue // already gone
		}
		var result memory.Result
		if err == nil {
			result, err = l.Apply(ctx, p)
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
		f := &findings[i]
		secrets = append(secrets, f.Text[f.Start:f.End])
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

// problemOf returns an error as a problem.
func problemOf(err error) *memory.Problem {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &memory.Problem{Code: "error", What: err.Error()}
}

// linkedFile is a file with several hard links, before a redaction. The redaction puts a new file under the
// names that it knows, and the other names keep the old text.
type linkedFile struct {
	path         string
	info         os.FileInfo
	names, found int
	number       uint64
}

// linkedOf returns the files at paths that have several names, each file once.
func linkedOf(paths []string) (all []*linkedFile) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		names, number := quietread.Names(info)
		if names < 2 {
			continue
		}
		if i := slices.IndexFunc(all, func(f *linkedFile) bool { return os.SameFile(f.info, info) }); i >= 0 {
			all[i].found++
		} else {
			all = append(all, &linkedFile{path: path, info: info, names: names, found: 1, number: number})
		}
	}
	return all
}

// left says how many names keep the old text after a redaction, and which command finds them. Both are
// empty if none does.
func (f *linkedFile) left(l *Library) (what, command string) {
	n := f.names - f.found
	if now, err := os.Stat(f.path); n <= 0 || err == nil && os.SameFile(now, f.info) {
		return "", ""
	}
	shown := detect.Redact(l.short(f.path))
	what = fmt.Sprintf("%d more hard links of %s, which hold the old text: they were not found", n, shown)
	if n == 1 {
		what = "1 more hard link of " + shown + ", which holds the old text: it was not found"
	}
	// All hard links of a file are in one file system.
	root := filepath.VolumeName(f.path) + string(filepath.Separator)
	return what, "find " + root + " -xdev -inum " + strconv.FormatUint(f.number, 10)
}

// otherNames returns a function to call after the redaction. It lists the hard links, unknown to the audit,
// that still have the old text.
func (l *Library) otherNames(files [][]memory.Finding) func() []memory.Beyond {
	var paths []string
	for _, file := range files {
		paths = append(paths, file[0].File)
	}
	all := linkedOf(paths)
	return func() (beyond []memory.Beyond) {
		for _, f := range all {
			if what, command := f.left(l); what != "" {
				beyond = append(
					beyond,
					memory.Beyond{What: what, Commands: []string{command + " # then: winnow audit --fix FILE"}},
				)
			}
		}
		return beyond
	}
}

// changedFiles returns the files that a plan changes, each once.
func changedFiles(p memory.Plan) (paths []string) {
	for i := range p.Changes {
		paths = memory.AppendNew(paths, cmp.Or(p.Changes[i].Record.File, p.Store.Path()))
	}
	return paths
}
