package kimchi

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Hermes is the name of the other system that keeps notes in this form.
const Hermes memory.SystemID = "hermes"

// A dialect is how one of the two systems reads, counts and says things.
type dialect struct {
	id   memory.SystemID
	name string
	// anyEnd says that line ends are read as Python does: CR LF and CR are LF.
	anyEnd bool
	trim   func(string) string
	length func(string) int
	// amount spells a number of characters.
	amount func(int) string
	// percent is how full a file is, in whole percent.
	percent func(used, limit int) int
	// small is how its patterns ignore case; normalizes says that they are tried on the
	// compatible form of Unicode.
	small      func(rune) rune
	normalizes bool
	// known returns what its scan looks for beside the characters unseen, in order; no
	// entry is scanned beyond mostScanned code points, unless that is 0.
	known       func() []sought
	unseen      string
	mostScanned int
	blockedNoun string
	// scans says that entries are scanned when they are loaded too, and that a file that
	// is no UTF-8 cannot be read.
	scans bool
}

// kimchi is Kimchi as of its branch feature/memory-layer, the only version with such
// files.
func kimchi() *dialect {
	return &dialect{
		id: ID, name: "Kimchi", trim: jstext.Trim, length: jstext.Len, amount: strconv.Itoa,
		percent: func(used, limit int) int {
			return portion(used, limit, func(share float64) float64 { return math.Floor(share*100 + 0.5) })
		},
		small: small, known: kimchiThreats, unseen: kimchiUnseen, blockedNoun: "Memory entries are",
	}
}

// hermes is Hermes Agent, whose form the other one took over. It is written in Python.
func hermes() *dialect {
	return &dialect{
		id: Hermes, name: "Hermes", anyEnd: true, trim: trimPython, length: utf8.RuneCountInString, amount: thousands,
		percent: func(used, limit int) int {
			return portion(used, limit, func(share float64) float64 { return math.Trunc(share * 100) })
		},
		small: smallPython, normalizes: true, known: hermesThreats, unseen: hermesUnseen, mostScanned: longestScan,
		blockedNoun: "Content is", scans: true,
	}
}

func portion(used, limit int, round func(float64) float64) int {
	if limit <= 0 {
		return 0
	}
	return int(min(100, round(float64(used)/float64(limit))))
}

// isSpacePython reports whether str.strip takes a character off, and \s matches it:
// U+0085 and the separators of ASCII are white space, and U+FEFF is not.
func isSpacePython(r rune) bool {
	return r >= 0x1c && r <= 0x1f || r == 0x85 || r != 0xfeff && jstext.IsSpace(r)
}

func trimPython(s string) string { return strings.TrimFunc(s, isSpacePython) }

// thousands spells a number with commas: 1,474.
func thousands(n int) string {
	if n < 0 {
		return "-" + thousands(-n)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// usage says how full a file is, in the words of the system.
func (d *dialect) usage(used, limit int) string {
	return strconv.Itoa(d.percent(used, limit)) + "% — " + d.amount(used) + "/" + d.amount(limit) + " chars"
}

// The files, which the tool calls targets.
const (
	memoryFile = "MEMORY.md"
	userFile   = "USER.md"

	defaultMemory = 2200 // limits, in characters
	defaultUser   = 1375
)

// isUser reports whether the file at path is the target "user".
func isUser(path string) bool { return filepath.Base(path) == userFile }

// limits are how many characters the files may have, and whether one is switched off.
type limits struct {
	memory, user     int
	noMemory, noUser bool
}

func (l limits) of(path string) int {
	if isUser(path) {
		return l.user
	}
	return l.memory
}

// off names the setting that keeps the file at path out of sessions, or nothing.
func (l limits) off(path string) string {
	switch {
	case l.noUser && isUser(path):
		return "memory.user_profile_enabled"
	case l.noMemory && !isUser(path):
		return "memory.memory_enabled"
	}
	return ""
}
