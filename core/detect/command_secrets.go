package detect

import (
	"strings"
	"sync"
)

// program is a program that is given a password as an argument.
type program struct {
	name    string // how its command begins, with the subcommand if only that takes a password
	options []passOption
}

// passOption is how a program is given a password.
type passOption struct {
	word string // an option, or how a word begins; with nthWord: letters that the options must have
	how  passHow
	mark string // with afterMark and nthWord: what comes before the password
	end  string // with nthWord: what comes after it; empty for the end of the word
	nth  int    // with nthWord: which word
}

// passHow says where the password is.
type passHow uint8

const (
	nextWord  passHow = iota // it is the word after the option
	attached                 // it is attached to the option
	afterMark                // it is in the word after the option, behind a mark
	nthWord                  // it is the nth word that is no option
)

// programTable has a line for programs that take the password in the same way: their names, then how it is given. "-p"
// is an option with the password as its next word, "-p*" one with the password attached, "-U>%" one with the password
// behind % in its next word, "#2" is the second word that is no option, "#1>/@" what is in the first between / and @,
// "#1>/" what is in the first behind /, if that is no path, and "b#3" the third if an option of letters has a b.
const programTable = `
sshpass | -p -p*
mysql, mysqldump, mysqladmin, mysqlimport, mysqlcheck, mysqlsh, mariadb, mariadb-dump, mariadb-admin | -p*
redis-cli, valkey-cli | -a --pass
docker login, podman login, nerdctl login, skopeo login, buildah login, oras login, crane auth login, helm registry login | -p --password
az login, az acr login, cf login, oc login, argocd login, ibmcloud login | -p --password
smbclient, rpcclient, smbget, smbcacls | -U>% --user>%
smbmap, evil-winrm, crackmapexec, netexec, psexec, rdesktop | -p
ldapsearch, ldapadd, ldapmodify, ldapdelete, ldapwhoami, ldapcompare, ldappasswd | -w
mongosh, mongo, mongodump, mongorestore, mongoexport, mongoimport, cqlsh, cypher-shell, rabbitmqadmin | -p --password
clickhouse-client, arangosh, influx | --password --server.password -password
sqlcmd, bcp, ipmitool, mosquitto_pub, mosquitto_sub | -P
http, https, xh | -a>: --auth>:
lftp | -u>,
plink, pscp, psftp | -pw
xfreerdp, wfreerdp | /p:*
cmdkey | /pass:*
net use | /user:>
zip, unzip, zipcloak | -P
7z, 7za, 7zz, unrar, rar | -p* -hp*
openssl | pass:* -k
gpg, gpg2 | --passphrase
keytool, jarsigner | -storepass -keypass -deststorepass -srcstorepass
apksigner | pass:*
supabase link, supabase db | -p --password
rabbitmqctl add_user, rabbitmqctl change_password, wpa_passphrase | #2
htpasswd | nb#2 b#3
mc alias set | #4
svn, twine upload | -p --password
npm config set, pnpm config set, yarn config set | _authToken _password _auth
rclone obscure | #1
rclone | pass password --sftp-pass --ftp-pass --smb-pass --webdav-pass --rc-pass
ssh-keygen | -N -P
sqlplus, sqlldr, expdp, impdp, rman | #1>/@ #2>/@ #1>/
pdftk | input_pw user_pw owner_pw
snmpwalk, snmpget | -A -X
`

// programs are those of programTable.
var programs = sync.OnceValue(func() (all []program) {
	for line := range strings.Lines(strings.TrimSpace(programTable)) {
		names, given, _ := strings.Cut(strings.TrimSpace(line), " | ")
		var options []passOption
		for o := range strings.FieldsSeq(given) {
			options = append(options, parsePassOption(o))
		}
		for name := range strings.SplitSeq(names, ", ") {
			all = append(all, program{name, options})
		}
	}
	return all
})

func parsePassOption(o string) passOption {
	word, mark, behind := strings.Cut(o, ">")
	switch {
	case o[0] == '#' && behind:
		return passOption{how: nthWord, nth: int(o[1] - '0'), mark: mark[:1], end: mark[1:]}
	case o[0] == '#':
		return passOption{how: nthWord, nth: int(o[1] - '0')}
	case strings.Contains(o, "#"):
		letters, nth, _ := strings.Cut(o, "#")
		return passOption{how: nthWord, word: letters, nth: int(nth[0] - '0')}
	case strings.HasSuffix(o, "*"):
		return passOption{word: strings.TrimSuffix(o, "*"), how: attached}
	case behind && mark != "":
		return passOption{word: word, how: afterMark, mark: mark}
	}
	return passOption{word: word}
}

