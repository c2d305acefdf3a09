// Package librarytest has stores and libraries for the tests of what stands above a library.
package librarytest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// Key is no key: it only looks like one.
var Key = "gh" + "p_" + strings.Repeat("a1B2c3", 6)

// Lesson returns the line of a lesson.
func Lesson(id string) string {
	return fmt.Sprintf(
		`{"lesson_id":%q,"task_summary":"Repair the build","outcome":"succeeded",`+
			`"lesson":"Completed using x. 1 step(s) succeeded.","tool_names":["x"],"created_at":%q,`+
			`"session_id":"s","relevance_count":0}`,
		id,
		time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	) + "\n"
}

// LessonWith returns the line of a lesson whose text begins with text.
func LessonWith(id, text string) string {
	return strings.Replace(Lesson(id), `"lesson":"`, `"lesson":"`+text+" ", 1)
}

// Put replaces a file as an agent does.
func Put(t testing.TB, path string, lessons ...string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path+".tmp", []byte(strings.Join(lessons, "")), 0o600)
	}
	if err == nil {
		err = os.Rename(path+".tmp", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Holding returns a file below root that holds text, or "".
func Holding(t testing.TB, root, text string) (at string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), text) {
			at = path
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return at
}

// Desk is a project with a store of KarnEvil9 in its place, and a library that keeps its state apart. The clock of
// the library stands still.
type Desk struct {
	*library.Library
	Dir, Path string
	State     library.State
	Clock     time.Time
}

// NewDesk returns a desk with lessons.
func NewDesk(t testing.TB, lessons ...string) *Desk {
	t.Helper()
	d := &Desk{Dir: t.TempDir(), Clock: time.Now()}
	d.Path = filepath.Join(d.Dir, "sessions", "memory.jsonl")
	Put(t, d.Path, lessons...)
	d.State = library.State{Dir: filepath.Join(t.TempDir(), "winnow"), Rand: rand.Reader}
	env := system.Env{
		Home:   filepath.Join(d.Dir, "home"),
		Dir:    d.Dir,
		Lookup: func(string) (string, bool) { return "", false },
	}
	now := func() time.Time { return d.Clock }
	start := func(f func()) { go f() }
	d.Library = library.New(all.Systems(now), env, now, start, d.State, all.Forms()...)
	return d
}

// Change applies an order to the desk's store.
func (d *Desk) Change(t testing.TB, o memory.Order) {
	t.Helper()
	p, err := d.Plan(t.Context(), memory.StoreID(d.Path), o)
	if err == nil {
		_, err = d.Apply(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}
