package problems

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
)

// Unread returns what was written for agents and is silently left out by them, except for rules whose patterns
// match nothing; see [Project.Idle].
func (p *Project) Unread() []memory.Issue {
	var all []memory.Issue
	for i := range p.Agents {
		a := &p.Agents[i]
		for j := range a.List {
			switch s := &a.List[j]; {
			case s.Loss != "":
				all = append(all, p.lost(a, s)...)
			case s.Problem != nil && s.When == memory.Never:
				all = append(all, p.unreadable(a, s))
			}
		}
		for _, u := range a.Unfollowed {
			if p.texts[u.From] != nil { // in what is no text, an @ is no import
				all = append(all, p.unfollowed(a, &u))
			}
		}
	}
	return p.finish(sameForSeveral(all))
}

// sameForSeveral joins the issues that several agents have in the same words.
func sameForSeveral(all []memory.Issue) (out []memory.Issue) {
	for _, is := range all {
		at := slices.IndexFunc(out, func(o memory.Issue) bool {
			return slices.Equal(o.Places, is.Places) &&
				strings.Replace(o.What, o.Agents[0], "", 1) == strings.Replace(is.What, is.Agents[0], "", 1)
		})
		if at < 0 {
			out = append(out, is)
			continue
		}
		out[at].Agents = memory.AppendNew(out[at].Agents, is.Agents...)
	}
	for i := range out {
		if names := out[i].Agents; len(names) > 1 {
			out[i].What = strings.Replace(out[i].What, names[0]+" does", listed(names)+" do", 1)
		}
	}
	return out
}

// listed returns names as in a sentence: "Codex, Crush and 3 more".
func listed(names []string) string {
	const most = 3
	switch n := len(names); {
	case n == 1:
		return names[0]
	case n <= most:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	default:
		return strings.Join(names[:most-1], ", ") + fmt.Sprintf(" and %d more agents", n-most+1)
	}
}

// lost returns the issue of a source that its agent leaves out in whole or in part; none if the agent is given all
// of its statements elsewhere.
func (p *Project) lost(a *memory.AgentSources, s *memory.Source) []memory.Issue {
	is := memory.Issue{Kind: memory.SilentlyUnread, Agents: []string{a.Agent}, Places: []memory.Spot{{File: s.Path}}}
	t := p.texts[s.Path]
	missing := p.notGiven(a, s, t)
	if t != nil && len(missing) == 0 {
		return nil
	}
	if len(missing) > 0 {
		is.Places[0] = t.at(missing[0])
	}
	name, loses := p.rel(s.Path), p.loses(t, missing)
	switch s.Loss {
	case memory.LossBeside:
		p.beside(a, s, &is, loses)
	case memory.LossCut:
		if s.Sent > 0 {
			is.What = fmt.Sprintf(
				"%s does not get all of %s: it is cut after %d of its %d bytes, and %s.",
				a.Agent,
				name,
				s.Sent,
				s.Bytes,
				loses,
			)
		} else {
			is.What = fmt.Sprintf("%s does not get %s: %s", a.Agent, name, s.Why)
			if len(missing) > 0 {
				is.What = fmt.Sprintf("%s does not get %s, so %s. %s", a.Agent, name, loses, s.Why)
			}
		}
		is.Next = s.Hint
	case memory.LossLink:
		is.What = fmt.Sprintf("%s does not follow the link %s: %s.", a.Agent, name, loses)
		is.Next = "put the file itself in the place of the link"
		is.Places[0] = memory.Spot{File: s.Path}
	case memory.LossImport:
		is.What = fmt.Sprintf("%s does not follow the import of %s: %s. %s", a.Agent, name, loses, s.Why)
		is.Outside = !p.isInside(s.Path)
		is.Next = "move what it says into a file that " + a.Agent + " reads"
		if by := p.texts[s.By]; by != nil {
			is.Places[0] = by.holding(filepath.Base(s.Path))
		}
	}
	return []memory.Issue{is}
}

