package sync

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stream pushes what a fast-import stream makes of the branch into a bare repository, as somebody else's git would.
func stream(t testing.TB, dir, text string) string {
	t.Helper()
	feed(t, text, "-C", dir, "fast-import", "--quiet", "--force")
	return runGit(t, "-C", dir, "rev-parse", branch)
}

const heading = "commit refs/heads/" + branch + "\ncommitter Eve <eve@example.com> 1700000000 +0000\ndata 4\nevil\n"

func inline(path, text string) string {
	return fmt.Sprintf("M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

func refusedOf(c content) string {
	return strings.Join(slices.Sorted(slices.Values(c.refused)), "\n")
}

func TestHostileFilesAreRefusedWithASentenceAndTheOthersAreRead(t *testing.T) {
	url := aRemote(t)
	tip := stream(
		t,
		url,
		heading+inline("lessons/good.json", "{}")+inline("lessons/Twin.json", "1")+inline("lessons/twin.json", "2")+
			inline(
				"lessons/large.json",
				strings.Repeat("0", 2000),
			)+inline(".gitattributes", "* filter=x diff=x textconv=x\n")+
			inline(".gitmodules", "[submodule \"m\"]\n\tpath = m\n\turl = ext::touch /tmp/x\n")+
			inline(`"lessons/a\033[2J\n.json"`, "3")+inline("lessons/"+strings.Repeat("n", 300)+".json", "4")+
			"M 120000 inline lessons/link.json\ndata 11\n/etc/passwd\n"+"M 160000 1111111111111111111111111111111111111111 lessons/module\n",
	)
	s := opened(t, t.TempDir(), url)
	if got := fetch(t, s); got != tip {
		t.Fatalf("fetch = %s, want %s", got, tip)
	}
	c := read(t, s, tip, readLimits{Bytes: 1000})
	if len(c.files) != 1 || c.files["lessons/good.json"] != "{}" {
		t.Errorf("read %v", c.files)
	}
	const twice = ": another file has the same name but for capital letters"
	want := strings.Join([]string{
		"lessons/Twin.json" + twice,
		"lessons/large.json: larger than 0.0009537 MiB: 0.001907 MiB", "lessons/link.json: a symbolic link",
		"lessons/module: another repository (a submodule)", "lessons/twin.json" + twice,
	}, "\n")
	if got := refusedOf(c); got != want {
		t.Errorf("refused\n%q, want\n%q", got, want)
	}
	c = read(t, s, tip, readLimits{Name: func(path string) bool { return path == "lessons/good.json" }})
	if len(c.files) != 1 || len(c.refused) != 0 {
		t.Errorf("files that a share does not have are spoken of: %v", c)
	}
	for _, name := range []string{"lessons", "link.json", ".gitmodules", ".gitattributes"} {
		if found, _ := filepath.Glob(filepath.Join(s.dir, name)); len(found) > 0 {
			t.Errorf("%s became a file", name)
		}
	}
	// What was refused stays in the share when somebody else's change is sent.
	next := send(t, s, tip, map[string][]byte{"lessons/mine.json": []byte("5")})
	if c := read(t, s, next, readLimits{Bytes: 1000}); len(c.files) != 2 || refusedOf(c) != want {
		t.Errorf("more was changed than asked: %v", c)
	}
}

func TestFileIsReadAgainWhenItsTwinIsDeleted(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	one := stream(t, url, heading+inline("lessons/a.json", "1"))
	two := stream(t, url, heading+"from "+one+"\n"+inline("lessons/A.json", "2"))
	three := stream(t, url, heading+"from "+two+"\nD lessons/A.json\n")
	fetch(t, s)
	if c := read(t, s, two, readLimits{}); len(c.files) > 0 || len(c.refused) != 2 {
		t.Errorf("with a twin: %v", c)
	}
	if c := read(t, s, three, readLimits{}); c.files["lessons/a.json"] != "1" || len(c.files) != 1 || len(c.refused) > 0 {
		t.Errorf("without it: %v", c)
	}
}

// TestNamesThatLeadOutAreNotRead: git itself writes such trees only when they are made by hand.
func TestNamesThatLeadOutAreNotRead(t *testing.T) {
	url := aRemote(t)
	blob := feed(t, "evil", "-C", url, "hash-object", "-w", "--stdin")
	var raw strings.Builder
	for _, name := range []string{"..", "../../etc/cron.d/x", ".git", "good.json"} {
		fmt.Fprintf(&raw, "100644 %s\x00%s", name, idBytes(t, blob))
	}
	tree := feed(t, raw.String(), "-C", url, "hash-object", "-w", "--literally", "-t", "tree", "--stdin")
	tip := runGit(t, "-C", url, "-c", "user.name=e", "-c", "user.email=e@e", "commit-tree", "-m", "evil", tree)
	runGit(t, "-C", url, "update-ref", "refs/heads/"+branch, tip)
	s := opened(t, t.TempDir(), url)
	fetch(t, s)
	c := read(t, s, tip, readLimits{})
	if len(c.files) != 1 || c.files["good.json"] != "evil" || len(c.refused) != 0 {
		t.Errorf("read %v, refused %q", c.files, refusedOf(c))
	}
}

func idBytes(t *testing.T, id string) string {
	t.Helper()
	var b []byte
	if _, err := fmt.Sscanf(id, "%x", &b); err != nil || len(b) != 20 {
		t.Fatalf("%q: %v", id, err)
	}
	return string(b)
}

func TestTooManyOrTooMuchIsReadNotAtAll(t *testing.T) {
	url := aRemote(t)
	var text strings.Builder
	text.WriteString(heading)
	for i := range 50 {
		text.WriteString(inline(fmt.Sprintf("lessons/%d.json", i), "0123456789"))
	}
	tip := stream(t, url, text.String())
	s := opened(t, t.TempDir(), url)
	fetch(t, s)
	for _, l := range []readLimits{{Files: 49}, {Total: 499}} {
		if c, err := contentsOf(t.Context(), s, tip, l); codeOf(err) != codeTooLarge {
			t.Errorf("Reading with %v = %v, %v", l, c, err)
		}
	}
	if c := read(t, s, tip, readLimits{Files: 50, Total: 500}); len(c.files) != 50 {
		t.Errorf("read %d files", len(c.files))
	}
}

// TestBombOfFoldersEndsAtTheLimit has 10^10 files in ten folders.
func TestBombOfFoldersEndsAtTheLimit(t *testing.T) {
	url := aRemote(t)
	id := feed(t, "x", "-C", url, "hash-object", "-w", "--stdin")
	kind := "100644 blob"
	for range 10 {
		var lines strings.Builder
		for i := range 10 {
			fmt.Fprintf(&lines, "%s %s\t%d\n", kind, id, i)
		}
		id, kind = feed(t, lines.String(), "-C", url, "mktree"), "040000 tree"
	}
	tip := runGit(t, "-C", url, "-c", "user.name=e", "-c", "user.email=e@e", "commit-tree", "-m", "bomb", id)
	runGit(t, "-C", url, "update-ref", "refs/heads/"+branch, tip)
	s := opened(t, t.TempDir(), url)
	fetch(t, s)
	if _, err := contentsOf(t.Context(), s, tip, readLimits{}); codeOf(err) != codeTooLarge {
		t.Errorf("read: %v", err)
	}
}

func TestLargeFileIsNotRead(t *testing.T) {
	url := aRemote(t)
	tip := stream(
		t,
		url,
		heading+inline("lessons/a.json", "{}")+inline("lessons/huge.json", strings.Repeat("\x00", 6<<20)),
	)
	s := opened(t, t.TempDir(), url)
	fetch(t, s)
	c := read(t, s, tip, readLimits{})
	if want := "lessons/huge.json: larger than 4 MiB: 6 MiB"; len(c.files) != 1 || refusedOf(c) != want {
		t.Errorf("read %d files, refused %q", len(c.files), refusedOf(c))
	}
}

// trapped makes the settings and hooks of the remote start a program, and returns how it is known that one was started.
func trapped(t *testing.T, url string) (sprung func() bool) {
	t.Helper()
	dir := t.TempDir()
	trap, mark := filepath.Join(dir, "trap"), filepath.Join(dir, "mark")
	text := "#!/bin/sh\ntouch '" + mark + "'\ncat >/dev/null\n"
	put(t, trap, text)
	for _, hook := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction", "pre-auto-gc", "proc-receive"} {
		put(t, filepath.Join(url, "hooks", hook), text)
	}
	for _, setting := range []string{
		"core.fsmonitor", "core.alternateRefsCommand", "core.sshCommand", "core.askPass", "credential.helper",
		"diff.external", "diff.x.textconv",
		"filter.x.clean", "filter.x.smudge", "gpg.program", "uploadpack.packObjectsHook", "remote.origin.vcs",
		"alias.receive-pack", "core.pager",
	} {
		runGit(t, "-C", url, "config", setting, trap)
	}
	put(t, filepath.Join(url, "objects", "info", "alternates"), filepath.Join(dir, "objects")+"\n")
	runGit(t, "init", "-q", "--bare", filepath.Join(dir, "other"))
	if err := os.Rename(filepath.Join(dir, "other", "objects"), filepath.Join(dir, "objects")); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		_, err := os.Lstat(mark)
		return err == nil
	}
}

