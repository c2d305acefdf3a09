package cli

import (
	"net/url"
	"strings"

	"winnow/core/memory"
)

// fileURL begins a path in which bytes can be written as %XX: one that is no UTF-8 has no
// other form in JSON or on a terminal.
const fileURL = "file://"

// pathOf returns a value of --store with a file URL in it replaced by the path it names.
func pathOf(value string) string {
	system, rest, ok := strings.Cut(value, fileURL)
	if !ok || !strings.HasPrefix(rest, "/") || strings.ContainsAny(system, "/ ") || system != "" && !strings.HasSuffix(system, ":") {
		return value
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return value
	}
	return system + path
}

// urlOf returns what --store takes for a store, with its path as a file URL.
func urlOf(id memory.StoreID) string {
	u := fileURL + (&url.URL{Path: id.Path()}).EscapedPath()
	if s := id.System(); s != "" {
		u = string(s) + ":" + u
	}
	return u
}
