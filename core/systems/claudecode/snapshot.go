package claudecode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/system"
)

// Snapshot implements [system.Snapshotter].
func (s *store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	return s.snapshot(ctx, true)
}

// Summary implements [system.Summarizer].
func (s *store) Summary(ctx context.Context) (memory.Snapshot, error) { return s.snapshot(ctx, false) }

// snapshot reads the store and describes it. If bodies is false, it has no records.
func (s *store) snapshot(ctx context.Context, bodies bool) (memory.Snapshot, error) {
	info := s.Info()
	snap := memory.Snapshot{Place: info.Place, Noun: info.Noun, TakenAt: s.now()}
	r, err := s.listing(ctx, bodies)
	if err != nil {
		return memory.Snapshot{}, err
	}
	if at, err := os.Stat(s.path); err == nil {
		snap.Place.Exists, snap.Mode = true, at.Mode()
	}
	if snap.Problem = r.absent(); snap.Problem != nil {
		return snap, nil
	}
	snap.Place.Exists = true
	snap.Usage, snap.Running = r.usage(), s.running()
	snap.Unread = r.notRead()
	r.describe(&snap)
	if bodies {
		snap.Records = r.records()
		for i := range snap.Records {
			annotate.Mark(&snap.Records[i])
		}
		snap.Total = len(snap.Records)
	}
	snap.Health = r.health(snap.Records)
	if recent := s.sessions.Load(); recent != nil {
		s.describe(recent, &snap)
	}
	if snap.Total == 0 {
		snap.Problem = s.emptyProblem()
	}
	return snap, ctx.Err()
}

func (s *store) emptyProblem() *memory.Problem {
	if s.sort == ofUser {
		return &memory.Problem{
			Code: "empty", What: "There are no instructions for all projects yet.",
			Hint: "CLAUDE.md in this folder is read at every start, in any project",
		}
	}
	return &memory.Problem{
		Code: "empty", What: "There are no memories of this project yet.",
		Hint: "add one, or work here with Claude Code: this screen then fills by itself",
	}
}

// notRead names what of the store was not looked at.
func (r *reading) notRead() (all []string) {
	if r.chain.gap != "" {
		all = append(all, "instructions in "+r.chain.gap)
	}
	if r.chain.left {
		all = append(all, fmt.Sprintf("rules past the first %d files", maxFiles))
	}
	for _, sh := range r.memoryFolders {
		if sh.more {
			all = append(all, fmt.Sprintf("files past the first %d in %s", maxFiles, sh.dir))
		}
	}
	return all
}

// usage returns how full the index is, in the units of its limits.
func (r *reading) usage() []memory.Usage {
	sh := r.used()
	if sh == nil || sh.index == nil {
		return nil
	}
	return []memory.Usage{
		{Name: "index lines", Used: sh.index.lineCount, Limit: maxIndexLines},
		{Name: "index characters", Used: sh.index.units, Limit: maxIndexUnits},
	}
}

// describe sets the facts about the whole store: its number of records by scope, what it adds to
// every session, its size, and the time of its last write.
func (r *reading) describe(snap *memory.Snapshot) {
	scopes := map[string]int{}
	file := func(layer string, size int64, modTime time.Time) {
		scopes[layer]++
		snap.Total++
		snap.Size += size
		// a file above the project says nothing of when the project was written
		if layer != layerAbove && modTime.After(snap.ModTime) {
			snap.ModTime = modTime
		}
	}
	var start strings.Builder
	for _, d := range r.chain.docs {
		if r.isRecord(d) {
			file(d.layer, d.Size, d.ModTime)
			if d.start && r.gone == "" {
				start.WriteString(d.content)
			}
		}
	}
	for _, sh := range r.memoryFolders {
		if sh.index != nil {
			file(layerMemory, sh.index.Size, sh.index.ModTime)
		}
		for _, rel := range sh.files {
			var size int64
			var modTime time.Time
			if info, err := os.Stat(filepath.Join(sh.dir, filepath.FromSlash(rel))); err == nil {
				size, modTime = info.Size(), info.ModTime()
			}
			file(layerMemory, size, modTime)
		}
	}
	for _, a := range r.agents {
		file(layerAgent, a.Size, a.ModTime)
	}
	if x := r.usedIndex(); x != nil {
		start.WriteString(asMemory(x.injected()))
	}
	snap.Start = annotate.SizeOf(start.String())
	for _, layer := range [...]string{
		layerManaged, layerUser, layerAbove, layerProject, layerLocal, layerMemory, layerAgent,
	} {
		if scopes[layer] > 0 {
			snap.Scopes = append(snap.Scopes, memory.Scope{Name: layer, Records: scopes[layer]})
		}
	}
	snap.Facts = r.facts()
}

