// Package baseline reads and writes a project's file of decisions about findings. It only computes;
// callers do the IO.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
)

// version is the format version that Encode writes.
const version = 1

// document is a list of decisions as stored.
type document struct {
	Version int       `json:"version"`
	Ignored []ignored `json:"ignored"`
}

type ignored struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule,omitempty"`
	Reason      string `json:"reason"`
	Added       string `json:"added,omitempty"`
	Until       string `json:"until,omitempty"`
}

// Encode returns decisions as a JSON object. The output does not depend on their order. If two
// decisions concern the same finding, the later one is stored.
func Encode(list []memory.Ignore) []byte {
	b := document{Version: version, Ignored: []ignored{}}
	for _, i := range onePerFinding(list) {
		b.Ignored = append(b.Ignored, ignored{i.Fingerprint, i.Rule, i.Reason, dateText(i.Added), dateText(i.Until)})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		panic(err) // strings and numbers always encode
	}
	return out.Bytes()
}

// onePerFinding returns decisions sorted by rule and fingerprint, one for each finding.
func onePerFinding(list []memory.Ignore) []memory.Ignore {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b memory.Ignore) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint), a.Added.Compare(b.Added))
	})
	kept := out[:0]
	for i := range out {
		if i+1 == len(out) || out[i].Rule != out[i+1].Rule || out[i].Fingerprint != out[i+1].Fingerprint {
			kept = append(kept, out[i])
		}
	}
	return kept
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Decode reads decisions that Encode wrote or that a person wrote by hand. A date may be just a
// day, unknown members are ignored, and empty text means no decisions. The error is a
// *memory.Problem that names the entry.
func Decode(text []byte) ([]memory.Ignore, error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		return nil, nil
	}
	var b document
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, noBaseline(
			"the baseline cannot be read: "+syntax(text, err),
			"it is JSON: see winnow audit --help for its form, or write a new one",
		)
	}
	if b.Version < 0 || b.Version > version {
		return nil, noBaseline(
			fmt.Sprintf("the baseline is of version %d, and this program knows version %d", b.Version, version),
			"a newer winnow reads it",
		)
	}
	out := make([]memory.Ignore, 0, len(b.Ignored))
	for n, e := range b.Ignored {
		i, problem := e.decoded()
		if problem != "" {
			return nil, noBaseline(
				fmt.Sprintf("entry %d of the baseline %s", n+1, problem),
				"mend the entry or remove it",
			)
		}
		out = append(out, i)
	}
	return out, nil
}

func (e *ignored) decoded() (i memory.Ignore, problem string) {
	i = memory.Ignore{Fingerprint: strings.ToLower(strings.TrimSpace(e.Fingerprint)), Rule: e.Rule, Reason: e.Reason}
	if !isFingerprint(i.Fingerprint) {
		return i, "has no fingerprint of 32 hexadecimal digits"
	}
	var ok bool
	if i.Added, ok = dateOf(e.Added); !ok {
		return i, "has a date of adding that is not a date"
	}
	if i.Until, ok = dateOf(e.Until); !ok {
		return i, "has an end that is not a date"
	}
	return i, ""
}

func isFingerprint(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}

// dateOf parses an instant, or a day, which begins at midnight UTC.
func dateOf(s string) (time.Time, bool) {
	if s == "" {
		return time.Time{}, true
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t, err = time.Parse(time.DateOnly, s)
	}
	return t.UTC(), err == nil
}

// syntax describes a JSON syntax error and its line.
func syntax(text []byte, err error) string {
	var at int64
	switch e := err.(type) {
	case *json.SyntaxError:
		at = e.Offset
	case *json.UnmarshalTypeError:
		at = e.Offset
	default:
		return err.Error()
	}
	line := 1 + bytes.Count(text[:min(int(at), len(text))], []byte("\n"))
	return fmt.Sprintf("line %d: %s", line, strings.TrimPrefix(err.Error(), "json: "))
}

func noBaseline(what, hint string) *memory.Problem {
	return &memory.Problem{Code: "baseline", What: what, Hint: hint}
}
