package memory

import (
	"cmp"
	"slices"
	"time"
)

// Family is what kind of thing a rule of the audit finds.
type Family string

// The families.
const (
	FamilySecret    Family = "secret"    // keys, passwords
	FamilyPrivate   Family = "private"   // who and where somebody is
	FamilyInjection Family = "injection" // text that acts on the model that reads it
	FamilyHidden    Family = "hidden"    // text that a person does not see
	FamilyRedaction Family = "redaction" // redaction that took too much, or can be taken back
	FamilyFile      Family = "file"      // the file itself, not what is in it
)

// Compare compares families by what a list has first: what is worst to leave in.
func (f Family) Compare(g Family) int {
	order := []Family{FamilySecret, FamilyInjection, FamilyHidden, FamilyPrivate, FamilyRedaction, FamilyFile}
	return cmp.Compare(slices.Index(order, f), slices.Index(order, g))
}

// Letter returns the letter that the screens use for the family: S, P, I, H, R or F.
func (f Family) Letter() string {
	if f == "" {
		return ""
	}
	return string(f[0] - 'a' + 'A')
}

// Severity is how much a finding matters.
type Severity uint8

// The severities, in rising order.
const (
	Low Severity = iota + 1
	Medium
	High
)

// String returns the word for the severity, as it is printed.
func (s Severity) String() string { return [...]string{"", "low", "medium", "high"}[min(s, High)] }

// AuditRule is what one rule of the audit looks for.
type AuditRule struct {
	ID       string // stable: "github-pat"
	Family   Family
	Severity Severity
	Name     string // "GitHub personal access token"
	Why      string // one sentence: what is wrong with it
	Next     string // the first thing to do: "revoke it at https://…"
	Source   string // where the form is documented
}

// Trace is a place in a text that a rule finds: its bytes Start to End.
type Trace struct {
	Start, End int
	Rule       string // the ID of its rule
	// Shown is what the place says once it is decoded: hidden text made visible. It is
	// empty when that is no different, and always for a secret.
	Shown string
}

// Landed is the text that an agent's prompt gets of one record or file, rendered as
// its system does.
type Landed struct {
	Name string // of the block: "Past Experience"
	Text string
	// Parts are the places in Text that come from the record, in order.
	Parts []LandedPart
	// Ends are the texts that end the block for whoever reads the prompt:
	// "</memory>". A record that holds one breaks out.
	Ends []string
	// Prose is set where a part is free to have lines, headings and fences of its own,
	// as a file of instructions is. Elsewhere these break out.
	Prose bool
}

// LandedPart is a place in a Landed that comes from a field.
type LandedPart struct {
	Field      string // as stored: "task_summary"
	Start, End int    // bytes of Text
}

// Finding is one thing that the audit reports, or the check of a text that a person
// typed. The check sets only ID, Field, Rule, What, Text, Start and End.
type Finding struct {
	ID    ID     // of the record; empty when it is not in one
	Field string // as stored: "task_summary"; empty for a text that is no record
	Rule  string // the ID of its rule, and the word that overrules it: "hidden-text"
	What  string // one sentence on this finding; it holds no secret
	// Text is the field or the line, or a part of it, with the place at bytes Start to
	// End. Masks are the places in it that are shown only when asked for.
	Text       string
	Start, End int
	Masks      [][2]int
	// Shown is what the place says when it is decoded, as in Trace.
	Shown string

	Family   Family
	Severity Severity
	Name     string
	Why      string // why it is there, in one sentence
	Next     []string

	// Store is the store that the record is in; empty for other files.
	Store StoreID
	// File is the absolute path of the file on the disk; empty for what is from git or a
	// stream.
	File string
	// Path is as shown: relative or with ~ where that is shorter, and with / between
	// its parts in a version that git holds.
	Path   string
	Line   int // from 1; 0 for what concerns a file, or a place without lines
	Column int // in bytes, from 1; 0 with Line 0
	// Offset is the byte in the file, and for a finding with Line 0 its only place; -1
	// when it is not known.
	Offset int64
	// Commit is the full name of the oldest commit that holds it at its line and column;
	// empty when none does. CommitTime is when it was made.
	Commit     string
	CommitTime time.Time
	// Recalled says whether an agent will read it: "yes, relevance 4"; may be empty.
	Recalled string
	// Lands is the name of the block that it lands in; may be empty.
	Lands string

	// Count is in how many places it is, at least 1. Private data and repeated matches
	// are one finding with the first of them.
	Count int
	// Fixable is set when redacting in place can take it out.
	Fixable bool
	// Fingerprint names what was found: the same wherever the text stands, another when
	// the text is edited. No secret can be told from it.
	Fingerprint string
	// Origin is set where no rule finds a secret: the rule that found the same elsewhere, or
	// Rule again where nobody knows which.
	Origin string
	// Ignored is set when a person decided that it is no matter.
	Ignored *Ignore
}

