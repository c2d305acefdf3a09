package detect

import "strings"

// secretPlaces are files and commands that hold or print secrets.
const secretPlaces = ".env;/.ssh/;~/.ssh ;~/.aws ;~/.gnupg ;~/.kube ;id_rsa;id_ed25519;.aws/credentials;/etc/passwd;/etc/shadow;.netrc;.npmrc;.pypirc;.pgpass;" +
	".git-credentials;.kube/config;.docker/config.json;printenv;$(env);`env`;.bash_history;.zsh_history;wallet.dat;.gnupg;" +
	"vault kv get;find-generic-password;secretsmanager get-secret-value;secrets versions access;op read op:;" +
	"credentials.json;/proc/self/environ;secrets.y;keychain;cookies.sqlite;login data;/.claude;.config/gh/hosts;" +
	"-sa.json;service-account.json;service_account.json;.jks;.p12;.pfx;.kdbx;_key.pem;-key.pem;/key.pem;privkey.pem;keystore.properties"

// senders are commands that send their input or arguments.
const senders = "curl;wget;nc;ncat;netcat;telnet;socat;scp;rsync;sftp;ftp;invoke-webrequest;invoke-restmethod;iwr;irm;mail;sendmail;openssl;http put;http post"

// placeSent finds a file with secrets, or the output of a command that prints them, being sent
// away.
func placeSent(line string) (int, int) {
	for p := range strings.SplitSeq(secretPlaces, ";") {
		for from := 0; ; {
			i := strings.Index(line[from:], p)
			if i < 0 {
				break
			}
			i += from
			from = i + len(p)
			if holdsSecrets(line, i, p) {
				if start, end := sentFrom(line, i, from); start >= 0 {
					return start, end
				}
			}
		}
	}
	return -1, 0
}

// environmentSent finds the whole environment being sent away.
func environmentSent(line string) (int, int) {
	i, n := commandAt(line, 0, "env;set")
	if i >= 0 && (strings.HasPrefix(strings.TrimLeft(line[n:], " "), "|") || i > 1 && (line[i-1] == '(' || line[i-1] == '`')) {
		return sentFrom(line, i, n)
	}
	return -1, 0
}

// holdsSecrets reports whether the place at byte i of a line really holds secrets. A public key, an
// example or a longer name does not.
func holdsSecrets(line string, i int, place string) bool {
	rest := line[i+len(place):]
	if hasAnyPrefix(rest, ".pub;.example;.sample;.template;ironment") ||
		place == "/.ssh/" && (strings.HasPrefix(rest, "known_hosts") || strings.Contains(wordOf(rest), ".pub")) {
		return false
	}
	if place == "printenv" && strings.Contains(line[:i], "authorization:") && isLetter(strings.TrimSpace(rest + "|")[0]) {
		return false // the key of a service, in the header that it asks for
	}
	if place == "/.claude" && hasAnyPrefix(rest, "/skills;/commands;/agents;/hooks;/scripts;/plugins;/rules;/get-") {
		return false // code, and no memories
	}
	if place == ".env" {
		return (i == 0 || !isLetter(line[i-1]) && line[i-1] != ')') && (rest == "" || !isLetter(rest[0]) && rest[0] != '_' && rest[0] != '(' && rest[0] != '[')
	}
	return true
}

// wordOf returns the part of s before the first white space.
func wordOf(s string) string {
	if i := strings.IndexAny(s, " \t\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// sentFrom returns the range of a line that covers the secret at the bytes start to end and the
// sender it goes into. from is -1 if the secret is not sent.
func sentFrom(line string, start, end int) (from, to int) {
	if pipe := strings.IndexByte(line[end:], '|'); pipe >= 0 {
		if s, e := commandAt(line, end+pipe, senders); s >= 0 && !hasAnyPrefix(strings.TrimLeft(line[e:], " "), "…;...") { // notes may omit the destination
			return start, lineEnd(line, e)
		}
	}
	if s, e := commandAt(line, 0, "xargs"); s > end {
		return start, e
	}
	head := line[:start]
	s, _ := commandAt(head, 0, senders)
	if s < 0 {
		s, _ = commandAt(head, 0, "nslookup;dig;ping;fetch;gist create;aws s3 cp;gsutil cp")
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
	copier, _ := commandAt(between, 0, "scp;rsync;sftp;aws s3 cp;gsutil cp;gist create")
	if copier >= 0 && !strings.HasSuffix(given, "-i") && (strings.Contains(line[end:], ":") || between[copier] == 'g' || between[copier] == 'a') {
		return s, lineEnd(line, end)
	}
	return -1, 0
}

// dataFlags are the options of a sender that precede the posted data.
const dataFlags = " -d; --data; --data-raw; --data-binary; -d ; --data ; --data-raw ; --data-binary ; --data-urlencode ; --post-data=; --post-data ; -body "

// variableSent finds a variable named like a secret that is sent as the whole posted data, or as a
// parameter of an address. A parameter that is itself named like a credential does not count.
func variableSent(line string) (int, int) {
	s, _ := commandAt(line, 0, "curl;wget;iwr;irm;invoke-webrequest;invoke-restmethod;nslookup")
	for i := max(s, 0); s >= 0 && i < len(line); i++ {
		if line[i] != '$' {
			continue
		}
		name := line[i+1 : i+1+nameLen(line[i+1:])]
		if !containsAny(name, "key;token;secret;passw;credential;apikey") {
			continue
		}
		before := strings.TrimRight(line[s:i], "\"'")
		q := strings.LastIndexAny(before, "?&")
		if hasAnySuffix(before, dataFlags) || q >= 0 && strings.HasSuffix(before, "=") && strings.Contains(before[:q], "http") && !strings.ContainsAny(before[q:], " /") &&
			!containsAny(before[q+1:len(before)-1], "key;token;auth;appid;app_id;secret;pass;sig;pwd;api") {
			return s, i + 1 + len(name)
		}
	}
	return -1, 0
}

// nameLen returns the length of the variable name at the start of s.
func nameLen(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789_{}"))
}

// foreign reports whether a host is a domain name that ownHost does not know.
func foreign(host string) bool { return domain(host) && !ownHost(host) }
