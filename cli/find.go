package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// wanted is a record that was asked for, with the state of the store it is from.
type wanted struct {
	record memory.Record
	place  memory.Place
}

// candidates are the records that fit a name.
type candidates struct {
	wanted
	exact bool
	fit   int
	ids   []string // of the first that fit
	// inside are those of whose id the name begins a later part, behind a colon or slash.
	inside *candidates
}

// shownIDs is how many ids an ambiguous name lists.
const shownIDs = 5

// take notes r when it fits name. The first whole id that is equal wins.
func (c *candidates) take(name string, r *memory.Record, place memory.Place) {
	whole, begins := matches(r, name)
	if i := strings.LastIndexAny(string(r.ID), ":/"); i >= 0 && !begins {
		if c.inside == nil {
			c.inside = &candidates{}
		}
		part := *r
		part.ID = r.ID[i+1:]
		if _, begins := matches(&part, name); begins {
			c.inside.note(r, place)
		}
	}
	if c.exact || !begins {
		return
	}
	c.exact = whole
	c.note(r, place)
}

// note counts a record that fits.
func (c *candidates) note(r *memory.Record, place memory.Place) {
	c.wanted = wanted{*r, place}
	c.fit++
	if len(c.ids) < shownIDs {
		c.ids = append(c.ids, hide(string(r.ID), spans(r.Secrets, memory.InID), false))
	}
}

// find returns the records that the arguments name: each by its whole id, by the
// beginning of one, or by its line as :N. Errors begin with op, what they are for.
func (e Env) find(ctx context.Context, op string, place memory.Place, names []string) ([]wanted, error) {
	all := make([]candidates, len(names))
	snap, err := e.load(ctx, place)
	if err != nil {
		return nil, err
	}
	for i := range snap.Records {
		for n, name := range names {
			all[n].take(name, &snap.Records[i], snap.Place)
		}
	}
	found := make([]wanted, 0, len(names))
	for n, c := range all {
		if c.fit == 0 && c.inside != nil {
			c = *c.inside
		}
		if err := c.check(op, place, names[n]); err != nil {
			return nil, err
		}
		found = append(found, c.wanted)
	}
	return found, nil
}

// matches reports whether name is that of r, and whether it begins it. Ids are
// compared as they are stored and as they are printed.
func matches(r *memory.Record, name string) (whole, begins bool) {
	if line, ok := strings.CutPrefix(name, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			return r.Line == n, r.Line == n
		}
	}
	for _, id := range []string{string(r.ID), safe.Line(string(r.ID))} {
		whole, begins = whole || id == name, begins || strings.HasPrefix(id, name)
	}
	return whole, begins
}

// check says why a name does not name one record.
func (c *candidates) check(op string, place memory.Place, name string) error {
	switch {
	case c.exact || c.fit == 1:
		return nil
	case c.fit == 0:
		return &failure{
			code: exitNotFound,
			err:  fmt.Errorf("%s %s: no such record in %s", op, name, place.Path),
			hint: "see the ids: winnow list",
		}
	}
	f := &failure{
		code: exitUsage,
		err:  fmt.Errorf("%s %s: %d records begin so", op, name, c.fit),
		hint: "give more of the id, or :LINE",
	}
	for _, id := range c.ids {
		f.more = append(f.more, "  "+id)
	}
	if n := c.fit - len(c.ids); n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more", n))
	}
	return f
}

// completeIDs offers the ids of the store in shell completion, each with what the
// task was. Several stores or none offer nothing.
func (e Env) completeIDs(all *flags) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		quiet := e
		quiet.InTTY = false
		o := quiet.output(false)
		var ids []string
		place, err := quiet.choose(c.Context(), all, true)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		snap, err := e.load(c.Context(), place)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for i := range snap.Records {
			r := &snap.Records[i]
			if id := safe.Line(string(o.maskedID(r, r.ID))); strings.HasPrefix(id, begun) {
				ids = append(ids, cobra.CompletionWithDesc(id, strings.TrimRight(views.Cell(o.headline(r), 50), " ")))
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}
