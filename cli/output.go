package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"winnow/cli/jsontext"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// output buffers what a command prints. The first write error is kept, and a
// reader that has gone away ends the command without a word.
type output struct {
	*bufio.Writer
	reveal bool
	width  int // of the terminal, 0 when the output is none
	redact func(string) string
	// foreign is set for records of another system than the engine, whose fields go by
	// the names of the JSON.
	foreign bool
}

func (e Env) output(reveal bool) *output {
	return &output{Writer: bufio.NewWriter(e.Out), reveal: reveal, width: e.Width, redact: e.Redact}
}

// hidden returns a text of which no secrets are known with those in it replaced.
func (o *output) hidden(s string) string {
	if o.reveal {
		return s
	}
	return o.redact(s)
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

// line prints text that is safe already, cut to the width of a terminal.
func (o *output) line(s string) {
	if o.width > 0 {
		s = strings.TrimRight(views.Cell(s, o.width), " ")
	}
	o.printf("%s\n", s)
}

// paragraph prints text that is safe already, indented, and wrapped on a terminal.
func (o *output) paragraph(indent, s string) {
	lines := []string{s}
	if room := o.width - len(indent); o.width > 0 && room > 0 {
		lines = views.Wrap(s, room)
	}
	for _, l := range lines {
		o.printf("%s\n", strings.TrimRight(indent+l, " "))
	}
}

// close writes what is left.
func (o *output) close() error {
	err := o.Flush()
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// json prints v with an indent of two.
func (o *output) json(v any) error {
	if err := encode(o, v, ""); err != nil {
		return err
	}
	return o.close()
}

// jsonList prints v, whose last member is an empty list, with n items in that list. An
// error of the output is kept by it.
func (o *output) jsonList(v any, n int, item func(i int) any) error {
	if err := jsontext.List(o, v, n, item); err != nil && o.Flush() == nil {
		return err
	}
	return o.close()
}

// encode writes v as JSON. All lines but the first begin with margin. An error of
// an output is kept by the output.
func encode(w io.Writer, v any, margin string) error {
	raw, err := jsontext.Indented(v, margin)
	if err != nil {
		return err
	}
	_, _ = w.Write(raw)
	return nil
}

// said returns a text that may quote a stored one, for JSON.
func (o *output) said(s string) text { return text(o.hidden(s)) }

// saids are texts that may quote stored ones, for JSON.
func (o *output) saids(list []string) []text {
	out := make([]text, 0, len(list))
	for _, s := range list {
		out = append(out, o.said(s))
	}
	return out
}

// shown returns r with the secrets masked in what is printed of it besides its
// long texts, which [output.title], [output.body] and [output.text] mask: those that are
// known, and those that the short texts have where nobody looked for them.
func (o *output) shown(r *memory.Record) *memory.Record {
	if o.reveal {
		return r
	}
	m := *r
	masked := func(s string, f memory.Field) string { return o.redact(hide(s, spans(r.Secrets, f), false)) }
	m.ID = o.maskedID(r, r.ID)
	m.Kind, m.Scope, m.File, m.Fixed = o.redact(r.Kind), o.redact(r.Scope), o.redact(r.File), o.redact(r.Fixed)
	m.Problem = o.problem(r.Problem)
	m.Outcome = memory.Outcome(masked(string(r.Outcome), memory.InOutcome))
	m.Session = masked(r.Session, memory.InSession)
	m.Created.Text = masked(r.Created.Text, memory.InCreated)
	m.Used.Text = masked(r.Used.Text, memory.InUsed)
	m.Count.Odd = masked(r.Count.Odd, memory.InCount)
	m.Tools = slices.Clone(r.Tools)
	for i, tool := range r.Tools {
		other := func(s memory.Secret) bool { return s.Field != memory.InTools || s.Item != i }
		m.Tools[i] = o.redact(hide(tool, spans(slices.DeleteFunc(slices.Clone(r.Secrets), other), memory.InTools), false))
	}
	return &m
}

// problem returns a problem whose sentences may quote a stored text.
func (o *output) problem(p *memory.Problem) *memory.Problem {
	if p == nil {
		return nil
	}
	return &memory.Problem{Code: p.Code, What: o.hidden(p.What), Hint: o.hidden(p.Hint)}
}

// title returns the title of a record for a terminal.
func (o *output) title(r *memory.Record) string {
	return safe.Masked(r.Title, spans(r.Secrets, memory.InTitle), o.reveal)
}

// body returns the lesson of a record for a terminal.
func (o *output) body(r *memory.Record) string {
	return safe.Masked(r.Body, spans(r.Secrets, memory.InBody), o.reveal)
}

// text returns a stored text for JSON.
func (o *output) text(s string, secrets []memory.Secret, f memory.Field) text {
	return text(hide(s, spans(secrets, f), o.reveal))
}

// spans returns the places of secrets in one field.
func spans(secrets []memory.Secret, f memory.Field) (out [][2]int) {
	for _, s := range secrets {
		if s.Field == f {
			out = append(out, [2]int{s.Start, s.End})
		}
	}
	return out
}

// markedSecrets returns the places of secrets in a block.
func markedSecrets(marks []memory.Mark) (out [][2]int) {
	for _, m := range marks {
		if m.Kind == memory.MarkSecret {
			out = append(out, [2]int{m.Start, m.End})
		}
	}
	return out
}
