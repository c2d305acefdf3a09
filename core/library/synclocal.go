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
	"time"

	"winnow/core/approvals"
	"winnow/core/detect"
	"winnow/core/learn"
	engine "winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/share"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// decoded returns a lesson of the share as a record of the store. An old lesson that was never recalled
// gets today's date, because an agent would drop it at once.
func (y *syncing) decoded(l share.Lesson, c share.Count) memory.Record {
	today := y.now().UTC().Truncate(24 * time.Hour)
	if at := engine.Moment(l.Text(engine.KeyCreated)).Time; c.N == 0 && !at.IsZero() && at.Before(today) {
		l.Fields = maps.Clone(l.Fields)
		l.Fields[engine.KeyCreated] = `"` + engine.ISO(today) + `"`
	}
	return engine.Record(l.Line(c), 1)
}

// gate audits the lessons that would be sent, and returns the ids of those to withhold: lessons with a
// secret, an injection or hidden text, and those with personal data unless a person allowed it.
func (y *syncing) gate(ctx context.Context) (map[string]bool, error) {
	var leaving []share.Lesson
	for _, file := range y.result.Share {
		if l, err := share.ReadLesson(file.Path, file.Data); err == nil && strings.HasPrefix(file.Path, share.Lessons) && file.Data != nil {
			leaving = append(leaving, l)
		}
	}
	withheld := map[string]bool{}
	y.out.Out, y.out.Stopped, y.out.Private = nil, nil, nil
	if len(leaving) > 0 {
		var known []string
		for _, r := range y.records {
			known = append(known, secretsOf(r)...)
		}
		if err := y.judge(ctx, leaving, known, withheld); err != nil {
			return nil, err
		}
	}
	y.asked(leaving, withheld)
	y.f.Stopped = len(withheld)
	for _, file := range y.result.Share {
		if withheld[file.ID] || file.Data == nil {
			continue
		}
		l, there := y.theirs.Lessons[file.ID]
		line := memory.SyncLine{Do: memory.Editing, ID: file.ID, Title: detect.Redact(y.here.Held[file.ID].Title())}
		switch {
		case strings.HasPrefix(file.Path, share.Tombstones):
			line.Do, line.Title = memory.Deleting, detect.Redact(l.Title())
		case !there:
			line.Do = memory.Adding
		}
		y.out.Out = append(y.out.Out, line)
	}
	return withheld, nil
}

// asked withholds lessons that others may have deleted so long ago that the tombstone expired, until a
// person allows them. That is possible only if the base was lost. It concerns lessons that the share
// does not have and that are older than its tombstones can be.
func (y *syncing) asked(leaving []share.Lesson, withheld map[string]bool) {
	if y.base != nil || y.f.Synced.IsZero() || y.o.Private {
		return
	}
	for i := range leaving {
		l := &leaving[i]
		_, there := y.theirs.Lessons[l.ID]
		if at := engine.Moment(l.Text(engine.KeyCreated)).Time; !there && !withheld[l.ID] && y.now().Sub(at) > y.theirs.Settings.Expiry() {
			withheld[l.ID] = true
			y.out.Private = append(y.out.Private, memory.SyncLine{ID: l.ID, Title: detect.Redact(l.Text(engine.KeyTitle)), Why: "it may have been deleted by others: what was synced last is not known, and it is older than deletions are kept"})
		}
	}
}

