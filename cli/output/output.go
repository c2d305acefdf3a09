// Package output is the only way from the command line to a terminal, a pipe or a file. It masks
// the secrets in stored text and makes invisible characters visible. [Out] does so with every
// argument it prints, except numbers and [Safe] text. JSON escapes invisible characters instead.
//
// Stored bytes leave unchanged only through [Out.Exact]. Commands use it if the person asked for
// exact bytes and the output is not a terminal.
package output

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Stored is a text as a store has it, with the places of its known secrets. It has no String
// method, so that only an [Out] can show it.
type Stored struct {
	text    string
	secrets [][2]int
}

// Of returns a stored text. Each secret is a range of bytes, start to end.
func Of(text string, secrets [][2]int) Stored { return Stored{text, secrets} }

// Field returns the text of one field of a record.
func Field(r *memory.Record, f memory.Field) Stored {
	return Stored{r.Text(f, 0), memory.Places(r.Secrets, f, 0)}
}

// Safe is text that can be printed to a terminal unchanged.
type Safe string

// Visible returns the program's own text, which has no secrets, with invisible characters made
// visible.
func Visible(s string) Safe { return Safe(safe.Line(s)) }

// Out buffers the output of a command. It keeps the first write error, but a reader that closed its
// end does not count as one.
type Out struct {
	w   *bufio.Writer
	err error // the first value that could not be encoded as JSON
	// fields are those of the structs that were printed as JSON.
	fields map[reflect.Type][]field
	// hidden caches short texts with their secrets replaced.
	hidden map[string]string
	// Reveal shows secrets.
	Reveal bool
	// Colours enables colours.
	Colours bool
	// Width is the number of columns of the terminal, or 0 if the output is not a terminal.
	Width int
}

// New returns an Out that prints to w.
func New(w io.Writer, width int, reveal bool) *Out {
	return &Out{w: bufio.NewWriter(w), Width: width, Reveal: reveal, hidden: map[string]string{}}
}

// To returns an Out with the settings of o that prints to w, in lines of width columns.
func (o *Out) To(w io.Writer, width int) *Out {
	other := New(w, width, o.Reveal)
	other.Colours = o.Colours
	return other
}

// Colour says what a part of a line is. The terminal's own colours are used to show it.
type Colour string

// The colours.
const (
	Strong Colour = "1"
	Faint  Colour = "36"
	Good   Colour = "32"
	Bad    Colour = "31"
	Warn   Colour = "33"
)

// Paint returns a text in a colour, if colours are enabled.
func (o *Out) Paint(c Colour, s Safe) Safe {
	if !o.Colours || s == "" || c == "" {
		return s
	}
	return "\x1b[" + Safe(c) + "m" + s + "\x1b[m"
}

// Hidden returns a text with its secrets replaced, unless Reveal is set.
func (o *Out) Hidden(s string) string {
	if o.Reveal || s == "" {
		return s
	}
	return detect.Redact(s)
}

// Mask returns a stored text with its known secrets masked and otherwise unchanged.
func (o *Out) Mask(s Stored) string {
	if o.Reveal || len(s.secrets) == 0 {
		return s.text
	}
	return safe.Hide(s.text, s.secrets)
}

// printable returns an argument in the form in which it is printed.
func (o *Out) printable(arg any) any {
	switch v := arg.(type) {
	case Safe, int, int64, uint32, float64:
		return arg
	case Stored:
		return safe.Masked(v.text, v.secrets, o.Reveal)
	case string:
		return safe.Line(o.Hidden(v))
	}
	return safe.Line(o.Hidden(fmt.Sprint(arg)))
}

// Sprintf formats text. It masks its arguments and makes invisible characters visible.
func (o *Out) Sprintf(format string, args ...any) Safe {
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = o.printable(a)
	}
	return Safe(fmt.Sprintf(format, shown...))
}

// Show returns one argument in the form in which it is printed.
func (o *Out) Show(arg any) Safe { return Safe(fmt.Sprint(o.printable(arg))) }

// Printf prints formatted text. It adds no line end.
func (o *Out) Printf(format string, args ...any) { o.put(o.Sprintf(format, args...)) }

// lineTheme cuts lines with characters that every terminal can show, because a command does not
// know what its terminal supports.
var lineTheme = theme.Theme{Borders: theme.Borders{Cut: ".."}}

