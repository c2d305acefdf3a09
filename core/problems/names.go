package problems

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
)

// Fate is what became of a name in git. Its zero value is that of a name which git never had.
type Fate struct {
	Commit string    // the newest one that deleted or moved it
	At     time.Time // of the commit
	To     string    // where it is now; empty if it was deleted
}

// EntryKind is a kind of name that is an entry of a file.
type EntryKind string

// The kinds.
const (
	script EntryKind = "script" // of package.json
	target EntryKind = "target" // of make
	recipe EntryKind = "recipe" // of just
)

// EntryKinds returns all kinds.
func EntryKinds() []EntryKind { return []EntryKind{script, target, recipe} }

// Line returns what comes before and after the name of an entry in its line, as regular expressions of git and of
// Go, and the names of the files.
func (k EntryKind) Line() (begin, end string, files []string) {
	switch k {
	case script:
		return `[ 	]*"`, `"[ 	]*:`, []string{"package.json"}
	case target:
		return `([-A-Za-z0-9_]+[ ]+)*`, `([ ]+[-A-Za-z0-9_ ]+)?[ ]*:`, []string{
			"Makefile",
			"makefile",
			"GNUmakefile",
			"*.mk",
		}
	}
	return `@?`, `([ ][^:]*)?:`, []string{"justfile", "Justfile", ".justfile", "*.just"}
}

// Entry is a script, a target or a recipe.
type Entry struct {
	Kind EntryKind
	Name string
}

// Key names the entry.
func (e Entry) Key() string { return string(e.Kind) + " " + e.Name }

// Question is what git is asked for a project.
type Question struct {
	Names    []string                         // paths that are not there, relative to the root
	Patterns map[string]func(rel string) bool // of rules, by their place and text
	Entries  []Entry                          // that no file of the project has
}

// mention is a name in a text.
type mention struct {
	text *text
	line int // index of the statement
	as   string
	// paths are what it may mean, relative to the root; the first is the likeliest.
	paths []string
	entry Entry // or this
}

// mostMentions is how many names of a project are looked for.
const mostMentions = 5000

// mentions returns the paths, scripts and targets that the texts about the project name.
func (p *Project) mentions() (all []mention) {
	seen := map[*text]bool{}
	for i := range p.Agents {
		for j := range p.Agents[i].List {
			s := &p.Agents[i].List[j]
			t := p.texts[s.Path]
			about := p.isInside(s.Path) || s.Kind == memory.SourceMemoryTopic
			if t == nil || seen[t] || !about || s.When == memory.Never && s.Loss != memory.LossBeside {
				continue
			}
			seen[t] = true
			for i := range t.statements {
				if len(all) < mostMentions {
					all = append(all, p.mentionsIn(t, i)...)
				}
			}
		}
	}
	return all
}

// past are the words by which a line says that what it names is not there, or not yet.
var past = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)\b(planned|planning|removed|deleted|never|deprecated|renamed|moved|replaced|former|formerly|legacy|` +
			`dropped|(if|when|where) (it |they )?(exists?|present)|` +
			`no longer|not exist|do(es)? not|don't|e\.g\.|for example|such as|create[sd]?|creating|generate[sd]?)\b|(^|[\s(])old\s`,
	)
})

// mentionsIn returns the names in one statement.
func (p *Project) mentionsIn(t *text, i int) (all []mention) {
	s := &t.statements[i]
	if past().MatchString(s.Text) || strings.Contains(s.Text, "~~") || t.isCaption(i) {
		return nil
	}
	add := func(as string, isLink bool) {
		if paths := p.meanings(t, as, isLink); len(paths) > 0 {
			all = append(all, mention{text: t, line: i, as: as, paths: paths})
		}
	}
	if s.Code {
		for _, e := range entriesIn(s.Text) {
			all = append(all, mention{text: t, line: i, as: e.Name, entry: e})
		}
		return all
	}
	for n, part := range strings.Split(s.Text, "`") {
		if n%2 == 0 {
			continue
		}
		if words := strings.Fields(part); len(words) == 1 {
			add(words[0], false)
		}
		for _, e := range entriesIn(part) {
			all = append(all, mention{text: t, line: i, as: e.Name, entry: e})
		}
	}
	for _, m := range linkTarget().FindAllStringSubmatch(s.Text, -1) {
		add(m[1], true)
	}
	return all
}

