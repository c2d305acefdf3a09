// Package atomicfile replaces files so that nothing is ever lost: not by a crash, not by a full
// disk, and not by another writer in the same instant.
//
// On systems that can do it, a replacement exchanges two names. It then reads what was displaced.
// If that is not what the new bytes were made from, another writer was faster: its bytes are merged
// in, and the files are exchanged again.
//
// The package also provides Winnow's own lock and the append-only file in which histories are kept.
// It works on a [Disk], so that crashes can be tried in memory (see package crashdisk).
package atomicfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"

	"winnow/core/memory"
)

// MaxSize is the largest size in bytes of a file that is replaced.
const MaxSize = 128 << 20

// Digest returns the SHA-256 of b in hexadecimal.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// ShortDigest returns the first 16 digits of the digest of a text.
func ShortDigest(text string) string { return Digest([]byte(text))[:16] }

// NewTemp returns a name for Update.Temp, made from 8 random bytes. If random is nil it uses
// crypto/rand. Its error is that of NoRandomness.
func NewTemp(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", NoRandomness(err)
	}
	return ".winnow-" + hex.EncodeToString(b[:]) + ".tmp", nil
}

// TempOf returns a name for Update.Temp that is always the same for a path, so that the next
// replacement finds what a crash left behind. Two replacements at once would collide: hold a lock.
func TempOf(path string) string {
	const digits = 16
	return ".winnow-" + Digest([]byte(filepath.Base(path)))[:digits] + ".tmp"
}

// NoRandomness returns the problem that no name or ID can be generated.
func NoRandomness(err error) *memory.Problem {
	return &memory.Problem{
		Code: "no-randomness",
		What: fmt.Sprintf("The system gives no random bytes: %v.", err),
		Hint: "try again; nothing was changed",
	}
}
