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
)

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.seen.Look(s.disk, s.path)
	return s.snapshot(ctx, true)
}

// Summary implements [system.Summarizer].
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) { return s.snapshot(ctx, false) }

// snapshot reads the store and describes it. Without bodies it has no records.
func (s *Store) snapshot(ctx context.Context, bodies bool) (memory.Snapshot, error) {
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
	if r.chain.unseen {
		snap.Unread = []string{fmt.Sprintf("instructions in folders past the first %d, or more than %d deep", maxBelow, maxBelowDepth)}
	}
	r.describe(&snap)
	if bodies {
		snap.Records = r.records()
		s.remember(snap.Records)
		snap.Total = len(snap.Records)
	}
	snap.Health = r.health(snap.Records)
	if recent := s.sessions.Load(); recent != nil {
		s.describe(recent, &snap)
	}
	if snap.Total == 0 {
		snap.Problem = s.nothing()
	}
	return snap, ctx.Err()
}

func (s *Store) nothing() *memory.Problem {
	if s.sort == ofUser {
		return &memory.Problem{Code: "empty", What: "There are no instructions for all projects yet.", Hint: "CLAUDE.md in this folder is read at every start, in any project"}
	}
	return &memory.Problem{
		Code: "empty", What: "There are no memories of this project yet.",
		Hint: "add one, or work here with Claude Code: this screen then fills by itself",
	}
}

// usage returns how full the index is, as its limits count.
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

