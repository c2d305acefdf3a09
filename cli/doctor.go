package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/detect"
	"winnow/core/memory"
)

// checking is one call of doctor, with its flags.
type checking struct {
	*program
	home, sarif, mend, yes, dryRun bool
}

func (p *program) doctor() command {
	f := checking{program: p}
	return command{
		paged: true,
		use:   "doctor [FOLDER]",
		short: "Check what agents read here, and say what to do about each problem",
		long: `Says what is wrong with what the agents read in FOLDER, the working folder if it is left
out: words that one of them silently leaves out, statements of two files that differ, and
names of files, scripts and targets that git moved or deleted. What only one agent is
told, and the share of two files that is one text, is said too, and is no problem. Only
the project's own files count; --home judges those of your home folder too.

--mend makes the changes that are named as mends, each with an entry in the history that
undo takes back. winnow ignore FINGERPRINT keeps what is meant so; --json has the
fingerprints.

In the working folder it then checks the stores of the project, or the one that --store
names, and prints one finding per line, each with the next safe step. If the agents of a
store keep a journal, doctor runs both of their own checks on it without opening it the
way they do, which can truncate it.

The exit status is 1 if something is wrong with what agents read, and 4 if a finding about
a store or about settings is a warning or worse. What was not looked at fails nothing.`,
		examples: []string{
			"winnow doctor", "winnow doctor --mend --dry-run", "winnow doctor --sarif >winnow.sarif",
			"winnow doctor --json | jq '.home.issues[] | select(.level == \"warn\")'",
		},
		args: atMost(1), paths: true,
		flags: []flag{
			{to: &f.home, name: "home", help: "judge the files of your home folder too"},
			{to: &f.sarif, name: "sarif", help: "print what is wrong with what agents read as SARIF 2.1.0"},
			{to: &f.mend, name: "mend", help: "make the changes that are named as mends"},
			{to: &f.yes, name: "yes", help: "with --mend, do not ask"},
			{to: &f.dryRun, name: "dry-run", help: "with --mend, change nothing"},
			p.jsonFlag(),
		},
		run: f.run,
	}
}

// check refuses flags that make no sense together.
func (f *checking) check(args []string) error {
	return refuse(
		refusal{
			f.json && (f.sarif || f.mend),
			"leave out one of them", "doctor: --json goes with neither --sarif nor --mend",
		},
		refusal{f.sarif && f.mend, "leave out one of them", "doctor: --sarif and --mend do not go together"},
		refusal{(f.yes || f.dryRun) && !f.mend, "add --mend", "doctor: --yes and --dry-run say how to mend"},
		refusal{
			f.store != "" && (len(args) > 0 || f.sarif || f.mend || f.home),
			"leave out --store", "doctor: --store checks one store and nothing else",
		},
	)
}

// startFolder returns the folder that is asked about: the first argument, or the current folder.
func (f *checking) startFolder(args []string) (string, error) {
	if len(args) == 0 {
		return f.Dir, nil
	}
	folder := f.Absolute(args[0])
	info, err := os.Stat(folder)
	if err != nil {
		return "", fmt.Errorf("doctor: %w", err)
	}
	if !info.IsDir() {
		return "", usage("name the folder that a session starts in", "doctor %s: expected a folder, got a file", folder)
	}
	return folder, nil
}

func (f *checking) run(ctx context.Context, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	if f.store != "" {
		return f.checkStores(ctx, nil)
	}
	folder, err := f.startFolder(args)
	if err != nil {
		return err
	}
	home, err := f.Library.Home(ctx, memory.HomeOrder{Folder: folder}, nil)
	if err != nil {
		return err
	}
	home.Issues = f.askedIssues(home.Issues)
	home.SumUnread()
	code := exitOK
	if slices.ContainsFunc(home.Issues, func(i memory.Issue) bool { return i.Fails() }) {
		code = exitFound
	}
	switch {
	case f.mend:
		return f.mendAll(ctx, &home)
	case f.sarif:
		f.printSARIF(&home)
		return ended(code)
	case f.json && len(args) > 0:
		f.out.JSON(checkedJSON{schemaVersion, besideJSON{homeOf(f.out, &home)}})
		return ended(code)
	}
	reads := slices.ContainsFunc(home.Agents, func(a memory.HomeAgent) bool { return a.Reads() })
	if len(args) > 0 || reads && !f.json {
		f.printHome(&home)
	}
	if len(args) > 0 {
		return ended(code)
	}
	return f.checkBeside(ctx, &home, code, reads)
}

