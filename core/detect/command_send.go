package detect

import "strings"

// secretPlaces are files and commands that hold or print secrets.
var secretPlaces = []string{
	".env", "/.ssh/", "~/.ssh ", "~/.aws ", "~/.gnupg ", "~/.kube ", "id_rsa", "id_ed25519", ".aws/credentials", "/etc/passwd", "/etc/shadow", ".netrc", ".npmrc", ".pypirc", ".pgpass",
	".git-credentials", ".kube/config", ".docker/config.json", "printenv", "$(env)", "`env`", ".bash_history", ".zsh_history", "wallet.dat", ".gnupg",
	"credentials.json", "/proc/self/environ", "secrets.y", "keychain", "cookies.sqlite", "login data", "/.claude", ".config/gh/hosts",
}

// senders are the commands that send what they are given.
var senders = []string{"curl", "wget", "nc", "ncat", "netcat", "telnet", "socat", "scp", "rsync", "sftp", "ftp", "invoke-webrequest", "invoke-restmethod", "iwr", "irm", "mail", "sendmail", "openssl"}

// sends finds commands that send secrets away: a secret into a sender, by a pipe or as
// what it uploads, or a secret in an address.
func sends(line string) (out []harm) {
	for _, p := range secretPlaces {
		for from := 0; ; {
			i := strings.Index(line[from:], p)
			if i < 0 {
				break
			}
			i += from
			from = i + len(p)
			if !holdsSecrets(line, i, p) {
				continue
			}
			if start, end, ok := sentFrom(line, i, from); ok {
				return append(out, harm{RuleSend, start, end})
			}
		}
	}
	if i, n := commandAt(line, 0, "env", "set"); i >= 0 && (strings.HasPrefix(strings.TrimLeft(line[n:], " "), "|") || i > 1 && (line[i-1] == '(' || line[i-1] == '`')) {
		if start, end, ok := sentFrom(line, i, n); ok {
			return append(out, harm{RuleSend, start, end})
		}
	}
	for _, find := range []func(string) (harm, bool){variableSent, nameSent, pushed} {
		if f, ok := find(line); ok {
			out = append(out, f)
		}
	}
	if i := strings.Index(line, "stringify(process.env)"); i >= 0 && (strings.Contains(line, "fetch(") || strings.Contains(line, "axios") || strings.Contains(line, "post(")) {
		out = append(out, harm{RuleSend, i, i + 22})
	}
	if i := strings.Index(line, "requests.post("); i >= 0 {
		rest := line[i:]
		if j := strings.Index(rest, "os.environ"); j >= 0 && !strings.HasPrefix(rest[j+10:], "[") && !strings.HasPrefix(rest[j+10:], ".get") {
			out = append(out, harm{RuleSend, i, i + j + 10})
		}
		if strings.Contains(rest, "open(") && strings.Contains(rest, ".ssh") {
			out = append(out, harm{RuleSend, i, lineEnd(line, i)})
		}
	}
	return out
}

// holdsSecrets reports whether the place at byte i of a line is the one that is meant:
// not a public key, an example or a longer name.
func holdsSecrets(line string, i int, place string) bool {
	rest := line[i+len(place):]
	for _, harmless := range []string{".pub", ".example", ".sample", ".template", "ironment"} {
		if strings.HasPrefix(rest, harmless) {
			return false
		}
	}
	if place == "/.ssh/" && (strings.HasPrefix(rest, "known_hosts") || strings.Contains(wordOf(rest), ".pub")) {
		return false
	}
	if place == ".env" {
		return (i == 0 || !isLetter(line[i-1]) && line[i-1] != ')') && (rest == "" || !isLetter(rest[0]) && rest[0] != '_' && rest[0] != '(' && rest[0] != '[')
	}
	return true
}

