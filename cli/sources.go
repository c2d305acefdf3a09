package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views"
)

// sourcesListing is one call of sources, with its flags.
type sourcesListing struct {
	*program
	start bool
}

func (p *program) sources() command {
	f := sourcesListing{program: p}
	return command{
		paged: true, use: "sources [FOLDER]", short: "Show what each agent reads in a folder, and why",
		long: `Shows which files each agent reads when a session starts in FOLDER, the working folder
if it is left out: in the order in which the agent takes them, each with its kind, when it
is read (at every start, when a file is read, when chosen, or never, and why), and which
other file names it. Settings and hooks are listed although their text is not sent. Of each
agent it says how many tokens every session is given, and what it silently leaves out.
winnow doctor also says where the texts differ and what is no longer true.

--start lists only what every session is given, and searches no folder below.

When the output is not a terminal, each line has 13 tab-separated columns: system, agent,
when (start, file, chosen or never), kind, path, bytes, encoding, named by, why, problem,
tokens at every start, loss (beside, cut, link or import), and how many problems its text
has: secrets, and words that an agent leaves out. What was not searched is said on standard error.`,
		examples: []string{
			"winnow sources",
			"winnow sources web --start",
			"winnow sources --json | jq -r '.agents[].sources[].path'",
		},
		args: atMost(1), paths: true,
		flags: []flag{
			{to: &f.start, name: "start", help: "list only what is read at every start"},
			p.jsonFlag(),
		},
		run: f.run,
	}
}

func (f *sourcesListing) run(ctx context.Context, args []string) error {
	folder := f.Dir
	if len(args) > 0 {
		folder = f.Absolute(args[0])
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return fmt.Errorf("sources: %w", err)
	case !info.IsDir():
		return usage("name the folder that a session starts in", "sources %s: expected a folder, got a file", folder)
	}
	home, err := f.Library.Home(ctx, memory.HomeOrder{Folder: folder, Agents: true, Near: f.start}, nil)
	if err != nil {
		return err
	}
	home.Agents = f.chosen(home.Agents)
	f.print(&home)
	for i := range home.Agents {
		if len(home.Agents[i].Sources) > 0 {
			return nil
		}
	}
	if f.json {
		return silentExit(exitNotFound)
	}
	return &failure{
		code: exitNotFound, err: fmt.Errorf("sources %s: no known agent reads anything here", folder),
		hint: "name another folder, or write an AGENTS.md",
	}
}

// chosen returns the agents of the system that was asked for, and of each what was asked for.
func (f *sourcesListing) chosen(all []memory.HomeAgent) (agents []memory.HomeAgent) {
	for _, a := range all {
		if f.system != "" && string(a.System) != f.system {
			continue
		}
		if f.start {
			a.Sources = slices.DeleteFunc(a.Sources, func(s memory.HomeSource) bool { return s.When != memory.AtStart })
		}
		agents = append(agents, a)
	}
	return agents
}

// unread returns what the chosen agents silently leave out.
func (f *sourcesListing) unread(home *memory.Home) (issues []memory.Issue) {
	for i := range home.Issues {
		isOf := func(a memory.HomeAgent) bool { return slices.Contains(home.Issues[i].Agents, a.Agent) }
		if home.Issues[i].Open() && slices.ContainsFunc(home.Agents, isOf) {
			issues = append(issues, home.Issues[i])
		}
	}
	return issues
}

// unreadIn counts what an agent silently leaves out in one of its sources, or because of it.
func unreadIn(home *memory.Home, a *memory.HomeAgent, s *memory.HomeSource) (n int) {
	for i := range home.Issues {
		is := &home.Issues[i]
		isIn := func(spot memory.Spot) bool { return spot.File == s.Path }
		if is.Open() && slices.Contains(is.Agents, a.Agent) && slices.ContainsFunc(is.Places, isIn) {
			n++
		}
	}
	return n
}

func (f *sourcesListing) print(home *memory.Home) {
	switch {
	case f.json:
		issues := f.unread(home)
		f.out.JSON(sourcesJSON{
			Schema: schemaVersion,
			Folder: f.out.Text(home.Folder),
			Agents: output.Each(home.Agents, func(a *memory.HomeAgent) agentSourcesJSON {
				return f.sourcesOf(home, a)
			}),
			Issues:    output.Each(issues, func(i *memory.Issue) issueJSON { return issueOf(f.out, i) }),
			NotLooked: f.out.Texts(home.NotLooked),
		})
	case f.out.Width == 0:
		f.rows(home)
	default:
		f.page(home)
	}
}

// sourcesJSON is what each agent reads in a folder, and what it silently leaves out.
type sourcesJSON struct {
	Schema    int                `json:"schema"`
	Folder    text               `json:"folder"`
	Agents    []agentSourcesJSON `json:"agents"`
	Issues    []issueJSON        `json:"issues"`
	NotLooked []text             `json:"not_looked"`
}

type agentSourcesJSON struct {
	System      text         `json:"system"`
	Agent       text         `json:"agent"`
	Note        text         `json:"note"`
	NotSearched text         `json:"not_searched"`
	Stop        *problemJSON `json:"stop"` // why the agent does not start here
	Sources     []sourceJSON `json:"sources"`
	readingJSON
}

// sourceJSON is a text that an agent reads: why, when, and named by what.
type sourceJSON struct {
	Path     text         `json:"path"`
	Kind     text         `json:"kind"`
	When     text         `json:"when"`
	Why      text         `json:"why"`
	By       text         `json:"by"`
	Bytes    int64        `json:"bytes"`
	Encoding text         `json:"encoding"`
	Problem  *problemJSON `json:"problem"`
	Start    sizeJSON     `json:"start"` // what a session is given of it at its start
	Loss     text         `json:"loss"`
	Secrets  int          `json:"secrets"`
	Issues   int          `json:"issues"`
}

