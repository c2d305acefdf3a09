package curate

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// redactedTexts finds texts that redactions removed from a store and that are back. It knows them only
// as keyed hashes.
type redactedTexts struct {
	compose system.Composer
	sets    []*hashes
	lost    []*redaction // redactions whose key is lost, so that nobody can tell whether they were undone
}

// hashes are the hashes of redacted texts (scrubs) under one key.
type hashes struct {
	key     hashKey
	kinds   map[scrubKind]bool         // the kinds that occur
	by      map[scrub][]redactionIndex // the redactions that removed each text
	hints   [1 << 16 / 64]uint64       // a bit for each hint of a text
	lengths map[uint16][]int           // lengths of the texts with each hint
}

// redactionIndex is the index of a redaction in the state.
type redactionIndex int

// redactedTexts returns what is known about the redactions of the store, and about others that are not
// in its state.
func (c *Curator) redactedTexts(others ...redaction) (*redactedTexts, error) {
	s := &redactedTexts{compose: c.compose}
	all := slices.Concat(c.file.state.Redactions, others)
	if len(all) == 0 {
		return s, nil
	}
	keys, err := c.file.keys()
	if err != nil {
		return nil, c.noHistory("read the key of", err)
	}
	by := map[string]*hashes{}
	for i := range all {
		r := &all[i]
		key, known := keys.named(r.Key)
		switch {
		case !known:
			s.lost = append(s.lost, r)
			continue
		case by[r.Key] == nil:
			by[r.Key] = newHashes(key)
			s.sets = append(s.sets, by[r.Key])
		}
		by[r.Key].add(r.Scrubs, redactionIndex(i))
	}
	return s, nil
}

func newHashes(key hashKey) *hashes {
	return &hashes{
		key:     key,
		kinds:   map[scrubKind]bool{},
		by:      map[scrub][]redactionIndex{},
		lengths: map[uint16][]int{},
	}
}

func (h *hashes) add(scrubs []scrub, by redactionIndex) {
	for _, s := range scrubs {
		if s.Kind == scrubText && !slices.Contains(h.lengths[s.Hint], s.Len) {
			h.hints[s.Hint>>6] |= 1 << (s.Hint & 63)
			h.lengths[s.Hint] = append(h.lengths[s.Hint], s.Len)
		}
		h.kinds[s.Kind] = true
		h.by[s] = append(h.by[s], by)
	}
}

// lookup returns the redactions that removed a text as a scrub of that kind.
func (h *hashes) lookup(kind scrubKind, text string) []redactionIndex {
	if !h.kinds[kind] {
		return nil
	}
	return h.by[h.key.scrub(kind, text)]
}

// found says which redacted texts a stored form contains.
type found struct {
	redaction memory.Redaction
	spans     []detect.Span    // places of texts that are secrets wherever they occur
	by        []redactionIndex // the redactions that removed them, each once
	form      bool             // the whole form is a redacted one
}

func (f *found) any() bool { return len(f.by) > 0 }

func (f *found) note(by []redactionIndex) { f.by = memory.AppendNew(f.by, by...) }

// find searches a stored form, or any other text, for redacted texts.
func (s *redactedTexts) find(text string) found {
	f := found{redaction: memory.Redaction{Only: []string{}}}
	if text == "" {
		return f
	}
	for _, h := range s.sets {
		if h.kinds[scrubText] {
			spans := func(reading string) []detect.Span { return h.spans(reading, &f) }
			f.spans = append(f.spans, detect.FindDecoded(text, spans)...)
		}
		if by := h.lookup(scrubForm, text); len(by) > 0 {
			f.note(by)
			f.form = true
		}
		s.wordsIn(h, text, &f)
	}
	if f.form {
		f.redaction.Only = nil
	}
	return f
}

// spans returns the places of redacted texts in one reading of a text, and adds them to f.
func (h *hashes) spans(reading string, f *found) (spans []detect.Span) {
	for i := 0; i+hintBytes <= len(reading); i++ {
		hint := h.key.hintOf(reading[i:])
		if h.hints[hint>>6]>>(hint&63)&1 == 0 {
			continue
		}
		for _, length := range h.lengths[hint] {
			end := i + length
			if length < hintBytes || end > len(reading) {
				continue
			}
			text := reading[i:end]
			by := h.lookup(scrubText, text)
			if len(by) == 0 {
				continue
			}
			spans = append(spans, detect.Span{Start: i, End: end})
			f.note(by)
			if !slices.Contains(f.redaction.Also, text) {
				f.redaction.Also = append(f.redaction.Also, text)
			}
		}
	}
	return spans
}

// wordsIn adds the plain words that are secrets only where a rule matches them.
func (s *redactedTexts) wordsIn(h *hashes, text string, f *found) {
	if !h.kinds[scrubWord] {
		return
	}
	r := s.compose.Decode(text)
	for _, secret := range r.Secrets {
		word := plan.SecretText(&r, secret)
		if by := h.lookup(scrubWord, word); len(by) > 0 {
			f.note(by)
			f.redaction.Found = append(f.redaction.Found, word)
		}
	}
}

