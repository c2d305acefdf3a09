// Package home says what each agent reads in a folder and what is wrong with it, and plans what mends that.
package home

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/charset"
	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/problems"
	"winnow/core/quietread"
	"winnow/core/sessions"
	"winnow/core/system"
)

// mostOfSources is how many bytes of all files Home reads.
const mostOfSources = 32 << 20

// Reader reads what agents read, beside the stores of a library.
type Reader struct {
	lib      *library.Library
	sessions *sessions.Reader
	env      system.Env
	now      func() time.Time
}

// New returns a Reader of what agents read on the machine of a library.
func New(lib *library.Library) *Reader {
	m := lib.Machine()
	return &Reader{lib: lib, sessions: m.Sessions, env: m.Env, now: m.Now}
}

// Home says what each agent reads in a folder, and what is wrong with it. It changes nothing but what it remembers of
// git's history. It calls tell, which may be nil, with the answer after each stage but the last. The error is that of
// ctx.
func (h *Reader) Home(ctx context.Context, o memory.HomeOrder, tell func(memory.Home)) (memory.Home, error) {
	r := homeReading{home: h}
	r.Folder = h.env.Dir
	if o.Folder != "" {
		r.Folder = h.lib.Absolute(o.Folder)
	}
	r.Folder = system.Resolved(r.Folder)
	r.Person = system.Resolved(h.env.Home)
	root := git.Root(r.Folder)
	r.Home.Project = cmp.Or(root, r.Folder)
	r.readAgents(ctx, !o.Near)
	r.Outside = root == "" && (r.Folder == r.Person || !r.readsInside())
	stages := []func(context.Context){r.compare, r.askHistory}
	if o.Agents {
		stages = nil
	}
	for _, next := range stages {
		if ctx.Err() != nil {
			break
		}
		if tell != nil {
			tell(r.answer(ctx))
		}
		next(ctx)
	}
	if o.Failing && r.Project == sessions.ProjectRoot(h.env.Dir) {
		r.Failing = h.sessions.KnownFailures(ctx, r.Project)
	}
	return r.answer(ctx), ctx.Err()
}

// homeReading is one answer of [Reader.Home] while it is made.
type homeReading struct {
	home *Reader
	memory.Home
	project *problems.Project
	texts   map[string]string
	left    int64 // bytes that may still be read
}

// readAgents reads what each agent reads, with below also in the folders below, and finds what is silently left out.
func (h *homeReading) readAgents(ctx context.Context, below bool) {
	h.Stage, h.Doing = memory.HomeAgents, "Comparing what the agents read."
	h.texts, h.left = map[string]string{}, mostOfSources
	ctx = system.Remember(ctx) // what agents read and where their stores are is asked of the same folders
	found := h.home.lib.Sources(ctx, h.Folder, below)
	for i := range found {
		for j := range found[i].List {
			h.readText(&found[i].List[j])
		}
	}
	h.project = problems.New(h.Home.Project, found, h.texts)
	stores := h.storesHere(ctx)
	for i := range found {
		h.Agents = append(h.Agents, h.agent(&found[i], stores))
		if gap := found[i].Gap; gap != "" {
			h.NotLooked = memory.AppendNew(h.NotLooked, "Not searched: "+gap+".")
		}
	}
	slices.SortStableFunc(h.Agents, func(a, b memory.HomeAgent) int { return order(&a) - order(&b) })
	files := map[string]bool{}
	for i := range h.Agents {
		h.Notes += h.Agents[i].Notes
		for _, s := range h.Agents[i].Sources {
			if isInstruction(s.Kind) && s.When != memory.Never {
				files[s.Path] = true
			}
		}
	}
	h.Files = len(files)
	h.Issues = h.project.Unread()
}

// readsInside reports whether an agent reads a file of the project.
func (h *homeReading) readsInside() bool {
	return slices.ContainsFunc(h.Agents, func(a memory.HomeAgent) bool {
		return slices.ContainsFunc(a.Sources, func(s memory.HomeSource) bool {
			return s.Inside && s.When != memory.Never
		})
	})
}

// order is the place of an agent among others: first those that are told something at the start, then those that
// recall, those that nobody uses here, and those that read nothing.
func order(a *memory.HomeAgent) int {
	switch {
	case !a.Reads() && a.Stop == nil:
		return 3
	case a.Unused:
		return 2
	case a.OnRecall:
		return 1
	}
	return 0
}

