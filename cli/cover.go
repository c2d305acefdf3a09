package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// schemaOfStores is the schema of JSON about all stores that a command covers.
const schemaOfStores = 2

// covered returns the stores that a looking command is about: the one that --store names, or all of the
// project. Elsewhere these are the stores for all folders.
func (p *program) covered(ctx context.Context) ([]memory.Place, error) {
	if p.store != "" {
		place, err := p.choose(ctx, choice{})
		return []memory.Place{place}, err
	}
	s, err := p.places(ctx)
	if err != nil {
		return nil, err
	}
	found := p.usualStores(existing(s), false)
	if len(found) == 0 {
		return nil, p.nothingHere(ctx, s)
	}
	if len(found) == 1 || len(p.Here(found)) > 0 || p.system != "" {
		return found, nil
	}
	if everywhere := filterPlaces(found, func(q memory.Place) bool { return q.Project == "" }); len(everywhere) > 0 {
		return everywhere, nil
	}
	place, err := p.oneOf(ctx, choice{}, found)
	return []memory.Place{place}, err
}

// cover does what a looking command does with one store with each that it covers, as p.place.
func (p *program) cover(ctx context.Context, look func(context.Context) error) error {
	places, err := p.covered(ctx)
	if err != nil {
		return err
	}
	return p.coverAll(ctx, places, look)
}

// answersOf returns the answers of a command about a store, with the store's name. A command that failed before it
// answered has the error as its answer.
func (p *program) answersOf(place memory.Place, err error) []answerJSON {
	answers := slices.Clone(p.answers)
	if err != nil && len(answers) == 0 {
		at := placeOf(p.out, place)
		answers = append(answers, answerJSON{Store: &at, Answer: errorJSON{p.out.Text(asFailure(err).Error())}})
	}
	for i := range answers {
		answers[i].Name = p.out.Text(storeID(place))
	}
	return answers
}

// coverAll calls look with each of the stores as p.place. If there are several, each has a heading, and one that
// cannot be read does not hide the others: the highest exit status is that of the command. The JSON of stores
// that --store did not name is one object.
func (p *program) coverAll(ctx context.Context, places []memory.Place, look func(context.Context) error) error {
	p.several, p.covering = len(places) > 1, p.store == ""
	var answers []answerJSON
	worst := exitOK
	for i, place := range places {
		p.place, p.answers = place, nil
		p.noun, p.described = p.Library.Describe(place.Store)
		p.printHeading(i)
		err := look(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && len(places) == 1 && len(p.answers) == 0:
			return err
		case err != nil && p.covering:
			worst = max(worst, p.report(err))
		case err != nil:
			return err
		}
		answers = append(answers, p.answersOf(place, err)...)
	}
	if p.json && p.covering {
		p.printAnswers(answers)
	}
	if worst != exitOK {
		return silentExit(worst)
	}
	return nil
}

// printHeading prints the line above what is printed of a store, if there are several. Rows have a column
// in its place.
func (p *program) printHeading(i int) {
	if !p.several || p.json || p.rows && p.out.Width == 0 {
		return
	}
	p.out.Printf("%s", output.Safe(output.When(i > 0, "\n")))
	p.out.Printf("# %s  %s\n", p.kindName(p.place), storeFlag(p.place)) // not cut: it is to be pasted
}

// printAnswer prints the JSON that a command has for p.place, or keeps it for that of all stores that are covered.
func (p *program) printAnswer(answer any) {
	if !p.covering {
		p.out.JSON(answer)
		return
	}
	p.answers = append(p.answers, answerJSON{Answer: answer})
}

// answersJSON is what a command has to say about several stores.
type answersJSON struct {
	Schema int          `json:"schema"`
	Stores []answerJSON `json:"stores"`
	Beside any          `json:",inline"`
}

// answerJSON is what a command has to say about one of several stores.
type answerJSON struct {
	Name   text       `json:"name"`            // the value for --store
	Store  *placeJSON `json:"store,omitempty"` // nil if the answer has it
	Answer any        `json:",inline"`
}

// errorJSON is an answer about a store that cannot be read.
type errorJSON struct {
	Error text `json:"error"`
}

// printAnswers prints the JSON of all stores that a command covers.
func (p *program) printAnswers(answers []answerJSON) {
	p.out.JSON(answersJSON{schemaOfStores, answers, p.besideStores})
}

// storeColumn returns the column of a row that says which store it is from. Stores that --store names need none.
func (p *program) storeColumn() []any {
	if p.store != "" {
		return nil
	}
	return []any{storeValue(p.place)}
}

// located is a record, and the store that holds it.
type located struct {
	place  memory.Place
	record memory.Record
}