// clean returns a text without redacted texts. The system redacts it as a stored form; whatever
// that leaves is replaced with the mark.
func (s *redactedTexts) clean(text string) string {
	f := s.find(text)
	if !f.any() {
		return text
	}
	text, _ = s.compose.Redact(text, f.redaction)
	if f = s.find(text); len(f.spans) == 0 {
		return text
	}
	return detect.Replace(text, detect.MergeSpans(f.spans))
}

// hit is a record with redacted texts.
type hit struct {
	record  *memory.Record // as stored
	by      []redactionIndex
	spans   []detect.Span
	cleaned memory.Record
}

// hits returns the records with redacted texts, by index, and all records without those texts.
// Decoding a form does not tell its place, so line and length are kept.
func (s *redactedTexts) hits(records []memory.Record) (all map[int]hit, _ []memory.Record) {
	if len(s.sets) == 0 {
		return nil, records
	}
	for i := range records {
		r := &records[i]
		f := s.find(r.Raw)
		if !f.any() {
			continue
		}
		if all == nil {
			all = map[int]hit{}
		}
		clean := s.compose.Decode(s.clean(r.Raw))
		clean.ID, clean.Line = memory.ID(s.clean(string(r.ID))), r.Line
		clean.RawLen = r.RawLen - len(r.Raw) + len(clean.Raw)
		all[i] = hit{r, f.by, f.spans, clean}
	}
	if all == nil {
		return nil, records
	}
	records = slices.Clone(records)
	for i := range all {
		records[i] = all[i].cleaned
	}
	return all, records
}

