package curate

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

// hashKeys are the keys of a store by name. Without them, the scrubs in the history reveal nothing
// about what was redacted.
type hashKeys struct {
	by     map[string]hashKey
	newest hashKey
}

// hashKey hashes redacted texts.
type hashKey struct {
	Name   string // identifies the key without revealing anything about it
	secret []byte
	hint   [2]uint64
}

// named returns the key with a name, or false if that key is lost.
func (k hashKeys) named(name string) (hashKey, bool) {
	key, ok := k.by[name]
	return key, ok
}

// sum returns the keyed hash of a text, in hexadecimal.
func (k hashKey) sum(text string) string {
	h := hmac.New(sha256.New, k.secret)
	io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hintBytes is the number of bytes from which the hint of a text is computed.
const hintBytes = 4

// hintOf returns a hash of the first [hintBytes] bytes of a text, which must have that many.
func (k hashKey) hintOf(text string) uint16 {
	first := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
	return uint16((first + k.hint[0]) * k.hint[1] >> 48)
}

// scrub returns what is kept of a removed text.
func (k hashKey) scrub(kind scrubKind, text string) scrub {
	s := scrub{Kind: kind, Len: len(text), Sum: k.sum(text)}
	if len(text) >= hintBytes {
		s.Hint = k.hintOf(text)
	}
	return s
}

// keys reads the keys.
func (f *historyFile) keys() (hashKeys, error) {
	keys := hashKeys{by: map[string]hashKey{}}
	b, err := f.from(keysName, 0)
	for line := range bytes.Lines(b) {
		secret, bad := hex.DecodeString(string(bytes.TrimSpace(line)))
		if bad != nil || len(secret) != keySize {
			continue // torn by a crash: nothing was hashed with it yet
		}
		key := hashKey{
			secret: secret,
			hint:   [2]uint64{binary.LittleEndian.Uint64(secret), binary.LittleEndian.Uint64(secret[8:]) | 1},
		}
		key.Name = key.sum("name of the key")[:16]
		keys.by[key.Name], keys.newest = key, key
	}
	return keys, err
}

// newestKey returns the newest key. If there is none, it creates one durably. The lock must be
// held.
func (f *historyFile) newestKey(random io.Reader) (hashKey, error) {
	keys, err := f.keys()
	if err != nil || keys.newest.Name != "" {
		return keys.newest, err
	}
	secret := make([]byte, keySize)
	if _, err := io.ReadFull(random, secret); err != nil {
		return hashKey{}, atomicfile.NoRandomness(err)
	}
	log, err := atomicfile.OpenLog(f.disk, filepath.Join(f.dir, keysName))
	if err != nil {
		return hashKey{}, err
	}
	defer log.Close()
	if err := log.Append([]byte(hex.EncodeToString(secret)), true); err != nil {
		return hashKey{}, err
	}
	keys, err = f.keys()
	return keys.newest, err
}
