package claudecode

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/systems/claudecode/markdown"
)

// fence is the beginning of a block of code that is not closed yet.
type fence struct {
	char byte
	len  int
}

// step takes the next line, and reports whether it belongs to a block of code.
func (f *fence) step(line string) bool {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return f.len > 0
	}
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	switch {
	case f.len == 0 && n >= 3 && (rest[0] == '~' || !strings.Contains(rest[n:], "`")):
		*f = fence{rest[0], n}
		return true
	case f.len > 0 && rest[0] == f.char && n >= f.len && strings.TrimSpace(rest[n:]) == "":
		*f = fence{}
		return true
	}
	return f.len > 0
}

// inProse calls fn with each piece of a text that is not code: neither in a fenced block
// nor in a span of one. Start is its offset.
func inProse(text string, fn func(start int, piece string)) {
	var code fence
	from := -1 // of a paragraph
	flush := func(to int) {
		if from >= 0 {
			outsideSpans(text[from:to], from, fn)
		}
		from = -1
	}
	for at := 0; at < len(text); {
		line, next := lineAt(text, at)
		switch {
		case code.step(line), strings.TrimSpace(line) == "":
			flush(at)
		case from < 0:
			from = at
		}
		at = next
	}
	flush(len(text))
}

// outsideSpans calls fn with the pieces of a paragraph between spans of code: what is
// between two equal runs of backquotes.
func outsideSpans(text string, offset int, fn func(start int, piece string)) {
	from := 0
	closed := map[int]int{} // by the length of a run, where the last of them begins
	for i := len(text) - 1; i >= 0; i-- {
		if n := runBack(text, i); n > 0 {
			i -= n - 1
			if _, ok := closed[n]; !ok {
				closed[n] = i
			}
		}
	}
	for i := 0; i < len(text); i++ {
		n := run(text, i)
		if n == 0 {
			continue
		}
		if closed[n] <= i {
			i += n - 1 // it opens nothing
			continue
		}
		fn(offset+from, text[from:i])
		end := i + n
		for run(text, end) != n {
			end += max(run(text, end), 1)
		}
		from = end + n
		i = from - 1
	}
	fn(offset+from, text[from:])
}

// run returns how many backquotes stand from i on.
func run(text string, i int) int {
	return len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
}

// runBack returns how many backquotes stand up to i.
func runBack(text string, i int) int {
	return i + 1 - len(strings.TrimRight(text[:i+1], "`"))
}

var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|` + jsSpace + `)@((?:[^\\` + jsSpace[1:] + `|\\ )+)`)
})

// imported returns the paths that a text imports, as they are written: what stands
// behind an @ at the beginning of a word of plain text. Each comes once.
func imported(text string) []string {
	if !strings.Contains(text, "@") {
		return nil
	}
	var out []string
	markdown.Texts(text, func(run string) {
		for _, m := range mention().FindAllStringSubmatch(run, -1) {
			if path := importPath(m[1]); path != "" && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	})
	return out
}

// importPath returns the path that a mention names, without a # and what follows; nothing
// for one that names no file.
func importPath(text string) string {
	path, _, _ := strings.Cut(text, "#")
	path = strings.ReplaceAll(path, `\ `, " ")
	if path == "" || path == "/" || strings.ContainsRune(path, 0) || !strings.ContainsAny(path[:1], "/.-_") && !strings.HasPrefix(path, "~/") &&
		(path[0] >= 0x80 || !isWord(path[0])) {
		return ""
	}
	return path
}

// imports reports whether a file is taken by its ending: one that a text can have, or
// none.
func imports(path string) bool {
	name := filepath.Base(path)
	dot := strings.LastIndexByte(name, '.')
	return dot <= 0 || dot == len(name)-1 || slices.Contains(textEndings(), strings.ToLower(name[dot+1:]))
}

var textEndings = sync.OnceValue(func() []string {
	return strings.Fields("md txt text json yaml yml toml xml csv html htm css scss sass less js ts tsx jsx mjs cjs mts cts py pyi pyw rb erb rake go rs java kt kts scala " +
		"c cpp cc cxx h hpp hxx cs swift sh bash zsh fish ps1 bat cmd env ini cfg conf config properties sql graphql gql proto vue svelte astro ejs hbs pug jade php pl pm " +
		"lua r R dart ex exs erl hrl clj cljs cljc edn hs lhs elm ml mli f f90 f95 for cmake make makefile gradle sbt rst adoc asciidoc org tex latex lock log diff patch")
})

func isWord(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// looksLikePath reports whether a word behind an @ is meant for a file: names of people
// and packages are not.
func looksLikePath(path string) bool {
	if strings.HasPrefix(path, ".") || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/") {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && dot < len(name)-1 && len(name)-dot <= 6
}

// links returns the names in double brackets in a text, outside of code, each once.
func links(text string) []string {
	var out []string
	seen := map[string]bool{}
	inProse(text, func(_ int, piece string) {
		for {
			_, rest, found := strings.Cut(piece, "[[")
			if !found {
				return
			}
			name, after, closed := strings.Cut(rest, "]]")
			if !closed {
				return
			}
			piece = after
			name, _, _ = strings.Cut(name, "|")
			name = strings.TrimSpace(name)
			if name == "" || strings.ContainsAny(name, "[]\n") || seen[name] {
				continue
			}
			seen[name] = true
			out = append(out, name)
		}
	})
	return out
}

// heading returns the bytes of the text of the first heading, and false when there is
// none.
func heading(text string) (from, to int, found bool) {
	var code fence
	for at := 0; at < len(text); {
		line, next := lineAt(text, at)
		if !code.step(line) {
			rest := strings.TrimLeft(line, "#")
			n := len(line) - len(rest)
			if n > 0 && n <= 6 && rest != "" && (rest[0] == ' ' || rest[0] == '\t') && strings.TrimSpace(rest) != "" {
				from, to = trimmed(text, at+n, at+len(line))
				return from, to, true
			}
		}
		at = next
	}
	return 0, 0, false
}
