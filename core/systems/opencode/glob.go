package opencode

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
)

// Limits of a pattern: settings files can hold anything.
const (
	maxBraces  = 500
	maxGlobbed = 20_000 // entries that are read for one pattern and folder
	maxMatched = 1_000
	maxBelow   = 16 // folders that ** matches
)

// globbing is the search for one pattern.
type globbing struct {
	left int // entries that may still be read
	hits []string
	seen map[string]bool
	cut  bool
}

// glob returns the files below dir that match a pattern, through links and including hidden files.
// They come in OpenCode's order: shallower files first, and the files of one folder in reverse
// listing order. The order of folders at the same depth changes from run to run of OpenCode. cut is
// set if a limit was reached.
func glob(dir, pattern string) (files []string, cut bool) {
	g := globbing{left: maxGlobbed, seen: map[string]bool{}}
	alternatives := braces(pattern, nil)
	g.cut = len(alternatives) > maxBraces
	for _, p := range alternatives[:min(len(alternatives), maxBraces)] {
		g.below(dir, strings.Split(filepath.ToSlash(p), "/"), 0)
	}
	slices.SortStableFunc(g.hits, func(a, b string) int { return cmp.Compare(depth(a), depth(b)) })
	return g.hits, g.cut
}

func depth(path string) int { return strings.Count(path, string(filepath.Separator)) }

func (g *globbing) add(path string) {
	if g.seen[path] || !isFile(path) {
		return
	}
	if len(g.hits) == maxMatched {
		g.cut = true
		return
	}
	g.seen[path] = true
	g.hits = append(g.hits, path)
}

// below matches the elements against the entries of dir. deep is the number of folders that the
// last ** matched.
func (g *globbing) below(dir string, elements []string, deep int) {
	first, rest := elements[0], elements[1:]
	last := len(rest) == 0
	switch {
	case first == "" || first == ".":
		if !last {
			g.below(dir, rest, deep)
		}
	case first == "..", !strings.ContainsAny(first, `*?[\`):
		if path := filepath.Join(dir, first); last {
			g.add(path)
		} else if filestore.IsFolder(path) {
			g.below(path, rest, deep)
		}
	case first == "**":
		g.anywhere(dir, rest, deep)
	default:
		for _, e := range g.entries(dir) {
			if !matches(first, e.Name()) {
				continue
			}
			if path := filepath.Join(dir, e.Name()); last {
				g.add(path)
			} else if filestore.IsFolder(path) {
				g.below(path, rest, deep)
			}
		}
	}
}

// anywhere matches the elements after a ** in dir and all folders below. A ** can end at a link to a
// folder, and goes no further.
func (g *globbing) anywhere(dir string, rest []string, deep int) {
	inside := rest
	if len(rest) == 0 {
		inside = []string{"*"}
	}
	g.below(dir, inside, deep)
	if deep == maxBelow {
		g.cut = true
		return
	}
	for _, e := range g.entries(dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			g.anywhere(path, rest, deep+1)
		case len(rest) > 0 && e.Type()&fs.ModeSymlink != 0 && filestore.IsFolder(path):
			g.below(path, rest, deep+1)
		}
	}
}

// entries returns the entries of a folder, in the reverse order of its listing.
func (g *globbing) entries(dir string) []fs.DirEntry {
	entries, cut, _ := filestore.Listing(dir, max(g.left, 0))
	g.left -= len(entries)
	g.cut = g.cut || cut
	slices.Reverse(entries)
	return entries
}

// classes expands the named character classes.
var classes = strings.NewReplacer(
	"[:alpha:]",
	"a-zA-Z",
	"[:digit:]",
	"0-9",
	"[:alnum:]",
	"a-zA-Z0-9",
	"[:lower:]",
	"a-z",
	"[:upper:]",
	"A-Z",
)

// matches reports whether a name matches one element of a pattern: * stands for any characters, ?
// for one character, and [] for one of several.
func matches(pattern, name string) bool {
	pattern = classes.Replace(strings.ReplaceAll(pattern, "[!", "[^"))
	ok, err := filepath.Match(pattern, name)
	return ok && err == nil
}

// group matches the first innermost brace with a comma that is not escaped.
var group = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\\])(\{[^{}\\]*,[^{}\\]*\})`) })

// braces appends the patterns that one with {a,b} expands to, in order. It stops soon after maxBraces.
func braces(pattern string, all []string) []string {
	at := group().FindStringSubmatchIndex(pattern)
	if at == nil {
		return append(all, pattern)
	}
	before, after := pattern[:at[2]], pattern[at[3]:]
	for part := range strings.SplitSeq(pattern[at[2]+1:at[3]-1], ",") {
		if len(all) <= maxBraces {
			all = braces(before+part+after, all)
		}
	}
	return all
}