// locate returns the records of several stores that the names mean, for each name those of all stores with that
// id. A line is looked up in each store. A store that cannot be read is reported if something is not found.
func (p *program) locate(ctx context.Context, places []memory.Place, names ...string) ([][]located, error) {
	all := output.Each(names, func(name *string) *recordLookup { return lookUp(*name) })
	found := make([][]located, len(names))
	var unread error
	for _, place := range places {
		p.place = place
		err := p.eachRecord(ctx, func(r *memory.Record) {
			for i, l := range all {
				if line, ok := lineNamed(l.name); ok && r.Line != line && string(r.ID) != l.name {
					continue
				} else if ok || l.offer(r) {
					found[i] = append(found[i], located{place, *r})
				}
			}
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		unread = errors.Join(unread, err)
	}
	for i, l := range all {
		if _, line := lineNamed(l.name); line && len(found[i]) > 0 {
			continue
		}
		err := l.Err()
		if errors.Is(err, memory.ErrNotFound) && unread != nil {
			return nil, unread
		}
		if err := p.unclear(err, len(places)); err != nil {
			return nil, err
		}
		best := found[i][len(found[i])-1].record.ID // the last that was taken fits best
		found[i] = filterLocated(found[i], func(o *located) bool { return o.record.ID == best })
	}
	return found, nil
}

func filterLocated(list []located, holds func(*located) bool) (kept []located) {
	for i := range list {
		if holds(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// holding returns the function that finds the store that holds the records with the given names. It refuses a line,
// which every store has, an id of several stores, and ids of different stores.
func (p *program) holding(
	names func(context.Context) ([]string, error),
) func(context.Context, []memory.Place) (memory.Place, bool, error) {
	return func(ctx context.Context, places []memory.Place) (at memory.Place, named bool, err error) {
		ids, err := names(ctx)
		if err != nil || len(ids) == 0 {
			return at, false, err
		}
		for _, id := range ids {
			if namesLine(id) {
				f := failed(exitUsage, "name the store with --store PATH", "%s %s: a line of which store?", p.op, id)
				return at, true, p.listingStores(f, places)
			}
		}
		found, err := p.locate(ctx, places, ids...)
		if err == nil {
			at, err = p.onlyStore(ids, found)
		}
		return at, true, err
	}
}

// onlyStore returns the store that holds all that was found.
func (p *program) onlyStore(ids []string, found [][]located) (memory.Place, error) {
	at := found[0][0].place
	for i, list := range found {
		if len(list) > 1 {
			places := output.Each(list, func(o *located) memory.Place { return o.place })
			f := failed(
				exitUsage,
				"name one with --store PATH",
				"%s %s: %d stores have this id",
				p.op,
				ids[i],
				len(list),
			)
			return at, p.listingStores(f, places)
		}
		if list[0].place.Store != at.Store {
			hint := output.When(p.op == "merge", "name records of one store")
			f := failed(exitUsage, cmp.Or(hint, "give one command for each store"),
				"%s: %s and %s are in different stores", p.op, ids[0], ids[i])
			f.more = p.commandsFor(ids, found)
			return at, f
		}
	}
	return at, nil
}

// commandsFor returns for each store the command about those of the ids that it holds.
func (p *program) commandsFor(ids []string, found [][]located) (commands []string) {
	var stores []memory.Place
	words := map[memory.StoreID][]string{}
	for i, list := range found {
		at := list[0].place
		if words[at.Store] == nil {
			stores = append(stores, at)
		}
		words[at.Store] = append(words[at.Store], memory.ShellWord(safe.Line(ids[i])))
	}
	for _, at := range stores {
		dash := slices.ContainsFunc(words[at.Store], func(id string) bool { return strings.HasPrefix(id, "-") })
		commands = append(commands, output.Joined(" ", "  winnow", p.op, storeFlag(at), output.When(dash, "--"),
			strings.Join(words[at.Store], " ")))
	}
	return commands
}

// filtered returns the only store with records that a filter matches, or the first if none has any.
func (p *program) filtered(ctx context.Context, places []memory.Place, query string) (memory.Place, bool, error) {
	var with []memory.Place
	var unread error
	for _, place := range places {
		p.place = place
		list, err := p.matching(ctx, query)
		if ctx.Err() != nil {
			return place, true, ctx.Err()
		}
		unread = cmp.Or(unread, err)
		if len(list) > 0 {
			with = append(with, place)
		}
	}
	switch {
	case len(with) == 0:
		return places[0], true, unread
	case len(with) == 1:
		return with[0], true, nil
	}
	f := failed(exitUsage, "give one command for each store",
		"%s: the filter matches records of %d stores", p.op, len(with))
	for _, at := range with[:min(shownStores, len(with))] {
		word := memory.ShellWord(safe.Line(query))
		f.more = append(f.more, output.Joined(" ", "  winnow", p.op, storeFlag(at), "--filter", word))
	}
	return with[0], true, f
}
