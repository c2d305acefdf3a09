package detect

import "strings"

const (
	fetchers = "curl;wget;iwr;irm;invoke-webrequest;invoke-restmethod;aria2c;fetch"
	shells   = "sh;bash;zsh;dash;ksh;fish;python;python3;node;perl;ruby;php;iex;pwsh;powershell;invoke-expression"
	// installers are hosts whose documentation tells people to run what they send.
	installers = "sh.rustup.rs;get.docker.com;raw.githubusercontent.com/homebrew/;bun.sh/;deno.land/;get.pnpm.io;install.python-poetry.org;astral.sh/;" +
		"deb.nodesource.com;nvm-sh/nvm;get.sdkman.io;ollama.com/install;mise.run;starship.rs;claude.ai/install;tailscale.com/install;get.k3s.io;get.helm.sh;helm/helm;" +
		"sdk.cloud.google.com;golangci/golangci-lint;fluxcd.io/install;run.linkerd.io;app.factory.ai/cli;brew.sh;pyenv.run;fnm.vercel.app;nixos.org/nix;install.determinate.systems"
	// forges are hosts of packages that are no more foreign than the registry.
	forges = "github.com/;gitlab.com/;registry.npmjs.org/;files.pythonhosted.org/;codeload.github.com/;pkg.pr.new/;download.pytorch.org/"
)

// runs returns the end of the name of a shell that s begins with, behind sudo, env and a
// path, or 0.
func runs(s string) int {
	i := 0
	for {
		before := i
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '"' || s[i] == '\'' || s[i] == '\\' || s[i] == '\n') {
			i++
		}
		for _, skip := range []string{"sudo", "-e ", "env ", "/usr/bin/", "/bin/", "nohup ", "exec "} {
			if strings.HasPrefix(s[i:], skip) {
				i += len(skip)
			}
		}
		if i == before {
			break
		}
	}
	for sh := range strings.SplitSeq(shells, ";") {
		if strings.HasPrefix(s[i:], sh) && (i+len(sh) == len(s) || !nameByte(s[i+len(sh)])) {
			return i + len(sh)
		}
	}
	return 0
}

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

// downloadSubstituted finds a download whose output is the argument of a shell.
func downloadSubstituted(line string) (int, int) {
	start, _ := download(line)
	if start < 0 {
		return -1, 0
	}
	before := line[max(0, start-14):start]
	open := strings.LastIndexAny(before, "(`")
	if open >= 0 && strings.TrimSpace(before[open+1:]) == "" &&
		hasAnySuffix(strings.TrimRight(before[:open], "<$\"' "), "bash;sh;-c;eval;source;iex;exec; .") {
		return start, lineEnd(line, start)
	}
	return -1, 0
}

// downloadString finds a download that PowerShell evaluates.
func downloadString(line string) (int, int) {
	i := strings.Index(line, "downloadstring")
	if i < 0 {
		return -1, 0
	}
	iex, _ := commandAt(line, 0, "iex;invoke-expression")
	if iex < 0 {
		return -1, 0
	}
	return min(i, iex), max(i, iex) + 3
}

// foreignPackage returns a finder of a command that installs, first of all, a package from
// an address that is neither of the registry nor of a forge.
func foreignPackage(command string) func(line string) (int, int) {
	return func(line string) (int, int) {
		i := strings.Index(line, command)
		if i < 0 {
			return -1, 0
		}
		args := line[i+len(command):]
		for a := range strings.FieldsSeq(args[:min(len(args), 200)]) {
			if strings.HasPrefix(a, "-") {
				continue
			}
			if hasAnyPrefix(a, "http://;https://") && !containsAny(a, forges) {
				return i, lineEnd(line, i)
			}
			break
		}
		return -1, 0
	}
}

// shellEncoded finds a command of PowerShell in base64.
func shellEncoded(line string) (int, int) {
	s, e := commandAt(line, 0, "powershell;powershell.exe;pwsh")
	if s < 0 {
		return -1, 0
	}
	for _, flag := range []string{" -enc ", " -e ", " -ec ", " -encodedcommand ", " -en "} {
		if i := strings.Index(line[e:], flag); i >= 0 {
			given := strings.TrimLeft(line[e+i+len(flag):], " \"'")
			if run(given, 0, alnum|base64s) >= 12 {
				return s, e + i + len(flag)
			}
		}
	}
	if i := strings.Index(line[e:], "frombase64string"); i >= 0 {
		return s, e + i + 16
	}
	return -1, 0
}

