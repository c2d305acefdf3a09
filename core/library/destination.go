package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// Destination is where proposals from an agent in a folder go.
type Destination struct {
	Target  memory.StoreID // empty if a person must choose
	Places  []memory.Place // the places to choose from
	records map[memory.StoreID][]memory.Record
}

// Destinations caches Destinations by agent and folder.
type Destinations map[string]*Destination

// Destination returns where a proposal would go: into its agent's own store of lessons, else into its
// project's, else into the person's. The folder comes from a transcript, so nothing is created there
// before a person approves. If the folder no longer exists, the proposal goes to no other project.
func (l *Library) Destination(ctx context.Context, o *memory.Origin, known Destinations) *Destination {
	env, lost := l.env, false
	if o.Folder != "" {
		info, err := os.Stat(o.Folder)
		isFolder := err == nil && info.IsDir()
		if lost = !isFolder || !filepath.IsAbs(o.Folder); !lost {
			env.Dir = filepath.Clean(o.Folder)
		}
	}
	name := fmt.Sprint(o.Agent, lost, env.Dir, o.Store)
	if g := known[name]; g != nil {
		return g
	}
	g := &Destination{Target: o.Store, records: map[memory.StoreID][]memory.Record{}}
	known[name] = g
	if o.Store != "" {
		p := l.place(l.Info(o.Store).Place)
		_, err := os.Stat(o.Store.Path())
		p.Exists = err == nil
		g.Places = []memory.Place{p}
		return g
	}
	var survey memory.Survey
	for _, k := range l.systems {
		l.merge(&survey, k.Find(ctx, env))
		if k.Serves != nil {
			l.merge(&survey, memory.Survey{Places: k.Serves(env)})
		}
	}
	project := git.Root(env.Dir)
	best := 0
	for _, p := range survey.Places {
		isHere := !lost && (p.Project == project || p.Project == env.Dir)
		s, takes := l.takesLessons(&p)
		if !takes || p.Project != "" && !isHere {
			continue
		}
		g.Places = append(g.Places, p)
		if n := fitness(s, &p, o); n > best {
			best, g.Target = n, p.Store
		}
	}
	return g
}

// takesLessons reports whether a lesson can be added to a store.
func (l *Library) takesLessons(p *memory.Place) (system.Store, bool) {
	s, err := l.Store(p.Store)
	if err != nil || l.WhyReadOnly(s) != "" && !l.readOnly {
		return nil, false
	}
	_, approving := s.(system.Approving)
	_, composes := s.(system.Composer)
	return s, composes && (p.Exists || approving)
}

// fitness rates a store as the target of a proposal. 0 means that only a person can choose it.
func fitness(s system.Store, p *memory.Place, o *memory.Origin) (n int) {
	_, approving := s.(system.Approving)
	switch info := s.Info(); {
	case info.Counts && p.System == o.Agent:
		n = 5
	case approving:
		n = 3
	case info.Counts:
		n = 1
	}
	if n > 0 && p.Project != "" {
		n++
	}
	return n
}

// RecordsIn returns the records of a store that a proposal could go to. It reads them once.
func (g *Destination) RecordsIn(ctx context.Context, l *Library, store memory.StoreID) ([]memory.Record, error) {
	if g.records[store] != nil {
		return g.records[store], nil
	}
	records, _, err := l.Records(ctx, store)
	g.records[store] = records
	return records, err
}

// ErrNoTarget means that a proposal has no store to go to.
var ErrNoTarget = errors.New("no store is known that it could go to: name one")
