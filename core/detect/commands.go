package detect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// How many bytes of a line around a keyword are searched for commands.
const (
	commandBytesBefore = 240
	commandBytesAfter  = 700
)

// harmKind is a kind of harmful command: its rule and the signs that identify it in a lower-case
// line, tried in order.
type harmKind struct {
	rule  string
	signs []commandSign
}

// commandSign is one way to recognize a harmful command: a word, a command name or a finder, and
// words that must or must not occur in the same line. Lists of words are separated by semicolons.
// The words are checked before the finder because regular expressions are slow.
type commandSign struct {
	word          string
	commands      string                             // one of these as a separate word
	finder        func(line string) (start, end int) // replaces word and commands
	requires      string                             // the line must contain one of these
	excludes      string                             // the line must contain none of these
	requiresAfter string                             // the rest of the line must contain one of these

	keepsTrying bool // try later signs even if this one matches
	fallback    bool // try only if no earlier sign matches
}

// harmKinds are the kinds of harmful commands. commandLiterals refers to them by index.
var harmKinds = []harmKind{
	{RulePipe, []commandSign{
		{
			requires: "|",
			excludes: installerHosts,
			finder: regexpFinder(
				commandStart+"("+downloaders+`.*?(?:[/$:]|\.\w).*?\|`+pipedInterpreter+")("+commandEnd+".*)",
				runsItsInput,
			),
			keepsTrying: true,
		},
		{
			requires: "http",
			excludes: installerHosts,
			finder: regexpFinder(
				commandStart+"("+downloaders+`.*?http.*?(?:&&|;)[&; ]*`+sudoPrefix+interpreters+")"+commandEnd,
				nil,
			),
			keepsTrying: true,
			fallback:    true,
		},
		{
			requires:    "(;`",
			finder:      regexpFinder(runsOutput+"("+downloaders+"[^\n`]*)", containsNoneOf(installerHosts)),
			keepsTrying: true,
			fallback:    true,
		},
		{
			requires: "npm i;npx;pip",
			finder: regexpFinder(
				"((?:npm install|npm i|npx|pip3? install)\\s+(?:-\\S*\\s+)*(https?://\\S*)[^\n`]*)",
				containsNoneOf(packageHosts),
			),
			keepsTrying: true,
		},
		{
			requires: "downloadstring",
			finder:   regexpFinder(`(\b(?:iex|invoke-expression)\b.*?dow)nloadstring`, nil),
			fallback: true,
		},
		{requires: "downloadstring", finder: regexpFinder(`(downloadstring.*?\b(?:iex|inv))`, nil), fallback: true},
		{requires: "urlopen(", finder: regexpFinder(`(exec\([^\n]{0,40}urlopen\([^\n]{0,120}?\.read\()`, nil)},
		{
			requires: "requests.get(",
			finder: regexpFinder(
				`\b((?:exec|eval)\((?:compile\()?requests\.get\([^\n]{0,120}?\)\.(?:text|content))`,
				nil,
			),
		},
	}},
	{RuleSend, []commandSign{
		{finder: findSentSecretFile},
		{finder: findSentEnvironment},
		{finder: findSentVariable, keepsTrying: true},
		{
			requires: "$(",
			finder: regexpFinder(
				commandStart+`((?:nslookup|dig|ping|host|curl|wget)`+commandEnd+`(?:.*?[ "/])?\$\([^)]*\))\.[a-z]`,
				nil,
			),
			keepsTrying: true,
		},
		{
			requires:    "://",
			finder:      regexpFinder(`(git (?:push|remote add) [^\n]{0,70}?://([\d.]+))(?:[:/\s]|$)`, isPublicIP),
			keepsTrying: true,
		},
		{word: "stringify(process.env)", requires: "fetch(;axios;post(", keepsTrying: true},
		{
			requires:    "requests.post(",
			finder:      regexpFinder(`(requests\.post\(.*?os\.environ)(?:[^\[.]|\.[^g]|$)`, nil),
			keepsTrying: true,
		},
		{requires: "npx;uvx;bunx", finder: regexpFinder(tokenArgument, nil)},
		{
			requires: "requests.post(",
			finder: regexpFinder(
				"(requests\\.post\\((?:.*open\\(.*[/\"']\\.(?:ssh|aws|netrc|env\\b)|.*\\.ssh.*open\\()[^\n`]*)",
				nil,
			),
		},
	}},
	{RuleEncoded, []commandSign{
		{
			requires: "powershell;pwsh",
			finder: regexpFinder(
				commandStart+`((?:powershell|pwsh)(?:\.exe)?`+commandEnd+`.*?-(?:enc|e|ec|encodedcommand|en) )[ "']*[a-z0-9+/=]{12}`,
				nil,
			),
		},
		{
			requires: "powershell;pwsh",
			finder: regexpFinder(
				commandStart+`((?:powershell|pwsh)(?:\.exe)?`+commandEnd+`.*?frombase64string)`,
				nil,
			),
		},
		{requires: "|", finder: regexpFinder(`(`+decodeCommands+`.*?\|`+pipedInterpreter+`)`+commandEnd, nil)},
		{finder: regexpFinder(`((?:eval[ "]|\b(?:ba)?sh (?:-c|<\()|exec |source <\().*?`+decodeCommands+`)`, nil)},
		{
			requires: "(",
			finder: regexpFinder(
				`((?:exec|eval)\([^|]{0,120}?(?:b64decode|fromhex|atob|buffer\.from)\(|iex.{0,120}?frombase64string\()`,
				nil,
			),
		},
	}},
	{RuleAccess, []commandSign{
		{
			requires: "authorized_keys",
			finder: regexpFinder(
				`(?:>|tee |add this|append this|add the following|append the following|put this|add my|add our).*?(.{0,2}authorized_keys)`,
				nil,
			),
		},
		{requires: "ssh-rsa aaaa;ssh-ed25519 aaaa", finder: findAddedKey},
		{word: "nopasswd", requires: "=(;sudoers", requiresAfter: "all"},
		{word: "/dev/tcp/", requires: "bash -i;sh -i;exec "},
		{
			commands: "nc;ncat;netcat",
			requires: " -e /; -c /; -e sh; -e bash; -e cmd;| /bin/sh;|/bin/sh;| sh;/bin/sh -i",
		},
		{requires: "| crontab;|crontab;* * * *", finder: findCronDownload},
		{
			word:          "chmod u+s ",
			requiresAfter: "bash;/sh",
		},
		{word: "chmod +s ", requiresAfter: "bash;/sh"},
		{word: "chmod 4755 ", requiresAfter: "bash;/sh"},
		{word: "chmod 4777 ", requiresAfter: "bash;/sh"},
	}},
	{RuleDestroy, []commandSign{
		{
			word: "no-preserve-root",
		},
		{finder: regexpFinder(commandStart+`(rm(?:\s+-\S+|\s+sudo)*?\s+(?:-[a-z]*r[^\s`+"`"+`]*|--recursive)(?:\s+-\S+|\s+sudo)*\s+["'.,]*`+
			`(?:/|/\*|~|~/|~/\*|\$home/?\*?|\$\{home\}|/home|/etc|/usr|c:\\)["'.,]*)(?:[\s;|&`+"`"+`)]|$)`, nil)},
		{word: "mkfs.", requiresAfter: "/dev/"},
		{word: "of=/dev/sd"},
		{word: "of=/dev/nvme"},
		{word: "of=/dev/disk"},
		{word: ":(){ :|:"},
		{word: ":(){:|:"},
	}},
	{RuleChecks, []commandSign{
		{requires: "gh api;curl", finder: regexpFinder(unprotectedBranch, nil)},
		{requires: "pull_request_target", finder: regexpFinder(writingWorkflow, nil)},
		{
			word:     "--no-verify",
			requires: "git ",
		},
		{word: "core.hookspath", requires: "/dev/null"},
		{word: "http.sslverify", requires: "false"},
		{word: "git_ssl_no_verify="},
		{
			word:     "node_tls_reject_unauthorized",
			requires: "0",
		},
		{word: "setenforce 0"},
		{word: "ufw disable"},
		{word: "iptables -f"},
		{word: "iptables --flush"},
		{
			word:     "set-executionpolicy",
			requires: "bypass",
		},
		{word: "set-executionpolicy", requires: "unrestricted"},
		{word: "-executionpolicy bypass"},
		{word: "-disablerealtimemonitoring"},
		{
			word: "csrutil disable",
		},
		{word: "spctl --master-disable"},
		{word: "stricthostkeychecking", requires: "no"},
		{word: "--no-gpg-check"},
		{word: "gpgcheck=0"},
		{
			word: "--no-check-certificate",
		},
		{word: "verify=false", excludes: "skip_verify=false"},
		{word: "strict-ssl", requires: "false"},
		{word: "--no-gpg-sign", requires: "git "},
		{
			word:     "--no-verify",
			requires: "commit;push",
		},
		{requires: "git config", finder: regexpFinder("(core\\.hookspath)[\"'`]?[ =]*[\"'`]*(\\S*)", isForeignHooksFolder)},
		{word: "--trusted-host", requires: "pip"},
		{word: "index-url http://", requires: "pip"},
		{word: "gonosumdb=*"},
		{word: "[trusted=yes]"},
		{word: "--allow-unauthenticated"},
		{word: "gonosumcheck=1"},
		{word: "gosumdb=off"},
		{word: "goflags=-insecure"},
		{word: "--nogpgcheck"},
		{word: "checksumpolicy", requiresAfter: "ignore"},
		{word: "::stop-commands::"},
		{
			finder: regexpFinder(
				commandStart+"(chmod(?:\\s+\\S+){0,2}?\\s+[\"'`,.]*(?:0?777|a\\+rwx|ugo\\+rwx|a=rwx))[\"'`,.]*(?:\\s|$)",
				nil,
			),
		},
	}},
	{RulePermissions, []commandSign{
		{
			word: "--dangerously-skip-permissions",
		},
		{word: "--dangerously-bypass-approvals-and-sandbox"},
		{word: "dangerouslydisablesandbox"},
		{word: "--yolo"},
		{
			finder: regexpFinder(`(?:^|[^e])(bypasspermissions)`, nil),
		},
		{word: "--allow-all-tools"},
		{word: "--trust-all-tools"},
		{word: "enableallprojectmcpservers", requiresAfter: "true"},
		{word: "skipdangerousmodepermissionprompt", requiresAfter: "true"},
		{
			word: "bash(*)",
		},
		{word: "approval_policy", requires: "danger-full"},
		{word: "sandbox_mode", requiresAfter: "danger-full"},
		{word: "tools.autoapprove", requiresAfter: "true; on"},
		{
			word:          "hastrustdialogaccepted",
			requiresAfter: "true",
		},
		{word: "auto_approve=", requiresAfter: "=1;=true;=all"},
		{word: "yolo=", requiresAfter: "=1;=true"},
		{finder: regexpFinder(`(?:^|[^|\s])\s*(\byes\s*\|\s*(?:claude|codex|gemini|opencode|aider|agent))\b`, nil)},
	}},
	{RuleExposed, []commandSign{
		{requires: "credential.helper", finder: regexpFinder(clearCredentials, nil)},
		{requires: ">", finder: findAppendedSecret, keepsTrying: true},
		{
			finder: regexpFinder(
				commandStart+`(chmod\s+(?:-r\s+)?(?:0?[67]44|0?666|a\+r\w*|o\+r\w*)\s[^\n|;&]*?(?:\.key|id_rsa|id_ed25519|/etc/shadow|/private/|/\.env))\b`,
				nil,
			),
		},
	}},
	{RuleSource, []commandSign{
		{
			finder: regexpFinder(
				`(url\.["']?(https?://[^\s"']+)["']?\.insteadof)`,
				containsNoneOf("github.com;gitlab.com;bitbucket.org;x-access-token;oauth2"),
			),
		},
		{finder: regexpFinder(`((?:source|registry)\s*=?\s*["'](?:sparse\+)?http://([^\s"'/:]+))`, isForeignHost)},
	}},
	{RuleSendData, []commandSign{
		{requires: "|", finder: regexpFinder(sentArchive, nil)},
		{requires: "set-url", finder: regexpFinder(foreignPush, isForeignHost)},
		{
			finder: regexpFinder(
				`((?:anthropic|openai|gemini)_(?:base_url|api_base).{0,26}?://([\w.-]+))`,
				isForeignHost,
			),
		},
		{finder: regexpFinder(`(\|\s*(?:nc|ncat)\s+(?:-\S+\s+)*([\w.-]+))`, isForeignHost)},
	}},
}

