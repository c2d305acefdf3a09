package codex

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Names of instruction files. Of each folder, only the first that exists is read.
const (
	agentsFile   = "AGENTS.md"
	overrideFile = "AGENTS.override.md"
)

// names returns the names of instruction files in project folders, in order of precedence. Codex
// never finds a name that contains a path.
func (s *settings) names() []string {
	all := []string{overrideFile, agentsFile}
	for _, name := range s.fallback {
		name = strings.TrimSpace(name)
		if name != "" && !strings.ContainsAny(name, `/\`) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// doc is an instruction file that a session may be given.
type doc struct {
	file   filestore.File
	global bool
	text   string // as a session is given it; empty if it is not
	taken  int    // bytes used of a project file
	number int    // its position among the files given, from 1; 0 if not given
	by     string // the file that is read instead
}

// chain lists the instruction files that a session starting in a folder is given, in order, and
// what is left out.
type chain struct {
	settings
	start string
	docs  []doc
}

// mostText is the number of bytes read of one file.
const mostText = instructions.MostFile

// chainOf finds what a session that starts in a folder is given; the folder has its links resolved.
// With no folder it finds what every session is given. read reads a file, and may have it cached.
func chainOf(env system.Env, start string, read func(path string) filestore.File) chain {
	c := chain{settings: settingsOf(env, start), start: start}
	winner := ""
	for _, name := range []string{overrideFile, agentsFile} {
		f, odd, ok := readInstruction(filepath.Join(homeOf(env), name), read)
		d := doc{file: f, global: true, by: winner}
		if !ok {
			continue
		}
		if winner == "" && !odd {
			d.text = strings.TrimSpace(jstext.DecodeString(d.file.Text))
		}
		if d.text != "" {
			winner = d.file.Path
		}
		c.add(d)
	}
	if start == "" {
		return c
	}
	left := c.limit
	for _, dir := range slices.Backward(filestore.Upwards(start, c.root)) {
		winner := ""
		for _, name := range c.names() {
			f, odd, ok := readInstruction(filepath.Join(dir, name), read)
			if !ok {
				continue
			}
			d := doc{file: f, by: winner}
			if winner == "" && c.untrusted == "" && !odd {
				left -= d.takeUpTo(left)
			}
			if !odd {
				winner = cmp.Or(winner, f.Path)
			}
			c.add(d)
		}
	}
	return c
}

// add adds the next file.
func (c *chain) add(d doc) {
	if d.text != "" {
		d.number = len(c.givenFiles()) + 1
	}
	c.docs = append(c.docs, d)
}

// readInstruction reads an instruction file. ok is false if there is none. odd is set for something that is
// not a regular file: Codex then looks further.
func readInstruction(path string, read func(path string) filestore.File) (f filestore.File, odd, ok bool) {
	if _, err := os.Lstat(path); err != nil {
		return f, false, false
	}
	info, err := os.Stat(path)
	return read(path), err != nil || !info.Mode().IsRegular(), true
}

// takeUpTo sets what a session is given of a project file if left more bytes may be given, and returns
// the number of bytes used.
func (d *doc) takeUpTo(left uint64) uint64 {
	raw := d.file.Text[:min(uint64(len(d.file.Text)), left)]
	text := jstext.DecodeString(raw)
	if strings.TrimSpace(text) == "" {
		return 0
	}
	d.text, d.taken = text, len(raw)
	return uint64(len(raw))
}

// whatIsLost says which part of a file a session is not given, and why. It returns "" if the session is
// given all of it.
func (d *doc) whatIsLost(c *chain) string {
	blank := strings.TrimSpace(jstext.DecodeString(d.file.Text)) == ""
	switch {
	case d.file.Problem != nil && d.file.Text == "":
		return ""
	case d.by != "":
		return d.by + " is read in its place."
	case blank && d.global:
		return "It is blank, and left out."
	case blank:
		return "It is blank: nothing is given of it, nor of another file of its folder."
	case d.global:
		return ""
	case c.untrusted != "":
		return c.untrusted + " is marked as untrusted: Codex reads no instructions of the project."
	case d.text == "":
		return fmt.Sprintf(
			"It is left out: files before it have used up the %d bytes of project_doc_max_bytes.",
			c.limit,
		)
	case d.taken < len(d.file.Text):
		return fmt.Sprintf(
			"It is cut after %d of its %d bytes: project_doc_max_bytes is %d.",
			d.taken,
			d.file.Size,
			c.limit,
		)
	}
	return ""
}

// givenFiles returns the files of which a session gets something.
func (c *chain) givenFiles() []doc {
	return slices.DeleteFunc(slices.Clone(c.docs), func(d doc) bool { return d.text == "" })
}

// block returns the message that begins a session, with the position of each file in it. id returns
// the record ID of a store's file.
func (c *chain) block(id func(path string) memory.ID) memory.Block {
	docs := c.givenFiles()
	if len(docs) == 0 {
		return memory.Block{}
	}
	text := instructions.Text{ID: id}
	project := slices.IndexFunc(docs, func(d doc) bool { return !d.global })
	text.WriteString("# AGENTS.md instructions" + system.Say(project >= 0, " for "+c.start) + "\n\n<INSTRUCTIONS>\n")
	for i, d := range docs {
		if i > 0 {
			text.WriteString("\n\n" + system.Say(i == project, "--- project-doc ---\n\n"))
		}
		part := memory.Part{Name: "project instructions", Path: d.file.Path, Note: d.whatIsLost(c)}
		if d.global {
			part.Name = "global instructions"
		}
		text.Add(part, d.text)
	}
	text.WriteString("\n</INSTRUCTIONS>")
	return text.Block("first user message", instructionsName)
}

// Names of the stores, and kinds of instruction files.
const (
	instructionsName = "instructions"
	globalName       = "global instructions"
	kindNested       = "nested"
	kindHidden       = "hidden"
)

// given returns a file as what a session is given.
func (d *doc) given(c *chain) instructions.Given {
	g := instructions.Given{
		Path: d.file.Path, How: instructionsName, Kind: memory.SourceInstructions, When: memory.Never,
		Why: d.whatIsLost(c), File: d.file, Text: d.text, Goes: "never sent",
	}
	if d.text != "" && c.refused == "" {
		g.When, g.Goes = memory.AtStart, fmt.Sprintf("first user message, number %d", d.number)
	}
	if d.global {
		g.How, g.Record = globalName, instructionsName
	}
	if d.by != "" {
		g.Record = kindHidden
	}
	if d.file.Cut && d.file.Problem == nil {
		g.Notes = []string{"Only its beginning is shown. Codex may read more of it."}
	}
	d.describeLoss(c, &g)
	return g
}

// describeLoss says what is odd about a file, and what of it is lost.
func (d *doc) describeLoss(c *chain, g *instructions.Given) {
	left := d.text == "" && strings.TrimSpace(d.file.Text) != ""
	switch {
	case d.by != "":
		g.Odd = oddHidden
	case d.file.Problem == nil && strings.TrimSpace(jstext.DecodeString(d.file.Text)) == "":
		g.Odd = oddBlank
	case d.global || c.untrusted != "":
	case d.text != "" && d.taken < len(d.file.Text):
		g.Loss, g.Sent, g.Odd = memory.LossCut, int64(d.taken), oddCut
	case left && c.limit > 0:
		g.Loss, g.Odd = memory.LossCut, oddCut
	case left:
		g.Odd = oddCut
	}
	if c.refused != "" {
		g.Loss, g.Sent = "", 0
	}
	if g.Loss == memory.LossCut {
		g.Hint = c.roomForAll()
	}
}

// roomForAll says how all files of the project get room. Codex reads settings of a project only if the person trusts
// it, which no change of the project can bring about.
func (c *chain) roomForAll() string {
	all := int64(0)
	for i := range c.docs {
		if d := &c.docs[i]; !d.global && d.by == "" {
			all += d.file.Size
		}
	}
	file := filepath.Join(".codex", settingsName)
	where := "in ~/" + file + ": " + file + " of the project counts once Codex trusts the project"
	if c.trusted {
		where = "in " + file
	}
	return fmt.Sprintf("shorten the files, or write project_doc_max_bytes = %d %s", roundedUp(all), where)
}

// roundedUp returns a number of bytes in whole KiB.
func roundedUp(n int64) int64 { return (n + 1<<10 - 1) >> 10 << 10 }

// Codes of what is odd about files.
const (
	oddCut    = "over-limit"
	oddBlank  = "blank"
	oddHidden = "hidden"
)

// oddities says what can be odd about files.
func (c *chain) oddities() []instructions.Oddity {
	return []instructions.Oddity{
		{
			Code: oddCut, Level: memory.Warn,
			What: "Files that a session gets in part or not at all, because of project_doc_max_bytes (" +
				strconv.FormatUint(c.limit, 10) + "): %d.",
			Hint: "shorten the files, or raise the limit",
		},
		{
			Code: oddBlank, Level: memory.Note, What: "Blank files of instructions: %d.",
			Hint: "delete them, or write into them",
		},
		{
			Code: oddHidden, Level: memory.Note, What: "Files of instructions in whose place another one is read: %d.",
			Hint: "move what it says into the file that is read", Unread: true,
		},
	}
}
