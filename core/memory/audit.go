package memory

import (
	"cmp"
	"slices"
	"time"
)

// Family is the kind of thing that an audit rule finds.
type Family string

// The families.
const (
	FamilySecret    Family = "secret"    // keys, passwords
	FamilyPrivate   Family = "private"   // who and where somebody is
	FamilyInjection Family = "injection" // text that tries to steer the model that reads it
	FamilyHidden    Family = "hidden"    // text that a person cannot see
	FamilyRedaction Family = "redaction" // redaction that took too much, or that can be reversed
	FamilyFile      Family = "file"      // the file itself, not its content
)

// Compare orders families for a list, with the most dangerous first.
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

// AuditRule is one rule of the audit.
type AuditRule struct {
	ID       string // stable: "github-pat"
	Family   Family
	Severity Severity
	Name     string   // "GitHub personal access token"
	Why      string   // one sentence: why it is a problem
	Next     string   // the first thing to do: "revoke it at https://…"
	Source   string   // where the format is documented
	Formerly []string // IDs of rules that became part of it, which baselines still name
}

// Trace is a match of a rule in a text: bytes Start to End.
type Trace struct {
	Start, End int
	Rule       string // the ID of its rule
	// Shown is the decoded text: hidden text made visible. It is empty when decoding changes
	// nothing, and always for a secret.
	Shown string
	// Severity is that of the rule if it is 0. An order that was disguised is worse than the same words in plain sight.
	Severity Severity
}

// Landed is the text that an agent's prompt contains for one record or file, as its system renders
// it.
type Landed struct {
	Name string // of the block: "Past Experience"
	Text string
	// Parts are the places in Text that come from the record, in order.
	Parts []LandedPart
	// Ends are the texts that end the block for whoever reads the prompt, such as "</memory>". A
	// record that contains one breaks out of its block.
	Ends []string
	// Prose is set when a part may have lines, headings and fences of its own, as an instruction
	// file does. In any other text they count as breaking out.
	Prose bool
}

// LandedPart is the part of a Landed that comes from one field.
type LandedPart struct {
	Field      string // as stored: "task_summary"
	Start, End int    // bytes of Landed.Text
}

// Finding is one thing reported by the audit, or by the check of text that a person typed. The
// check sets only ID, Field, Rule, What, Text, Start and End.
type Finding struct {
	ID    ID     // of the record; empty when the finding is not in a record
	Field string // as stored: "task_summary"; empty for text outside a record
	Rule  string // the rule's ID, which is also the word that overrides it: "hidden-text"
	What  string // one sentence about this finding; it never contains a secret
	// Text is the field or line, or an excerpt of it; the match is bytes Start to End. Masks are
	// the places in Text that stay hidden until asked for.
	Text       string
	Start, End int
	Masks      [][2]int
	// Shown is the decoded match, as in Trace.
	Shown string

	Family   Family
	Severity Severity
	Name     string
	Why      string // why the text is there, in one sentence
	Next     []string

	// Store is the store that holds the record; empty for other files.
	Store StoreID
	// File is the absolute path of the file on disk; empty for text from git or from a stream.
	File string
	// Path is the path as shown: relative or with ~ if that is shorter. For a version from git, its
	// parts are separated by /.
	Path   string
	Line   int // from 1; 0 when it concerns the whole file, or a place without lines
	Column int // in bytes, from 1; 0 with Line 0
	// Offset is the byte offset in the file, or -1 when it is unknown. It is the only position of a
	// finding with Line 0.
	Offset int64
	// Commit is the full hash of the oldest commit that has the match at this line and column;
	// empty when none has. CommitTime is the time of that commit.
	Commit     string
	CommitTime time.Time
	// Recalled says whether an agent will read it: "yes, relevance 4"; may be empty.
	Recalled string
	// Lands is the name of the block that the text appears in; may be empty.
	Lands string

	// Count is the number of places, at least 1. Private data and repeated matches are reported as
	// one finding, at the first place.
	Count int
	// Elsewhere is set if some of these places are in other records or lines than the first.
	Elsewhere bool
	// Fixable is set when redacting in place can remove it.
	Fixable bool
	// OfAgent is set in a file that an agent reads or writes.
	OfAgent bool
	// InCode is set in source code, outside of a string and a comment.
	InCode bool
	// Fingerprint identifies what was found. It is the same wherever the text is, and changes when
	// the text is edited. It does not reveal the secret.
	Fingerprint string
	// Formerly are the fingerprints under rules that became part of this one, with the IDs of these rules.
	Formerly map[string]string
	// Origin is set when no rule finds the secret here: it is the rule that found the same secret
	// elsewhere, or Rule again if that rule is unknown.
	Origin string
	// Ignored is set when a person decided to ignore the finding.
	Ignored *Ignore
}