// commandLiterals are the keywords that lead to harmful commands, with the indexes in harmKinds of
// the kinds to check.
var commandLiterals = []struct {
	kinds, literals string // words are separated by semicolons
}{
	{"013", "curl ;curl\t;wget ;iwr http;iwr -;irm http;irm -;invoke-w;invoke-r"},
	{"02", "invoke-e;iex (;iex(n;iex(i;downloadstring"},
	{
		"0",
		"npm install http;npm i http;npm i -g http;npm install -g http;npx http;npx -y http;pip install http;pip3 install http;pip install -r http;urlopen(;(requests.get(",
	},
	{"13", "| nc ;|nc -; nc -;ncat ;netcat ;socat ;telnet "},
	{
		"1",
		"git push http;git remote add;nslookup $;dig $(;ping $(;ping -c;host $(;scp ~;scp -;scp /;rsync ;nslookup ;sendmail; mail -s;gist create;printenv;requests.post;stringify(process.env;vault kv;generic-password;secretsmanager;secrets versions;op read",
	},
	{"2", "base64;b64decode;atob(;xxd -r;powershell;pwsh -;frombase64"},
	{"3", "authorized_keys;nopasswd;/dev/tcp/;crontab;chmod u+s;chmod +s;chmod 4"},
	{"4", "rm -r;rm -f;no-preserve-root;mkfs.;of=/dev/;:(){ ;:(){:"},
	{
		"5",
		"chmod ;--no-verify;hookspath;sslverify;ssl_no_verify;tls_reject;setenforce;ufw disable;iptables -f;iptables --flush;executionpolicy;" +
			"realtimemonitoring;csrutil;spctl --;stricthostkey;no-check-certificate;--no-gpg;gpgcheck=0;verify=false;strict-ssl;--trusted-host;index-url http:;gonosum;gosumdb;[trusted=;allow-unauth;goflags=-in;nogpgcheck;checksumpolicy;stop-commands",
	},
	{
		"6",
		"dangerous;--yolo;bypasspermissions;-all-tools;bash(*);allprojectmcp;approval_policy;sandbox_mode;autoapprove;trustdialog;auto_approve;yolo=;yes | ",
	},
	{"7", "chmod ;credential.helper;cat ~/;cat .env;cat /etc;/.ssh/;.aws/cred;.git-credentials"},
	{"1", " npx ;`npx ;\nnpx ; uvx ;bunx "},
	{"5", "/protection;pull_request_target"},
	{"9", "git bundle;git archive;tar c;tar -c;tar czf;tar -z;zip -r;pg_dump;mysqldump;mongodump;set-url"},
	{"8", ".insteadof;sparse+http:;source 'http:;source \"http:"},
	{"9", "| nc ;| ncat;anthropic_base;openai_base;openai_api_base;anthropic_api_base;gemini_base"},
}

