// Package atomicfile replaces files so that nothing is ever lost: not by a crash,
// not by a full disk, and not by another writer in the same instant.
//
// A replacement is an exchange of two names where the system has one. What was
// displaced is then read, and when it is not what the new bytes were made from,
// another writer was faster: its bytes are merged in and exchanged again.
//
// The package also has the lock of Winnow's own and the append-only file that
// histories are kept in. It works on a [Disk], so that crashes can be tried in
// memory (see package crashdisk).
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

// MaxSize is the size of the largest file that is replaced, in bytes.
const MaxSize = 128 << 20

// Digest returns the SHA-256 of b in hexadecimal.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// NewTemp returns a name for Update.Temp, made of 8 bytes of random; nil is
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

// TempOf returns a name for Update.Temp that is always the same for a path, so that what
// a crash left of a replacement is found by the next one. Two at a time exclude each
// other: hold a lock.
func TempOf(path string) string {
	const digits = 16
	return ".winnow-" + Digest([]byte(filepath.Base(path)))[:digits] + ".tmp"
}

// NoRandomness says that neither a name nor an id can be had.
func NoRandomness(err error) *memory.Problem {
	return &memory.Problem{
		Code: "no-randomness",
		What: fmt.Sprintf("The system gives no random bytes: %v.", err),
		Hint: "try again; nothing was changed",
	}
}
