package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// filledHome is the home of a person in which every system keeps memories, unpacked from
// testdata: home is that person's folder, shop a project in it in which several systems
// live. Winnow's own state is below home as well.
type filledHome struct {
	t                failer
	program          string
	home, shop, temp string
	env              []string // beside HOME and the like
	before           []string // stands before the program on the command line
}

// failer is what can fail: a test, or a script of one.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// wasHome is where the fixtures were made.
const wasHome = "/home/dev"

func newHousehold(t *testing.T) *filledHome {
	t.Helper()
	return unpackHousehold(t, t.TempDir())
}

func unpackHousehold(t failer, root string) *filledHome {
	t.Helper()
	program, err := exec.LookPath("winnow")
	if err != nil {
		t.Fatal(err)
	}
	h := &filledHome{t: t, program: program, home: filepath.Join(root, "dev"), temp: filepath.Join(root, "tmp")}
	h.shop = filepath.Join(h.home, "work", "shop_api")
	h.check(os.MkdirAll(h.temp, 0o700))
	h.unpack("../../testdata/home/home.txtar", root, "")
	h.unpack("../../testdata/stores/claudecode/home.txtar", h.home, "home-dev/")
	h.unpack("../../testdata/stores/claudecode/transcripts.txtar", filepath.Join(h.home, ".claude"), "")
	h.unpack("../../testdata/stores/opencode/instructions.txtar", h.home, "")
	h.databases()
	for _, dir := range []string{h.shop, filepath.Join(h.home, "work", "site"), filepath.Join(h.home, "work", "demo")} {
		h.repository(dir)
	}
	h.ages()
	return h
}

func (h *filledHome) check(err error) {
	if err != nil {
		h.t.Helper()
		h.t.Fatal(err)
	}
}

// slugged is how Claude Code names the folder of a project.
func slugged(path string) string {
	return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-")
}

// here says of a text of a fixture what it names in this home.
func (h *filledHome) here(text string) string {
	text = strings.ReplaceAll(text, wasHome+"/", h.home+"/")
	return strings.ReplaceAll(text, slugged(wasHome)+"-", slugged(h.home)+"-")
}

// unpack writes the files of an archive whose names begin with prefix below dir, those
// that are not there.
func (h *filledHome) unpack(archive, dir, prefix string) {
	h.t.Helper()
	a, err := txtar.ParseFile(archive)
	h.check(err)
	for _, file := range a.Files {
		name, is := strings.CutPrefix(file.Name, prefix)
		path := filepath.Join(dir, filepath.FromSlash(h.here(name)))
		if _, err := os.Lstat(path); !is || name == "expected.json" || err == nil {
			continue
		}
		h.check(os.MkdirAll(filepath.Dir(path), 0o755))
		h.check(os.WriteFile(path, []byte(h.here(string(file.Data))), 0o644))
	}
}

// databases copies the databases of OpenCode and Arbiter, some with a log, and says in
// those of OpenCode where its project is now.
func (h *filledHome) databases() {
	data := h.at(".local/share/opencode")
	for to, from := range map[string]string{
		data + "/opencode.db":           "opencode/opencode.db",
		h.temp + "/opencode.db":         "opencode/opencode-wal/opencode.db",
		h.temp + "/opencode.db-wal":     "opencode/opencode-wal/opencode.db-wal",
		h.temp + "/opencode.db-shm":     "opencode/opencode-wal/opencode.db-shm",
		h.at(".arbiter/tenants.db"):     "arbiter/live/tenants.db",
		h.at(".arbiter/tenants.db-wal"): "arbiter/live/tenants.db-wal",
		h.at(".arbiter/tenants.db-shm"): "arbiter/live/tenants.db-shm",
	} {
		h.copied(filepath.Join("..", "..", "testdata", "stores", filepath.FromSlash(from)), to)
	}
	moved := h.moved(data + "/opencode.db")
	h.check(moved.Close())
	live := h.moved(h.temp + "/opencode.db")
	for _, end := range [...]string{"", "-wal", "-shm"} { // while it is open, the log stays
		h.copied(h.temp+"/opencode.db"+end, data+"/opencode-local.db"+end)
	}
	h.check(live.Close())
	h.check(os.Remove(h.temp + "/opencode.db"))
}

func (h *filledHome) copied(from, to string) {
	raw, err := os.ReadFile(from)
	h.check(err)
	h.check(os.MkdirAll(filepath.Dir(to), 0o755))
	h.check(os.WriteFile(to, raw, 0o644))
}