// commandKeywords returns the keywords of commands.
func commandKeywords() (out []keyword) {
	for _, row := range commandLiterals {
		for w := range strings.SplitSeq(row.literals, ";") {
			if w != "" {
				out = append(
					out,
					keyword{text: w, check: func(s *flagScanner, at int) { s.checkCommands(at, row.kinds) }},
				)
			}
		}
	}
	return out
}

// allKeywords returns all keywords.
func allKeywords() []keyword {
	return slices.Concat(phraseKeywords(), sentenceKeywords(), markupKeywords(), commandKeywords())
}

// checkCommands checks the line around byte at for some kinds of harm. Each line is checked once
// for a kind.
func (s *flagScanner) checkCommands(at int, kinds string) {
	for _, h := range []byte(kinds) {
		h -= '0'
		if at < s.commandsCheckedTo[h] {
			continue
		}
		from, to := s.lineAround(at, s.commandsCheckedTo[h])
		s.commandsCheckedTo[h] = to
		harmKinds[h].eachMatch(lowerASCII(s.text[from:to]), func(start, end int) {
			s.reportFind(harmKinds[h].rule, from+start, from+end, true)
		})
	}
}

// eachMatch calls report for each match of the harm in a line.
func (h *harmKind) eachMatch(line string, report func(start, end int)) {
	found := false
	for _, g := range h.signs {
		if g.fallback && found {
			continue
		}
		start, end := g.match(line)
		if start < 0 {
			continue
		}
		report(start, end)
		if found = true; !g.keepsTrying {
			return
		}
	}
}

