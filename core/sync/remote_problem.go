package sync

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"winnow/core/git"
	"winnow/core/memory"
)

func remoteProblem(code, hint, what string, args ...any) error {
	return &memory.Problem{Code: code, What: fmt.Sprintf(what, args...), Hint: hint}
}

// plainBranch reports whether name can be the branch of a share. That is stricter than git's own rules.
func plainBranch(name string) bool {
	return branchForm().MatchString(name) && !strings.Contains(name, "..") && !strings.HasSuffix(name, ".") &&
		!strings.Contains(name+"/", ".lock/")
}

var (
	branchForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$`)
	})
	withScheme = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`(?i)^([a-z][a-z0-9+.-]*)://([^/?#]*)`) },
	)
	hostPath = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9_.~-]+@)?[A-Za-z0-9_.\[\]-]+:[^:]`) },
	)
)

// addressOf checks the address of a share and returns it as a URL or an absolute path. Winnow accepts
// only ssh, https, git and files, and no password or token. Secret, which may be nil, reports whether a text holds
// a secret by its form.
func addressOf(text string, secret func(string) bool) (string, error) {
	text = strings.TrimSpace(text)
	no := func(hint, why string) (string, error) {
		return "", remoteProblem(codeBadAddress, hint, "this cannot be the address of a share: %s", why)
	}
	const keepIt = "leave it out, and keep it in git's credential helper (git help credentials)"
	const forms = "such as git@host:team/lessons.git, https://host/team/lessons.git or /path/to/lessons.git"
	switch scheme := withScheme().FindStringSubmatch(text); {
	case text == "":
		return no(forms, "it is empty")
	case strings.HasPrefix(text, "-"):
		return no(forms, "it begins with a dash, as an option does")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return no(forms, "it has control characters")
	case hasCredentials(text, secret):
		return no(keepIt, "it has a password or token in it, which would be stored in plain text")
	case scheme != nil && scheme[1] != "file" && strings.ContainsAny(text, "?#"):
		return no(
			keepIt,
			"what follows a question mark or number sign can be a token, which would be stored in plain text",
		)
	case scheme != nil:
		switch scheme[1] {
		case "ssh", "https", "git", "file":
			return text, nil
		}
		return no(forms, "Winnow uses ssh, https, git and files only")
	case strings.Contains(text, "::"):
		return no(forms, "it would start a program, git-remote-"+strings.SplitN(text, "::", 2)[0])
	case filepath.IsAbs(text) || hostPath().MatchString(text):
		return text, nil
	}
	path, err := filepath.Abs(text)
	return path, err
}

// signs maps messages of git, ssh and curl, in the C locale, to problems. The first match wins.
var signs = []struct {
	code, hint, what string
	words            string // a regular expression
}{
	{
		codeNoBranch,
		"ask who removed it; to make a share there anew: winnow sync leave, then winnow sync init",
		"the remote has no such branch",
		`couldn't find remote ref`,
	},
	{
		codeNoAuthor,
		"run: git config --global user.name 'Your Name' && git config --global user.email you@example.com",
		"git does not know who you are, and each commit names its author",
		`auto-detection is disabled|empty ident name|tell me who you are`,
	},
	{
		codeNoAccess,
		"log in as you do for git (a credential helper, a key in the ssh agent), and try: git ls-remote with this address",
		"the remote does not let you in",
		`permission denied|authentication failed|could not read (?:username|password)|prompts disabled|` +
			`host key verification failed|error: 40[13]|access denied|not authorized|dubious ownership`,
	},
	{codeNoRepository, "check the address", "there is no git repository at this address",
		`does not appear to be a git repository|repository .*not found|does not exist|error: 404|no such file or directory`},
	{
		codeUnreachable,
		"check the network and the address; nothing is lost, the next sync sends it",
		"the remote cannot be reached",
		`could not resolve|connection (?:refused|timed out|reset|closed)|unreachable|no route to host|` +
			`failed to connect|unable to access|could not read from remote|hung up|unexpected disconnect|early EOF`,
	},
}

// explain turns an error of git into a problem. It ignores lines that git marks as sent by the remote.
func explain(ctx context.Context, err error) error {
	var f *git.Failure
	if !errors.As(err, &f) {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.Silent > 0 {
		return remoteProblem(
			codeTimeout,
			"check the network and the address; timeout in the section share of config.toml allows more time",
			"the remote did not answer: git %s heard nothing for %v, and was ended",
			f.Command,
			f.Silent,
		)
	}
	said := ""
	for line := range strings.Lines(withoutCredentials(f.Said)) {
		if !strings.HasPrefix(line, "remote:") {
			said += line
		}
	}
	for _, s := range signs {
		if line := regexp.MustCompile(`(?im)^.*(?:` + s.words + `).*$`).FindString(said); line != "" {
			said := strings.TrimPrefix(strings.TrimSpace(line), "fatal: ")
			return remoteProblem(s.code, s.hint, "%s: %s", s.what, said)
		}
	}
	return remoteProblem(codeFromGit, "", "%s", withoutCredentials(f.Error()))
}