// Open reports whether the finding counts.
func (f *Finding) Open() bool { return f.Ignored == nil }

// Worse compares findings for a list with the worst first: by severity, family, path,
// line and column.
func (f *Finding) Worse(g *Finding) int {
	return cmp.Or(
		cmp.Compare(g.Severity, f.Severity),
		f.Family.Compare(g.Family),
		cmp.Compare(f.Path, g.Path), cmp.Compare(f.Line, g.Line), cmp.Compare(f.Column, g.Column),
		cmp.Compare(f.Rule, g.Rule), cmp.Compare(f.Commit, g.Commit),
	)
}

// Ignore is a person's decision that a finding is no matter.
type Ignore struct {
	Fingerprint string
	Rule        string
	Reason      string
	Added       time.Time
	Until       time.Time // from then on it counts again; zero for never
}

// Sharing says which files of a folder an audit reads.
type Sharing uint8

// What is read.
const (
	SharedInRepository Sharing = iota // inside a repository what would be shared, elsewhere everything
	SharedOnly                        // what would be shared: tracked, or not ignored
	SharedAndIgnored                  // everything
)

// AuditOrder is what a person asks an audit to look at.
type AuditOrder struct {
	// Paths are files and folders; "-" is standard input. None stands for the stores
	// that are found on this machine when Stores is set, and for nothing otherwise.
	Paths  []string
	Stores bool
	// Folders are stores in folders that are read record by record, as on screen.
	Folders []StoreID
	// AllText reads every text file, not only those that agents read or write.
	AllText bool
	Sharing Sharing
	// Staged reads what the next commit of the repository around each path would hold
	// in place of what lies in the folder, History also every version that git holds.
	Staged, History bool
	// Ignored are decisions that hold for this audit, besides those kept here.
	Ignored []Ignore
	// Known are texts that are searched for as secrets, beside those that rules find.
	Known []string
	// Most is how many findings are kept; the rest is counted. 0 stands for 5,000.
	Most int
}

// Audit is what an audit found.
type Audit struct {
	Findings []Finding // worst first
	More     int       // findings that were counted and not kept
	MoreOpen Tally     // those of them that count

	Files, Records, Blobs, Commits int
	// Nouns say how many of the records are of which kind; those without a name are lessons.
	Nouns map[Noun]int
	Bytes int64
	Rules int
	Took  time.Duration

	// Left are the files that were left out, by the reason.
	Left []LeftOut
	// Failed are those that could not be looked at.
	Failed []Unread
	// Uncovered says what no finding can be expected from: "git history".
	Uncovered []string
	// Stopped is set when it was interrupted: it found this much.
	Stopped bool
}

// LeftOut is how many files were not looked at for a reason.
type LeftOut struct {
	Why   string // "ignored by git"
	Files int
	// Example is the first of them by name.
	Example string
}

// Unread is a file that could not be looked at.
type Unread struct {
	Path    string
	Problem *Problem
}

