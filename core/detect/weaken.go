package detect

import "strings"

// encoded finds commands that nobody can read before they run.
func encodedCommand(line string) (out []harm) {
	if s, e := commandAt(line, 0, "powershell", "powershell.exe", "pwsh"); s >= 0 {
		for _, flag := range []string{" -enc ", " -e ", " -ec ", " -encodedcommand ", " -en "} {
			if i := strings.Index(line[e:], flag); i >= 0 && base64Len(strings.TrimLeft(line[e+i+len(flag):], " \"'")) >= 12 {
				return []harm{{RuleEncoded, s, e + i + len(flag)}}
			}
		}
		if i := strings.Index(line[e:], "frombase64string"); i >= 0 {
			return []harm{{RuleEncoded, s, e + i + 16}}
		}
	}
	for _, decode := range []string{"base64 -d", "base64 --decode", "base64 -di", "base64 -D", "xxd -r", "openssl base64 -d", "openssl enc -d"} {
		i := strings.Index(line, decode)
		if i < 0 {
			continue
		}
		for j := i; j < len(line); j++ {
			if line[j] == '|' {
				if n := runs(line[j+1:]); n > 0 {
					return []harm{{RuleEncoded, i, j + 1 + n}}
				}
			}
		}
		for _, run := range []string{"eval ", "eval\"", "bash -c", "sh -c", "bash <(", "sh <(", "exec ", "source <("} {
			if k := strings.Index(line[:i], run); k >= 0 {
				return []harm{{RuleEncoded, k, i + len(decode)}}
			}
		}
	}
	for _, p := range [][2]string{{"exec(", "b64decode("}, {"eval(", "b64decode("}, {"eval(", "atob("}, {"exec(", "fromhex("}, {"eval(", "buffer.from("}, {"iex", "frombase64string("}} {
		if i := strings.Index(line, p[0]); i >= 0 {
			if j := strings.Index(line[i:], p[1]); j >= 0 && j < 120 {
				return []harm{{RuleEncoded, i, i + j + len(p[1])}}
			}
		}
	}
	return nil
}

// base64Len returns how many characters of base64 s begins with.
func base64Len(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9' || s[n] == '+' || s[n] == '/' || s[n] == '=') {
		n++
	}
	return n
}

// access finds what lets somebody in: a key that is added, a shell that calls out, a user
// without a password, a job that fetches.
func access(line string) []harm {
	if i := strings.Index(line, "authorized_keys"); i >= 0 {
		head := line[:i]
		key := strings.Contains(line, "ssh-rsa aaaa") || strings.Contains(line, "ssh-ed25519 aaaa")
		verb, _ := commandAt(line, 0, "add", "append", "put", "insert", "write", "place", "install", "echo")
		adds := strings.Contains(head, ">") || strings.Contains(head, "tee ") || key && verb >= 0
		for _, w := range []string{"add this", "append this", "add the following", "append the following", "put this", "add my", "add our"} {
			adds = adds || strings.Contains(head, w)
		}
		if adds {
			return []harm{{RuleAccess, max(0, i-2), i + 15}}
		}
	}
	if i := strings.Index(line, "nopasswd"); i >= 0 && strings.Contains(line[i:], "all") && (strings.Contains(line, "=(") || strings.Contains(line, "sudoers")) {
		return []harm{{RuleAccess, i, i + 8}}
	}
	if i := strings.Index(line, "/dev/tcp/"); i >= 0 && (strings.Contains(line, "bash -i") || strings.Contains(line, "sh -i") || strings.Contains(line, "exec ")) {
		return []harm{{RuleAccess, i, i + 9}}
	}
	if s, e := commandAt(line, 0, "nc", "ncat", "netcat"); s >= 0 {
		for _, f := range []string{" -e /", " -c /", " -e sh", " -e bash", " -e cmd", "| /bin/sh", "|/bin/sh", "| sh", "/bin/sh -i"} {
			if strings.Contains(line, f) {
				return []harm{{RuleAccess, s, e}}
			}
		}
	}
	if i := strings.Index(line, "crontab"); i >= 0 {
		job, e := commandAt(line, 0, "curl", "wget", "nc", "bash -i")
		if job >= 0 && (strings.Contains(line, "| crontab") || strings.Contains(line, "|crontab") || strings.Contains(line, "* * * *")) {
			return []harm{{RuleAccess, min(i, job), max(i+7, e)}}
		}
	}
	for _, p := range []string{"chmod u+s ", "chmod +s ", "chmod 4755 ", "chmod 4777 "} {
		if i := strings.Index(line, p); i >= 0 && (strings.Contains(line[i:], "bash") || strings.Contains(line[i:], "/sh")) {
			return []harm{{RuleAccess, i, i + len(p)}}
		}
	}
	return nil
}

