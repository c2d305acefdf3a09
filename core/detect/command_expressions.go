package detect

import (
	"regexp"
	"strings"
	"sync"
)

const (
	// installerHosts are hosts whose documentation tells people to run what they serve.
	installerHosts = "sh.rustup.rs;get.docker.com;raw.githubusercontent.com/homebrew/;bun.sh/;deno.land/;get.pnpm.io;install.python-poetry.org;astral.sh/;" +
		"deb.nodesource.com;nvm-sh/nvm;get.sdkman.io;ollama.com/install;mise.run;starship.rs;claude.ai/install;tailscale.com/install;get.k3s.io;get.helm.sh;helm/helm;" +
		"sdk.cloud.google.com;golangci/golangci-lint;fluxcd.io/install;run.linkerd.io;app.factory.ai/cli;brew.sh;pyenv.run;fnm.vercel.app;nixos.org/nix;install.determinate.systems"
	// packageHosts are package hosts that are as trustworthy as the registry.
	packageHosts = "github.com/;gitlab.com/;registry.npmjs.org/;files.pythonhosted.org/;codeload.github.com/;pkg.pr.new/;download.pytorch.org/"
)

// regexpFinder returns a function that finds the first group of an expression. fits, unless nil,
// decides whether the match counts; it gets the second group if the expression has one, and
// otherwise the first.
func regexpFinder(expr string, accept func(group string) bool) func(line string) (int, int) {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)" + expr) })
	return func(line string) (int, int) {
		m := compiled().FindStringSubmatchIndex(line)
		if m == nil || accept != nil && !accept(line[m[len(m)-2]:m[len(m)-1]]) {
			return -1, 0
		}
		return m[2], m[3]
	}
}

// Parts of expressions: the beginning of a command, its end, and commands of a kind.
const (
	commandStart = `(?:^|[^\w.-])`
	commandEnd   = `(?:[^\w.-]|$)`
	downloaders  = `(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|fetch)` + commandEnd
	interpreters = `(?:sh|bash|zsh|dash|ksh|fish|perl|ruby|php|iex|pwsh|powershell|invoke-expression)`
	// sudoPrefix is what may precede a command, and shellBehind matches a command that runs its
	// input.
	sudoPrefix       = `[ \t\n"'\\]*(?:(?:sudo|-e |env |/usr/bin/|/bin/|nohup |exec )[ \t\n"'\\]*)*`
	pipedInterpreter = sudoPrefix + `(?:` + interpreters + `|python3?|node)`
	decodeCommands   = `(?:base64 (?:-d|--decode)|xxd -r|openssl base64 -d|openssl enc -d)`
)

// runsItsInput reports whether a shell with these arguments runs its input. If the program is on its
// command line, the input is only data.
func runsItsInput(args string) bool {
	return !hasAnyPrefix(strings.TrimLeft(args, " "), "-c;-m json;-e ;-m ")
}

// findAddedKey finds a line that adds a key to authorized_keys, if it has the verb as a separate word.
func findAddedKey(line string) (int, int) {
	i := strings.Index(line, "authorized_keys")
	verb, _ := findCommand(line, 0, "add;append;put;insert;write;place;install;echo")
	if i < 0 || verb < 0 {
		return -1, 0
	}
	return max(0, i-2), i + len("authorized_keys")
}

// findCronDownload finds a cron job that downloads something or calls out.
func findCronDownload(line string) (int, int) {
	i := strings.Index(line, "crontab")
	job, end := findCommand(line, 0, "curl;wget;nc;bash -i")
	if i < 0 || job < 0 {
		return -1, 0
	}
	return min(i, job), max(i+len("crontab"), end)
}

// isForeignHooksFolder reports whether a hooks folder is not one of the repository with a usual name.
func isForeignHooksFolder(folder string) bool {
	folder = strings.TrimRight(folder, "\"'`.,/")
	own := !strings.ContainsAny(folder, "~$:") && !strings.Contains(folder, "..") && !strings.HasPrefix(folder, "/")
	return !own || !hasAnySuffix("/"+folder, "/hooks;/githooks;/git-hooks;/.hooks;/.githooks;/husky;/.husky")
}

// containsNoneOf returns a function that reports whether a text contains none of the words, which are
// separated by semicolons.
func containsNoneOf(words string) func(text string) bool {
	return func(text string) bool { return !containsAny(text, words) }
}
