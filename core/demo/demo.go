// Package demo holds a home with the stores of four agents to try Winnow with, and a small agent
// that keeps adding to one of them. It writes below the folder it is given and nowhere
// else. The lessons are invented; every secret among them is a plain fake.
package demo

import (
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// lessons is the store as a template, one line a lesson, oldest first: a month
// and a half of a developer's sessions with all that goes wrong in a store.
// What cannot be seen is spelled out there, so that the file can be reviewed:
// "@12d 04:17:33.412" is the date that long ago, "@9d" the same as a day alone,
// and <U+202E> the character itself.
//
//go:embed lessons.jsonl
var lessons string

// The tokens of the template. They are compiled where they are used, which is
// once in most programs and never in the others.
const (
	agoToken  = `"@(\d+)d(?: (\d\d):(\d\d):(\d\d\.\d{3}))?"`
	charToken = `<U\+([0-9A-F]{4,6})>`
)

// lastSession is how long ago the agent of the demo saved for the last time.
const lastSession = 2 * time.Hour

// isoMillis is the form in which the lesson format writes dates.
const isoMillis = "2006-01-02T15:04:05.000Z"

// Unpack writes the store to sessions/memory.jsonl below dir, with dates as they
// would stand there at now, and returns its path. The file is readable by its
// owner alone. It is an error when the file is there already.
func Unpack(dir string, now time.Time) (path string, err error) {
	path = filepath.Join(dir, "sessions", "memory.jsonl")
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("unpack demo: %s: %w", path, fs.ErrExist)
	}
	if err := write(path, render(lessons, now), now); err != nil {
		return "", fmt.Errorf("unpack demo: %w", err)
	}
	return path, nil
}

// render replaces the tokens of a template.
func render(template string, now time.Time) string {
	ago, char := regexp.MustCompile(agoToken), regexp.MustCompile(charToken)
	dated := ago.ReplaceAllStringFunc(template, func(s string) string {
		return `"` + date(ago.FindStringSubmatch(s), now) + `"`
	})
	return char.ReplaceAllStringFunc(dated, func(s string) string {
		r, _ := strconv.ParseUint(strings.Trim(s, "<U+>"), 16, 32)
		return string(rune(r))
	})
}

// date returns the date that a match of agoToken stands for. The pattern admits
// only numbers.
func date(m []string, now time.Time) string {
	days, _ := strconv.Atoi(m[1])
	t := now.UTC().Add(-time.Duration(days) * 24 * time.Hour)
	if m[2] == "" {
		return t.Format(time.DateOnly)
	}
	rest, _ := time.ParseDuration(m[2] + "h" + m[3] + "m" + m[4] + "s")
	return t.Add(-rest).Format(isoMillis)
}
