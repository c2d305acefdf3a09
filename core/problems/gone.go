package problems

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Look is what the texts of a project name and the project does not have.
type Look struct {
	Question
	project              *Project
	mentions             []mention // of what is not there
	files                []string
	elsewhere, otherCase map[string]string // where else a missing path stands
	waiting              []waiting
}

// waiting is a rule that waits for files.
type waiting struct {
	agent  *memory.AgentSources
	source *memory.Source
	keys   []string // in Question.Patterns
}

// Look compares what the texts name with the files of the project, which are relative to the root, with slashes and
// in order. Read returns the text of one of them, and exists reports whether something is at a path that is not
// among them, such as what git ignores.
func (p *Project) Look(files []string, read func(rel string) string, exists func(rel string) bool) *Look {
	l := &Look{project: p, files: files}
	l.Patterns = map[string]func(string) bool{}
	all := p.mentions()
	wanted := map[string]bool{}
	for _, m := range all {
		for _, name := range m.paths {
			wanted[name] = false
		}
	}
	l.find(wanted)
	has := l.entries(all, read)
	for _, m := range all {
		switch {
		case m.entry != (Entry{}):
			if !has[m.entry] && hasFilesOf(has, m.entry.Kind) {
				l.mentions = append(l.mentions, m)
				l.Entries = memory.AppendNew(l.Entries, m.entry)
			}
		case slices.ContainsFunc(m.paths, func(name string) bool { return wanted[name] || exists(name) }):
		default:
			l.mentions = append(l.mentions, m)
			l.Names = memory.AppendNew(l.Names, m.paths...)
		}
	}
	l.findElsewhere()
	l.askPatterns()
	return l
}

// find notes which of the paths the project has: as a file, a folder, the end of a path, or without the ending.
func (l *Look) find(wanted map[string]bool) {
	note := func(name string) {
		if _, is := wanted[name]; is {
			wanted[name] = true
		}
	}
	last := ""
	ends := func(name string) {
		for {
			note(name)
			_, rest, more := strings.Cut(name, "/")
			if !more {
				return
			}
			name = rest
		}
	}
	for _, file := range l.files {
		ends(file)
		if ext := path.Ext(file); ext != "" {
			ends(strings.TrimSuffix(file, ext))
		}
		if dir := path.Dir(file); dir != last {
			last = dir
			for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
				ends(dir)
			}
		}
	}
}

