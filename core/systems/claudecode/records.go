package claudecode

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// types are the types of topics that Claude Code writes.
var types = [...]string{"user", "feedback", "project", "reference"}

// decoded returns the record in the text of a file, without its ID: the title, body and type.
func decoded(text string) (memory.Record, header) {
	h := headerOf(text)
	return recordWith(text, &h), h
}

// recordWith is decoded for a text whose header was already read.
func recordWith(text string, h *header) memory.Record {
	r := memory.Record{Raw: text}
	from, to := bodyOf(text, h)
	if r.Body = text[from:to]; isCRLF(text) {
		r.Body = strings.ReplaceAll(r.Body, "\r\n", "\n")
	}
	if h.there {
		r.Session, r.Title = h.text("originSessionId"), h.text("description")
		if kind := h.text("type"); slices.Contains(types[:], kind) {
			r.Kind = kind
		}
	}
	if h.problem != "" {
		r.Problem = &memory.Problem{
			Code: "frontmatter",
			What: h.problem,
			Hint: "edit the file: close the header with a line of three dashes, and put values in quotes",
		}
	}
	if r.Title == "" {
		r.Title = titled(text, h)
	}
	return r
}

// titled returns the first heading of a text, or else its first line, or else the name in its
// header.
func titled(text string, h *header) string {
	body := strings.TrimPrefix(content(text), bom)
	if h.problem != "" && h.body == len(text) {
		body = ""
	}
	if from, to, ok := heading(body); ok {
		return body[from:to]
	}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" {
			return jstext.WellFormed(jstext.Slice(line, 200))
		}
	}
	return h.text("name")
}

// recordOf returns the record of a file, without what depends on its place.
func (r *reading) recordOf(f *filestore.File) (memory.Record, header) {
	h := headerOf(f.Text)
	return r.recordBy(f, &h), h
}

// recordBy is recordOf for a file whose header was already read.
func (r *reading) recordBy(f *filestore.File, h *header) memory.Record {
	m := recordWith(f.Text, h)
	m.File, m.RawLen = f.Path, int(f.Size)
	m.Title = cmp.Or(m.Title, filepath.Base(f.Path))
	if f.Problem != nil {
		m.Problem = f.Problem
	}
	if !f.ModTime.IsZero() {
		m.Created = memory.Moment{Text: f.ModTime.UTC().Format(time.RFC3339), Time: f.ModTime}
	}
	if f.Cut {
		m.Fixed = "It is too large to be edited here."
	}
	return m
}

// addSize adds the size and the age of a file.
func (r *reading) addSize(m *memory.Record, f *filestore.File) {
	if f.Problem != nil {
		return
	}
	size := annotate.SizeOf(f.Text)
	m.Facts = append(
		m.Facts,
		memory.Fact{
			Name: "size",
			Text: fmt.Sprintf("%s, about %d to %d tokens", bytesOf(f.Size), size.TokensLow, size.TokensHigh),
		},
		memory.Fact{Name: "age", Text: memory.Counted(days(f.ModTime, r.now), "day")},
	)
}

func bytesOf(n int64) string { return memory.Counted(int(n), "byte") }

// records returns all records in the order in which a session gets them: instructions, auto memory,
// and the memories of subagents. They are not marked yet.
func (r *reading) records() (out []memory.Record) {
	for _, d := range r.chain.docs {
		if r.isRecord(d) {
			out = append(out, r.instruction(d))
		}
	}
	for _, sh := range r.memoryFolders {
		if sh.index != nil {
			out = append(out, r.indexRecord(sh))
		}
		names := sh.names()
		for _, t := range sh.topics {
			out = append(out, r.topic(sh, t, names))
		}
	}
	for _, a := range r.agents {
		out = append(out, r.agent(a))
	}
	recent := r.s.sessions.Load()
	for i := range out {
		out[i].Line = i + 1
		if recent != nil {
			r.s.addWriter(recent, &out[i])
		}
	}
	return out
}

// instruction returns the record of an instruction file.
func (r *reading) instruction(d *doc) memory.Record {
	m, h := r.recordOf(&d.File)
	m.ID, m.Kind, m.Scope = r.s.id(d.Path), d.kind, d.layer
	if d.kind != kindRule {
		// Other files need no header, so a damaged one does no harm.
		m.Problem = d.Problem
	}
	if d.unseen {
		m.Flags |= memory.FlagUnseen
	}
	globs := ""
	if d.globs != nil {
		globs = strings.Join(d.globs.written, ", ")
	}
	m.Facts = system.Facts(memory.Fact{Name: "read", Text: d.read()}, memory.Fact{Name: "globs", Text: globs})
	for _, by := range d.by {
		m.Facts = append(m.Facts, memory.Fact{Name: "imported by", Text: string(r.s.id(by.Path))})
	}
	m.Facts = append(m.Facts, d.facts...)
	n := lines(d.content)
	m.Notes = system.Notes(slices.Concat(
		[]string{
			system.Say(!d.start, d.why),
			system.Say(
				d.globs == nil && d.kind == kindRule && h.there && h.root == nil && h.problem != "",
				"Its header cannot be read, so it has no globs.",
			),
		}, d.notes,
		[]string{system.Say(n > maxAdvised && d.start, fmt.Sprintf(
			"It has %d lines, and is read whole: the advice is under %d, since longer ones are followed less.",
			n,
			maxAdvised,
		))})...)
	r.addSize(&m, &d.File)
	if why := r.whyFixed(d); why != "" {
		m.Fixed = why
	}
	return m
}