func isInstruction(k memory.SourceKind) bool {
	return k == memory.SourceInstructions || k == memory.SourceImport || k == memory.SourceRule
}

// readText reads the text of a source, unless it is no text that a model is given.
func (h *homeReading) readText(s *memory.Source) {
	_, known := h.texts[s.Path]
	isText := isInstruction(s.Kind) || s.Kind == memory.SourceMemoryIndex || s.Kind == memory.SourceMemoryTopic
	if known || !isText || s.Problem != nil || s.Encoding == "binary" {
		return
	}
	if h.left <= 0 {
		h.NotLooked = memory.AppendNew(
			h.NotLooked,
			fmt.Sprintf("Not read: texts past the first %d MiB.", mostOfSources>>20),
		)
		return
	}
	data, cut, err := quietread.ReadFile(s.Path, min(library.MostOfSource, h.left))
	if err != nil {
		why := quietread.Problem(err).What
		h.NotLooked = memory.AppendNew(h.NotLooked, fmt.Sprintf("Not read: %s: %s", h.home.lib.Short(s.Path), why))
		return
	}
	if cut {
		h.NotLooked = memory.AppendNew(h.NotLooked,
			fmt.Sprintf("Not read: %s past its first %d bytes.", h.home.lib.Short(s.Path), len(data)))
	}
	h.left -= int64(len(data))
	text := charset.Decode(string(data))
	h.texts[s.Path] = text.String
}

// storesHere returns the counts and the health of the stores that sessions in the folder use, by their paths.
func (h *homeReading) storesHere(ctx context.Context) map[string]memory.Snapshot {
	env := h.home.env
	env.Dir, env.Here = h.Folder, true
	all := map[string]memory.Snapshot{}
	for _, p := range h.home.lib.FindOn(ctx, env).Places {
		if !p.Exists || !library.UsedIn(h.Folder, &p) {
			continue
		}
		if snap, err := h.home.lib.Summary(ctx, p.Store); err == nil {
			snap.Place = p
			all[string(p.Store)] = snap
		}
	}
	return all
}

// agent returns what one agent reads.
func (h *homeReading) agent(a *memory.AgentSources, stores map[string]memory.Snapshot) memory.HomeAgent {
	out := memory.HomeAgent{System: a.System, Agent: a.Agent, Gap: a.Gap, Note: a.Note, Stop: a.Stop, Unused: a.Unused}
	files, secrets, lessons := map[string]bool{}, 0, false
	for _, s := range a.List {
		src := h.source(s)
		secrets += src.Secrets
		out.Start = added(out.Start, src.Start)
		switch {
		case s.When == memory.Never:
		case isInstruction(s.Kind):
			files[s.Path] = true
		case s.Kind == memory.SourceMemoryTopic:
			out.Notes++
			h.noteTime(&out, s.Path)
		case s.Kind == memory.SourceLessons:
			lessons = true
		}
		out.Sources = append(out.Sources, src)
	}
	out.Files = len(files)
	if secrets > 0 {
		out.Problems = append(
			out.Problems,
			memory.HomeWords{Level: memory.Stop, Text: memory.Counted(secrets, "secret")},
		)
	}
	for _, key := range slices.Sorted(maps.Keys(stores)) {
		snap := stores[key]
		if snap.Place.System != a.System || !readsStore(a, &snap) {
			continue
		}
		if lessons {
			out.Notes += snap.Loaded()
			out.Start = added(out.Start, snap.Start)
			noteStart(out.Sources, &snap)
		}
		for _, x := range snap.Health {
			if x.Level >= memory.Warn {
				words := memory.HomeWords{Level: x.Level, Text: h.inShort(x.What), Short: inFewWords(&x)}
				out.Problems = append(out.Problems, words)
			}
			h.Home.Moved = h.Home.Moved || x.Code == memory.CodeMoved
		}
	}
	out.OnRecall = lessons && out.Start.Bytes == 0
	slices.SortStableFunc(out.Problems, func(a, b memory.HomeWords) int { return cmp.Compare(b.Level, a.Level) })
	return out
}

// noteStart notes of the source that is a store what the store adds to every session.
func noteStart(sources []memory.HomeSource, snap *memory.Snapshot) {
	for i := range sources {
		if sources[i].Path == snap.Place.Store.Path() {
			sources[i].Start = snap.Start
		}
	}
}

