package e2e

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile"
)

// saved is what an editor does: it replaces a file by a new one, or writes into it.
func (h *filledHome) saved(path, text string, inPlace bool) {
	h.t.Helper()
	info, err := os.Stat(path)
	h.check(err)
	if inPlace {
		h.check(os.WriteFile(path, []byte(text), info.Mode()))
		return
	}
	h.check(os.WriteFile(path+".new", []byte(text), info.Mode()))
	h.check(os.Rename(path+".new", path))
}

func (h *filledHome) read(path string) string {
	h.t.Helper()
	raw, err := os.ReadFile(path)
	h.check(err)
	return string(raw)
}

// writable are stores whose memories are files, each with one that is edited. The text is
// in the file once, and in the title or body of the memory.
func (h *filledHome) writable() []struct{ store, id, path, text string } {
	return []struct{ store, id, path, text string }{
		{
			"claudecode:.",
			"memory:feedback_testing.md",
			filepath.Join(h.memories(), "feedback_testing.md"),
			"mocks hid a migration bug",
		},
		{"opencode:.", "AGENTS.md", filepath.Join(h.shop, "AGENTS.md"), "AGENTS (fake)"},
		{
			filepath.Join(h.shop, "memory"),
			"postgres",
			filepath.Join(h.shop, "memory", "postgres.md"),
			"The replica lags",
		},
		{
			h.at(".config/kimchi/harness/memory/MEMORY.md"),
			":2",
			h.at(".config/kimchi/harness/memory/MEMORY.md"),
			"called amber",
		},
		{h.at(".hermes/memories/MEMORY.md"), ":2", h.at(".hermes/memories/MEMORY.md"), "on Fridays never"},
	}
}

// TestHomeKeepsWhatAnEditorSaves changes a memory of each system after a person's editor
// saved the same file, and while one does: what the person saved stays, and undo brings
// back the bytes, the mode and the date.
func TestHomeKeepsWhatAnEditorSaves(t *testing.T) {
	h := newHousehold(t)
	for _, w := range h.writable() {
		h.check(os.Chmod(w.path, 0o640))
		for _, inPlace := range []bool{false, true} {
			h.editedBeside(w.store, w.id, w.path, w.text, inPlace)
		}
		h.deletedAndBack(w.store, w.id, w.path)
	}
}

// editedBeside edits with an $EDITOR that, as it is open, saves the same file by another way.
func (h *filledHome) editedBeside(store, id, path, text string, inPlace bool) {
	h.t.Helper()
	was := h.read(path)
	info, err := os.Stat(path)
	h.check(err)
	theirs := strings.Replace(was, text, text+" (theirs)", 1)
	next := path + ".theirs"
	h.check(os.WriteFile(next, []byte(theirs), 0o640))
	script := filepath.Join(h.temp, "editor.sh")
	save := "mv " + quote(next) + " " + quote(path)
	if inPlace {
		save = "cat " + quote(next) + " > " + quote(path) + "; rm " + quote(next)
	}
	body := "#!/bin/sh\n" + save + "\nsed 's/" + text + "/" + text + " (mine)/' \"$1\" > \"$1.x\" && cat \"$1.x\" > \"$1\"; rm \"$1.x\"\n"
	h.check(os.WriteFile(script, []byte(body), 0o755))
	h.env = []string{"EDITOR=" + script}
	o := h.run("edit", id, "--store", store, "--yes", "--anyway")
	h.env = nil
	now := h.read(path)
	switch {
	case !strings.Contains(now, "(theirs)"):
		h.t.Errorf(
			"%s: what another editor saved is lost (in place %v): status %d %s\n%s",
			store,
			inPlace,
			o.status,
			o.err,
			now,
		)
	case o.status == 0 && !strings.Contains(now, "(mine)"):
		h.t.Errorf("%s: winnow says that the edit is made, and it is not:\n%s%s", store, o.out, now)
	case o.status != 0 && (o.status != 7 || !strings.Contains(o.err, "another") && !strings.Contains(o.err, "changed")):
		h.t.Errorf("%s: the conflict (in place %v) is told with status %d: %s", store, inPlace, o.status, o.err)
	}
	h.saved(path, was, true)
	h.check(os.Chtimes(path, info.ModTime(), info.ModTime()))
}