// whyFixed says why the place of an instruction file keeps it from being changed here, or "" if it does not.
func (r *reading) whyFixed(d *doc) string {
	switch {
	case d.layer == layerManaged:
		return "It is the administrator's."
	case d.layer == layerAbove:
		return "It lies above the project, and holds for others too."
	case r.s.sort == ofSlug:
		return "It belongs to the project: open that."
	case r.s.sort != ofProject:
		return ""
	}
	byName := d.kind == kindImport || d.kind == kindRule // a person may open it, though it lies elsewhere
	if !filestore.Within(r.s.root, d.Path) && !(byName && r.s.isNamed(d.Path)) {
		return "It lies outside of the project" + ifMeant(d)
	}
	leadsOut := func() bool { return !filestore.Within(filestore.Real(r.s.root), filestore.Real(d.Path)) }
	if d.kind == kindRule && d.unseen && leadsOut() && !r.s.isNamed(d.Path) {
		return "It is a link that leads out of the project" + ifMeant(d)
	}
	return ""
}

// ifMeant ends a sentence on why a file is not changed with the command by which the person means it.
func ifMeant(d *doc) string {
	if d.kind != kindImport && d.kind != kindRule {
		return "."
	}
	return system.IfMeant(id, d.Path)
}

// read returns when a session gets the file.
func (d *doc) read() string {
	switch {
	case d.start:
		return "at every start"
	case d.unseen || d.Problem != nil:
		return "no"
	case d.globs != nil:
		return "with a file that its globs match"
	case d.with != "":
		return "with a file in " + d.with
	}
	return "no"
}

// indexRecord returns the record of an index.
func (r *reading) indexRecord(sh *memoryFolder) memory.Record {
	x := sh.index
	m, _ := r.recordOf(&x.File)
	m.ID, m.Kind, m.Scope = sh.id(indexName), kindIndex, layerMemory
	m.Problem = x.Problem
	m.Facts = append(m.Facts,
		memory.Fact{Name: "lines", Text: fmt.Sprintf("%d of %d that are read", x.lineCount, maxIndexLines)},
		memory.Fact{Name: "characters", Text: fmt.Sprintf("%d of 25,000 that are read", x.units)},
		memory.Fact{Name: "names", Text: memory.Counted(len(x.lines), "file")},
	)
	r.addSize(&m, &x.File)
	m.Notes = append(overLimits(&x.excerpt), sh.unloadedTopics()...)
	const most = 5
	dangling := sh.dangling()
	for _, l := range dangling[:min(len(dangling), most)] {
		m.Notes = append(m.Notes, fmt.Sprintf("Line %d names %s, which does not exist.", l.number, l.file))
	}
	if n := len(dangling) - most; n > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("So do %d more lines.", n))
	}
	r.addAge(&m, &x.File)
	r.inFolder(&m, sh)
	return m
}

// maxAdvised is the largest number of lines that the documentation recommends for an instruction
// file.
const maxAdvised = 200

// unloadedTopics names the topics on index lines that are not loaded.
func (s *memoryFolder) unloadedTopics() []string {
	const most = 10
	var lost []string
	for _, l := range s.index.lines {
		_, found := slices.BinarySearch(s.files, l.file)
		named, _ := s.listed(l.file)
		if found && named.number == l.number && !l.read {
			lost = append(lost, l.file)
		}
	}
	if n := len(lost); n > most {
		lost = append(lost[:most:most], memory.Counted(n-most, "more topic"))
	}
	return system.Notes(system.Say(len(lost) > 0, "Past what is read of it: "+strings.Join(lost, ", ")+"."))
}

// overLimits returns the limits that an index exceeds, as sentences.
func overLimits(x *excerpt) []string {
	return system.Notes(
		system.Say(
			x.lineCount > maxIndexLines,
			fmt.Sprintf("It has %d lines: the first %d are read.", x.lineCount, maxIndexLines),
		),
		system.Say(x.units > maxIndexUnits, fmt.Sprintf("It has %d characters: the first 25,000 are read.", x.units)),
	)
}

// addAge adds Claude Code's note on the age of a memory.
func (r *reading) addAge(m *memory.Record, f *filestore.File) {
	if text := caveat(f.ModTime, r.now); text != "" {
		m.Flags |= memory.FlagStale
		m.Facts = append(m.Facts, memory.Fact{Name: factCaveat, Text: text})
	}
}

// inFolder adds the name of a memory folder, and why no session reads it.
func (r *reading) inFolder(m *memory.Record, sh *memoryFolder) {
	if sh.unused != "" {
		m.Flags |= memory.FlagUnseen
		m.Notes = append(m.Notes, sh.unused)
	}
	if sh.name != "" {
		m.Facts = append(m.Facts, memory.Fact{Name: "folder", Text: sh.name})
	}
}

