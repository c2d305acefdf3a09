package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

func (p *program) history() command {
	f, purge := p.changing(), false
	return command{
		paged: true, use: "history [ENTRY]", short: "List the changes made to a store, and by whom",
		long: `Lists the changes made to a store, newest first: by you, by the guard on your orders, and
by other writers while Winnow was looking. With ENTRY it shows what that entry changed.

When the output is not a terminal, each line has six tab-separated columns: entry, time,
who, what in one word, what in a sentence, and undone, final or a dash.
--purge empties the history, also one that was moved aside: nothing before it can be undone.
Without --store a seventh column has the store.`,
		examples: []string{
			"winnow history", "winnow history 12", "winnow history --json | jq '.stores[].entries[0].changes'",
			"winnow history --purge --yes",
		},
		args:  atMost(1),
		offer: p.offerEntries,
		flags: []flag{
			{to: &purge, name: "purge", help: "empty the history; keep pins and decisions"},
			{to: &f.yes, name: "yes", help: "with --purge: skip the confirmation"},
			p.jsonFlag(), p.revealFlag(),
		},
		check: func(args []string) error {
			return refuse(refusal{
				purge && len(args) > 0,
				"leave it out",
				"history: --purge empties the whole history, not entry " + append(args, "")[0],
			})
		},
		run: func(ctx context.Context, args []string) error {
			if purge {
				if err := p.chooseStore(ctx, choice{writes: true, bare: true}); err != nil {
					return err
				}
				return f.purge(ctx)
			}
			return p.runHistory(ctx, args)
		},
	}
}

func (p *program) runHistory(ctx context.Context, args []string) error {
	places, err := p.withHistory(ctx)
	if err != nil {
		return err
	}
	if p.rows = len(args) == 0; !p.rows && len(places) > 1 {
		_, none := oneEntry(nil, args[0])
		places = filterPlaces(places, func(q memory.Place) bool {
			h, err := p.Library.History(ctx, q.Store)
			_, missing := oneEntry(h.Entries, args[0])
			return err == nil && missing == nil
		})
		if len(places) == 0 {
			return none
		}
	}
	return p.coverAll(ctx, places, func(ctx context.Context) error { return p.historyOf(ctx, args) })
}

// withHistory returns the stores that history is about: those that looking commands cover, and those that Winnow
// emptied.
func (p *program) withHistory(ctx context.Context) ([]memory.Place, error) {
	places, err := p.covered(ctx)
	if p.store != "" {
		return places, err
	}
	s, failed := p.places(ctx)
	if left := p.around(existing(s)); len(left) > len(places) {
		return left, failed
	}
	return places, err
}

// historyOf prints the history of p.place, or one entry.
func (p *program) historyOf(ctx context.Context, args []string) error {
	h, err := p.Library.History(ctx, p.place.Store)
	if err == nil && len(args) > 0 {
		h.Entries, err = oneEntry(h.Entries, args[0])
	}
	if err != nil {
		return err
	}
	switch {
	case p.json:
		p.printHistoryJSON(h)
		return nil
	case len(args) > 0:
		p.printEntry(&h.Entries[0])
	default:
		p.printHistory(h)
	}
	if h.Unfinished != "" {
		p.notef("an interrupted change is not listed: %s", h.Unfinished)
	}
	if h.Damaged > 0 {
		p.notef("unreadable history: %s", entries(h.Damaged))
	}
	return nil
}

func entries(n int) string { return memory.Noun{One: "entry", Many: "entries"}.Count(n) }

func oneEntry(list []memory.Entry, id string) ([]memory.Entry, error) {
	i := slices.IndexFunc(list, func(n memory.Entry) bool { return string(n.ID) == id })
	if i < 0 {
		return nil, failed(exitNotFound, "see the entries: winnow history", "history %s: no such entry", id)
	}
	return list[i : i+1], nil
}