// wordOf returns what s begins with up to white space.
func wordOf(s string) string {
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// sentFrom reports whether the secret at the bytes start to end of a line goes into a
// sender, and the place of both.
func sentFrom(line string, start, end int) (from, to int, ok bool) {
	if pipe := strings.IndexByte(line[end:], '|'); pipe >= 0 {
		if s, e := commandAt(line, end+pipe, senders...); s >= 0 {
			return start, lineEnd(line, e), true
		}
	}
	if s, e := commandAt(line, 0, "xargs"); s > end {
		return start, e, true
	}
	head := line[:start]
	s, _ := commandAt(head, 0, senders...)
	if s < 0 {
		s, _ = commandAt(head, 0, "nslookup", "dig", "ping", "fetch", "gist create", "aws s3 cp", "gsutil cp")
		if s < 0 {
			return 0, 0, false
		}
	}
	between := head[s:]
	path := len(between)
	for path > 0 && !strings.ContainsRune(" \t\n=@<\"'(`", rune(between[path-1])) {
		path--
	}
	given := strings.TrimRight(between[:path], "\"' ")
	open := strings.LastIndex(between, "$(")
	tick := strings.Count(between, "`")%2 == 1
	switch {
	case open >= 0 && !strings.Contains(between[open:], ")"), tick,
		strings.HasSuffix(given, "@"), strings.HasSuffix(given, "<"), strings.HasSuffix(given, "-t"), strings.HasSuffix(given, "--upload-file"),
		strings.HasSuffix(given, "--post-file"), strings.HasSuffix(given, "--post-file="), strings.HasSuffix(given, "--body-file="), strings.HasSuffix(given, "-infile"):
		return s, max(end, min(len(line), end+1)), true
	}
	copier, after := commandAt(between, 0, "scp", "rsync", "sftp", "aws s3 cp", "gsutil cp", "gist create")
	if copier < 0 || strings.HasSuffix(given, "-i") {
		return 0, 0, false
	}
	rest := line[end:]
	if strings.Contains(rest, ":") || strings.HasPrefix(between[copier:after], "g") || strings.HasPrefix(between[copier:after], "a") {
		return s, lineEnd(line, end), true
	}
	return 0, 0, false
}

// variableSent finds a variable that is named like a secret as a parameter of an address
// that is not named like one, or as all that is posted.
func variableSent(line string) (harm, bool) {
	s, _ := commandAt(line, 0, "curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "nslookup")
	if s < 0 {
		return harm{}, false
	}
	for i := s; i < len(line); i++ {
		if line[i] != '$' || !secretName(line[i+1:]) {
			continue
		}
		before := strings.TrimRight(line[s:i], "\"'")
		for _, flag := range []string{" -d", " --data", " --data-raw", " --data-binary", " -d ", " --data ", " --data-raw ", " --data-binary ", " --data-urlencode ", " --post-data=", " --post-data ", " -body "} {
			if strings.HasSuffix(before, flag) {
				return harm{RuleSend, s, i + 1 + nameLen(line[i+1:])}, true
			}
		}
		q := strings.LastIndexAny(before, "?&")
		if q >= 0 && strings.HasSuffix(before, "=") && strings.Contains(before[:q], "http") && !strings.ContainsAny(before[q:], " /") && !secretParam(before[q+1:len(before)-1]) {
			return harm{RuleSend, s, i + 1 + nameLen(line[i+1:])}, true
		}
	}
	return harm{}, false
}

// nameSent finds the output of a command in the name of a host, which whoever answers for
// the names of that domain reads.
func nameSent(line string) (harm, bool) {
	s, e := commandAt(line, 0, "nslookup", "dig", "ping", "host", "curl", "wget")
	if s < 0 {
		return harm{}, false
	}
	for i := e; ; {
		at := strings.Index(line[i:], "$(")
		if at < 0 {
			return harm{}, false
		}
		at += i
		i = at + 2
		shut := strings.IndexByte(line[at:], ')')
		host := line[at-1] == ' ' || line[at-1] == '"' || strings.HasSuffix(line[:at], "://")
		if shut > 0 && host && at+shut+2 < len(line) && line[at+shut+1] == '.' && isLetter(line[at+shut+2]) {
			return harm{RuleSend, s, at + shut + 1}, true
		}
	}
}

// pushed finds a repository that is pushed to an address without a name.
func pushed(line string) (harm, bool) {
	for _, p := range []string{"git push ", "git remote add "} {
		i := strings.Index(line, p)
		if i < 0 {
			continue
		}
		at := strings.Index(line[i:min(len(line), i+80)], "://")
		if at < 0 {
			continue
		}
		host, _, _ := strings.Cut(wordOf(line[i+at+3:]), "/")
		host, _, _ = strings.Cut(host, ":")
		private := strings.HasPrefix(host, "10.") || strings.HasPrefix(host, "192.168.") || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "172.")
		if strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == "" && !private {
			return harm{RuleSend, i, i + at + 3 + len(host)}, true
		}
	}
	return harm{}, false
}

func nameLen(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9' || s[n] == '_' || s[n] == '{' || s[n] == '}') {
		n++
	}
	return n
}

// secretName reports whether the name of a variable that s begins with is one of a
// secret.
func secretName(s string) bool {
	name := s[:nameLen(s)]
	for _, w := range []string{"key", "token", "secret", "passw", "credential", "apikey"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// secretParam reports whether a parameter is where an interface expects a secret.
func secretParam(name string) bool {
	for _, w := range []string{"key", "token", "auth", "appid", "app_id", "secret", "pass", "sig", "pwd", "api"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
