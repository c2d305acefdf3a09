package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/detect"
	"winnow/core/memory"
)

// hooking is one call of hook, with its flags.
type hooking struct {
	*program
	failOn   string
	baseline string
	append   bool
}

func (p *program) hook() command {
	f := hooking{program: p, failOn: "high"}
	verbs := []string{"install", "uninstall", "show"}
	return command{
		use: "hook install|uninstall|show", short: "Audit staged files before each git commit",
		long: `Installs a pre-commit hook in the repository around this folder. Before each commit it
runs winnow audit --staged, and a finding at or above --fail-on stops the commit. Places
to read and what could not be read are told, and the commit goes on. The hook goes where git
looks for hooks, also in worktrees. --baseline accepts the findings that FILE lists.

install leaves an existing hook alone, and says what it is and what to add. --append adds
the lines after the first line of that hook, between two marks. uninstall removes what is
between the marks, and the file if nothing else is in it. show prints what would be added.
To commit anyway: git commit --no-verify.`,
		examples: []string{
			"winnow hook install",
			"winnow hook install --append --fail-on review",
			"winnow hook show",
			"winnow hook uninstall",
		},
		offer: offerOf(verbs...),
		flags: []flag{
			failOnFlag(&f.failOn),
			{to: &f.baseline, name: "baseline", help: "accept the findings listed in `FILE`"},
			{to: &f.append, name: "append", help: "add it to an existing hook"}, p.jsonFlag(),
		},
		check: func(args []string) error {
			verb, hint := append(args, "")[0], "give one of: "+strings.Join(verbs, ", ")
			return refuse(
				refusal{len(args) != 1, hint, "hook: what should be done?"},
				refusal{!slices.Contains(verbs, verb), hint, "hook " + verb + ": no such action"},
			)
		},
		run: f.run,
	}
}

// gitHook is a hook in a repository.
type gitHook struct {
	path  string
	now   []byte // nil if there is none
	block string // what install would add
}

// The states of a hook.
const (
	hookNone  = "none"
	hookOurs  = "ours"  // it holds nothing else
	hookMixed = "mixed" // it holds what install adds, and more
	hookOther = "other"
)

func (f *hooking) run(ctx context.Context, args []string) error {
	verb := args[0]
	if f.isSet("baseline") {
		if err := f.checkBaseline(ctx); err != nil {
			return err
		}
	}
	dir, err := f.Auditing.HooksDir(ctx, ".")
	if err != nil {
		return during("hook", err)
	}
	h := gitHook{path: filepath.Join(dir, "pre-commit"), block: hookBlock(ownProgram(), f.arguments())}
	if h.now, err = readHook(h.path); err != nil {
		return fmt.Errorf("hook: %w", err)
	}
	if verb != "show" && f.readOnly {
		return usage("leave out --readonly, or use winnow hook show", "hook: --readonly forbids changing a repository")
	}
	var did string
	switch verb {
	case "install":
		did, err = f.install(ctx, &h)
	case "uninstall":
		did, err = f.uninstall(ctx, &h)
	}
	if err == nil {
		f.print(&h, did)
	}
	return err
}

// readHook returns the hook at path, or nil if there is none.
func readHook(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &failure{
			code: exitFailure, err: fmt.Errorf("%s is not a regular file", path),
			hint: "call winnow audit --staged from it",
		}
	}
	raw, err := readLimited(path, maxHook)
	if raw == nil && err == nil {
		raw = []byte{}
	}
	return raw, err
}

// maxHook is the number of bytes read of a hook.
const maxHook = 1 << 20

func (f *hooking) install(ctx context.Context, h *gitHook) (did string, err error) {
	fresh, script := "", true
	switch h.state() {
	case hookNone:
		fresh, did = "#!/bin/sh\n"+h.block, "installed"
	case hookOurs, hookMixed:
		fresh, did = replaceBlock(string(h.now), h.block), "updated"
		if fresh == string(h.now) {
			return "is installed already", nil
		}
	default:
		if !f.append {
			return "", h.inTheWay()
		}
		if fresh, script = insertBlock(string(h.now), h.block); !script {
			return "", &failure{
				code: exitFailure, err: fmt.Errorf("hook: %s is not a shell script, and was not changed", h.path),
				hint: "call winnow " + f.arguments() + " from it",
			}
		}
		did = "added to the existing hook"
	}
	if err := f.writeFile(ctx, h.path, []byte(fresh), h.now != nil, 0o755); err != nil {
		return "", err
	}
	h.now = []byte(fresh)
	return did, nil
}

// inTheWay says which hook is there already.
func (h *gitHook) inTheWay() error {
	lines := strings.Split(strings.TrimRight(string(h.now), "\n"), "\n")
	f := &failure{
		code: exitFailure,
		err:  fmt.Errorf("hook: there is a pre-commit hook already, and it was not changed: %s", h.path),
		more: []string{
			fmt.Sprintf(
				"  it has %s and begins with: %s",
				output.Plural(len(lines), "line"),
				report.First(detect.Redact(lines[0]), 60),
			),
			"  to add to it, behind its first line:",
		},
		hint: "winnow hook install --append adds it",
	}
	for line := range strings.Lines(h.block) {
		f.more = append(f.more, "    "+strings.TrimRight(line, "\n"))
	}
	return f
}

