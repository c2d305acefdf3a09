package detect

import "strings"

// So much of a line around a keyword is looked at for commands.
const (
	lineBefore = 240
	lineAfter  = 700
)

// harms are the checks of a line, by what they find.
var harms = []func(line string) []harm{piped, sends, encodedCommand, access, destroys, unchecked, permits}

// commandWords are what the commands that harm are looked for by, with the numbers of
// the harms that each may be part of.
var commandWords = []struct {
	harms, words string // the words between ;
}{
	{"013", "curl ;curl\t;wget ;iwr http;iwr -;irm http;irm -;invoke-w;invoke-r"},
	{"02", "invoke-e;iex (;iex(n;iex(i;downloadstring"},
	{"0", "npm install http;npm i http;npm i -g http;npm install -g http;npx http;npx -y http;pip install http;pip3 install http;pip install -r http"},
	{"13", "| nc ;|nc -; nc -;ncat ;netcat ;socat ;telnet "},
	{"1", "git push http;git remote add;nslookup $;dig $(;ping $(;ping -c;host $(;scp ~;scp -;scp /;rsync ;nslookup ;sendmail; mail -s;gist create;printenv;requests.post;stringify(process.env"},
	{"2", "base64;b64decode;atob(;xxd -r;powershell;pwsh -;frombase64"},
	{"3", "authorized_keys;nopasswd;/dev/tcp/;crontab;chmod u+s;chmod +s;chmod 4"},
	{"4", "rm -r;rm -f;no-preserve-root;mkfs.;of=/dev/;:(){ ;:(){:"},
	{"5", "chmod ;--no-verify;hookspath;sslverify;ssl_no_verify;tls_reject;setenforce;ufw disable;iptables -f;iptables --flush;executionpolicy;" +
		"realtimemonitoring;csrutil;spctl --;stricthostkey;no-check-certificate;--no-gpg;gpgcheck=0;verify=false;strict-ssl;--trusted-host;index-url http:"},
	{"6", "dangerous;--yolo;bypasspermissions;-all-tools;bash(*);allprojectmcp"},
}

// commandKeys returns the keywords of commands.
func commandKeys() []keyword {
	var out []keyword
	for _, row := range commandWords {
		for w := range strings.SplitSeq(row.words, ";") {
			if w != "" {
				out = append(out, keyword{text: w, check: func(s *flagScanner, at int) { s.commands(at, row.harms) }})
			}
		}
	}
	return out
}

// keywords returns all keywords.
func keywords() []keyword {
	out := append(phraseKeys(), nearKeys()...)
	out = append(out, markupKeys()...)
	return append(out, commandKeys()...)
}

// found is a place in a line, and the rule that it breaks.
type harm struct {
	rule       string
	start, end int
}

// commands looks at the line around byte at for some harms, once for each.
func (s *flagScanner) commands(at int, which string) {
	for _, h := range []byte(which) {
		h -= '0'
		if at < s.lines[h] {
			continue
		}
		from, to := s.lineAround(at, s.lines[h])
		s.lines[h] = to
		for _, f := range harms[h](lowerASCII(s.text[from:to])) {
			s.weigh(f.rule, from+f.start, from+f.end, true)
		}
	}
}

// lineAround returns the line that byte at is on, with those that it goes on to behind a
// backslash, but for what lies before first or far away.
func (s *flagScanner) lineAround(at, first int) (from, to int) {
	from = max(first, at-lineBefore)
	if i := strings.LastIndexByte(s.text[from:at], '\n'); i >= 0 && (from+i == 0 || s.text[from+i-1] != '\\') {
		from += i + 1
	}
	to = at
	for most := min(len(s.text), at+lineAfter); to < most && (s.text[to] != '\n' || to > 0 && s.text[to-1] == '\\'); {
		to++
	}
	return from, to
}

// commandAt returns where the first of some commands stands in a line as a word by
// itself, from byte i on, and its end; -1 when there is none.
func commandAt(line string, i int, names ...string) (start, end int) {
	start = -1
	for _, name := range names {
		for from := i; ; {
			k := strings.Index(line[from:], name)
			if k < 0 {
				break
			}
			k += from
			if (k == 0 || !nameByte(line[k-1])) && (k+len(name) == len(line) || !nameByte(line[k+len(name)])) {
				if start < 0 || k < start {
					start, end = k, k+len(name)
				}
				break
			}
			from = k + 1
		}
	}
	return start, end
}

