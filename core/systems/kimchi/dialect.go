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
	// spaces are those that \s of its patterns matches, as a class of Go; folds says
	// that case is ignored for characters beyond ASCII too.
	spaces string
	folds  bool
	// scans says that entries are scanned when they are loaded too.
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
		spaces: `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`,
	}
}

// hermes is Hermes Agent, whose form the other one took over. It is written in Python.
func hermes() *dialect {
	return &dialect{
		id: Hermes, name: "Hermes", anyEnd: true, trim: trimPython, length: utf8.RuneCountInString, amount: thousands,
		percent: func(used, limit int) int {
			return portion(used, limit, func(share float64) float64 { return math.Trunc(share * 100) })
		},
		spaces: `\t-\r \x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`,
		folds:  true, scans: true,
	}
}

func portion(used, limit int, round func(float64) float64) int {
	if limit <= 0 {
		return 0
	}
	return int(min(100, round(float64(used)/float64(limit))))
}

// trimPython trims as str.strip does: U+0085 and the separators of ASCII go, and U+FEFF
// stays.
func trimPython(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return r >= 0x1c && r <= 0x1f || r == 0x85 || r != 0xfeff && jstext.IsSpace(r)
	})
}

// thousands spells a number with commas: 1,474.
func thousands(n int) string {
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

// limits are how many characters the files may have.
type limits struct{ memory, user int }

func (l limits) of(path string) int {
	if isUser(path) {
		return l.user
	}
	return l.memory
}