// match returns where a sign matches in a line, or -1.
func (g *commandSign) match(line string) (start, end int) {
	if g.requires != "" && !containsAny(line, g.requires) || g.excludes != "" && containsAny(line, g.excludes) {
		return -1, 0
	}
	switch {
	case g.finder != nil:
		start, end = g.finder(line)
	case g.commands != "":
		start, end = findCommand(line, 0, g.commands)
	default:
		start = strings.Index(line, g.word)
		end = start + len(g.word)
	}
	if start < 0 || isDenied(line, start, end) || g.requiresAfter != "" && !containsAny(line[start:], g.requiresAfter) {
		return -1, 0
	}
	return start, end
}

// lineAround returns the line around byte at, from first on, with the lines that a backslash
// continues. Its length is limited.
func (s *flagScanner) lineAround(at, first int) (from, to int) {
	from = max(first, at-commandBytesBefore)
	if i := strings.LastIndexByte(s.text[from:at], '\n'); i >= 0 && (from+i == 0 || s.text[from+i-1] != '\\') {
		from += i + 1
	}
	to = at
	for most := min(len(s.text), at+commandBytesAfter); to < most && !s.endsLine(to); {
		to++
	}
	return from, to
}

// endsLine reports whether byte i ends a line that no backslash continues.
func (s *flagScanner) endsLine(i int) bool {
	return s.text[i] == '\n' && (i == 0 || s.text[i-1] != '\\')
}