// nameByte reports whether c can be of the name of a command.
func nameByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

var (
	fetchers = []string{"curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "aria2c", "fetch"}
	shells   = []string{"sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "php", "iex", "pwsh", "powershell", "invoke-expression"}
	// installers are hosts whose documentation tells people to run what they send.
	installers = []string{"sh.rustup.rs", "get.docker.com", "raw.githubusercontent.com/homebrew/", "bun.sh/", "deno.land/", "get.pnpm.io", "install.python-poetry.org", "astral.sh/",
		"deb.nodesource.com", "nvm-sh/nvm", "get.sdkman.io", "ollama.com/install", "mise.run", "starship.rs", "claude.ai/install", "tailscale.com/install", "get.k3s.io", "get.helm.sh", "helm/helm", "sdk.cloud.google.com", "golangci/golangci-lint", "brew.sh", "pyenv.run", "fnm.vercel.app", "nixos.org/nix", "install.determinate.systems"}
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
	for _, sh := range shells {
		if strings.HasPrefix(s[i:], sh) && (i+len(sh) == len(s) || !nameByte(s[i+len(sh)])) {
			return i + len(sh)
		}
	}
	return 0
}

// piped finds downloads that are run unread, and packages from anywhere.
func piped(line string) (out []harm) {
	start, end := commandAt(line, 0, fetchers...)
	if start >= 0 && !knownInstaller(line) {
		for i := end; i < len(line); i++ {
			n := 0
			if line[i] == '|' && !strings.HasPrefix(line[i:], "||") {
				n = runs(line[i+1:])
			}
			if n > 0 {
				out = append(out, harm{RulePipe, start, i + 1 + n})
				break
			}
			if (strings.HasPrefix(line[i:], "&&") || line[i] == ';') && strings.Contains(line[end:i], "http") {
				rest := strings.TrimLeft(line[i:], "&; ")
				if sh := runs(rest); sh > 0 && !strings.HasPrefix(rest, "python") && !strings.HasPrefix(rest, "node") {
					out = append(out, harm{RulePipe, start, min(len(line), i+4+sh)})
					break
				}
			}
		}
		before := line[max(0, start-14):start]
		if open := strings.LastIndexAny(before, "(`"); open >= 0 && strings.TrimSpace(before[open+1:]) == "" && len(out) == 0 {
			head := strings.TrimRight(before[:open], "<$\"' ")
			for _, sh := range []string{"bash", "sh", "-c", "eval", "source", "iex", "exec", " ."} {
				if strings.HasSuffix(head, sh) {
					out = append(out, harm{RulePipe, start, lineEnd(line, start)})
					break
				}
			}
		}
	}
	for _, p := range []string{"npm install ", "npm i ", "npx ", "pip install ", "pip3 install "} {
		if i := strings.Index(line, p); i >= 0 && foreignPackage(line[i+len(p):]) {
			out = append(out, harm{RulePipe, i, lineEnd(line, i)})
		}
	}
	if i := strings.Index(line, "downloadstring"); i >= 0 && len(out) == 0 {
		if iex, _ := commandAt(line, 0, "iex", "invoke-expression"); iex >= 0 {
			out = append(out, harm{RulePipe, min(i, iex), max(i, iex) + 3})
		}
	}
	return out
}

func knownInstaller(line string) bool {
	for _, host := range installers {
		if strings.Contains(line, host) {
			return true
		}
	}
	return false
}

// foreignPackage reports whether the first thing that is installed comes from an address
// that is neither the registry nor a forge.
func foreignPackage(args string) bool {
	for a := range strings.FieldsSeq(args[:min(len(args), 200)]) {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if !strings.HasPrefix(a, "http://") && !strings.HasPrefix(a, "https://") {
			return false
		}
		for _, host := range []string{"github.com/", "gitlab.com/", "registry.npmjs.org/", "files.pythonhosted.org/", "codeload.github.com/", "pkg.pr.new/", "download.pytorch.org/"} {
			if strings.Contains(a, host) {
				return false
			}
		}
		return true
	}
	return false
}

// lineEnd returns the end of the command that begins at byte i.
func lineEnd(line string, i int) int {
	if n := strings.IndexAny(line[i:], "\n`"); n >= 0 {
		return i + n
	}
	return min(len(line), i+240)
}