// findElsewhere finds the missing paths of folders that are there whose name stands once in another folder with which
// they share an element, or whose letters differ only in case.
func (l *Look) findElsewhere() {
	l.elsewhere, l.otherCase = map[string]string{}, map[string]string{}
	bases, lower, twice := map[string][]string{}, map[string]string{}, map[string]bool{}
	dirs := map[string]bool{}
	for _, file := range l.files {
		for dir := path.Dir(file); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	for _, name := range l.Names {
		lower[strings.ToLower(name)] = name
		// In a folder that the project does not have, it is a file of another project, such as one that it makes.
		if dirs[path.Dir(name)] && ending().MatchString(path.Ext(name)) {
			bases[path.Base(name)] = append(bases[path.Base(name)], name)
		}
	}
	for _, file := range l.files {
		if name := lower[strings.ToLower(file)]; name != "" {
			l.otherCase[name] = file
		}
		names := bases[path.Base(file)]
		if len(names) == 0 {
			continue
		}
		if twice[path.Base(file)] {
			for _, name := range names {
				delete(l.elsewhere, name)
			}
			continue
		}
		twice[path.Base(file)] = true
		for _, name := range names {
			if sharesFolder(name, file) {
				l.elsewhere[name] = file
			}
		}
	}
}

// sharesFolder reports whether two paths have a folder of one name.
func sharesFolder(a, b string) bool {
	in := strings.Split(path.Dir(b), "/")
	return slices.ContainsFunc(
		strings.Split(path.Dir(a), "/"),
		func(dir string) bool { return slices.Contains(in, dir) },
	)
}

// entries returns the scripts, targets and recipes of the project's files, and for each kind that has files the one
// without a name.
func (l *Look) entries(all []mention, read func(rel string) string) map[Entry]bool {
	const most = 300 // files of one kind
	has := map[Entry]bool{}
	for _, kind := range EntryKinds() {
		if !slices.ContainsFunc(all, func(m mention) bool { return m.entry.Kind == kind }) {
			continue
		}
		begin, end, names := kind.Line()
		apart := strings.NewReplacer("(", "(?:")
		line := regexp.MustCompile(
			`(?m)^` + apart.Replace(begin) + `([A-Za-z0-9][A-Za-z0-9:_.-]*)` + apart.Replace(end),
		)
		phony := regexp.MustCompile(`(?m)^\.PHONY[ \t]*:(.*)$`)
		n := 0
		for _, file := range l.files {
			isOne := func(name string) bool { is, _ := path.Match(name, path.Base(file)); return is }
			if n >= most || !slices.ContainsFunc(names, isOne) {
				continue
			}
			n++
			text := read(file)
			has[Entry{Kind: kind}] = true
			for _, m := range line.FindAllStringSubmatch(text, -1) {
				has[Entry{kind, m[1]}] = true
			}
			for _, m := range phony.FindAllStringSubmatch(text, -1) {
				for _, name := range strings.Fields(m[1]) {
					has[Entry{kind, name}] = true
				}
			}
		}
	}
	return has
}

func hasFilesOf(has map[Entry]bool, kind EntryKind) bool { return has[Entry{Kind: kind}] }

// askPatterns asks for the patterns of rules that match no file of the project.
func (l *Look) askPatterns() {
	p := l.project
	for i := range p.Agents {
		a := &p.Agents[i]
		for j := range a.List {
			s := &a.List[j]
			if len(s.Patterns) == 0 || s.Matches == nil || !p.isInside(s.Path) || s.When != memory.WithFile {
				continue
			}
			base := p.rel(s.Base)
			if filepath.IsAbs(base) {
				continue
			}
			matches := func(file string) bool {
				rel, below := file, true
				if base != "." {
					rel, below = strings.CutPrefix(file, base+"/")
				}
				return below && s.Matches(rel)
			}
			if slices.ContainsFunc(l.files, matches) {
				continue
			}
			key := base + "\x00" + strings.Join(s.Patterns, "\x00")
			l.Patterns[key] = matches
			l.waiting = append(l.waiting, waiting{a, s, []string{key}})
		}
	}
}

// Idle returns the rules whose patterns match no file that git ever had. Matched says which patterns matched one that
// is gone.
func (l *Look) Idle(matched map[string]bool) []memory.Issue {
	var all []memory.Issue
	for _, w := range l.waiting {
		if known, asked := matched[w.keys[0]]; !asked || known {
			continue
		}
		is := memory.Issue{
			Kind: memory.SilentlyUnread, Agents: []string{w.agent.Agent},
			What: fmt.Sprintf("%s does not read %s: it waits for %s, and git never had such a file", w.agent.Agent,
				l.project.rel(w.source.Path), strings.Join(w.source.Patterns, ", ")),
			Places: []memory.Spot{{File: w.source.Path}},
		}
		if t := l.project.texts[w.source.Path]; t != nil {
			is.Places[0] = t.holding(w.source.Patterns[0])
			if missing := l.project.notGiven(w.agent, w.source, t); len(missing) > 0 {
				is.What += ", so " + l.project.loses(t, missing)
			}
		}
		is.What += "."
		if is.Mend = l.otherPattern(&w); is.Mend == nil {
			is.Next = "write the pattern of files that are here, or delete the rule"
		}
		all = append(all, is)
	}
	return l.project.finish(sameForSeveral(all))
}

// otherPattern returns the change of a rule's pattern after which it matches files: another case of a folder's name,
// or where the folder is now. It is nil unless there is exactly one.
func (l *Look) otherPattern(w *waiting) (mend *memory.Mend) {
	t, base := l.project.texts[w.source.Path], l.project.rel(w.source.Base)
	if t == nil {
		return nil
	}
	for _, pattern := range w.source.Patterns {
		begin := literalBeginning(pattern)
		spot := t.holding(pattern)
		if begin == "" || spot.Line == 0 || strings.Count(t.string, pattern) != 1 {
			continue
		}
		tried := map[string]bool{begin: true}
		for _, file := range l.files {
			rel, below := file, true
			if base != "." {
				rel, below = strings.CutPrefix(file, base+"/")
			}
			for at := rel; below && at != "."; at = path.Dir(at) {
				isNew := !tried[at] && strings.EqualFold(path.Base(at), path.Base(begin))
				if !isNew || !w.source.Matches(begin+strings.TrimPrefix(rel, at)) {
					continue
				}
				if mend != nil {
					return nil
				}
				tried[at] = true
				changed, rule := at+strings.TrimPrefix(pattern, begin), l.project.rel(w.source.Path)
				mend = &memory.Mend{
					What: fmt.Sprintf("Write %s in the place of %s in %s", changed, pattern, rule),
					File: w.source.Path, Line: spot.Line, Old: pattern, New: changed,
				}
			}
		}
	}
	return mend
}

// literalBeginning returns the folders, or the whole path, with which a pattern begins before its first wildcard. It is
// empty for a pattern that begins in a way of its own.
func literalBeginning(pattern string) string {
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "./") {
		return ""
	}
	wild := strings.IndexAny(pattern, "*?[{!\\")
	if wild < 0 {
		return strings.TrimSuffix(pattern, "/")
	}
	folders := strings.LastIndexByte(pattern[:wild], '/')
	return pattern[:max(folders, 0)]
}

