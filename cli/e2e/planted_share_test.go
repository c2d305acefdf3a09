package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kinds are secrets of several kinds; what they have in common is looked for.
var kinds = map[string]string{
	"a key of AWS":       "AK" + "IAZ7QWE%sKJH",
	"a token":            "gh" + "p_%sQx81bVzK4nD7sYtA3eLm5cPo9rGu",
	"a password":         "pass" + "word = hunter2-%s-hunter2",
	"an address with it": "post" + "gres://app:s3cr3t%s@db.example.org/app",
	"a bearer":           "Authorization: Bearer " + "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.%sSflKxwRJSMeKKF2QT4fwpM",
	"a private key":      "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow%sIBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\n-----END RSA " + "PRIVATE KEY-----",
}

// plantedFields are the places in the line of a lesson, each with a form that is given the secret as JSON has it.
var plantedFields = map[string]string{
	"lesson_id": `"x-%s"`, "task_summary": `"Deploy it with %s"`, "lesson": `"The key is %s here."`, "outcome": `"%s"`,
	"tool_names": `["ls","%s"]`,
	"created_at": `"%s"`, "session_id": `"%s"`, "relevance_count": `"%s"`, "last_retrieved_at": `"%s"`,
	"note": `"%s"`, "tags": `[{"deep":["%s"]}]`, "place": `{"%s":1}`,
}

// plantedLine returns the line of a lesson with a secret in a field; "" for none. A key named by it is a field too.
func plantedLine(id, field, secret string) string {
	o := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(lessonLine(id, "Deploy the docs of "+id, 1)), &o); err != nil {
		panic(err)
	}
	text, _ := json.Marshal(secret)
	inner := strings.Trim(string(text), `"`)
	switch {
	case field == "a key":
		o[secret] = json.RawMessage(`"x"`)
	case field != "":
		o[field] = json.RawMessage(fmt.Sprintf(plantedFields[field], inner))
	}
	line, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

// plantedShare is a share of two machines in which nothing may be found.
type plantedShare struct {
	t        *testing.T
	git      string
	program  string
	remote   string
	machines [2]sandbox
}

func (l *plantedShare) run(i int, args ...string) outcome {
	g := l.machines[i]
	cmd := exec.Command(l.program, args...)
	cmd.Env, cmd.Dir = append(g.env(), "PATH="+filepath.Dir(l.git)+":/usr/bin:/bin"), g.dir
	o := ended(cmd)
	if o.status < 0 || o.status > 7 {
		l.t.Fatalf("winnow %s: %+v", strings.Join(args, " "), o)
	}
	return o
}

func (l *plantedShare) sync(i int, more ...string) outcome {
	return l.run(i, append([]string{"sync", "--store", l.machines[i].store}, more...)...)
}

// put writes the store of a machine.
func (l *plantedShare) put(i int, lines ...string) {
	if err := os.WriteFile(l.machines[i].store, []byte(strings.Join(lines, "")), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// objects returns all that the share's repository and Winnow's copies of it hold, and their references.
func (l *plantedShare) objects() string {
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(l.remote), "*/home/.local/state/winnow/shares/*.git"))
	if len(all) != len(l.machines) {
		l.t.Fatalf("copies: %q", all)
	}
	var text strings.Builder
	for _, dir := range append(all, l.remote) {
		for _, args := range [][]string{{"cat-file", "--batch-all-objects", "--batch"}, {"for-each-ref"}} {
			out, err := exec.Command(l.git, append([]string{"-C", dir}, args...)...).Output()
			if err != nil {
				l.t.Fatal(err)
			}
			text.Write(out)
		}
	}
	return text.String()
}

