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
	from     map[string]sender // who brought the files of lessons since the last sync, by path
	remote   *remote.Share
	verdicts approvals.Decisions

	base    *share.Base
	format1 bool // the base was written when another file told who brought its lessons
	theirs  *share.State
	ids     sharedIDs
	folded  map[string]string        // names of files in small letters
	store   contents                 // as it was read
	lines   map[string]string        // what names the lines of the store, by id
	quiet   map[string]bool          // lessons that nobody changed since the last sync
	records map[string]memory.Record // of the store, by id
	words   map[approvals.Words]bool // what they say
	box     *learn.Box
	here    share.Here
	result  *share.Result
	waiting map[string]bool // what others changed and is not made here
	full    bool            // what trusted people sent does not fit into the store
	out     memory.Synced
}

// mostTries is how often a push is tried while others are faster.
const mostTries = 12

// Sync brings a store and its share together: it fetches, merges, audits what would leave, pushes, and then
// changes the store by one plan. What others sent waits in the inbox. With an order that has a scratch
// folder nothing is changed anywhere.
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
		return y.out, err // a person ended it
	}
	return y.out, cmp.Or(err, l.writeShare(&y.f))
}

// run makes the sync. Each of its steps can end it, and the next sync goes on from there.
func (y *syncing) run(ctx context.Context) (err error) {
	dir := cmp.Or(y.o.Scratch, y.state.Dir)
	if y.remote, err = remote.Open(ctx, y.remotePlace(&y.f, dir, y.o.Ask)); err != nil {
		return err
	}
	defer y.remote.Close()
	var tip, standing string
	var withheld map[string]bool
	for try := 0; ; try++ {
		// 1. What the others pushed, and what is here.
		tip, _, err = y.remote.Fetch(ctx, y.o.Rewritten)
		if standing = y.standing(); err != nil || y.idle(tip, standing) {
			return err
		}
		if err = y.bring(ctx, tip); err != nil {
			return err
		}
		// 2. What becomes of it, and what must not leave.
		y.merge()
		if withheld, err = y.gate(ctx); err != nil {
			return err
		}
		files := y.result.Files(withheld)
		if len(files) == 0 || y.o.Scratch != "" {
			break
		}
		// 3. Send it, or begin again when somebody was faster: nothing was changed here yet.
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
	for _, n := range y.result.Notes {
		y.out.Notes = append(y.out.Notes, detect.Redact(y.name(n.ID)+": "+n.Text))
	}
	// 4. Change the store, and have the rest wait in the inbox.
	proposals, err := y.change(ctx, withheld)
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
	y.settled(tip, standing)
	return y.remote.Tidy(ctx)
}

// bring reads the base, the store and the share.
func (y *syncing) bring(ctx context.Context, tip string) error {
	y.out.Notes = nil
	err := y.lastBase(ctx, tip)
	if err == nil {
		err = y.load(ctx)
	}
	if err == nil {
		err = y.read(ctx, tip)
	}
	if err == nil {
		err = y.senders(ctx, tip)
	}
	if err == nil {
		y.look()
		y.noteForeign(ctx)
	}
	return err
}

// change changes the store, and returns what is to wait for a person.
func (y *syncing) change(ctx context.Context, withheld map[string]bool) ([]learn.Proposal, error) {
	y.waiting = map[string]bool{}
	order, proposals := y.sorted()
	err := y.apply(ctx, order, withheld)
	if errors.Is(err, errFull) {
		y.full = true // so it waits until a person makes room
		order, proposals = y.sorted()
		err = y.apply(ctx, order, withheld)
	}
	return proposals, err
}

// send commits and pushes. What holds when the share has the commit is kept before: who is killed within the push
// cannot tell whether it was made.
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
	y.f.Commit, y.f.Pushed = commit, string(y.brought(then).Since(y.base))
	if err := y.writeShare(&y.f); err != nil {
		return "", err
	}
	return commit, y.remote.Push(ctx, commit, tip)
}

