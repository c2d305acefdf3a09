package library

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/system"
)

// texts returns the function that makes the shared form of a store's text records; nil for a store of
// lessons.
func (l *Library) texts(id memory.StoreID) func(*memory.Record) *memory.Edit {
	return l.info(id).Shared
}

// sharedIDs maps a store's records to their ids in a share. Lessons keep their own id, and files have
// their name. A note without a name keeps the id made from its first text, even after it is edited.
type sharedIDs struct {
	system  string
	texts   func(*memory.Record) *memory.Edit // nil for lessons
	compose system.Composer
	by      map[memory.ID]string // ids of texts without names
}

// of returns the shared id of a record, or "" if it has none or is not shared.
func (k *sharedIDs) of(r *memory.Record) string {
	if k.texts == nil {
		return string(r.ID)
	}
	e := k.texts(r)
	switch {
	case e == nil:
		return ""
	case e.Name != nil:
		return *e.Name
	}
	return k.by[r.ID]
}

// lesson returns the shared form of a record, and its count here.
func (k *sharedIDs) lesson(r *memory.Record, id string) (share.Lesson, share.Count, error) {
	if k.texts == nil {
		return share.FromLine(k.system, r.Raw)
	}
	e := k.texts(r)
	if e == nil {
		return share.Lesson{}, share.Count{}, errors.New("it stays here")
	}
	l, err := share.FromTexts(k.system, *e)
	if err == nil && strings.ToValidUTF8(r.Raw, "") != r.Raw {
		err = errors.New("not UTF-8")
	}
	l.ID = id
	return l, share.Count{}, err
}

// sharedIDs returns the ids as of the last sync, updated by what was done here since. An edited text has a
// new id in its store but keeps its shared id. An approved text has the id that the share gave it.
func (l *Library) sharedIDs(f *shareFile, h *memory.History, box *learn.Box) sharedIDs {
	k := sharedIDs{system: string(l.info(f.Store).System), texts: l.texts(f.Store), by: map[memory.ID]string{}}
	c, err := l.composer(f.Store)
	if k.compose = c; k.texts == nil || err != nil {
		return k
	}
	maps.Copy(k.by, f.IDs)
	came := map[memory.EntryID]string{}
	for i := range box.Decisions {
		for _, d := range box.Decisions[i].Decided {
			if w := d.Waiting; w != nil && w.Text && w.Origin.Store == f.Store && len(d.Entries) > 0 && box.Decisions[i].Do != memory.InboxBoth {
				came[d.Entries[0]] = w.LessonID
			}
		}
	}
	since := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == f.Named })
	if since < 0 {
		since = len(h.Entries)
	}
	for i := range slices.Backward(h.Entries[:since]) {
		e := &h.Entries[i]
		for _, ch := range joined(e) {
			id, known := k.by[ch.ID]
			switch {
			case ch.Do == memory.Editing && known:
				delete(k.by, ch.ID)
				k.by[c.Decode(ch.After).ID] = id
			case ch.Do == memory.Adding && came[e.ID] != "":
				k.by[ch.ID] = came[e.ID]
			}
		}
	}
	return k
}

// joined returns the changes of an entry with edits of texts restored. An edit changes a text's id, so the
// history has it as a deletion followed by an addition.
func joined(e *memory.Entry) []memory.Change {
	all := slices.Clone(e.Changes)
	if e.Who == memory.Others || e.Do == memory.Reapply || e.Do == memory.Restore {
		return all
	}
	for i := len(all) - 2; i >= 0; i-- {
		if was, is := &all[i], &all[i+1]; was.Do == memory.Deleting && is.Do == memory.Adding {
			was.Do, was.After = memory.Editing, is.After
			all = slices.Delete(all, i+1, i+2)
		}
	}
	return all
}

// identify gives shared ids to texts that have none yet. It takes the id of a note in the share with the
// same text, so that two machines share one file. Otherwise it takes the id of a note that an agent
// replaced by this one, or else a new id.
func (y *syncing) identify(did map[string]deed, h *memory.History) {
	if y.ids.texts == nil {
		return
	}
	y.folded = map[string]string{}
	taken, fresh := map[string]bool{}, []*memory.Record(nil)
	for i := range y.store.records {
		r := y.decode(&y.store.records[i])
		if id := y.ids.of(r); id != "" {
			taken[id], y.folded[strings.ToLower(id)] = true, id
		} else if y.ids.texts(r) != nil && r.Flags&memory.FlagDuplicate == 0 {
			fresh = append(fresh, r)
		}
	}
	same := map[string]string{}
	for _, id := range slices.Backward(sortedKeys(y.theirs.Lessons)) {
		l := y.theirs.Lessons[id]
		if name := strings.ToLower(id); !taken[y.folded[name]] {
			y.folded[name] = id
		}
		if l.System == y.ids.system && !taken[id] {
			same[l.Text(share.FieldText)] = id
		}
	}
	give := func(r *memory.Record, id string) { y.ids.by[r.ID], taken[id] = id, true }
	fresh = slices.DeleteFunc(fresh, func(r *memory.Record) bool {
		l, _, _ := y.ids.lesson(r, "")
		id := same[l.Text(share.FieldText)]
		if id == "" || taken[id] {
			return false
		}
		give(r, id)
		return true
	})
	y.replaced(fresh, did, taken, give)
	for _, r := range fresh {
		if l, _, err := y.ids.lesson(r, ""); y.ids.by[r.ID] == "" && err == nil {
			l.ID = share.TextID(l.Text(share.FieldText))
			for taken[l.ID] || y.theirs.Tombstones[l.ID].Digest != "" && y.theirs.Tombstones[l.ID].Digest != l.Digest() {
				l.ID = share.TextID(l.ID) // the id belongs to a record, or a deleted one, with another text
			}
			give(r, l.ID)
		}
	}
	y.f.IDs = maps.Clone(y.ids.by)
	maps.DeleteFunc(y.f.IDs, func(_ memory.ID, id string) bool {
		_, there := y.theirs.Lessons[id]
		_, dead := y.theirs.Tombstones[id]
		return !taken[id] && !there && !dead
	})
	if len(h.Entries) > 0 {
		y.f.Named = h.Entries[0].ID
	}
}