// Evidence is what git says.
type Evidence struct {
	Fates   map[string]Fate // by path
	Removed map[string]Fate // by [Entry.Key]
	Ignored map[string]bool // by path
}

// gone is a mention with what became of it.
type gone struct {
	mention
	path string
	fate Fate
	how  string // "moved", "deleted", "elsewhere", "case", "removed"
}

// Gone returns what is named and gone, as git says. What one commit moved is one issue.
func (l *Look) Gone(e Evidence) []memory.Issue {
	groups := map[string][]gone{}
	var order []string
	for _, m := range l.mentions {
		g, ok := l.fateOf(&m, &e)
		if !ok {
			continue
		}
		key := g.groupKey()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], g)
	}
	var all []memory.Issue
	for _, key := range order {
		all = append(all, l.issue(groups[key]))
	}
	return l.project.finish(all[:min(len(all), mostIssues)])
}

// fateOf returns what became of a mention; false without evidence.
func (l *Look) fateOf(m *mention, e *Evidence) (g gone, ok bool) {
	g.mention = *m
	if m.entry != (Entry{}) {
		f, asked := e.Removed[m.entry.Key()]
		g.fate, g.how = f, "removed"
		return g, asked && f.Commit != ""
	}
	for _, name := range m.paths {
		if e.Ignored[name] {
			return g, false
		}
	}
	for _, name := range m.paths {
		if to := l.otherCase[name]; to != "" {
			g.path, g.how, g.fate.To = name, "case", to
			return g, true
		}
		if f := e.Fates[name]; f.Commit != "" {
			g.path, g.fate, g.how = name, f, "deleted"
			if f.To != "" {
				g.how = "moved"
			} else if to := l.elsewhere[name]; to != "" {
				g.fate.To, g.how = to, "moved"
			}
			return g, g.how == "moved" || !isLayer(m.as)
		}
	}
	for _, name := range m.paths {
		if to := l.elsewhere[name]; to != "" {
			g.path, g.how, g.fate.To = name, "elsewhere", to
			return g, true
		}
	}
	return g, false
}

// isLayer reports whether a name is one word for a folder, such as `domain/`: text on the layers of a program means
// a folder of each module by it, and the root's of that name tells nothing.
func isLayer(name string) bool {
	word, is := strings.CutSuffix(strings.TrimPrefix(name, "./"), "/")
	return is && !strings.Contains(word, "/")
}

// groupKey is the same for what one commit moved or deleted together, and for one name.
func (g *gone) groupKey() string {
	if g.how == "moved" {
		from, to := apart(g.path, g.fate.To)
		return g.fate.Commit + "\x00" + from + "\x00" + to
	}
	return g.how + "\x00" + g.path + "\x00" + g.entry.Key()
}

// apart returns two paths without the elements at their end that are the same.
func apart(from, to string) (a, b string) {
	a, b = from, to
	for a != "." && b != "." && path.Base(a) == path.Base(b) {
		a, b = path.Dir(a), path.Dir(b)
	}
	return a, b
}

