package detect

import "strings"

// secretPlaces are files and commands that hold or print secrets.
const secretPlaces = ".env;/.ssh/;~/.ssh ;~/.aws ;~/.gnupg ;~/.kube ;id_rsa;id_ed25519;.aws/credentials;/etc/passwd;/etc/shadow;.netrc;.npmrc;.pypirc;.pgpass;" +
	".git-credentials;.kube/config;.docker/config.json;printenv;$(env);`env`;.bash_history;.zsh_history;wallet.dat;.gnupg;" +
	"vault kv get;find-generic-password;secretsmanager get-secret-value;secrets versions access;op read op:;" +
	"credentials.json;/proc/self/environ;secrets.y;keychain;cookies.sqlite;login data;/.claude;.config/gh/hosts;" +
	"-sa.json;service-account.json;service_account.json;.jks;.p12;.pfx;.kdbx;_key.pem;-key.pem;/key.pem;privkey.pem;keystore.properties"

// sendCommands are commands that send their input or arguments.
const sendCommands = "curl;wget;nc;ncat;netcat;telnet;socat;scp;rsync;sftp;ftp;invoke-webrequest;invoke-restmethod;iwr;irm;mail;sendmail;openssl;http put;http post"

// findSentSecretFile finds a file with secrets, or the output of a command that prints them, being sent
// away.
func findSentSecretFile(line string) (int, int) {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		for from := 0; ; {
			i := strings.Index(line[from:], p)
			if i < 0 {
				break
			}
			i += from
			from = i + len(p)
			if isSecretPlace(line, i, p) {
				if start, end := sentSpan(line, i, from); start >= 0 {
					return start, end
				}
			}
		}
	}
	return -1, 0
}

// findSentEnvironment finds the whole environment being sent away.
func findSentEnvironment(line string) (int, int) {
	i, n := findCommand(line, 0, "env;set")
	if i >= 0 && (strings.HasPrefix(strings.TrimLeft(line[n:], " "), "|") || i > 1 && (line[i-1] == '(' || line[i-1] == '`')) {
		return sentSpan(line, i, n)
	}
	return -1, 0
}

// isSecretPlace reports whether the place at byte i of a line really holds secrets. A public key, an
// example or a longer name does not.
func isSecretPlace(line string, i int, place string) bool {
	rest := line[i+len(place):]
	if hasAnyPrefix(rest, ".pub;.example;.sample;.template;ironment") ||
		place == "/.ssh/" && (strings.HasPrefix(rest, "known_hosts") || strings.Contains(firstField(rest), ".pub")) {
		return false
	}
	if place == ".env" {
		return (i == 0 || !isLetter(line[i-1]) && line[i-1] != ')') && (rest == "" || !isLetter(rest[0]) && rest[0] != '_' && rest[0] != '(' && rest[0] != '[')
	}
	return true
}

// firstField returns the part of s before the first white space.
func firstField(s string) string {
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// sentSpan returns the range of a line that covers the secret at the bytes start to end and the
// sender it goes into. from is -1 if the secret is not sent.
func sentSpan(line string, start, end int) (from, to int) {
	if pipe := strings.IndexByte(line[end:], '|'); pipe >= 0 {
		if s, e := findCommand(line, end+pipe, sendCommands); s >= 0 && !hasAnyPrefix(strings.TrimLeft(line[e:], " "), "…;...") { // notes may omit the destination
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
	open := strings.LastIndex(between, "$(")
	if open >= 0 && !strings.Contains(between[open:], ")") || strings.Count(between, "`")%2 == 1 && !strings.Contains(between, ". ") ||
		hasAnySuffix(given, "@;<;-t;--upload-file;--post-file;--post-file=;--body-file=;-infile") {
		return s, max(end, min(len(line), end+1))
	}
	copier, _ := findCommand(between, 0, "scp;rsync;sftp;aws s3 cp;gsutil cp;gist create")
	if copier >= 0 && !strings.HasSuffix(given, "-i") && (strings.Contains(line[end:], ":") || between[copier] == 'g' || between[copier] == 'a') {
		return s, commandEndAfter(line, end)
	}
	return -1, 0
}

// postDataOptions are the options of a sender that precede the posted data.
const postDataOptions = " -d; --data; --data-raw; --data-binary; -d ; --data ; --data-raw ; --data-binary ; --data-urlencode ; --post-data=; --post-data ; -body "

// findSentVariable finds a variable named like a secret that is sent as the whole posted data, or as a
// parameter of an address. A parameter that is itself named like a credential does not count.
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
		q := strings.LastIndexAny(before, "?&")
		if hasAnySuffix(before, postDataOptions) || q >= 0 && strings.HasSuffix(before, "=") && strings.Contains(before[:q], "http") && !strings.ContainsAny(before[q:], " /") &&
			!containsAny(before[q+1:len(before)-1], "key;token;auth;appid;app_id;secret;pass;sig;pwd;api") {
			return s, i + 1 + len(name)
		}
	}
	return -1, 0
}

// variableNameLen returns the length of the variable name at the start of s.
func variableNameLen(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789_{}"))
}

// isForeignHost reports whether a host is a domain name that ownHost does not know.
func isForeignHost(host string) bool { return isDomain(host) && !isTrustedHost(host) }