// findCommand returns the first of some commands that occurs as a separate word in line[i:], or -1.
// The names are separated by semicolons.
func findCommand(line string, i int, names string) (start, end int) {
	start = -1
	for name := range strings.SplitSeq(names, ";") {
		for k := indexFrom(line, name, i); k >= 0; k = indexFrom(line, name, k+1) {
			if (k == 0 || !isCommandNameByte(line[k-1])) &&
				(k+len(name) == len(line) || !isCommandNameByte(line[k+len(name)])) {
				if start < 0 || k < start {
					start, end = k, k+len(name)
				}
				break
			}
		}
	}
	return start, end
}

// isCommandNameByte reports whether c may be part of the name of a command.
func isCommandNameByte(c byte) bool { return inClass(c, slug|dot) }

// commandEndAfter returns the end of the command around byte i.
func commandEndAfter(line string, i int) int {
	if n := strings.IndexAny(line[i:], "\n`"); n >= 0 {
		return i + n
	}
	return min(len(line), i+240)
}

const (
	// installerHosts serve install scripts that their documentation tells people to pipe into a
	// shell.
	installerHosts = "sh.rustup.rs;get.docker.com;raw.githubusercontent.com/homebrew/;bun.sh/;deno.land/;get.pnpm.io;install.python-poetry.org;astral.sh/;" +
		"deb.nodesource.com;nvm-sh/nvm;get.sdkman.io;ollama.com/install;mise.run;starship.rs;claude.ai/install;tailscale.com/install;get.k3s.io;get.helm.sh;helm/helm;" +
		"sdk.cloud.google.com;golangci/golangci-lint;fluxcd.io/install;run.linkerd.io;app.factory.ai/cli;brew.sh;pyenv.run;fnm.vercel.app;nixos.org/nix;install.determinate.systems"
	// packageHosts are as trustworthy as the package registry itself.
	packageHosts = "github.com/;gitlab.com/;registry.npmjs.org/;files.pythonhosted.org/;codeload.github.com/;pkg.pr.new/;download.pytorch.org/"
)