func TestNothingOfTheRemoteIsExecuted(t *testing.T) {
	url := aRemote(t)
	tip := stream(t, url, heading+inline(".gitattributes", "* filter=x diff=x\n")+inline("lessons/a.json", "{}"))
	sprung := trapped(t, url)
	for _, address := range []string{url, "file://" + url} {
		s := opened(t, t.TempDir(), address)
		if fetch(t, s) != tip {
			t.Error("the tip is another")
		}
		read(t, s, tip, readLimits{})
		tip = send(t, s, tip, map[string][]byte{"lessons/b.json": []byte(address)})
		if _, _, err := s.log(t.Context(), logQuery{New: tip, Most: 10}); err != nil {
			t.Error(err)
		}
		if _, _, err := lookAtRemote(t.Context(), address, false, 0); err != nil {
			t.Error(err)
		}
		if sprung() {
			t.Fatalf("%s: a program that the remote names was run", address)
		}
	}
}

// TestHooksInTheSettingsOfAFolderAreTurnedOff: git has them since 2.54. The command for the other side is asked which
// settings it has.
func TestHooksInTheSettingsOfAFolderAreTurnedOff(t *testing.T) {
	url := aRemote(t)
	tip := stream(t, url, heading+inline("lessons/a.json", "{}"))
	dir := t.TempDir()
	included, trap, mark := filepath.Join(dir, "included"), filepath.Join(dir, "trap"), filepath.Join(dir, "mark")
	put(t, trap, "#!/bin/sh\ntouch '"+mark+"'\ncat >/dev/null\n")
	names := []string{"x", "It's \"one\".two $(id)=3", "Update"}
	for i, name := range names {
		file := []string{filepath.Join(url, "config"), included, filepath.Join(url, "config.worktree")}[i]
		for _, event := range []string{"pre-receive", "reference-transaction", "post-receive", "update"} {
			runGit(t, "config", "--file", file, "--add", "hook."+name+".event", event)
		}
		runGit(t, "config", "--file", file, "hook."+name+".command", trap)
	}
	runGit(t, "-C", url, "config", "include.path", included)
	runGit(t, "-C", url, "config", "extensions.worktreeConfig", "true")
	runGit(t, "config", "--global", "url."+url+".insteadOf", "https://team.example/x")
	for _, address := range []string{url, "file://" + url, "https://team.example/x"} {
		s := opened(t, t.TempDir(), address)
		fetch(t, s)
		tip = send(t, s, tip, map[string][]byte{"lessons/b.json": []byte(address)})
		if _, _, err := lookAtRemote(t.Context(), address, false, 0); err != nil {
			t.Error(err)
		}
		for _, service := range []string{"upload-pack", "receive-pack"} {
			serve, err := serving(t.Context(), s.pushURL, service)
			if err != nil || len(serve) != 1 {
				t.Fatalf("%s: %v, %v", address, serve, err)
			}
			command := strings.TrimSuffix(strings.TrimPrefix(serve[0], "--"+service+"="), service)
			for _, name := range append(slices.Clone(names), events...) {
				cmd := exec.Command("sh", "-c", command+"config --get "+quoted("hook."+name+".enabled"))
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != "false\n" {
					t.Errorf("%s of %s: the hook %s: %v %s", service, address, name, err, out)
				}
			}
		}
	}
	if serve, err := serving(t.Context(), "ssh://host/x", "upload-pack"); serve != nil || err != nil {
		t.Error("the command of another machine is chosen here:", serve, err)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("a program that the folder names was run")
	}
}

