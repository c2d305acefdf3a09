package karnevil9

import (
	"path/filepath"
	"regexp"
	"strings"

	"winnow/core/filestore"
)

// The agent reads .env with the package dotenv of npm, whose grammar this is.
const dotenvLine = `(?m)^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*` +
	"`(?:\\\\`|[^`])*`" + `|[^#\r\n]+)?\s*(?:#.*)?$`

const maxDotenv = 1 << 20

// dotenv returns the value of name in the file .env of the folder dir.
func dotenv(dir, name string) (value string, ok bool) {
	return parseDotenv(filestore.Read(filepath.Join(dir, ".env"), maxDotenv).Text, name)
}

func parseDotenv(text, name string) (value string, ok bool) {
	if !strings.Contains(text, name) {
		return "", false // the usual case needs no pattern
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	for _, m := range regexp.MustCompile(dotenvLine).FindAllStringSubmatch(text, -1) {
		if m[1] == name { // the last one counts
			value, ok = dotenvValue(m[2]), true
		}
	}
	return value, ok
}

// dotenvValue takes the quotes off, and in double quotes \n and \r stand for
// line ends.
func dotenvValue(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	quote := s[0]
	if n := len(s); n >= 2 && strings.IndexByte("'\"`", quote) >= 0 && s[n-1] == quote {
		s = s[1 : n-1]
	}
	if quote == '"' {
		s = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(s)
	}
	return s
}
