package remote

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// script makes a program of the shell.
func script(t *testing.T, path, text string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this test needs programs of the shell")
	}
	put(t, path, "#!/bin/sh\n"+text)
}

func TestMissingGitIsSaid(t *testing.T) {
	url := aRemote(t)
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), Place{State: t.TempDir(), Key: "team", URL: url, Branch: branch}); codeOf(err) != NoGit {
		t.Errorf("Open = %v", err)
	}
}

func TestGitThatIsTooOldIsSaid(t *testing.T) {
	url := aRemote(t)
	for version, want := range map[string]string{"git version 2.29.9": OldGit, "git version 1.8.3.1": OldGit, "hub": OldGit, "git version 2.30.1 (Apple Git-130)": ""} {
		bin := t.TempDir()
		script(t, filepath.Join(bin, "git"), "case \"$*\" in *' version') echo '"+version+"';; esac\n")
		t.Setenv("PATH", bin)
		s, err := Open(t.Context(), Place{State: t.TempDir(), Key: "team", URL: url, Branch: branch})
		if codeOf(err) != want || want == "" && err != nil {
			t.Errorf("Open with %q = %v", version, err)
		}
		if err == nil {
			s.Close()
		}
	}
}

func TestCommitOfAnUnknownUserSaysWhatToDo(t *testing.T) {
	url := aRemote(t)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("EMAIL", "")
	os.Unsetenv("EMAIL")
	s := open(t, t.TempDir(), url)
	_, err := s.Commit(t.Context(), "", map[string][]byte{"a.json": []byte("1")}, "sync")
	if codeOf(err) != NoAuthor {
		t.Errorf("Commit = %v", err)
	}
	for kv, value := range map[string]string{"GIT_AUTHOR_NAME": "CI", "GIT_AUTHOR_EMAIL": "ci@x", "GIT_COMMITTER_NAME": "CI", "GIT_COMMITTER_EMAIL": "ci@x"} {
		t.Setenv(kv, value)
	}
	if _, err := s.Commit(t.Context(), "", map[string][]byte{"a.json": []byte("1")}, "sync"); err != nil {
		t.Errorf("with names in the environment: %v", err)
	}
}

func TestAddressesThatStartProgramsOrHoldPasswordsAreRefused(t *testing.T) {
	for _, address := range []string{
		"", "-oProxyCommand=x", "--upload-pack=touch /tmp/x", "ext::sh -c x", "https://u:secret@host/x", "ssh://u:secret@host/x", "http://host/x",
		"ftp://host/x", "HTTPS+x://host/x", "a\nb", "foo::bar", "fd::7",
	} {
		got, err := Address(address)
		if codeOf(err) != BadAddress || got != "" {
			t.Errorf("Address(%q) = %q, %v", address, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is said: %v", err)
		}
	}
	for _, address := range []string{"git@host:team/x.git", "https://host/x", "https://u@host/x", "ssh://git@host:22/x", "file:///x", "git://host/x", "host:x"} {
		if got, err := Address(address); got != address || err != nil {
			t.Errorf("Address(%q) = %q, %v", address, got, err)
		}
	}
	if got, err := Address("x/y.git"); !filepath.IsAbs(got) || err != nil {
		t.Errorf("a path from here is %q, %v", got, err)
	}
}

func TestProblemsOfTheRemoteAreSaid(t *testing.T) {
	aRemote(t)
	missing := filepath.Join(t.TempDir(), "none.git")
	ssh := filepath.Join(t.TempDir(), "ssh")
	t.Setenv("GIT_SSH", ssh)
	for said, want := range map[string]string{
		"Permission denied (publickey).": NoAccess, "Host key verification failed.": NoAccess, "ssh: Could not resolve hostname host: Name or service not known": Unreachable,
		"ssh: connect to host host port 22: Connection refused": Unreachable, "ERROR: Repository not found.": NoRepository,
	} {
		script(t, ssh, "echo '"+said+"' >&2\nexit 255\n")
		s := open(t, t.TempDir(), "ssh://host/x")
		if _, _, err := s.Fetch(t.Context(), false); codeOf(err) != want || !strings.HasSuffix(err.Error(), ": "+said) {
			t.Errorf("%q: %v, want %s", said, err, want)
		}
		s.Close()
	}
	s := open(t, t.TempDir(), missing)
	if _, _, err := s.Fetch(t.Context(), false); codeOf(err) != NoRepository {
		t.Errorf("a missing folder: %v", err)
	}
}

// TestProgramThatAsksHasNoTerminal stands in for ssh, which asks at /dev/tty and nowhere else.
func TestProgramThatAsksHasNoTerminal(t *testing.T) {
	aRemote(t)
	ssh := filepath.Join(t.TempDir(), "ssh")
	script(t, ssh, "if (exec </dev/tty) 2>/dev/null || [ -n \"$GIT_ASKPASS\" ] || [ \"$GIT_TERMINAL_PROMPT\" != 0 ]; then echo terminal >&2; else echo 'Permission denied' >&2; fi\nexit 255\n")
	t.Setenv("GIT_SSH", ssh)
	t.Setenv("GIT_ASKPASS", ssh)
	s := open(t, t.TempDir(), "ssh://host/x")
	if _, _, err := s.Fetch(t.Context(), false); codeOf(err) != NoAccess {
		t.Errorf("Fetch = %v", err)
	}
}

func TestVariablesOfTheCallerDoNotMoveTheCopy(t *testing.T) {
	url := aRemote(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.git")
	for _, name := range []string{"GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		t.Setenv(name, elsewhere)
	}
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='false'")
	s := open(t, t.TempDir(), url)
	begin(t, s, map[string][]byte{"a.json": []byte("1")})
	if _, err := os.Lstat(elsewhere); err == nil {
		t.Error("git worked elsewhere")
	}
	info, err := os.Stat(s.dir)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the copy's folder is %v, %v", info.Mode(), err)
	}
}

// keyed lets the user sign with a key of ssh.
func keyed(t *testing.T) (key string) {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("this test needs ssh-keygen")
	}
	key = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	for _, kv := range [][]string{{"gpg.format", "ssh"}, {"user.signingKey", key + ".pub"}, {"commit.gpgSign", "true"}} {
		run(t, "config", "--global", kv[0], kv[1])
	}
	return key
}

