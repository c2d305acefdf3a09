package codex

import (
	"context"
	_ "embed" // for the text around the summary
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// The files in the folder of memories.
const (
	memoriesName = "memories"
	summaryFile  = "memory_summary.md"
	handbookFile = "MEMORY.md"
	rawFile      = "raw_memories.md"
	recaps       = "rollout_summaries"
	notesFolder  = "extensions/ad_hoc/notes"
)

// memoryPrompt is the text that Codex puts around the summary.
//
//go:embed memory.txt
var memoryPrompt string

// mostSummary is the number of bytes given of a summary: 2,500 tokens by Codex's estimate.
const mostSummary = 2500 * bytesPerToken

const bytesPerToken = 4

func memoriesIn(env system.Env) string { return filepath.Join(homeOf(env), memoriesName) }

// shortened returns a summary as a session is given it: a long one is reduced to its beginning and
// its end.
func shortened(text string) string {
	over := len(text) - mostSummary
	if over <= 0 {
		return text
	}
	head, tail := mostSummary/2, len(text)-mostSummary/2
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s…%d tokens truncated…%s", text[:head], (over+bytesPerToken-1)/bytesPerToken, text[tail:])
}

// summary is the memory file that sessions are given.
type summary struct {
	file filestore.File
	text string // as sessions are given it; empty if they are not
	odd  string // why sessions are given nothing of an existing file
}

func summaryOf(env system.Env, s *settings) summary {
	path := filepath.Join(memoriesIn(env), summaryFile)
	out := summary{file: filestore.Read(path, mostText)}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		out.odd = "It is no plain file: Codex gives sessions nothing of it."
	case !utf8.ValidString(out.file.Text):
		out.odd = "It holds bytes that are no UTF-8: Codex gives sessions nothing of it."
	case !s.memories():
		out.odd = "The settings switch memories off: sessions are given nothing of it."
	case strings.TrimSpace(out.file.Text) == "":
		out.odd = "It is blank: sessions are given nothing of it."
	default:
		out.text = shortened(strings.TrimSpace(out.file.Text))
	}
	return out
}

// block returns the message about memories that a session is given.
func (s *summary) block(env system.Env) memory.Block {
	if s.text == "" {
		return memory.Block{}
	}
	text := strings.ReplaceAll(memoryPrompt, "{FOLDER}", memoriesIn(env))
	before, after, _ := strings.Cut(text, "{SUMMARY}")
	part := memory.Part{Name: "memory summary", ID: summaryFile, Path: s.file.Path, Start: len(before), End: len(before) + len(s.text)}
	part.Note = system.Say(strings.Contains(s.text, " tokens truncated…"), "its middle is left out: it has more than 2,500 tokens as Codex reckons them")
	return annotate.Block("developer message", memoriesName, before+s.text+after, part)
}

// memoryKind returns the kind of a file of memories, and why it cannot be changed from here. name
// is relative to the folder, with slashes. kind is empty if the file is not one of them.
func memoryKind(name string) (kind, fixed string) {
	top, below, nested := strings.Cut(name, "/")
	switch {
	case strings.HasPrefix(name, ".") || strings.Contains(name, "/."), top == "phase2_workspace_diff.md":
		return "", ""
	case name == rawFile, top == recaps && nested:
		const fixed = "Codex writes this file again from its database, so a change would not last: add a note in " + notesFolder + " that says what to forget."
		if name == rawFile {
			return "raw memories", fixed
		}
		return "session recap", fixed
	case name == summaryFile:
		return "summary", ""
	case name == handbookFile:
		return "handbook", ""
	case top == "skills" && nested:
		return "skill", ""
	case strings.HasPrefix(name, notesFolder+"/"):
		return "note", ""
	case top == "extensions" && strings.Contains(below, "/"):
		return "extension", ""
	}
	return "other", ""
}

