package cli

import (
	"context"
	"fmt"

	"winnow/cli/output"
	"winnow/core/memory"
)

// distilled is what the program of [learn] distil was given, or would be, and what became of it.
type distilled struct {
	memory.Distilling
	given bool
	list  []memory.Learnt
}

// show prints the digest of a session, or the prompt.
func (f *learning) show(ctx context.Context, session string) error {
	if f.prompt {
		text, _, err := f.Learning.DistilPrompt()
		if f.OutTTY {
			f.out.Lines("", output.Of(text, nil))
		} else {
			f.out.Exact([]byte(text))
		}
		return err
	}
	digest, err := f.Learning.Digest(ctx, session)
	if err == nil {
		f.out.Encoded(string(digest) + "\n")
	}
	return err
}

// distil gives sessions to the program of [learn] distil, once the person agrees.
func (f *learning) distil(ctx context.Context, o memory.LearnOrder) (d distilled, err error) {
	if d.Distilling, err = f.Learning.PlanDistil(ctx, o); err != nil || len(d.Sessions) == 0 || f.dryRun {
		return d, err
	}
	if !f.yes {
		if !f.canAsk() || f.json {
			f.notef("%s was given nothing: there is no terminal to ask on; add --yes", f.out.Show(d.Program[0]))
			return d, nil
		}
		o := f.out.To(f.Err, max(f.Width, narrowest))
		f.printPlan(o, &d.Distilling)
		o.Flush() // an error shows up in the question
		if agreed, err := f.agreed(ctx, d.Question()); err != nil || !agreed {
			return d, err
		}
	}
	d.given = true
	bar := f.progress()
	name := f.out.Hidden(d.Name())
	d.list, err = f.Learning.Distil(ctx, d.Distilling, func(n, of int) {
		bar.show(func() string { return fmt.Sprintf("%s reads session %d of %d", name, n, of) })
	})
	bar.end()
	return d, err
}

// printPlan prints what a program would be given.
func (f *learning) printPlan(o *output.Out, d *memory.Distilling) {
	for i := range d.Sessions {
		s := &d.Sessions[i]
		o.Hang("  ", "%s %s, %d bytes: %s", string(s.Agent), s.ID, len(s.Input), s.Title)
	}
	for _, sentence := range d.Terms() {
		o.Paragraph("", "%s", sentence)
	}
	if d.More > 0 {
		o.Paragraph("", "%s more wait for the next time.", output.Plural(d.More, "session"))
	}
}

// printDistilled prints what the program made of the sessions, or what it would be given.
func (f *learning) printDistilled(d *distilled) {
	if len(d.Sessions) == 0 {
		return
	}
	if !d.given {
		sessions := output.Plural(len(d.Sessions), "session")
		f.out.Line("%s would be given %s, %d bytes.", d.Program[0], sessions, d.Bytes())
		return
	}
	f.out.Line("%s was given %s, %d bytes:", d.Program[0], output.Plural(len(d.list), "session"), d.Bytes())
	f.print(d.list)
}

// distilledJSON is what the person's own program was given, and what it proposed.
type distilledJSON struct {
	Program  []text              `json:"program"`
	Given    bool                `json:"given"`
	Bytes    int                 `json:"bytes"`
	Planned  []plannedDigestJSON `json:"planned"`
	Sessions []learntSessionJSON `json:"sessions"`
}

type plannedDigestJSON struct {
	Agent   text `json:"agent"`
	Session text `json:"session"`
	Bytes   int  `json:"bytes"`
}

func (f *learning) distilled(d *distilled) distilledJSON {
	return distilledJSON{
		Program: f.out.Texts(d.Program),
		Given:   d.given,
		Bytes:   d.Bytes(),
		Planned: output.Each(d.Distilling.Sessions, func(s *memory.DistilSession) plannedDigestJSON {
			return plannedDigestJSON{text(s.Agent), f.out.Text(s.ID), len(s.Input)}
		}),
		Sessions: output.Each(d.list, f.learnt),
	}
}
