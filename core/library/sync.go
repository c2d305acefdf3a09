package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/remote"
)

// syncing is one sync of a store with its share.
type syncing struct {
	*Library
	o        memory.SyncOrder
	f        shareFile
	remote   *remote.Share
	verdicts approvals.Decisions
	from     senders

	base    *share.Base
	saved   *share.Base // the base as on disk, to which what is pending refers
	filed   *share.Base // the base as in its file, without what changed since
	theirs  *share.State
	ids     sharedIDs
	folded  map[string]string // ids of files by their lower-case form
	store   contents
	lines   map[string]string         // revisions of the records that can be shared, by id
	plain   bool                      // the next sync need only look at what changed in the share
	records map[string]*memory.Record // the store's records by shared id, without quiet ones
	words   map[approvals.Words]bool  // the words of the store's records; nil until needed
	box     *learn.Box
	here    share.Here
	result  *share.Result
	waiting map[string]bool // ids of changes by others that are not made here
	full    bool            // changes by trusted people do not fit into the store
	out     memory.Synced
}

// mostTries is how often a push is repeated after somebody else pushed first.
const mostTries = 12

// Sync syncs a store with its share. It fetches, merges, audits what would leave, pushes, and then
// changes the store by one plan. Changes by people who are not trusted wait in the inbox. If the order
// has a scratch folder, Sync is a dry run that changes nothing elsewhere.
func (l *Library) Sync(ctx context.Context, o memory.SyncOrder) (memory.Synced, error) {
	if l.readOnly && o.Scratch == "" {
		return memory.Synced{}, fmt.Errorf("sync: %w", memory.ErrReadOnly)
	}
	f, err := l.readShare(o.Key)
	if err != nil {
		return memory.Synced{Share: f.Share}, err
	}
	y := syncing{Library: l, o: o, f: f}
	if o.Scratch != "" {
		y.Library = l.ReadOnly()
	}
	err = y.run(ctx)
	y.shown()
	if o.Scratch != "" {
		y.out.Share = y.f.Share
		return y.out, err
	}
	y.f.Tried = l.now()
	if y.f.Failed, y.f.Hint, y.f.Failures = "", "", y.f.Failures+1; err == nil {
		y.f.Synced, y.f.Failures = y.f.Tried, 0
	} else {
		y.f.Failed = detect.Redact(err.Error())
		if p := (*memory.Problem)(nil); errors.As(err, &p) {
			y.f.Hint = p.Hint
		}
	}
	y.out.Share = y.f.Share
	l.touch(f.Store)
	if ctx.Err() != nil && err != nil {
		return y.out, err // a person stopped it: not a failure to record
	}
	return y.out, cmp.Or(err, l.writeShare(&y.f))
}

// run performs the sync. It can be interrupted at any step, and the next sync goes on from there.
func (y *syncing) run(ctx context.Context) (err error) {
	dir := cmp.Or(y.o.Scratch, y.state.Dir)
	if y.remote, err = remote.Open(ctx, y.remotePlace(&y.f, dir, y.o.Ask)); err != nil {
		return err
	}
	defer y.remote.Close()
	var tip, inputs string
	var withheld map[string]bool
	for try := 0; ; try++ {
		// 1. Fetch what others pushed, and read the store.
		if inputs = y.inputs(); y.idle(y.remote.Seen(), inputs) {
			if tip, err = y.remote.Tip(ctx); err != nil || y.idle(tip, inputs) {
				return err
			}
		}
		var from string
		if tip, from, err = y.remote.Fetch(ctx, y.o.Rewritten); err == nil {
			err = y.readSides(ctx, tip, from == y.remote.Seen())
		}
		if err != nil {
			return err
		}
		// 2. Merge, and find what must not leave.
		y.merge()
		if withheld, err = y.gate(ctx); err != nil || y.from.err != nil {
			return cmp.Or(err, y.from.err)
		}
		files := y.result.Files(withheld)
		if len(files) == 0 || y.o.Scratch != "" {
			break
		}
		// 3. Push, or begin again if somebody else pushed first: nothing was changed here yet.
		commit, err := y.send(ctx, tip, files, y.result.Pushed(withheld))
		if err == nil {
			tip = commit
			break
		}
		if !errors.Is(err, remote.ErrOvertaken) || try == mostTries {
			return err
		}
		if err := y.remote.Backoff(ctx, try, y.state.Rand); err != nil {
			return err
		}
	}
	// 4. Change the store, and put the rest into the inbox.
	proposals, err := y.change(ctx, tip, withheld)
	if err != nil || y.o.Scratch != "" {
		return err
	}
	if y.f.Waiting, err = y.inbox.Share(ctx, y.now(), y.f.Store, proposals); err == nil {
		y.f.More = len(proposals) - y.f.Waiting
		err = y.remote.Accept(ctx, tip)
	}
	if err != nil {
		return err
	}
	y.settled(tip, inputs)
	return y.remote.Tidy(ctx)
}