// checkBeside checks the stores after what agents read, of which code is the status.
func (f *checking) checkBeside(ctx context.Context, home *memory.Home, code int, reads bool) error {
	if f.json {
		f.besideStores = besideJSON{homeOf(f.out, home)}
	}
	err := f.checkStores(ctx, home)
	if ctx.Err() != nil {
		return err
	}
	if failed := asFailure(err); err != nil {
		if reads && failed.code == exitNotFound { // no store is no problem where agents read something
			if f.json {
				f.printAnswers(nil)
			}
			return ended(code)
		}
		if code == exitFound && failed.code == exitUnwell || failed.code < code { // what agents read comes first
			return ended(code)
		}
		return err
	}
	return ended(code)
}

// ended ends a command with a status.
func ended(code int) error {
	if code == exitOK {
		return nil
	}
	return silentExit(code)
}

// askedIssues returns the issues that are asked for: those of the project, unless the home folder is asked for too.
func (f *checking) askedIssues(all []memory.Issue) []memory.Issue {
	return slices.DeleteFunc(all, func(i memory.Issue) bool { return i.Outside && !f.home })
}

// printHome prints what agents read and what is wrong with it.
func (f *checking) printHome(home *memory.Home) {
	f.printAgents(home)
	open := 0
	for _, kind := range memory.IssueKinds() {
		begun := false
		for i := range home.Issues {
			is := &home.Issues[i]
			if is.Kind != kind || !is.Open() {
				continue
			}
			if !begun {
				f.out.Printf("\n%s\n", kind.Words())
				begun = true
			}
			if is.Fails() {
				open++
			}
			f.printIssue(is)
		}
	}
	if len(home.Same) > 0 {
		f.out.Printf("\nThe same, twice\n")
	}
	for _, s := range home.Same {
		f.out.Hang("  note  ", "%d of the %d statements of %s are in %s too.",
			s.Same, s.OfA, f.shownIn(home.Project, s.A), f.shownIn(home.Project, s.B))
	}
	f.out.Printf("\n")
	looked := output.Plural(readers(home), "agent") + ", " + output.Plural(home.Files, "file")
	isUnlisted := func(w memory.HomeWords) bool { return !w.Sums }
	hasMore := slices.ContainsFunc(home.Agents, func(a memory.HomeAgent) bool {
		return a.Stop != nil || slices.ContainsFunc(a.Problems, isUnlisted)
	})
	const more = " What else is wrong stands behind the agents above."
	switch {
	case open > 0:
		f.out.Paragraph("", "%s with what agents read here: %s looked at.%s",
			output.Plural(open, "problem"), looked, output.When(hasMore, more))
	case hasMore:
		f.out.Paragraph("", "Nothing unread, contradicted or out of date was found: %s looked at."+more, looked)
	case home.Moved:
		f.out.Paragraph("", "Nothing unread, contradicted or out of date was found: %s looked at. "+
			"The memory of a folder that is gone may be this project's: see below.", looked)
	default:
		f.out.Paragraph("", "Nothing is wrong with what agents read here: %s looked at.", looked)
	}
	for _, line := range home.NotLooked {
		f.out.Paragraph("", "%s", line)
	}
}

// printIssue prints one issue, with its mend.
func (p *program) printIssue(is *memory.Issue) {
	p.out.Hang(string(p.out.Sprintf("  %-4s  ", is.Level)), "%s", is.What)
	if is.Mend != nil {
		p.out.Hang("        mend: ", "%s", is.Mend.What)
	}
	if is.Next != "" {
		p.out.Hang("        next: ", "%s", is.Next)
	}
}

