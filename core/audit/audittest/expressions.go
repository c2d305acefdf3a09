package audittest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Expressions returns 200 regular expressions for the kinds of secret, as somebody
// writes them who has only grep: two for each kind. One is of its shape where that has
// a fixed beginning, the other of its label.
func Expressions() (out []string) {
	const value = `["']?[ ]*[:=][ ]*["']?[A-Za-z0-9+/=_.-]{16}`
	for _, k := range slices.Concat(hosts, clouds, services, forms) {
		fixed, rest, _ := strings.Cut(k.shape, "‹")
		class, _, _ := strings.Cut(rest, "›")
		_, count, _ := strings.Cut(class, ":")
		n, err := strconv.Atoi(count)
		if fixed = strings.ReplaceAll(fixed, "·", ""); len(fixed) < 2 || err != nil {
			out = append(out, strings.ToLower(k.label)+value)
		} else {
			out = append(out, regexp.QuoteMeta(fixed)+`[A-Za-z0-9+/=_-]{`+strconv.Itoa(min(n, 40))+`}`)
		}
		out = append(out, k.label+value)
	}
	return out
}