// printHistory prints a table on a terminal, and columns separated by tabs otherwise.
func (p *program) printHistory(h memory.History) {
	o := p.out
	for i := range h.Entries {
		n := &h.Entries[i]
		state := cmp.Or(output.When(n.UndoneBy != "", "undone by "+string(n.UndoneBy)), output.When(n.Final, "final"))
		if o.Width == 0 {
			row := []any{n.ID, p.moment(memory.Moment{Time: n.At}), n.Who, n.Do, n.What, state}
			o.Row(append(row, p.storeColumn()...)...)
			continue
		}
		o.Line("%s  %s  %s  %s%s", o.CellRight(n.ID, 4), o.CellRight(p.since(n.At), 8), o.Cell(n.Who, 14), n.What,
			output.When(state != "", " ("+state+")"))
	}
	if o.Width > 0 && len(h.Entries) == 0 {
		o.Line("Nothing was changed yet.")
	}
}

// printEntry prints an entry with what it changed.
func (p *program) printEntry(n *memory.Entry) {
	o := p.out
	o.Fields([][2]string{
		{"entry", string(n.ID)},
		{"when", n.At.In(p.zone()).Format(time.RFC3339)},
		{"who", cmp.Or(string(n.Who), "-")},
		{"what", n.What},
		{"undoes", string(n.Undoes)},
		{"undone by", string(n.UndoneBy)},
		{"copy", output.When(n.Final, "none was kept, so it cannot be undone")},
	}...)
	o.Printf("\n")
	for i := range n.Changes {
		ch := &n.Changes[i]
		o.Line("%s  %s  %s", ch.Do, o.ID(&ch.Record, ch.ID), headline(&ch.Record))
		if ch.Why != "" {
			o.Line("  %s", ch.Why)
		}
		printChange(o, ch, p.described)
	}
	if n.Omitted > 0 {
		o.Printf("%d more were too large to be kept\n", n.Omitted)
	}
}

func (c *change) purge(ctx context.Context) error {
	h, err := c.Library.History(ctx, c.place.Store)
	size := fmt.Sprintf("%s, %d bytes", entries(len(h.Entries)), h.Size)
	if err == nil && !c.yes {
		err = c.confirmed(ctx, "Empty the history of "+c.place.Path+" for good ("+size+")?")
	}
	if err != nil {
		return err
	}
	if err := c.Library.Purge(ctx, c.place.Store); err != nil {
		return c.failed(err)
	}
	if !c.json {
		c.out.Line("The history is empty: %s gone.", size)
		return nil
	}
	left, err := c.Library.History(ctx, c.place.Store)
	if err != nil {
		return err
	}
	return c.coverAll(ctx, []memory.Place{c.place}, func(context.Context) error {
		c.printHistoryJSON(left)
		return nil
	})
}

// historyJSON is the history of a store, the newest entry first.
type historyJSON struct {
	Schema     int          `json:"schema"`
	Store      placeJSON    `json:"store"`
	Path       text         `json:"path"`
	Size       int64        `json:"size"`
	Damaged    int          `json:"damaged"`
	Unfinished text         `json:"unfinished"`
	Undo       text         `json:"undo"` // the entries that undo and redo would take next
	Redo       text         `json:"redo"`
	Entries    output.Items `json:"entries"` // each a historyEntryJSON
}

type historyEntryJSON struct {
	Entry    text         `json:"entry"`
	At       *time.Time   `json:"at"`
	Who      text         `json:"who"`
	Do       text         `json:"do"`
	What     text         `json:"what"`
	Final    bool         `json:"final"`
	Undoes   text         `json:"undoes"`
	UndoneBy text         `json:"undone_by"`
	Omitted  int          `json:"omitted"`
	Changes  []changeJSON `json:"changes"`
}

func (p *program) printHistoryJSON(h memory.History) {
	o := p.out
	p.printAnswer(historyJSON{
		Schema:     schemaVersion,
		Store:      placeOf(o, p.place),
		Path:       text(h.Path),
		Size:       h.Size,
		Damaged:    h.Damaged,
		Unfinished: o.Text(h.Unfinished),
		Undo:       text(h.Undo),
		Redo:       text(h.Redo),
		Entries: output.Items{N: len(h.Entries), Item: func(i int) any {
			n := &h.Entries[i]
			return historyEntryJSON{
				Entry:    text(n.ID),
				At:       output.Instant(n.At),
				Who:      text(n.Who),
				Do:       text(n.Do),
				What:     o.Text(n.What),
				Final:    n.Final,
				Undoes:   text(n.Undoes),
				UndoneBy: text(n.UndoneBy),
				Omitted:  n.Omitted,
				Changes:  changesOf(o, n.Changes),
			}
		}},
	})
}

