// Package kimchi knows the note files of Kimchi and Hermes Agent, whose entries are separated by
// lines with §, and the folders of notes that Kimchi keeps for each agent. The two systems differ
// only in their dialect.
package kimchi

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/procs"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Systems returns the two systems: Kimchi, with its notes and its agent folders, and Hermes. now
// returns the time.
func Systems(now func() time.Time) []system.System {
	k, h := finder{d: kimchi()}, finder{d: hermes()}
	kimchiRuns := procs.NewWatch(string(id), now)
	hermesRuns := procs.NewWatch(string(Hermes), now)
	can := func(store, note string) system.Ability {
		return system.Ability{Store: store, Recall: system.Exact, Edit: "all", Delete: "all", Watch: true, Note: note}
	}
	return []system.System{
		{
			ID: id, Name: k.d.name, Find: k.kimchi, StoresIn: k.storesIn, Reads: k.reads, Forms: Forms(),
			Abilities: []system.Ability{
				can("notes", "Its tool's rules hold: what it would refuse is refused."),
				can("agent memory", ""),
			},
			Open: func(path string) (system.Store, error) {
				if _, _, is := agentPlace(path); is {
					return openAgent(path, now, kimchiRuns.Running), nil
				}
				return open(kimchi(), path, now, kimchiRuns.Running), nil
			},
		},
		{
			ID: Hermes, Name: h.d.name, Find: h.hermes, StoresIn: h.storesIn, Reads: h.reads,
			Abilities: []system.Ability{
				can("notes", "What its scan blocks is shown as its version of autumn 2026 blocks it."),
			},
			Open: func(path string) (system.Store, error) {
				return open(hermes(), path, now, hermesRuns.Running), nil
			},
		},
	}
}

// reads implements [system.System.Reads].
func (f finder) reads(path string) (memory.Place, bool) {
	if place, is := f.agent(path, "named"); is {
		return place, true
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() || !f.isOurs(path) {
		return memory.Place{}, false
	}
	place := f.d.place(path, "named")
	place.Exists = err == nil
	return place, true
}

// storesIn implements [system.System.StoresIn].
func (f finder) storesIn(dir string, entries []fs.DirEntry) (all []memory.Place) {
	if place, is := f.agent(dir, "found below"); is && len(entries) > 0 {
		return []memory.Place{place}
	}
	for _, e := range entries {
		if e.Name() != memoryFile && e.Name() != userFile || !e.Type().IsRegular() {
			continue
		}
		if path := filepath.Join(dir, e.Name()); f.isOurs(path) {
			place := f.d.place(path, "found below")
			place.Exists = true
			all = append(all, place)
		}
	}
	return all
}

// isOurs reports whether a file of notes belongs to this system. Its place decides or, if that says
// nothing, its delimiters. Elsewhere the files of Kimchi and Hermes look alike: a file in a folder
// called memories is taken for Hermes's.
func (f finder) isOurs(path string) bool {
	name, dir := filepath.Base(path), filepath.Dir(path)
	inMemories := filepath.Base(dir) == "memories"
	if inMemories != (f.d.id == Hermes) {
		return false
	}
	named := name == memoryFile || name == userFile
	above := filepath.Base(filepath.Dir(dir))
	if named && (inMemories && above == ".hermes" || filepath.Base(dir) == "memory" && above == "harness") {
		return true
	}
	return hasDelimiter([]byte(filestore.Read(path, 4096).Text)) || named && inMemories
}

// id is the name of the system.
const id memory.SystemID = "kimchi"

// rule is the line above and below the title of a block.
const rule = "══════════════════════════════════════════════"

// delimiter separates the notes in a file.
const delimiter = "\n§\n"

// Forms returns the forms of the files. A preview renders a whole file, as the agent does, since
// the delimiters in it are the agent's own.
func Forms() []system.Form {
	notes := func(title string, named func(string) bool, looks func([]byte) bool) system.Form {
		return system.Form{
			System: id, Name: "notes", Named: named, Looks: looks, Both: looks != nil, Stale: stale,
			Land: system.Framed("notes", rule+"\n"+title+"\n"+rule+"\n", "", rule),
		}
	}
	const (
		agents = "MEMORY (your personal notes) [50% — 1100/2200 chars]"
		user   = "USER PROFILE (who the user is) [50% — 687/1375 chars]"
	)
	detail := system.Framed("agent memory", "", "", "\n... (truncated at 200 lines)")
	return []system.Form{
		notes(
			agents,
			system.Named("harness/memory/MEMORY.md", ".hermes/memories/MEMORY.md", "memories/MEMORY.md"),
			nil,
		),
		notes(user, system.Named("harness/memory/USER.md", ".hermes/memories/USER.md", "memories/USER.md"), nil),
		notes(agents, system.Named("MEMORY.md*", "USER.md*"), hasDelimiter),
		{
			System: id,
			Name:   "agent memory",
			Land:   detail,
			Named:  system.Named("harness/agent-memory/**/*.md", ".kimchi/**/*.md", ".hermes/**/*.md"),
		},
		{
			System: id,
			Name:   "settings",
			Named: system.Named(
				"kimchi/**/*.json",
				".kimchi/**/*.json",
				".hermes/*.json",
				".hermes/*.yaml",
				".hermes/.env",
			),
		},
	}
}

func hasDelimiter(head []byte) bool {
	return bytes.Contains(head, []byte(delimiter)) || bytes.Contains(head, []byte("\r\n§\r\n"))
}

// stale reports whether a file was left behind by an interrupted save of notes. Its name is a dot,
// the time in milliseconds, and .tmp.
func stale(p string) bool {
	name := path.Base(p)
	digits, ok := strings.CutSuffix(strings.TrimPrefix(name, "."), ".tmp")
	return ok && name[0] == '.' && len(digits) == 13 && strings.Trim(digits, "0123456789") == ""
}

// mostAgents is the number of agent folders listed in one place.
const mostAgents = 1000

// finder finds the stores of one of the systems.
type finder struct{ d *dialect }

// search collects what is found.
type search struct {
	finder
	survey memory.Survey
}

// kimchi looks for the places in which Kimchi keeps notes, and for the folders of its agents.
func (f finder) kimchi(ctx context.Context, env system.Env) memory.Survey {
	s := search{finder: f}
	if env.Home != "" {
		home := filepath.Join(env.Home, ".config", "kimchi", "harness")
		s.notes(filepath.Join(home, "memory"), "Kimchi's own folder")
		s.agents(filepath.Join(home, "agent-memory"), "agents of this user", true)
		s.providers(filepath.Join(home, "memory-providers.json"))
		s.noteBranchForm(filepath.Join(env.Home, ".kimchi", "memory"))
	}
	for _, dir := range git.WithRoot(env.Dir) {
		if ctx.Err() != nil || dir == "" || dir == env.Home {
			continue
		}
		own := filepath.Join(dir, ".kimchi")
		if _, err := os.Lstat(own); err != nil {
			s.survey.Look(own, 0, quietread.Reason(err))
			continue
		}
		s.agents(filepath.Join(own, "agent-memory"), "agents of this project", false)
		s.agents(filepath.Join(own, "agent-memory-local"), "agents of this project, not shared", false)
		s.noteBranchForm(filepath.Join(own, "memory"))
	}
	return s.survey
}

// hermes looks for the places in which Hermes keeps notes.
func (f finder) hermes(_ context.Context, env system.Env) memory.Survey {
	s := search{finder: f}
	home, why := env.Path("HERMES_HOME"), "HERMES_HOME"
	if home == "" {
		s.survey.Look("HERMES_HOME", 0, "not set")
		if env.Home == "" {
			return s.survey
		}
		home, why = filepath.Join(env.Home, ".hermes"), "Hermes's own folder"
	}
	s.notes(filepath.Join(home, "memories"), why)
	s.profiles(filepath.Join(home, "profiles"))
	return s.survey
}

// profiles adds the notes of the profiles in a folder. Each profile has its own home there.
func (s *search) profiles(dir string) {
	entries, cut, p := filestore.Names(dir, mostAgents)
	if p != nil && p.Code == quietread.CodeMissing {
		return
	}
	before := len(s.survey.Looked)
	found := 0
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() {
			n := len(s.survey.Places)
			s.notes(filepath.Join(dir, e.Name(), "memories"), "profile "+e.Name())
			found += len(s.survey.Places) - n
		}
	}
	s.survey.Looked = s.survey.Looked[:before]
	s.survey.Look(dir, found, whyCut(p, cut))
}

