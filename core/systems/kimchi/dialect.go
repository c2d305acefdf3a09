package kimchi

import (
	"cmp"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// Hermes is the other system that keeps notes in this form.
const Hermes memory.SystemID = "hermes"

// A dialect describes how one of the two systems reads, counts and words things.
type dialect struct {
	id   memory.SystemID
	name string
	// anyEnd is set if line ends are read as Python does: CR LF and CR become LF.
	anyEnd bool
	// delimiters matches what separates entries: a line that holds only §.
	delimiters func() *regexp.Regexp
	trim       func(string) string
	length     func(string) int
	// amount formats a number of characters.
	amount func(int) string
	// roundPercent rounds a percentage to a whole number.
	roundPercent func(percent float64) float64
	// foldCase is how its patterns ignore case. normalizes is set if they are matched against the
	// compatibility form of Unicode.
	foldCase   func(rune) rune
	normalizes bool
	// known returns what its scan looks for, in order, besides invisible characters. It scans at
	// most mostScanned code points of an entry; 0 means no limit.
	known       func() []compiledThreat
	unseen      string
	mostScanned int
	blockedNoun string
	// scans is set if entries are also scanned when they are loaded, and if a file that is not
	// UTF-8 cannot be read.
	scans bool
}

var (
	lineFeedDelimiter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n§\n`) })
	anyEndDelimiter   = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`(?:\r\n|\n|\r)§(?:\r\n|\n|\r)`) },
	)
)

// kimchi is Kimchi at its branch feature/memory-layer, the only version with such files.
func kimchi() *dialect {
	return &dialect{
		id: id, name: "Kimchi", trim: jstext.Trim, length: jstext.Len, amount: strconv.Itoa,
		roundPercent: func(percent float64) float64 { return math.Floor(percent + 0.5) },
		delimiters:   lineFeedDelimiter,
		foldCase:     asciiLower,
		known:        kimchiThreats,
		unseen:       kimchiUnseen,
		blockedNoun:  "Memory entries are",
	}
}

// hermes is Hermes Agent, where the form comes from. It is written in Python.
func hermes() *dialect {
	return &dialect{
		id: Hermes, name: "Hermes", anyEnd: true, trim: trimPython, length: utf8.RuneCountInString, amount: thousands,
		roundPercent: math.Trunc,
		delimiters:   anyEndDelimiter,
		foldCase:     smallPython,
		normalizes:   true,
		known:        hermesThreats,
		unseen:       hermesUnseen,
		mostScanned:  longestScan,
		blockedNoun:  "Content is", scans: true,
	}
}

// percent returns how full a file is, as a whole percentage.
func (d *dialect) percent(used, limit int) int {
	if limit <= 0 {
		return 0
	}
	return int(min(100, d.roundPercent(float64(used)/float64(limit)*100)))
}

// isSpacePython reports whether Python's str.strip removes a character and \s matches it: U+0085
// and the ASCII separators are white space, and U+FEFF is not.
func isSpacePython(r rune) bool {
	return r >= 0x1c && r <= 0x1f || r == 0x85 || r != 0xfeff && jstext.IsSpace(r)
}

func trimPython(s string) string { return strings.TrimFunc(s, isSpacePython) }

// thousands formats a number with commas: 1,474.
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

// The files. The tool calls them targets.
const (
	memoryFile = "MEMORY.md"
	userFile   = "USER.md"

	defaultMemory = 2200 // limits, in characters
	defaultUser   = 1375
)

// isUser reports whether the file at path is the target "user".
func isUser(path string) bool { return filepath.Base(path) == userFile }

// limits are the numbers of characters that the files may have, and whether a file is switched off.
type limits struct {
	memory, user     int
	noMemory, noUser bool
}

func (l limits) limitOf(path string) int {
	if isUser(path) {
		return l.user
	}
	return l.memory
}

// offSetting names the setting that keeps the file at path out of sessions, or returns "".
func (l limits) offSetting(path string) string {
	return cmp.Or(
		system.Say(l.noUser && isUser(path), "memory.user_profile_enabled"),
		system.Say(l.noMemory && !isUser(path), "memory.memory_enabled"))
}

// mostConfig is the number of bytes read of a settings file.
const mostConfig = 1 << 20

// config returns the file that sets the limits of the notes at path, or "".
func (d *dialect) config(path string) string {
	if d.id != Hermes {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "config.yaml")
}

// limits returns the limits of the files beside path, and which of them are injected. why is a
// sentence if the settings cannot be read: the system then uses its defaults.
func (d *dialect) limits(path string) (_ limits, why string) {
	l := limits{memory: defaultMemory, user: defaultUser}
	var settings struct {
		Memory map[string]yaml.Node `yaml:"memory"`
	}
	text := filestore.Read(d.config(path), mostConfig).Text // a missing file has no text
	if err := yaml.Unmarshal([]byte(text), &settings); err != nil {
		return l, "config.yaml cannot be read as YAML: the limits are taken to be " + strconv.Itoa(l.memory) + " and " +
			strconv.Itoa(l.user) + "."
	}
	for key, limit := range map[string]*int{"memory_char_limit": &l.memory, "user_char_limit": &l.user} {
		node, set := settings.Memory[key]
		if !set {
			continue
		}
		n, err := strconv.Atoi(strings.ReplaceAll(node.Value, "_", ""))
		if err != nil {
			why = "memory." + key + " in config.yaml is no whole number: the limit is taken to be " +
				strconv.Itoa(*limit) + "."
			continue
		}
		*limit = n
	}
	for key, off := range map[string]*bool{"memory_enabled": &l.noMemory, "user_profile_enabled": &l.noUser} {
		*off = slices.Contains([]string{"false", "no", "off"}, strings.ToLower(settings.Memory[key].Value))
	}
	return l, why
}