// Cell returns a safe line, cut or padded to w columns.
func Cell(s string, w int) string { return views.Cell(lineTheme, s, w) }

// Right is Cell with the text aligned right.
func Right(s string, w int) string { return views.Right(lineTheme, s, w) }

// Line prints a line, cut to the width of a terminal.
func (o *Out) Line(format string, args ...any) {
	line := o.Sprintf(format, args...)
	if o.Width > 0 {
		line = Safe(strings.TrimRight(Cell(string(line), o.Width), " "))
	}
	o.put(line + "\n")
}

// Paragraph prints a text with margin before each of its lines, wrapped on a terminal. A margin
// that ends in - or + marks the text as old or new, and a margin with a bar as a quotation.
func (o *Out) Paragraph(margin, format string, args ...any) {
	sign := margin[max(len(margin)-2, 0):]
	onward := strings.Replace(margin, "| ", "|>", 1) // a wrapped quoted line must not look like a new one
	for _, line := range o.wrapped(o.Sprintf(format, args...), o.Width-len(margin), 1) {
		o.put(o.Paint(map[string]Colour{"- ": Bad, "+ ": Good}[sign], Safe(strings.TrimRight(margin+line, " "))) + "\n")
		margin = onward
	}
}

// leastHung is the minimum width, in columns, for wrapping hanging text.
const leastHung = 20

// Hang prints a line that begins with head. On a terminal, text that does not fit continues below
// the end of head.
func (o *Out) Hang(head, format string, args ...any) {
	indent := strings.Repeat(" ", views.Width(head))
	for _, line := range o.wrapped(o.Sprintf(format, args...), o.Width-len(indent), leastHung) {
		o.put(Safe(strings.TrimRight(head+line, " ") + "\n"))
		head = indent
	}
}

// wrapped wraps a text into lines of room columns on a terminal, if room is at least `least`.
func (o *Out) wrapped(s Safe, room, least int) []string {
	if o.Width == 0 || room < least {
		return []string{string(s)}
	}
	return views.Wrap(string(s), room)
}

// Row prints columns separated by tabs, with a dash for an empty one.
func (o *Out) Row(columns ...any) {
	for i, c := range columns {
		if i > 0 {
			o.put("\t")
		}
		o.put(o.Dash(c))
	}
	o.put("\n")
}

// Dash returns an argument in the form in which it is printed, or a dash if that is empty.
func (o *Out) Dash(arg any) Safe {
	if s := o.Show(arg); s != "" {
		return s
	}
	return "-"
}

// Named prints a name and a value, wrapped on a terminal.
func (o *Out) Named(name string, value any) {
	o.Hang(string(o.Paint(Faint, Safe(fmt.Sprintf("%-9s", name))))+" ", "%v", value)
}

// Fields prints names and values, skipping empty values.
func (o *Out) Fields(fields ...[2]string) {
	for _, f := range fields {
		if f[1] != "" {
			o.Named(f[0], f[1])
		}
	}
}

// Notes prints remarks, each as a paragraph.
func (o *Out) Notes(list []string) {
	for _, n := range list {
		o.Paragraph("", "note: %s", n)
	}
}

// Cell returns an argument cut or padded to width columns.
func (o *Out) Cell(arg any, width int) Safe { return Safe(Cell(string(o.Show(arg)), width)) }

// CellRight is Cell with the argument aligned right.
func (o *Out) CellRight(arg any, width int) Safe {
	return Safe(Right(string(o.Show(arg)), width))
}

// Lines prints a stored text of several lines, with margin before each and invisible characters
// made visible. A secret that crosses a line end is masked in all its lines.
func (o *Out) Lines(margin string, s Stored) {
	for start := 0; start < len(s.text); {
		line, _, _ := strings.Cut(s.text[start:], "\n")
		o.Paragraph(margin, "%s", Of(line, safe.Within(s.secrets, start, start+len(line))))
		start += len(line) + 1
	}
}

// Exact prints bytes unchanged.
func (o *Out) Exact(raw []byte) { _, _ = o.w.Write(raw) } // the writer keeps the error