// regexpFinder returns a finder for the first group of an expression, compiled on first use.
// accept, unless nil, decides whether the match counts; it gets the last group.
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

// Parts of expressions: the boundaries of a command, and groups of commands.
const (
	commandStart = `(?:^|[^\w.-])`
	commandEnd   = `(?:[^\w.-]|$)`
	downloaders  = `(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|fetch)` + commandEnd
	interpreters = `(?:sh|bash|zsh|dash|ksh|fish|perl|ruby|php|iex|pwsh|powershell|invoke-expression)`
	// sudoPrefix matches what may precede a command. pipedInterpreter matches a command that runs
	// its input.
	sudoPrefix       = `[ \t\n"'\\]*(?:(?:sudo|-e |env |/usr/bin/|/bin/|nohup |exec )[ \t\n"'\\]*)*`
	pipedInterpreter = sudoPrefix + `(?:` + interpreters + `|python3?|node)`
	// runsOutput matches a command that runs the output of the one that follows. Bash(curl is a permission.
	runsOutput     = "(?:(?:bash|sh|-c|eval|source|exec| \\.)[\"' ]*(?:<\\(|\\$\\(|`)|iex[\"' ]*\\$?\\()\\s*"
	decodeCommands = `(?:base64 (?:-d|--decode)|xxd -r|openssl base64 -d|openssl enc -d)`
)

// runsItsInput reports whether an interpreter with these arguments runs its input. With a program
// on its command line, the input is only data.
func runsItsInput(args string) bool {
	return !hasAnyPrefix(strings.TrimLeft(args, " "), "-c;-m json;-e ;-m ")
}

// findAddedKey finds authorized_keys in a line with a separate verb that adds something.
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

// isForeignHooksFolder reports whether a git hooks folder is outside the repository or has an
// unusual name.
func isForeignHooksFolder(folder string) bool {
	folder = strings.TrimRight(folder, "\"'`.,/")
	own := !strings.ContainsAny(folder, "~$:") && !strings.Contains(folder, "..") && !strings.HasPrefix(folder, "/")
	return !own || !hasAnySuffix("/"+folder, "/hooks;/githooks;/git-hooks;/.hooks;/.githooks;/husky;/.husky")
}

// containsNoneOf returns a test for texts that contain none of the words, which are separated by
// semicolons.
func containsNoneOf(words string) func(text string) bool {
	return func(text string) bool { return !containsAny(text, words) }
}

// secretPlaces are files and commands that hold or print secrets.
const secretPlaces = ".env;/.ssh/;~/.ssh ;~/.aws ;~/.gnupg ;~/.kube ;id_rsa;id_ed25519;.aws/credentials;/etc/passwd;/etc/shadow;.netrc;.npmrc;.pypirc;.pgpass;" +
	".git-credentials;.kube/config;.docker/config.json;printenv;$(env);`env`;.bash_history;.zsh_history;wallet.dat;.gnupg;" +
	"vault kv get;find-generic-password;secretsmanager get-secret-value;secrets versions access;op read op:;" +
	"credentials.json;/proc/self/environ;secrets.y;keychain;cookies.sqlite;login data;/.claude;.config/gh/hosts;" +
	"-sa.json;service-account.json;service_account.json;.jks;.p12;.pfx;.kdbx;_key.pem;-key.pem;/key.pem;privkey.pem;keystore.properties"

