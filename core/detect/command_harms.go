package detect

import (
	"regexp"
	"strings"
	"sync"
)

const (
	// installers are hosts whose documentation tells people to run what they send.
	installers = "sh.rustup.rs;get.docker.com;raw.githubusercontent.com/homebrew/;bun.sh/;deno.land/;get.pnpm.io;install.python-poetry.org;astral.sh/;" +
		"deb.nodesource.com;nvm-sh/nvm;get.sdkman.io;ollama.com/install;mise.run;starship.rs;claude.ai/install;tailscale.com/install;get.k3s.io;get.helm.sh;helm/helm;" +
		"sdk.cloud.google.com;golangci/golangci-lint;fluxcd.io/install;run.linkerd.io;app.factory.ai/cli;brew.sh;pyenv.run;fnm.vercel.app;nixos.org/nix;install.determinate.systems"
	// forges are hosts of packages that are no more foreign than the registry.
	forges = "github.com/;gitlab.com/;registry.npmjs.org/;files.pythonhosted.org/;codeload.github.com/;pkg.pr.new/;download.pytorch.org/"
)

// matching returns a finder of the first group of an expression. Where the expression has a second
// one, fits says of it, or of the first, whether it counts; nil for always.
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
	// behindSudo is what a command can stand behind, and shellBehind one that runs what it reads.
	behindSudo  = `[ \t\n"'\\]*(?:(?:sudo|-e |env |/usr/bin/|/bin/|nohup |exec )[ \t\n"'\\]*)*`
	shellBehind = behindSudo + `(?:` + shells + `|python3?|node)`
	decodes     = `(?:base64 (?:-d|--decode)|xxd -r|openssl base64 -d|openssl enc -d)`
)

// reads reports whether a shell with such arguments runs what it reads: with a program on its command
// line that is data.
func reads(args string) bool {
	return !hasAnyPrefix(strings.TrimLeft(args, " "), "-c;-m json;-e ;-m ")
}

// keyAdded finds a key that a word by itself says to put among those that may sign in.
func keyAdded(line string) (int, int) {
	i := strings.Index(line, "authorized_keys")
	verb, _ := commandAt(line, 0, "add;append;put;insert;write;place;install;echo")
	if i < 0 || verb < 0 {
		return -1, 0
	}
	return max(0, i-2), i + len("authorized_keys")
}

// jobAdded finds a job of cron that fetches something or calls out.
func jobAdded(line string) (int, int) {
	i := strings.Index(line, "crontab")
	job, end := commandAt(line, 0, "curl;wget;nc;bash -i")
	if i < 0 || job < 0 {
		return -1, 0
	}
	return min(i, job), max(i+len("crontab"), end)
}

// foreignHooks reports whether a folder of hooks is another than one of the repository that is named
// for them.
func foreignHooks(folder string) bool {
	folder = strings.TrimRight(folder, "\"'`.,/")
	own := !strings.ContainsAny(folder, "~$:") && !strings.Contains(folder, "..") && !strings.HasPrefix(folder, "/")
	return !own || !hasAnySuffix("/"+folder, "/hooks;/githooks;/git-hooks;/.hooks;/.githooks;/husky;/.husky")
}

// notOf returns whether none of the words between semicolons is in a text.
func notOf(words string) func(text string) bool {
	return func(text string) bool { return !containsAny(text, words) }
}
