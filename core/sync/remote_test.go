package sync

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/git"
	"winnow/core/memory"
)

// aRemote makes a bare repository without a branch, and a user of git who has a name.
func aRemote(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this test needs git")
	}
	home := t.TempDir()
	config := filepath.Join(home, "gitconfig")
	put(t, config, "[user]\n\tname = Ann\n\temail = ann@example.com\n")
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	dir := filepath.Join(t.TempDir(), "remote.git")
	runGit(t, "init", "-q", "--bare", dir)
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// runGit runs the plain git of this machine.
func runGit(t testing.TB, args ...string) string {
	t.Helper()
	return feed(t, "", args...)
}

func feed(t testing.TB, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = append(git.Environment(os.Environ()), "GIT_ALLOW_PROTOCOL=file")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

const branch = "winnow/share"

// opened opens the share at url as a machine whose state is in a folder of its own.
func opened(t testing.TB, state, url string) *remoteShare {
	t.Helper()
	s, err := openRemote(t.Context(), remotePlace{State: state, Key: "team", URL: url, Branch: branch, Pause: atOnce})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func atOnce(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// begin pushes the first commit of a share.
func begin(t testing.TB, s *remoteShare, files map[string][]byte) string {
	t.Helper()
	return send(t, s, "", files)
}

// send commits and pushes on parent, and accepts that.
func send(t testing.TB, s *remoteShare, parent string, files map[string][]byte) string {
	t.Helper()
	id, err := s.commit(t.Context(), parent, files, "sync")
	if err == nil {
		err = s.push(t.Context(), id, parent)
	}
	if err == nil {
		err = s.accept(t.Context(), id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func fetch(t testing.TB, s *remoteShare) string {
	t.Helper()
	tip, _, err := s.fetchChecked(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	return tip
}

// content is what is read of a commit.
type content struct {
	files   map[string]string // by path
	refused []string
}

func (c *content) Add(path string, data []byte) { c.files[path] = string(data) }

func (c *content) Refuse(path, why string) { c.refused = append(c.refused, path+": "+why) }

func contentsOf(ctx context.Context, s *remoteShare, commit string, l readLimits) (content, error) {
	c := content{files: map[string]string{}}
	l.Files, l.Bytes, l.Total = cmp.Or(l.Files, 100_000), cmp.Or(l.Bytes, 4<<20), cmp.Or(l.Total, 64<<20)
	if l.Name == nil {
		l.Name = isPlain
	}
	objects, err := s.files(ctx, commit, l, &c)
	if err == nil {
		err = s.read(ctx, objects, l, &c)
	}
	return c, err
}

func read(t testing.TB, s *remoteShare, commit string, l readLimits) content {
	t.Helper()
	c, err := contentsOf(t.Context(), s, commit, l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// codeOf returns the code of the problem that an error is.
func codeOf(err error) string {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// fsck fails when a repository is not whole.
func fsck(t *testing.T, dir string) {
	t.Helper()
	if said := runGit(t, "-C", dir, "fsck", "--no-dangling", "--no-progress"); strings.Contains(said, "error") ||
		strings.Contains(said, "missing") {
		t.Errorf("git fsck: %s", said)
	}
}

func TestWhatOneMachineSendsAnotherReads(t *testing.T) {
	url := aRemote(t)
	one, two := opened(t, t.TempDir(), url), opened(t, t.TempDir(), url)
	if _, _, err := one.fetchChecked(t.Context(), false); codeOf(err) != codeNoBranch {
		t.Errorf("Fetch of an empty repository = %v", err)
	}
	files := map[string][]byte{"lessons/a.json": []byte("{}\n"), "lessons/b.json": {}, "README.md": []byte("# share\n")}
	first := begin(t, one, files)
	if got := fetch(t, two); got != first {
		t.Errorf("fetch = %s, want %s", got, first)
	}
	c := read(t, two, first, readLimits{})
	if len(c.files) != 3 || len(c.refused) > 0 {
		t.Fatalf("read: %v", c)
	}
	for path, text := range files {
		if got, ok := c.files[path]; !ok || got != string(text) {
			t.Errorf("%s is %q, want %q", path, got, text)
		}
	}
	if err := two.accept(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second := send(t, two, first, map[string][]byte{"lessons/a.json": nil, "lessons/c.json": []byte("{}\n")})
	if tip := fetch(t, one); tip != second {
		t.Errorf("fetch = %s, want %s", tip, second)
	}
	c = read(t, one, second, readLimits{})
	if _, there := c.files["lessons/a.json"]; there || c.files["lessons/c.json"] != "{}\n" || len(c.files) != 3 ||
		len(c.refused) > 0 {
		t.Errorf("read %v", c)
	}
	fsck(t, url)
	fsck(t, one.dir)
	fsck(t, two.dir)
}

func TestWhoeverComesSecondIsOvertaken(t *testing.T) {
	url := aRemote(t)
	one, two := opened(t, t.TempDir(), url), opened(t, t.TempDir(), url)
	first := begin(t, one, map[string][]byte{"lessons/a.json": []byte("1")})
	late, err := two.commit(t.Context(), "", map[string][]byte{"lessons/b.json": []byte("2")}, "sync")
	if err != nil {
		t.Fatal(err)
	}
	if err := two.push(t.Context(), late, ""); !errors.Is(err, errOvertaken) {
		t.Errorf("Push of a second first commit = %v", err)
	}
	fetch(t, two)
	send(t, one, first, map[string][]byte{"lessons/c.json": []byte("3")})
	late, err = two.commit(t.Context(), first, map[string][]byte{"lessons/b.json": []byte("2")}, "sync")
	if err != nil {
		t.Fatal(err)
	}
	if err := two.push(t.Context(), late, first); !errors.Is(err, errOvertaken) {
		t.Errorf("Push on an old tip = %v", err)
	}
	tip := fetch(t, two)
	send(t, two, tip, map[string][]byte{"lessons/b.json": []byte("2")})
	fsck(t, url)
}