// longestCommand is how many bytes of a command are read.
const longestCommand = 256

// findProgramPassword finds the password that the command at s[i], of the program p, gives as an argument.
func (c *secretScanner) findProgramPassword(s string, i int, p *program) (secretSpan, bool) {
	end := i + len(p.name)
	if !strings.HasPrefix(s[i:], p.name) || end >= len(s) || !inClass(s[end], blank) ||
		i > 0 && inClass(s[i-1], slug|dot) {
		return secretSpan{}, false
	}
	w := shellWords{s: s[:min(len(s), end+longestCommand)], at: end}
	var before *passOption // the option before the word
	words, letters := 0, ""
	for w.next() {
		c.steps += w.end - w.start
		word := s[w.start:w.end]
		at := -1
		switch {
		case before == nil:
			if word[0] == '-' {
				letters += word
			} else {
				words++
			}
			before, at = p.optionOf(word, words, letters)
			if before != nil && before.how == nthWord { // the password is a part of the word
				w.end = w.start + strings.LastIndex(word, before.end)
				before = nil
			}
		case before.how == afterMark:
			if n := strings.Index(word, before.mark); n >= 0 {
				at = n + len(before.mark)
			}
			before = nil
		default:
			before, at = nil, 0
		}
		if at < 0 {
			continue
		}
		if secret, ok := argumentPassword(s, w.start+at, w.end); ok {
			return secret, true
		}
	}
	return secretSpan{}, false
}

// optionOf returns the option that a word is, if the password is in the next word, or where in the word itself the
// password begins, which is otherwise -1. nth is how many words were no options, with this one, and letters are the
// options before it.
func (p *program) optionOf(word string, nth int, letters string) (before *passOption, at int) {
	for i := range p.options {
		o := &p.options[i]
		switch {
		case o.how == nthWord:
			if !o.isNthWord(word, nth, letters) {
				continue
			}
			if o.mark == "" {
				return nil, 0
			}
			if at, ok := o.afterMark(word); ok {
				return o, at
			}
		case o.how == attached:
			if strings.HasPrefix(word, o.word) && len(word) > len(o.word) {
				return nil, len(o.word)
			}
		case word == o.word, strings.HasSuffix(word, ":"+o.word), o.word[0] == '/' && strings.HasPrefix(word, o.word):
			return o, -1
		case strings.HasPrefix(word, o.word+"=") && o.how == nextWord:
			return nil, len(o.word) + 1
		}
	}
	return nil, -1
}

// isNthWord reports whether a word is the one that the option counts, and the letters were all given before it.
func (o *passOption) isNthWord(word string, nth int, letters string) bool {
	return nth == o.nth && word[0] != '-' && strings.Trim(o.word, letters) == ""
}

// afterMark returns where in a word the password begins, behind the mark of the option.
func (o *passOption) afterMark(word string) (at int, ok bool) {
	n := strings.Index(word, o.mark)
	at = n + len(o.mark)
	return at, n > 0 && strings.LastIndex(word, o.end) > n && (o.end != "" || !isPath(word[at:]))
}

// isPath reports whether what is behind the first slash of an argument belongs to a path and not to a login: a file's
// name, a further folder, or a word with a number at its end.
func isPath(rest string) bool { return strings.ContainsAny(rest, "/.") || classChanges(rest) < 2 }

// argumentPassword returns the argument s[start:end] without its quotation marks if it could be a password. What the
// option says stands for a name, so that a weak one counts too; a word, a variable, a port and a path do not.
func argumentPassword(s string, start, end int) (secretSpan, bool) {
	const least = 5
	for start < end && strings.IndexByte("\"'\\", s[start]) >= 0 {
		start++
	}
	for end > start && (strings.IndexByte("\"'\\,.;", s[end-1]) >= 0 || s[end-1] == ')' && !strings.Contains(s[start:end], "(")) {
		end--
	}
	text := s[start:end]
	if len(text) < least || !isStrong(text) || isMadeUp(text) || isTechnicalTerm(text) || isElided(s, start, end) ||
		strings.ContainsAny(text, "$<>{}\"") && !looksRandom(text) {
		return secretSpan{}, false
	}
	return secretSpan{start, end, ruleIndex(ruleCommand)}, true
}