// readSides reads the base, the store and the share.
func (y *syncing) readSides(ctx context.Context, tip string, goesOn bool) error {
	y.out.Notes = nil
	err := y.lastBase(ctx, tip)
	if err == nil && y.o.Scratch != "" && y.base != nil && y.base.Commit != "" { // a dry run fetches into an empty repository
		_, _, unknown := y.remote.Log(ctx, remote.Query{Old: y.base.Commit, New: tip, Most: 1})
		goesOn, err = unknown == nil, ctx.Err()
		if !goesOn && !y.o.Rewritten {
			y.out.Notes = append(y.out.Notes, "The sync would stop, as the history of the share was rewritten; --rewritten allows it.")
		}
	}
	if err == nil && !goesOn { // what the new history lacks was not deleted
		y.dropBase(errors.New("the history of the share was rewritten"))
	}
	if err == nil {
		err = y.load(ctx)
	}
	if err == nil {
		err = y.read(ctx, tip)
	}
	if err == nil {
		y.from = senders{log: y.log(ctx, tip)}
		y.look()
		y.noteForeign(ctx)
	}
	return err
}

// change changes the store, and returns what has to wait for a person. It also reports the merge's notes.
func (y *syncing) change(ctx context.Context, tip string, withheld map[string]bool) ([]learn.Proposal, error) {
	for _, n := range y.result.Notes {
		y.out.Notes = append(y.out.Notes, detect.Redact(y.name(n.ID)+": "+n.Text))
	}
	y.waiting = map[string]bool{}
	order, proposals := y.sorted()
	if y.from.err != nil {
		return nil, y.from.err
	}
	err := y.apply(ctx, order, tip, withheld)
	if errors.Is(err, errFull) {
		y.full = true // all goes to the inbox until a person makes room
		order, proposals = y.sorted()
		err = y.apply(ctx, order, tip, withheld)
	}
	return proposals, err
}

// send commits and pushes. It first saves the base that is true if the push succeeds: a process killed
// during the push cannot know whether it did.
func (y *syncing) send(ctx context.Context, tip string, files map[string][]byte, then *share.Base) (commit string, err error) {
	who, err := y.remote.Author(ctx)
	if err == nil && detect.Redact(who) != who {
		err = &memory.Problem{Code: "author", What: "the name or address that your git puts into each commit holds a secret", Hint: "see them: git config user.name; git config user.email"}
	}
	if err == nil {
		commit, err = y.remote.Commit(ctx, tip, files, y.message())
	}
	if err != nil {
		return "", err
	}
	y.f.Commit, y.f.Pushed = commit, string(y.withSenders(then, commit).Since(y.saved))
	if err := y.writeShare(&y.f); err != nil {
		return "", err
	}
	return commit, y.remote.Push(ctx, commit, tip)
}

// lastBase reads the base. If a sync was killed after a push or a change of the store but before it
// saved the new base, the share's commits and the store's history tell which base is true.
func (y *syncing) lastBase(ctx context.Context, tip string) error {
	s, err := atomicfile.Look(atomicfile.OS(), y.sharePath(y.f.Key+baseEnd))
	if err != nil {
		return err
	}
	if y.base = nil; len(s.Data) > 0 {
		y.base, err = share.ReadBase(s.Data)
	}
	if y.filed = y.base; err == nil {
		err = y.readSince()
	}
	pushed := false
	if y.saved = y.base; err == nil && y.f.Commit != "" {
		left, _, unknown := y.remote.Log(ctx, remote.Query{Old: tip, New: y.f.Commit, Most: 1})
		if pushed = unknown == nil && len(left) == 0; pushed {
			y.base, err = y.saved.Update([]byte(y.f.Pushed))
		}
	}
	if err == nil && y.f.Next != "" && !pushed { // a push after it includes it
		h, unread := y.History(ctx, y.f.Store)
		if unread != nil {
			return unread
		}
		at := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == y.f.Mark || e.Do == memory.Sync })
		if at >= 0 && h.Entries[at].ID != y.f.Mark {
			y.base, err = y.saved.Update([]byte(y.f.Next))
		}
	}
	if err != nil {
		y.dropBase(err)
	}
	return nil
}

// dropBase drops the base, and notes that it is lost.
func (y *syncing) dropBase(why error) {
	y.base, y.filed = nil, nil
	y.out.Notes = append(y.out.Notes, "What was synced last is not known any more, so nothing is deleted on either side: "+why.Error()+".")
}

// mostSince is the maximum size in bytes of the file of changed lines. Above it, the base's own file is
// rewritten.
const mostSince = 64 << 10

// readSince applies the lines that changed since the base's file was written.
func (y *syncing) readSince() error {
	s, err := atomicfile.Look(atomicfile.OS(), y.sharePath(y.f.Key+sinceEnd))
	if err != nil {
		return err
	}
	of, lines, _ := bytes.Cut(s.Data, []byte("\n"))
	switch file := y.filed.File(); {
	case file == "":
	case string(of) == file:
		y.base, err = y.base.Update(lines)
	case y.f.File == file:
		err = errors.New("what changed in it is lost")
	}
	return err
}