// lastBase reads what both sides agreed on last. Where a sync ended between a push, or a change of the store,
// and its note, the share and the history tell which base holds.
func (y *syncing) lastBase(ctx context.Context, tip string) error {
	s, err := atomicfile.Look(atomicfile.OS(), y.sharePath(y.f.Key+baseEnd))
	if err != nil {
		return err
	}
	y.base, y.format1 = nil, bytes.HasPrefix(s.Data, []byte("{"))
	if len(s.Data) > 0 {
		y.base, err = share.ReadBase(s.Data)
	}
	if err == nil && y.f.Commit != "" {
		left, _, unknown := y.remote.Log(ctx, remote.Query{Old: tip, New: y.f.Commit, Most: 1})
		if unknown == nil && len(left) == 0 {
			y.base, err = y.base.Update([]byte(y.f.Pushed))
		}
	}
	if err == nil && y.f.Next != "" {
		h, unread := y.History(ctx, y.f.Store)
		if unread != nil {
			return unread
		}
		at := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == y.f.Mark || e.Do == memory.Sync })
		if at >= 0 && h.Entries[at].ID != y.f.Mark {
			y.base, err = y.base.Update([]byte(y.f.Next))
		}
	}
	if err != nil {
		y.lost(err)
	}
	return nil
}

// lost says that nobody knows what was synced last.
func (y *syncing) lost(why error) {
	y.base = nil
	y.out.Notes = append(y.out.Notes, "What was synced last is not known any more, so nothing is deleted on either side: "+why.Error()+".")
}

// saveBase keeps what both sides agree on. Nothing is pending then.
func (y *syncing) saveBase(base *share.Base) error {
	if err := atomicfile.Rewrite(atomicfile.OS(), y.sharePath(y.f.Key+baseEnd), base.Bytes()); err != nil {
		return fmt.Errorf("note what was synced: %w", err)
	}
	y.f.Commit, y.f.Pushed, y.f.Next, y.f.Mark = "", "", "", ""
	return y.writeShare(&y.f)
}

// noteForeign says that the share has lessons of another system, unless a store here takes these.
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
	shares, _ := y.Shares(ctx) // what cannot be read is none
	elsewhere := func(s memory.Share) bool { return s.URL == y.f.URL && s.Branch == y.f.Branch && s.Store != y.f.Store }
	if !slices.ContainsFunc(shares, elsewhere) {
		y.out.Notes = append(y.out.Notes, fmt.Sprintf("The share has %s of another system, which do not go into %s: join with a store of that system as well (sync join ADDRESS --store PATH).",
			(memory.Noun{One: "lesson", Many: "lessons"}).Count(foreign), y.f.Place))
	}
}

// merge compares both sides. A conflict of which a person rejected the other text here, or has it in another record as
// well, is decided: the lesson as it is here holds, in all its fields.
func (y *syncing) merge() {
	y.result = share.Merge(y.base, &y.here, y.theirs)
	changed := y.changed()
	var decided []share.Conflict
	for _, c := range y.result.Conflicts {
		p, _ := y.proposal(changed[c.ID].Lesson, share.Count{})
		if _, is := y.verdicts.Rejected(p.Words()); y.base != nil && (is || y.words[p.Words()]) {
			decided = append(decided, c)
			for field, theirs := range y.theirs.Lessons[c.ID].Fields { // the person saw all that they changed, not this field alone
				decided = append(decided, share.Conflict{ID: c.ID, Field: field, Theirs: theirs})
			}
		}
	}
	if len(decided) > 0 {
		y.result = share.Merge(y.base.Decide(decided...), &y.here, y.theirs)
	}
}

// changed returns the lessons that others added or edited as they would stand here. Where both sides changed a
// field it has theirs.
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

// before returns what both sides had of a lesson, redacted; nil where nobody knows.
func (y *syncing) before(id string) *learn.Said {
	l := y.base.Lesson(id)
	if p, why := y.proposal(l, share.Count{}); why == "" && l.ID != "" {
		return &learn.Said{Words: p.Words(), Tools: p.Tools}
	}
	return nil
}

// proposal returns a lesson of the share as the inbox takes it, redacted, and why it does not.
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
