package sync

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// hasCredentials reports whether the address of a repository holds a password or a token, in any of its parts
// and also percent-encoded. Secret, which may be nil, reports whether a text holds a secret by its form.
func hasCredentials(address string, secret func(string) bool) bool {
	for range 3 {
		if userHasPassword(address) || secret != nil && secret(address) {
			return true
		}
		plain, err := url.PathUnescape(address)
		if err != nil || plain == address {
			return false
		}
		address = plain
	}
	return true // nobody encodes a name three times
}

// userHasPassword reports whether the user before the host has a password, or cannot be the name of a user.
func userHasPassword(address string) bool {
	if scheme := withScheme().FindStringSubmatch(address); scheme != nil {
		at := strings.LastIndex(scheme[2], "@")
		if at < 0 {
			return false
		}
		user := scheme[2][:at]
		return strings.Contains(user, ":") || !strings.EqualFold(scheme[1], "ssh") && likeToken(user)
	}
	return passwordOfPath().MatchString(address)
}

// passwordOfPath matches user:password@ at the beginning of an address without a scheme.
var passwordOfPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/*[^/@]+:[^/@]+@`) })

// likeToken reports whether a user is so long, with digits between its letters, that it is a token. Hosts take
// a token in place of the user, and many tokens have no form by which they could be told.
func likeToken(user string) bool {
	changes, digit := 0, false
	for _, c := range user {
		if is := c >= '0' && c <= '9'; is != digit {
			digit = is
			changes++
		}
	}
	return len(user) > 39 || len(user) >= 16 && changes >= 3
}

var (
	userOfAddress = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'"?#]*@`) },
	)
	queryOfAddress = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://[^\s'"?#]*)[?#][^\s'"]*`) },
	)
)

// withoutCredentials returns what git says without users, passwords and tokens in addresses. Git names the
// address that it uses, which the user's own settings may have put in place of ours.
func withoutCredentials(said string) string {
	said = userOfAddress().ReplaceAllString(said, "$1")
	return queryOfAddress().ReplaceAllString(said, "$1")
}