// saveBase saves the base, and clears the pending ones.
func (y *syncing) saveBase(base *share.Base) error {
	write := func(end string, text []byte) error {
		if err := atomicfile.Rewrite(atomicfile.OS(), y.sharePath(y.f.Key+end), text); err != nil {
			return fmt.Errorf("note what was synced: %w", err)
		}
		return nil
	}
	var since []byte
	if y.f.File = y.filed.File(); y.f.File != "" {
		since = base.Since(y.filed)
	}
	var err error
	if y.f.File != "" && len(since) <= mostSince {
		err = write(sinceEnd, append([]byte(y.f.File+"\n"), since...))
	} else {
		text := base.Bytes()
		err = write(baseEnd, text)
		y.f.File = ""
		y.filed, _ = share.ReadBase(text)
	}
	if err != nil {
		return err
	}
	y.f.Commit, y.f.Pushed, y.f.Next, y.f.Mark = "", "", "", ""
	return y.writeShare(&y.f)
}

// noteForeign notes lessons of another system in the share, unless another store here syncs with it.
func (y *syncing) noteForeign(ctx context.Context) {
	foreign, own := y.base.Foreign(), y.system()
	for _, l := range y.theirs.Lessons {
		if l.System != own {
			foreign++
		}
	}
	if foreign == 0 {
		return
	}
	shares, _ := y.Shares(ctx) // an unreadable share counts as none
	elsewhere := func(s memory.Share) bool { return s.URL == y.f.URL && s.Branch == y.f.Branch && s.Store != y.f.Store }
	if !slices.ContainsFunc(shares, elsewhere) {
		y.out.Notes = append(y.out.Notes, fmt.Sprintf("The share has %s of another system, which do not go into %s: join with a store of that system as well (sync join ADDRESS --store PATH).",
			(memory.Noun{One: "lesson", Many: "lessons"}).Count(foreign), y.f.Place))
	}
}

// merge merges both sides. It decides a conflict in favor of the local lesson, in all its fields, if a
// person here rejected the other text or another record already says the same.
func (y *syncing) merge() {
	y.result = share.Merge(y.base, &y.here, y.theirs)
	changed := y.changed()
	var decided []share.Conflict
	for _, c := range y.result.Conflicts {
		p, _ := y.proposal(changed[c.ID].Lesson, share.Count{})
		if _, is := y.verdicts.Rejected(p.Words()); y.base != nil && (is || y.hasWords(p.Words())) {
			decided = append(decided, c)
			for field, theirs := range y.theirs.Lessons[c.ID].Fields { // the person judged the whole lesson, not only this field
				decided = append(decided, share.Conflict{ID: c.ID, Field: field, Theirs: theirs})
			}
		}
	}
	if len(decided) > 0 {
		y.result = share.Merge(y.base.Decide(decided...), &y.here, y.theirs)
	}
}

// changed returns the lessons that others added or edited, as they would be here. A field that both
// sides changed has their value.
func (y *syncing) changed() map[string]share.Change {
	all := map[string]share.Change{}
	for _, ch := range y.result.Local {
		if ch.Do != share.Remove {
			all[ch.ID] = ch
		}
	}
	for _, c := range y.result.Conflicts {
		ch, there := all[c.ID]
		if !there {
			was := y.here.Held[c.ID].Lesson
			ch = share.Change{Do: share.Edit, ID: c.ID, Was: was, Lesson: was}
		}
		ch.Lesson.Fields = maps.Clone(ch.Lesson.Fields)
		if ch.Lesson.Fields[c.Field] = c.Theirs; c.Theirs == "" {
			delete(ch.Lesson.Fields, c.Field)
		}
		all[c.ID] = ch
	}
	return all
}

// before returns what both sides last had of a lesson, redacted, or nil if that is not known.
func (y *syncing) before(id string) *learn.Said {
	l := y.base.Lesson(id)
	if p, why := y.proposal(l, share.Count{}); why == "" && l.ID != "" {
		return &learn.Said{Words: p.Words(), Tools: p.Tools}
	}
	return nil
}

// proposal returns a lesson of the share as a redacted proposal for the inbox. Why is empty unless the
// inbox does not take it.
func (y *syncing) proposal(l share.Lesson, c share.Count) (p learn.Proposal, why string) {
	from, _ := y.sender(l.ID)
	p = learn.Proposal{LessonID: l.ID, Origin: memory.Origin{
		Agent: memory.SystemID(y.system()), Person: cmp.Or(from.Person, "somebody"), Machine: from.Machine, Store: y.f.Store,
		Door: memory.DoorShare, At: from.At,
	}}
	if y.ids.texts != nil {
		err := y.text(&p, l)
		if err != nil {
			why = strings.TrimSuffix(err.Error(), ".")
		}
		return p, why
	}
	r := y.decoded(l, c)
	p.Title, p.Outcome, p.Body, p.Tools, p.Form = r.Title, string(r.Outcome), r.Body, r.Tools, r.Raw
	why = p.Clean(y.now())
	return p, why
}
