// Package memory defines the plain data that the rest of Winnow uses: records, stores, snapshots,
// plans and errors. It imports only the standard library and does no input or output.
//
// Strings from a store may contain any character. They are JavaScript strings carried in Go
// strings: UTF-8, except that a lone surrogate is encoded as its three generalised UTF-8 bytes (see
// core/jstext). Treat them as hostile until package views/safe has made them visible.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SystemID names a product whose memory format Winnow knows, such as "karnevil9".
type SystemID string

// SystemInfo describes a system that Winnow knows.
type SystemInfo struct {
	ID   SystemID
	Name string // for a person: "Claude Code"
	// Variables are the environment variables that say where its stores are, each with its meaning.
	Variables []Fact
	// Own is set for the stores that Winnow keeps itself, for agents that are set up to be given them.
	Own bool
}

// StoreID identifies a store: the absolute path of its file or folder. If several systems have a
// store at the same path, as they do in a project folder, the path is prefixed with the system and
// a colon: "claudecode:/home/ada/shop".
type StoreID string

// At returns the ID of a system's store at a path that other systems share.
func At(s SystemID, path string) StoreID { return StoreID(string(s) + ":" + path) }

// Path returns the absolute path of the store's file or folder.
func (id StoreID) Path() string {
	_, path := id.split()
	return path
}

// System returns the system that the ID names, or "" if it names none.
func (id StoreID) System() SystemID {
	s, _ := id.split()
	return s
}

func (id StoreID) split() (SystemID, string) {
	name, path, named := strings.Cut(string(id), ":")
	const drive = 1 // the length of a drive letter in a Windows path such as "C:"; no system has so short a name
	if !named || len(name) <= drive || strings.ContainsAny(name, `/\.`) {
		return "", string(id)
	}
	return SystemID(name), path
}

// ID identifies a record within its store. It is stable across reloads as long as the store's own
// id of the record is. A record without an id is named after its line ("line 41"); the second
// record with the same id gets "~2", and so on.
type ID string

// LineID returns the id of a record that has none of its own: "line 41".
func LineID(line int) ID { return ID("line " + strconv.Itoa(line)) }

// IsLine reports whether an id is that of a line, as the record has none of its own. It is another record's once a line
// above it is removed.
func (id ID) IsLine() bool { return strings.HasPrefix(string(id), "line ") }

// Revision is an opaque token for the stored bytes of one record. Equal revisions mean equal bytes.
type Revision string

// RevisionOf returns the revision of a record that is stored as raw.
func RevisionOf(raw string) Revision {
	var short [1024]byte // avoids a heap allocation for most records
	sum := sha256.Sum256(append(short[:0], raw...))
	return Revision(hex.EncodeToString(sum[:16]))
}

// Errors that callers test for with errors.Is.
var (
	// ErrConflict reports that a record changed in its store after it was read.
	ErrConflict = errors.New("record changed since it was read")
	// ErrNotFound reports that no record or store of that name exists.
	ErrNotFound = errors.New("not found")
	// ErrReadOnly reports that a store cannot be written.
	ErrReadOnly = errors.New("store is read-only")
)

// Outcome is how the session that left a record ended.
type Outcome string

// The outcomes that the lesson format writes. A store may contain any other text.
const (
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
)

// Moment is a stored date: its text as stored, and the time it means. Time is zero when Text is not
// in RFC 3339 form.
type Moment struct {
	Text string
	Time time.Time
}

// Count is a stored relevance count. If the count is not an integer of 0 or more, Odd holds its
// JSON text and N is 0.
type Count struct {
	N   int
	Odd string
}

// Fact is something a system knows about a record or store that has no field of its own: "globs",
// "src/**/*.go".
type Fact struct {
	Name string // a word or two, lower case
	Text string // may hold anything that can be stored
}

