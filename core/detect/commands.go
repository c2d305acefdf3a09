package detect

import (
	"slices"
	"strings"
)

// How much of a line around a keyword is searched for commands.
const (
	lineBefore = 240
	lineAfter  = 700
)

// harm is a kind of harmful command: its rule, and the signs that identify it in a lower-case line.
// The signs are tried in order.
type harm struct {
	rule  string
	signs []sign
}

// sign is one way to recognize a harmful command. It looks for a word, a command, or the result of
// find, and may require other words anywhere in the line or after that place. Lists of words are
// separated by semicolons. Words are checked first because regular expressions are slow.
type sign struct {
	word     string
	commands string                             // one of these as a separate word
	find     func(line string) (start, end int) // used instead of the words and commands
	with     string                             // the line must contain one of these
	without  string                             // the line must contain none of these
	behind   string                             // the rest of the line must contain one of these

	more bool // later signs are tried even if this one matches
	last bool // tried only if no earlier sign matches
}

// harms are all kinds of harmful commands.
var harms = []harm{
	{RulePipe, []sign{
		{with: "|", without: installers, find: matching(begins+"("+fetches+`.*?(?:[/$:]|\.\w).*?\|`+shellBehind+")("+closes+".*)", reads), more: true},
		{with: "http", without: installers, find: matching(begins+"("+fetches+`.*?http.*?(?:&&|;)[&; ]*`+behindSudo+shells+")"+closes, nil), more: true, last: true},
		{with: "(;`", find: matching("(?:bash|sh|-c|eval|source|iex|exec| \\.)[<$\"' ]*[(`]\\s*("+fetches+"[^\n`]*)", notOf(installers)), more: true, last: true},
		{with: "npm i;npx;pip", find: matching("((?:npm install|npm i|npx|pip3? install)\\s+(?:-\\S*\\s+)*(https?://\\S*)[^\n`]*)", notOf(forges)), more: true},
		{with: "downloadstring", find: matching(`(\b(?:iex|invoke-expression)\b.*?dow)nloadstring`, nil), last: true},
		{with: "downloadstring", find: matching(`(downloadstring.*?\b(?:iex|inv))`, nil), last: true},
		{with: "urlopen(", find: matching(`(exec\([^\n]{0,40}urlopen\([^\n]{0,120}?\.read\()`, nil)},
	}},
	{RuleSend, []sign{
		{find: placeSent}, {find: environmentSent}, {find: variableSent, more: true},
		{with: "$(", find: matching(begins+`((?:nslookup|dig|ping|host|curl|wget)`+closes+`(?:.*?[ "/])?\$\([^)]*\))\.[a-z]`, nil), more: true},
		{with: "://", find: matching(`(git (?:push|remote add) [^\n]{0,70}?://([\d.]+))(?:[:/\s]|$)`, address), more: true},
		{word: "stringify(process.env)", with: "fetch(;axios;post(", more: true},
		{with: "requests.post(", find: matching(`(requests\.post\(.*?os\.environ)(?:[^\[.]|\.[^g]|$)`, nil), more: true},
		{with: "requests.post(", find: matching("(requests\\.post\\((?:.*open\\(.*\\.ssh|.*\\.ssh.*open\\()[^\n`]*)", nil)},
	}},
	{RuleEncoded, []sign{
		{with: "powershell;pwsh", find: matching(begins+`((?:powershell|pwsh)(?:\.exe)?`+closes+`.*?-(?:enc|e|ec|encodedcommand|en) )[ "']*[a-z0-9+/=]{12}`, nil)},
		{with: "powershell;pwsh", find: matching(begins+`((?:powershell|pwsh)(?:\.exe)?`+closes+`.*?frombase64string)`, nil)},
		{with: "|", find: matching(`(`+decodes+`.*?\|`+shellBehind+`)`+closes, nil)},
		{find: matching(`((?:eval[ "]|\b(?:ba)?sh (?:-c|<\()|exec |source <\().*?`+decodes+`)`, nil)},
		{with: "(", find: matching(`((?:exec|eval)\(.{0,120}?(?:b64decode|fromhex|atob|buffer\.from)\(|iex.{0,120}?frombase64string\()`, nil)},
	}},
	{RuleAccess, []sign{
		{with: "authorized_keys", find: matching(`(?:>|tee |add this|append this|add the following|append the following|put this|add my|add our).*?(.{0,2}authorized_keys)`, nil)},
		{with: "ssh-rsa aaaa;ssh-ed25519 aaaa", find: keyAdded},
		{word: "nopasswd", with: "=(;sudoers", behind: "all"},
		{word: "/dev/tcp/", with: "bash -i;sh -i;exec "},
		{commands: "nc;ncat;netcat", with: " -e /; -c /; -e sh; -e bash; -e cmd;| /bin/sh;|/bin/sh;| sh;/bin/sh -i"},
		{with: "| crontab;|crontab;* * * *", find: jobAdded},
		{word: "chmod u+s ", behind: "bash;/sh"}, {word: "chmod +s ", behind: "bash;/sh"}, {word: "chmod 4755 ", behind: "bash;/sh"}, {word: "chmod 4777 ", behind: "bash;/sh"},
	}},
	{RuleDestroy, []sign{
		{word: "no-preserve-root"}, {find: matching(begins+`(rm(?:\s+-\S+|\s+sudo)*?\s+(?:-[a-z]*r[^\s`+"`"+`]*|--recursive)(?:\s+-\S+|\s+sudo)*\s+["'.,]*`+
			`(?:/|/\*|~|~/|~/\*|\$home/?\*?|\$\{home\}|/home|/etc|/usr|c:\\)["'.,]*)(?:[\s;|&`+"`"+`)]|$)`, nil)}, {word: "mkfs.", behind: "/dev/"},
		{word: "of=/dev/sd"}, {word: "of=/dev/nvme"}, {word: "of=/dev/disk"}, {word: ":(){ :|:"}, {word: ":(){:|:"},
	}},
	{RuleChecks, []sign{
		{word: "--no-verify", with: "git "}, {word: "core.hookspath", with: "/dev/null"}, {word: "http.sslverify", with: "false"}, {word: "git_ssl_no_verify="},
		{word: "node_tls_reject_unauthorized", with: "0"}, {word: "setenforce 0"}, {word: "ufw disable"}, {word: "iptables -f"}, {word: "iptables --flush"},
		{word: "set-executionpolicy", with: "bypass"}, {word: "set-executionpolicy", with: "unrestricted"}, {word: "-executionpolicy bypass"}, {word: "-disablerealtimemonitoring"},
		{word: "csrutil disable"}, {word: "spctl --master-disable"}, {word: "stricthostkeychecking", with: "no"}, {word: "--no-gpg-check"}, {word: "gpgcheck=0"},
		{word: "--no-check-certificate"}, {word: "verify=false"}, {word: "strict-ssl", with: "false"}, {word: "--no-gpg-sign", with: "git "},
		{word: "--no-verify", with: "commit;push"}, {with: "git config", find: matching("(core\\.hookspath)[\"'`]?[ =]*[\"'`]*(\\S*)", foreignHooks)}, {word: "--trusted-host", with: "pip"}, {word: "index-url http://", with: "pip"}, {word: "gonosumdb=*"}, {word: "[trusted=yes]"}, {word: "--allow-unauthenticated"}, {word: "gonosumcheck=1"}, {word: "gosumdb=off"}, {word: "goflags=-insecure"}, {word: "--nogpgcheck"}, {word: "checksumpolicy", behind: "ignore"}, {word: "::stop-commands::"},
		{find: matching(begins+"(chmod(?:\\s+\\S+){0,2}?\\s+[\"'`,.]*(?:0?777|a\\+rwx|ugo\\+rwx|a=rwx))[\"'`,.]*(?:\\s|$)", nil)},
	}},
	{RulePermissions, []sign{
		{word: "--dangerously-skip-permissions"}, {word: "--dangerously-bypass-approvals-and-sandbox"}, {word: "dangerouslydisablesandbox"}, {word: "--yolo"},
		{find: matching(`(?:^|[^e])(bypasspermissions)`, nil)}, {word: "--allow-all-tools"}, {word: "--trust-all-tools"}, {word: "enableallprojectmcpservers"}, {word: "skipdangerousmodepermissionprompt"},
		{word: "bash(*)"}, {word: "approval_policy", with: "danger-full"}, {word: "sandbox_mode", behind: "danger-full"}, {word: "tools.autoapprove", behind: "true; on"},
		{word: "hastrustdialogaccepted", behind: "true"}, {word: "auto_approve=", behind: "=1;=true;=all"}, {word: "yolo=", behind: "=1;=true"},
		{find: matching(`(?:^|[^|\s])\s*(\byes\s*\|\s*(?:claude|codex|gemini|opencode|aider|agent))\b`, nil)},
	}},
	{RuleExposed, []sign{{find: matching(begins+`(chmod\s+(?:-r\s+)?(?:0?[67]44|0?666|a\+r\w*|o\+r\w*)\s[^\n|;&]*?(?:\.key|id_rsa|id_ed25519|/etc/shadow|/private/|/\.env))\b`, nil)}}},
	{RuleSource, []sign{
		{find: matching(`(url\.["']?(https?://[^\s"']+)["']?\.insteadof)`, notOf("github.com;gitlab.com;bitbucket.org;x-access-token;oauth2"))},
		{find: matching(`((?:source|registry)\s*=?\s*["'](?:sparse\+)?http://([^\s"'/:]+))`, foreign)},
	}},
	{RuleSendData, []sign{{find: matching(`((?:anthropic|openai|gemini)_(?:base_url|api_base).{0,26}?://([\w.-]+))`, foreign)}, {find: matching(`(\|\s*(?:nc|ncat)\s+(?:-\S+\s+)*([\w.-]+))`, foreign)}}},
}