// Commands that name an artefact.
const (
	// sentArchive matches an archive, a bundle or a dump that is piped to an upload.
	sentArchive = commandStart + `((?:git (?:bundle|archive)|tar|zip|7z|pg_dump(?:all)?|mysqldump|mongodump)\s[^|]*` +
		`(?:\|[^|]*)*\|\s*(?:curl|wget|nc|ncat|aws s3 cp -|gsutil cp -|rclone rcat))` + commandEnd
	// foreignPush matches a repository that pushes somewhere else than it fetches from.
	foreignPush = `(git remote set-url (?:--add )?--push \S+ ["']?(?:\w+://|\w+@)(?:[^@\s/]*@)?([\w.-]+))`
	// clearCredentials matches a helper that stores passwords as they are.
	clearCredentials = `(credential\.helper["']?[ =]+["']?store)\b`
	// tokenArgument matches a token that a downloaded program gets as an argument, where the process list shows it.
	tokenArgument = commandStart + `((?:npx|bunx|uvx)\s[^|;&` + "`" + `]*?(?:--?(?:token|api-?key|secret|password|auth)[= ]["']?)?` +
		`\$\{?\w*(?:token|secret|passw|api_?key)\w*)`
	// unprotectedBranch matches the removal of a branch's protection by the API.
	unprotectedBranch = `((?:gh api|curl)\s[^\n]*?(?:delete\b[^\n]*?branches/[^\s/]+/protection|branches/[^\s/]+/protection[^\n]*?\bdelete\b))`
	// writingWorkflow matches a workflow that runs for strangers with the right to write.
	writingWorkflow = `(pull_request_target[^\n]{0,120}?(?:contents|write-all|permissions)[^\n]{0,20}?write|write[^\n]{0,80}?pull_request_target)`
)

// findAppendedSecret finds a file with secrets that is written into another.
func findAppendedSecret(line string) (int, int) {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		i := strings.Index(line, p)
		if i < 0 || !isSecretPlace(line, i, p) {
			continue
		}
		start := max(strings.LastIndex(line[:i], "cat "), strings.LastIndex(line[:i], "tee "))
		target := strings.IndexByte(line[i:], '>')
		if start < 0 || target < 0 || strings.ContainsAny(line[start:i], "|;&>") ||
			strings.ContainsAny(line[i:i+target], "|;&<") {
			continue
		}
		if rest := strings.TrimLeft(line[i+target:], "> "); rest != "" &&
			!hasAnyPrefix(rest, "/dev/null;.env;~/;$home") {
			return start, i + target + 1
		}
	}
	return -1, 0
}

// sendCommands are commands that send their input or arguments.
const sendCommands = "curl;wget;nc;ncat;netcat;telnet;socat;scp;rsync;sftp;ftp;invoke-webrequest;invoke-restmethod;iwr;irm;mail;sendmail;openssl;http put;http post"

// findSentSecretFile finds a command that sends a file with secrets or the output of a command that
// prints them.
func findSentSecretFile(line string) (int, int) {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		for i := indexFrom(line, p, 0); i >= 0; i = indexFrom(line, p, i+len(p)) {
			if !isSecretPlace(line, i, p) {
				continue
			}
			if start, end := sentSpan(line, i, i+len(p)); start >= 0 {
				return start, end
			}
		}
	}
	return -1, 0
}

// findSentEnvironment finds a command that sends all environment variables.
func findSentEnvironment(line string) (int, int) {
	i, n := findCommand(line, 0, "env;set")
	if i >= 0 &&
		(strings.HasPrefix(strings.TrimLeft(line[n:], " "), "|") || i > 1 && (line[i-1] == '(' || line[i-1] == '`')) {
		return sentSpan(line, i, n)
	}
	return -1, 0
}

// isSecretPlace reports whether the path at byte i of a line holds secrets. Public keys, example
// files and longer names do not.
func isSecretPlace(line string, i int, place string) bool {
	rest := line[i+len(place):]
	if hasAnyPrefix(rest, ".pub;.example;.sample;.template;ironment") ||
		place == "/.ssh/" && (strings.HasPrefix(rest, "known_hosts") || strings.Contains(firstField(rest), ".pub")) {
		return false
	}
	if place == "printenv" && strings.Contains(line[:i], "authorization:") &&
		isLetter(strings.TrimSpace(rest + "|")[0]) {
		return false // the key of a service, in the header that it asks for
	}
	if place == "/.claude" && hasAnyPrefix(rest, "/skills;/commands;/agents;/hooks;/scripts;/plugins;/rules;/get-") {
		return false // code, not memories
	}
	return place != ".env" || standsAlone(line[:i], rest)
}

// standsAlone reports whether a name is a whole one: no letter or bracket around it makes it the name of a member or
// of a function.
func standsAlone(before, after string) bool {
	if before != "" && (isLetter(before[len(before)-1]) || before[len(before)-1] == ')') {
		return false
	}
	return after == "" || !isLetter(after[0]) && strings.IndexByte("_([", after[0]) < 0
}