// source returns what is known of a source: the secrets in it, and its size if every session starts with it.
func (h *homeReading) source(s memory.Source) memory.HomeSource {
	src := memory.HomeSource{Source: s, Inside: system.Inside(h.Home.Project, s.Path)}
	text, read := h.texts[s.Path]
	if !read || s.When == memory.Never {
		return src
	}
	src.Secrets = len(detect.Secrets(text))
	if s.When != memory.AtStart {
		return src
	}
	if s.Sent > 0 && s.Sent < int64(len(text)) {
		text = strings.ToValidUTF8(text[:s.Sent], "")
	}
	src.Start = annotate.SizeOf(text)
	return src
}

// inShort returns a sentence for a row of a table: without its full stop, with paths from the folder.
func (h *homeReading) inShort(sentence string) string {
	folder := strings.TrimSuffix(h.Folder, string(filepath.Separator)) + string(filepath.Separator)
	return strings.ReplaceAll(strings.TrimSuffix(sentence, "."), folder, "")
}

// inFewWords returns what a finding about a store is, for a column: "2 not indexed".
func inFewWords(x *memory.Health) string {
	words := strings.ReplaceAll(x.Code, "-", " ")
	switch {
	case x.Code == "dangling": // lines of an index that lead nowhere
		return fmt.Sprintf("%d lost", x.Count)
	case x.Count > 1:
		return fmt.Sprintf("%d %s", x.Count, words)
	}
	return words
}

// readsStore reports whether a store is one of what an agent reads, or holds it.
func readsStore(a *memory.AgentSources, snap *memory.Snapshot) bool {
	path := snap.Place.Store.Path()
	return slices.ContainsFunc(a.List, func(s memory.Source) bool {
		return s.Path == path || system.Inside(path, s.Path)
	})
}

func added(a, b memory.Size) memory.Size {
	a.Bytes += b.Bytes
	a.TokensLow += b.TokensLow
	a.TokensHigh += b.TokensHigh
	return a
}

// noteTime notes when the newest of an agent's memories was written.
func (h *homeReading) noteTime(a *memory.HomeAgent, path string) {
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().After(a.LastNote.Time) {
		return
	}
	at := info.ModTime()
	a.LastNote = memory.Moment{Text: at.UTC().Format("2006-01-02T15:04:05Z"), Time: at}
}

// compare finds how the texts differ.
func (h *homeReading) compare(context.Context) {
	h.Stage, h.Doing = memory.HomeTexts, "Asking git for what was moved and deleted."
	differences := h.project.Differences()
	h.project.AwaitDecision(h.Issues, differences)
	h.Issues = slices.Concat(h.Issues, differences, h.project.OnlyOneTold(differences))
	if gap := h.project.Gap; gap != "" {
		h.NotLooked = append(h.NotLooked, gap)
	}
	h.Same = slices.DeleteFunc(h.project.SameTwice(), func(s memory.SharedText) bool {
		return system.Resolved(s.A) == system.Resolved(s.B)
	})
}