// Open reports whether the finding counts, that is, whether nobody ignored it.
func (f *Finding) Open() bool { return f.Ignored == nil }

// Worse orders findings for a list with the worst first: by severity, family, path, line and
// column.
func (f *Finding) Worse(g *Finding) int {
	return cmp.Or(
		cmp.Compare(g.Severity, f.Severity),
		f.Family.Compare(g.Family),
		cmp.Compare(f.Path, g.Path), cmp.Compare(f.Line, g.Line), cmp.Compare(f.Column, g.Column),
		cmp.Compare(f.Rule, g.Rule), cmp.Compare(f.Commit, g.Commit),
	)
}

// Ignore is a person's decision to ignore a finding.
type Ignore struct {
	Fingerprint string
	Rule        string
	Reason      string
	Added       time.Time
	Until       time.Time // from then on it counts again; zero means never
}

// Sharing says which files of a folder an audit reads.
type Sharing uint8

// What an audit reads.
const (
	SharedInRepository Sharing = iota // in a repository what would be shared, elsewhere everything
	SharedOnly                        // what would be shared: tracked, or not ignored
	SharedAndIgnored                  // everything
)

// AuditOrder is what a person asks an audit to look at.
type AuditOrder struct {
	// Paths are files and folders; "-" is standard input. Without any, the audit reads the stores
	// found on this machine if Stores is set, and nothing otherwise.
	Paths  []string
	Stores bool
	// Folders are stores of folders; the audit reads them record by record, as the screen does.
	Folders []StoreID
	// Sources are files below the paths that agents read. Those whose names do not say so are read too,
	// because another file or a setting names them.
	Sources []Source
	// AllText looks for everything in every text file, and not only in the files that agents read or
	// write. AgentFiles reads nothing but those files. Without either, only secrets are looked for in
	// the other text files.
	AllText, AgentFiles bool
	Sharing             Sharing
	// Staged reads what the next commit of each path's repository would contain, instead of the
	// files in the folder. History also reads every version in git.
	Staged, History bool
	// Ignored are decisions for this audit only, in addition to the stored ones.
	Ignored []Ignore
	// Known are texts to search for as secrets, in addition to what the rules find.
	Known []string
	// Most is the number of findings to keep; further ones are only counted. 0 means 5,000.
	Most int
}

// Audit is the result of an audit.
type Audit struct {
	Findings []Finding // worst first
	More     int       // findings that were counted but not kept
	MoreOpen Tally     // those of them that count

	Files, Records, Blobs, Commits int
	// Others counts those of the files, or of the staged versions, that no agent reads: nothing but
	// secrets was looked for in them.
	Others int
	// Nouns counts the records by kind. Records without a name of their own are lessons.
	Nouns map[Noun]int
	Bytes int64
	Rules int
	Took  time.Duration

	// Left are the files that were skipped, by reason.
	Left []LeftOut
	// Failed are the files that could not be read.
	Failed []Unread
	// Uncovered names what the audit did not look at: "git history".
	Uncovered []string
	// Stopped is set when the audit was interrupted: the findings are those made until then.
	Stopped bool
}

// LeftOut is the number of files that were skipped for one reason.
type LeftOut struct {
	Why   string // "ignored by git"
	Files int
	// Example is the first of them by name.
	Example string
}

// Unread is a file that could not be read.
type Unread struct {
	Path    string
	Store   StoreID // of a search in stores; otherwise empty
	Problem *Problem
}

