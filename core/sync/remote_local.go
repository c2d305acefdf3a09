package sync

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"winnow/core/git"
)

// A share in a folder of this machine has no server of its own. Git runs the server's part, upload-pack or
// receive-pack, as this user in that folder, with its settings, and these can name programs. So Winnow says
// itself which command that is: one that turns off each setting that starts a program.

// events are the hooks that git can run in a repository that is read or written. Settings can bind programs
// to them since git 2.54; later versions can turn off all of an event.
var events = []string{
	"pre-receive", "update", "proc-receive", "post-receive", "post-update", "reference-transaction",
	"push-to-checkout", "pre-auto-gc", "post-index-change", "post-checkout", "fsmonitor-watchman",
}

// harmless are settings for git in a folder that somebody else may have set up. With core.alternateRefsCommand
// the folder would name a program that lists references, with the others ones that look at files or clean up.
var harmless = []string{
	"core.hooksPath=" + os.DevNull, "core.alternateRefsCommand=true", "core.fsmonitor=false", "core.sshCommand=false",
	"core.gitProxy=false",
	"core.askPass=", "credential.helper=", "gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false",
	"receive.denyCurrentBranch=refuse", "receive.autogc=false", "gc.auto=0", "maintenance.auto=false",
}

// serving returns the argument of fetch, ls-remote or push that names the command for the other side, which is
// "upload-pack" or "receive-pack". It returns none unless address, as git reads it, is a folder here.
func serving(ctx context.Context, address, service string) ([]string, error) {
	folder, is := folderOf(address)
	if !is {
		return nil, nil
	}
	command, settings := "", 0
	set := func(key, value string) {
		command += fmt.Sprintf(
			"GIT_CONFIG_KEY_%[1]d=%[2]s GIT_CONFIG_VALUE_%[1]d=%[3]s ",
			settings,
			quoted(key),
			quoted(value),
		)
		settings++
	}
	for _, event := range events {
		set("hook."+event+".enabled", "false")
	}
	names, err := hooksOf(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		set("hook."+name+".enabled", "false")
		set("hook."+name+".command", "true") // in case a git does not know the other one
	}
	// No other repository is reached from there either, such as one that has its missing objects.
	command += fmt.Sprintf("GIT_CONFIG_COUNT=%d GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git", settings)
	for _, setting := range harmless {
		command += " -c " + setting
	}
	return []string{"--" + service + "=" + command + " " + service}, nil
}

// quoted returns text as one word for a POSIX shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// folderOf returns the folder that an address means, as git decides it. It returns false for a remote machine.
func folderOf(address string) (string, bool) {
	if path, is := strings.CutPrefix(address, "file://"); is {
		plain, err := url.PathUnescape(path)
		if err != nil {
			return path, true
		}
		return plain, true
	}
	host, _, colon := strings.Cut(address, ":")
	return address, filepath.IsAbs(address) || !colon || strings.Contains(host, "/")
}

// mostHooks is how many hooks the settings of a folder may have.
const mostHooks = 500

// hooksOf returns the names of the hooks that the settings of the repository in a folder have. Git only reads
// these settings, and follows their includes.
func hooksOf(ctx context.Context, folder string) ([]string, error) {
	g, err := git.Find()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var names []string
	for _, dir := range []string{folder + "/.git", folder, folder + ".git/.git", folder + ".git"} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		out, err := g.Run(ctx, ".", "--git-dir="+dir, "config", "--includes", "--list", "-z", "--name-only")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // it is no repository, and git will say so
		}
		for key := range bytes.SplitSeq(out, []byte{0}) {
			name, is := strings.CutPrefix(string(key), "hook.")
			end := strings.LastIndexByte(name, '.')
			if !is || end < 0 || seen[name[:end]] {
				continue
			}
			seen[name[:end]] = true
			names = append(names, name[:end])
		}
	}
	if len(names) > mostHooks {
		return nil, remoteProblem(
			codeDeclined,
			"take them out of its settings",
			"the folder of the share has more than %d hooks in its settings",
			mostHooks,
		)
	}
	return names, nil
}
