package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

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
}

func (e Env) output(reveal bool) *output {
	return &output{Writer: bufio.NewWriter(e.Out), reveal: reveal, width: e.Width}
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
	enc := json.NewEncoder(o)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return o.close()
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