func (f *sourcesListing) sourcesOf(home *memory.Home, a *memory.HomeAgent) agentSourcesJSON {
	o := f.out
	return agentSourcesJSON{
		System:      text(a.System),
		Agent:       text(a.Agent),
		Note:        o.Text(a.Note),
		NotSearched: o.Text(a.Gap),
		Stop:        problemOf(o, a.Stop),
		Sources: output.Each(a.Sources, func(s *memory.HomeSource) sourceJSON {
			return sourceJSON{
				Path:     o.Text(s.Path),
				Kind:     text(s.Kind),
				When:     text(s.When),
				Why:      o.Text(s.Why),
				By:       o.Text(s.By),
				Bytes:    s.Bytes,
				Encoding: text(s.Encoding),
				Problem:  problemOf(o, s.Problem),
				Start:    sizeOf(s.Start),
				Loss:     text(s.Loss),
				Secrets:  s.Secrets,
				Issues:   unreadIn(home, a, s),
			}
		}),
		readingJSON: readingOf(o, a),
	}
}

// rows prints one line for each source.
func (f *sourcesListing) rows(home *memory.Home) {
	for i := range home.Agents {
		a := &home.Agents[i]
		for j := range a.Sources {
			s := &a.Sources[j]
			f.out.Row(a.System, a.Agent, string(s.When), string(s.Kind), s.Path, s.Bytes, s.Encoding, s.By, s.Why,
				problemText(s.Problem), s.Start.Tokens(), string(s.Loss), unreadIn(home, a, s)+s.Secrets)
		}
		if a.Gap != "" {
			f.notef("%s: not searched: %s", a.Agent, a.Gap)
		}
		if a.Stop != nil {
			f.notef("%s: %s", a.Agent, a.Stop.What)
		}
	}
}

func problemText(p *memory.Problem) string {
	if p == nil {
		return ""
	}
	return p.What
}

// page prints the sources of each agent for a person, and what they leave out. Agents that read nothing are one line
// at the end.
func (f *sourcesListing) page(home *memory.Home) {
	var none []string
	for i := range home.Agents {
		a := &home.Agents[i]
		if len(a.Sources) == 0 && a.Stop == nil {
			none = memory.AppendNew(none, a.Agent)
			continue
		}
		f.out.Paragraph("", "%s: %s", a.Agent, sumOf(a))
		lines := output.Each(a.Problems, func(w *memory.HomeWords) string { return w.Text })
		lines = append(lines, problemText(a.Stop), a.Note, output.When(a.Gap != "", "Not searched: "+a.Gap+"."))
		for _, line := range output.NonEmpty(lines...) {
			f.out.Paragraph("  ", "%s", line)
		}
		for _, when := range occasions {
			f.occasion(home.Folder, a, when)
		}
		f.out.Printf("\n")
	}
	if len(none) > 0 {
		f.out.Paragraph("", "Nothing here is read by %s.", strings.Join(none, ", "))
	}
	issues := f.unread(home)
	if len(issues) > 0 {
		f.out.Printf("\n%s\n", memory.SilentlyUnread.Words())
	}
	for i := range issues {
		f.printIssue(&issues[i])
	}
	for _, line := range home.NotLooked {
		if !strings.HasPrefix(line, "Not searched: ") { // said with its agent
			f.out.Paragraph("", "%s", line)
		}
	}
}

// occasions are in the order in which they are listed.
var occasions = [...]memory.SourceWhen{memory.AtStart, memory.WithFile, memory.WhenChosen, memory.Never}

// sumOf counts the sources of an agent by occasion: "2 at every start, ~950 tok; 11 when chosen, 9 kB".
func sumOf(a *memory.HomeAgent) string {
	var parts []string
	for _, when := range occasions[:3] {
		if n, bytes := countOf(a, when); n > 0 {
			size := views.ByteSize(bytes)
			if when == memory.AtStart && a.Start.Bytes > 0 {
				size = startOf(a)
			}
			parts = append(parts, fmt.Sprintf("%d %s, %s", n, when.Words(), size))
		}
	}
	if len(parts) == 0 {
		return "reads nothing at the start"
	}
	return strings.Join(parts, "; ")
}

// countOf returns how many sources are read on an occasion, and how many bytes their files have.
func countOf(a *memory.HomeAgent, when memory.SourceWhen) (n int, bytes int64) {
	for i := range a.Sources {
		if a.Sources[i].When == when {
			n++
			bytes += a.Sources[i].Bytes
		}
	}
	return n, bytes
}

// occasion prints the sources of one occasion.
func (f *sourcesListing) occasion(folder string, a *memory.HomeAgent, when memory.SourceWhen) {
	const pathWidth, kindWidth, sizeWidth = 40, 12, 8
	shown := func(path string) string {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
		return f.fromHome(path)
	}
	if n, _ := countOf(a, when); n > 0 {
		f.out.Line("  %s", when.Words())
	}
	for _, s := range a.Sources {
		if s.When != when {
			continue
		}
		o := f.out
		by := output.When(s.By != "", "named by "+shown(s.By))
		o.Line("    %s  %s  %s  %s", o.Cell(shown(s.Path), pathWidth), o.Cell(string(s.Kind), kindWidth),
			o.CellRight(views.ByteSize(s.Bytes), sizeWidth), o.Show(by))
		if why := output.Joined(" ", s.Why, problemText(s.Problem)); why != "" {
			o.Paragraph("      ", "%s", why)
		}
	}
}
