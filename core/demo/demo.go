// Package demo holds a home folder with a project of Claude Code, in which two other agents work, to try Winnow
// with, and a small agent that keeps adding to one of the stores. It writes only below the folder it is given. The
// lessons are invented, and every secret in them is a plain fake.
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

// lessons is a template of the store, one line a lesson, oldest first: a month and a half of a
// developer's sessions, with everything that can go wrong in a store. Invisible characters are
// spelled out, so that the file can be reviewed: "@12d 04:17:33.412" is the date that long ago,
// "@9d" the same as a date without time, and <U+202E> the character itself.
//
//go:embed lessons.jsonl
var lessons string

// The tokens of the template. They are compiled where they are used, because most programs use them
// once or never.
const (
	agoToken  = `"@(\d+)d(?: (\d\d):(\d\d):(\d\d\.\d{3}))?"`
	charToken = `<U\+([0-9A-F]{4,6})>`
)

// lastSession is how long ago the demo agent last saved.
const lastSession = 2 * time.Hour

// isoMillis is the date format of lessons.
const isoMillis = "2006-01-02T15:04:05.000Z"

// Unpack writes the store to sessions/memory.jsonl below dir, with dates relative to now, and
// returns its path. Only the owner can read the file. It is an error if the file already exists.
func Unpack(dir string, now time.Time) (path string, err error) {
	path = filepath.Join(dir, "sessions", "memory.jsonl")
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("unpack demo: %s: %w", path, fs.ErrExist)
	}
	if err := write(path, render(lessons, now), now.Add(-lastSession)); err != nil {
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

// date returns the date that a match of agoToken stands for. The pattern only matches numbers, so
// parsing cannot fail.
func date(m []string, now time.Time) string {
	days, _ := strconv.Atoi(m[1])
	t := now.UTC().Add(-time.Duration(days) * 24 * time.Hour)
	if m[2] == "" {
		return t.Format(time.DateOnly)
	}
	rest, _ := time.ParseDuration(m[2] + "h" + m[3] + "m" + m[4] + "s")
	return t.Add(-rest).Format(isoMillis)
}
