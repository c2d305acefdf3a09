// Package sync keeps a store of lessons the same on several machines, through the person's own git. What others changed
// waits in the inbox. It also makes copies of stores for others.
package sync

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/audit"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/joined"
	"winnow/core/system"
)

// Syncer syncs the stores of a library with their shares.
type Syncer struct {
	lib      *library.Library
	state    library.State
	env      system.Env
	now      func() time.Time
	audit    *audit.Auditor
	inbox    *learn.Quarantine
	shares   joined.Shares
	readOnly bool
}

// New returns a Syncer for the stores of a library.
func New(lib *library.Library) *Syncer {
	m := lib.Machine()
	return &Syncer{
		lib: lib, state: m.State, env: m.Env, now: m.Now, audit: lib.Auditor(), readOnly: m.ReadOnly,
		inbox: m.State.Quarantine(), shares: lib.Joined(),
	}
}

// syncing is one sync of a store with its share.
type syncing struct {
	syncer   *Syncer
	o        memory.SyncOrder
	f        joined.File
	remote   *remoteShare
	verdicts approvals.Decisions
	from     senders

	base    *share.Base
	theirs  *share.State
	store   contents
	records map[string]*memory.Record // the store's records that can be shared, by id
	words   map[approvals.Words]bool  // the words of the store's records; nil until needed
	box     *learn.Box
	here    share.Here
	result  *share.Result
	kept    map[string]approvals.Words // rejected deletions, by the id of the lesson
	out     memory.Synced
}

// mostTries is how often a push is repeated after somebody else pushed first.
const mostTries = 12

// Sync syncs a store with its share. It fetches, merges, audits what would leave, and pushes. What others
// changed, deletions too, waits in the inbox: the store is not changed. If the order has a scratch folder,
// Sync is a dry run that changes nothing elsewhere.
func (sy *Syncer) Sync(ctx context.Context, o memory.SyncOrder) (memory.Synced, error) {
	if sy.readOnly && o.Scratch == "" {
		return memory.Synced{}, fmt.Errorf("sync: %w", memory.ErrReadOnly)
	}
	f, leave, err := sy.enterShare(ctx, cmp.Or(o.Scratch, sy.state.Dir), o.Key, o.Waits)
	if err != nil {
		return memory.Synced{Share: f.Share}, err
	}
	defer leave()
	if o.Scratch == "" {
		sy.forgetOrphans(ctx)
	}
	if !sy.lib.KeepsLessons(f.Store) {
		return memory.Synced{Share: f.Share}, &memory.Problem{
			Code: "not-lessons", What: f.Place + " holds no lessons, and only lessons are shared now: nothing was sent or taken",
			Hint: "leave the share, what you have stays: winnow sync leave",
		}
	}
	y := syncing{syncer: sy, o: o, f: f}
	if o.Scratch != "" {
		y.syncer = New(sy.lib.ReadOnly())
	}
	err = y.run(ctx)
	y.redactIDs()
	if o.Scratch != "" {
		y.out.Share = y.f.Share
		return y.out, err
	}
	y.f.Tried = sy.now()
	if y.f.Failed, y.f.Hint, y.f.Failures = "", "", y.f.Failures+1; err == nil {
		y.f.Synced, y.f.Failures = y.f.Tried, 0
	} else {
		y.f.Failed = detect.Redact(err.Error())
		if p := (*memory.Problem)(nil); errors.As(err, &p) {
			y.f.Hint = p.Hint
		}
	}
	y.out.Share = y.f.Share
	sy.lib.Touch(f.Store)
	if err != nil {
		if ctx.Err() == nil { // else a person stopped it, which is no failure to record
			_ = sy.writeShare(&y.f) // err is what matters
		}
		return y.out, err
	}
	return y.out, sy.writeShare(&y.f)
}

// run performs the sync. It can be interrupted at any step, and the next sync goes on from there.
func (y *syncing) run(ctx context.Context) (err error) {
	dir := cmp.Or(y.o.Scratch, y.syncer.state.Dir)
	if y.remote, err = openRemote(ctx, y.syncer.remotePlace(&y.f, dir, y.o.Ask)); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		if left := y.remote.discard(ctx); left != nil {
			err = errors.Join(err, left)
		}
	}()
	tip, withheld, err := y.exchange(ctx)
	if err != nil {
		return err
	}
	// What others changed waits in the inbox.
	for _, n := range y.result.Notes {
		y.out.Notes = append(y.out.Notes, detect.Redact(n.ID+": "+n.Text))
	}
	proposals := y.proposals()
	if y.from.err != nil || y.o.Scratch != "" {
		return y.from.err
	}
	if err := y.saveBase(y.result.Base(withheld)); err != nil {
		return err
	}
	if y.f.Waiting, err = y.syncer.inbox.Share(ctx, y.syncer.now(), y.f.Store, proposals); err != nil {
		return err
	}
	y.f.More = len(proposals) - y.f.Waiting
	if err := y.carriedOut(ctx, withheld); err != nil {
		return err
	}
	if err := y.remote.accept(ctx, tip); err != nil {
		return err
	}
	y.f.Tip = tip
	return y.remote.tidy(ctx)
}