// offerEntries completes history entries, each with a description.
func (p *program) offerEntries(ctx context.Context, args []string) (list []string) {
	p.InTTY = false // a completion must not ask
	places, err := p.withHistory(ctx)
	if err != nil || len(args) > 0 {
		return nil
	}
	for _, place := range places {
		h, _ := p.Library.History(ctx, place.Store) // without a history there are no entries
		list = append(list, output.Each(h.Entries, func(n *memory.Entry) string {
			return p.completion(n.ID, n.What)
		})...)
	}
	return list
}

func (p *program) undo() command {
	return p.goingBack(command{
		short: "Undo a change",
		long: `Undoes the newest change that is not undone yet, or the one that ENTRY names. The same
bytes go back to the same place; what others wrote since stays. redo reverts an undo. If the
newest change keeps no copy, name an entry. If the change was an approval, the proposal waits
in the inbox again; so does a record that was rejected or edited there.`,
		examples: []string{"winnow undo", "winnow undo 12 --dry-run"},
	}, memory.Undo)
}

func (p *program) redo() command {
	return p.goingBack(command{
		short: "Redo an undone change", long: "Redoes the change that was undone last, or the one that ENTRY names.",
		examples: []string{"winnow redo", "winnow redo 12"},
	}, memory.Redo)
}

// goingBack returns a command for one entry of the history, by default the latest.
func (p *program) goingBack(d command, do memory.Act) command {
	c := p.changing()
	d.use, d.args, d.offer, d.flags = string(do)+" [ENTRY]", atMost(1), p.offerEntries, c.flags()
	entry := ""
	d.on = func() choice { return c.writesEntry(do, memory.EntryID(entry)) }
	d.check = func(args []string) error {
		entry = append(args, "")[0]
		return refuse(refusal{slices.Contains(args, ""), "see the entries: winnow history", c.op + ": which entry?"})
	}
	d.run = func(ctx context.Context, args []string) error {
		return c.goBack(ctx, memory.Order{Do: do, Entry: memory.EntryID(append(args, "")[0])})
	}
	return d
}

// writesEntry says how a command about an entry of a history chooses the store: by the entry or, if none is named,
// by what was done last.
func (c *change) writesEntry(do memory.Act, entry memory.EntryID) choice {
	by := c.writes()
	by.leftovers = true
	by.holds = func(ctx context.Context, places []memory.Place) (at memory.Place, named bool, err error) {
		var last time.Time
		var with []memory.Place
		for _, place := range places {
			h, err := c.Library.History(ctx, place.Store)
			if err != nil {
				return at, false, c.failed(err)
			}
			n := nextEntry(h, do, entry)
			if n == nil {
				continue
			}
			with = append(with, place)
			if n.At.After(last) {
				at, last = place, n.At
			}
		}
		switch {
		case len(with) > 1 && entry != "":
			f := failed(
				exitUsage,
				"name one with --store PATH",
				"%s %s: %d stores have this entry",
				c.op,
				entry,
				len(with),
			)
			return at, true, c.listingStores(f, with)
		case len(with) == 0 && entry != "":
			const hint = "see the entries: winnow history"
			return at, true, failed(exitNotFound, hint, "%s %s: no such entry", c.op, entry)
		case len(with) == 0:
			return at, true, c.failed(memory.ErrNothing)
		}
		return at, true, nil
	}
	return by
}

// nextEntry returns the named entry of a history. Without a name it returns the one that an undo would take, also
// if it cannot, or the undo that a redo would take back. It is nil if there is none.
func nextEntry(h memory.History, do memory.Act, entry memory.EntryID) *memory.Entry {
	switch last := newestOwn(h); {
	case entry != "":
	case do == memory.Undo && last != nil && last.Final:
		return last
	case do == memory.Undo:
		entry = h.Undo
	case do == memory.Redo:
		undone, err := oneEntry(h.Entries, string(h.Redo))
		if err != nil {
			return nil
		}
		entry = cmp.Or(undone[0].UndoneBy, h.Redo)
	}
	found, err := oneEntry(h.Entries, string(entry))
	if err != nil {
		return nil
	}
	return &found[0]
}

// noCopy says why an entry cannot be undone.
const noCopy = "keeps no copy, so it cannot be undone"