// replaced recognizes notes that an agent edited, which look like one note removed and a new one added. If no
// person deleted the old note, and each of the two is the only one similar to the other, the new one gets
// the old one's id.
func (y *syncing) replaced(fresh []*memory.Record, did map[string]deed, taken map[string]bool, give func(*memory.Record, string)) {
	var missing []string
	var records []memory.Record
	for _, local := range slices.Sorted(maps.Keys(y.ids.by)) {
		id := y.ids.by[local]
		if _, byPerson := did[id]; !byPerson && !taken[id] && y.base.Lesson(id).ID != "" {
			missing, records = append(missing, id), append(records, y.ids.compose.Decode(y.base.Lesson(id).Text(share.FieldText)))
		}
	}
	similar := y.info(y.f.Store).Similar
	if len(missing) == 0 || len(fresh) == 0 || similar == nil {
		return
	}
	for _, r := range fresh {
		records = append(records, *r)
	}
	near := similar(records)
	others := func(i int, isMissing bool) []int {
		return slices.DeleteFunc(slices.Clone(near[i]), func(j int) bool { return j < len(missing) != isMissing })
	}
	for i, id := range missing {
		if to := others(i, false); len(to) == 1 && len(others(to[0], true)) == 1 {
			give(fresh[to[0]-len(missing)], id)
		}
	}
}

// text completes the proposal of a text record: redacted, and in the form of its store. The error says why
// it is not taken.
func (y *syncing) text(p *learn.Proposal, l share.Lesson) error {
	e, err := l.Texts()
	if err != nil {
		return err
	}
	if other := y.folded[strings.ToLower(l.ID)]; e.Name != nil && other != l.ID {
		return fmt.Errorf("its name differs from %s only in capital letters", other)
	}
	p.Text, p.Title, p.Body = true, system.Given(e.Title), *e.Body
	if why := p.Clean(y.now()); why != "" {
		return errors.New(why)
	}
	if e.Body = &p.Body; e.Title != nil {
		e.Title = &p.Title
	}
	if p.Form, err = y.ids.compose.Compose("", e); err != nil {
		return err
	}
	r := y.ids.compose.Decode(p.Form)
	again, _, err := y.ids.lesson(&r, "")
	if err == nil && (len(again.Fields) != len(l.Fields) || again.Text(share.FieldName) != l.Text(share.FieldName)) {
		err = errors.New("it is of another form than those of this store")
	}
	p.Title, p.Body = r.Title, r.Body
	return err
}

// sharedForm returns the stored form that a share's proposal gives its record: mine changed, or a new one
// if mine is empty.
func (l *Library) sharedForm(p *learn.Proposal, mine *memory.Record) (string, error) {
	c, err := l.composer(p.Origin.Store)
	if err != nil {
		return "", err
	}
	if !p.Text {
		return c.Compose(cmp.Or(mine.Raw, p.Form), memory.Edit{Title: &p.Title, Body: &p.Body, Outcome: &p.Outcome, Tools: &p.Tools})
	}
	if mine.Raw == "" {
		return p.Form, nil
	}
	texts, theirs := l.texts(p.Origin.Store), c.Decode(p.Form)
	theirs.ID = mine.ID
	e, was := texts(&theirs), texts(mine)
	e.Name = nil
	for _, field := range [][2]**string{{&e.Title, &was.Title}, {&e.Kind, &was.Kind}, {&e.Body, &was.Body}} {
		if system.Given(*field[0]) == system.Given(*field[1]) {
			*field[0] = nil
		}
	}
	return c.Compose(mine.Raw, *e)
}

// beside returns the edit that adds a proposal as a record of its own, beside the one that was also changed
// here.
func (l *Library) beside(w *learn.Waiting) (memory.Edit, error) {
	if !w.Text {
		return memory.Edit{Title: &w.Title, Body: &w.Body, Outcome: &w.Outcome, Tools: &w.Tools}, nil
	}
	c, err := l.composer(w.Origin.Store)
	if err != nil {
		return memory.Edit{}, err
	}
	r := c.Decode(w.Form)
	e := *l.texts(w.Origin.Store)(&r)
	if e.Name != nil {
		name := (*e.Name)[:min(len(*e.Name), 75)] + "-" + digest(w.Form)[:4]
		e.Name = &name
	}
	return e, nil
}

// name returns the local id of a record of the share.
func (y *syncing) name(id string) string {
	if r, here := y.records[id]; here {
		return string(r.ID)
	}
	return id
}

// shown replaces shared ids in the output by local ones, redacted.
func (y *syncing) shown() {
	for _, list := range [][]memory.SyncLine{y.out.In, y.out.Out, y.out.Stopped, y.out.Private} {
		for i := range list {
			list[i].ID = detect.Redact(y.name(list[i].ID))
		}
	}
}

// errFull means that a store cannot hold the changes by trusted people.
var errFull = errors.New("it does not fit")