func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// deletedAndBack deletes a memory and takes that back.
func (h *filledHome) deletedAndBack(store, id, path string) {
	h.t.Helper()
	was, info := h.read(path), h.stat(path)
	h.done("rm", id, "--store", store, "--yes", "--anyway")
	if raw, err := os.ReadFile(path); err == nil && string(raw) == was {
		h.t.Errorf("%s: nothing is deleted", store)
	}
	h.done("undo", "--store", store, "--yes", "--anyway")
	if now := h.read(path); now != was {
		h.t.Errorf("%s: undo leads to\n%q, want\n%q", store, now, was)
	}
	if now := h.stat(path); now.Mode() != info.Mode() {
		h.t.Errorf("%s: undo leads to the mode %v, want %v", store, now.Mode(), info.Mode())
	} else if strings.HasPrefix(store, "claudecode") && !now.ModTime().Equal(info.ModTime()) {
		h.t.Errorf("%s: undo leads to the date %v, want %v", store, now.ModTime(), info.ModTime())
	}
}

func (h *filledHome) stat(path string) os.FileInfo {
	h.t.Helper()
	info, err := os.Stat(path)
	h.check(err)
	return info
}

// TestHomeWaitsForTheLockOfKimchi holds the lock of Kimchi for a while, and writes under
// it: the addition waits, and keeps what was written meanwhile. A lock that is held for
// too long is told of, and nothing is changed.
func TestHomeWaitsForTheLockOfKimchi(t *testing.T) {
	h := newHousehold(t)
	path := h.at(".config/kimchi/harness/memory/MEMORY.md")
	release, err := atomicfile.FolderLock(
		context.Background(),
		path+".lock",
		atomicfile.Waiting{Now: time.Now, Pause: func(context.Context, time.Duration) error {
			return errors.New("held")
		}},
	)
	h.check(err)
	added := make(chan outcome, 1)
	go func() { added <- h.run("add", "--store", path, "--set", "body=Winnow was here.") }()
	select {
	case o := <-added:
		t.Errorf("it does not wait: %+v", o)
	case <-time.After(300 * time.Millisecond):
	}
	h.saved(path, h.read(path)+"\n§\nThe agent was here.", false)
	release()
	if o := <-added; o.status != 0 {
		t.Fatalf("status %d: %s", o.status, o.err)
	}
	for _, want := range []string{"pnpm", "The agent was here.", "Winnow was here."} {
		if now := h.read(path); !strings.Contains(now, want) {
			t.Errorf("%q is lost:\n%s", want, now)
		}
	}
}

// TestHomeWritesBesideSQLite changes lessons of Arbiter while another process holds the
// database in a transaction, and changes others.
func TestHomeWritesBesideSQLite(t *testing.T) {
	h := newHousehold(t)
	path := h.at(".arbiter/tenants.db")
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
	h.check(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN IMMEDIATE")
	h.check(err)
	edited := make(chan outcome, 1)
	go func() { edited <- h.run("edit", "#3", "--store", path, "--set", "body=Mine.") }()
	select {
	case o := <-edited:
		t.Errorf("it does not wait: %+v", o)
	case <-time.After(300 * time.Millisecond):
	}
	_, err = db.Exec("UPDATE lessons SET hit_count = hit_count + 7, last_seen_at = 1771999999 WHERE id IN (3, 5)")
	h.check(err)
	_, err = db.Exec("COMMIT")
	h.check(err)
	if o := <-edited; o.status != 0 && o.status != 7 {
		t.Errorf("status %d: %s", o.status, o.err)
	} else if o.status == 7 {
		h.done("edit", "#3", "--store", path, "--set", "body=Mine.")
	}
	var text string
	var hits, five int
	h.check(
		db.QueryRow("SELECT lesson_text, hit_count, (SELECT hit_count FROM lessons WHERE id = 5) FROM lessons WHERE id = 3").
			Scan(&text, &hits, &five),
	)
	if text != "Mine." || hits != 7 || five != 8 {
		t.Errorf("lesson 3 is %q with %d hits, lesson 5 has %d", text, hits, five)
	}
	h.done("rm", "#5", "--store", path)
	h.done("undo", "--store", path)
	var again int
	h.check(db.QueryRow("SELECT hit_count FROM lessons WHERE id = 5").Scan(&again))
	if again != five {
		t.Errorf("lesson 5 came back with %d hits, want %d", again, five)
	}
}