// facts describe the store, and what else a session gets.
func (r *reading) facts() []memory.Fact {
	others, bytes, globbed, below := 0, 0, 0, 0
	for _, d := range r.chain.docs {
		switch own := r.isRecord(d); {
		case !own && d.start && r.s.sort != ofUser:
			others++
			bytes += len(d.content)
		case !own:
		case d.globs != nil:
			globbed++
		case d.with != "" && !d.unseen:
			below++
		}
	}
	dir := first(r.memoryFolders, func(sh *memoryFolder) string { return sh.dir })
	return system.Facts(
		memory.Fact{Name: "auto memory", Text: shownFolder(dir)},
		memory.Fact{
			Name: "also read",
			Text: system.Say(
				others > 0,
				fmt.Sprintf("%s for all projects, %s", memory.Counted(others, "file"), memory.Counted(bytes, "byte")),
			),
		},
		memory.Fact{Name: "on demand", Text: strings.Join(system.Notes(
			system.Say(globbed > 0, memory.Counted(globbed, "rule")+" with globs"),
			system.Say(below > 0, memory.Counted(below, "file")+" of folders below"),
		), ", ")})
}

// health returns the report on the store. Without records it does not count damaged ones.
func (r *reading) health(records []memory.Record) []memory.Health {
	c := r.chain
	bad := 0
	for i := range records {
		if records[i].Problem != nil {
			bad++
		}
	}
	lines := []memory.Health{
		r.goneHealth(),
		system.When(c.off != "", "instructions-off", memory.Note, 0, c.off, "unset it to have them read"),
		system.When(
			r.memoryOff != "" && r.s.sort != ofUser, "memory-off", memory.Note, 0, r.memoryOff,
			"turn it on in /memory to have it read",
		),
		system.When(c.set.text != "", "managed-text", memory.Note, 1,
			"The managed settings have instructions of their own (claudeMd), which are injected too.",
			"read them in "+filepath.Join(r.s.m.managed, "managed-settings.json")),
	}
	for _, path := range c.set.bad {
		lines = append(lines, system.When(true, "settings-damaged", memory.Warn, 1,
			path+" is not a JSON object: its settings are not known here.", "mend the file"))
	}
	if v := unknownGeneration(r.version); v != "" {
		p := unknownVersion(v)
		lines = append(lines, system.When(true, p.Code, memory.Warn, 0, p.What, p.Hint))
	}
	if r.s.sort != ofUser {
		lines = append(lines, r.folderHealth()...)
		lines = slices.Concat(lines, r.projectHealth(), r.leftHealth())
	}
	last := []memory.Health{
		system.When(c.gap != "", "many-folders", memory.Note, 0,
			"This project is too large to be searched whole for instructions. Not searched: "+c.gap+".",
			"recall for a file there shows what comes with it"),
		system.When(bad > 0, "damaged", memory.Warn, bad,
			fmt.Sprintf("%s cannot be read as meant.", memory.Counted(bad, "file")), "show the records with a problem"),
	}
	return system.Report(
		"Nothing is wrong with the files of this store.",
		slices.Concat(lines, r.importHealth(), r.lengthHealth(), last)...,
	)
}

// folderHealth reports on the folders of auto memory.
func (r *reading) folderHealth() []memory.Health {
	lines := []memory.Health{system.When(r.redirect != "", "untrusted-directory", memory.Note, 1,
		r.redirect, "start Claude Code in the project, or set the folder in your own settings")}
	for i, sh := range r.memoryFolders {
		pid, odd := r.s.lockHolder(sh.dir), first(sh.odd, func(dir string) string { return dir })
		lines = append(lines,
			system.When(pid > 0, "consolidating", memory.Warn, 1,
				fmt.Sprintf("A consolidation of the memories began less than an hour ago (pid %d).", pid),
				"wait until it is done before you change them"),
			system.When(sh.more, "many-files", memory.Warn, 1,
				fmt.Sprintf("There are more than %d files in %s, or folders deeper than %d: not all are shown.", maxFiles, sh.dir, maxDeep), "move what is no memory out of it"),
			system.When(odd != "", "folder", memory.Note, len(sh.odd),
				odd+" is a folder, and called as a memory is.", "give it another name"),
			system.When(i > 0, "unused-memory", memory.Note, len(sh.files),
				fmt.Sprintf(
					"%s in %s. %s", wording(len(sh.files), "1 file of memory lies", "%d files of memory lie"), sh.dir,
					sh.unused,
				),
				"move what still holds into the folder in use"))
		if i == 0 {
			lines = append(lines, r.indexHealth(sh)...)
		}
	}
	return lines
}