// readers counts the agents that read something.
func readers(home *memory.Home) (n int) {
	for i := range home.Agents {
		if home.Agents[i].Reads() {
			n++
		}
	}
	return n
}

// printAgents prints a line for each agent that reads something, and one for all others.
func (p *program) printAgents(home *memory.Home) {
	const nameWidth, sizeWidth = 22, 12
	p.out.Paragraph("", "What agents read in %s", p.fromHome(home.Folder))
	var none []string
	for i := range home.Agents {
		a := &home.Agents[i]
		if !a.Reads() && a.Stop == nil {
			none = memory.AppendNew(none, a.Agent)
			continue
		}
		p.out.Line(
			"  %s  %s  %s",
			p.out.Cell(a.Agent, nameWidth),
			p.out.CellRight(startOf(a), sizeWidth),
			agentWords(a),
		)
	}
	if len(none) > 0 {
		p.out.Hang("  ", "Nothing here is read by %s.", strings.Join(none, ", "))
	}
}

// startOf is what an agent is given at the start: "~2,140 tok".
func startOf(a *memory.HomeAgent) string {
	switch {
	case a.OnRecall:
		return "on recall"
	case a.Start.Bytes == 0:
		return "0"
	}
	return fmt.Sprintf("~%d tok", a.Start.Tokens())
}

// agentWords says how much an agent reads, and what is wrong with that.
func agentWords(a *memory.HomeAgent) string {
	parts := []string{
		output.When(a.Files > 0, output.Plural(a.Files, "file")),
		output.When(a.Notes > 0, output.Plural(a.Notes, "note")),
	}
	if a.Stop != nil {
		parts = append(parts, a.Stop.What)
	}
	words := []string{output.Joined(", ", parts...)}
	for _, w := range a.Problems { // sentences, some with commas
		words = append(words, w.Text)
	}
	return output.Joined("; ", words...)
}

// checkedJSON is what agents read in a folder, and what is wrong with it.
type checkedJSON struct {
	Schema int `json:"schema"`
	besideJSON
}

// besideJSON is what the JSON about all stores has beside them.
type besideJSON struct {
	Home homeJSON `json:"home"`
}

// healthOfStoreJSON is a store, and the worst level of its health.
type healthOfStoreJSON struct {
	Schema int       `json:"schema"`
	Store  stateJSON `json:"store"`
	Worst  string    `json:"worst"`
}

// homeJSON is what agents read in a folder.
type homeJSON struct {
	Folder    text         `json:"folder"`
	Project   text         `json:"project"`
	Files     int          `json:"files"`
	Notes     int          `json:"notes"`
	Agents    []readerJSON `json:"agents"`
	Issues    []issueJSON  `json:"issues"`
	Same      []sharedJSON `json:"same"`
	NotLooked []text       `json:"not_looked"`
}

// readerJSON is an agent, how much it reads, and what is wrong with that.
type readerJSON struct {
	System text `json:"system"`
	Agent  text `json:"agent"`
	readingJSON
}

type readingJSON struct {
	Start    sizeJSON          `json:"start"` // what a session is given at its start
	Files    int               `json:"files"`
	Notes    int               `json:"notes"`
	OnRecall bool              `json:"on_recall"`
	Problems []homeProblemJSON `json:"problems"`
}

type homeProblemJSON struct {
	Level string `json:"level"`
	What  text   `json:"what"`
}

type issueJSON struct {
	Kind        text       `json:"kind"`
	Level       string     `json:"level"`
	Agents      []text     `json:"agents"`
	What        text       `json:"what"`
	Places      []spotJSON `json:"places"`
	More        int        `json:"more"`
	Slots       []text     `json:"slots"`
	Commit      text       `json:"commit"`
	Time        *time.Time `json:"time"`
	Mend        text       `json:"mend"`
	Next        text       `json:"next"`
	Outside     bool       `json:"outside"`
	Fingerprint text       `json:"fingerprint"`
	Ignored     text       `json:"ignored,omitempty"`
}