// commandWords are the keywords that lead to harmful commands. Each lists the indexes in harms of
// the kinds that it may belong to.
var commandWords = []struct {
	harms, words string // words are separated by semicolons
}{
	{"013", "curl ;curl\t;wget ;iwr http;iwr -;irm http;irm -;invoke-w;invoke-r"},
	{"02", "invoke-e;iex (;iex(n;iex(i;downloadstring"},
	{"0", "npm install http;npm i http;npm i -g http;npm install -g http;npx http;npx -y http;pip install http;pip3 install http;pip install -r http;urlopen("},
	{"13", "| nc ;|nc -; nc -;ncat ;netcat ;socat ;telnet "},
	{"1", "git push http;git remote add;nslookup $;dig $(;ping $(;ping -c;host $(;scp ~;scp -;scp /;rsync ;nslookup ;sendmail; mail -s;gist create;printenv;requests.post;stringify(process.env;vault kv;generic-password;secretsmanager;secrets versions;op read"},
	{"2", "base64;b64decode;atob(;xxd -r;powershell;pwsh -;frombase64"},
	{"3", "authorized_keys;nopasswd;/dev/tcp/;crontab;chmod u+s;chmod +s;chmod 4"},
	{"4", "rm -r;rm -f;no-preserve-root;mkfs.;of=/dev/;:(){ ;:(){:"},
	{"5", "chmod ;--no-verify;hookspath;sslverify;ssl_no_verify;tls_reject;setenforce;ufw disable;iptables -f;iptables --flush;executionpolicy;" +
		"realtimemonitoring;csrutil;spctl --;stricthostkey;no-check-certificate;--no-gpg;gpgcheck=0;verify=false;strict-ssl;--trusted-host;index-url http:;gonosum;gosumdb;[trusted=;allow-unauth;goflags=-in;nogpgcheck;checksumpolicy;stop-commands"},
	{"6", "dangerous;--yolo;bypasspermissions;-all-tools;bash(*);allprojectmcp;approval_policy;sandbox_mode;autoapprove;trustdialog;auto_approve;yolo=;yes | "},
	{"7", "chmod "},
	{"8", ".insteadof;sparse+http:;source 'http:;source \"http:"},
	{"9", "| nc ;| ncat;anthropic_base;openai_base;openai_api_base;anthropic_api_base;gemini_base"},
}