func (f *hooking) uninstall(ctx context.Context, h *gitHook) (did string, err error) {
	switch h.state() {
	case hookOurs:
		err = f.Auditing.RemoveFile(ctx, h.path, h.now)
		h.now = nil
	case hookMixed:
		fresh := replaceBlock(string(h.now), "")
		err = f.writeFile(ctx, h.path, []byte(fresh), true, 0o755)
		h.now = []byte(fresh)
	default:
		return "", &failure{
			code: exitNotFound,
			err:  fmt.Errorf("hook: %s has nothing that winnow added", h.path),
			hint: "see it: winnow hook show",
		}
	}
	if err != nil {
		return "", err
	}
	return "removed", nil
}

// hookJSON is a hook of git: its file, its state, and what was done to it.
type hookJSON struct {
	Schema int  `json:"schema"`
	Path   text `json:"path"`
	State  text `json:"state"`
	Did    text `json:"did"`
	Block  text `json:"block"`
}

func (f *hooking) print(h *gitHook, did string) {
	o := f.out
	if f.json {
		o.JSON(hookJSON{schemaVersion, text(h.path), text(h.state()), text(did), text(h.block)})
		return
	}
	o.Line("%s: %s", h.path, cmp.Or(did, map[string]string{
		hookNone:  "there is no hook",
		hookOurs:  "the hook is installed",
		hookMixed: "the hook is installed, beside another",
		hookOther: "there is another hook, without it",
	}[h.state()]))
	o.Exact([]byte(output.When(did == "", "\n"+h.block)))
}

// The lines around what install adds to a hook.
const (
	hookBegin = "# >>> winnow >>>\n"
	hookEnd   = "# <<< winnow <<<\n"
)

// checkBaseline reads the baseline once, because a hook that cannot read it stops every commit.
func (f *hooking) checkBaseline(ctx context.Context) error {
	if f.baseline == "" {
		return usage("add --baseline FILE", "hook: a path is empty")
	}
	_, err := f.readBaseline(ctx, f.baseline)
	return err
}

// arguments returns those of the audit that the hook runs. git runs a hook at the top of the work tree, so the
// baseline is named by its absolute path.
func (f *hooking) arguments() string {
	words := "audit --staged --incomplete-ok --fail-on " + f.failOn
	if f.baseline != "" {
		words += " --baseline " + memory.ShellPath(f.Absolute(f.baseline))
	}
	return words
}

// hookBlock returns the shell lines that install adds to a hook, which run a program by its name or path. They
// stop the commit for what was found, and print what is worth reading or could not be read.
func hookBlock(program, arguments string) string {
	program = memory.ShellPath(program)
	return hookBegin + `# Looks for secrets, injected instructions and hidden text in what is staged.
if command -v ` + program + ` >/dev/null 2>&1; then
  winnow_found=$(` + program + " " + arguments + ` 2>&1) || {
    printf '%s\n' "$winnow_found" 'To commit all the same: git commit --no-verify' >&2
    exit 1
  }
  case $winnow_found in
  REVIEW*|INCOMPLETE*) printf '%s\n' "$winnow_found" 'The commit goes on.' >&2 ;;
  esac
else
  echo 'winnow was not found: what is staged was not looked at' >&2
fi
` + hookEnd
}

// state says who owns the hook.
func (h *gitHook) state() string {
	if h.now == nil {
		return hookNone
	}
	before, after, ok := cutBlock(string(h.now))
	switch {
	case !ok:
		return hookOther
	case after == "" && (before == "" || before == "#!/bin/sh\n"):
		return hookOurs
	}
	return hookMixed
}

// cutBlock returns the parts of a hook before and after the block.
func cutBlock(hook string) (before, after string, ok bool) {
	before, rest, begins := strings.Cut(hook, hookBegin)
	_, after, ends := strings.Cut(rest, hookEnd)
	return before, after, begins && ends && (before == "" || strings.HasSuffix(before, "\n"))
}

// replaceBlock returns a hook with a different block, or without one.
func replaceBlock(hook, block string) string {
	before, after, ok := cutBlock(hook)
	if !ok {
		return hook
	}
	return before + block + after
}

// insertBlock returns a hook with the block after its first line, where no exit or exec of the hook
// can skip it. It returns false if the hook is not a shell script.
func insertBlock(hook, block string) (string, bool) {
	head, rest, _ := strings.Cut(hook, "\n")
	if hook == "" {
		return "#!/bin/sh\n" + block, true
	}
	if !forShell(strings.TrimRight(head, "\r")) || strings.HasSuffix(head, "\r") {
		return "", false
	}
	return head + "\n" + block + rest, true
}

// forShell reports whether the first line of a script names a shell that understands the block.
func forShell(head string) bool {
	path, ok := strings.CutPrefix(head, "#!")
	words := strings.Fields(path)
	if len(words) > 1 && strings.HasSuffix(words[0], "/env") {
		words = words[1:]
	}
	shell := strings.Join(words[:min(1, len(words))], "")
	return ok &&
		slices.Contains(
			[]string{"sh", "bash", "dash", "ash", "ksh", "zsh"},
			shell[strings.LastIndexByte(shell, '/')+1:],
		)
}