// names maps the names that a link can use to topics: the file name, and the name in the header.
func (s *memoryFolder) names() map[string][]string {
	by := map[string][]string{}
	for _, t := range s.topics {
		by[stem(t.rel)] = append(by[stem(t.rel)], t.rel)
		if n := t.field("name"); n != "" && n != stem(t.rel) {
			by[n] = append(by[n], t.rel)
		}
	}
	return by
}

// topic returns the record of a topic.
func (r *reading) topic(sh *memoryFolder, t *topic, names map[string][]string) memory.Record {
	h := t.header
	m := r.recordBy(&t.File, &h)
	m.ID, m.Scope = sh.id(t.rel), layerMemory
	written, name := t.field("type"), t.field("name")
	unknown := m.Kind == ""
	m.Kind = cmp.Or(m.Kind, kindTopic)
	m.Facts = append(
		m.Facts,
		system.Facts(
			memory.Fact{Name: "type", Text: written},
			memory.Fact{Name: "name", Text: name},
			memory.Fact{
				Name: "header",
				Text: headerForm(&h),
			},
			memory.Fact{Name: "modified", Text: t.field("modified")},
		)...)
	r.addSize(&m, &t.File)
	n := lines(t.Text)
	m.Notes = system.Notes(
		system.Say(
			unknown && written != "",
			"Its type is "+written+", and Claude Code knows user, feedback, project and reference.",
		),
		system.Say(unknown && written == "" && h.there && h.problem == "", "Its header has no type."),
		system.Say(
			h.commented("description"),
			"A # stands in its description without quotes: versions before 2.1.214 read it only up to there.",
		),
		system.Say(n > maxIndexLines, fmt.Sprintf(
			"It has %d lines: when a memory is recalled, the first %d are reported to be read.", n, maxIndexLines)),
	)
	r.inIndex(&m, sh, t)
	linked := links(t.Text[h.body:])
	m.Facts = append(m.Facts, system.Facts(memory.Fact{Name: "links", Text: strings.Join(linked, ", ")})...)
	for _, l := range linked {
		if names[l] == nil && l != stem(indexName) {
			m.Notes = append(m.Notes, fmt.Sprintf("Its link [[%s]] leads to no memory.", l))
		}
	}
	for _, n := range slices.Compact([]string{stem(t.rel), name}) {
		if others := names[n]; n != "" && len(others) > 1 {
			m.Notes = append(
				m.Notes,
				fmt.Sprintf("%d memories are called %s: %s.", len(others), n, strings.Join(others, ", ")),
			)
		}
	}
	r.addAge(&m, &t.File)
	r.inFolder(&m, sh)
	return m
}

// inIndex adds the index line that names a topic.
func (r *reading) inIndex(m *memory.Record, sh *memoryFolder, t *topic) {
	l, found := sh.listed(t.rel)
	switch {
	case sh.index == nil:
		m.Notes = append(m.Notes, "There is no index yet: Claude Code writes one when the next session starts.")
		return
	case !found:
		m.Flags |= memory.FlagUnseen
		m.Notes = append(m.Notes, "No line of the index names it: it is never loaded.")
		return
	case !l.read:
		m.Flags |= memory.FlagBeyond
		m.Notes = append(
			m.Notes,
			fmt.Sprintf("Line %d of the index, which names it, is past what is read of that.", l.number),
		)
	}
	m.Facts = append(m.Facts, memory.Fact{Name: "index", Text: fmt.Sprintf("line %d: %s", l.number, l.text)})
}

// isTopic reports whether a record is a memory that the model reads if it chooses to.
func isTopic(r *memory.Record) bool {
	return r.Kind != kindIndex && (r.Scope == layerMemory || r.Scope == layerAgent)
}

// isInstruction reports whether a record is written by people and told at every start, or is an index.
func isInstruction(r *memory.Record) bool { return !isTopic(r) }

// headerForm returns which of the two header forms a file has.
func headerForm(h *header) string {
	switch {
	case !h.there:
		return "none"
	case h.problem != "":
		return "damaged"
	case member(h.root, "metadata") != nil:
		return "newer"
	}
	return "older"
}

func lines(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + min(len(text), 1)
}

// agent returns the record of a file in a subagent's memory.
func (r *reading) agent(a *agentFile) memory.Record {
	m, _ := r.recordOf(&a.File)
	m.ID, m.Kind, m.Scope = r.s.id(a.Path), kindAgent, layerAgent
	m.Facts = append(m.Facts, memory.Fact{Name: "agent", Text: a.agent}, memory.Fact{Name: "memory of", Text: a.layer})
	r.addSize(&m, &a.File)
	if a.rel == indexName {
		x := excerptOf(jstext.Decode([]byte(a.Text)))
		m.Notes = append(m.Notes, overLimits(&x)...)
	}
	if r.memoryOff != "" {
		m.Flags |= memory.FlagUnseen
		m.Notes = append(m.Notes, r.memoryOff)
	}
	r.addAge(&m, &a.File)
	return m
}
