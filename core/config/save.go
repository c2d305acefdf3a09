package config

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// mostViewName is the maximum length of the name of a view in bytes.
const mostViewName = 100

// SaveView adds a view to the settings file at path, below all that is in it. The file is made if there is none.
// The error is a *memory.Problem if the file has a mistake or the view cannot be added; nothing is written then.
func SaveView(ctx context.Context, path, name string, v View) error {
	if why := whyNoView(path, name, v); why != "" {
		return refused(why, "choose another name or filter")
	}
	_, err := atomicfile.Replace(ctx, atomicfile.OS(), path, atomicfile.Update{
		Temp: atomicfile.TempOf(path), Mode: 0o600,
		Next: func(was []byte) ([]byte, error) { return withView(path, was, name, v) },
	})
	return err
}

// whyNoView says why a view cannot be saved whatever the file has, or nothing.
func whyNoView(path, name string, v View) string {
	switch {
	case path == "":
		return "there is no folder for settings"
	case strings.TrimSpace(name) == "" || len(name) > mostViewName || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Sprintf("%q is no name for a view", name)
	case detect.Redact(name) != name || detect.Redact(v.Filter) != v.Filter:
		return "it holds what looks like a secret"
	}
	return ""
}

func refused(what, hint string) error { return &memory.Problem{Code: "config", What: what, Hint: hint} }

// withView returns the file with the view at its end. All other bytes stay.
func withView(path string, was []byte, name string, v View) ([]byte, error) {
	f := File{Document: Document{Path: path}}
	f.parse(was)
	if q := f.Problem(); q != nil {
		return nil, q
	}
	if _, taken := f.Views[name]; taken {
		what := fmt.Sprintf("config.toml has a view with the name %s, in line %d", name, f.Line("views."+name))
		return nil, refused(what, "choose another name, or change it with winnow config edit")
	}
	next := append(bytes.Clone(was), viewText(was, name, v)...)
	after := File{Document: Document{Path: path}}
	after.parse(next)
	if len(after.Mistakes) > 0 || len(next) > mostConfig || after.Views[name].Filter != v.Filter {
		what := "nothing can be added at the end of config.toml"
		return nil, refused(what, "add it by hand: winnow config edit")
	}
	return next, nil
}

// viewText returns what a view adds to a file, with line ends as the file has them.
func viewText(was []byte, name string, v View) string {
	lines := []string{"[views." + quoted(name) + "]", "filter = " + quoted(v.Filter)}
	if v.Sort != "" {
		lines = append(lines, "sort = "+quoted(v.Sort))
	}
	if v.Reverse {
		lines = append(lines, "reverse = true")
	}
	if len(was) > 0 {
		lines = append([]string{""}, lines...)
	}
	if len(was) > 0 && was[len(was)-1] != '\n' {
		lines = append([]string{""}, lines...)
	}
	end := "\n"
	if bytes.Contains(was, []byte("\r\n")) {
		end = "\r\n"
	}
	return strings.Join(lines, end) + end
}

// quoted returns a text in quotes. TOML has the escapes of JSON.
func quoted(s string) string { return jstext.Quoted(strings.ToValidUTF8(s, "\ufffd")) }
