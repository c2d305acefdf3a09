package sync

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

// decoded returns a lesson of the share as a record of the store. It was never recalled here, so an old one
// gets today's date, because an agent would drop it at once.
func (y *syncing) decoded(l share.Lesson) memory.Record {
	today := y.syncer.now().UTC().Truncate(24 * time.Hour)
	if at := engine.Moment(l.Text(engine.KeyCreated)).Time; !at.IsZero() && at.Before(today) {
		l.Fields = maps.Clone(l.Fields)
		l.Fields[engine.KeyCreated] = `"` + engine.ISO(today) + `"`
	}
	return engine.Record(l.Line(), 1)
}

// gate audits the lessons that would be sent, and returns the ids of those to withhold: lessons with a
// secret, an injection or hidden text, and those with personal data unless a person allowed it.
func (y *syncing) gate(ctx context.Context) (map[string]bool, error) {
	var leaving []share.Lesson
	for _, file := range y.result.Share {
		if file.Data == nil || !strings.HasPrefix(file.Path, share.Lessons) {
			continue
		}
		if l, err := share.ReadLesson(file.Path, file.Data); err == nil {
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
		if err := y.auditLeaving(ctx, leaving, known, withheld); err != nil {
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
		at := engine.Moment(l.Text(engine.KeyCreated)).Time
		if there || withheld[l.ID] || y.syncer.now().Sub(at) <= y.theirs.Settings.Expiry() {
			continue
		}
		withheld[l.ID] = true
		y.out.Private = append(y.out.Private, memory.SyncLine{
			ID:    l.ID,
			Title: detect.Redact(l.Text(engine.KeyTitle)),
			Why: "it may have been deleted by others: " +
				"what was synced last is not known, and it is older than deletions are kept",
		})
	}
}

// auditLeaving audits lessons as text with one lesson per line, and adds those to withhold, each with its first
// reason. For the same finding in several lines the audit names only the first. In that case it audits each
// half again, until every such lesson is found.
func (y *syncing) auditLeaving(
	ctx context.Context,
	leaving []share.Lesson,
	known []string,
	withheld map[string]bool,
) error {
	var text bytes.Buffer
	for i := range leaving {
		text.WriteString(leaving[i].Line() + "\n")
	}
	a, err := y.syncer.audit.Run(
		ctx,
		memory.AuditOrder{Paths: []string{"-"}, Known: known, Most: 100 * len(leaving)},
		&text,
		nil,
	)
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
		if err := y.auditLeaving(ctx, leaving[:half], known, withheld); err != nil {
			return err
		}
		return y.auditLeaving(ctx, leaving[half:], known, withheld)
	}
	y.withhold(leaving, a.Findings, withheld)
	return nil
}

// withhold adds the lessons with a finding to those that are withheld.
func (y *syncing) withhold(leaving []share.Lesson, found []memory.Finding, withheld map[string]bool) {
	private := map[string]bool{} // whether that is all that is wrong with a lesson
	for i := range found {
		x := &found[i]
		isOfLesson := 1 <= x.Line && x.Line <= len(leaving)
		if !x.Open() || !isOfLesson || x.Family == memory.FamilyRedaction || x.Family == memory.FamilyFile {
			continue
		}
		l := &leaving[x.Line-1]
		line := memory.SyncLine{ID: l.ID, Title: detect.Redact(l.Title()), Why: x.Field + ": " + x.Name}
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
	return y.f.Machine + ": " + cmp.Or(strings.Join(parts, ", "), "raise the format of the share")
}

// proposals returns what others changed, for the inbox.
func (y *syncing) proposals() (all []learn.Proposal) {
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
	propose := func(p learn.Proposal, line memory.SyncLine) {
		all = append(all, p)
		if p.Both {
			y.f.Conflicts++
		}
		words, known := waits[p.LessonID]
		if p.Both || len(all) <= learn.MostShared && !(known && words == p.Words()) {
			y.out.In = append(y.out.In, line)
		}
	}
	changed := y.changed()
	for _, id := range sortedKeys(changed) {
		ch := changed[id]
		p, why := y.proposal(ch.Lesson)
		if p.Edits, p.Both = ch.Do == share.Edit, conflicts[id]; p.Both {
			p.Was = y.before(id)
		}
		line := memory.SyncLine{
			Do:    memory.Adding,
			ID:    id,
			Title: p.Title,
			From:  p.Origin.Sender(),
			Both:  p.Both,
			Why:   ch.Why,
		}
		if p.Edits {
			line.Do = memory.Editing
		}
		if why != "" || p.LessonID == "" {
			note := fmt.Sprintf("%s sent %s, which is not taken: %s.", line.From, detect.Redact(id), why)
			y.out.Notes = append(y.out.Notes, note)
			continue
		}
		if !y.saysAlready(&p) {
			propose(p, line)
		}
	}
	for _, ch := range y.result.Local {
		if _, here := y.records[ch.ID]; ch.Do == share.Remove && here {
			p := y.deletion(ch.ID)
			propose(
				p,
				memory.SyncLine{Do: memory.Deleting, ID: ch.ID, Title: p.Title, From: p.Origin.Sender(), Why: ch.Why},
			)
		}
	}
	return all
}

// saysAlready reports whether nobody need be asked about a change by others: a person rejected its words, or
// the store has them.
func (y *syncing) saysAlready(p *learn.Proposal) bool {
	if _, rejected := y.verdicts.Rejected(p.Words()); rejected {
		return true
	}
	mine, here := y.records[p.LessonID]
	if !p.Edits {
		return false
	}
	return !here || learn.WordsOf(mine) == p.Words() && slices.Equal(mine.Tools, p.Tools)
}

// deletion returns the proposal to delete a record that others deleted.
func (y *syncing) deletion(id string) learn.Proposal {
	r, tomb, by := y.records[id], y.theirs.Tombstones[id], y.newSender(id)
	p := learn.Proposal{
		LessonID: id, Deletes: true, Title: r.Title, Outcome: string(r.Outcome), Body: r.Body, Tools: r.Tools,
		Origin: memory.Origin{
			Agent:   memory.SystemID(y.system()),
			Person:  cmp.Or(by.Person, "somebody"),
			Machine: cmp.Or(by.Machine, tomb.Who),
			Store:   y.f.Store,
			Door:    memory.DoorShare,
			At:      tomb.When,
		},
	}
	p.Clean(y.syncer.now())
	return p
}

// keeps reports whether a person rejected that others deleted a record.
func (y *syncing) keeps(id string) bool {
	if _, here := y.records[id]; !here || !y.verdicts.AnyRejected() {
		return false
	}
	p := y.deletion(id)
	_, is := y.verdicts.Rejected(p.Words())
	if is {
		y.kept[id] = p.Words()
	}
	return is
}

// carriedOut withdraws the rejections of deletions that were taken back in the share. If others delete the same
// lesson again, a person is asked again.
func (y *syncing) carriedOut(ctx context.Context, withheld map[string]bool) error {
	var done []approvals.Words
	for _, id := range sortedKeys(y.kept) {
		if !withheld[id] {
			done = append(done, y.kept[id])
		}
	}
	if len(done) == 0 {
		return nil
	}
	return y.syncer.inbox.Book.Note(ctx, approvals.Withdraw, y.syncer.now(), "", done...)
}