// exchange fetches, merges and pushes, again and again while others push first. It returns the tip of the share,
// and the ids of the lessons that were withheld.
func (y *syncing) exchange(ctx context.Context) (tip string, withheld map[string]bool, err error) {
	for try := 0; ; try++ {
		// 1. Fetch what others pushed, and read the store.
		var from string
		if tip, from, err = y.remote.fetchChecked(ctx, y.o.Rewritten); err == nil {
			err = y.readSides(ctx, tip, from == y.remote.tipSeen())
		}
		if err != nil {
			return "", nil, err
		}
		// 2. Merge, and find what must not leave.
		y.merge()
		if withheld, err = y.gate(ctx); err == nil {
			err = y.from.err
		}
		if err != nil {
			return "", nil, err
		}
		files := y.result.Files(withheld)
		if len(files) == 0 || y.o.Scratch != "" {
			return tip, withheld, nil
		}
		// 3. Push, or begin again if somebody else pushed first.
		commit, err := y.send(ctx, tip, files, y.result.Base(withheld))
		if err == nil {
			return commit, withheld, nil
		}
		if !errors.Is(err, errOvertaken) || try == mostTries {
			return "", nil, err
		}
		if err := y.remote.backoff(ctx, try, y.syncer.state.Rand); err != nil {
			return "", nil, err
		}
	}
}

// readSides reads the base, the store and the share. GoesOn says whether the share's history goes on from what the
// last sync saw.
func (y *syncing) readSides(ctx context.Context, tip string, goesOn bool) error {
	y.out.Notes = nil
	if err := y.readBase(ctx, tip); err != nil {
		return err
	}
	if y.o.Scratch != "" && y.base != nil && y.f.Tip != "" { // a dry run fetches into an empty repository
		_, _, unknown := y.remote.log(ctx, logQuery{Old: y.f.Tip, New: tip, Most: 1})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		goesOn = unknown == nil
		if !goesOn && !y.o.Rewritten {
			note := "The sync would stop, as the history of the share was rewritten; --rewritten allows it."
			y.out.Notes = append(y.out.Notes, note)
		}
	}
	if !goesOn { // what the new history lacks was not deleted
		y.dropBase(errors.New("the history of the share was rewritten"))
	}
	if err := y.load(ctx); err != nil {
		return err
	}
	if err := y.read(ctx, tip); err != nil {
		return err
	}
	y.from = senders{log: y.log(ctx, tip)}
	y.prepareHere()
	y.noteForeign(ctx)
	return nil
}

// send commits and pushes. It first saves the base that is true if the push succeeds: a process killed
// during the push cannot know whether it did.
func (y *syncing) send(ctx context.Context, tip string, files map[string][]byte, then *share.Base) (string, error) {
	who, err := y.remote.author(ctx)
	if err != nil {
		return "", err
	}
	if detect.Redact(who) != who {
		return "", &memory.Problem{
			Code: "author", What: "the name or address that your git puts into each commit holds a secret",
			Hint: "see them: git config user.name; git config user.email",
		}
	}
	commit, err := y.remote.commit(ctx, tip, files, y.message())
	if err != nil {
		return "", err
	}
	if err := y.writeBeside(joined.NextEnd, append([]byte(commit+"\n"), then.Bytes()...)); err != nil {
		return "", err
	}
	return commit, y.remote.push(ctx, commit, tip)
}

// readBase reads the base. If a sync was killed after a push but before it saved the new base, the share's
// commits tell which base is true.
func (y *syncing) readBase(ctx context.Context, tip string) error {
	saved, err := atomicfile.Look(atomicfile.OS(), y.syncer.shares.Path(y.f.Key+joined.BaseEnd))
	if err != nil {
		return err
	}
	next, err := atomicfile.Look(atomicfile.OS(), y.syncer.shares.Path(y.f.Key+joined.NextEnd))
	if err != nil {
		return err
	}
	text := saved.Data
	if commit, pushed, there := bytes.Cut(next.Data, []byte("\n")); there {
		left, _, unknown := y.remote.log(ctx, logQuery{Old: tip, New: string(commit), Most: 1})
		if unknown == nil && len(left) == 0 {
			text = pushed
		}
	}
	y.base = nil
	if len(text) == 0 {
		return nil
	}
	base, err := share.ReadBase(text)
	if err != nil {
		y.dropBase(err)
		return nil
	}
	y.base = base
	return nil
}

