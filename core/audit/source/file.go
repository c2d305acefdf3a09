package source

import (
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
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// file is a file that may be read.
type file struct {
	path  string // absolute
	git   memory.GitState
	named bool // by the person: it is read whatever it is, and through a link
	// follow is set for a link that leads to a file inside of what is audited.
	follow bool
	// root is set for a path that git listed: no folder below root on the way may be a link.
	root string
}

// read returns the job of reading a file.
func (r *run) read(f file) job {
	return func(ctx context.Context, w *worker) {
		if ctx.Err() == nil {
			w.file(ctx, f)
		}
	}
}

func (w *worker) file(ctx context.Context, f file) {
	if !f.named && !w.AllText && !w.candidate(filepath.ToSlash(f.path)) {
		w.leave(leftOther, f.path)
		return
	}
	if !f.named && !w.AllText && w.Sharing != memory.SharedAndIgnored && f.git != memory.GitTracked && w.onlyTracked(f.path) {
		w.leave(leftUntracked, f.path)
		w.tally.uncover(w.Short(f.path) + ", which git does not track")
		return
	}
	if strings.HasSuffix(f.path, "-shm") {
		// It holds the locks of a database, and no text: closing it would drop those of
		// this process.
		w.leave(leftLocks, f.path)
		return
	}
	in := w.open(f)
	if in == nil {
		return
	}
	defer in.Close()
	src := &fileReader{run: w.run, file: in, end: in.Info.Size()}
	s, head, enc := w.begin(ctx, src)
	d := judge.Doc{
		Path: w.Short(f.path), File: f.path, Form: w.form(filepath.ToSlash(f.path), head), Git: f.git,
		Mode: in.Info.Mode(), OnDisk: true,
	}
	why := w.unwanted(d.Form, head, enc)
	if d.Form != nil && d.Form.ByRecord && logOf(f.path) {
		why = leftLog
	}
	if why != "" && !f.named {
		w.leave(why, f.path)
		return
	}
	w.besides(&d, f.path)
	w.tally.files.Add(1)
	src.count()
	w.visit(&d, s)
	if enc, ok := s.other(); ok && s.failure() == nil {
		s = w.readAs(ctx, enc, &fileReader{run: w.run, file: in, end: in.Info.Size()})
		w.visit(&d, s)
	}
	w.after(f, in, s)
}

// unwanted returns why a document that nobody named is left out, by its beginning; nothing
// when it is read.
func (w *worker) unwanted(form *system.Form, head []byte, enc encoding) string {
	switch {
	case isPointer(head):
		return leftLFS
	case form == nil && !w.AllText:
		return leftOther
	case form == nil && !isText(head, enc):
		return leftBinary
	}
	return ""
}

// readAs begins to read a document in the other of two encodings.
func (w *worker) readAs(ctx context.Context, enc encoding, src io.Reader) *splitter {
	s := w.splitter(ctx, src)
	if enc != utf8Text {
		s.src, s.recoded = newRecoder(enc, nil, src), true
	}
	return s
}

func (w *worker) splitter(ctx context.Context, src io.Reader) *splitter {
	return &splitter{sizes: sizes{pieceSize, lineSize, overlap}, ctx: ctx, room: &w.text, src: src, row: 1, column: 1}
}

// logOf reports whether a file is the log of a database beside it, with which it is read.
func logOf(path string) bool {
	db, ok := strings.CutSuffix(path, "-wal")
	if !ok {
		return false
	}
	info, err := os.Stat(db)
	return err == nil && info.Mode().IsRegular()
}

// besides fills in what only some forms need: the path of a store, and the files
// that may be left over beside it. A left-over file is reported by itself unless a store
// beside it reports it.
func (w *worker) besides(d *judge.Doc, p string) {
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

// folder is what a worker knows of the folder that it read a file of.
type folder struct {
	path         string
	names        []string // of what is in it, at most 1,000
	asked, store bool     // whether one of them is a store's, once asked
}

// hasStore reports whether a store lies in a folder that names what is left over there.
func (w *worker) hasStore(f *folder) bool {
	if !f.asked {
		dir := filepath.ToSlash(f.path)
		f.store = slices.ContainsFunc(f.names, func(name string) bool { return w.isStore(path.Join(dir, name)) })
		f.asked = true
	}
	return f.store
}

// isStore reports whether a file is called as a store is that names what is left over
// beside it.
func (w *worker) isStore(p string) bool {
	return slices.ContainsFunc(w.Forms, func(f system.Form) bool {
		return f.Stale != nil && !f.Stale(p) && f.Named != nil && f.Named(p)
	})
}

// namesIn returns the names of the files in a folder, at most 1,000.
func namesIn(path string) []string {
	dir, err := openFolder(path)
	if err != nil {
		return nil // a file in it is being read: nobody asked for the folder
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1000) // as many as can be read
	return names
}

// after notes what went wrong while a file was read.
func (w *worker) after(f file, in *quietread.File, s *splitter) {
	err := s.failure()
	switch {
	case err != nil && s.ctx.Err() == nil:
		w.unread(f.path, err)
	case err == nil && in.Changed():
		w.tally.uncover("what was written to " + w.Short(f.path) + " while it was read")
	}
	w.tally.progress()
}

// open opens a file, and says why when it does not: then it returns nil. A file that was
// replaced after it was looked at is looked at again, so that none is read that nobody
// would have opened.
func (w *worker) open(f file) *quietread.File {
	if f.root != "" && !w.isStraight(f.root, filepath.Dir(f.path)) {
		w.leave(leftLink, f.path)
		return nil
	}
	look := os.Lstat
	if f.named || f.follow {
		look = os.Stat
	}
	for range 4 {
		info, err := look(f.path)
		if err == nil {
			switch why := w.excluded(f.path, info, f.named); why {
			case "":
			case leftLink:
				w.link(f)
				return nil
			default:
				w.leave(why, f.path)
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
	w.leave(leftReplaced, f.path)
	return nil
}

// excluded returns why a file is not opened; empty when it is.
func (w *worker) excluded(path string, info fs.FileInfo, named bool) string {
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

// closed records a file that cannot be opened. A missing one is no failure, unless it
// was asked for.
func (w *worker) closed(f file, err error) {
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	switch {
	case !missing || f.named:
		w.unread(f.path, err)
	case f.git == memory.GitTracked:
		w.leave(leftIndexOnly, f.path)
	default:
		w.leave(leftGone, f.path)
	}
}

// isStraight reports whether no folder on the way from root to dir is a link.
func (w *worker) isStraight(root, dir string) bool {
	if dir == root || dir == w.straight {
		return true
	}
	info, err := os.Lstat(dir)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return false
	}
	if len(dir) <= len(root) || !w.isStraight(root, filepath.Dir(dir)) {
		return false
	}
	w.straight = dir
	return true
}

// begin reads the beginning of a document. It returns the beginning as text, and how the
// document stores text.
func (w *worker) begin(ctx context.Context, src io.Reader) (s *splitter, head []byte, enc encoding) {
	s = w.splitter(ctx, src)
	if holes, ok := src.(interface{ skip() int64 }); ok {
		s.skip = holes.skip
	}
	s.readHead()
	raw := w.text[:s.n]
	enc, mark := detect(raw)
	if mark == 2 && reads(raw[mark:]) { // two bytes hide no text
		s.doubt, enc, mark = enc, utf8Text, 0
	}
	if enc != utf8Text {
		s.recoder = newRecoder(enc, raw[mark:], following(s))
		s.src, s.skip, s.recoded = s.recoder, nil, true
		s.n, s.err, s.gap = 0, nil, 0
		s.readHead()
	} else if mark > 0 {
		s.n = copy(w.text, raw[mark:])
		s.offset = int64(mark)
	}
	return s, w.text[:min(s.n, headSize)], enc
}

// identities are the files that were read, as the system knows them: by whatever name.
type identities struct {
	mu   sync.Mutex
	seen map[identity]struct{}
}

// add reports whether the file is new.
func (k *identities) add(path string, info fs.FileInfo) bool {
	id, ok := identify(path, info)
	if !ok {
		return true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[identity]struct{}{}
	}
	_, known := k.seen[id]
	k.seen[id] = struct{}{}
	return !known
}
