package claudecode

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/systems/claudecode/markdown"
)

var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|` + jsSpace + `)@((?:[^\\` + jsSpace[1:] + `|\\ )+)`)
})

// imported returns the paths that a text imports, as written and without repeats: plain text after
// an @ at the beginning of a word.
func imported(text string) []string { return named(text, "@", mention(), importPath) }

// named returns what an expression finds in the plain text of a document, without repeats. name
// turns the matched group into a name, or "" to skip it.
func named(text, sign string, expression *regexp.Regexp, name func(string) string) (all []string) {
	markdown.Texts(text, sign, func(run string) {
		for _, m := range expression.FindAllStringSubmatch(run, -1) {
			if n := name(m[1]); n != "" && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	})
	return all
}

// importPath returns the path that a mention names, without a fragment (#…), or "".
func importPath(text string) string {
	path, _, _ := strings.Cut(text, "#")
	path = strings.ReplaceAll(path, `\ `, " ")
	if path == "" || path == "/" || strings.ContainsRune(path, 0) ||
		!strings.ContainsAny(path[:1], "/.-_") && !strings.HasPrefix(path, "~/") &&
			!isWord(path[0]) {
		return ""
	}
	return path
}

// canImport reports whether a file can be imported: it has a text file's extension, or none.
func canImport(path string) bool {
	name := filepath.Base(path)
	dot := strings.LastIndexByte(name, '.')
	return dot <= 0 || dot == len(name)-1 || slices.Contains(textEndings(), strings.ToLower(name[dot+1:]))
}

var textEndings = sync.OnceValue(func() []string {
	return strings.Fields(
		"md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts scala " +
			"c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs pug jade php pl pm " +
			"lua r R dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle sbt rst adoc asciidoc org tex latex lock log diff patch",
	)
})

// isWord reports whether a byte is an ASCII letter or digit.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// looksLikePath reports whether a word after an @ means a file, rather than a person or a package.
func looksLikePath(path string) bool {
	if strings.HasPrefix(path, ".") || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/") {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && dot < len(name)-1 && len(name)-dot <= 6
}

// links returns the names in double brackets in a text, outside code and without repeats.
func links(text string) []string { return named(text, "[[", wikiLink(), strings.TrimSpace) }

var wikiLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[\[([^\[\]\n|]*)(?:\|[^\]]*)?\]\]`)
})

// headingLine matches a heading with text.
var headingLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{1,6}[ \t]+([^ \t].*)`) })

// fence matches a line that begins or ends a code block.
var fence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^ {0,3}(?:```|~~~)") })

// heading returns where the text of the first heading begins and ends, and false when there is none.
func heading(text string) (from, to int, found bool) {
	at, code := 0, false
	for line := range strings.Lines(text) {
		bare := withoutEnd(line)
		if fence().MatchString(bare) {
			code = !code
		}
		if m := headingLine().FindStringSubmatchIndex(bare); m != nil && !code && strings.TrimSpace(bare[m[2]:]) != "" {
			from, to = trimmed(text, at+m[2], at+len(bare))
			return from, to, true
		}
		at += len(line)
	}
	return 0, 0, false
}
