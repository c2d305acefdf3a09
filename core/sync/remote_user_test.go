package sync

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
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
	_, err := openRemote(t.Context(), remotePlace{State: t.TempDir(), Key: "team", URL: url, Branch: branch})
	if codeOf(err) != codeNoGit {
		t.Errorf("openRemote = %v", err)
	}
}

func TestGitThatIsTooOldIsSaid(t *testing.T) {
	url := aRemote(t)
	for version, want := range map[string]string{
		"git version 2.29.9":                 codeOldGit,
		"git version 1.8.3.1":                codeOldGit,
		"hub":                                codeOldGit,
		"git version 2.30.1 (Apple Git-130)": "",
	} {
		bin := t.TempDir()
		script(t, filepath.Join(bin, "git"), "case \"$*\" in *' version') echo '"+version+"';; esac\n")
		t.Setenv("PATH", bin)
		_, err := openRemote(t.Context(), remotePlace{State: t.TempDir(), Key: "team", URL: url, Branch: branch})
		if codeOf(err) != want || want == "" && err != nil {
			t.Errorf("Open with %q = %v", version, err)
		}
	}
}

func TestCommitOfAnUnknownUserSaysWhatToDo(t *testing.T) {
	url := aRemote(t)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("EMAIL", "")
	os.Unsetenv("EMAIL")
	s := opened(t, t.TempDir(), url)
	_, err := s.commit(t.Context(), "", map[string][]byte{"a.json": []byte("1")}, "sync")
	if codeOf(err) != codeNoAuthor {
		t.Errorf("Commit = %v", err)
	}
	for kv, value := range map[string]string{"GIT_AUTHOR_NAME": "CI", "GIT_AUTHOR_EMAIL": "ci@x", "GIT_COMMITTER_NAME": "CI", "GIT_COMMITTER_EMAIL": "ci@x"} {
		t.Setenv(kv, value)
	}
	if _, err := s.commit(t.Context(), "", map[string][]byte{"a.json": []byte("1")}, "sync"); err != nil {
		t.Errorf("with names in the environment: %v", err)
	}
}

func TestAddressesThatStartProgramsOrHoldSecretsAreRefused(t *testing.T) {
	const token = "gh" + "p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	known := func(text string) bool { return strings.Contains(text, token) || strings.Contains(text, "glp"+"at-") }
	for _, address := range []string{
		"", "-oProxyCommand=x", "--upload-pack=touch /tmp/x", "ext::sh -c x", "http://host/x", "ftp://host/x",
		"HTTPS+x://host/x", "a\nb", "foo::bar", "fd::7",
		"https://u:secret@host/x", "ssh://u:secret@host/x", "ssh://u:secret@host:22/x", "git://u:secret@host/x",
		"https://:secret@host/x", "https://u%3Asecret@host/x",
		"https://u:sec@ret@host/x", "u:secret@host:x", "u:secret@host/x", "//u:secret@host/x",
		"HTTPS://u:secret@host/x",
		"https://" + token + "@host/x", "https://" + token + ":x-oauth-basic@host/x",
		"https://" + strings.Replace(token, "_", "%5F", 1) + "@host/x",
		"https://0123456789abcdef0123456789abcdef01234567@host/x", "https://x7k2m9p4q8r5t1w3@host/x",
		"ssh://" + token + "@host/x", token + "@host:x",
		"https://host/x?private_token=secret", "https://host/x.git?access_token=secret", "https://host/x#secret",
		"https://host?secret", "git://host/x?secret",
		"https://host/" + token + "/x", "/srv/" + token + "/x", "file:///srv/" + token, "host:" + token + "/x",
		"https://host/x%3Fprivate_token=glp" + "at-A1b2C3d4E5f6G7h8I9j0",
	} {
		got, err := addressOf(address, known)
		if codeOf(err) != codeBadAddress || got != "" {
			t.Errorf("addressOf(%q) = %q, %v", address, got, err)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "A1b2")) {
			t.Errorf("the secret is said: %v", err)
		}
	}
	for _, address := range []string{
		"git@host:team/x.git", "https://host/x", "https://u@host/x", "ssh://git@host:22/x", "file:///x", "git://host/x",
		"host:x", "https://my-org@dev.azure.com/my-org/p/_git/x",
		"https://ada.lovelace1815@host/x", "https://host:8443/a%20b/x.git",
		"ssh://APKAEIBAERJR2EXAMPLE@git-codecommit.us-east-1.amazonaws.com/v1/repos/x", "file:///a?b#c", "/a?b",
	} {
		if got, err := addressOf(address, known); got != address || err != nil {
			t.Errorf("addressOf(%q) = %q, %v", address, got, err)
		}
	}
	if got, err := addressOf("x/y.git", known); !filepath.IsAbs(got) || err != nil {
		t.Errorf("a path from here is %q, %v", got, err)
	}
}