// Encoded prints a stored text as UTF-8. Half a character becomes U+FFFD.
func (o *Out) Encoded(s string) { o.put(Safe(jstext.WellFormed(s))) }

func (o *Out) put(s Safe) { _, _ = o.w.WriteString(string(s)) } // the writer keeps the error

// Flush writes the buffer. Close reports the error.
func (o *Out) Flush() { _ = o.w.Flush() }

// Close writes the buffer and returns the first error.
func (o *Out) Close() error {
	err := cmp.Or(o.err, o.w.Flush())
	if err == nil || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return fmt.Errorf("write output: %w", err)
}

// Text returns a text for JSON that may quote stored text.
func (o *Out) Text(s string) Text { return Text(o.Hidden(s)) }

// Texts returns texts for JSON that may quote stored text.
func (o *Out) Texts(list []string) []Text {
	return Each(list, func(s *string) Text { return o.Text(*s) })
}

// FieldText returns the text of one field of a record, for JSON.
func (o *Out) FieldText(r *memory.Record, f memory.Field) Text { return Text(o.Mask(Field(r, f))) }

// ID returns an ID with its secrets masked. If the ID is that of r, the secrets known to r are
// masked.
func (o *Out) ID(r *memory.Record, id memory.ID) memory.ID {
	if r.ID == id {
		return memory.ID(o.Hidden(o.Mask(Field(r, memory.InID))))
	}
	return memory.ID(o.Hidden(string(id)))
}

// Shown returns a copy of r with secrets masked in its short fields: the known secrets, or those
// found now in fields that were not searched. Print the result with [Visible]. Its long texts are
// not masked; print them as [Field].
func (o *Out) Shown(r *memory.Record) *memory.Record {
	if o.Reveal {
		return r
	}
	m := *r
	short := func(f memory.Field) string { return o.maskRepeated(o.Mask(Field(r, f))) }
	m.ID = o.ID(r, r.ID)
	m.Kind, m.Scope = o.maskRepeated(r.Kind), o.maskRepeated(r.Scope)
	m.File, m.Fixed = o.maskRepeated(r.File), o.maskRepeated(r.Fixed)
	if p := r.Problem; p != nil {
		m.Problem = &memory.Problem{Code: p.Code, What: o.Hidden(p.What), Hint: o.Hidden(p.Hint)}
	}
	m.Outcome, m.Session = memory.Outcome(short(memory.InOutcome)), short(memory.InSession)
	m.Count.Odd, m.When = short(memory.InCount), short(memory.InWhen)
	if r.Created.Time.IsZero() { // otherwise it is a date, not a secret
		m.Created.Text = short(memory.InCreated)
	}
	if r.Used.Time.IsZero() {
		m.Used.Text = short(memory.InUsed)
	}
	m.Tools = make([]string, len(r.Tools))
	for i, tool := range r.Tools {
		m.Tools[i] = o.maskRepeated(o.Mask(Of(tool, memory.Places(r.Secrets, memory.InTools, i))))
	}
	return &m
}

// maskRepeated returns a text that many records share, with its secrets replaced. It searches each text
// once.
func (o *Out) maskRepeated(s string) string {
	const most = 1000 // number of texts remembered
	if hidden, known := o.hidden[s]; known {
		return hidden
	}
	if len(o.hidden) == most {
		clear(o.hidden)
	}
	o.hidden[s] = o.Hidden(s)
	return o.hidden[s]
}

// Each returns the results of fn for the items of a list; never nil.
func Each[T, U any](list []T, fn func(*T) U) []U {
	out := make([]U, 0, len(list))
	for i := range list {
		out = append(out, fn(&list[i]))
	}
	return out
}

// When returns s if cond is set, and otherwise nothing. It is for optional parts of a line.
func When(cond bool, s string) string {
	if cond {
		return s
	}
	return ""
}

// Joined joins the non-empty texts.
func Joined(sep string, list ...string) string { return strings.Join(NonEmpty(list...), sep) }

// NonEmpty returns the non-empty texts.
func NonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// Plural returns a number with its noun: "1 file", "2 files".
func Plural(n int, noun string) string { return memory.Noun{One: noun, Many: noun + "s"}.Count(n) }

// Instant returns t in UTC, or nil if it is zero or cannot be written in RFC 3339.
func Instant(t time.Time) *time.Time {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}