func TestBranchThatLostCommitsIsRefusedUntilAPersonSaysSo(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	one := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	two := send(t, s, one, map[string][]byte{"lessons/b.json": []byte("2")})
	runGit(t, "-C", url, "update-ref", "refs/heads/"+branch, one)
	if _, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeRewound {
		t.Errorf("Fetch of a branch that was set back = %v", err)
	}
	if s.tipSeen() != two {
		t.Error("what was seen is forgotten")
	}
	if tip, base, err := s.fetchChecked(t.Context(), true); tip != one || base != one || err != nil {
		t.Errorf("with leave: tip %s, base %s, %v; want %s twice", tip, base, err, one)
	}
}

func TestHistoryThatWasReplacedIsRefusedUntilAPersonSaysSo(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	one := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	send(t, s, one, map[string][]byte{"lessons/b.json": []byte("2")})
	forked := stream(t, url, heading+"from "+one+"\n"+inline("lessons/c.json", "3"))
	if _, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeReplaced {
		t.Errorf("Fetch of another history = %v", err)
	}
	if tip, base, err := s.fetchChecked(t.Context(), true); tip != forked || base != one || err != nil {
		t.Errorf("with leave: tip %s, base %s, %v; want %s, %s", tip, base, err, forked, one)
	}
	unrelated := stream(t, url, heading+inline("lessons/d.json", "4"))
	if _, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeReplaced {
		t.Errorf("Fetch of an unrelated history = %v", err)
	}
	if tip, base, err := s.fetchChecked(t.Context(), true); tip != unrelated || base != "" || err != nil {
		t.Errorf("with leave: tip %s, base %q, %v", tip, base, err)
	}
	if err := s.accept(t.Context(), unrelated); err != nil {
		t.Fatal(err)
	}
	if got := fetch(t, s); got != unrelated {
		t.Errorf("after it was accepted: %s", got)
	}
}

