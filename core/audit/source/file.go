package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"winnow/core/audit/judge"
	"winnow/core/charset"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// file is a file that is a candidate for reading.
type file struct {
	path  string // absolute
	git   memory.GitState
	named bool // named by the person: read it whatever it is, and follow links
	// follow is set for a link to a file inside the audited folders.
	follow bool
	// root is set for a path listed by git. No folder between root and the file may be a link.
	root string
}

// read returns the job that reads a file.
func (r *run) read(f file) job {
	return func(ctx context.Context, w *worker) {
		if ctx.Err() == nil {
			w.file(ctx, f)
		}
	}
}

// skipsUnopened reports whether a file is left out because of its name or of what git knows of it, and counts it.
func (w *worker) skipsUnopened(f file) bool {
	if !f.named && w.AgentFiles && !w.candidate(filepath.ToSlash(f.path)) && !w.isPacked(f.path) {
		w.countSkipped(leftOther, f.path)
		return true
	}
	if !f.named && w.AgentFiles && w.Sharing != memory.SharedAndIgnored && f.git != memory.GitTracked &&
		w.onlyTracked(f.path) {
		w.countSkipped(leftUntracked, f.path)
		w.tally.uncover(w.Short(f.path) + ", which git does not track")
		return true
	}
	if strings.HasSuffix(f.path, "-shm") {
		// SQLite keeps its locks in this file and no text. Closing it would drop the locks of this
		// process.
		w.countSkipped(leftLocks, f.path)
		return true
	}
	return false
}

// countRead counts a file that is read: one that is read again for more than secrets was counted before.
func (w *worker) countRead(d *judge.Doc) {
	if !d.Again {
		w.tally.files.Add(1)
	}
	if d.SecretsOnly {
		w.tally.others.Add(1)
	}
	if d.Again {
		w.tally.others.Add(-1)
	}
}

func (w *worker) file(ctx context.Context, f file) {
	if w.skipsUnopened(f) {
		return
	}
	in := w.open(f)
	if in == nil {
		return
	}
	defer in.Close()
	src := &fileReader{run: w.run, file: in, end: in.Info.Size()}
	text, packed := w.unpacked(f.path, f.named, src)
	s, head := w.readBeginning(ctx, text)
	form := w.form(strings.TrimSuffix(filepath.ToSlash(f.path), packed), head)
	d := judge.Doc{
		Path:   w.Short(f.path),
		File:   f.path,
		Within: w.within(f),
		Form:   form,
		Git:    f.git,
		Mode:   in.Info.Mode(),
		OnDisk: true,
		Packed: packed != "",
	}
	d.SecretsOnly = (d.Form == nil || !isRead(d.Path)) && !f.named && !w.AllText
	d.Again = f.follow && w.known.hasSecretsOnly(f.path, in.Info)
	if d.Again && d.SecretsOnly {
		return
	}
	w.known.noteSecretsOnly(f.path, in.Info, d.SecretsOnly)
	if w.isUnpackable(f.path, f.named, form, head) {
		w.fail(f.path, compressed())
		return
	}
	why := w.whyUnwanted(d.Form, f.path, head)
	if d.Form != nil && d.Form.ByRecord && logOf(f.path) {
		why = leftLog
	}
	if why != "" && !f.named {
		w.countSkipped(why, f.path)
		return
	}
	w.setStoreFiles(&d, f.path)
	w.countRead(&d)
	src.count()
	w.visit(&d, s)
	w.noteFailure(f, in, s)
}

// whyUnwanted returns why to skip a document that nobody named, judging by its beginning. It is empty
// if the document is to be read.
func (w *worker) whyUnwanted(form *system.Form, path string, head []byte) string {
	switch {
	case isPointer(head):
		return leftLFS
	case form == nil && w.AgentFiles:
		return leftOther
	case isMedium(path, head) && !w.isGiven(path):
		return leftBinary
	case form == nil:
		if !isText(head) {
			return leftBinary
		}
	case !isText(head) && !isTextWithZeros(head) && !form.Database && !w.isGiven(path) &&
		(!isNamedText(path) || isProgram(path, head)):
		return leftBinary
	}
	return ""
}

// isGiven reports whether an agent is known to read or start the file: then it counts for what it is to the agent, and
// not for what it looks like.
func (w *worker) isGiven(path string) bool {
	path = filepath.ToSlash(path)
	return slices.ContainsFunc(w.Forms, func(f system.Form) bool { return f.Given && f.Named(path) })
}