// moved opens a database of OpenCode and says in it where its project is now.
func (h *filledHome) moved(path string) *sql.DB {
	db, err := sql.Open("sqlite", path)
	h.check(err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec("UPDATE project SET worktree = ? WHERE worktree = ?", h.at("work/demo"), wasHome+"/work/demo")
	h.check(err)
	return db
}

// repository makes a folder one of git.
func (h *filledHome) repository(dir string) {
	cmd := exec.Command("git", "init", "-q", "-b", "main", dir)
	cmd.Env = []string{
		"HOME=" + h.temp,
		"PATH=" + os.Getenv("PATH"),
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_SYSTEM=/dev/null",
	}
	if err := cmd.Run(); err != nil { // there is no git here
		h.check(os.MkdirAll(filepath.Join(dir, ".git", "refs"), 0o755))
		h.check(os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	}
}

// ages gives everything the dates that the fixtures have, or some days ago.
func (h *filledHome) ages() {
	a, err := txtar.ParseFile("../../testdata/stores/claudecode/home.txtar")
	h.check(err)
	var dates struct {
		Mtimes map[string]time.Time `json:"mtimes"`
	}
	for _, file := range a.Files {
		if file.Name == "mtimes.json" {
			h.check(json.Unmarshal(file.Data, &dates))
		}
	}
	was := map[string]time.Time{}
	for name, at := range dates.Mtimes {
		was[h.at(h.here(strings.TrimPrefix(name, "home-dev/")))] = at
	}
	var folders []string
	h.check(filepath.WalkDir(h.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folders = append(folders, path)
			return nil
		}
		return errors.Join(err, h.age(path, was))
	}))
	for _, dir := range folders {
		h.check(h.age(dir, was))
	}
}

// age gives a file or folder the date that it had, or one of some days ago.
func (h *filledHome) age(path string, was map[string]time.Time) error {
	at, known := was[path]
	if !known {
		at = time.Date(2026, 10, 10, 8, 0, 0, 123456789, time.UTC)
	}
	return os.Chtimes(path, at, at)
}

// at returns a path in the home.
func (h *filledHome) at(rel string) string { return filepath.Join(h.home, filepath.FromSlash(rel)) }

// memories is the folder in which Claude Code keeps what it learnt in the shop.
func (h *filledHome) memories() string {
	return filepath.Join(h.home, ".claude", "projects", slugged(h.shop), "memory")
}

// state is Winnow's own folder.
func (h *filledHome) state() string { return h.at(".local/state/winnow") }

func (h *filledHome) environ() []string {
	return append([]string{
		"HOME=" + h.home, "TMPDIR=" + h.temp, "TZ=UTC", "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
	}, h.env...)
}

// command prepares "winnow" with its arguments in the shop.
func (h *filledHome) command(args ...string) *exec.Cmd {
	argv := append(append(append([]string{}, h.before...), h.program), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = h.shop, h.environ()
	return cmd
}

// run runs it: within this process, unless something stands before it.
func (h *filledHome) run(args ...string) outcome {
	if len(h.before) == 0 {
		return within(h.shop, h.environ(), args...)
	}
	return ended(h.command(args...))
}

// done runs a command that has to succeed, and returns what it printed.
func (h *filledHome) done(args ...string) string {
	h.t.Helper()
	o := h.run(args...)
	if o.status != 0 {
		h.t.Fatalf("winnow %q: status %d\n%s%s", args, o.status, o.out, o.err)
	}
	return o.out
}

// into runs a command that has to succeed, and reads the JSON that it printed.
func (h *filledHome) into(to any, args ...string) {
	h.t.Helper()
	out := h.done(append(args, "--json")...)
	if err := json.NewDecoder(bytes.NewReader([]byte(out))).Decode(to); err != nil {
		h.t.Fatalf("winnow %q: %v\n%s", args, err, out)
	}
}

// listed is a store as "stores --json" has it.
type listed struct {
	Store, System, Name, Project, Path string
	Total, Failed                      int
	Problem                            *struct{ Code, What, Hint string }
}

// stores are the stores that are found, in their order.
func (h *filledHome) stores() []listed {
	h.t.Helper()
	var doc struct{ Stores []listed }
	h.into(&doc, "stores")
	for i, s := range doc.Stores {
		if s.Store == "" { // it is the path alone
			doc.Stores[i].Store = s.Path
		}
	}
	return doc.Stores
}

// script is a script as something that can fail.
type script struct{ *testscript.TestScript }

func (s script) Helper()                   {}
func (s script) Fatal(args ...any)         { s.Fatalf("%s", fmt.Sprint(args...)) }
func (s script) Errorf(f string, a ...any) { s.Fatalf(f, a...) }

// cmdHome unpacks a home with all systems below the home of the script, makes it the
// home, and goes to the project in it in which several systems live:
//
//	household
func cmdHome(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: household")
	}
	h := unpackHousehold(script{ts}, ts.Getenv("HOME"))
	ts.Setenv("HOME", h.home)
	ts.Check(ts.Chdir(h.shop))
}

// TestHomeToTry leaves the home in the folder that WINNOW_HOME names.
func TestHomeToTry(t *testing.T) {
	dir := os.Getenv("WINNOW_HOME")
	if dir == "" {
		t.Skip("does not apply: WINNOW_HOME names no folder to leave a home in")
	}
	unpackHousehold(t, dir)
}