// goBack carries out an undo or a redo. It does not skip a change that keeps no copy to reach an
// older one that nobody named.
func (c *change) goBack(ctx context.Context, o memory.Order) error {
	h, err := c.Library.History(ctx, c.place.Store)
	if err != nil {
		return c.failed(err)
	}
	if last := newestOwn(h); o.Do == memory.Undo && o.Entry == "" && last != nil && last.Final {
		hint := cmp.Or(
			output.When(h.Undo != "", "undo an earlier change: winnow undo "+string(h.Undo)),
			"see what was done: winnow history",
		)
		return failed(exitNotFound, hint+c.named(), "undo: entry %s (%s) %s", last.ID, c.out.Hidden(last.What), noCopy)
	}
	o.Anyway = c.anyway
	plans, err := c.Library.Back(ctx, c.place.Store, o)
	if err != nil {
		err = c.failed(err)
	} else {
		err = c.carryOutPlans(ctx, output.Each(plans, func(p *memory.Plan) planRun { return planRun{plan: *p} }))
	}
	if o.Entry == "" || !errors.Is(err, memory.ErrNothing) && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	return failed(exitNotFound, "see the entries: winnow history"+c.named(), "%s %s: %s", c.op, o.Entry, whyNot(h, o))
}

// newestOwn returns the newest entry of a person's own changes, or nil if there is none.
func newestOwn(h memory.History) *memory.Entry {
	i := slices.IndexFunc(h.Entries, func(n memory.Entry) bool { return n.Who == memory.You })
	if i < 0 {
		return nil
	}
	return &h.Entries[i]
}

// whyNot says why an order about a history entry cannot be carried out.
func whyNot(h memory.History, o memory.Order) string {
	found, err := oneEntry(h.Entries, string(o.Entry))
	if err != nil {
		return "no such entry"
	}
	n := &found[0]
	switch {
	case o.Do == memory.Redo:
		return "it is not undone, or other changes were made since"
	case n.Final:
		return "it " + noCopy
	case n.UndoneBy != "":
		return "entry " + string(n.UndoneBy) + " undid it already"
	case n.Who != memory.You:
		return "only your own changes can be undone; restore brings an earlier state back"
	case n.Do == memory.Undo || n.Do == memory.Redo:
		return "it was undone already, or other changes were made since"
	case n.Do == memory.Accept || n.Do == memory.Trust:
		return "it is a decision about the guard; change it with guard"
	}
	return "it cannot be undone any more; restore brings an earlier state back"
}

func (p *program) restore() command {
	c, entry := p.changing(), ""
	return command{
		use: "restore ENTRY [ID...]", short: "Restore an earlier state of a store",
		long: `Brings a store back to its state right after history entry ENTRY, or only the named
records, which may be gone from the store. history lists the entries. A restore can itself
be undone.`,
		examples: []string{"winnow history", "winnow restore 12 --dry-run", "winnow restore 12 7f3c --yes"},
		offer:    p.offerEntries,
		flags:    c.flags(),
		on:       func() choice { return c.writesEntry(memory.Restore, memory.EntryID(entry)) },
		check: func(args []string) error {
			entry = append(args, "")[0]
			return refuse(refusal{entry == "", "see the entries: winnow history", "restore: to which entry?"})
		},
		run: func(ctx context.Context, args []string) error {
			ids, err := c.everKnown(ctx, args[1:])
			if err != nil {
				return err
			}
			return c.carryOut(ctx, memory.Order{Do: memory.Restore, Entry: memory.EntryID(args[0]), IDs: ids})
		},
	}
}

// everKnown returns the IDs of records in the history or in the store. The names are those that show accepts.
func (c *change) everKnown(ctx context.Context, names []string) (ids []memory.ID, err error) {
	h, err := c.Library.History(ctx, c.place.Store)
	if err != nil {
		return nil, c.failed(err)
	}
	seen, past := map[memory.ID]bool{}, []memory.Record(nil)
	for i := range h.Entries {
		for _, ch := range h.Entries[i].Changes {
			if !seen[ch.ID] {
				past = append(past, memory.Record{ID: ch.ID, Secrets: ch.Record.Secrets})
			}
			seen[ch.ID] = true
		}
	}
	found, err := c.findAmong(ctx, past, names...)
	return idsOf(found), err
}