// textEnds are the ends of files that agents read as text, so that one with many zero bytes was damaged by a crash, or
// hides something. Separated by spaces.
const textEnds = ` .md .mdc .mdx .markdown .txt .rst .rules .json .jsonl .ndjson .jsonc .json5 .toml .yaml .yml .ini
	.env .xml .html .htm .svg .csv .log .bak .tmp .old .orig .sh .bash .zsh .fish .ps1 .bat .cmd .py .js .mjs .cjs .jsx
	.ts .tsx .rb .pl .php .lua .go .rs .java .kt .swift .cs .c .h .cpp .sql .el .vim .zst .db .sqlite .sqlite3 .vscdb `

// isProgram reports whether a file without an end in its name begins as a compiled program of Linux or macOS does, or
// as the .DS_Store of a folder.
func isProgram(name string, head []byte) bool {
	if ext := filepath.Ext(name); ext != "" && ext != filepath.Base(name) || len(head) < 4 {
		return false
	}
	switch string(head[:4]) {
	case "\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00\x00\x00\x01":
		return true
	}
	return false
}

// isMedium reports whether a file is a picture, a font or a page to print, by its name and its beginning alike. One
// with much text about its origin before the picture is no text: nobody reads it as such.
func isMedium(name string, head []byte) bool {
	begins := ""
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
		begins = "\x89PNG\r\n\x1a\n\x00"
	case ".jpg", ".jpeg":
		begins = "\xff\xd8\xff"
	case ".gif":
		begins = "GIF8"
	case ".webp":
		begins = "RIFF"
	case ".pdf":
		begins = "%PDF-"
	case ".woff", ".woff2":
		begins = "wOF"
	default:
		return false
	}
	return bytes.HasPrefix(head, []byte(begins)) && bytes.IndexByte(head, 0) >= 0
}

// isNamedText reports whether a file has one of textEnds, or none.
func isNamedText(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == "" || ext == strings.ToLower(filepath.Base(name)) || slices.Contains(strings.Fields(textEnds), ext)
}

func (w *worker) splitter(ctx context.Context, src io.Reader) *splitter {
	return &splitter{sizes: sizes{pieceSize, lineSize, overlap}, ctx: ctx, room: &w.text, src: src, row: 1, column: 1}
}

// logOf reports whether a file is the log of a database beside it. The log is read together with
// the database.
func logOf(path string) bool {
	db, ok := strings.CutSuffix(path, "-wal")
	if !ok {
		return false
	}
	info, err := os.Stat(db)
	return err == nil && info.Mode().IsRegular()
}

// setStoreFiles sets what only some forms need: the path of a store, and the candidates for left-over
// files beside it. A left-over file is reported by itself unless a store beside it reports it.
func (w *worker) setStoreFiles(d *judge.Doc, p string) {
	if d.Form == nil {
		return
	}
	if d.Form.Decode != nil {
		d.Store = memory.StoreID(p)
	}
	if d.Form.Stale == nil {
		return
	}
	if dir := filepath.Dir(p); dir != w.folder.path {
		w.folder = folder{path: dir, names: namesIn(dir)}
	}
	switch {
	case !d.Form.Stale(filepath.ToSlash(p)):
		d.Siblings = w.folder.names
	case !w.hasStore(&w.folder):
		d.Siblings = []string{filepath.Base(p)}
	}
}

// folder caches what a worker knows about the folder of the last file it read.
type folder struct {
	path         string
	names        []string // names of at most 1,000 of its files
	asked, store bool     // whether one of them is a store; valid if asked is set
}

// hasStore reports whether a folder contains a store that reports its left-over files.
func (w *worker) hasStore(f *folder) bool {
	if !f.asked {
		dir := filepath.ToSlash(f.path)
		f.store = slices.ContainsFunc(f.names, func(name string) bool { return w.isStore(path.Join(dir, name)) })
		f.asked = true
	}
	return f.store
}

// isStore reports whether a file has the name of a store that reports the left-over files beside
// it.
func (w *worker) isStore(p string) bool {
	return slices.ContainsFunc(w.Forms, func(f system.Form) bool {
		return f.Stale != nil && !f.Stale(p) && f.Named != nil && f.Named(p)
	})
}

// namesIn returns the names of at most 1,000 files in a folder.
func namesIn(path string) []string {
	dir, err := openFolder(path)
	if err != nil {
		return nil // a file in it is being read; nobody asked for the folder itself
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1000) // whatever could be read
	return names
}

