package sync

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// sessionBytes is how many bytes of the hash replace a session's id.
const sessionBytes = 8

// saltBytes is the length of a random salt.
const saltBytes = 16

// Share returns a copy of a store for others, and an audit of the copy. In the copy, secrets are redacted
// everywhere, home folders are ~, and session ids are hashes, so that it still shows which lessons belong
// to one session. The salt of the hashes is random and not kept. Share writes nothing. The error wraps
// [memory.ErrNotFound] for an unknown record.
func (sy *Syncer) Share(ctx context.Context, id memory.StoreID, o memory.ShareOrder) (memory.Shared, error) {
	s, err := sy.lib.Store(id)
	if err != nil {
		return memory.Shared{}, err
	}
	form, ok := s.(system.Sharer)
	if !ok {
		return memory.Shared{}, &memory.Problem{
			Code: "no-copy",
			What: fmt.Sprintf("share %s: %s stores cannot be copied for others yet", id, s.Info().Name),
			Hint: "audit the store and share the file itself",
		}
	}
	c := copying{form: form, salt: make([]byte, saltBytes)}
	if _, err := io.ReadFull(sy.state.Rand, c.salt); err != nil {
		return memory.Shared{}, fmt.Errorf("share %s: %w", id, err)
	}
	wanted := map[memory.ID]bool{}
	for _, id := range o.IDs {
		wanted[id] = true
	}
	var found []string
	err = s.List(ctx, func(r memory.Record) error {
		found = append(found, secretsOf(&r)...)
		return nil
	})
	if err != nil {
		return memory.Shared{}, fmt.Errorf("share %s: %w", id, err)
	}
	c.values = detect.NewKnownSecrets(found)
	err = s.List(ctx, func(r memory.Record) error {
		all := o.IDs == nil
		switch asked := all || wanted[r.ID]; {
		case asked && slices.Contains(o.Unsafe, r.ID):
			c.out.Dropped = append(
				c.out.Dropped,
				memory.Kept{Record: r, Why: "the audit of the copy found something in it"},
			)
		case asked:
			c.add(&r)
		}
		delete(wanted, r.ID)
		return nil
	})
	if err != nil {
		return memory.Shared{}, fmt.Errorf("share %s: %w", id, err)
	}
	for _, id := range o.IDs {
		if wanted[id] {
			return memory.Shared{}, fmt.Errorf("share %s: %w", id, memory.ErrNotFound)
		}
	}
	c.out.Data = c.data.Bytes()
	c.out.Audit, err = sy.audit.Run(ctx, memory.AuditOrder{Paths: []string{"-"}}, bytes.NewReader(c.out.Data), nil)
	if err == nil && c.out.Audit.Stopped {
		err = ctx.Err()
	}
	return c.out, err
}

// copying makes a copy for others.
type copying struct {
	form system.Sharer
	salt []byte
	// values are the secrets found anywhere in the store.
	values *detect.TextSet
	data   bytes.Buffer
	out    memory.Shared
}

func (c *copying) add(r *memory.Record) {
	if r.RawCut() {
		c.out.Dropped = append(c.out.Dropped, memory.Kept{Record: *r, Why: "too long to be held whole"})
		return
	}
	line, ok := c.form.Share(r.Raw, c.text, c.session)
	if !ok {
		c.out.Dropped = append(c.out.Dropped, memory.Kept{Record: *r, Why: "cannot be decoded"})
		return
	}
	c.data.WriteString(line + "\n")
	c.out.Records++
}

// secretsOf returns the secrets that rules find in a record, as texts.
func secretsOf(r *memory.Record) (texts []string) {
	for _, s := range r.Secrets {
		if text := plan.SecretText(r, s); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// text returns a text without its secrets and home folders.
func (c *copying) text(s string) string {
	for spans := c.values.Secrets(s); len(spans) > 0; spans = c.values.Secrets(s) {
		c.out.Redacted += len(spans)
		s = detect.Replace(s, spans)
	}
	s, homes := detect.ShortenHomes(s)
	c.out.Homes += homes
	return s
}

// session returns the hash that replaces a session's id.
func (c *copying) session(id string) string {
	c.out.Sessions++
	sum := sha256.Sum256(append(slices.Clone(c.salt), id...))
	return "session-" + hex.EncodeToString(sum[:sessionBytes])
}