// goesTo says where files of a kind are read.
func goesTo(kind string) string {
	switch kind {
	case "summary":
		return "developer message of every session"
	case "note", "extension", "raw memories":
		return "the next consolidation of memories"
	case "handbook", "session recap", "skill":
		return "sessions that look it up"
	}
	return "nobody knows"
}

// gatherMemories finds the files of memories.
func (s *Store) gatherMemories(ctx context.Context, most int) (c instructions.Contents, err error) {
	set := settingsOf(s.Env, "")
	sum := summaryOf(s.Env, &set)
	c.More = instructions.Below(ctx, s.Dir, most, func(dir string, entries []fs.DirEntry) {
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			kind, fixed := memoryKind(string(s.ID(path)))
			if kind == "" || e.IsDir() && !strings.HasSuffix(e.Name(), ".md") {
				continue
			}
			it := instructions.Item{Path: path, Kind: kind, Title: string(s.ID(path)), Fixed: fixed, Goes: goesTo(kind)}
			if kind == "summary" {
				it.File, it.Unseen, it.Notes = sum.file, sum.text == "", system.Notes(sum.odd)
			}
			c.Items = append(c.Items, it)
		}
	})
	b := sum.block(s.Env)
	c.Start = annotate.SizeOf(b.Text)
	size := len(strings.TrimSpace(sum.file.Text))
	c.Usage = []memory.Usage{{Name: "bytes of " + summaryFile, Used: size, Limit: mostSummary}}
	c.Facts = []memory.Fact{
		{Name: "an edit acts", Text: "in the next session; a consolidation by Codex keeps what a person wrote in sense, not in bytes"},
		{Name: "written by Codex", Text: rawFile + " and " + recaps + ", again from its database with every consolidation"},
	}
	c.Health = []memory.Health{
		system.When(set.refused != "", "refused", memory.Stop, 1, "Codex does not start. "+set.refused, "correct the settings"),
		system.When(!set.memories(), "off", memory.Note, 1, "Memories are switched off: sessions are given nothing of them.",
			"set features.memories in config.toml, if they are meant to be read"),
		system.When(set.memories() && sum.odd != "", "not-given", memory.Warn, 1, summaryFile+" is not given to sessions. "+sum.odd, "correct the file"),
		system.When(size > mostSummary, "over-limit", memory.Warn, 1,
			summaryFile+" is longer than 2,500 tokens as Codex reckons them: its middle is left out.", "shorten it"),
		system.When(sum.text != "" && !strings.HasPrefix(sum.file.Text, "v1\n"), "not-v1", memory.Warn, 1,
			"The first line of "+summaryFile+" is not v1: the next consolidation writes the file anew.", "make v1 the first line"),
	}
	return c, ctx.Err()
}

// refuseMemory implements [instructions.Files.Refuse] for memories.
func refuseMemory(id memory.ID, _ *memory.Change) *memory.Problem {
	kind, fixed := memoryKind(string(id))
	switch {
	case kind == "":
		return &memory.Problem{Code: "outside", What: "This file is Codex' own.", Hint: "add a note in " + notesFolder}
	case fixed != "":
		return &memory.Problem{Code: "rewritten", What: fixed, Hint: "winnow add"}
	}
	return nil
}

// nameOfNote implements [system.Info.NewID] for memories. Unless the person named it, a new file is
// a note for the next consolidation, the form in which Codex itself adds them.
func (s *Store) nameOfNote(records []memory.Record, stored string, e memory.Edit) (memory.ID, error) {
	if e.Name == nil {
		words := strings.FieldsFunc(strings.ToLower(annotate.Title(stored)), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		})
		slug := strings.Join(words[:min(len(words), 6)], "-")
		name := notesFolder + "/" + s.Now().UTC().Format("2006-01-02T15-04-05") + "-" + slug[:min(len(slug), 60)] + ".md"
		if slug == "" {
			name = strings.TrimSuffix(name, "-.md") + "-note.md"
		}
		e.Name = &name
	}
	return s.NameOf(records, stored, e)
}