// commandKeys returns the keywords of commands.
func commandKeys() (out []keyword) {
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
	return slices.Concat(phraseKeys(), relationKeys(), markupKeys(), commandKeys())
}

// commands checks the line around byte at for some kinds of harm, once for each kind.
func (s *flagScanner) commands(at int, which string) {
	for _, h := range []byte(which) {
		h -= '0'
		if at < s.lines[h] {
			continue
		}
		from, to := s.lineAround(at, s.lines[h])
		s.lines[h] = to
		harms[h].each(lowerASCII(s.text[from:to]), func(start, end int) {
			s.weigh(harms[h].rule, from+start, from+end, true)
		})
	}
}

// each calls note for each place in a line that matches the harm.
func (h *harm) each(line string, note func(start, end int)) {
	found := false
	for i := range h.signs {
		g := &h.signs[i]
		if g.last && found {
			continue
		}
		start, end := g.at(line)
		if start < 0 {
			continue
		}
		note(start, end)
		if found = true; !g.more {
			return
		}
	}
}

// at returns the place of a sign in a line; start is -1 if it does not match.
func (g *sign) at(line string) (start, end int) {
	if g.with != "" && !containsAny(line, g.with) || g.without != "" && containsAny(line, g.without) {
		return -1, 0
	}
	switch {
	case g.find != nil:
		start, end = g.find(line)
	case g.commands != "":
		start, end = commandAt(line, 0, g.commands)
	default:
		start = strings.Index(line, g.word)
		end = start + len(g.word)
	}
	if start < 0 || deniedIn(line, start) || g.behind != "" && !containsAny(line[start:], g.behind) {
		return -1, 0
	}
	return start, end
}

