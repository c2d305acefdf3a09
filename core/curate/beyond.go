package curate

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// Around is what is known of the places around a file that held a secret.
type Around struct {
	// Work is the root of the git work tree that the file is in; empty when there is
	// none, and then Git says nothing.
	Work string
	Git  memory.GitState
	// Journal is the path of the agent's journal beside a store; empty for none.
	Journal string
	// Writer tells who seems to be writing; see memory.Snapshot.
	Writer string
	// Database is set for a file of pages.
	Database bool
}

// Beyond returns where the secrets of findings may still be that replacing them in
// files does not reach, each place with commands for it, the most urgent first. No
// secret is in them: it would stay in the history of the shell. around is asked for
// Finding.File, and for Finding.Path where that is empty; nil knows nothing.
func Beyond(findings []memory.Finding, around func(file string) Around) []memory.Beyond {
	b := beyond{around: around, files: map[string]bool{}, shown: map[string]string{}, works: map[string][]string{}, doubtful: map[string][]string{}}
	for i := range findings {
		if f := &findings[i]; f.Family == memory.FamilySecret && f.Open() {
			b.note(f)
		}
	}
	b.history()
	b.unsure()
	b.backups()
	b.others()
	return slices.Concat(b.places[:]...)
}

// beyond collects the places.
type beyond struct {
	around func(string) Around
	places [elsewhere + 1][]memory.Beyond // by their ranks

	files    map[string]bool     // that were looked around, by whether they are on the disk
	shown    map[string]string   // by file
	works    map[string][]string // work trees: the files in them that git has
	doubtful map[string][]string // the same of files that git does not have now
	folders  []string
}

// The ranks, the most urgent first.
const (
	inHistory = iota
	perhapsInHistory
	inAgents
	inJournals
	inDatabases
	inBackups
	elsewhere
)

// add adds a place, unless it is there already.
func (b *beyond) add(rank int, what string, commands ...string) {
	same := func(p memory.Beyond) bool { return p.What == what && slices.Equal(p.Commands, commands) }
	if !slices.ContainsFunc(b.places[rank], same) {
		b.places[rank] = append(b.places[rank], memory.Beyond{What: what, Commands: commands})
	}
}

// note takes in what is around the file of a finding.
func (b *beyond) note(f *memory.Finding) {
	file := cmp.Or(f.File, f.Path)
	var a Around
	if b.around != nil {
		a = b.around(file)
	}
	b.shown[file] = detect.Redact(f.Path)
	switch {
	case f.Commit != "" || a.Git == memory.GitTracked:
		b.works[a.Work] = memory.AppendNew(b.works[a.Work], file)
	case a.Git == memory.GitIgnored || a.Git == memory.GitUntracked:
		b.doubtful[a.Work] = memory.AppendNew(b.doubtful[a.Work], file)
	}
	if f.File == "" || b.files[file] {
		return
	}
	b.files[file] = true
	b.folders = memory.AppendNew(b.folders, filepath.Dir(file))
	if a.Writer != "" {
		b.add(inAgents, "an agent that runs ("+a.Writer+"): it holds what it loaded and may save it again; stop it, then look once more",
			"winnow audit --fix -- "+quoted(file))
	}
	if a.Journal != "" {
		b.add(inJournals, "the agent's journal "+detect.Redact(a.Journal)+": its events are chained by hashes, and the agent drops all that follows an edited one. "+
			"Where it holds the secret, only leaving out whole sessions by the agent's own means or removing it helps, while no agent runs",
			"winnow audit -- "+quoted(a.Journal), "rm -- "+quoted(a.Journal))
	}
	if a.Database {
		b.add(inDatabases, "the pages of "+b.shown[file]+": a database keeps what was deleted or changed until it is written anew; do it while no agent runs",
			"sqlite3 "+quoted(file)+" 'PRAGMA secure_delete=ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);'",
			"winnow audit -- "+quoted(file))
	}
}

// names returns how files are called in a sentence.
func (b *beyond) names(files []string) string {
	name := b.shown[files[0]]
	if more := len(files) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", name, more)
	}
	return name
}

// history is about git repositories that hold earlier versions.
func (b *beyond) history() {
	for _, work := range slices.Sorted(maps.Keys(b.works)) {
		files := b.works[work]
		git := "git"
		if work != "" {
			git += " -C " + quoted(work)
		}
		var commands []string
		if now := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !b.files[f] }); len(now) > 0 {
			commands = append(commands, git+" commit -m 'Redact secrets' --"+within(work, now))
		}
		b.add(inHistory, "git history of "+b.names(files)+": revoke the secret first, since every clone has it", append(commands,
			`umask 077 && F=$(mktemp) && "${EDITOR:-vi}" "$F" # a line for each secret: literal:SECRET==>[REDACTED]`,
			git+` filter-repo --force --replace-text "$F" && rm -- "$F" # without filter-repo: java -jar bfg.jar --replace-text "$F"`,
			git+" reflog expire --expire=now --all && "+git+" gc --prune=now",
			git+" push --force --all URL && "+git+" push --force --tags URL # filter-repo forgets the remote: name it",
		)...)
	}
}

// unsure is about files that git does not have now, and may have had.
func (b *beyond) unsure() {
	for _, work := range slices.Sorted(maps.Keys(b.doubtful)) {
		files := b.doubtful[work]
		b.add(perhapsInHistory, "git history of "+b.names(files)+", if it was ever committed",
			"git -C "+quoted(work)+" log --all --oneline --"+within(work, files),
			"winnow audit --history -- "+quoted(work))
	}
}

// within returns the files as arguments of a git that runs in their work tree, each
// taken by its letters.
func within(work string, files []string) string {
	var out strings.Builder
	for _, f := range files {
		if rel, err := filepath.Rel(work, f); err == nil && work != "" && filepath.IsAbs(f) {
			f = rel
		}
		out.WriteString(" " + quoted(":(literal)"+filepath.ToSlash(f)))
	}
	return out.String()
}

// backups is about copies that nobody here made.
func (b *beyond) backups() {
	if len(b.folders) == 0 {
		return
	}
	var finds []string
	for _, dir := range b.folders {
		finds = append(finds, "find "+quoted(dir)+` -maxdepth 1 \( -name '*~' -o -name '*.bak*' -o -name '*.orig' -o -name '.*.sw?' -o -name '*.tmp*' \) -print`)
	}
	b.add(inBackups, "copies by editors, backups and snapshots of the disk: delete those that were made before", finds...)
}

// others is about what other people and machines have.
func (b *beyond) others() {
	if len(b.works) == 0 {
		return
	}
	var commands []string
	for _, work := range slices.Sorted(maps.Keys(b.works)) {
		if work != "" {
			commands = append(commands, "git -C "+quoted(work)+" remote -v")
		}
	}
	b.add(elsewhere, "clones, forks, pull requests, and logs and caches of CI: have clones made anew, ask the host to drop cached commits, and delete the runs that printed it",
		append(commands, "gh run list", "gh run delete RUN-ID")...)
}

// quoted returns a path as one word of a shell. A path that holds a secret is FILE.
func quoted(path string) string {
	if len(detect.Secrets(path)) > 0 {
		return "FILE"
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return memory.ShellWord(path)
}