// shellWords reads the words of a command. In a JSON string a quotation mark is escaped, and one that is not ends the
// command.
type shellWords struct {
	s              string
	at, start, end int
}

// next reads the next word into start and end. It returns false at the end of the command.
func (w *shellWords) next() bool {
	w.start = runEnd(w.s, w.at, blank)
	for strings.HasPrefix(w.s[w.start:], "\\\n") { // the command goes on in the next line
		w.start = runEnd(w.s, w.start+2, blank)
	}
	i := w.start
	for i < len(w.s) && w.s[i] > ' ' && strings.IndexByte(";|&`", w.s[i]) < 0 {
		if w.s[i] != '"' && w.s[i] != '\'' {
			i++
			continue
		}
		closing := quotedEnd(w.s, i)
		if closing < 0 {
			w.s = w.s[:i]
			break
		}
		i = closing
	}
	w.at, w.end = i, i
	return i > w.start
}

// quotedEnd returns the end of the quotation that begins at s[i], or -1 if none does: after a closing bracket, before a
// comma, or in a line without another mark.
func quotedEnd(s string, i int) int {
	if i+1 >= len(s) || i > 0 && strings.IndexByte(")]}", s[i-1]) >= 0 || strings.IndexByte(",]}", s[i+1]) >= 0 {
		return -1
	}
	n := strings.IndexByte(s[i+1:], s[i])
	if n < 0 || strings.IndexByte(s[i+1:i+1+n], '\n') >= 0 {
		return -1
	}
	return i + n + 2
}

// passwordReaders are what reads a password from a pipe: the word that says so, and what the password follows in what
// is piped.
var passwordReaders = [...]struct{ name, behind string }{
	{"sudo -S", ""},
	{"--password-stdin", ""},
	{"chpasswd", ":"},
}

// readsPassword reports whether a text begins with one of passwordReaders, and what the password follows.
func readsPassword(text string) (behind string, reads bool) {
	for _, r := range passwordReaders {
		if strings.HasPrefix(text, r.name) {
			return r.behind, true
		}
	}
	return "", false
}

// findPipedPassword finds the password that the reader of passwordReaders at s[i] reads: piped into it, or behind <<<
// in its line.
func findPipedPassword(s string, i int) (secretSpan, bool) {
	const back, longestName = 100, 80
	behind, reads := readsPassword(s[i:])
	if !reads {
		return secretSpan{}, false
	}
	line := s[i:min(len(s), i+longestCommand)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if n := strings.Index(line, "<<<"); n >= 0 {
		w := shellWords{s: s[:i+len(line)], at: i + n + len("<<<")}
		if w.next() {
			return argumentPassword(s, w.start, w.end)
		}
	}
	from := max(0, i-back)
	before := s[from:i]
	pipe := strings.LastIndexByte(before, '|')
	if pipe < 0 || len(before)-pipe > longestName || strings.ContainsAny(before[pipe:], "\n;&") {
		return secretSpan{}, false
	}
	for _, echo := range [...]string{"echo ", "printf ", "<<< "} {
		at := strings.LastIndex(before[:pipe], echo)
		if at < 0 {
			continue
		}
		w := shellWords{s: s[:from+pipe], at: from + at + len(echo)}
		for w.next() {
			if word := strings.Trim(s[w.start:w.end], "\"'\\"); word == "" || word[0] == '-' || word[0] == '%' {
				continue
			}
			n := strings.Index(s[w.start:w.end], behind)
			if n < 0 {
				return secretSpan{}, false
			}
			return argumentPassword(s, w.start+n+len(behind), w.end)
		}
	}
	return secretSpan{}, false
}

// findExpectPassword finds the password in the command "send" of expect at s[i], after it waited for a password.
func findExpectPassword(s string, i int) (secretSpan, bool) {
	const name, back, longest = "send ", 80, 80
	if !strings.HasPrefix(s[i:], name) || !strings.Contains(bytesBefore(s, i, back), "assword") {
		return secretSpan{}, false
	}
	start := i + len(name)
	if strings.HasPrefix(s[start:], "-- ") {
		start += len("-- ")
	}
	n := strings.Index(s[start:min(len(s), start+longest)], `\r`)
	if n < 0 {
		return secretSpan{}, false
	}
	return argumentPassword(s, start, start+n)
}