// judge audits lessons as text with one lesson per line, and adds those to withhold, each with its first
// reason. For the same finding in several lines the audit names only the first. In that case judge
// audits each half again, until every such lesson is found.
func (y *syncing) judge(ctx context.Context, leaving []share.Lesson, known []string, withheld map[string]bool) error {
	var text bytes.Buffer
	for i := range leaving {
		text.WriteString(leaving[i].AsLesson().Line(share.Count{}) + "\n")
	}
	a, err := y.audit.Run(ctx, memory.AuditOrder{Paths: []string{"-"}, Known: known, Most: 100 * len(leaving)}, &text, nil)
	switch {
	case err == nil && a.Stopped:
		err = ctx.Err()
	case err == nil && (len(a.Failed) > 0 || a.More > 0):
		err = errors.New("what would be sent could not be audited as a whole, and nothing was")
	}
	if err != nil {
		return err
	}
	several := func(x memory.Finding) bool { return x.Open() && x.Count > 1 }
	if half := len(leaving) / 2; half > 0 && slices.ContainsFunc(a.Findings, several) {
		if err := y.judge(ctx, leaving[:half], known, withheld); err != nil {
			return err
		}
		return y.judge(ctx, leaving[half:], known, withheld)
	}
	private := map[string]bool{}
	for i := range a.Findings {
		x := &a.Findings[i]
		if !x.Open() || x.Line < 1 || x.Line > len(leaving) || x.Family == memory.FamilyRedaction || x.Family == memory.FamilyFile {
			continue
		}
		l := &leaving[x.Line-1]
		line := memory.SyncLine{ID: l.ID, Title: detect.Redact(l.Title()), Why: field(x.Field, y.ids.texts != nil) + ": " + x.Name}
		switch {
		case withheld[l.ID] && !private[l.ID]:
		case x.Family != memory.FamilyPrivate:
			withheld[l.ID], private[l.ID] = true, false
			y.out.Stopped = append(y.out.Stopped, line)
		case !y.o.Private && !private[l.ID]:
			withheld[l.ID], private[l.ID] = true, true
			y.out.Private = append(y.out.Private, line)
		}
	}
	y.out.Private = slices.DeleteFunc(y.out.Private, func(line memory.SyncLine) bool {
		asked, here := private[line.ID]
		return here && !asked
	})
	return nil
}

// field returns a person's name for a lesson's field. For text records, it names the part that AsLesson
// put into that field.
func field(name string, texts bool) string {
	if !texts {
		return name
	}
	return cmp.Or(map[string]string{engine.KeyTitle: "title", engine.KeyBody: "text"}[name], "name")
}

// message returns the one-line message of the commit.
func (y *syncing) message() string {
	var n [3]int
	for _, line := range y.out.Out {
		n[line.Do]++
	}
	var parts []string
	for i, verb := range []string{memory.Adding: "add", memory.Editing: "edit", memory.Deleting: "delete"} {
		if n[i] > 0 {
			parts = append(parts, fmt.Sprint(verb, " ", n[i]))
		}
	}
	return y.f.Machine + ": " + cmp.Or(strings.Join(parts, ", "), "count recalls")
}

// sorted splits the changes by others into those to make at once and those to propose in the inbox.
func (y *syncing) sorted() (order memory.Order, proposals []learn.Proposal) {
	order.Do = memory.Sync
	y.out.In, y.f.Conflicts = nil, 0
	conflicts := map[string]bool{}
	for _, c := range y.result.Conflicts {
		conflicts[c.ID] = true
	}
	waits := map[string]approvals.Words{}
	for i := range y.box.Waiting {
		if w := &y.box.Waiting[i]; w.Origin.Store == y.f.Store {
			waits[w.LessonID] = w.Words()
		}
	}
	all := y.changed()
	for _, id := range sortedKeys(all) {
		ch := all[id]
		y.waiting[id] = true
		p, why := y.proposal(ch.Lesson, ch.Count)
		if p.Edits, p.Both = ch.Do == share.Edit, conflicts[id]; p.Both {
			p.Was = y.before(id)
		}
		line := memory.SyncLine{Do: memory.Adding, ID: id, Title: p.Title, From: p.Origin.Sender(), Both: p.Both, Inbox: true, Why: ch.Why}
		if p.Edits {
			line.Do = memory.Editing
		}
		_, rejected := y.verdicts.Rejected(p.Words())
		mine, here := y.records[id]
		if !here {
			mine = &memory.Record{}
		}
		switch {
		case why != "" || p.LessonID == "":
			y.out.Notes = append(y.out.Notes, fmt.Sprintf("%s sent %s, which is not taken: %s.", line.From, detect.Redact(id), why))
			continue
		case rejected || p.Edits && !here || p.Text && !p.Edits && y.hasWords(p.Words()),
			p.Edits && learn.WordsOf(mine) == p.Words() && slices.Equal(mine.Tools, p.Tools) && ch.Was.Kind == ch.Lesson.Kind:
			continue
		case !p.Both && !y.full && y.trusted(id) && len(findings(append([]string{p.Title, p.Body}, p.Tools...))) == 0:
			if after, err := y.sharedForm(&p, mine); err == nil {
				y.take(&order, id, mine.Raw, after)
				line.Inbox = false
			}
		}
		if line.Inbox {
			proposals = append(proposals, p)
			if p.Both {
				y.f.Conflicts++
			}
		}
		words, known := waits[id]
		if line.Both || !line.Inbox || len(proposals) <= learn.MostShared && !(known && words == p.Words()) {
			y.out.In = append(y.out.In, line)
		}
	}
	y.deletions(&order)
	y.counts(&order)
	return order, proposals
}