// askHistory finds the names of what is gone.
func (h *homeReading) askHistory(ctx context.Context) {
	h.Stage, h.Doing = memory.HomeHistory, ""
	root := h.Home.Project
	notLooked := func(why string) {
		h.NotLooked = append(h.NotLooked, "What is no longer true was not looked at: "+why+".")
	}
	look, known, err := h.home.lib.LookAtHistory(ctx, root, h.project, nil)
	if err != nil {
		notLooked(err.Error())
		return
	}
	gone := look.Gone(problems.Evidence{Fates: known.Fates, Removed: known.Removed, Ignored: known.Ignored})
	h.noteGone(ctx, gone)
	h.Issues = slices.Concat(h.Issues, look.Idle(known.Matched), gone)
	order := memory.IssueKinds()
	slices.SortStableFunc(h.Issues, func(a, b memory.Issue) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
}

// noteGone notes the files that name what is gone.
func (h *homeReading) noteGone(ctx context.Context, issues []memory.Issue) {
	var files []string
	for i := range issues {
		for _, s := range issues[i].Places {
			files = memory.AppendNew(files, s.File)
		}
	}
	h.home.lib.NoteFilesGone(ctx, h.Home.Project, files)
}

// answer returns what is known, with what a person said is meant so, and without secrets in its texts.
func (h *homeReading) answer(ctx context.Context) memory.Home {
	out := h.Home
	kept, _ := h.home.lib.Ignored(ctx) // if they cannot be read, every issue counts
	ignored := map[string]memory.Ignore{}
	for _, i := range kept {
		if i.Until.IsZero() || h.home.now().Before(i.Until) {
			ignored[i.Fingerprint] = i
		}
	}
	out.Agents, out.Issues = slices.Clone(h.Agents), slices.Clone(h.Issues)
	for i := range out.Issues {
		is := &out.Issues[i]
		if decision, meant := ignored[is.Fingerprint]; meant {
			is.Ignored = &decision
		}
		is.Places = slices.Clone(is.Places)
		texts := []*string{&is.What, &is.Next, &is.Slots[0], &is.Slots[1]}
		for j := range is.Places {
			texts = append(texts, &is.Places[j].Text)
		}
		library.Mask(texts...)
	}
	for i := range out.Agents {
		a := &out.Agents[i]
		a.Sources = slices.Clone(a.Sources)
		for j := range a.Sources {
			a.Sources[j].Issues = openIn(out.Issues, a.Sources[j].Path)
		}
	}
	out.SumUnread()
	return out
}

// openIn counts the open issues with a place in a file.
func openIn(issues []memory.Issue, path string) (n int) {
	for i := range issues {
		if issues[i].Open() &&
			slices.ContainsFunc(issues[i].Places, func(s memory.Spot) bool { return s.File == path }) {
			n++
		}
	}
	return n
}

// MeantSo keeps issues as what a person said is meant so, as [library.Library.Ignore] keeps findings.
func (h *Reader) MeantSo(ctx context.Context, issues []memory.Issue, reason string) error {
	var add []memory.Ignore
	for i := range issues {
		add = append(add, memory.Ignore{
			Fingerprint: issues[i].Fingerprint,
			Rule:        string(issues[i].Kind),
			Reason:      cmp.Or(reason, "meant so"),
			Added:       h.now(),
		})
	}
	return h.lib.Ignore(ctx, add, nil)
}

// PlanMend returns the plan that mends an issue, in the store that has the file as a record. Apply makes it, and the
// history of that store undoes it. The error is a *memory.Problem if no store may change the file, or if the line
// is another one by now.
func (h *Reader) PlanMend(ctx context.Context, m memory.Mend) (memory.Plan, error) {
	for _, p := range h.lib.MendingStores(ctx, m.File) {
		r, err := h.lib.FindRecord(ctx, p.Store, func(r *memory.Record) bool {
			return r.File == m.File || system.Resolved(r.File) == m.File
		})
		if err != nil || r.Fixed != "" {
			continue
		}
		if !charset.IsPlain(r.Raw) || r.RawCut() {
			return memory.Plan{}, &memory.Problem{
				Code: "not-utf8", What: "mend " + h.lib.Short(m.File) + ": the file is not UTF-8, or too large",
				Hint: "change it in an editor",
			}
		}
		text, ok := mended(r.Raw, &m)
		if !ok {
			return memory.Plan{}, &memory.Problem{
				Code: "changed", Hint: "look again",
				What: fmt.Sprintf("mend %s: line %d is another one by now", h.lib.Short(m.File), m.Line),
			}
		}
		text += "\n" // the plan removes one newline, as from an editor
		return h.lib.Plan(ctx, p.Store, memory.Order{
			Do: memory.EditOne, IDs: []memory.ID{r.ID}, Base: []string{r.Raw}, Edit: memory.Edit{Raw: &text},
		})
	}
	return memory.Plan{}, &memory.Problem{
		Code: "no-store", Hint: "change it in an editor",
		What: "mend " + h.lib.Short(m.File) + ": no store here has this file as a record that can be changed",
	}
}

// mended returns a text with a mend made. It returns false if the line does not hold what is to be replaced.
func mended(text string, m *memory.Mend) (string, bool) {
	for i := range m.Also {
		var ok bool
		if text, ok = mended(text, &m.Also[i]); !ok {
			return "", false
		}
	}
	lines := strings.SplitAfter(text, "\n")
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	switch {
	case m.Old == "" && (m.Line == 0 || m.Line > len(lines)):
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += end
		}
		return text + m.New + end, true
	case m.Old == "":
		lines[m.Line-1] = m.New + end + lines[m.Line-1]
	case m.All:
		if !strings.Contains(text, m.Old) {
			return "", false
		}
		return strings.ReplaceAll(text, m.Old, m.New), true
	case m.Line < 1 || m.Line > len(lines) || !strings.Contains(lines[m.Line-1], m.Old):
		return "", false
	default:
		lines[m.Line-1] = strings.Replace(lines[m.Line-1], m.Old, m.New, 1)
	}
	return strings.Join(lines, ""), true
}
