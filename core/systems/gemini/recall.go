package gemini

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Recall implements [system.Recaller]. It returns what a session is given at its start, whatever
// its task, and what comes with the files that it reads.
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t}
	start := s.StartOf(t)
	g := givenIn(s.Env, start)
	if why := g.settings.refused; why != "" {
		r.Stop = &memory.Problem{Code: "refused", What: "Gemini CLI does not start here. " + why, Hint: "correct the settings file"}
		return r, ctx.Err()
	}
	ofSystem, first := g.system(s.Here), g.first(s.Here)
	r.Block, r.Also = ofSystem, []memory.Block{first}
	if s.Place.Name == asProject {
		r.Block, r.Also = first, []memory.Block{ofSystem}
	}
	for _, d := range g.docs {
		if d.text != "" && (d.how == s.Place.Name || d.how == asExtension && s.Place.Name == asGlobal) {
			s.Hit(&r, d.path, d.how, d.file.Text)
		}
	}
	r.Searched = len(g.docs)
	for _, target := range t.Files {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(start, target)
		}
		r.Also = append(r.Also, g.withRead(filepath.Clean(target), s.Here))
	}
	r.Also = instructions.Filled(r.Also...)
	if r.Block.Text == "" {
		r.Empty = "Gemini CLI finds nothing of this store for a session that starts here."
	}
	r.Notes = recallNotes(g, start)
	if g.im.Cut {
		r.Unread = "Files or their imports are too large to be read whole here, so that Gemini CLI sends more."
		r.Notes = append(r.Notes, r.Unread)
	}
	err := s.lastSession(ctx, start, first, &r)
	return r, err
}

func recallNotes(g *sessionFiles, start string) []string {
	set := &g.settings
	notes := system.Notes(
		system.Say(start == "", "These files are for every project. Name a folder to see what a session there gets."),
		system.Say(set.trust == untrusted, "This folder is not trusted: Gemini CLI gives its own files and settings to no session."),
		system.Say(set.trust == undecided, "Nobody decided yet whether this folder is trusted: Gemini CLI asks, and gives this once it is."),
		system.Say(set.servers, "MCP servers can add instructions of their own behind those of the project. Winnow does not start them."),
		system.Say(set.listed, "The settings allow only some extensions, by a pattern that is not applied here."),
		system.Say(set.flat, "The settings put imports one behind another, but for what comes with a tool."))
	for _, d := range g.docs {
		notes = append(notes, system.Notes(system.Say(d.file.Problem != nil && d.file.Problem.Code == quietread.CodeUnreadable, "Gemini CLI cannot read "+d.path+"."))...)
	}
	return append(notes, "As version 0.61 does it, by its settings files: what its command line sets is not known.")
}

// lastSession adds what the newest session in a folder was given in its first message, according to
// its file, and how that differs from what a session would be given now.
func (s *Store) lastSession(ctx context.Context, start string, now memory.Block, r *memory.Recall) error {
	heads, err := sessions(ctx, s.Env, start)
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || start != "" && h.Folder != start })
	if err != nil || len(heads) == 0 {
		return err
	}
	head := slices.MaxFunc(heads, func(a, b session.Head) int { return a.Changed.Compare(b.Changed) })
	last := &memory.LastSession{Session: head.ID, At: head.Changed, Source: "its session file"}
	r.LastSession = last
	if s.Place.Name != asProject {
		last.Unknown = "Gemini CLI does not record its system prompt, in which these files stand."
		return nil
	}
	text, known, err := firstOf(ctx, head.Path)
	switch {
	case err != nil:
		return err
	case !known:
		last.Unknown = "Its session file does not hold its first message whole."
		return nil
	}
	now.Parts = nil // the session file does not separate the files
	last.Blocks = instructions.Filled(annotate.Block(firstMessage, asProject, text))
	last.Differs = compare.Differences(last.Blocks, instructions.Filled(now))
	return nil
}

// firstOf returns the instructions in the first message of a session. known is false if the file
// does not hold that message.
func firstOf(ctx context.Context, path string) (text string, known bool, err error) {
	f, err := quietread.Open(path)
	if err != nil {
		return "", false, nil
	}
	defer f.Close() // nothing is lost: it was only read
	lines := 0
	err = quietread.Lines(ctx, f, instructions.MostImported, func(b []byte) bool {
		const begin = 20 // lines: the message comes before the first answer
		lines++
		var r record
		session.Decode(b, &r)
		all := append(r.Messages, r.message)
		if r.Set != nil {
			all = append(all, r.Set.Messages...)
		}
		for _, m := range all {
			for _, message := range m.Content {
				if !known && strings.HasPrefix(message, contextBegin) {
					text, known = loadedIn(message), true
				}
			}
		}
		return !known && lines < begin
	})
	if ctx.Err() == nil {
		err = nil // an unreadable file leaves it unknown
	}
	return text, known, err
}

// loadedIn returns the instructions in the first message of a session.
func loadedIn(message string) string {
	const begin, end = "<loaded_context>\n", "</loaded_context>"
	at, last := strings.Index(message, "\n"+begin), strings.LastIndex(message, end)
	if at < 0 || last < at {
		return ""
	}
	return message[at+1 : last+len(end)]
}