// decodedAndRun finds what a shell decodes and runs.
func decodedAndRun(line string) (int, int) {
	for _, decode := range []string{"base64 -d", "base64 --decode", "base64 -di", "base64 -D", "xxd -r", "openssl base64 -d", "openssl enc -d"} {
		i := strings.Index(line, decode)
		if i < 0 {
			continue
		}
		for j := i; j < len(line); j++ {
			if line[j] == '|' {
				if n := runs(line[j+1:]); n > 0 {
					return i, j + 1 + n
				}
			}
		}
		for _, shell := range []string{"eval ", "eval\"", "bash -c", "sh -c", "bash <(", "sh <(", "exec ", "source <("} {
			if k := strings.Index(line[:i], shell); k >= 0 {
				return k, i + len(decode)
			}
		}
	}
	return -1, 0
}

// decodedAndEvaluated finds what a program decodes and evaluates.
func decodedAndEvaluated(line string) (int, int) {
	for _, p := range [][2]string{{"exec(", "b64decode("}, {"eval(", "b64decode("}, {"eval(", "atob("}, {"exec(", "fromhex("}, {"eval(", "buffer.from("}, {"iex", "frombase64string("}} {
		if i := strings.Index(line, p[0]); i >= 0 {
			if j := strings.Index(line[i:], p[1]); j >= 0 && j < 120 {
				return i, i + j + len(p[1])
			}
		}
	}
	return -1, 0
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

// allRemoved finds a command that removes everything.
func allRemoved(line string) (int, int) {
	for from := 0; ; {
		s, e := commandAt(line, from, "rm")
		if s < 0 {
			return -1, 0
		}
		from = e
		if end := removesAll(line[e:]); end > 0 {
			return s, e + end
		}
	}
}

// removesAll returns the end of the first target when the arguments of rm remove the
// root or the home folder and all in it, else 0.
func removesAll(args string) int {
	recursive, at := false, 0
	for at < len(args) {
		for at < len(args) && (args[at] == ' ' || args[at] == '\t') {
			at++
		}
		end := at
		for end < len(args) && !strings.ContainsRune(" \t\n;|&`)", rune(args[end])) {
			end++
		}
		a := strings.Trim(args[at:end], "\"'.,")
		switch {
		case at == end:
			return 0
		case strings.HasPrefix(a, "-"):
			recursive = recursive || strings.ContainsAny(a, "r") && !strings.HasPrefix(a, "--") || a == "--recursive"
		case a == "/" || a == "/*" || a == "~" || a == "~/" || a == "~/*" || a == "$home" || a == "$home/" || a == "$home/*" || a == "${home}" || a == "/home" || a == "/etc" || a == "/usr" || a == "c:\\":
			if recursive {
				return end
			}
			return 0
		case a != "sudo":
			return 0
		}
		at = end
	}
	return 0
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

// permissionsBypassed finds the mode in which an agent asks for nothing, but not the setting that
// forbids it.
func permissionsBypassed(line string) (int, int) {
	const mode = "bypasspermissions"
	for i := 0; ; {
		k := strings.Index(line[i:], mode)
		if k < 0 {
			return -1, 0
		}
		k, i = i+k, i+k+len(mode)
		if !strings.HasSuffix(line[:k], "disable") && !deniedIn(line, k) {
			return k, i
		}
	}
}

// openedToAll finds a file that anybody may change.
func openedToAll(line string) (int, int) {
	for from := 0; ; {
		s, e := commandAt(line, from, "chmod")
		if s < 0 {
			return -1, 0
		}
		from = e
		args := strings.Fields(line[e:min(len(line), e+60)])
		for _, a := range args[:min(len(args), 3)] {
			switch a = strings.Trim(a, "\"'`,."); a {
			case "777", "0777", "a+rwx", "ugo+rwx", "a=rwx":
				return s, e + strings.Index(line[e:], a) + len(a)
			}
		}
	}
}