// take adds a change to an order.
func (y *syncing) take(order *memory.Order, id, before, after string) {
	delete(y.waiting, id)
	local := memory.ID(y.name(id))
	if before == "" && y.ids.texts != nil {
		local = y.ids.compose.Decode(after).ID
		y.f.IDs[local] = id
	}
	order.IDs, order.Base, order.After = append(order.IDs, local), append(order.Base, before), append(order.After, after)
}

// trusted reports whether a trusted person brought a lesson since the last sync. Only the commit's
// signature counts.
func (y *syncing) trusted(id string) bool {
	key := y.newSender(id).Key
	return key != "" && slices.ContainsFunc(y.f.Trusted, func(t string) bool { return strings.EqualFold(t, key) })
}

// deletions adds the deletions by people elsewhere to the order. The plan keeps what is pinned here.
func (y *syncing) deletions(order *memory.Order) {
	for _, ch := range y.result.Local {
		r, here := y.records[ch.ID]
		if ch.Do != share.Remove || !here {
			continue
		}
		line := memory.SyncLine{Do: memory.Deleting, ID: ch.ID, Title: detect.Redact(r.Title), Why: ch.Why}
		y.take(order, ch.ID, r.Raw, "")
		y.out.In = append(y.out.In, line)
	}
}

// counts adds the changes that set the store's counts to the sums of all machines. A lesson that the
// order already edits gets its count at the next sync. So an agent that saves an older copy undoes an
// edit and never a count.
func (y *syncing) counts(order *memory.Order) {
	y.out.Counts = 0
	c, err := y.composer(y.f.Store)
	for _, id := range sortedKeys(y.result.Counts) {
		r, here := y.records[id]
		n := y.result.Counts[id].N
		if here && err == nil && n != r.Count.N && !slices.Contains(order.IDs, memory.ID(id)) {
			if after, err := c.Compose(r.Raw, memory.Edit{Count: &n}); err == nil {
				order.IDs, order.Base, order.After = append(order.IDs, r.ID), append(order.Base, r.Raw), append(order.After, after)
				y.out.Counts++
				continue
			}
		}
		y.result.Uncounted(id)
	}
}

// apply changes the store by one plan. It first saves the base that is true if the change succeeds; the
// history later tells whether it did. If somebody changes the store meanwhile, it is left as it is until
// the next sync.
func (y *syncing) apply(ctx context.Context, order memory.Order, tip string, withheld map[string]bool) error {
	if len(order.IDs) == 0 {
		if y.o.Scratch != "" {
			return nil
		}
		return y.saveBase(y.withSenders(y.result.Base(y.waiting, withheld), tip))
	}
	order.Anyway = true // a running agent is no obstacle: changes are merged, and the guard reports what it undoes
	p, err := y.Plan(ctx, y.f.Store, order)
	if err != nil || y.o.Scratch != "" {
		return err
	}
	for _, k := range p.Kept {
		y.waiting[y.ids.of(&k.Record)] = true
		y.out.Notes = append(y.out.Notes, fmt.Sprintf("%s was deleted elsewhere, and stays here since it is %s.", k.Record.ID, k.Why))
	}
	h, err := y.History(ctx, y.f.Store)
	if err != nil {
		return err
	}
	mark := memory.EntryID("")
	if len(h.Entries) > 0 {
		mark = h.Entries[0].ID
	}
	now, then := y.withSenders(y.result.Pushed(withheld), tip), y.withSenders(y.result.Base(y.waiting, withheld), tip)
	if err := y.saveBase(now); err != nil {
		return err
	}
	y.f.Next, y.f.Mark = string(then.Since(now)), mark
	if err := y.writeShare(&y.f); err != nil {
		return err
	}
	result, err := y.Apply(ctx, p)
	if err != nil {
		y.f.Next, y.out.Counts = "", 0
		if !y.full && y.ids.texts != nil && slices.Contains(order.Base, "") {
			return cmp.Or(y.writeShare(&y.f), errFull)
		}
		y.out.Notes = append(y.out.Notes, "The store was left as it is until the next sync: "+detect.Redact(err.Error())+".")
		return y.writeShare(&y.f)
	}
	y.out.Entry = result.Entry
	y.out.Notes = append(y.out.Notes, p.Notes...)
	return y.saveBase(then)
}