// indexHealth compares the index in use with the files beside it.
func (r *reading) indexHealth(sh *memoryFolder) []memory.Health {
	if sh.index == nil {
		return []memory.Health{system.When(len(sh.files) > 0, "no-index", memory.Note, len(sh.files),
			fmt.Sprintf("There is no MEMORY.md for %s: Claude Code writes one when the next session starts.", memory.Counted(len(sh.files), "topic")),
			"recall shows what it will be")}
	}
	dangling, unlisted, beyond := sh.dangling(), sh.unlisted(), sh.unloadedTopics()
	numbers := firstOf(dangling, 10, ", ", func(l indexLine) string { return strconv.Itoa(l.number) })
	lines := []memory.Health{
		system.When(len(dangling) > 0, "dangling", memory.Warn, len(dangling),
			"The index names "+wording(len(dangling), "1 lost file", "%d lost files")+": line "+numbers+".",
			"take the lines out of MEMORY.md"),
		system.When(len(unlisted) > 0, "not-indexed", memory.Warn, len(unlisted),
			wording(len(unlisted), "1 file is", "%d files are")+" in no line of the index: never loaded.",
			"add a line for each, or delete them"),
	}
	for i, what := range overLimits(&sh.index.excerpt) {
		if i == 0 && len(beyond) > 0 {
			what += " " + strings.Join(beyond, " ")
		}
		lines = append(
			lines,
			system.When(
				true, "over-limit", memory.Warn, 1, "MEMORY.md: "+what,
				"bring it under 140 lines: move details into topics",
			),
		)
	}
	return lines
}

// first returns the text of the first element, or "".
func first[T any](all []T, text func(T) string) string {
	if len(all) == 0 {
		return ""
	}
	return text(all[0])
}

// wording returns one wording for a single item and another for several.
func wording(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// lengthHealth reports on instructions that are too large, or longer than advised.
func (r *reading) lengthHealth() []memory.Health {
	var long, large []*doc
	for _, d := range r.chain.docs {
		switch {
		case !r.isRecord(d):
		case d.Cut:
			large = append(large, d)
		case d.start && lines(d.content) > maxAdvised:
			long = append(long, d)
		}
	}
	return []memory.Health{
		system.When(len(large) > 0, "too-large", memory.Warn, len(large),
			fmt.Sprintf("%s larger than 4 MiB: Claude Code skips %s. %s",
				wording(len(large), "1 file of instructions is", "%d files of instructions are"),
				wording(len(large), "it", "them"), first(large, func(d *doc) string { return d.Path })),
			"split it, or take out what is no instruction"),
		system.When(len(long) > 0, "long-instructions", memory.Note, len(long),
			fmt.Sprintf("%s more than %d lines, which is the advice: %s.",
				wording(len(long), "1 file of instructions has", "%d files of instructions have"), maxAdvised,
				first(long, func(d *doc) string { return fmt.Sprintf("%s has %d lines", d.Path, lines(d.content)) })),
			"move parts into rules with globs, or into topics"),
	}
}

// importHealth reports on imports that are not followed.
func (r *reading) importHealth() []memory.Health {
	count, first, in := map[string]int{}, map[string]string{}, map[string]string{}
	for _, g := range slices.Backward(r.chain.gaps) {
		if r.isRecord(g.from) {
			count[g.why]++
			first[g.why], in[g.why] = g.to, g.from.Path
		}
	}
	line := func(code string, level memory.Level, what, next string) memory.Health {
		return system.When(count[code] > 0, code, level, count[code], what, next)
	}
	missing, deep, external, cycle := count[importMissing], count[importDeep], count[importExternal], count[importCycle]
	rules := count[ruleExternal]
	return []memory.Health{
		line(importMissing, memory.Warn,
			fmt.Sprintf("%s cannot be read: %s in %s.", memory.Counted(missing, "import"),
				first[importMissing], in[importMissing]),
			"correct the path, or put it in backquotes when it is no import"),
		line(importDeep, memory.Warn,
			fmt.Sprintf("Imports are followed for %d hops, and %s: %s.", maxHops,
				wording(deep, "one goes on", "%d go on"), first[importDeep]),
			"import it from a file nearer to CLAUDE.md"),
		line(importExternal, memory.Note, fmt.Sprintf("%s of the working folder, and no approval is on record: %s.",
			wording(external, "An import leads out", "%d imports lead out"), first[importExternal]),
			"approve it when Claude Code asks, or copy the file into the project"),
		line(ruleExternal, memory.Warn, fmt.Sprintf("%s read: a link leads out of the working folder, with no approval on record, or nowhere: %s.",
			wording(rules, "A rule is not", "%d rules are not"), first[ruleExternal]),
			"approve it when Claude Code asks, or copy the rule into the project"),
		line(importCycle, memory.Note, fmt.Sprintf("%s back to a file that is being read: %s from %s.",
			wording(cycle, "An import leads", "%d imports lead"), first[importCycle], in[importCycle]),
			"take it out: the file is read once all the same"),
		system.When(
			r.chain.left, "many-rules", memory.Warn, 1,
			fmt.Sprintf("There are more than %d rules: not all are shown.", maxFiles), "",
		),
	}
}