func TestBranchWithoutCommonHistoryLivesInTheProjectsOwnRepository(t *testing.T) {
	url := aRemote(t)
	main := feed(
		t,
		"commit refs/heads/main\ncommitter A <a@a> 1700000000 +0000\ndata 0\n\n"+inline("main.go", "package main"),
		"-C",
		url,
		"fast-import",
		"--quiet",
	)
	s := opened(t, t.TempDir(), url)
	tip := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	if got := runGit(t, "-C", url, "rev-list", "--count", tip); got != "1" {
		t.Errorf("the branch of the share has %s commits", got)
	}
	runGit(t, "-C", url, "symbolic-ref", "HEAD", "refs/heads/main")
	tips, head, err := lookAtRemote(t.Context(), url, false, 0)
	if err != nil || head != "main" || tips[branch] != tip || len(tips) != 2 {
		t.Errorf("lookAtRemote = %v, %q, %v (%s)", tips, head, err, main)
	}
	if got := runGit(t, "-C", s.dir, "for-each-ref", "--format=%(refname)"); strings.Contains(got, "main") {
		t.Errorf("branches of the project came along: %s", got)
	}
}

func TestShallowRemoteIsSaid(t *testing.T) {
	url := aRemote(t)
	one := stream(t, url, heading+inline("lessons/a.json", "1"))
	stream(t, url, heading+"from "+one+"\n"+inline("lessons/b.json", "1"))
	shallow := filepath.Join(t.TempDir(), "shallow.git")
	runGit(t, "clone", "-q", "--bare", "--depth=1", "--single-branch", "-b", branch, "file://"+url, shallow)
	s := opened(t, t.TempDir(), shallow)
	if tip, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeShallow {
		t.Errorf("fetchChecked = %s, %v", tip, err)
	}
}

func TestACancelledFetchSaysNoMore(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.fetchChecked(ctx, false); err != context.Canceled {
		t.Errorf("Fetch that was cancelled = %v", err)
	}
}