type spotJSON struct {
	File text `json:"file"`
	Line int  `json:"line"`
	Text text `json:"text"`
}

// sharedJSON says how many statements two files have in common, and which part of each that is.
type sharedJSON struct {
	A          text `json:"a"`
	B          text `json:"b"`
	Statements int  `json:"statements"`
	OfA        int  `json:"of_a"`
	OfB        int  `json:"of_b"`
}

func homeOf(o *output.Out, home *memory.Home) homeJSON {
	return homeJSON{
		Folder:  o.Text(home.Folder),
		Project: o.Text(home.Project),
		Files:   home.Files,
		Notes:   home.Notes,
		Agents: output.Each(home.Agents, func(a *memory.HomeAgent) readerJSON {
			return readerJSON{text(a.System), o.Text(a.Agent), readingOf(o, a)}
		}),
		Issues: output.Each(home.Issues, func(i *memory.Issue) issueJSON { return issueOf(o, i) }),
		Same: output.Each(home.Same, func(s *memory.SharedText) sharedJSON {
			return sharedJSON{o.Text(s.A), o.Text(s.B), s.Same, s.OfA, s.OfB}
		}),
		NotLooked: o.Texts(home.NotLooked),
	}
}

// readingOf returns how much an agent reads, and what is wrong with that.
func readingOf(o *output.Out, a *memory.HomeAgent) readingJSON {
	return readingJSON{
		Start:    sizeOf(a.Start),
		Files:    a.Files,
		Notes:    a.Notes,
		OnRecall: a.OnRecall,
		Problems: output.Each(a.Problems, func(w *memory.HomeWords) homeProblemJSON {
			return homeProblemJSON{w.Level.String(), o.Text(w.Text)}
		}),
	}
}

func issueOf(o *output.Out, i *memory.Issue) issueJSON {
	j := issueJSON{
		Kind:   text(i.Kind),
		Level:  i.Level.String(),
		Agents: o.Texts(i.Agents),
		What:   o.Text(i.What),
		Places: output.Each(i.Places, func(s *memory.Spot) spotJSON {
			return spotJSON{o.Text(s.File), s.Line, o.Text(s.Text)}
		}),
		More:        i.More,
		Next:        o.Text(i.Next),
		Slots:       o.Texts(i.Slots[:]),
		Commit:      text(i.Commit),
		Time:        output.Instant(i.At),
		Outside:     i.Outside,
		Fingerprint: text(i.Fingerprint),
	}
	if i.Mend != nil {
		j.Mend = o.Text(i.Mend.What)
	}
	if i.Ignored != nil {
		j.Ignored = o.Text(i.Ignored.Reason)
	}
	return j
}

// printSARIF prints the issues as the results of an audit.
func (f *checking) printSARIF(home *memory.Home) {
	r := report.Report{FailOn: memory.Medium, Version: f.Version, Zone: f.zone(), Hidden: detect.Redact}
	r.Audit.Files = home.Files
	r.Audit.Uncovered = home.NotLooked
	for _, kind := range memory.IssueKinds() {
		r.Rules = append(r.Rules, memory.AuditRule{
			ID: string(kind), Family: memory.FamilyFile, Severity: severityOf(kind), Name: kind.Words(),
		})
	}
	for i := range home.Issues {
		is := &home.Issues[i]
		finding := memory.Finding{
			Rule: string(is.Kind), Name: is.Kind.Words(), What: is.What, Family: memory.FamilyFile,
			Severity: severityOf(is.Kind), Offset: -1, Count: len(is.Places) + is.More, OfAgent: true,
			Fingerprint: is.Fingerprint, Ignored: is.Ignored, Commit: is.Commit, CommitTime: is.At,
		}
		if len(is.Places) > 0 {
			spot := is.Places[0]
			finding.File, finding.Path = spot.File, f.shownIn(home.Project, spot.File)
			finding.Line, finding.Text = spot.Line, spot.Text
		}
		r.Audit.Findings = append(r.Audit.Findings, finding)
	}
	r.Print(f.out, "sarif")
}