// unreadable returns the issue of a source that nobody can read, such as a pipe in its place.
func (p *Project) unreadable(a *memory.AgentSources, s *memory.Source) memory.Issue {
	return memory.Issue{
		Kind: memory.SilentlyUnread, Agents: []string{a.Agent}, Places: []memory.Spot{{File: s.Path}},
		What:    fmt.Sprintf("%s does not read %s: %s", a.Agent, p.rel(s.Path), s.Problem.What),
		Next:    s.Problem.Hint,
		Outside: !p.isInside(s.Path),
	}
}

// beside completes the issue of a file beside which another one is read: an import in that one mends it.
func (p *Project) beside(a *memory.AgentSources, s *memory.Source, is *memory.Issue, loses string) {
	name := p.rel(s.Path)
	by := p.readBeside(a, s.Path)
	if by == nil {
		is.What = fmt.Sprintf("%s does not read %s, since it reads files of its own here: %s.", a.Agent, name, loses)
		is.Next = "move what it says into a file that " + a.Agent + " reads"
		return
	}
	rel, err := filepath.Rel(filepath.Dir(by.Path), s.Path)
	if err != nil {
		return
	}
	rel = filepath.ToSlash(rel)
	is.What = fmt.Sprintf("%s does not read %s, since it reads %s instead: %s.", a.Agent, name, p.rel(by.Path), loses)
	if t := p.texts[by.Path]; t != nil {
		if named := t.holding(rel); named.Line > 0 && isNamed(named.Text, rel) {
			is.Places = append(is.Places, named)
			is.What = fmt.Sprintf("%s does not read %s: %s names it in line %d without importing it, and %s.",
				a.Agent, name, p.rel(by.Path), named.Line, loses)
		}
	}
	if folderOf(by.Path) == folderOf(s.Path) { // what is below would be read by sessions that do not work there
		is.Mend = &memory.Mend{What: "Import " + name + " in " + p.rel(by.Path), File: by.Path, New: "@" + rel}
	}
}

// AwaitDecision takes back each change that would import a file into one that it contradicts: its agent would be told
// both. The person decides what holds first.
func (p *Project) AwaitDecision(unread, differences []memory.Issue) {
	for i := range unread {
		is := &unread[i]
		if is.Mend == nil || !strings.HasPrefix(is.Mend.New, "@") {
			continue
		}
		n := 0
		for j := range differences {
			files := differences[j].Places
			both := files[0].File == is.Places[0].File && files[1].File == is.Mend.File
			reverse := files[1].File == is.Places[0].File && files[0].File == is.Mend.File
			if both || reverse {
				n++
			}
		}
		if n > 0 {
			is.Next = fmt.Sprintf("decide what holds where they differ, %s, and then import %s in %s",
				memory.Counted(n, "statement"), p.rel(is.Places[0].File), p.rel(is.Mend.File))
			is.Mend = nil
		}
	}
}

// isNamed reports whether a line names a file by that path and not by the end of a longer one.
func isNamed(line, rel string) bool {
	before, _, _ := strings.Cut(line, rel)
	return !strings.HasSuffix(before, "/") || strings.HasSuffix(before, "./")
}