// destroys finds commands that delete everything, or write over a disk.
func destroys(line string) []harm {
	if i := strings.Index(line, "no-preserve-root"); i >= 0 {
		return []harm{{RuleDestroy, i, i + 16}}
	}
	for from := 0; ; {
		s, e := commandAt(line, from, "rm")
		if s < 0 {
			break
		}
		from = e
		if end := removesAll(line[e:]); end > 0 {
			return []harm{{RuleDestroy, s, e + end}}
		}
	}
	for _, p := range []string{"mkfs.", "of=/dev/sd", "of=/dev/nvme", "of=/dev/disk", ":(){ :|:", ":(){:|:"} {
		i := strings.Index(line, p)
		if i < 0 || p == "mkfs." && !strings.Contains(line[i:], "/dev/") {
			continue
		}
		return []harm{{RuleDestroy, i, i + len(p)}}
	}
	return nil
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

// uncheckedWords turn off what protects, as they stand: the word, and what must stand on
// the line with it, if anything.
var uncheckedWords = []struct{ word, with string }{
	{"--no-verify", "git "}, {"core.hookspath", "/dev/null"}, {"http.sslverify", "false"}, {"git_ssl_no_verify=", ""}, {"node_tls_reject_unauthorized", "0"},
	{"setenforce 0", ""}, {"ufw disable", ""}, {"iptables -f", ""}, {"iptables --flush", ""}, {"set-executionpolicy", "bypass"}, {"set-executionpolicy", "unrestricted"},
	{"-executionpolicy bypass", ""}, {"-disablerealtimemonitoring", ""}, {"csrutil disable", ""}, {"spctl --master-disable", ""}, {"stricthostkeychecking", "no"},
	{"--no-gpg-check", ""}, {"gpgcheck=0", ""}, {"--no-check-certificate", ""}, {"verify=false", ""}, {"strict-ssl", "false"}, {"--no-gpg-sign", "git "},
	{"--no-verify", "commit"}, {"--no-verify", "push"}, {"core.hookspath", "git config"},
	{"--trusted-host", "pip"}, {"index-url http://", "pip"},
}

// unchecked finds what turns off a check, and files that anybody may change.
func unchecked(line string) []harm {
	for _, w := range uncheckedWords {
		if i := strings.Index(line, w.word); i >= 0 && strings.Contains(line, w.with) {
			return []harm{{RuleChecks, i, i + len(w.word)}}
		}
	}
	for from := 0; ; {
		s, e := commandAt(line, from, "chmod")
		if s < 0 {
			return nil
		}
		from = e
		args := strings.Fields(line[e:min(len(line), e+60)])
		for _, a := range args[:min(len(args), 3)] {
			if a = strings.Trim(a, "\"'`,."); a == "777" || a == "0777" || a == "a+rwx" || a == "ugo+rwx" || a == "a=rwx" {
				return []harm{{RuleChecks, s, e + strings.Index(line[e:], a) + len(a)}}
			}
		}
	}
}

// permits finds settings under which an agent asks nobody.
func permits(line string) []harm {
	for _, w := range []string{
		"--dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "dangerouslydisablesandbox", "--yolo",
		"bypasspermissions", "--allow-all-tools", "--trust-all-tools", "enableallprojectmcpservers", "skipdangerousmodepermissionprompt", "\"bash(*)\"",
	} {
		if i := strings.Index(line, w); i >= 0 {
			return []harm{{RulePermissions, i, i + len(w)}}
		}
	}
	return nil
}