// shownIn returns a path relative to a folder, if it is in it.
func (p *program) shownIn(folder, path string) string {
	if inside(path, folder) {
		return strings.TrimPrefix(strings.TrimPrefix(path, folder), string(os.PathSeparator))
	}
	return path
}

func severityOf(kind memory.IssueKind) memory.Severity {
	if kind == memory.OnlyOneTold {
		return memory.Low
	}
	return memory.Medium
}

// mendAll makes the mends of the issues, one plan each. A mend that cannot be made is said, and the others are made.
func (f *checking) mendAll(ctx context.Context, home *memory.Home) error {
	type mending struct {
		mend *memory.Mend
		plan memory.Plan
	}
	var all []mending
	var left []error
	for i := range home.Issues {
		is := &home.Issues[i]
		if is.Mend == nil || !is.Fails() {
			continue
		}
		plan, err := f.Library.PlanMend(ctx, *is.Mend)
		if err != nil {
			left = append(left, err)
			continue
		}
		all = append(all, mending{is.Mend, plan})
		f.out.Line("%s", is.Mend.What)
	}
	f.out.Flush()
	if len(all) > 0 && !f.dryRun {
		if !f.yes {
			if err := f.confirmed(ctx, fmt.Sprintf("Make %s?", output.Plural(len(all), "change"))); err != nil {
				return err
			}
		}
		for i := range all {
			plan, err := f.Library.PlanMend(ctx, *all[i].mend) // the one before may have changed the same file
			var result memory.Result
			if err == nil {
				result, err = f.Library.Apply(ctx, plan)
			}
			if err != nil {
				left = append(left, err)
				continue
			}
			f.notef(
				"%s: undo with winnow undo %s --store %s",
				plan.What,
				result.Entry,
				memory.ShellPath(string(plan.Store)),
			)
		}
	}
	if len(left) > 0 {
		return errors.Join(left...)
	}
	if len(all) == 0 {
		f.notef("doctor: there is nothing that has a mend")
	}
	return nil
}

// agentsHealth says what is wrong with Winnow's own settings and state, and with what it has in those of agents.
func (p *program) agentsHealth() []memory.Health {
	all := slices.Concat(p.setupHealth(), p.Hooks.HookHealth())
	if p.Untrusted != nil {
		f := asFailure(p.Untrusted)
		all = append(all, memory.Health{Code: "state", Level: memory.Warn, What: f.err.Error(), Next: f.hint})
	}
	if problem := p.Library.SettingsProblem(); problem != nil {
		all = append(all, memory.Health{Level: memory.Warn, What: problem.What, Next: problem.Hint})
	}
	return all
}

// checkStores checks the stores that are covered, and what Winnow has in the settings of agents.
func (p *program) checkStores(ctx context.Context, home *memory.Home) error {
	agents := p.agentsHealth()
	places, err := p.covered(ctx)
	if err != nil {
		if !p.json { // what is wrong with hooks and settings does not wait for a store
			p.printLines(agents)
		}
		return err
	}
	apart := (len(places) > 1 || home != nil) && !p.json // said once
	if home != nil && !p.json && slices.ContainsFunc(home.Agents, func(a memory.HomeAgent) bool { return a.Reads() }) {
		p.out.Printf("\n")
	}
	err = p.coverAll(ctx, places, func(ctx context.Context) error {
		if apart {
			return p.checkStore(ctx, home, nil)
		}
		return p.checkStore(ctx, home, agents)
	})
	if !apart || len(agents) == 0 || ctx.Err() != nil {
		return err
	}
	p.out.Printf("\n# Winnow, and what it has in the settings of agents\n")
	p.printLines(agents)
	code := exitOK
	if worstOf(agents) >= memory.Warn {
		code = exitUnwell
	}
	if err != nil {
		code = max(code, asFailure(err).code)
	}
	return ended(code)
}