// dropBase drops the base, and notes that it is lost.
func (y *syncing) dropBase(why error) {
	y.base = nil
	note := "What was synced last is not known any more, so nothing is deleted on either side: " + why.Error() + "."
	y.out.Notes = append(y.out.Notes, note)
}

// writeBeside writes one of the files beside the share's own.
func (y *syncing) writeBeside(end string, text []byte) error {
	if err := atomicfile.Rewrite(atomicfile.OS(), y.syncer.shares.Path(y.f.Key+end), text); err != nil {
		return fmt.Errorf("note what was synced: %w", err)
	}
	return nil
}

// saveBase saves the base, and forgets the one that a push was to make true.
func (y *syncing) saveBase(base *share.Base) error {
	if err := y.writeBeside(joined.BaseEnd, base.Bytes()); err != nil {
		return err
	}
	return atomicfile.RemoveLocked(y.syncer.shares.Path(y.f.Key + joined.NextEnd))
}

// noteForeign notes lessons of another system in the share, unless another store here syncs with it.
func (y *syncing) noteForeign(ctx context.Context) {
	foreign, own := 0, y.system()
	for _, l := range y.theirs.Lessons {
		if l.System != own {
			foreign++
		}
	}
	if foreign == 0 {
		return
	}
	shares, _ := y.syncer.Shares(ctx) // an unreadable share counts as none
	elsewhere := func(s memory.Share) bool { return s.URL == y.f.URL && s.Branch == y.f.Branch && s.Store != y.f.Store }
	if !slices.ContainsFunc(shares, elsewhere) {
		const note = "The share has %s of another system, which do not go into %s: " +
			"join with a store of that system as well (sync join ADDRESS --store PATH)."
		lessons := memory.Noun{One: "lesson", Many: "lessons"}.Count(foreign)
		y.out.Notes = append(y.out.Notes, fmt.Sprintf(note, lessons, y.f.Place))
	}
}

// merge merges both sides. It decides a conflict for the lesson here if a person here rejected the other text, or
// another record already says the same.
func (y *syncing) merge() {
	y.result = share.Merge(y.base, &y.here, y.theirs)
	if y.base == nil {
		return
	}
	var decided []share.Conflict
	for _, c := range y.result.Conflicts {
		p, _ := y.proposal(c.Theirs)
		_, rejected := y.verdicts.Rejected(p.Words())
		if rejected || y.hasWords(p.Words()) {
			decided = append(decided, c)
		}
	}
	if len(decided) > 0 {
		y.result = share.Merge(y.base.Decide(decided...), &y.here, y.theirs)
	}
}

// changed returns the lessons that others added or edited, as they would be here.
func (y *syncing) changed() map[string]share.Change {
	all := map[string]share.Change{}
	for _, ch := range y.result.Local {
		if ch.Do != share.Remove {
			all[ch.ID] = ch
		}
	}
	for _, c := range y.result.Conflicts {
		all[c.ID] = share.Change{Do: share.Edit, ID: c.ID, Was: c.Mine, Lesson: c.Theirs}
	}
	return all
}

// redactIDs redacts the ids in the output, which others may have chosen.
func (y *syncing) redactIDs() {
	for _, list := range [][]memory.SyncLine{y.out.In, y.out.Out, y.out.Stopped, y.out.Private} {
		for i := range list {
			list[i].ID = detect.Redact(list[i].ID)
		}
	}
}

// before returns what both sides last had of a lesson, redacted, or nil if that is not known.
func (y *syncing) before(id string) *learn.Said {
	l := y.base.Lesson(id)
	if p, why := y.proposal(l); why == "" && l.ID != "" {
		return &learn.Said{Words: p.Words(), Tools: p.Tools}
	}
	return nil
}

// proposal returns a lesson of the share as a redacted proposal for the inbox. Why is empty unless the
// inbox does not take it.
func (y *syncing) proposal(l share.Lesson) (p learn.Proposal, why string) {
	from, _ := y.sender(l.ID)
	p = learn.Proposal{LessonID: l.ID, Origin: memory.Origin{
		Agent:   memory.SystemID(y.system()),
		Person:  cmp.Or(from.Person, "somebody"),
		Machine: from.Machine,
		Store:   y.f.Store,
		Door:    memory.DoorShare,
		At:      from.At,
	}}
	r := y.decoded(l)
	p.Title, p.Outcome, p.Body, p.Tools, p.Form = r.Title, string(r.Outcome), r.Body, r.Tools, r.Raw
	p.When = r.When
	why = p.Clean(y.syncer.now())
	return p, why
}
