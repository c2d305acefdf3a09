package history

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"path/filepath"

	"winnow/core/atomicfile"
)

// keysName is the file of the keys beside a history. Each line is a key, the newest last.
const keysName = "key"

const keySize = 32

// Keys are the keys of a store by name. Without them, the scrubs in the history reveal nothing
// about what was redacted.
type Keys struct {
	by     map[string]Key
	newest Key
}

// Key hashes redacted texts.
type Key struct {
	Name   string // identifies the key without revealing anything about it
	secret []byte
	hint   [2]uint64
}

// Named returns the key with a name, or false if that key is lost.
func (k Keys) Named(name string) (Key, bool) {
	key, ok := k.by[name]
	return key, ok
}

// sum returns the keyed hash of a text, in hexadecimal.
func (k Key) sum(text string) string {
	h := hmac.New(sha256.New, k.secret)
	io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Beginning is the number of bytes from which the hint of a text is computed.
const Beginning = 4

// Hint returns a hash of the first [Beginning] bytes of a text, which must have that many.
func (k Key) Hint(text string) uint16 {
	first := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
	return uint16((first + k.hint[0]) * k.hint[1] >> 48)
}

// Scrub returns what is kept of a removed text.
func (k Key) Scrub(kind ScrubKind, text string) Scrub {
	s := Scrub{Kind: kind, Len: len(text), Sum: k.sum(text)}
	if len(text) >= Beginning {
		s.Hint = k.Hint(text)
	}
	return s
}

// Keys reads the keys.
func (f *File) Keys() (Keys, error) {
	keys := Keys{by: map[string]Key{}}
	b, err := f.from(keysName, 0)
	for line := range bytes.Lines(b) {
		secret, bad := hex.DecodeString(string(bytes.TrimSpace(line)))
		if bad != nil || len(secret) != keySize {
			continue // torn by a crash: nothing was hashed with it yet
		}
		key := Key{
			secret: secret,
			hint:   [2]uint64{binary.LittleEndian.Uint64(secret), binary.LittleEndian.Uint64(secret[8:]) | 1},
		}
		key.Name = key.sum("name of the key")[:16]
		keys.by[key.Name], keys.newest = key, key
	}
	return keys, err
}

// NewestKey returns the newest key. If there is none, it creates one durably. The lock must be
// held.
func (f *File) NewestKey(random io.Reader) (Key, error) {
	keys, err := f.Keys()
	if err != nil || keys.newest.Name != "" {
		return keys.newest, err
	}
	secret := make([]byte, keySize)
	if _, err := io.ReadFull(random, secret); err != nil {
		return Key{}, atomicfile.NoRandomness(err)
	}
	log, err := atomicfile.OpenLog(f.disk, filepath.Join(f.dir, keysName))
	if err != nil {
		return Key{}, err
	}
	defer log.Close()
	if err := log.Append([]byte(hex.EncodeToString(secret)), true); err != nil {
		return Key{}, err
	}
	keys, err = f.Keys()
	return keys.newest, err
}