// issue returns what became of the names of one group.
func (l *Look) issue(all []gone) memory.Issue {
	const shown = 10
	p, first := l.project, &all[0]
	is := memory.Issue{Kind: memory.NoLongerTrue, Commit: first.fate.Commit, At: first.fate.At}
	for i := range all {
		g := &all[i]
		is.Agents = memory.AppendNew(is.Agents, p.readers(g.text.path)...)
		spot := g.text.at(g.line)
		if g.text.statements[g.line].Text != "" {
			spot.Line = lineOf(g.text, spot.Line, g.as)
		}
		if len(is.Places) < shown {
			is.Places = append(is.Places, spot)
		}
		if now := g.replacement(); now != "" && (is.Mend == nil || is.Mend.File == spot.File) {
			m := memory.Mend{
				What: fmt.Sprintf(
					"Write %s in place of %s",
					now,
					g.as,
				), File: spot.File, Line: spot.Line, Old: g.as, New: now,
			}
			if is.Mend == nil {
				is.Mend = &m
			} else {
				is.Mend.Also = append(is.Mend.Also, m)
			}
		}
	}
	is.More = len(all) - len(is.Places)
	is.Slots = [2]string{first.asRun(), first.fate.To}
	where := fmt.Sprintf("%s:%d", p.rel(is.Places[0].File), is.Places[0].Line)
	is.What = first.sentence(len(all), where, first.since())
	return is
}

// sentence says what became of a name that stands in n places: first where, and since when.
func (g *gone) sentence(n int, where, when string) (what string) {
	switch g.how {
	case "moved":
		return g.moved(n, where, when)
	case "deleted":
		what = fmt.Sprintf("%s names %s, which is gone: deleted%s.", where, g.as, when)
	case "elsewhere":
		what = fmt.Sprintf("%s names %s, which is not there: that name stands at %s.", where, g.as, g.fate.To)
	case "case":
		what = fmt.Sprintf("%s names %s, which is written %s.", where, g.as, g.fate.To)
	case "removed":
		noun := map[EntryKind]string{
			script: "package.json has no script",
			target: "no makefile has the target",
			recipe: "no justfile has the recipe",
		}[g.entry.Kind]
		what = fmt.Sprintf("%s runs %s, and %s: removed%s.", where, g.as, noun, when)
	}
	if n > 1 {
		what = strings.TrimSuffix(what, ".") + fmt.Sprintf(" (%d places).", n)
	}
	return what
}

// moved is sentence for what moved.
func (g *gone) moved(n int, where, when string) string {
	switch {
	case n > 1:
		from, to := apart(g.path, g.fate.To)
		return fmt.Sprintf("%d places name what moved from %s to %s%s; the first is %s.",
			n, shownFolder(from), shownFolder(to), when, where)
	case g.fate.Commit == "":
		return fmt.Sprintf("%s names %s, which is now %s.", where, g.as, g.fate.To)
	}
	return fmt.Sprintf("%s names %s, which is now %s: moved%s.", where, g.as, g.fate.To, when)
}

// asRun returns the name as a person runs or reads it: a target of make is "make seed".
func (g *gone) asRun() string {
	runner := map[EntryKind]string{script: "npm run ", target: "make ", recipe: "just "}[g.entry.Kind]
	return runner + strings.TrimPrefix(g.as, runner)
}

func shownFolder(dir string) string { return cmp.Or(strings.TrimPrefix(dir, "."), "the root") }

// replacement returns what to write for a name that stands elsewhere now, or "".
func (g *gone) replacement() string {
	if g.fate.To == "" || g.entry != (Entry{}) {
		return ""
	}
	written, trailing := position().ReplaceAllString(g.as, ""), ""
	if strings.HasSuffix(written, "/") {
		trailing = "/"
	}
	to := g.fate.To
	if strings.Trim(strings.TrimPrefix(written, "./"), "/") != g.path { // it is written from the folder of its file
		dir := strings.TrimSuffix(g.path, strings.Trim(strings.TrimPrefix(written, "./"), "/"))
		rel, below := strings.CutPrefix(to, dir)
		if !below || dir == "" {
			return ""
		}
		to = rel
	}
	if strings.HasPrefix(written, "./") {
		to = "./" + to
	}
	return to + trailing + strings.TrimPrefix(g.as, written)
}

// lineOf returns the line from a statement's first on that holds a name.
func lineOf(t *text, from int, name string) int {
	n := 0
	for line := range strings.Lines(t.string) {
		if n++; n >= from && strings.Contains(line, name) {
			return n
		}
	}
	return from
}
