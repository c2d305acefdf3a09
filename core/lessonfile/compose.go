package lessonfile

import (
	"encoding/hex"
	"io"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// session is the session id of a lesson written by hand. The format requires one, and no agent can
// have this one.
const session = "winnow"

// Decode implements [system.Composer]. It names a record without its own id after line 1.
func (s *Store) Decode(stored string) memory.Record { return lesson.Record(stored, 1) }

// Compose implements [system.Composer].
func (s *Store) Compose(stored string, e memory.Edit) (string, error) {
	stamp := jsonl.Stamp{Session: session, Now: s.now()}
	if stored == "" {
		id, err := newID(s.rand)
		if err != nil {
			return "", atomicfile.NoRandomness(err)
		}
		stamp.ID = id
	}
	return jsonl.Compose(stored, e, stamp)
}

// newID returns an id like the agent's: a random UUID in lower case.
func newID(random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", err
	}
	b[6] = b[6]&0x0f | 0x40 // version 4
	b[8] = b[8]&0x3f | 0x80 // the variant of RFC 9562
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}

// Form implements [system.Composer].
func (s *Store) Form(stored string) string { return jsonl.Form(stored) }

// ParseForm implements [system.Composer].
func (s *Store) ParseForm(stored, form string) (memory.Edit, error) {
	return jsonl.ParseForm(stored, form)
}

// Unite implements [system.Composer].
func (s *Store) Unite(stored []string, e memory.Edit) (string, error) {
	return jsonl.Unite(stored, e)
}

// Mend implements [system.Composer].
func (s *Store) Mend(stored string) (string, bool) { return jsonl.Mend(stored) }

// Recalled implements [system.Composer].
func (s *Store) Recalled(stored string) (string, error) { return jsonl.Recalled(stored, s.now()) }

// Redact implements [system.Composer].
func (s *Store) Redact(stored string, redaction memory.Redaction) (string, int) {
	return jsonl.Redacted(stored, redaction)
}

// Share implements [system.Sharer].
func (s *Store) Share(stored string, text, session func(string) string) (string, bool) {
	return jsonl.Share(stored, text, session)
}

// Reconcile implements [system.Composer].
func (s *Store) Reconcile(made memory.Forms, theirs string) (string, system.Relation) {
	return jsonl.Settle(made, theirs)
}

// DroppedByRule implements [system.Composer].
func (s *Store) DroppedByRule(records []memory.Record, r *memory.Record) (memory.UndoneKind, bool) {
	now := s.now()
	return lesson.Dropped(records, r, now, now.Location())
}