// checkStore prints what is wrong with p.place, and what is wrong with agents. Home may be nil.
func (p *program) checkStore(ctx context.Context, home *memory.Home, agents []memory.Health) error {
	snap, err := p.loadWhole(ctx, p.place) // a summary leaves out what only the records tell
	if err != nil {
		return err
	}
	journal, err := p.Sessions.Verify(ctx, p.place.Store)
	if err != nil {
		return err
	}
	snap.Health = slices.Concat(snap.Health, p.encodingHealth(ctx, home), journal, agents)
	worst := worstOf(snap.Health)
	if p.json {
		p.printAnswer(healthOfStoreJSON{schemaVersion, stateOf(p.out, &state{Snapshot: snap}), worst.String()})
	} else {
		p.printHealth(snap)
	}
	if worst >= memory.Warn {
		return silentExit(exitUnwell)
	}
	return nil
}

// worstOf returns the highest level.
func worstOf(health []memory.Health) memory.Level {
	worst := memory.Good
	for i := range health {
		worst = max(worst, health[i].Level)
	}
	return worst
}

// readBy returns what the agents of the chosen store read in its folder: as Home knows it, if that is its folder.
func (p *program) readBy(ctx context.Context, home *memory.Home) []memory.AgentSources {
	folder := cmp.Or(p.place.Project, p.Dir)
	if home == nil || home.Folder != folder {
		return p.Library.Sources(ctx, folder, true)
	}
	return output.Each(home.Agents, func(a *memory.HomeAgent) memory.AgentSources {
		list := output.Each(a.Sources, func(s *memory.HomeSource) memory.Source { return s.Source })
		return memory.AgentSources{System: a.System, Agent: a.Agent, List: list}
	})
}

// encodingHealth names what the agent of the chosen store reads in its folder, and that is not UTF-8, which
// all agents read it as.
func (p *program) encodingHealth(ctx context.Context, home *memory.Home) (list []memory.Health) {
	gets := map[string]string{
		"Latin-1":   "its model gets U+FFFD for each letter beyond ASCII.",
		"not UTF-8": "its model gets U+FFFD for some bytes.",
		"binary":    "its model gets the zero bytes that are in it.",
	}
	for _, a := range p.readBy(ctx, home) {
		for _, s := range a.List {
			fine := s.Encoding == "" || s.Encoding == "UTF-8" || s.Encoding == "UTF-8 with BOM"
			if a.System != p.place.System || s.When == memory.Never || fine {
				continue
			}
			effect, known := gets[s.Encoding]
			if !known {
				effect = "its model gets a zero byte with each letter."
			}
			list = append(list, memory.Health{
				Code: "encoding", Level: memory.Warn, Count: 1, Next: "save it as UTF-8",
				What: fmt.Sprintf("%s is %s, and %s reads it as UTF-8: %s",
					p.fromHome(s.Path), s.Encoding, a.Agent, effect),
			})
		}
	}
	return list
}

// printHealth prints what is wrong with a store, a line each.
func (p *program) printHealth(snap memory.Snapshot) {
	p.out.Printf("%s: %s\n", snap.Place.Path, snap.Noun.Count(snap.Counted()))
	health := snap.Health
	if snap.Problem != nil {
		health = append([]memory.Health{{Level: memory.Note, What: snap.Problem.What}}, health...)
	}
	p.printLines(health)
}

func (p *program) printLines(health []memory.Health) {
	for _, h := range health {
		p.out.Printf("%s  %s%s\n", p.out.Sprintf("%-4s", h.Level), h.What, inLines(h))
		if h.Next != "" {
			p.out.Printf("      next: %s\n", h.Next)
		}
	}
}

// inLines names the lines that a finding is about.
func inLines(h memory.Health) string {
	lines := output.Each(h.Lines, func(n *int) string { return fmt.Sprint(*n) })
	more := h.Count - len(h.Lines)
	return output.When(
		len(lines) > 0,
		" (line "+strings.Join(lines, ", ")+output.When(more > 0, fmt.Sprintf(" and %d more", more))+")",
	)
}
