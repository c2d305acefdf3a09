package library

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// Sources says what each agent reads in a folder, in the order of the systems. A folder that is empty
// is the working folder. With below it also searches the folders below.
func (l *Library) Sources(ctx context.Context, folder string, below bool) []memory.AgentSources {
	env := l.env
	if folder != "" {
		env.Dir = l.Absolute(folder)
	}
	ctx = system.Remember(ctx) // the systems search the same folders
	var all []memory.AgentSources
	env.Alone, env.Here = true, true
	for i := range l.systems {
		k := &l.systems[i]
		if ctx.Err() != nil {
			break
		}
		if k.Sources != nil {
			agents, found := k.Sources(ctx, env, below), findBy(ctx, k, env)
			env.Alone = env.Alone && !hasProject(k, found, env.Dir)
			if reads(k.ID, agents) && !anyExists(found) && !anyExists(k.Find(ctx, l.env)) {
				sayUnused(k.ID, agents)
			}
			all = append(all, agents...)
		} else {
			all = append(all, l.storesAsSources(ctx, k, env))
		}
	}
	return all
}

func anyExists(s memory.Survey) bool {
	return slices.ContainsFunc(s.Places, func(p memory.Place) bool { return p.Exists })
}

// reads reports whether an agent of the system reads something.
func reads(system memory.SystemID, agents []memory.AgentSources) bool {
	isRead := func(a memory.AgentSources) bool { return a.System == system && len(a.List) > 0 }
	return slices.ContainsFunc(agents, isRead)
}

// sayUnused notes of the agents of a system without a store that they are given nothing, only would be.
func sayUnused(id memory.SystemID, agents []memory.AgentSources) {
	for i := range agents {
		if a := &agents[i]; a.System == id && len(a.List) > 0 {
			unused := "Nothing shows that " + a.Agent + " is used on this machine: it has no store here."
			a.Unused = true
			a.Note = strings.TrimSpace(unused + " " + a.Note)
		}
	}
}

// storesAsSources is what an agent reads that is given its stores and nothing else: those for sessions
// in env.Dir. A store that adds something to every session is read at the start, another one when a
// task recalls its records.
func (l *Library) storesAsSources(ctx context.Context, k *system.System, env system.Env) memory.AgentSources {
	a := memory.AgentSources{System: k.ID, Agent: k.Name}
	for _, p := range findBy(ctx, k, env).Places {
		if !p.Exists || !UsedIn(env.Dir, &p) {
			continue
		}
		l.mu.Lock()
		if _, known := l.places[p.Store]; !known {
			l.places[p.Store] = p // the system that found it opens it
		}
		l.mu.Unlock()
		src := memory.Source{
			Path: p.Store.Path(),
			Kind: memory.SourceLessons,
			When: memory.WhenChosen,
			Why:  "A task recalls some of its records.",
		}
		if snap, err := l.Counts(ctx, p.Store); err == nil {
			src.Bytes, src.Problem = snap.Size, snap.Problem
			if snap.Start.Bytes > 0 {
				src.When, src.Why = memory.AtStart, ""
			}
		}
		a.List = append(a.List, src)
	}
	return a
}

// sourcesBelow returns the sources below some folders, each under every name that it has there. unread
// says what was not searched. Paths that are no folders are left out: an audit reads them whatever they
// are.
func (l *Library) sourcesBelow(ctx context.Context, paths []string) (sources []memory.Source, unread []memory.Unread) {
	seen := map[string]bool{}
	for _, path := range paths {
		folder := l.Absolute(path)
		real, err := filepath.EvalSymlinks(folder)
		if info, statErr := os.Stat(folder); path == "-" || err != nil || statErr != nil || !info.IsDir() {
			continue
		}
		gaps := map[string][]string{} // the agents that did not search something
		for _, a := range l.Sources(ctx, folder, true) {
			for _, src := range a.List {
				for _, src.Path = range namesBelow(src.Path, folder, real) {
					if !seen[src.Path] {
						seen[src.Path] = true
						sources = append(sources, src)
					}
				}
			}
			if a.Gap != "" {
				gaps[a.Gap] = memory.AppendNew(gaps[a.Gap], a.Agent)
			}
		}
		for _, gap := range slices.Sorted(maps.Keys(gaps)) {
			unread = append(unread, memory.Unread{Path: l.Short(folder), Problem: &memory.Problem{
				Code: "not-searched", What: "What " + strings.Join(gaps[gap], ", ") +
					" would read here is not known whole. Not searched: " + gap + ".",
				Hint: "audit the folders below by their own paths, or all text with --all-text",
			}})
		}
	}
	return sources, unread
}

// namesBelow returns the names that a file has below a folder: as the folder was named, and with the
// links of folders resolved. A file that is a link keeps its name. real is the folder with its links
// resolved.
func namesBelow(file, folder, real string) (names []string) {
	dir, name := filepath.Split(file)
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	for _, path := range []string{file, filepath.Join(dir, name)} {
		for _, root := range []string{folder, real} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				names = memory.AppendNew(names, filepath.Join(folder, rel), filepath.Join(real, rel))
			}
		}
	}
	return names
}
