package detect

import (
	"regexp"
	"strings"
	"sync"
)

const (
	fetchers = "curl;wget;iwr;irm;invoke-webrequest;invoke-restmethod;aria2c;fetch"
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

// Parts of expressions: the beginning of a command, its end, one that downloads, and a shell behind
// sudo, env and a path.
const (
	begins   = `(?:^|[^\w.-])`
	closes   = `(?:[^\w.-]|$)`
	fetches  = `(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|fetch)` + closes
	runShell = `[ \t\n"'\\]*(?:(?:sudo|-e |env |/usr/bin/|/bin/|nohup |exec )[ \t\n"'\\]*)*` +
		`(?:sh|bash|zsh|dash|ksh|fish|python|python3|node|perl|ruby|php|iex|pwsh|powershell|invoke-expression)`
	decodes = `(?:base64 (?:-d|--decode)|xxd -r|openssl base64 -d|openssl enc -d)`
)

// runs returns the end of the name of a shell that s begins with, behind sudo, env and a
// path, or 0.
func runs(s string) int {
	_, end := shellRun(s)
	return end
}

var shellRun = matching(`^(`+runShell+`)`+closes, nil)

// download returns the place of a command that downloads and is not one that its
// maker's documentation tells people to run; start is -1 when there is none.
func download(line string) (start, end int) {
	if start, end = commandAt(line, 0, fetchers); start >= 0 && containsAny(line, installers) {
		return -1, 0
	}
	return start, end
}

// downloadPiped finds a download that goes into a shell.
func downloadPiped(line string) (int, int) {
	start, end := download(line)
	for i := end; start >= 0 && i < len(line); i++ {
		if line[i] == '|' && !strings.HasPrefix(line[i:], "||") && strings.ContainsAny(line[end:i], "./$:") {
			if n := runs(line[i+1:]); n > 0 && !parses(line[i+1+n:]) {
				return start, i + 1 + n
			}
		}
		if (strings.HasPrefix(line[i:], "&&") || line[i] == ';') && strings.Contains(line[end:i], "http") {
			rest := strings.TrimLeft(line[i:], "&; ")
			if n := runs(rest); n > 0 && !strings.HasPrefix(rest, "python") && !strings.HasPrefix(rest, "node") {
				return start, min(len(line), i+4+n)
			}
		}
	}
	return -1, 0
}

// parses reports whether a program is given to the shell on its command line: what it then reads is
// data.
func parses(args string) bool {
	return hasAnyPrefix(strings.TrimLeft(args, " "), "-c;-m json;-e ;-m ")
}

// keyAdded finds a key that is added to those that may sign in.
func keyAdded(line string) (int, int) {
	i := strings.Index(line, "authorized_keys")
	if i < 0 {
		return -1, 0
	}
	verb, _ := commandAt(line, 0, "add;append;put;insert;write;place;install;echo")
	if containsAny(line[:i], ">;tee ;add this;append this;add the following;append the following;put this;add my;add our") ||
		verb >= 0 && containsAny(line, "ssh-rsa aaaa;ssh-ed25519 aaaa") {
		return max(0, i-2), i + 15
	}
	return -1, 0
}

// jobAdded finds a job of cron that fetches something or calls out.
func jobAdded(line string) (int, int) {
	i := strings.Index(line, "crontab")
	job, end := commandAt(line, 0, "curl;wget;nc;bash -i")
	if i < 0 || job < 0 || !containsAny(line, "| crontab;|crontab;* * * *") {
		return -1, 0
	}
	return min(i, job), max(i+7, end)
}

// hooksMoved finds hooks that are looked for elsewhere than in a folder of the repository that is
// named for them.
func hooksMoved(line string) (int, int) {
	const setting = "core.hookspath"
	i := strings.Index(line, setting)
	if i < 0 || !strings.Contains(line, "git config") {
		return -1, 0
	}
	folder := strings.TrimRight(strings.Trim(wordOf(strings.TrimLeft(line[i+len(setting):], " =")), "\"'`"), "\"'`.,/")
	own := !strings.ContainsAny(folder, "~$:") && !strings.Contains(folder, "..") && !strings.HasPrefix(folder, "/")
	if own && hasAnySuffix("/"+folder, "/hooks;/githooks;/git-hooks;/.hooks;/.githooks;/husky;/.husky") {
		return -1, 0
	}
	return i, i + len(setting)
}

// notOf returns whether none of the words between semicolons is in a text.
func notOf(words string) func(text string) bool {
	return func(text string) bool { return !containsAny(text, words) }
}
