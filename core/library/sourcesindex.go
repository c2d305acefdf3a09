package library

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Limits of what is read of an index for its sources.
const (
	mostInIndex  = 5000    // files that may name others
	mostOther    = 200     // of these, files that differ from the work tree
	mostStaged   = 1 << 20 // bytes of one
	mostReferred = 1000    // files that are named
)

// indexSources finds what the files in git's index name. Agents read the work tree; a commit takes the
// index, and the two can name different files.
type indexSources struct {
	lib   *Library
	git   git.Git
	dir   string
	paths map[string]string // the files of the index with their ids, by paths relative to dir
	found []memory.Source
	seen  map[string]bool
}

// sourcesInIndex returns the files below a folder that a text for agents in git's index names, where that
// differs from the one in the work tree. It errs towards more: whatever could be a path counts. gap says
// what was not looked at. It returns nothing without git or a repository, which the audit reports itself.
func (l *Library) sourcesInIndex(
	ctx context.Context,
	folder string,
	known map[string]bool,
) (found []memory.Source, gap string) {
	g, err := git.Find()
	if err != nil {
		return nil, ""
	}
	if index := git.IndexOfCommit(ctx); index != "" && git.Root(folder) == git.Root(l.env.Dir) {
		g = g.WithIndex(l.Absolute(index))
	}
	x := &indexSources{lib: l, git: g, dir: folder, paths: map[string]string{}, seen: map[string]bool{}}
	p, err := g.Start(ctx, folder, false, "ls-files", "-z", "--stage", "--cached")
	if err != nil {
		return nil, ""
	}
	var naming []string
	err = p.Each(0, func(text []byte) error {
		entry, name, ok := strings.Cut(string(text), "\t")
		fields := strings.Fields(entry)
		if !ok || len(fields) < 2 {
			return nil
		}
		x.paths[name] = fields[1]
		if full := filepath.Join(folder, filepath.FromSlash(name)); known[full] || l.isNamedForm(full) {
			naming = append(naming, name)
		}
		return nil
	})
	if err != nil {
		return nil, ""
	}
	others := 0
	for i, name := range naming {
		if i == mostInIndex || others == mostOther || len(x.found) >= mostReferred || ctx.Err() != nil {
			gap = fmt.Sprintf("what %d of the files in the index name", len(naming)-i)
			break
		}
		if x.differs(name) {
			others++
			x.follow(ctx, name)
		}
	}
	return x.found, gap
}

// isNamedForm reports whether a file is one of an agent's by its name.
func (l *Library) isNamedForm(path string) bool {
	path = filepath.ToSlash(path)
	return slices.ContainsFunc(l.forms, func(f system.Form) bool { return f.Named != nil && f.Named(path) })
}

// differs reports whether a file of the work tree has other bytes than its version in the index.
func (x *indexSources) differs(name string) bool {
	data, cut, err := quietread.ReadFile(filepath.Join(x.dir, filepath.FromSlash(name)), mostStaged)
	if err != nil || cut {
		return true
	}
	sum := hash.Hash(sha1.New())
	if len(x.paths[name]) == 2*sha256.Size {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)) != x.paths[name]
}

// follow adds the files that a version in the index names, and what these name.
func (x *indexSources) follow(ctx context.Context, name string) {
	if x.seen[name] || len(x.found) >= mostReferred || ctx.Err() != nil {
		return
	}
	x.seen[name] = true
	text, err := x.git.Run(ctx, x.dir, "cat-file", "blob", x.paths[name])
	if err != nil {
		return // the audit reports what it cannot read
	}
	for _, to := range x.named(name, string(text)) {
		if x.seen[to] || len(x.found) >= mostReferred {
			continue
		}
		x.found = append(x.found, memory.Source{
			Path: filepath.Join(x.dir, filepath.FromSlash(to)), Kind: memory.SourceImport, When: memory.AtStart,
			Why: "The version in the index is named there.", By: filepath.Join(x.dir, filepath.FromSlash(name)),
		})
		x.follow(ctx, to)
	}
}

var (
	importsInText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("@([^\\s\"'<>()\\[\\]{},;`]+)") })
	quotedStrings = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']([^"'\n]{1,300})["']`) })
)

// named returns the files of the index that a text of one could name: after an @, or, in settings, as a
// string that is a path, a pattern or a file name.
func (x *indexSources) named(name, text string) (files []string) {
	at := path.Dir(name)
	if !isSettingsFile(name) {
		for _, m := range importsInText().FindAllStringSubmatch(text, -1) {
			for _, to := range []string{m[1], strings.TrimRight(m[1], ".:!?*_")} {
				if to = path.Join(at, to); x.paths[to] != "" {
					files = memory.AppendNew(files, to)
				}
			}
		}
		return files
	}
	for _, m := range quotedStrings().FindAllStringSubmatch(text, -1) {
		to := strings.TrimPrefix(m[1], "./")
		for _, base := range []string{at, path.Dir(at), "."} {
			if full := path.Join(base, to); x.paths[full] != "" {
				files = memory.AppendNew(files, full)
			}
		}
		pattern := strings.ContainsAny(to, "*?[")
		if !pattern && (strings.Contains(to, "/") || !strings.Contains(to, ".")) {
			continue
		}
		is := system.Named(to)
		for full := range x.paths {
			if pattern && is("/"+full) || !pattern && path.Base(full) == to {
				files = memory.AppendNew(files, full)
			}
		}
	}
	slices.Sort(files)
	return files
}

// isSettingsFile reports whether a file holds settings and no prose.
func isSettingsFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc", ".toml", ".yaml", ".yml":
		return true
	}
	return false
}

// withIndex returns the sources below some folders, and with them what the index of git names there.
func (l *Library) withIndex(
	ctx context.Context,
	paths []string,
	sources []memory.Source,
) (_ []memory.Source, unread []memory.Unread) {
	known := map[string]bool{}
	for i := range sources {
		known[sources[i].Path] = true
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		folder := l.Absolute(path)
		info, err := os.Stat(folder)
		if path == "-" || err != nil || !info.IsDir() {
			continue
		}
		real, err := filepath.EvalSymlinks(folder)
		if err != nil {
			real = folder
		}
		found, gap := l.sourcesInIndex(ctx, folder, known)
		for _, src := range found {
			for _, src.Path = range namesBelow(src.Path, folder, real) {
				if !known[src.Path] {
					known[src.Path] = true
					sources = append(sources, src)
				}
			}
		}
		if gap != "" {
			unread = append(unread, memory.Unread{Path: l.Short(folder), Problem: &memory.Problem{
				Code: "not-searched",
				What: "Not searched: " + gap + ".",
				Hint: "audit all text of the commit: --staged --all-text",
			}})
		}
	}
	return sources, unread
}
