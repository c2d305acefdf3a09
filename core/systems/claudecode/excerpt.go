package claudecode

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/jstext"
)

// excerpt is the part of a memory index that a session gets.
type excerpt struct {
	loaded    string // all of it, trimmed
	lineCount int
	units     int
	shown     string // the part within the limits
	warning   string // added if there is more
}

// injected returns the text as a session gets it.
func (e *excerpt) injected() string {
	if e.warning == "" {
		return e.shown
	}
	return e.shown + "\n\n" + e.warning
}

// excerptOf cuts a memory index as Claude Code does.
func excerptOf(text string) excerpt {
	e := excerpt{loaded: jstext.Trim(strings.ReplaceAll(text, "\r\n", "\n"))}
	e.units, e.shown = jstext.Len(e.loaded), e.loaded
	if e.loaded == "" {
		return e
	}
	all := strings.Split(e.loaded, "\n")
	e.lineCount = len(all)
	if e.lineCount <= maxIndexLines && e.units <= maxIndexUnits {
		return e
	}
	e.shown = strings.Join(all[:min(len(all), maxIndexLines)], "\n")
	within := false // the first line
	if jstext.Len(e.shown) > maxIndexUnits {
		head, whole := headOf(e.shown, maxIndexUnits)
		e.shown, within = head, !whole
	}
	e.warning = e.warn(all, within)
	return e
}

// warn returns the warning after an index that was cut.
func (e *excerpt) warn(all []string, within bool) string {
	is := fmt.Sprintf("%d lines (limit: %d)", e.lineCount, maxIndexLines)
	if e.units > maxIndexUnits {
		is = kilobytes(e.units) + " (limit: " + kilobytes(maxIndexUnits) + ") — index entries are too long"
		if e.lineCount > maxIndexLines {
			is = fmt.Sprintf("%d lines and %s", e.lineCount, kilobytes(e.units))
		}
	}
	cut := fmt.Sprintf("everything after the first %d characters of line 1 was cut off", maxIndexUnits)
	if !within {
		n := strings.Count(e.shown, "\n") + 1
		cut = fmt.Sprintf("%d of %d lines were cut off, starting at line %d", e.lineCount-n, e.lineCount, n+1)
		if first := clipped(jstext.Trim(all[n]), 80); first != "" {
			cut += ` ("` + first + `")`
		}
	}
	return "> WARNING: MEMORY.md is " + is + ". Only part of it was loaded: " + cut +
		". Keep index entries to one line under ~200 chars; move detail into topic files."
}

func kilobytes(n int) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1024, 'f', 1, 64), ".0") + "KB"
}

// clipped cuts a text to at most most UTF-16 units, and ends it with an ellipsis. It cuts at the last white
// space, if that lies in the second half.
func clipped(text string, most int) string {
	if jstext.Len(text) <= most {
		return text
	}
	head := strings.ToValidUTF8(jstext.Slice(text, most-1), "")
	if at := strings.LastIndexFunc(head, jstext.IsSpace); at >= 0 && jstext.Len(head[:at]) > most/2 {
		head = head[:at]
	}
	return strings.TrimRightFunc(head, jstext.IsSpace) + "…"
}

// Limits of an index that Claude Code writes itself.
const (
	maxMadeLines = maxIndexLines * 7 / 10
	maxMadeUnits = maxIndexUnits * 7 / 10
	maxMadeLine  = 150 // of a line with a description
)

// dash stands between the file of a topic and its description.
const dash = " — "

// madeIndex returns the index that Claude Code writes at the start of a session if there are topics
// but no index: one line per topic, newest first. files are in the order of the operating system, which decides
// among files of the same time.
func madeIndex(dir string, files []string) string {
	var topics []filestore.File
	for _, rel := range files {
		if path := filepath.Join(dir, filepath.FromSlash(rel)); filepath.Base(path) != indexName {
			topics = append(topics, filestore.Read(path, maxTopic))
		}
	}
	age := func(f filestore.File) float64 { return float64(f.ModTime.UnixNano()) / 1e6 } // as JavaScript has it
	slices.SortStableFunc(topics, func(a, b filestore.File) int { return cmp.Compare(age(b), age(a)) })
	var out strings.Builder
	lines, length := 0, 0
	for _, t := range topics {
		rel, err := filepath.Rel(dir, t.Path)
		if t.Problem != nil || err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		line := "- [" + stem(rel) + "](" + rel + ")"
		d, room := described(t.Text), maxMadeLine-jstext.Len(line+dash)
		if d != "" && room > 1 {
			line += dash + clipped(d, room)
		}
		if lines++; lines > maxMadeLines || length+jstext.Len(line)+1 > maxMadeUnits {
			break
		}
		length += jstext.Len(line) + 1
		out.WriteString(line + "\n")
	}
	return out.String()
}

// described returns the description in the header of a topic as one line.
func described(raw string) string {
	_, header := withoutHeader(raw)
	n := member(loadedHeader(header), "description")
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return ""
	}
	return strings.Join(jstext.Split(jstext.Trim(visible(n.Value))), " ")
}