// Record is one memory as its system stores it.
type Record struct {
	ID      ID
	Line    int // line in the store, from 1; the position if the store is not line by line
	Rev     Revision
	Title   string // what the task was
	Body    string // what was learnt
	Outcome Outcome
	// When is the moment at which a lesson is told, as it is stored: what [ParseWhen] takes, or any other text.
	When    string
	Tools   []string
	Session string
	Created Moment
	Used    Moment // last recall; zero when never
	Count   Count

	// Raw is the stored form, without its line end. It may be cut (see RawCut).
	Raw string
	// RawLen is the length of the stored form in bytes. It is more than len(Raw) if the form was
	// too long to keep.
	RawLen int

	// Kind is the system's own kind of record: "feedback", "rule", "index", "session". It is empty
	// if all records are alike.
	Kind string
	// Scope is the part of the store that the record belongs to, one of [Snapshot.Scopes]: a layer,
	// or a tenant and agent. It is empty if the store has no parts.
	Scope string
	// File is the absolute path of the record's file, if that is not the store's own.
	File string
	// Facts are shown with the record, in order.
	Facts []Fact
	// Notes are sentences about what is odd: "No line of the index names it: it is never loaded."
	// Such a record also has a flag, FlagUnseen here.
	Notes []string
	// Fixed says in a sentence why the record cannot be changed although its store can.
	Fixed string

	Forecast Forecast
	Flags    Flags
	// Secrets are the places to mask until the user asks to see them.
	Secrets []Secret

	// Similar are other records that say nearly the same. It is nil until a search after the read
	// fills it in.
	Similar []ID
	// Elsewhere are records of the same project that say nearly the same in another store, or the
	// opposite in any store. Like Similar, it is filled in later.
	Elsewhere []Kin

	// Evidence says whether the record helped the sessions that were given it; nil until computed.
	Evidence *Evidence

	// Problem is set when the record could not be decoded, or when it makes the agent stop. The
	// record is listed all the same.
	Problem *Problem
}

// Kin is a related record: one in another store of the project that says nearly the same, or one in
// any store of it that contradicts this one.
type Kin struct {
	Store StoreID
	ID    ID
	Title string // of the record
	// Contrary is set when the two contradict each other. Why then says how: "pnpm, and here npm".
	Contrary bool
	Why      string
}

// RawCut reports whether Raw is only the beginning of the stored form.
func (r *Record) RawCut() bool { return r.RawLen > len(r.Raw) }

// Flags is a set of properties of a record that are worth seeing at a glance.
type Flags uint16

// The flags, each with its letter in filters and in lists of the command line.
const (
	FlagSecret      Flags = 1 << iota // S: holds something that looks like a key
	FlagInjection                     // I: acts on a model, is hidden, or breaks the lines of the prompt
	FlagPrunesSoon                    // !: pruned within 3 days
	FlagNew                           // N: arrived since the store was opened
	FlagDuplicate                     // 2: shares its id with another record
	FlagBeyond                        // B: past the 200 that an agent loads
	FlagDamaged                       // X: cannot be decoded; lost at the agent's next save
	FlagStops                         // H: makes the agent stop (halt)
	FlagPruned                        // R: removed by the agent's next load
	FlagPinned                        // P: pinned in Winnow; no agent knows of it
	FlagSimilar                       // D: says nearly the same as another record
	FlagUnseen                        // U: no agent ever reads it there
	FlagStale                         // O: old enough that the system itself warns its model
	FlagContradicts                   // C: contradicts another record of the project
	FlagNamesGone                     // G: names what the project no longer has
)

// WorstFirst returns the flags one by one, the worst first.
func (f Flags) WorstFirst() []Flags {
	var list []Flags
	for _, one := range [...]Flags{
		FlagSecret, FlagInjection, FlagStops, FlagDamaged, FlagPruned, FlagPrunesSoon, FlagBeyond, FlagUnseen,
		FlagDuplicate, FlagNamesGone, FlagContradicts, FlagSimilar, FlagStale, FlagNew, FlagPinned,
	} {
		if f&one != 0 {
			list = append(list, one)
		}
	}
	return list
}

// Word returns the word that the screens use for a single flag.
func (f Flags) Word() string {
	return map[Flags]string{
		FlagSecret: "secret", FlagInjection: "orders", FlagStops: "halts", FlagDamaged: "damaged", FlagPruned: "lost",
		FlagPrunesSoon: "expires", FlagBeyond: "beyond", FlagUnseen: "unread", FlagDuplicate: "same-id",
		FlagNamesGone: "stale", FlagContradicts: "differs", FlagSimilar: "twice", FlagStale: "old", FlagNew: "new",
		FlagPinned: "pinned",
	}[f]
}

// Words returns the words of the flags, the worst first.
func (f Flags) Words() (words []string) {
	for _, one := range f.WorstFirst() {
		words = append(words, one.Word())
	}
	return words
}

// Worst returns the word for the worst flag, and how many more there are: "secret +2". It is empty without flags.
func (f Flags) Worst() string {
	words := f.Words()
	if len(words) > 1 {
		return words[0] + " +" + strconv.Itoa(len(words)-1)
	}
	return strings.Join(words, "")
}