// deniedIn reports whether byte i of a line is in a list of what an agent must not do.
func deniedIn(line string, i int) bool {
	deny := strings.LastIndex(line[:i], `"deny"`)
	return deny >= 0 && deny > strings.LastIndex(line[:i], `"allow"`)
}

// containsAny reports whether s contains one of the words, which are separated by semicolons.
func containsAny(s, words string) bool { return anyWord(words, s, strings.Contains) }

// hasAnySuffix reports whether s ends with one of the words, which are separated by semicolons.
func hasAnySuffix(s, words string) bool { return anyWord(words, s, strings.HasSuffix) }

// hasAnyPrefix reports whether s begins with one of the words, which are separated by semicolons.
func hasAnyPrefix(s, words string) bool { return anyWord(words, s, strings.HasPrefix) }

func anyWord(words, s string, fits func(s, word string) bool) bool {
	for w := range strings.SplitSeq(words, ";") {
		if fits(s, w) {
			return true
		}
	}
	return false
}

// lineAround returns the line of byte at, including lines joined to it by a backslash. It does not
// begin before first, and is limited in length.
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

// commandAt returns the first of some commands that occurs in a line as a separate word, from byte
// i on. The names are separated by semicolons. start is -1 if there is none.
func commandAt(line string, i int, names string) (start, end int) {
	start = -1
	for name := range strings.SplitSeq(names, ";") {
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

// nameByte reports whether c may be part of the name of a command.
func nameByte(c byte) bool { return is(c, slug|dot) }

// lineEnd returns the end of the command that begins at byte i.
func lineEnd(line string, i int) int {
	if n := strings.IndexAny(line[i:], "\n`"); n >= 0 {
		return i + n
	}
	return min(len(line), i+240)
}