// readBeside returns the instructions that an agent reads at the start in the folder of a file, or else those of the
// nearest folder above, or nil.
func (p *Project) readBeside(a *memory.AgentSources, path string) (best *memory.Source) {
	for i := range a.List {
		s := &a.List[i]
		dir := folderOf(s.Path)
		if s.Kind != memory.SourceInstructions || s.When == memory.Never || !p.isInside(s.Path) {
			continue
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if best == nil || len(dir) > len(folderOf(best.Path)) {
			best = s
		}
	}
	return best
}

// folderOf returns the folder that a file is about: that around a folder of a tool such as .claude.
func folderOf(file string) string {
	dir := filepath.Dir(file)
	if strings.HasPrefix(filepath.Base(dir), ".") {
		return filepath.Dir(dir)
	}
	return dir
}

// notGiven returns the indexes of the statements of a file that its agent is not given in another one.
func (p *Project) notGiven(a *memory.AgentSources, s *memory.Source, t *text) (missing []int) {
	if t == nil {
		return nil
	}
	given := map[string]bool{}
	for i := range a.List {
		if o := &a.List[i]; o.When != memory.Never && o.Path != s.Path && p.texts[o.Path] != nil {
			for key := range p.said(p.texts[o.Path]).Keys() {
				given[key] = true
			}
		}
	}
	from := 0
	if s.Sent > 0 {
		from = 1 + strings.Count(t.string[:min(int(s.Sent), len(t.string))], "\n")
	}
	for i := range t.statements {
		key, _ := p.said(t).Key(i)
		if t.statements[i].Line >= from && !given[key] {
			missing = append(missing, i)
		}
	}
	return missing
}

// loses says which words an agent does not get.
func (p *Project) loses(t *text, missing []int) string {
	if len(missing) == 0 {
		return "it is not told what is in there"
	}
	first := excerpt(t.statements[missing[0]].Text)
	if len(missing) == 1 {
		return "it is not told “" + first + "”"
	}
	more := fmt.Sprint(len(missing) - 1)
	if len(t.statements) >= compare.MostStatements {
		more = "at least " + more // what follows was not read
	}
	return fmt.Sprintf("it is not told “%s” and %s more", first, more)
}

// excerpt returns the beginning of a statement.
func excerpt(s string) string {
	const most = 60
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "…"
}

// unfollowed returns the issue of an import that leads nowhere.
func (p *Project) unfollowed(a *memory.AgentSources, u *memory.Unfollowed) memory.Issue {
	is := memory.Issue{
		Kind: memory.SilentlyUnread, Agents: []string{a.Agent},
		What: fmt.Sprintf("%s does not follow the import of %s in %s. %s", a.Agent, u.Written, p.rel(u.From), u.Why),
	}
	t := p.texts[u.From]
	// What one's own folders or another project have is no fault of the project: elsewhere it is another file.
	is.Outside = !p.isInside(u.To)
	spots, mends := t.backquoting(u.Written)
	if len(mends) == 0 {
		is.Places = []memory.Spot{t.holding("@" + u.Written)}
		return is
	}
	is.Places = spots[:1]
	is.Mend = &mends[0]
	is.Mend.Also = mends[1:]
	is.Mend.What = fmt.Sprintf(
		"Put %s in backquotes in %s, so that it is a name and no import", u.Written, p.rel(u.From),
	)
	return is
}

// backquoting returns the lines of a text that import a file outside of code, and for each the change that makes the
// name of the file a word in code.
func (t *text) backquoting(file string) (spots []memory.Spot, mends []memory.Mend) {
	n, fenced := 0, false
	for line := range strings.Lines(t.string) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if bare := strings.TrimLeft(line, " \t"); strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		if was, now := backquoted(line, "@"+file); was != now {
			spots = append(spots, memory.Spot{File: t.path, Line: n, Text: strings.TrimSpace(line)})
			mends = append(mends, memory.Mend{File: t.path, Line: n, Old: was, New: now})
		}
	}
	return spots, mends
}

// backquoted returns the part of a line with all imports of a file outside of code, and what it becomes when the
// name stands in backquotes instead. The part is not found earlier in the line. Both are "" without an import.
func backquoted(line, imported string) (was, now string) {
	if !strings.Contains(line, imported) {
		return "", ""
	}
	from, to := -1, 0
	var b strings.Builder // what becomes of the line up to to
	for i := 0; i < len(line); {
		end := i + len(imported)
		switch ticks := len(line[i:]) - len(strings.TrimLeft(line[i:], "`")); {
		case ticks > 0:
			i += ticks
			if n := strings.Index(line[i:], line[i-ticks:i]); n >= 0 {
				i += n + ticks
			}
		case strings.HasPrefix(line[i:], imported) && endsAt(line[:i], line[end:]):
			if from < 0 {
				from = i
			}
			b.WriteString(line[to:i] + "`" + imported[1:] + "`")
			i, to = end, end
		default:
			i++
		}
	}
	if from < 0 {
		return "", ""
	}
	now = b.String()
	if strings.Index(line, line[from:to]) < from {
		from = 0
	}
	return line[from:to], now[from:]
}

// endsAt reports whether a word between two texts is a word of its own, for those who read imports.
func endsAt(before, after string) bool {
	return (before == "" || strings.ContainsAny(before[len(before)-1:], " \t*_~")) &&
		(after == "" || strings.ContainsAny(after[:1], " \t*~#"))
}
