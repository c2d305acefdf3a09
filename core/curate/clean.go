package curate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"winnow/core/curate/history"
	"winnow/core/memory"
	"winnow/core/system"
)

// redacted stands in place of a secret.
const redacted = "[REDACTED]"

// shortest is the length of the shortest secret that is looked for elsewhere: less
// than that is in too many words.
const shortest = 4

// cleaner returns a function that replaces in a text the secrets that the changes
// take out of their records, however the text spells them.
func (c *Curator) cleaner(changes []memory.Change) func(string) string {
	compose, ok := c.c.System.(system.Composer)
	if !ok {
		return func(s string) string { return s }
	}
	secrets := removed(compose, changes)
	spelled := spellings(secrets)
	return func(s string) string {
		if !holds(s, spelled) && !(strings.Contains(s, `\u`) && saysAny(compose.Decode(s), secrets)) {
			return s
		}
		s, _ = compose.Redact(s, memory.Redaction{})
		for _, secret := range spelled {
			s = strings.ReplaceAll(s, secret, redacted)
		}
		return s
	}
}

// tookOut reports whether no record of a final change is in the store as it was. What
// the history has of that is redacted, so the system cannot tell.
func (c *Curator) tookOut(ctx context.Context, e *history.Event) (bool, error) {
	compose, ok := c.c.System.(system.Composer)
	if !ok {
		return true, nil
	}
	snap, err := c.look(ctx)
	if err != nil {
		return false, err
	}
	after := map[memory.ID]string{}
	for i := range e.Changes {
		after[e.Changes[i].ID] = e.Changes[i].After
	}
	for i := range snap.Records {
		r := &snap.Records[i]
		sum := sha256.Sum256([]byte(r.Raw))
		if slices.Contains(e.Digests, hex.EncodeToString(sum[:])) {
			return false, nil
		}
		if form, changed := after[r.ID]; changed && form != r.Raw {
			if _, n := compose.Redact(r.Raw, memory.Redaction{}); n > 0 {
				return false, nil
			}
		}
	}
	return true, nil
}

// removed returns the secrets in what the changes replace that are not in what they
// leave.
func removed(compose system.Composer, changes []memory.Change) []string {
	var secrets []string
	for i := range changes {
		ch := &changes[i]
		was, now := compose.Decode(ch.Before), compose.Decode(ch.After)
		for _, s := range was.Secrets {
			text := fieldText(&was, s)
			if s.End > len(text) || s.End-s.Start < shortest {
				continue
			}
			if secret := text[s.Start:s.End]; !saysAny(now, []string{secret}) {
				secrets = append(secrets, secret)
			}
		}
	}
	return secrets
}

// fieldText returns the text that a secret is in.
func fieldText(r *memory.Record, s memory.Secret) string {
	switch s.Field {
	case memory.InTitle:
		return r.Title
	case memory.InBody:
		return r.Body
	case memory.InID:
		return string(r.ID)
	case memory.InOutcome:
		return string(r.Outcome)
	case memory.InTools:
		if s.Item < len(r.Tools) {
			return r.Tools[s.Item]
		}
		return ""
	case memory.InSession:
		return r.Session
	case memory.InCreated:
		return r.Created.Text
	case memory.InUsed:
		return r.Used.Text
	case memory.InCount:
		return r.Count.Odd
	}
	return r.Raw
}

// saysAny reports whether a record holds one of the secrets, in a field or as it is
// stored.
func saysAny(r memory.Record, secrets []string) bool {
	fields := append([]string{
		r.Title, r.Body, string(r.ID), string(r.Outcome), r.Session, r.Created.Text, r.Used.Text, r.Count.Odd, r.Raw,
	}, r.Tools...)
	for _, f := range fields {
		if holds(f, secrets) {
			return true
		}
	}
	return false
}

// spellings returns the secrets as they are and as JSON spells them.
func spellings(secrets []string) []string {
	all := slices.Clone(secrets)
	for _, s := range secrets {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if enc.Encode(s) == nil {
			quoted := strings.TrimSuffix(b.String(), "\n")
			all = append(all, quoted[1:len(quoted)-1])
		}
	}
	return all
}

func holds(s string, secrets []string) bool {
	for _, secret := range secrets {
		if strings.Contains(s, secret) {
			return true
		}
	}
	return false
}
