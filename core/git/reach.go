package git

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// reach says how far git goes beyond its repository.
type reach byte

const (
	nowhere reach = iota
	quietly       // reaches other repositories, and never asks for a password
	asking        // may ask at the terminal
)

// Reaching returns a git for a bare repository of Winnow's own, which it changes and synchronises
// with others. The dir of its runs is that repository. It uses the configuration, credentials and
// signing of the user and the system. It reaches others only by ssh, https, git and files, runs no
// hooks, and does nothing beyond what it is told. With ask it may ask for a password at the
// terminal; otherwise anything that needs to ask fails.
func (g Git) Reaching(ask bool) Git {
	g.reach = quietly
	if ask {
		g.reach = asking
	}
	return g
}

// reaching are settings for a bare repository of our own. They override those of the user.
var reaching = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.attributesFile=" + os.DevNull,
	"log.showSignature=false",
	"gc.auto=0", "maintenance.auto=false", "gc.packRefs=false", "fetch.writeCommitGraph=false",
	"submodule.recurse=false", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.followTags=false",
	"fetch.prune=false",
	"transfer.bundleURI=false", "i18n.commitEncoding=UTF-8", "i18n.logOutputEncoding=UTF-8",
	"user.useConfigOnly=true", // never make up a name from that of the machine
	// Committed data must survive a power cut, and neither large files nor 100 MB of trees may be held in memory.
	"core.fsync=committed", "core.bigFileThreshold=8m", "core.deltaBaseCacheLimit=32m", "fetch.unpackLimit=1",
	"fastimport.unpackLimit=1",
}

func (g Git) reachingCommand(ctx context.Context, dir string, args []string) (*exec.Cmd, *limited) {
	all := []string{"--git-dir=" + dir, "--no-pager", "--no-replace-objects"}
	for _, setting := range reaching {
		all = append(all, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, g.program, append(all, args...)...)
	cmd.Env = reachingEnvironment(environmentOf(ctx), g.reach == asking)
	if g.reach == quietly {
		withoutTerminal(cmd)
	} else {
		endingChildren(cmd)
	}
	stderr := limitStderr(cmd)
	stderr.overwritten = true
	return cmd, stderr
}

// ours matches git variables that say how the user reaches others, and who they are.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^GIT_(SSH|SSL_|HTTP_|PROXY_|CURL_|(AUTHOR|COMMITTER)_(NAME|EMAIL)$)`)
})

// reachingEnvironment is [Environment] for a git that reaches others.
func reachingEnvironment(env []string, ask bool) []string {
	kept := withoutGitVariables(env, func(name string) bool {
		return isKeptVariable(name) || ours().MatchString(name) || ask && name == "GIT_ASKPASS"
	})
	kept = append(kept, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=file:git:https:ssh", "GIT_ATTR_NOSYSTEM=1",
		"GIT_DEFAULT_HASH=sha1", "GIT_DEFAULT_REF_FORMAT=files", "LC_ALL=C")
	if ask {
		return append(kept, "GIT_TERMINAL_PROMPT=1")
	}
	kept = slices.DeleteFunc(kept, func(kv string) bool { return strings.HasPrefix(kv, "GPG_TTY=") })
	return append(kept, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
}
