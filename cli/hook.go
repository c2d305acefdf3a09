package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

type hookFlags struct {
	failOn       string
	append, json bool
}

// hookVerbs are what can be done with the hook.
func hookVerbs() []string { return []string{"install", "uninstall", "show"} }

func (e Env) hook(all *flags) *cobra.Command {
	var f hookFlags
	c := &cobra.Command{
		Use:   "hook install|uninstall|show",
		Short: "let git audit what is staged before each commit",
		Long: `Installs a pre-commit hook in the repository around this folder: before each commit
it runs winnow audit --staged, and a finding at or above --fail-on stops the commit.
The hook goes where git looks for hooks, in worktrees too.

A hook that is there already is not touched: install says what it is and what to add.
--append adds it behind the first line of that hook, between two marks. uninstall
takes away what is between the marks, and the file when nothing else is in it. show
prints what would be added. To commit all the same: git commit --no-verify.`,
		Example: examples("winnow hook install", "winnow hook install --append --fail-on medium", "winnow hook show", "winnow hook uninstall"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("give one of: "+strings.Join(hookVerbs(), ", "), "hook: what is to be done")
			}
			if err := oneOf("fail-on", f.failOn, severities()...); err != nil {
				return err
			}
			return e.runHook(c.Context(), all, &f, args[0])
		},
	}
	c.ValidArgsFunction = cobra.FixedCompletions(hookVerbs(), cobra.ShellCompDirectiveNoFileComp)
	failOnFlag(c, &f.failOn, "high")
	c.Flags().BoolVar(&f.append, "append", false, "add it to a hook that is there already")
	jsonFlag(c, &f.json)
	return c
}

// theHook is the hook of a repository.
type theHook struct {
	path  string
	now   []byte // nil when there is none
	block string // what install would add
}

// The states of a hook.
const (
	hookNone  = "none"
	hookOurs  = "ours"  // nothing else is in it
	hookMixed = "mixed" // it has what install adds, and more
	hookOther = "other"
)

func (e Env) runHook(ctx context.Context, all *flags, f *hookFlags, verb string) error {
	dir, err := e.Auditing.HooksDir(ctx, ".")
	if err != nil {
		x := *asFailure(err)
		x.err = fmt.Errorf("hook: %w", x.err)
		return &x
	}
	h := theHook{path: filepath.Join(dir, "pre-commit"), block: hookBlock(f.failOn)}
	if h.now, err = readHook(h.path); err != nil {
		return fmt.Errorf("hook: %w", err)
	}
	if verb != "show" && all.readOnly {
		return usage("leave out --readonly, or use winnow hook show", "hook: --readonly refuses what changes a repository")
	}
	var did string
	switch verb {
	case "install":
		did, err = e.installHook(ctx, f, &h)
	case "uninstall":
		did, err = e.uninstallHook(ctx, &h)
	case "show":
	default:
		return usage("give one of: "+strings.Join(hookVerbs(), ", "), "hook %s: no such thing can be done", verb)
	}
	if err != nil {
		return err
	}
	return e.printHook(f, &h, did)
}

// readHook returns the hook at path, nil when there is none.
func readHook(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &failure{
			code: exitFailure, err: fmt.Errorf("%s is a link or no file", path),
			hint: "call winnow audit --staged from what stands there",
		}
	}
	raw, err := readLimited(path, maxHook)
	if raw == nil && err == nil {
		raw = []byte{}
	}
	return raw, err
}

// maxHook is the most that is read of a hook.
const maxHook = 1 << 20

func (e Env) installHook(ctx context.Context, f *hookFlags, h *theHook) (did string, err error) {
	fresh := ""
	switch h.state() {
	case hookNone:
		fresh, did = "#!/bin/sh\n"+h.block, "installed"
	case hookOurs, hookMixed:
		fresh, did = replaceBlock(string(h.now), h.block), "brought up to date"
		if fresh == string(h.now) {
			return "is there already", nil
		}
	default:
		if !f.append {
			return "", h.inTheWay(e.Redact)
		}
		var ok bool
		if fresh, ok = insertBlock(string(h.now), h.block); !ok {
			return "", &failure{
				code: exitFailure, err: fmt.Errorf("hook: %s is no shell script, and was not changed", h.path),
				hint: "call winnow audit --staged --fail-on " + f.failOn + " from it",
			}
		}
		did = "added to the hook that is there"
	}
	if err := e.writeFile(ctx, "hook", h.path, []byte(fresh), h.now != nil, 0o755); err != nil {
		return "", err
	}
	h.now = []byte(fresh)
	return did, nil
}

// inTheWay says what hook is there already.
func (h *theHook) inTheWay(hidden func(string) string) error {
	lines := strings.Split(strings.TrimRight(string(h.now), "\n"), "\n")
	f := &failure{
		code: exitFailure,
		err:  fmt.Errorf("hook: there is a pre-commit hook already, and it was not changed: %s", h.path),
		more: []string{fmt.Sprintf("  it has %s and begins with: %s", plural(len(lines), "line"), first(hidden(lines[0]), 60)), "  to add to it, behind its first line:"},
		hint: "winnow hook install --append adds it",
	}
	for line := range strings.Lines(h.block) {
		f.more = append(f.more, "    "+strings.TrimRight(line, "\n"))
	}
	return f
}

// first returns at most n characters of a text.
func first(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + ".."
	}
	return s
}

func (e Env) uninstallHook(ctx context.Context, h *theHook) (did string, err error) {
	switch h.state() {
	case hookOurs:
		err = e.Auditing.RemoveFile(ctx, h.path, h.now)
		h.now = nil
	case hookMixed:
		fresh := replaceBlock(string(h.now), "")
		err = e.writeFile(ctx, "hook", h.path, []byte(fresh), true, 0o755)
		h.now = []byte(fresh)
	default:
		return "", &failure{code: exitNotFound, err: fmt.Errorf("hook: %s has nothing that winnow added", h.path), hint: "see it: winnow hook show"}
	}
	if err != nil {
		return "", err
	}
	return "taken away", nil
}

type hookJSON struct {
	Schema int    `json:"schema"`
	Path   text   `json:"path"`
	State  string `json:"state"`
	Did    text   `json:"did"`
	Block  text   `json:"block"`
}

func (e Env) printHook(f *hookFlags, h *theHook, did string) error {
	o := e.output(false)
	if f.json {
		return o.json(hookJSON{Schema: schemaVersion, Path: text(h.path), State: h.state(), Did: text(did), Block: text(h.block)})
	}
	if did != "" {
		o.line(word(h.path) + ": " + did)
		return o.close()
	}
	said := map[string]string{
		hookNone: "there is no hook", hookOurs: "the hook is installed", hookMixed: "the hook is installed, beside another",
		hookOther: "there is another hook, without it",
	}
	o.line(word(h.path) + ": " + said[h.state()])
	o.printf("\n%s", h.block)
	return o.close()
}