// isCaption reports whether a statement is the name of a file whose text follows: an example of what somebody writes.
func (t *text) isCaption(i int) bool {
	bare := strings.Trim(t.statements[i].Text, "*_ ")
	name, is := strings.CutSuffix(bare, ":")
	return is && i+1 < len(t.statements) && t.statements[i+1].Code && len(strings.Fields(name)) == 1
}

var linkTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\(([^()\s]+)\)`) })

var (
	command = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			`(?:^|&& |; |\$ |^[A-Z_]+=\S+ )(npm|pnpm|yarn|bun|make|just) (run )?([A-Za-z0-9][A-Za-z0-9:_-]*)( |$)`,
		)
	})
	position = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`(:[0-9]+(-[0-9]+)?(:[0-9]+)?|#L?[-A-Za-z0-9_]*)$`) },
	)
	plain   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}\p{N}._+@()\[\]/-]+$`) })
	pattern = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`YYYY|NNN|XXX|xxx|\.\.\.|…|\[[^\]]*\.\.\.`) },
	)
	ending = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.[A-Za-z][A-Za-z0-9]{0,9}$`) })
)

// entriesIn returns the scripts, targets and recipes that a command runs.
func entriesIn(s string) (all []Entry) {
	for _, m := range command().FindAllStringSubmatch(s, -1) {
		program, run, name := m[1], m[2], m[3]
		switch {
		case program == "make" && run == "":
			all = append(all, Entry{target, name})
		case program == "just" && run == "":
			all = append(all, Entry{recipe, name})
		case program != "make" && program != "just" && run != "":
			all = append(all, Entry{script, name})
		}
	}
	return all
}

// pathFromRoot returns a word as a path, relative to the root if it is an absolute one; "" if it is no path or leads
// out of the project.
func (p *Project) pathFromRoot(name string) string {
	switch {
	case name == "" || !utf8.ValidString(name) || !plain().MatchString(name) || pattern().MatchString(name):
		return ""
	case strings.Contains(name, "//") || strings.HasPrefix(name, "@") || strings.HasPrefix(name, "-"):
		return ""
	case !strings.HasPrefix(name, "/"):
		return name
	}
	rel, err := filepath.Rel(p.Root, filepath.FromSlash(name))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// isPathOrFile reports whether a word has the form of a path, or of a file by its ending.
func isPathOrFile(name string) bool {
	return strings.Contains(name, "/") || ending().MatchString(path.Ext(name))
}

// meanings returns the paths, relative to the root, that a word can mean; none if it is not the name of a file or a
// folder of the project.
func (p *Project) meanings(t *text, as string, isLink bool) (paths []string) {
	name := p.pathFromRoot(position().ReplaceAllString(as, ""))
	isFolder := strings.HasSuffix(name, "/")
	name = strings.Trim(strings.TrimPrefix(name, "./"), "/")
	if name == "" || name == "." {
		return nil
	}
	if !isFolder && !isLink && !isPathOrFile(name) {
		return nil
	}
	base := strings.TrimLeft(path.Base(name), ".")
	isShouted := strings.ToUpper(base) == base && !strings.ContainsAny(base, ".")
	if base == "" || isShouted && isFolder {
		return nil
	}
	beside := ""
	if p.isInside(t.path) {
		beside = path.Join(path.Dir(p.rel(t.path)), name)
	}
	for _, rel := range []string{path.Clean(name), beside} {
		if rel != "" && filepath.IsLocal(filepath.FromSlash(rel)) {
			paths = memory.AppendNew(paths, rel)
		}
	}
	if isLink {
		slices.Reverse(paths)
	}
	return paths
}