func newSowing(t *testing.T) *plantedShare {
	program, git := builtWithGit(t)
	dir := t.TempDir()
	l := &plantedShare{t: t, git: git, program: program, remote: filepath.Join(dir, "remote.git")}
	if out, err := exec.Command(git, "init", "-q", "--bare", "-b", "main", l.remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range l.machines {
		var err error
		if l.machines[i], err = newSandbox(filepath.Join(dir, fmt.Sprint("m", i))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(l.machines[i].home, ".gitconfig"), []byte("[user]\n\tname = Ada\n\temail = ada@example.org\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if o := l.run(i, "sync", []string{"init", "join"}[i], l.remote, "--store", l.machines[i].store, "--machine", fmt.Sprint("m", i)); o.status != 0 {
			t.Fatalf("%+v", o)
		}
	}
	return l
}

// TestNothingPlantedReachesAShare plants secrets of several kinds in each place of a lesson that a sync could send: in
// new lessons, in edits, in what two machines edited, in what is deleted, and in what is gone again before the next
// sync. No object of the share has one, nor of Winnow's copies of it.
func TestNothingPlantedReachesAShare(t *testing.T) {
	if step() == 0 {
		t.Skip("does not apply: -campaign is off")
	}
	l := newSowing(t)
	const mark = "QZJXVWKQ"
	var clean, dirty, edited, gone []string
	n := 0
	for _, kind := range kinds {
		for field := range maps.All(plantedFields) {
			n++
			id, secret := fmt.Sprintf("id-%d", n), fmt.Sprintf(kind, mark)
			clean = append(clean, plantedLine(id, "", ""))
			edited = append(edited, plantedLine(id, field, secret))
			dirty = append(dirty, plantedLine("new-"+id, field, secret))
			gone = append(gone, plantedLine("gone-"+id, field, secret))
		}
		n++
		dirty = append(dirty, plantedLine(fmt.Sprint("key-", n), "a key", fmt.Sprintf(kind, mark)))
	}
	safe := func(when string) {
		t.Helper()
		all := l.objects()
		for line := range strings.Lines(all) {
			if strings.Contains(strings.ToUpper(line), mark) {
				t.Errorf("%s: it is in the share: %.300s", when, line)
			}
		}
	}
	// 1. New ones beside clean ones, with personal data allowed: only the clean ones leave.
	l.put(0, append(clean, dirty...)...)
	if o := l.sync(0, "--yes"); o.status != 6 {
		t.Errorf("%+v", o)
	}
	safe("new")
	if all := l.objects(); !strings.Contains(all, "id-1") {
		t.Error("nothing left at all")
	}
	// 2. They are gone before the next sync, and others with them that no sync saw.
	l.put(0, append(clean, gone...)...)
	l.put(0, clean...)
	l.sync(0, "--yes")
	safe("gone")
	// 3. The other machine takes the clean ones; then both edit them, one with a secret.
	l.sync(1)
	l.run(1, "inbox", "approve", "--yes", "id-1", "id-2")
	l.run(1, "edit", "id-1", "--store", l.machines[1].store, "--set", "lesson=Another text.")
	l.sync(1)
	l.put(0, edited...)
	if o := l.sync(0, "--yes"); o.status != 6 {
		t.Errorf("%+v", o)
	}
	safe("edited")
	for _, side := range []string{"mine", "both", "theirs"} {
		l.sync(0, "--yes", "--take", side, "id-1")
		safe("took " + side)
	}
	// 4. A person deletes them, and leaves the share and joins it again.
	l.run(0, "rm", "id-1", "id-2", "id-3", "--yes", "--store", l.machines[0].store)
	l.sync(0, "--yes")
	safe("deleted")
	l.run(0, "sync", "leave")
	l.run(0, "sync", "join", l.remote, "--store", l.machines[0].store, "--machine", "again")
	l.sync(0, "--yes")
	safe("joined again")
	// 5. The person's git would put one into each commit.
	if err := os.WriteFile(filepath.Join(l.machines[1].home, ".gitconfig"), fmt.Appendf(nil, "[user]\n\tname = %q\n\temail = ada@example.org\n", fmt.Sprintf(kinds["a token"], mark)), 0o600); err != nil {
		t.Fatal(err)
	}
	l.run(1, "edit", "id-2", "--store", l.machines[1].store, "--set", "lesson=One more text.")
	if o := l.sync(1); o.status != 1 || !strings.Contains(o.err, "holds a secret") {
		t.Errorf("%+v", o)
	}
	safe("author")
	t.Logf("%d kinds in %d places", len(kinds), len(plantedFields)+1)
}
