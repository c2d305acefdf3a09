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
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"winnow/core/memory"
)

// ErrUnchanged is returned by Update.Next when there is nothing to write.
var ErrUnchanged = errors.New("nothing to write")

// MaxSize is the size of the largest file that is replaced, in bytes.
const MaxSize = 128 << 20

// Update is what Replace is to do.
type Update struct {
	// Temp is the base name of the temporary file beside the target, unique to this
	// replacement; see NewTemp. Others are named after it.
	Temp string
	// Next returns the bytes that shall follow now; nil is no file. It is called again
	// for what another writer put there, so it must only compute. ErrUnchanged says
	// that now may stay; any other error ends the replacement.
	Next func(now []byte) ([]byte, error)
	// Adopt returns mine with what found has more than base. It is called when more
	// than one version of other writers has to be merged. A nil base is not known.
	// Without Adopt, a second version in a row ends the replacement as busy.
	Adopt func(mine, base, found []byte) ([]byte, error)
	// Stage is called before each exchange with the name of the temporary file that is
	// about to hold the bytes to, which were made of from. An error ends the
	// replacement. It may be nil.
	Stage func(temp string, from, to []byte) error
	// Mode is the mode of a file that was not there before; 0 stands for 0600.
	Mode uint32
	// KeepTime leaves the time of the last change as it is. Time sets another one, in
	// nanoseconds since 1970; 0 is none.
	KeepTime bool
	Time     int64
	// Later makes the time at least a millisecond later than that of the file before,
	// or as little more as the disk can keep: a program that compares the times of what it
	// read and of what it is about to write takes an equal or earlier one for its own.
	Later bool
	// Keep leaves what was displaced under the name in Report.Kept, so that Restore can
	// bring it back without room on the disk. It ends with Restore or Drop.
	Keep bool
	// Real says that the path was resolved before (see Resolve): a link in its last
	// place is refused, not followed.
	Real bool
}

// Report is what became of a replacement.
type Report struct {
	Rounds  int // exchanges; 0 when nothing was written
	Foreign int // versions of other writers that were displaced and merged in
	// Overtaken is set when another writer saved right after.
	Overtaken bool
	Notes     []string // sentences on what is promised less
	// Kept is the name beside the target that has what was displaced, for Update.Keep. It
	// is empty where that could not be kept: the first version was not what stood there, or
	// the disk cannot exchange.
	Kept string
	// From is what To was made of. Both are equal when nothing was written.
	From, To []byte
	// Left are temporary files that hold bytes of other writers which could not be put
	// back. It is set only with an error; Recover takes them in.
	Left []string
}

// Replace replaces the file at path by what u.Next makes of it. Links are followed
// first. Mode, owner and extended attributes stay; a new file has mode u.Mode, and
// missing folders are made with 0700. When it returns, the new bytes are durable.
//
// The error is that of ctx, of u.Next or u.Stage, or a *memory.Problem; the file is
// then as if nothing had been done, and no temporary file is left but those in
// Report.Left. Once the new bytes are in place ctx is no longer heeded.
//
// The folder is held open, and must be the one that its path leads to, before and after
// the exchange.
//
// A writer that does not rename, but writes into the open file, can be overwritten.
func Replace(ctx context.Context, d Disk, path string, u Update) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	d = steadied(d)
	p, err := locate(d, path, u)
	if err == nil {
		return replaceAt(ctx, d, path, p, u)
	}
	if errors.Is(err, ErrUnchanged) {
		return Report{}, nil
	}
	return Report{}, said("save", path, err)
}

// replaceAt is Replace in a place that is found.
func replaceAt(ctx context.Context, d Disk, path string, p place, u Update) (Report, error) {
	s := &saving{place: p, u: u}
	report, err := s.run(ctx)
	s.close()
	p.dir.Close()
	if err != nil {
		p.unmake(d)
	}
	return report, said("save", path, err)
}

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

// NoRandomness says that neither a name nor an id can be had.
func NoRandomness(err error) *memory.Problem {
	return &memory.Problem{
		Code: "no-randomness",
		What: fmt.Sprintf("The system gives no random bytes: %v.", err),
		Hint: "try again; nothing was changed",
	}
}