// scrubs returns the hashes of what changes remove from their records: each secret as it reads and
// as it is spelled, the texts that the order names, and whole stored forms if the secret itself is
// unknown.
func (c *Curator) scrubs(key hashKey, changes []memory.Change, o memory.Order) (all []scrub) {
	add := func(kind scrubKind, text string) {
		if s := key.scrub(kind, text); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	secrets := removed(c.compose, changes)
	for _, s := range o.Also {
		set := detect.NewTextSet([]string{s})
		stood := func(ch memory.Change) bool { return len(set.Find(ch.Before)) > 0 }
		if slices.ContainsFunc(changes, stood) {
			secrets = append(secrets, s)
		}
	}
	distinctive := secrets[:0:0]
	for _, s := range secrets {
		if detect.Distinctive(s) {
			distinctive = append(distinctive, s)
			add(scrubText, s)
		} else {
			add(scrubWord, s)
		}
	}
	for i := range changes {
		ch := &changes[i]
		for _, p := range detect.NewTextSet(distinctive).Find(ch.Before) {
			add(scrubText, ch.Before[p.Start:p.End])
		}
		if ch.Before != "" && needsWholeForm(c.compose, ch, o.Only) {
			add(scrubForm, ch.Before)
		}
	}
	return all
}

// needsWholeForm reports whether a change removes a secret that can only be recognised by the whole stored
// form: one whose text is unknown, or too short to search for.
func needsWholeForm(compose system.Composer, ch *memory.Change, rules []string) bool {
	was, now := compose.Decode(ch.Before), compose.Decode(ch.After)
	return slices.ContainsFunc(was.Secrets, func(s memory.Secret) bool {
		if rules != nil && !slices.Contains(rules, s.Rule) {
			return false
		}
		text := plan.SecretText(&was, s)
		return text == "" || len(text) < shortest && !recordContains(&now, ch.After, text)
	})
}

// newScrubs returns the scrubs that no earlier redaction has.
func (s *redactedTexts) newScrubs(all []scrub) []scrub {
	return slices.DeleteFunc(all, func(n scrub) bool {
		return slices.ContainsFunc(s.sets, func(h *hashes) bool { return h.by[n] != nil })
	})
}

// stillHolding returns the records that contain some of the scrubs after the plan's changes. What was
// there all the time does not count as coming back.
func (c *Curator) stillHolding(
	ctx context.Context, key hashKey, scrubs []scrub, p *memory.Plan,
) (ids []memory.ID, _ error) {
	if len(scrubs) == 0 {
		return nil, nil
	}
	snap, err := c.readStore(ctx)
	if err != nil {
		return nil, err
	}
	s := &redactedTexts{compose: c.compose, sets: []*hashes{newHashes(key)}}
	s.sets[0].add(scrubs, 0)
	for i := range snap.Records {
		r := &snap.Records[i]
		changed := slices.ContainsFunc(p.Changes, func(ch memory.Change) bool { return ch.ID == r.ID })
		if f := s.find(r.Raw); !changed && f.any() {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// scrub removes redacted texts from what changes leave behind, so that they do not keep what
// another writer brought back.
func (c *Curator) scrub(p *memory.Plan) error {
	s, err := c.redactedTexts()
	if err != nil || len(s.sets) == 0 {
		return err
	}
	back := 0
	for i := range p.Changes {
		ch := &p.Changes[i]
		if ch.Do != memory.Editing && ch.Do != memory.Adding {
			continue
		}
		if after := s.clean(ch.After); after != ch.After {
			ch.After, ch.Edited = after, memory.Record{}
			back++
		}
	}
	if back > 0 {
		const note = "What was redacted before is back in %s: this change redacts it again."
		p.Notes = append(p.Notes, fmt.Sprintf(note, c.records(back)))
	}
	return nil
}

// append adds an event to the history, without redacted texts, which another writer may have
// brought back.
func (c *Curator) append(e event, sync bool) error {
	s, err := c.redactedTexts()
	if err != nil {
		return err
	}
	if len(s.sets) > 0 {
		e.Changes = slices.Clone(e.Changes) // cleaning modifies them in place
		cleanEvent(&e, s.clean)
	}
	return c.file.append(e, sync)
}

// cleanEvent removes redacted texts from an event. The hashes of the whole file are kept for the
// replacement, because recovery from a crash needs them.
func cleanEvent(e *event, clean func(string) string) {
	was := e.Splices
	if e.scrub(clean) && e.Kind == kindBegin && was != nil {
		e.Splices = &memory.Splices{From: was.From, To: was.To}
	}
}

// secretBack is a record in which another writer brought back what was redacted.
type secretBack struct {
	undone memory.Undone
	by     []*redaction // newest first, without those that expect it there
	name   memory.ID    // the record's name in the history
}

// secretsBack returns the records in which redacted texts are back, by the ids that the records
// have without those texts.
func (pc *promiseCheck) secretsBack(hits map[int]hit) map[memory.ID]*secretBack {
	st := pc.curator.file.state
	all := map[memory.ID]*secretBack{}
	for _, h := range hits {
		b := &secretBack{name: h.cleaned.ID}
		slices.Sort(h.by)
		for _, i := range slices.Backward(h.by) {
			if r := &st.Redactions[i]; !slices.Contains(r.Kept, b.name) {
				b.by = append(b.by, r)
			}
		}
		if len(b.by) == 0 {
			continue
		}
		noted := b.by[0].sighted(b.name)
		b.undone = memory.Undone{
			Kind: memory.SecretBack, ID: b.name, Entry: b.by[0].Entry, Times: noted.Times, At: noted.Last,
			Mine: h.cleaned.Raw, MyRecord: h.cleaned, Theirs: h.record.Raw, Record: masking(h.record, h.spans),
		}
		all[b.name] = b
	}
	return all
}

// masking returns a record with redacted texts marked as secrets, so that they are masked even
// where no rule finds them.
func masking(r *memory.Record, spans []detect.Span) memory.Record {
	var texts []string
	for _, p := range spans {
		texts = append(texts, r.Raw[p.Start:p.End])
	}
	out := *r
	plan.Mask(&out, detect.PrepareRedaction(memory.Redaction{Also: texts}).Places)
	return out
}

// mergeUndone merges another undone change of the same record: redacting the record again also redoes
// that change.
func (b *secretBack) mergeUndone(u *memory.Undone) {
	switch u.Kind {
	case memory.CameBack:
		b.undone.ID, b.undone.Mine, b.undone.MyRecord = u.ID, "", memory.Record{}
	case memory.Reverted:
		b.undone.ID, b.undone.Mine, b.undone.MyRecord = u.ID, u.Mine, u.MyRecord
	}
}

// sightings returns the events that record in which record redacted texts are back, if that is new in
// this state of the store, and counts it.
func (c *Curator) sightings(b *secretBack, state string) (events []event) {
	for i, r := range b.by {
		noted := r.sighted(b.name)
		if noted.in(state) {
			continue
		}
		e := c.seenUndone(r.Entry, b.name, memory.SecretBack, state)
		if events = append(events, e); i == 0 {
			b.undone.Times, b.undone.At = b.undone.Times+1, e.At
		}
	}
	return events
}

// redactedAgain returns the change that removes what is back. A record that was deleted since is
// deleted again, and in one that was edited since, the edit is made again.
func (pc *promiseCheck) redactedAgain(s *redactedTexts, p *promise, u *memory.Undone) memory.Change {
	ch := memory.Change{
		Do:     memory.Editing,
		ID:     u.Record.ID,
		Before: u.Theirs,
		Line:   u.Record.Line,
		Record: u.Record,
		Why:    "a redacted secret was back",
	}
	if u.Mine == "" {
		ch.Do = memory.Deleting
		return ch
	}
	clean := u.Record
	clean.Raw = s.clean(u.Theirs)
	clean.RawLen += len(clean.Raw) - len(u.Theirs)
	ch.After = clean.Raw
	if p != nil && !p.Gone {
		if merged, relation := pc.reconcile(p, &clean); relation == system.Reverted {
			ch.After = merged
		}
	}
	return ch
}

// unknowable returns the redactions for which nobody can know whether they were undone.
func unknowable(lost []*redaction) (all []memory.Undone) {
	for _, r := range lost {
		id := redactionID(r.Entry)
		all = append(all, memory.Undone{
			Kind: memory.CannotTell, ID: id, Entry: r.Entry, Times: 1, At: r.At,
			Record: memory.Record{ID: id, Title: "the key of " + string(id) + " is lost"},
		})
	}
	return all
}