// firstField returns the part of s before the first white space.
func firstField(s string) string {
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// sentSpan returns the span of a line from the secret line[start:end] to the command that sends it,
// or -1 if none does.
func sentSpan(line string, start, end int) (from, to int) {
	if pipe := strings.IndexByte(line[end:], '|'); pipe >= 0 {
		// notes may omit the destination
		if s, e := findCommand(line, end+pipe, sendCommands); s >= 0 &&
			!hasAnyPrefix(strings.TrimLeft(line[e:], " "), "…;...") {
			return start, commandEndAfter(line, e)
		}
	}
	if s, e := findCommand(line, 0, "xargs"); s > end {
		return start, e
	}
	head := line[:start]
	s, _ := findCommand(head, 0, sendCommands)
	if s < 0 {
		s, _ = findCommand(head, 0, "nslookup;dig;ping;fetch;gist create;aws s3 cp;gsutil cp")
	}
	if s < 0 {
		return -1, 0
	}
	between := head[s:]
	given := strings.TrimRight(between[:strings.LastIndexAny(between, " \t\n=@<\"'(`")+1], "\"' ")
	if isInSubstitution(between) ||
		hasAnySuffix(given, "@;<;-t;--upload-file;--post-file;--post-file=;--body-file=;-infile") {
		return s, max(end, min(len(line), end+1))
	}
	copier, _ := findCommand(between, 0, "scp;rsync;sftp;aws s3 cp;gsutil cp;gist create")
	if copier >= 0 && !strings.HasSuffix(given, "-i") &&
		(strings.Contains(line[end:], ":") || between[copier] == 'g' || between[copier] == 'a') {
		return s, commandEndAfter(line, end)
	}
	return -1, 0
}

// isInSubstitution reports whether what follows a command is inside of a substitution that the command began.
func isInSubstitution(command string) bool {
	if open := strings.LastIndex(command, "$("); open >= 0 && !strings.Contains(command[open:], ")") {
		return true
	}
	return strings.Count(command, "`")%2 == 1 && !strings.Contains(command, ". ")
}

// postDataOptions are the options of a sender that precede the posted data.
const postDataOptions = " -d; --data; --data-raw; --data-binary; -d ; --data ; --data-raw ; --data-binary ; --data-urlencode ; --post-data=; --post-data ; -body "

// findSentVariable finds a variable named like a secret that is sent as the posted data or as a URL
// parameter. A parameter named like a credential is how APIs are called and does not count.
func findSentVariable(line string) (int, int) {
	s, _ := findCommand(line, 0, "curl;wget;iwr;irm;invoke-webrequest;invoke-restmethod;nslookup")
	for i := max(s, 0); s >= 0 && i < len(line); i++ {
		if line[i] != '$' {
			continue
		}
		name := line[i+1 : i+1+variableNameLen(line[i+1:])]
		if !containsAny(name, "key;token;secret;passw;credential;apikey") {
			continue
		}
		before := strings.TrimRight(line[s:i], "\"'")
		if hasAnySuffix(before, postDataOptions) || endsInParameter(before) {
			return s, i + 1 + len(name)
		}
	}
	return -1, 0
}

// endsInParameter reports whether a command ends with a parameter of a URL that waits for its value, and that is not
// named like a credential.
func endsInParameter(command string) bool {
	at := strings.LastIndexAny(command, "?&")
	if at < 0 || !strings.HasSuffix(command, "=") || !strings.Contains(command[:at], "http") {
		return false
	}
	name := command[at+1 : len(command)-1]
	return !strings.ContainsAny(name, " /") &&
		!containsAny(name, "key;token;auth;appid;app_id;secret;pass;sig;pwd;api")
}

// variableNameLen returns the length of the variable name at the start of s.
func variableNameLen(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789_{}"))
}

// isForeignHost reports whether a host is a domain name that isTrustedHost does not know.
func isForeignHost(host string) bool { return isDomain(host) && !isTrustedHost(host) }