// whyCut says why a folder of stores was not read to its end, or returns "".
func whyCut(p *memory.Problem, cut bool) string {
	if p != nil {
		return cmp.Or(system.Say(p.Code == quietread.CodeMissing, "does not exist"), p.What)
	}
	return system.Say(cut, "stopped after 1,000 entries")
}

// notes adds the note files in a folder.
func (s *search) notes(dir, why string) {
	found := 0
	note := ""
	for _, name := range [...]string{memoryFile, userFile} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err != nil {
			note = quietread.Reason(err)
			continue
		}
		place := s.d.place(path, why)
		place.Exists, place.Personal = true, true
		s.survey.Found(place)
		found++
	}
	s.survey.Look(dir, found, system.Say(found == 0, note))
}

// agents adds the agent folders in a folder, which is the user's own or a project's.
func (s *search) agents(dir, why string, personal bool) {
	entries, cut, p := filestore.Names(dir, mostAgents)
	found := 0
	for _, e := range entries {
		if place, is := s.agent(filepath.Join(dir, e.Name()), why); is {
			place.Personal = personal
			s.survey.Found(place)
			found++
		}
	}
	s.survey.Look(dir, found, whyCut(p, cut))
}

// providers reports a list of modules that may replace the agent folders.
func (s *search) providers(path string) {
	if _, err := os.Lstat(path); err == nil {
		s.survey.Look(
			path,
			0,
			"names modules that may replace what is injected of agents' folders (a branch of Kimchi); not read",
		)
	}
}

// noteBranchForm reports folders in the form of a Kimchi branch that Winnow does not read.
func (s *search) noteBranchForm(dir string) {
	for _, scope := range [...]string{"user", "project", "local"} {
		path := filepath.Join(dir, scope)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			s.survey.Look(path, 0, "one file per concern, as a branch of Kimchi writes them; not read")
		}
	}
}
