package detect

import (
	"regexp"
	"strings"
	"sync"
)

const (
	// installers are hosts whose documentation tells people to run what they serve.
	installers = "sh.rustup.rs;get.docker.com;raw.githubusercontent.com/homebrew/;bun.sh/;deno.land/;get.pnpm.io;install.python-poetry.org;astral.sh/;" +
		"deb.nodesource.com;nvm-sh/nvm;get.sdkman.io;ollama.com/install;mise.run;starship.rs;claude.ai/install;tailscale.com/install;get.k3s.io;get.helm.sh;helm/helm;" +
		"sdk.cloud.google.com;golangci/golangci-lint;fluxcd.io/install;run.linkerd.io;app.factory.ai/cli;brew.sh;pyenv.run;fnm.vercel.app;nixos.org/nix;install.determinate.systems"
	// forges are package hosts that are as trustworthy as the registry.
	forges = "github.com/;gitlab.com/;registry.npmjs.org/;files.pythonhosted.org/;codeload.github.com/;pkg.pr.new/;download.pytorch.org/"
)

// matching returns a function that finds the first group of an expression. fits, unless nil,
// decides whether the match counts; it gets the second group if the expression has one, and
// otherwise the first.
func matching(expr string, fits func(group string) bool) func(line string) (int, int) {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)" + expr) })
	return func(line string) (int, int) {
		m := compiled().FindStringSubmatchIndex(line)
		if m == nil || fits != nil && !fits(line[m[len(m)-2]:m[len(m)-1]]) {
			return -1, 0
		}
		return m[2], m[3]
	}
}

// Parts of expressions: the beginning of a command, its end, and commands of a kind.
const (
	begins  = `(?:^|[^\w.-])`
	closes  = `(?:[^\w.-]|$)`
	fetches = `(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|fetch)` + closes
	shells  = `(?:sh|bash|zsh|dash|ksh|fish|perl|ruby|php|iex|pwsh|powershell|invoke-expression)`
	// behindSudo is what may precede a command, and shellBehind matches a command that runs its
	// input.
	behindSudo  = `[ \t\n"'\\]*(?:(?:sudo|-e |env |/usr/bin/|/bin/|nohup |exec )[ \t\n"'\\]*)*`
	shellBehind = behindSudo + `(?:` + shells + `|python3?|node)`
	decodes     = `(?:base64 (?:-d|--decode)|xxd -r|openssl base64 -d|openssl enc -d)`
)

// reads reports whether a shell with these arguments runs its input. If the program is on its
// command line, the input is only data.
func reads(args string) bool {
	return !hasAnyPrefix(strings.TrimLeft(args, " "), "-c;-m json;-e ;-m ")
}

// keyAdded finds a line that adds a key to authorized_keys, if it has the verb as a separate word.
func keyAdded(line string) (int, int) {
	i := strings.Index(line, "authorized_keys")
	verb, _ := commandAt(line, 0, "add;append;put;insert;write;place;install;echo")
	if i < 0 || verb < 0 {
		return -1, 0
	}
	return max(0, i-2), i + len("authorized_keys")
}

// jobAdded finds a cron job that downloads something or calls out.
func jobAdded(line string) (int, int) {
	i := strings.Index(line, "crontab")
	job, end := commandAt(line, 0, "curl;wget;nc;bash -i")
	if i < 0 || job < 0 {
		return -1, 0
	}
	return min(i, job), max(i+len("crontab"), end)
}

// foreignHooks reports whether a hooks folder is not one of the repository with a usual name.
func foreignHooks(folder string) bool {
	folder = strings.TrimRight(folder, "\"'`.,/")
	own := !strings.ContainsAny(folder, "~$:") && !strings.Contains(folder, "..") && !strings.HasPrefix(folder, "/")
	return !own || !hasAnySuffix("/"+folder, "/hooks;/githooks;/git-hooks;/.hooks;/.githooks;/husky;/.husky")
}

// notOf returns a function that reports whether a text contains none of the words, which are
// separated by semicolons.
func notOf(words string) func(text string) bool {
	return func(text string) bool { return !containsAny(text, words) }
}
