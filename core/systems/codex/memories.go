package codex

import (
	"cmp"
	_ "embed" // for the text around the summary
	"fmt"
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
	secondName   = "memories_v2" // the folder of a second version, for homes without the first
	summaryFile  = "memory_summary.md"
	handbookFile = "MEMORY.md"
	rawFile      = "raw_memories.md"
	recaps       = "rollout_summaries"
	notesFolder  = "extensions/ad_hoc/notes"
)

// firstPrompt and secondPrompt are the texts that Codex puts around the summary, by the version of memories.
var (
	//go:embed memory.txt
	firstPrompt string
	//go:embed memory_v2.txt
	secondPrompt string
)

// mostSummary is the number of bytes given of a summary: 2,500 tokens by Codex's estimate.
const mostSummary = 2500 * bytesPerToken

const bytesPerToken = 4

// mostPart is the number of bytes of one part of the message about the second version of memories.
const mostPart = 8900

// memoriesIn returns the folder of memories in use. Codex takes the first one where anything has its name, even
// an empty folder or a file, unless the settings name a version.
func memoriesIn(env system.Env) string {
	first := filepath.Join(homeOf(env), memoriesName)
	set := settingsOf(env, "")
	if set.version == "v1" || set.version == "" && filestore.Exists(first) {
		return first
	}
	return filepath.Join(homeOf(env), secondName)
}

// isMemories reports whether a folder is called as one of memories.
func isMemories(path string) bool {
	name := filepath.Base(path)
	return name == memoriesName || name == secondName
}

// noFolder says that a folder of memories is not made here: that it exists decides which one Codex uses.
func noFolder(dir string) *memory.Problem {
	if filestore.IsFolder(dir) {
		return nil
	}
	return &memory.Problem{
		Code: "missing",
		What: "Codex keeps no memories here: the folder does not exist.",
		Hint: "let Codex make it: set features.memories in config.toml",
	}
}

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

// summaryOf returns the summary in a folder of memories.
func summaryOf(env system.Env, s *settings, dir string) summary {
	path := filepath.Join(dir, summaryFile)
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
	case filestore.Real(memoriesIn(env)) != filestore.Real(dir):
		out.odd = "Codex reads the memories in " + memoriesIn(env) + ": sessions are given nothing of it."
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
	dir, prompt := memoriesIn(env), firstPrompt
	if filepath.Base(dir) == secondName {
		prompt = secondPrompt
	}
	before, after, _ := strings.Cut(strings.ReplaceAll(prompt, "{FOLDER}", dir), "{SUMMARY}")
	part := memory.Part{
		Name:  "memory summary",
		ID:    summaryFile,
		Path:  s.file.Path,
		Start: len(before),
		End:   len(before) + len(s.text),
	}
	part.Note = system.Say(
		strings.Contains(s.text, " tokens truncated…"),
		"its middle is left out: it has more than 2,500 tokens as Codex reckons them",
	)
	where, whole := "developer message", before+s.text+after
	if parts := (len(whole) + mostPart - 1) / mostPart; parts > 1 && prompt == secondPrompt {
		where += fmt.Sprintf(", in %d parts of at most %d bytes", parts, mostPart)
	}
	return annotate.Block(where, memoriesName, whole, part)
}

// memoryKinds are the kinds of files of memories.
var memoryKinds = []string{
	"summary", "handbook", "raw memories", "session recap", "skill", "note", "extension", "other",
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

// secondIsGuessed says what is not known about the second version of memories.
const secondIsGuessed = "The second version of memories has another text around the summary, which is not known here; " +
	"the summary is exact."

// describeMemories adds what there is to say about a store of memories as a whole.
func (r *reading) describeMemories(sum *summary) {
	s, size := r.Session, len(strings.TrimSpace(sum.file.Text))
	if sum.text != "" && filepath.Base(r.Own) == secondName {
		s.Estimate = secondIsGuessed
	}
	s.Note = cmp.Or(
		system.Say(sum.odd != "", "Sessions are given nothing of the memories. "+sum.odd),
		"The model may look up the other files of memories; the text says how.",
	)
	s.Usage = []memory.Usage{{Name: "bytes of " + summaryFile, Used: size, Limit: mostSummary}}
	s.Facts = []memory.Fact{
		{
			Name: "an edit acts",
			Text: "in the next session; a consolidation by Codex keeps what a person wrote in sense, not in bytes",
		},
		{
			Name: "written by Codex",
			Text: rawFile + " and " + recaps + ", again from its database with every consolidation",
		},
	}
	s.Health = []memory.Health{
		system.When(
			!r.memories(),
			"off",
			memory.Note,
			1,
			"Memories are switched off: sessions are given nothing of them.",
			"set features.memories in config.toml, if they are meant to be read",
		),
		system.When(
			r.memories() && sum.odd != "",
			"not-given",
			memory.Warn,
			1,
			summaryFile+" is not given to sessions. "+sum.odd,
			"correct the file",
		),
		system.When(size > mostSummary, "over-limit", memory.Warn, 1,
			summaryFile+" is longer than 2,500 tokens as Codex reckons them: its middle is left out.", "shorten it"),
		system.When(
			sum.text != "" && filepath.Base(r.Own) == memoriesName && !strings.HasPrefix(sum.file.Text, "v1\n"),
			"not-v1",
			memory.Warn,
			1,
			"The first line of "+summaryFile+" is not v1: the next consolidation writes the file anew.",
			"make v1 the first line",
		),
	}
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
func nameOfNote(
	s *instructions.AgentStore, records []memory.Record, stored string, e memory.Edit,
) (memory.ID, error) {
	if e.Name == nil {
		words := strings.FieldsFunc(strings.ToLower(annotate.Title(stored)), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		})
		slug := strings.Join(words[:min(len(words), 6)], "-")
		name := notesFolder + "/" + s.Now().
			UTC().
			Format("2006-01-02T15-04-05") +
			"-" + slug[:min(len(slug), 60)] + ".md"
		if slug == "" {
			name = strings.TrimSuffix(name, "-.md") + "-note.md"
		}
		e.Name = &name
	}
	return s.NameOf(records, stored, e)
}
