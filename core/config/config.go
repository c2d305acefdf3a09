// Package config reads the file in which a person sets what Winnow does by itself:
//
//	[learn]
//	filter = "lesson-filter --strict" # a program that may drop or rewrite a proposal
//	commit = false                    # keep the lessons of a project in its git repository
//	approve = false                   # approve what two untainted sessions of different days say
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// Config is what can be set. The zero value is what holds without a file.
type Config struct {
	Learn struct {
		// Filter is a program and its arguments, separated by white space. There are no quotes.
		Filter  string `toml:"filter"`
		Commit  bool   `toml:"commit"`
		Approve bool   `toml:"approve"`
	} `toml:"learn"`
}

// Path returns where the file is: in $XDG_CONFIG_HOME, or in ~/.config when that is not an absolute
// path. It is empty when there is no home folder.
func Path(home string, lookup func(string) (string, bool)) string {
	dir, _ := lookup("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "winnow", "config.toml")
}

// mostConfig is how large the file may be, in bytes.
const mostConfig = 64 << 10

// Read reads the file at path. A missing file, and an empty path, is the zero Config. A file with a
// mistake is too, as a whole: the error is a *memory.Problem that names line and key.
func Read(path string) (Config, error) {
	if path == "" {
		return Config{}, nil
	}
	data, cut, err := quietread.ReadFile(path, mostConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Config{}, nil
	case err != nil:
		return Config{}, wrong(path, quietread.Problem(err).What)
	case cut:
		return Config{}, wrong(path, fmt.Sprintf("it is larger than %d kB", mostConfig>>10))
	}
	var c Config
	d := toml.NewDecoder(bytes.NewReader(data))
	if err := d.DisallowUnknownFields().Decode(&c); err != nil {
		return Config{}, wrong(path, mistake(err))
	}
	return c, nil
}

// mistake says where the file is wrong.
func mistake(err error) string {
	var unknown *toml.StrictMissingError
	var at *toml.DecodeError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := &unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Sprintf("line %d: there is no setting %s", line, strings.Join(first.Key(), "."))
	}
	if errors.As(err, &at) {
		line, _ := at.Position()
		what := strings.TrimPrefix(at.Error(), "toml: ")
		if key := strings.Join(at.Key(), "."); key != "" {
			what = key + ": " + what
		}
		return fmt.Sprintf("line %d: %s", line, what)
	}
	return err.Error()
}

// wrong is the problem of a file that says nothing.
func wrong(path, why string) *memory.Problem {
	return &memory.Problem{
		Code: "config", What: "read " + path + ": " + why,
		Hint: "correct the file; until then Winnow goes on as without it",
	}
}