// Letters returns the flags as letters, in the order of the constants.
func (f Flags) Letters() string {
	const letters = "SI!N2BXHRPDUOCG"
	if f == 0 {
		return ""
	}
	b := make([]byte, 0, len(letters))
	for i := range len(letters) {
		if f&(1<<i) != 0 {
			b = append(b, letters[i])
		}
	}
	return string(b)
}

// Names returns the flags as words, as in the JSON.
func (f Flags) Names() []string {
	names := []string{}
	for i, name := range [...]string{
		"secret", "injection", "prunes_soon", "new", "duplicate", "beyond", "damaged", "stops", "pruned",
		"pinned", "similar", "unseen", "stale", "contradicts", "names_gone",
	} {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Field is a text of a record in which a position can lie.
type Field uint8

// The fields that can hold a secret.
const (
	InTitle Field = iota
	InBody
	InRaw
	InID
	InOutcome
	InTools
	InSession
	InCreated // in the text of the date
	InUsed
	InCount // in Count.Odd
	InWhen
)

// String returns the name of the field, as it is printed.
func (f Field) String() string {
	return [...]string{
		"title", "body", "raw", "id", "outcome", "tools", "session", "created", "used", "count",
		"when",
	}[min(f, InWhen)]
}

// Secret is a place in a record that looks like a secret: bytes Start to End of Field.
type Secret struct {
	Field      Field
	Item       int // index into Tools, for InTools
	Start, End int
	Rule       string // the ID of the rule that found it: "github-pat"
}

// Text returns the text of field f. Item is the index of the tool for InTools, and 0 for other
// fields.
func (r *Record) Text(f Field, item int) string {
	tool := ""
	if f == InTools && item < len(r.Tools) {
		tool = r.Tools[item]
	}
	return [...]string{
		r.Title, r.Body, r.Raw, string(r.ID), string(r.Outcome), tool, r.Session, r.Created.Text, r.Used.Text,
		r.Count.Odd, r.When,
	}[min(f, InWhen)]
}

// EachText calls do for every text of the record. Item is the index of the tool for InTools.
func (r *Record) EachText(do func(in Field, item int, text string)) {
	all := [...]Field{InRaw, InTitle, InBody, InID, InOutcome, InSession, InCreated, InUsed, InCount, InWhen}
	for _, f := range all {
		do(f, 0, r.Text(f, 0))
	}
	for i, tool := range r.Tools {
		do(InTools, i, tool)
	}
}

// AddKin sets the records elsewhere that repeat or contradict r, and flags r accordingly.
func (r *Record) AddKin(kin []Kin) {
	r.Elsewhere = kin
	for _, k := range kin {
		if k.Contrary {
			r.Flags |= FlagContradicts
		} else {
			r.Flags |= FlagSimilar
		}
	}
}

// Places returns the start and end bytes of each secret in one field. Item is the index of the tool
// for InTools, and 0 for other fields.
func Places(secrets []Secret, in Field, item int) [][2]int {
	var places [][2]int
	for _, s := range secrets {
		if s.Field == in && s.Item == item {
			places = append(places, [2]int{s.Start, s.End})
		}
	}
	return places
}

// Problem describes what is wrong with a record or a store, in words for a person.
type Problem struct {
	Code string // stable, for scripts: "null-line"
	What string // one sentence
	Hint string // what to do next; may be empty
	// Outside is the path of a file that was not changed because it lies outside of the project that
	// names it. A person who names that path on the command line may change it.
	Outside string
}

// Error returns what is wrong.
func (p *Problem) Error() string { return p.What }

// Forecast says how long a record will stay under the rules of its system.
type Forecast struct {
	// Rank is the position in the eviction order among the records that an agent would hold: 1 goes
	// first. It is 0 for a record that is not held.
	Rank int
	// LeavesAfter is the number of new records after which this one is evicted, or 0 if new records
	// alone never evict it.
	LeavesAfter int
	// PruneAt is when a load would prune the record unless it is recalled before; zero if age alone
	// never removes it.
	PruneAt time.Time
	// Beyond is set when the record is past the number of records that an agent loads.
	Beyond bool
}

// Level is how much a health line matters.
type Level uint8

// The levels, in rising order.
const (
	Good Level = iota
	Note
	Warn
	Stop // an agent cannot work with the store as it is
)

// String returns the word for the level, as it is printed.
func (l Level) String() string { return [...]string{"ok", "note", "warn", "stop"}[min(l, Stop)] }

// Health is one line of a store's health report.
type Health struct {
	Code  string // stable, for scripts: "frozen"
	Level Level
	What  string // one sentence
	Next  string // the next safe step; empty for Good
	Lines []int  // the lines concerned, from 1, at most 20 of them
	Count int    // how many lines are concerned in all
}
