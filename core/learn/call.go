package learn

import (
	"path"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/session"
)

// call is what a step did, as far as the comparison of two steps needs it.
type call struct {
	tool string
	line string // what it did, for a lesson; empty if that is unknown
	raw  string // the command or the arguments, to recognise identical calls
	// words are the words of a shell command, if its exit status says whether it worked: the last
	// command of a chain. setup is what comes before it: the folder, variables, sudo.
	words, setup []string
	// members are the arguments of any other tool.
	members []jstext.Member
	effect  effect
}

// effect is what a step may have changed.
type effect uint8

const (
	other   effect = iota // unknown
	reading               // changes nothing
	editing               // changes the file in its arguments
)

// callUnits is the maximum length of a call that a lesson quotes. Longer calls are not quoted.
const callUnits = 150

// readers and editors are tools by what they do, in lower case and without punctuation.
var (
	readers = strings.Fields("read readfile readmanyfiles view viewimage grep glob ls list listdirectory listfiles search searchfiles searchfilecontent " +
		"websearch googlewebsearch webfetch todowrite todoread updateplan bashoutput codesearch findfiles statfile")
	editors = strings.Fields("edit multiedit write writefile notebookedit applypatch patch replace strreplace editfile createfile")
	// onlyLook are programs that change nothing, whatever their arguments.
	onlyLook = strings.Fields("ls cat head tail grep rg ag ack egrep fgrep wc pwd echo which type file stat tree bat diff du df whoami uname printenv jq basename dirname realpath readlink man help true date")
	// onlyLookGit are git commands that change nothing.
	onlyLookGit = strings.Fields("status log diff show blame grep ls-files rev-parse describe")
	pathKeys    = strings.Fields("file_path filePath path absolute_path notebook_path filename file dir_path")
	// incidental are arguments that say nothing about the purpose of a call.
	incidental = strings.Fields("description explanation timeout timeout_ms offset limit justification max_output_tokens yield_time_ms")
)

// callOf analyses a step.
func callOf(s *session.Session, step *session.Step) call {
	c := call{tool: step.Tool, raw: strings.TrimSpace(step.Arguments)}
	name := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(step.Tool))
	switch {
	case slices.Contains(readers, name):
		c.effect = reading
	case slices.Contains(editors, name):
		c.effect = editing
	}
	v, err := jstext.Parse(c.raw)
	isObject := err == nil && v.Kind() == jstext.Object
	shell := slices.ContainsFunc([]string{"bash", "shell", "exec", "terminal", "runcommand"}, func(w string) bool { return strings.Contains(name, w) })
	switch {
	case shell && isObject:
		c.fromCommand(s, v)
	case shell && err != nil:
		c.command(c.raw)
	case isObject:
		for i := range v.Len() {
			if !slices.Contains(incidental, v.Key(i)) {
				c.members = append(c.members, jstext.Member{Key: v.Key(i), Value: v.At(i)})
			}
		}
		c.describe()
	}
	return c
}

// fromCommand extracts the command from the arguments of a shell tool.
func (c *call) fromCommand(s *session.Session, v jstext.Value) {
	var line string
	for _, key := range [...]string{"command", "cmd", "script"} {
		switch f, _ := v.Field(key); f.Kind() {
		case jstext.String:
			line = f.Str()
		case jstext.Array:
			words := lesson.Strings(f)
			if n := len(words); n == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
				line = words[2] // the form bash -lc LINE
			} else if !slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()") }) {
				line = strings.Join(words, " ")
			}
		}
	}
	c.raw = line
	for _, key := range [...]string{"run_in_background", "is_background", "background", "tty"} {
		if f, ok := v.Field(key); ok && f.Truthy() {
			return // its status only says that it was started
		}
	}
	for _, key := range [...]string{"workdir", "cwd", "directory", "dir_path"} {
		if f, _ := v.Field(key); f.Str() != "" && line != "" && path.Clean(f.Str()) != path.Clean(s.Folder) {
			line = "cd " + f.Str() + " && " + line
		}
	}
	c.command(line)
}

// command analyses a shell command line.
func (c *call) command(line string) {
	chain, ok := commands(line)
	if !ok {
		return
	}
	for _, words := range chain[:len(chain)-1] {
		if !slices.Contains([]string{"cd", "export", "source", ".", "set", "pushd"}, words[0]) {
			return
		}
		c.setup = append(c.setup, strings.Join(words, " "))
	}
	words := chain[len(chain)-1]
	for len(words) > 1 && (words[0] == "sudo" || strings.Contains(words[0], "=") && !strings.ContainsAny(words[0], "/-")) {
		c.setup, words = append(c.setup, words[0]), words[1:]
	}
	c.words = words
	if slices.Contains(onlyLook, words[0]) || words[0] == "git" && len(words) > 1 && slices.Contains(onlyLookGit, words[1]) {
		c.effect = reading
	}
	c.line = line
}

// commands splits a line into commands joined by &&, each as a list of words. It returns false for
// any other line, because its exit status does not say whether each command worked.
func commands(line string) (chain [][]string, ok bool) {
	line = strings.NewReplacer(" 2>&1", "", " 2>/dev/null", "").Replace(strings.TrimSpace(line))
	var words []string
	var word []byte
	in, quote := false, byte(0)
	endWord := func() {
		if in {
			words = append(words, string(word))
		}
		word, in = nil, false
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != '\'' && (c == '`' || strings.HasPrefix(line[i:], "$(")):
			return nil, false
		case quote != 0 && (c != '\\' || quote == '\''):
			word = append(word, c)
		case c == '\\' && i+1 < len(line):
			i++
			word, in = append(word, line[i]), true
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t':
			endWord()
		case strings.HasPrefix(line[i:], "&&"):
			endWord()
			if len(words) == 0 {
				return nil, false
			}
			chain, words = append(chain, words), nil
			i++
		case strings.IndexByte("|;&<>()\n\r", c) >= 0:
			return nil, false
		default:
			word, in = append(word, c), true
		}
	}
	endWord()
	return append(chain, words), quote == 0 && len(words) > 0
}

// describe sets what a call of a tool other than a shell did.
func (c *call) describe() {
	what := c.file()
	c.raw = string(jstext.ObjectValue(c.members...).AppendJSON(nil))
	if len(c.members) == 1 && c.members[0].Value.Kind() == jstext.String {
		what = c.members[0].Value.Str()
	} else if c.effect == other || what == "" {
		what = c.raw
	}
	c.line = c.tool + " " + what
}

// quote returns the call as a lesson quotes it, or "" if it is too long.
func (c *call) quote(s *session.Session) string {
	if q := shortPaths(s, c.line, callUnits); !strings.HasSuffix(q, "…") {
		return q
	}
	return ""
}

// file returns the path in the arguments, or "".
func (c *call) file() string {
	for i := range c.members {
		if slices.Contains(pathKeys, c.members[i].Key) {
			return c.members[i].Value.Str()
		}
	}
	return ""
}
