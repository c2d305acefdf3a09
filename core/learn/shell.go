package learn

import (
	"path"
	"slices"
	"strings"

	"winnow/core/shell"
)

// command is one simple command of a shell line.
type command struct {
	text  string   // as written, without redirections at its end
	words []string // without quotes
	after string   // the operator before it: "", "&&", "||", ";", "|"
}

// mostCommands is how many commands of a line are looked at.
const mostCommands = 40

// shellCommands returns the simple commands of a shell line. What a substitution or a shell within the line runs
// is left out: what the line printed is not theirs alone.
func shellCommands(line string) (all []command) {
	for _, c := range shell.Split(line) {
		if c.Inner || len(all) == mostCommands {
			continue
		}
		all = append(all, command{text: c.Text, words: c.Words, after: c.After})
	}
	return all
}

// Words that come before the command that matters.
var (
	setups   = strings.Fields("cd export source . set pushd popd unset alias sleep echo printf true false wait exit trap")
	prefixes = strings.Fields("sudo env time nohup")
)

// isVariable matches a variable that is set for one command.
var isVariable = expression(`^[A-Za-z_]\w*=`)

// bare returns the words of a command without variables, sudo and the like before them.
func (c *command) bare() []string {
	words := c.words
	for len(words) > 1 {
		switch {
		case isVariable().MatchString(words[0]), slices.Contains(prefixes, words[0]):
			words = words[1:]
		case words[0] == "timeout" && len(words) > 2:
			words = words[2:]
		default:
			return words
		}
	}
	return words
}

// program returns the name of the program that a command calls.
func (c *command) program() string {
	name := c.bare()[0]
	if path.IsAbs(name) {
		name = path.Base(name)
	}
	return name
}

// Programs whose next word says nothing of what they do, and words whose next word does.
var (
	withoutVerb = strings.Fields("rm cp mv mkdir rmdir touch chmod chown ln kill pkill killall sed awk curl wget " +
		"ssh scp rsync tar zip unzip python python3 node ruby perl bash sh zsh diff sort uniq xargs tee open jq " +
		"psql sqlite3 mysql")
	thenVerb = strings.Fields("run exec compose x dlx tool workspace -m remote stash worktree pr issue repo")
	verb     = expression(`^[A-Za-z][\w:-]{0,30}$`)
)

// shape returns the program of a command and the words that say what it does: "git push", "npm run build",
// "python3 -m pytest".
func (c *command) shape() string {
	const most = 3
	words := c.bare()
	out := []string{c.program()}
	module := len(words) > 2 && words[1] == "-m"
	if slices.Contains(onlyLook, out[0]) && !module || slices.Contains(withoutVerb, out[0]) && !module {
		return out[0]
	}
	for _, w := range words[1:] {
		if len(out) == most || w != "-m" && !verb().MatchString(w) {
			break
		}
		out = append(out, w)
		if !slices.Contains(thenVerb, w) {
			break
		}
	}
	return strings.Join(out, " ")
}