// describe sets what the store as a whole is: how many records it has and of which scopes,
// what it adds to every session, how large it is, and when it was written last. What holds
// for all projects is the user's store's.
func (r *reading) describe(snap *memory.Snapshot) {
	scopes := map[string]int{}
	file := func(layer string, size int64, modTime time.Time) {
		scopes[layer]++
		snap.Total++
		snap.Size += size
		if modTime.After(snap.ModTime) {
			snap.ModTime = modTime
		}
	}
	sent := func(text string) {
		size := annotate.SizeOf(text)
		snap.Start.Bytes += size.Bytes
		snap.Start.TokensLow += size.TokensLow
		snap.Start.TokensHigh += size.TokensHigh
	}
	for _, d := range r.chain.docs {
		if r.own(d) {
			file(d.layer, d.size, d.modTime)
			if d.start {
				sent(d.content)
			}
		}
	}
	for _, sh := range r.memoryFolders {
		if sh.index != nil {
			file(layerMemory, sh.index.size, sh.index.modTime)
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
		file(layerAgent, a.size, a.modTime)
	}
	if x := r.usedIndex(); x != nil {
		sent(x.injected())
	}
	for _, layer := range [...]string{layerManaged, layerUser, layerAbove, layerProject, layerLocal, layerMemory, layerAgent} {
		if scopes[layer] > 0 {
			snap.Scopes = append(snap.Scopes, memory.Scope{Name: layer, Records: scopes[layer]})
		}
	}
	snap.Facts = r.facts()
}

// facts describe the store, and what a session gets besides.
func (r *reading) facts() []memory.Fact {
	others, bytes, globbed, below := 0, 0, 0, 0
	for _, d := range r.chain.docs {
		switch own := r.own(d); {
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
	var out []memory.Fact
	if len(r.memoryFolders) > 0 {
		out = append(out, memory.Fact{Name: "auto memory", Text: r.memoryFolders[0].dir})
	}
	if others > 0 {
		out = append(out, memory.Fact{Name: "also read", Text: fmt.Sprintf("%s for all projects, %s", number(others, "file"), number(bytes, "byte"))})
	}
	var demanded []string
	if globbed > 0 {
		demanded = append(demanded, number(globbed, "rule")+" with globs")
	}
	if below > 0 {
		demanded = append(demanded, number(below, "file")+" of folders below")
	}
	if len(demanded) > 0 {
		out = append(out, memory.Fact{Name: "on demand", Text: strings.Join(demanded, ", ")})
	}
	return out
}

// health returns the report on the store. Without records, what only they tell is left
// out.
func (r *reading) health(records []memory.Record) []memory.Health {
	var out []memory.Health
	add := func(code string, level memory.Level, what, next string, n int) {
		out = append(out, memory.Health{Code: code, Level: level, What: what, Next: next, Count: n})
	}
	c := r.chain
	if c.off != "" {
		add("instructions-off", memory.Note, c.off, "unset it to have them read", 0)
	}
	if r.memoryOff != "" && r.s.sort != ofUser {
		add("memory-off", memory.Note, r.memoryOff, "turn it on in /memory to have it read", 0)
	}
	for _, path := range c.set.bad {
		add("settings-damaged", memory.Warn, path+" is not JSON: its settings are not known here.", "mend the file", 1)
	}
	if c.set.text != "" {
		add("managed-text", memory.Note, "The managed settings have instructions of their own (claudeMd), which are injected too.", "read them in "+filepath.Join(r.s.m.managed, "managed-settings.json"), 1)
	}
	if v := unknown(r.version); v != "" {
		p := unknownVersion(v)
		add(p.Code, memory.Warn, p.What, p.Hint, 0)
	}
	if r.s.sort != ofUser {
		r.folderHealth(add)
		r.projectHealth(add)
	}
	r.importHealth(add)
	r.lengthHealth(add)
	r.belowHealth(add)
	damaged := slices.DeleteFunc(slices.Clone(records), func(r memory.Record) bool { return r.Problem == nil })
	if bad := len(damaged); bad > 0 {
		add("damaged", memory.Warn, fmt.Sprintf("%s cannot be read as meant.", number(bad, "file")), "show the records with a problem", bad)
	}
	slices.SortStableFunc(out, func(a, b memory.Health) int { return int(b.Level) - int(a.Level) })
	if len(out) == 0 {
		add("ok", memory.Good, "Nothing is wrong with the files of this store.", "", 0)
	}
	return out
}

type report = func(code string, level memory.Level, what, next string, n int)

// folderHealth reports on the folders of auto memory.
func (r *reading) folderHealth(add report) {
	if r.redirect != "" {
		add("untrusted-directory", memory.Note, r.redirect, "start Claude Code in the project, or set the folder in your own settings", 1)
	}
	for i, sh := range r.memoryFolders {
		if pid := r.s.lockHolder(sh.dir); pid > 0 {
			add("consolidating", memory.Warn, fmt.Sprintf("A consolidation of the memories began less than an hour ago (pid %d).", pid), "wait until it is done before you change them", 1)
		}
		if sh.more {
			add("many-files", memory.Warn, fmt.Sprintf("There are more than %d files in %s: not all are shown.", maxFiles, sh.dir), "move what is no memory out of it", 1)
		}
		if len(sh.odd) > 0 {
			add("folder", memory.Note, fmt.Sprintf("%s is a folder, and called as a memory is.", sh.odd[0]), "give it another name", len(sh.odd))
		}
		if i > 0 {
			add("unused-memory", memory.Note, fmt.Sprintf("%s in %s. %s", goes(len(sh.files), "1 file of memory lies", "%d files of memory lie"), sh.dir, sh.unused), "move what still holds into the folder in use", len(sh.files))
			continue
		}
		r.indexHealth(sh, add)
	}
}

// indexHealth compares the index in use with the files beside it.
func (r *reading) indexHealth(sh *memoryFolder, add report) {
	if sh.index == nil {
		if len(sh.files) > 0 {
			add("no-index", memory.Note, fmt.Sprintf("There is no MEMORY.md for %s: Claude Code writes one when the next session starts.", number(len(sh.files), "topic")), "recall shows what it will be", len(sh.files))
		}
		return
	}
	if lost := sh.dangling(); len(lost) > 0 {
		numbers := firstOf(lost, 10, ", ", func(l indexLine) string { return strconv.Itoa(l.number) })
		add("dangling", memory.Warn, fmt.Sprintf("The index names %s: line %s.", goes(len(lost), "a file that does not exist", "%d files that do not exist"), numbers), "take the lines out of MEMORY.md", len(lost))
	}
	if lost := sh.unlisted(); len(lost) > 0 {
		add("not-indexed", memory.Warn, fmt.Sprintf("No line of the index names %s.", goes(len(lost), "1 file: it is never loaded", "%d files: they are never loaded")), "add a line for each, or delete them", len(lost))
	}
	lost := sh.beyond()
	for i, what := range overLimits(&sh.index.excerpt) {
		if i == 0 && len(lost) > 0 {
			what += " " + strings.Join(lost, " ")
		}
		add("over-limit", memory.Warn, "MEMORY.md: "+what, "bring it under 140 lines: move details into topics", 1)
	}
}

// goes returns one of two wordings, by a number.
func goes(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// projectHealth reports on what a project shares with others.
func (r *reading) projectHealth(add report) {
	if r.s.root == "" {
		add("no-project", memory.Note, "No transcript tells which project these memories are of.", "start Claude Code in the project: its instructions are shown then too", 1)
		return
	}
	if r.s.sort != ofProject {
		return
	}
	folder, fixed := r.s.m.slugOf(r.s.root)
	if fixed {
		add("shared-folder", memory.Note, "CLAUDE_CODE_PROJECT_DIR_NAME gives all projects one folder: "+folder+".", "", 1)
		return
	}
	if cwd := cwdOf(filepath.Join(r.s.m.projects(), folder)); cwd != "" && rootOf(cwd) != r.s.root && slug(rootOf(cwd)) == folder {
		add("shared-folder", memory.Warn, fmt.Sprintf("%s has its memory in the same folder: Claude Code does not tell the two paths apart.", rootOf(cwd)), "rename one of the two folders", 1)
	}
}

// lengthHealth reports on instructions that are longer than advised, and too large ones.
func (r *reading) lengthHealth(add report) {
	long, large := 0, 0
	var first, biggest string
	for _, d := range r.chain.docs {
		switch {
		case !r.own(d):
		case d.cut:
			if large++; large == 1 {
				biggest = d.path
			}
		case d.start && lines(d.content) > maxAdvised:
			if long++; long == 1 {
				first = fmt.Sprintf("%s has %d lines", d.path, lines(d.content))
			}
		}
	}
	if large > 0 {
		add("too-large", memory.Warn, fmt.Sprintf("%s larger than 4 MiB: Claude Code skips %s. %s", goes(large, "1 file of instructions is", "%d files of instructions are"), goes(large, "it", "them"), biggest), "split it, or take out what is no instruction", large)
	}
	if long > 0 {
		add("long-instructions", memory.Note, fmt.Sprintf("%s more than %d lines, which is the advice: %s.", goes(long, "1 file of instructions has", "%d files of instructions have"), maxAdvised, first), "move parts into rules with globs, or into topics", long)
	}
}

// importHealth reports on imports that lead nowhere.
func (r *reading) importHealth(add report) {
	of := func(gaps []gap) (n int, first gap) {
		for _, g := range gaps {
			if r.own(g.from) {
				if n++; n == 1 {
					first = g
				}
			}
		}
		return n, first
	}
	if n, g := of(r.chain.missing); n > 0 {
		add("import-missing", memory.Warn, fmt.Sprintf("%s cannot be read: %s in %s.", number(n, "import"), g.to, g.from.path), "correct the path, or put it in backquotes when it is no import", n)
	}
	if n, g := of(r.chain.deep); n > 0 {
		add("import-deep", memory.Warn, fmt.Sprintf("Imports are followed for %d hops, and %s: %s.", maxHops, goes(n, "one goes on", "%d go on"), g.to), "import it from a file nearer to CLAUDE.md", n)
	}
	if n, g := of(r.chain.outside); n > 0 && !r.chain.consent().External {
		add("import-external", memory.Note, fmt.Sprintf("%s of the working folder, and no approval is on record: %s.", goes(n, "An import leads out", "%d imports lead out"), g.to), "approve it when Claude Code asks, or copy the file into the project", n)
	}
	if n, g := of(r.chain.cycles); n > 0 {
		add("import-cycle", memory.Note, fmt.Sprintf("%s back to a file that is being read: %s from %s.", goes(n, "An import leads", "%d imports lead"), g.to, g.from.path), "take it out: the file is read once all the same", n)
	}
	if r.chain.left {
		add("many-rules", memory.Warn, fmt.Sprintf("There are more than %d rules: not all are shown.", maxFiles), "", 1)
	}
}
