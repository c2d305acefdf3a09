package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// Document is a settings file.
type Document struct {
	Path string
	// Mistakes are sorted by line.
	Mistakes []Mistake

	lines []string
	at    map[string]keyPlace
}

// Mistake is something wrong with the file. Line is 0 if it does not concern one line.
type Mistake struct {
	Line, Column, Width int
	Text                string // of the line
	What                string
}

// Error says in one line what is wrong.
func (m Mistake) Error() string {
	if m.Line == 0 {
		return m.What
	}
	return fmt.Sprintf("line %d: %s", m.Line, m.What)
}

// keyPlace is where a key is written.
type keyPlace struct{ line, column, width int }

// mostConfig is the maximum size of the file in bytes.
const mostConfig = 64 << 10

// open reads the file, or records why it cannot be read.
func (d *Document) open() ([]byte, error) {
	data, cut, err := quietread.ReadFile(d.Path, mostConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		d.Mistakes = append(d.Mistakes, Mistake{What: quietread.Problem(err).What})
	case cut:
		err = fmt.Errorf("it is larger than %d kB", mostConfig>>10)
		d.Mistakes = append(d.Mistakes, Mistake{What: err.Error()})
	}
	return data, err
}

// keyPlaces returns the places of a document's keys, by full name.
func keyPlaces(data []byte) map[string]keyPlace {
	at := map[string]keyPlace{}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			table = nil
		}
		note(at, &p, table, e)
		if e.Kind != unstable.KeyValue {
			table = parts(e)
		}
	}
	return at
}

// deepest is the maximum number of key parts to record. No setting has that many.
const deepest = 6

// note records the keys of an expression, and of tables in its value.
func note(at map[string]keyPlace, p *unstable.Parser, table []string, e *unstable.Node) {
	keys := e.Key()
	name := slices.Clone(table)
	var first unstable.Position
	for keys.Next() && len(name) < deepest {
		k := keys.Node()
		name = append(name, string(k.Data))
		shape := p.Shape(k.Raw)
		if len(name) == len(table)+1 {
			first = shape.Start
		}
		if _, known := at[strings.Join(name, ".")]; !known || keys.IsLast() {
			at[strings.Join(name, ".")] = keyPlace{first.Line, first.Column, shape.End.Offset - first.Offset}
		}
	}
	if e.Kind == unstable.KeyValue && e.Value().Kind == unstable.InlineTable {
		for inner := e.Value().Children(); inner.Next(); {
			note(at, p, name, inner.Node())
		}
	}
}

func parts(e *unstable.Node) (list []string) {
	for keys := e.Key(); keys.Next(); {
		list = append(list, string(keys.Node().Data))
	}
	return list
}

// decode decodes a document strictly, and records what is wrong: the first value of a wrong type, or all unknown
// keys.
func (d *Document) decode(data []byte, to any) {
	d.lines, d.at = strings.Split(string(data), "\n"), keyPlaces(data)
	if !utf8.Valid(data) {
		d.Mistakes = append(d.Mistakes, Mistake{What: "it is not UTF-8 text"})
		return
	}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(to)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		for i := range unknown.Errors {
			key := strings.Join(unknown.Errors[i].Key(), ".")
			d.addMistake(key, unknown.Errors[i].Position, "there is no setting "+key)
		}
		return
	}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		key := strings.Join(at.Key(), ".")
		d.addMistake(key, at.Position, typeMistake(key, strings.TrimPrefix(at.Error(), "toml: ")))
	}
}

// kinds are the types of settings, in words.
var kinds = map[string]string{
	"theme": "a name in quotes", "history.days": "a whole number", "history.mb": "a whole number",
	"learn.filter": "text in quotes", "learn.distil": `a list of words: ["claude", "-p"]`,
	"learn.commit": "true or false", "learn.approve": "true or false", "share.fail_on": "text in quotes",
	"stores.allow": `a list of folders or files: ["~/dotfiles"]`,
	"filter":       "text in quotes", "sort": "text in quotes", "reverse": "true or false",
	"columns": `a list: ["age", "flags"]`,
}

// typeMistake says what a value should have been, or else what the decoder says about it.
func typeMistake(key, what string) string {
	if key == "" {
		return what
	}
	kind := kinds[key]
	switch section, leaf := key[:strings.IndexByte(key+".", '.')], key[strings.LastIndexByte(key, '.')+1:]; {
	case section == "views" && key != section:
		kind = kinds[leaf]
	case section == "columns":
		kind = kinds[section]
	case section == "keys":
		kind = `the place and the action: curate.delete = "d"`
	}
	if kind == "" || strings.Contains(what, "already") {
		return key + ": " + what
	}
	return key + ": want " + kind
}

// addMistake records what is wrong with a key, at the place of the key or else at the decoder's
// position.
func (d *Document) addMistake(key string, position func() (line, column int), what string) {
	p, ok := d.at[key]
	if line, column := position(); !ok || line != p.line {
		p = keyPlace{line, column, 1}
	}
	d.note(p, what)
}

// mistake returns what is wrong at a place.
func (d *Document) mistake(p keyPlace, what string) Mistake {
	m := Mistake{Line: p.line, Column: p.column, Width: p.width, What: what}
	if p.line > 0 && p.line <= len(d.lines) {
		m.Text = strings.TrimSuffix(d.lines[p.line-1], "\r")
	}
	return m
}

func (d *Document) note(p keyPlace, what string) {
	d.Mistakes = append(d.Mistakes, d.mistake(p, what))
	slices.SortStableFunc(d.Mistakes, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What))
	})
}

// Flaw records that the value of a key cannot be used.
func (d *Document) Flaw(key, what string) { d.note(d.at[key], key+": "+what) }

// Line returns the line of a key, or 0 if the file does not have it.
func (d *Document) Line(key string) int { return d.at[key].line }

// Problem returns the first mistake in the file, or nil.
func (d *Document) Problem() *memory.Problem {
	if len(d.Mistakes) == 0 {
		return nil
	}
	what := "read " + d.Path + ": " + d.Mistakes[0].Error()
	if more := len(d.Mistakes) - 1; more > 0 {
		what += fmt.Sprintf(", and %d more", more)
	}
	return &memory.Problem{
		Code: "config", What: what,
		Hint: "correct it: winnow config check shows it; until then the built-in settings hold, and nothing is changed, " +
			"audited or synced",
	}
}