func TestCommitsAreSignedAndCheckedAsTheUserSetItUp(t *testing.T) {
	url := aRemote(t)
	s := open(t, t.TempDir(), url)
	first := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	key := keyed(t)
	second := send(t, s, first, map[string][]byte{"lessons/b.json": []byte("2"), "lessons/a.json": nil})
	log := func() []Commit {
		commits, more, err := s.Log(t.Context(), Query{New: second, Most: 5, Check: true})
		if err != nil || more || len(commits) != 2 {
			t.Fatalf("Log = %v, %v, %v", commits, more, err)
		}
		return commits
	}
	if c := log(); c[0].Signature != Untrusted || !strings.HasPrefix(c[0].Key, "SHA256:") || c[1].Signature != Unsigned {
		t.Errorf("nobody is known: %+v", c)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	signers := filepath.Join(t.TempDir(), "signers")
	put(t, signers, "ann@example.com "+string(public))
	run(t, "config", "--global", "gpg.ssh.allowedSignersFile", signers)
	c := log()
	if c[0].Signature != Good || c[0].Signer != "ann@example.com" || c[0].Author != "Ann" || c[0].Mail != "ann@example.com" || c[0].Subject != "sync" {
		t.Errorf("a known key: %+v", c[0])
	}
	if strings.Join(c[0].Paths, " ") != "lessons/a.json lessons/b.json" || strings.Join(c[1].Paths, " ") != "lessons/a.json" {
		t.Errorf("paths %v, %v", c[0].Paths, c[1].Paths)
	}
	forged := strings.Replace(run(t, "-C", s.dir, "cat-file", "commit", second), "sync", "evil", 1) + "\n"
	bad := feed(t, forged, "-C", s.dir, "hash-object", "-w", "-t", "commit", "--stdin")
	if c, more, err := s.Log(t.Context(), Query{New: bad, Most: 1, Check: true}); err != nil || !more || c[0].Signature != Bad {
		t.Errorf("a forged commit: %+v, %v, %v", c, more, err)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), second, map[string][]byte{"lessons/c.json": []byte("3")}, "sync"); codeOf(err) != CannotSign {
		t.Errorf("Commit without the key = %v", err)
	}
}

func TestMergeNamesTheFilesOfBothSides(t *testing.T) {
	url := aRemote(t)
	one := stream(t, url, heading+inline("lessons/a.json", "1"))
	two := stream(t, url, heading+"from "+one+"\n"+inline("lessons/b.json", "2"))
	three := stream(t, url, heading+"from "+one+"\n"+inline("lessons/c.json", "3"))
	merged := stream(t, url, heading+"from "+two+"\nmerge "+three+"\n"+inline("lessons/c.json", "3")+inline("lessons/d.json", "4"))
	s := open(t, t.TempDir(), url)
	fetch(t, s)
	commits, more, err := s.Log(t.Context(), Query{Old: one, New: merged, Most: 10})
	if err != nil || more || len(commits) != 3 || !commits[0].Merge || commits[1].Merge {
		t.Fatalf("Log = %+v, %v, %v", commits, more, err)
	}
	if got := strings.Join(commits[0].Paths, " "); got != "lessons/b.json lessons/c.json lessons/d.json" {
		t.Errorf("the merge has %s", got)
	}
}
