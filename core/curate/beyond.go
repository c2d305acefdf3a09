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

// Around is what is known about the surroundings of a file that held a secret.
type Around struct {
	// Work is the root of the git work tree with the file. Without one it is empty, and Git means
	// nothing.
	Work string
	Git  memory.GitState
	// Journal is the path of the agent's journal beside a store; empty if there is none.
	Journal string
	// Writer says who seems to be writing; see memory.Snapshot.
	Writer string
	// Database is set for a file of pages.
	Database bool
}

// Beyond returns the places where the secrets of findings may still be after they were replaced in
// files, most urgent first, each with commands to clean it up. The commands never contain a secret,
// because it would end up in the shell history. around is called with Finding.File, or with
// Finding.Path if that is empty; it may be nil.
func Beyond(findings []memory.Finding, around func(file string) Around) []memory.Beyond {
	b := unreached{
		around:   around,
		files:    map[string]bool{},
		shown:    map[string]string{},
		works:    map[string][]string{},
		doubtful: map[string][]string{},
	}
	for i := range findings {
		if f := &findings[i]; f.Family == memory.FamilySecret && f.Open() {
			b.note(f)
		}
	}
	b.history()
	b.addUncertain()
	b.backups()
	b.others()
	return slices.Concat(b.places[:]...)
}

// unreached collects the places.
type unreached struct {
	around func(string) Around
	places [elsewhere + 1][]memory.Beyond // indexed by rank

	files    map[string]bool     // files already looked at; true if on disk
	shown    map[string]string   // by file
	works    map[string][]string // for each work tree, the files in it that git has
	doubtful map[string][]string // the same for files that git does not have now
	folders  []string
}

// The ranks, most urgent first.
const (
	inHistory = iota
	perhapsInHistory
	inAgents
	inJournals
	inDatabases
	inBackups
	elsewhere
)

// add adds a place, unless it is already there.
func (b *unreached) add(rank int, what string, commands ...string) {
	same := func(p memory.Beyond) bool { return p.What == what && slices.Equal(p.Commands, commands) }
	if !slices.ContainsFunc(b.places[rank], same) {
		b.places[rank] = append(b.places[rank], memory.Beyond{What: what, Commands: commands})
	}
}

// note adds the places around the file of a finding.
func (b *unreached) note(f *memory.Finding) {
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
		b.add(
			inAgents,
			"a running agent ("+a.Writer+"): it holds what it loaded and may save it again; stop it, then check again",
			"winnow audit --fix -- "+quoted(file),
		)
	}
	if a.Journal != "" {
		b.add(
			inJournals,
			"the agent's journal "+detect.Redact(
				a.Journal,
			)+": its events are chained by hashes, and the agent drops everything after an edited one. "+
				"If it contains the secret, drop whole sessions with the agent's own tools, or remove it, while no agent runs",
			"winnow audit -- "+quoted(a.Journal),
			"rm -- "+quoted(a.Journal),
		)
	}
	if a.Database {
		b.add(
			inDatabases,
			"the pages of "+b.shown[file]+": a database keeps what was deleted or changed until it is rewritten; "+
				"do it while no agent runs",
			"sqlite3 "+quoted(file)+" 'PRAGMA secure_delete=ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);'",
			"winnow audit -- "+quoted(file),
		)
	}
}

// names returns the names of files for a sentence.
func (b *unreached) names(files []string) string {
	name := b.shown[files[0]]
	if more := len(files) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", name, more)
	}
	return name
}

// history adds git repositories with earlier versions.
func (b *unreached) history() {
	for _, work := range slices.Sorted(maps.Keys(b.works)) {
		files := b.works[work]
		git := "git"
		if work != "" {
			git += " -C " + quoted(work)
		}
		var commands []string
		if now := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !b.files[f] }); len(now) > 0 {
			commands = append(commands, git+" commit -m 'Redact secrets' --"+gitPaths(work, now))
		}
		b.add(
			inHistory,
			"git history of "+b.names(files)+": revoke the secret first, because every clone has it",
			append(
				commands,
				`umask 077 && F=$(mktemp) && "${EDITOR:-vi}" "$F" # a line for each secret: literal:SECRET==>[REDACTED]`,
				git+` filter-repo --force --replace-text "$F" && rm -- "$F" `+
					`# without filter-repo: java -jar bfg.jar --replace-text "$F"`,
				git+" reflog expire --expire=now --all && "+git+" gc --prune=now",
				git+" push --force --all URL && "+git+
					" push --force --tags URL # filter-repo forgets the remote: name it",
			)...)
	}
}

// addUncertain adds files that git does not have now but may have had.
func (b *unreached) addUncertain() {
	for _, work := range slices.Sorted(maps.Keys(b.doubtful)) {
		files := b.doubtful[work]
		b.add(perhapsInHistory, "git history of "+b.names(files)+", if it was ever committed",
			"git -C "+quoted(work)+" log --all --oneline --"+gitPaths(work, files),
			"winnow audit --history -- "+quoted(work))
	}
}

// gitPaths returns the files as arguments for git in their work tree, without wildcards.
func gitPaths(work string, files []string) string {
	var out strings.Builder
	for _, f := range files {
		if rel, err := filepath.Rel(work, f); err == nil && work != "" && filepath.IsAbs(f) {
			f = rel
		}
		out.WriteString(" " + quoted(":(literal)"+filepath.ToSlash(f)))
	}
	return out.String()
}

// backups adds copies that were not made here.
func (b *unreached) backups() {
	if len(b.folders) == 0 {
		return
	}
	var finds []string
	for _, dir := range b.folders {
		finds = append(
			finds,
			"find "+quoted(
				dir,
			)+` -maxdepth 1 \( -name '*~' -o -name '*.bak*' -o -name '*.orig' -o -name '.*.sw?' -o -name '*.tmp*' \) -print`,
		)
	}
	b.add(
		inBackups,
		"copies made by editors, backups and disk snapshots: delete those made before the redaction",
		finds...)
}

// others adds what other people and machines have.
func (b *unreached) others() {
	if len(b.works) == 0 {
		return
	}
	var commands []string
	for _, work := range slices.Sorted(maps.Keys(b.works)) {
		if work != "" {
			commands = append(commands, "git -C "+quoted(work)+" remote -v")
		}
	}
	b.add(
		elsewhere,
		"clones, forks, pull requests, and logs and caches of CI: have clones replaced, ask the host to drop "+
			"cached commits, and delete the runs that printed it",
		append(commands, "gh run list", "gh run delete RUN-ID")...)
}

// quoted returns a path as one word for a shell, or FILE if the path contains a secret.
func quoted(path string) string {
	if len(detect.Secrets(path)) > 0 {
		return "FILE"
	}
	return memory.ShellPath(path)
}
