package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// confirm shows the plans and asks before they are applied, where that is due.
func (c *change) confirm(ctx context.Context, steps []step) error {
	if c.yes || !c.due(steps) {
		return nil
	}
	if c.canAsk() {
		o := c.output(c.reveal)
		o.Writer = bufio.NewWriter(c.Err)
		o.width = max(c.Width, narrowest)
		for i := range steps {
			c.printPlan(o, &steps[i].plan)
		}
		if err := o.close(); err != nil {
			return err
		}
	}
	return c.sure(ctx, c.ask(steps))
}

func (c *change) canAsk() bool { return c.InTTY && c.ErrTTY && !c.taken }

// sure asks a question, and returns an error unless the answer is yes. Where nobody
// can be asked it refuses.
func (c *change) sure(ctx context.Context, question string) error {
	if c.yes {
		return nil
	}
	return c.Env.sure(ctx, c.op, question, c.canAsk())
}

// sure asks a question for the command op, and returns an error unless the answer is
// yes. Where nobody can be asked it refuses.
func (e Env) sure(ctx context.Context, op, question string, canAsk bool) error {
	if !canAsk {
		return usage("add --yes", "%s: %s there is no terminal to ask on", op, question)
	}
	fmt.Fprintf(e.Err, "%s [y/N] ", safe.Line(e.Redact(question)))
	yes, err := e.answer(ctx)
	if err != nil {
		fmt.Fprintln(e.Err) // the question stands on a line that was not ended
	}
	if err == nil && !yes {
		return &failure{code: exitFailure, err: fmt.Errorf("%s: not confirmed, and nothing was changed", op)}
	}
	return err
}

// narrowest is the least width that a plan is printed for on a terminal, in cells.
const narrowest = 60

// answer reports whether the answer to a question is yes. The end of the input is no.
func (e Env) answer(ctx context.Context) (bool, error) {
	line, err := await(ctx, func() (string, error) {
		return bufio.NewReader(io.LimitReader(e.In, 100)).ReadString('\n')
	})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	word := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (word == "y" || word == "yes"), nil
}

// due reports whether the plans are asked about: they change more than one record,
// a pinned one, or for good. What only says what was said before (pins, undo, redo,
// a counted recall, the decisions of the guard) is not.
func (c *change) due(steps []step) bool {
	n := 0
	for i := range steps {
		p := &steps[i].plan
		switch p.Order.Do {
		case memory.Pin, memory.Unpin, memory.Undo, memory.Redo, memory.Commit,
			memory.Reapply, memory.Accept, memory.Trust:
			continue
		}
		n += asked(p)
		if p.Final && len(p.Changes) > 0 {
			return true
		}
		if c.pins(p) > 0 {
			return true
		}
	}
	return n > 1
}

// pins is how many pinned records a plan changes.
func (c *change) pins(p *memory.Plan) (n int) {
	for i := range p.Changes {
		if ch := &p.Changes[i]; c.pinned[ch.ID] || ch.Record.Flags&memory.FlagPinned != 0 {
			n++
		}
	}
	return n
}

// ask is the question before plans are applied.
func (c *change) ask(steps []step) string {
	n, kept := 0, 0
	for i := range steps {
		n += touched(&steps[i].plan)
		kept += c.pins(&steps[i].plan)
	}
	p := &steps[0].plan
	more := ""
	if kept > 0 {
		more = fmt.Sprintf(", %d of them pinned", kept)
	}
	if n == 1 && kept == 1 {
		more = ", which is pinned"
	}
	if p.Final {
		more += ", keeping no copy"
	}
	return fmt.Sprintf("%s %s%s?", verb(p.Order.Do), c.noun.Count(n), more)
}

// touched is how many lessons a plan is about: a merge takes away all but one of
// those that it names.
func touched(p *memory.Plan) int {
	if p.Order.Do == memory.Merge {
		return len(p.Order.IDs)
	}
	return asked(p)
}

// asked is how many changes of a plan do not only come along with another.
func asked(p *memory.Plan) (n int) {
	for i := range p.Changes {
		if !p.Changes[i].With {
			n++
		}
	}
	return n
}

func verb(a memory.Act) string {
	switch a {
	case memory.AddOne:
		return "Add"
	case memory.EditOne:
		return "Edit"
	case memory.Prune, memory.Unfreeze:
		return "Delete"
	}
	return strings.ToUpper(string(a[:1])) + string(a[1:])
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