// SearchPart is the result of a search in a part of a store.
type SearchPart struct {
	Store   StoreID
	Records []Record // the matching records, in the order of the store, without Raw
	Read    int      // number of records searched
	Has     []int    // for each term, how many of them contain it, whatever the other terms
	Last    bool     // this is the last part of the store
}

// Count returns the number of open findings with severity s. Count(0) returns those of the file
// family, which no other severity includes.
func (a *Audit) Count(s Severity) int {
	return CountFindings(a.Findings, s) +
		[...]int{a.MoreOpen.Files, a.MoreOpen.Low, a.MoreOpen.Medium, a.MoreOpen.High}[s]
}

// CountAll returns the number of open findings with severity s, those of the file family included.
func (a *Audit) CountAll(s Severity) (n int) {
	n = [...]int{0, a.MoreOpen.Low, a.MoreOpen.Medium, a.MoreOpen.High}[s]
	if s == Low {
		n += a.MoreOpen.Files
	}
	for i := range a.Findings {
		if f := &a.Findings[i]; f.Open() && f.Severity == s {
			n++
		}
	}
	return n
}

// CountFindings returns the number of open findings with severity s. With 0 it counts those that
// concern a file rather than its content.
func CountFindings(findings []Finding, s Severity) (n int) {
	for i := range findings {
		f := &findings[i]
		aboutFile := f.Family == FamilyFile
		if f.Open() && (aboutFile && s == 0 || !aboutFile && s == f.Severity) {
			n++
		}
	}
	return n
}

// Fails reports whether an open finding is at least as severe as s.
func (a *Audit) Fails(s Severity) bool {
	return a.MoreOpen.worst >= s ||
		slices.ContainsFunc(a.Findings, func(f Finding) bool { return f.Open() && f.Severity >= s })
}

// Tally counts the open findings of a store by severity. Files counts those that concern the file
// itself rather than its content.
type Tally struct {
	High, Medium, Low, Files int
	// Writer is who changed the store last, You or Others; empty when unknown.
	Writer Who

	worst Severity // of all findings, including those that concern a file
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

// Progress says how far an audit has come.
type Progress struct {
	Doing    string // "reading", "reading history"
	Files    int
	Bytes    int64
	Findings int
}

// Fixed is the result of redacting in place.
type Fixed struct {
	Files   []FixedFile
	Secrets int // number of places replaced
	// Failed are the files that could not be changed. They are untouched.
	Failed []Unread
	// Beyond lists places that Winnow cannot reach and that may still hold the secrets, each with
	// the commands that remove them there.
	Beyond []Beyond
}

// FixedFile is a file that was changed.
type FixedFile struct {
	Path    string
	Secrets int
	Records int // records changed; 0 for a file without records
}

// Beyond is a place that may still hold a secret.
type Beyond struct {
	What     string // "git history of sessions/memory.jsonl"
	Commands []string
}

// Redaction says which secrets to replace in a stored form.
type Redaction struct {
	// Only are the IDs of the rules to apply; nil means all.
	Only []string
	// Also are texts to replace wherever they occur, together with the whole match of a rule that
	// contains one.
	Also []string
	// Places returns where the texts of Also occur in a text: the start and end bytes of each, in
	// order and without overlap. It may be nil. It saves searching each record for each of many
	// texts.
	Places func(text string) [][2]int
	// Found are texts to replace only where a rule matches exactly them: a password that is also an
	// ordinary word stays where nothing marks it as a password.
	Found []string
}

// ShareOrder is what a person wants in a copy for sharing.
type ShareOrder struct {
	IDs []ID // the records; nil for all
	// Unsafe are records to leave out because of what an audit found in them.
	Unsafe []ID
}

// Shared is a copy for sharing that was not written yet, with the audit of it.
type Shared struct {
	Data    []byte
	Records int
	// Dropped are records that cannot be shared, each with the reason.
	Dropped []Kept
	// Redacted, Homes and Sessions count the replaced secrets, home folders and session IDs.
	Redacted, Homes, Sessions int
	Audit                     Audit
}