// SearchPart is what a search found in a part of a store.
type SearchPart struct {
	Store   StoreID
	Records []Record // those that match, in the order of the store, without Raw
	Read    int      // how many were looked at
	Has     []int    // how many of these have each term, whatever the other terms say
	Last    bool     // no more of this store follows
}

// Count returns how many findings of that severity are open. Those of the file family
// are counted by themselves: Count(0).
func (a *Audit) Count(s Severity) int {
	return CountFindings(a.Findings, s) + [...]int{a.MoreOpen.Files, a.MoreOpen.Low, a.MoreOpen.Medium, a.MoreOpen.High}[s]
}

// CountFindings returns how many of the findings count with that severity, and with 0
// how many of them concern a file and not what is in it.
func CountFindings(findings []Finding, s Severity) (n int) {
	for i := range findings {
		f := &findings[i]
		is := f.Family == FamilyFile
		if f.Open() && (is && s == 0 || !is && s == f.Severity) {
			n++
		}
	}
	return n
}

// Fails reports whether a finding counts that is at least as severe as s.
func (a *Audit) Fails(s Severity) bool {
	return a.MoreOpen.worst >= s || slices.ContainsFunc(a.Findings, func(f Finding) bool { return f.Open() && f.Severity >= s })
}

// Tally is how many findings of a store count, by severity. Files are those that
// concern its file and not what is in it.
type Tally struct {
	High, Medium, Low, Files int
	// Writer is who changed the store last, You or Others; empty when that is not known.
	Writer Who

	worst Severity // of all, with those that concern a file
}

// Add counts a finding.
func (t *Tally) Add(f *Finding) {
	t.worst = max(t.worst, f.Severity)
	switch {
	case f.Family == FamilyFile:
		t.Files++
	case f.Severity == High:
		t.High++
	case f.Severity == Medium:
		t.Medium++
	default:
		t.Low++
	}
}

// Any reports whether something was counted.
func (t Tally) Any() bool { return t.worst > 0 }

// Progress is how far an audit got.
type Progress struct {
	Doing    string // "reading", "reading history"
	Files    int
	Bytes    int64
	Findings int
}

// Fixed is what redacting in place did.
type Fixed struct {
	Files   []FixedFile
	Secrets int // places that were replaced
	// Failed are the files that could not be changed. They are as they were.
	Failed []Unread
	// Beyond lists what cannot be reached from here and may still hold the secrets,
	// each with the commands that would.
	Beyond []Beyond
}

// FixedFile is a file that was changed.
type FixedFile struct {
	Path    string
	Secrets int
	Records int // that were changed; 0 for a file without records
}

// Beyond is a place that may still hold a secret.
type Beyond struct {
	What     string // "git history of sessions/memory.jsonl"
	Commands []string
}

// Redaction says which secrets of a stored form are replaced.
type Redaction struct {
	// Only are the IDs of the rules whose finds are replaced; nil for all.
	Only []string
	// Also are texts that are replaced wherever they stand, with all of a find that
	// holds one.
	Also []string
	// Places returns where the texts of Also stand in a text, in order and apart: the
	// start and end bytes of each. It may be nil; it spares looking for each of many texts
	// in each of many records.
	Places func(text string) [][2]int
	// Found are texts that are replaced where a rule finds just them: a password that
	// is also a word stays where nothing says that it is one.
	Found []string
}

// ShareOrder is what a person wants in a copy for sharing.
type ShareOrder struct {
	IDs []ID // the records; nil for all
	// Unsafe are records that are left out for what an audit found in them.
	Unsafe []ID
}

// Shared is a copy for sharing that was not written yet, and what an audit of it says.
type Shared struct {
	Data    []byte
	Records int
	// Dropped are records that cannot be shared, each with the reason.
	Dropped []Kept
	// Redacted, Homes and Sessions are how many of these were replaced.
	Redacted, Homes, Sessions int
	Audit                     Audit
}