// TestWhatGitSaysNamesNoCredentials: the user's own settings may put an address with a token in place of ours, and git
// names it.
func TestWhatGitSaysNamesNoCredentials(t *testing.T) {
	aRemote(t)
	runGit(
		t,
		"config",
		"--global",
		"url.https://ann:hunter2@127.0.0.1:9/x?private_token=hunter2&.insteadOf",
		"https://short.example/",
	)
	s := opened(t, t.TempDir(), "https://short.example/x")
	_, _, err := s.fetchChecked(t.Context(), false)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("fetchChecked = %v", err)
	}
	_, _, err = lookAtRemote(t.Context(), "https://short.example/x", false, 0)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("lookAtRemote = %v", err)
	}
	const said = "fatal: unable to access 'https://ann:hunter2@host/x.git/?private_token=hunter2': The requested URL returned error: 403"
	if got, want := withoutCredentials(said), "fatal: unable to access 'https://host/x.git/': The requested URL returned error: 403"; got != want {
		t.Errorf("got %q", got)
	}
}

// TestARemoteThatHangsIsGivenUp, and what git started for it is ended, also where a person could be asked.
func TestARemoteThatHangsIsGivenUp(t *testing.T) {
	aRemote(t)
	dir := t.TempDir()
	ssh, pid := filepath.Join(dir, "ssh"), filepath.Join(dir, "pid")
	script(t, ssh, "echo $$ >'"+pid+"'\nexec sleep 1000\n")
	t.Setenv("GIT_SSH", ssh)
	for _, ask := range []bool{false, true} {
		s, err := openRemote(
			t.Context(),
			remotePlace{
				State:   t.TempDir(),
				Key:     "team",
				URL:     "ssh://host/x",
				Branch:  branch,
				Pause:   atOnce,
				Ask:     ask,
				Silence: 300 * time.Millisecond,
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		for what, try := range map[string]func() error{
			"fetch": func() error { _, _, err := s.fetchChecked(t.Context(), false); return err },
			"look": func() error {
				_, _, err := lookAtRemote(t.Context(), "ssh://host/x", ask, 300*time.Millisecond)
				return err
			},
		} {
			if err := try(); codeOf(err) != codeTimeout || !strings.Contains(err.Error(), "300ms") {
				t.Errorf("%s, ask %t: %v", what, ask, err)
			}
			text, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			if !ends(strings.TrimSpace(string(text))) {
				t.Errorf("%s, ask %t: the program that git started is still there", what, ask)
			}
		}
	}
}

// ends reports whether a process that was killed ends: the system may take a moment for that.
func ends(pid string) bool {
	for range 1000 {
		state, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if is := strings.TrimSpace(string(state)); is == "" || is[0] == 'Z' { // a zombie has ended
			return true
		}
	}
	return false
}

// TestARemoteThatIsSlowIsNotGivenUp while it says something.
func TestARemoteThatIsSlowIsNotGivenUp(t *testing.T) {
	dir := aRemote(t)
	tip := stream(t, dir, heading+inline("lessons/a.json", "1"))
	ssh := filepath.Join(t.TempDir(), "ssh")
	script(
		t,
		ssh,
		"for i in 1 2 3 4 5 6 7 8; do sleep .2; echo waiting >&2; done\nshift\nexec sh -c \"git ${*#git-}\"\n",
	)
	t.Setenv("GIT_SSH", ssh)
	t.Setenv("GIT_SSH_VARIANT", "simple")
	s, err := openRemote(
		t.Context(),
		remotePlace{
			State:   t.TempDir(),
			Key:     "team",
			URL:     "ssh://host" + dir,
			Branch:  branch,
			Pause:   atOnce,
			Silence: time.Second,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := fetch(t, s); got != tip {
		t.Errorf("fetch = %s", got)
	}
}

func TestProblemsOfTheRemoteAreSaid(t *testing.T) {
	aRemote(t)
	missing := filepath.Join(t.TempDir(), "none.git")
	ssh := filepath.Join(t.TempDir(), "ssh")
	t.Setenv("GIT_SSH", ssh)
	for said, want := range map[string]string{
		"Permission denied (publickey).": codeNoAccess, "Host key verification failed.": codeNoAccess,
		"ssh: Could not resolve hostname host: Name or service not known": codeUnreachable,
		"ssh: connect to host host port 22: Connection refused":           codeUnreachable,
		"ERROR: Repository not found.":                                    codeNoRepository,
	} {
		script(t, ssh, "echo '"+said+"' >&2\nexit 255\n")
		s := opened(t, t.TempDir(), "ssh://host/x")
		_, _, err := s.fetchChecked(t.Context(), false)
		if codeOf(err) != want || !strings.HasSuffix(err.Error(), ": "+said) {
			t.Errorf("%q: %v, want %s", said, err, want)
		}
	}
	s := opened(t, t.TempDir(), missing)
	if _, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeNoRepository {
		t.Errorf("a missing folder: %v", err)
	}
}

// TestProgramThatAsksHasNoTerminal stands in for ssh, which asks at /dev/tty and nowhere else.
func TestProgramThatAsksHasNoTerminal(t *testing.T) {
	aRemote(t)
	ssh := filepath.Join(t.TempDir(), "ssh")
	script(
		t,
		ssh,
		"if (exec </dev/tty) 2>/dev/null || [ -n \"$GIT_ASKPASS\" ] || [ \"$GIT_TERMINAL_PROMPT\" != 0 ]; then echo terminal >&2; else echo 'Permission denied' >&2; fi\nexit 255\n",
	)
	t.Setenv("GIT_SSH", ssh)
	t.Setenv("GIT_ASKPASS", ssh)
	s := opened(t, t.TempDir(), "ssh://host/x")
	if _, _, err := s.fetchChecked(t.Context(), false); codeOf(err) != codeNoAccess {
		t.Errorf("fetchChecked = %v", err)
	}
}

func TestVariablesOfTheCallerDoNotMoveTheCopy(t *testing.T) {
	url := aRemote(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.git")
	for _, name := range []string{"GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR"} {
		t.Setenv(name, elsewhere)
	}
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='false'")
	s := opened(t, t.TempDir(), url)
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
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set") // ssh-keygen may be missing
	}
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("this test needs ssh-keygen")
	}
	key = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	for _, kv := range [][]string{{"gpg.format", "ssh"}, {"user.signingKey", key + ".pub"}, {"commit.gpgSign", "true"}} {
		runGit(t, "config", "--global", kv[0], kv[1])
	}
	return key
}

func TestCommitsAreSignedAsTheUserSetItUp(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	signed := func(id string) bool {
		return strings.Contains(runGit(t, "-C", s.dir, "cat-file", "commit", id), "-----BEGIN SSH SIGNATURE-----")
	}
	first := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	key := keyed(t)
	second := send(t, s, first, map[string][]byte{"lessons/b.json": []byte("2"), "lessons/a.json": nil})
	if signed(first) || !signed(second) {
		t.Error("a commit is signed before a key was set up, or not after it")
	}
	c, more, err := s.log(t.Context(), logQuery{New: second, Most: 5})
	if err != nil || more || len(c) != 2 || c[0].Author != "Ann" || c[0].Mail != "ann@example.com" ||
		c[0].Subject != "sync" {
		t.Errorf("Log = %+v, %v, %v", c, more, err)
	}
	if strings.Join(c[0].Paths, " ") != "lessons/a.json lessons/b.json" ||
		strings.Join(c[1].Paths, " ") != "lessons/a.json" {
		t.Errorf("paths %v, %v", c[0].Paths, c[1].Paths)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, err := s.commit(t.Context(), second, map[string][]byte{"lessons/c.json": []byte("3")}, "sync"); codeOf(
		err,
	) != codeCannotSign {
		t.Errorf("Commit without the key = %v", err)
	}
}

func TestMergeNamesTheFilesOfBothSides(t *testing.T) {
	url := aRemote(t)
	one := stream(t, url, heading+inline("lessons/a.json", "1"))
	two := stream(t, url, heading+"from "+one+"\n"+inline("lessons/b.json", "2"))
	three := stream(t, url, heading+"from "+one+"\n"+inline("lessons/c.json", "3"))
	merged := stream(
		t,
		url,
		heading+"from "+two+"\nmerge "+three+"\n"+inline("lessons/c.json", "3")+inline("lessons/d.json", "4"),
	)
	s := opened(t, t.TempDir(), url)
	fetch(t, s)
	commits, more, err := s.log(t.Context(), logQuery{Old: one, New: merged, Most: 10})
	if err != nil || more || len(commits) != 3 || !commits[0].Merge || commits[1].Merge {
		t.Fatalf("Log = %+v, %v, %v", commits, more, err)
	}
	if got := strings.Join(commits[0].Paths, " "); got != "lessons/b.json lessons/c.json lessons/d.json" {
		t.Errorf("the merge has %s", got)
	}
}