// noteFailure records what went wrong while reading a file.
func (w *worker) noteFailure(f file, in *quietread.File, s *splitter) {
	err := s.failure()
	switch {
	case err != nil && s.ctx.Err() == nil:
		if p := (*memory.Problem)(nil); errors.As(err, &p) {
			w.fail(f.path, p)
		} else {
			w.unread(f.path, err)
		}
	case err == nil && in.Changed():
		w.tally.uncover("what was written to " + w.Short(f.path) + " while it was read")
	}
	w.tally.progress()
}

// open opens a file, or returns nil after recording the reason. If the file was replaced between
// the check and the opening, it is checked again, so that no excluded file is ever read.
func (w *worker) open(f file) *quietread.File {
	if f.root != "" && !w.isStraight(f.root, filepath.Dir(f.path)) {
		w.countSkipped(leftLink, f.path)
		return nil
	}
	look := os.Lstat
	if f.named || f.follow {
		look = os.Stat
	}
	for range 4 {
		info, err := look(f.path)
		if err == nil {
			why := w.whyExcluded(f.path, info, f.named)
			if why == leftTwin && f.follow && w.known.hasSecretsOnly(f.path, info) {
				why = ""
			}
			switch why {
			case "":
			case leftLink:
				w.link(f)
				return nil
			default:
				w.countSkipped(why, f.path)
				return nil
			}
			var in *quietread.File
			if in, err = quietread.Open(f.path); err == nil {
				if os.SameFile(info, in.Info) {
					return in
				}
				_ = in.Close() // nothing was written
				continue
			}
		}
		w.closed(f, err)
		return nil
	}
	w.countSkipped(leftReplaced, f.path)
	return nil
}

// whyExcluded returns why a file must not be opened, or an empty string.
func (w *worker) whyExcluded(path string, info fs.FileInfo, named bool) string {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return leftLink
	case !info.Mode().IsRegular() && !named:
		return leftIrregular
	case info.Mode().IsRegular() && !w.known.add(path, info):
		return leftTwin
	}
	return ""
}

// closed records a file that could not be opened. A missing file counts as a failure only if it was
// named.
func (w *worker) closed(f file, err error) {
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	switch {
	case !missing || f.named:
		w.unread(f.path, err)
	case f.git == memory.GitTracked:
		w.countSkipped(leftIndexOnly, f.path)
	default:
		w.countSkipped(leftGone, f.path)
	}
}

// isStraight reports whether no folder from root to dir is a link.
func (w *worker) isStraight(root, dir string) bool {
	if dir == root || dir == w.linkFree {
		return true
	}
	info, err := os.Lstat(dir)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return false
	}
	if len(dir) <= len(root) || !w.isStraight(root, filepath.Dir(dir)) {
		return false
	}
	w.linkFree = dir
	return true
}

// readBeginning reads the beginning of a document, and returns it as text.
func (w *worker) readBeginning(ctx context.Context, src io.Reader) (s *splitter, head []byte) {
	in := charset.NewReader(src)
	if holes, ok := src.(interface{ skip() int64 }); ok {
		in.Hole = holes.skip
	}
	s = w.splitter(ctx, in)
	s.skip = in.Skip
	s.readHead()
	if rest, marked := bytes.CutPrefix(w.text[:s.n], []byte("\ufeff")); marked {
		s.n = copy(w.text, rest)
		s.offset = int64(len("\ufeff"))
	}
	return s, w.text[:min(s.n, headSize)]
}

// identities are the files already read, identified by the system instead of by name.
type identities struct {
	mu   sync.Mutex
	seen map[identity]bool // whether nothing but secrets was looked for
}

// add records a file and reports whether it is new.
func (k *identities) add(path string, info fs.FileInfo) bool {
	id, ok := identify(path, info)
	if !ok {
		return true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[identity]bool{}
	}
	_, known := k.seen[id]
	if !known {
		k.seen[id] = false
	}
	return !known
}

// noteSecretsOnly records whether nothing but secrets is looked for in a file.
func (k *identities) noteSecretsOnly(path string, info fs.FileInfo, only bool) {
	if id, ok := identify(path, info); ok {
		k.mu.Lock()
		defer k.mu.Unlock()
		if _, known := k.seen[id]; known {
			k.seen[id] = only
		}
	}
}

// hasSecretsOnly reports whether a file was read, and nothing but secrets was looked for in it.
func (k *identities) hasSecretsOnly(path string, info fs.FileInfo) bool {
	id, ok := identify(path, info)
	k.mu.Lock()
	defer k.mu.Unlock()
	return ok && k.seen[id]
}
