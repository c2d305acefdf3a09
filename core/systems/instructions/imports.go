package instructions

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/quietread"
	"winnow/core/system"
)

// MostImported is the number of bytes that the imports of a session may add. Agents themselves have
// no such limit.
const MostImported = 16 << 20

const (
	mostImports    = 2000
	deepestImports = 5 // the only limit that agents have
)

// Imports reads instruction files and expands their imports. An import is written as @ and a path,
// the syntax of Gemini CLI and of the products derived from it.
type Imports struct {
	// Cut is set if a limit left something out.
	Cut bool
	// Failed are the imports that the agent reports as failed in the text, by importing file.
	Failed map[string][]string
	// From lists the imported files in order.
	From []string
	// Later is set for the way of Qwen Code: code is what Markdown calls so, the first file counts as one that
	// was processed, links are not resolved, and the mention of a file that does not exist stays as it is.
	Later bool

	read  func(path string) filestore.File // reads each file once
	left  int                              // number of imports that may still be made
	bytes int                              // number of bytes that imports may still add
}

// NewImports returns Imports that read at most most bytes of each file.
func NewImports(most int64) *Imports {
	return &Imports{read: Once(most), left: mostImports, bytes: MostImported, Failed: map[string][]string{}}
}

// File reads a file, and sets Cut if it is too long.
func (im *Imports) File(path string) filestore.File {
	f := im.read(path)
	im.Cut = im.Cut || f.Cut
	return f
}

// Text returns the text of a file with all its imports from below root, and the files that were
// read for it. An import replaces its mention; if flat is set, the files follow one another
// instead.
func (im *Imports) Text(f filestore.File, root string, flat bool) (text string, from []string) {
	n := len(im.From)
	switch text = jstext.DecodeString(f.Text); {
	case flat:
		text = im.flatText(text, f.Path, root)
	case im.Later:
		text = im.expand(text, f.Path, root, []string{f.Path})
	default:
		text = im.expand(text, f.Path, root, nil)
	}
	return text, slices.Clone(im.From[n:])
}

// mention is an import as written in a text: @ and a path.
type mention struct {
	start, end int
	path       string
}

// mentions returns the imports of a text. It ignores what is in code.
func (im *Imports) mentions(text string) (all []mention) {
	code := codeIn(text)
	if im.Later {
		code = markdownCode(text)
	}
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '@')
		if next < 0 {
			return all
		}
		at += next
		if at > 0 && !isBlank(text[at-1]) {
			at++
			continue
		}
		end := at + 1
		for end < len(text) && !isBlank(text[end]) {
			end++
		}
		for len(code) > 0 && code[0][1] <= at {
			code = code[1:]
		}
		inCode := len(code) > 0 && code[0][0] <= at
		if path := text[at+1 : end]; !inCode && beginsPath(path) {
			all = append(all, mention{at, end, path})
		}
		if at = end + 1; at > len(text) {
			return all
		}
	}
}

// beginsPath reports whether what stands behind @ is taken for a path.
func beginsPath(word string) bool {
	if word == "" {
		return false
	}
	return word[0] == '.' || word[0] == '/' || word[0]|0x20 >= 'a' && word[0]|0x20 <= 'z'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// codeIn returns the regions between runs of backticks, as the regular expression (`+)[\s\S]*?\1
// finds them: it takes the longest start of a run that occurs again, and ends there.
func codeIn(text string) (regions [][2]int) {
	type run struct{ at, n int }
	var runs []run
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		r := run{at: i}
		for i < len(text) && text[i] == '`' {
			i, r.n = i+1, r.n+1
		}
		runs = append(runs, r)
	}
	longest := make([]int, len(runs)+1) // for the runs from here on
	for i, r := range slices.Backward(runs) {
		longest[i] = max(r.n, longest[i+1])
	}
	for i := 0; i < len(runs); {
		r := &runs[i]
		k, end := min(r.n, longest[i+1]), 0
		switch {
		case r.n > 0 && k > r.n/2:
			at := r.at
			for i++; runs[i].n < k; {
				i++
			}
			end = runs[i].at + k
			regions = append(regions, [2]int{at, end})
		case r.n > 1: // it closes itself
			end = r.at + r.n/2*2
			regions = append(regions, [2]int{r.at, end})
		default:
			i++
			continue
		}
		runs[i].n -= end - runs[i].at
		runs[i].at = end
	}
	return regions
}

// expand returns the text of the file at path with its imports put in, each between two comments.
// above are the files that import it. Imports may come only from below root.
func (im *Imports) expand(text, path, root string, above []string) string {
	if len(above) >= deepestImports && (!im.Later || len(above) > deepestImports) {
		return text
	}
	var out strings.Builder
	at := 0
	for _, m := range im.mentions(text) {
		out.WriteString(text[at:m.start])
		at = m.end
		full, why := im.resolved(filepath.Dir(path), m.path, root)
		switch {
		case why == "" && slices.Contains(above, full):
			out.WriteString("<!-- File already processed: " + m.path + " -->")
			continue
		case why == "" && !im.mayImport():
			out.WriteString(text[m.start:m.end])
			continue
		}
		var file filestore.File
		if why == "" {
			file = im.File(full)
			why = importFailure(file, full)
		}
		if im.Later && file.Missing() {
			im.Failed[path] = append(im.Failed[path], m.path)
			out.WriteString(text[m.start:m.end])
			continue
		}
		if why != "" {
			im.Failed[path] = append(im.Failed[path], m.path)
			out.WriteString("<!-- Import failed: " + m.path + " - " + why + " -->")
			continue
		}
		im.From = append(im.From, full)
		im.bytes -= len(file.Text)
		inner := im.expand(jstext.DecodeString(file.Text), full, root, append(slices.Clip(above), full))
		out.WriteString(
			"<!-- Imported from: " + m.path + " -->\n" + inner + "\n<!-- End of import from: " + m.path + " -->",
		)
	}
	out.WriteString(text[at:])
	return out.String()
}

// mayImport reports whether another import is allowed.
func (im *Imports) mayImport() bool {
	im.left--
	if im.left < 0 || im.bytes < 0 {
		im.Cut = true
		return false
	}
	return true
}

// flatText returns the text of a file and its imports one after another, the last import first. The
// file itself gets the name of its folder.
func (im *Imports) flatText(text, path, root string) string {
	var all []string
	seen := map[string]bool{}
	var add func(text, dir, name string)
	add = func(text, dir, name string) {
		seen[name] = true
		all = append(all, "--- File: "+name+" ---\n"+jstext.Trim(text)+"\n--- End of File: "+name+" ---")
		for _, m := range slices.Backward(im.mentions(text)) {
			full, why := im.resolved(dir, m.path, root)
			if why != "" || seen[full] || !im.mayImport() {
				continue
			}
			file := im.File(full)
			if importFailure(file, full) != "" {
				continue
			}
			im.From = append(im.From, full)
			im.bytes -= len(file.Text)
			add(jstext.DecodeString(file.Text), filepath.Dir(full), full)
		}
	}
	name := filepath.Dir(path)
	if im.Later {
		name = path
	}
	add(text, filepath.Dir(path), name)
	return strings.Join(all, "\n\n")
}

// climbs is what the agent says about an import that it does not permit.
const climbs = "Path traversal attempt"

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(file|https?)://`) })

// resolved returns the file that an import names in a text of the folder dir, or why the import is
// refused. With all links followed, the file must lie in root. The path is decoded like a URL.
func (im *Imports) resolved(dir, path, root string) (full, why string) {
	if full = path; !filepath.IsAbs(path) {
		full = filepath.Join(dir, path)
	}
	full = filepath.Clean(full)
	if address().MatchString(path) || strings.ContainsRune(path, 0) {
		return "", climbs
	}
	if im.Later {
		return full, system.Say(!filestore.Within(root, full), climbs)
	}
	real, ok := resolveLinks(Unescaped(full), 0)
	top, okTop := resolveLinks(Unescaped(root), 0)
	if !ok || !okTop || !filestore.Within(top, real) {
		return "", climbs
	}
	return full, ""
}

// Unescaped decodes a path like a URL: %2e becomes a dot.
func Unescaped(path string) string {
	if plain, err := url.PathUnescape(path); err == nil && (utf8.ValidString(plain) || !utf8.ValidString(path)) {
		return filepath.Clean(plain)
	}
	return path
}

// resolveLinks resolves the links of a path as far as the path exists.
func resolveLinks(path string, depth int) (string, bool) {
	const most = 300 // path elements and links
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return real, true
	case depth > most || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) &&
		!errors.Is(err, syscall.ENAMETOOLONG):
		return "", false
	}
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return resolveLinks(target, depth+1)
	}
	up := filepath.Dir(path)
	if up == path {
		return path, true
	}
	real, ok := resolveLinks(up, depth+1)
	return filepath.Join(real, filepath.Base(path)), ok
}

// importFailure returns what the agent says about an import that it cannot read.
func importFailure(f filestore.File, path string) string {
	if f.Problem == nil {
		return ""
	}
	if filestore.IsFolder(path) {
		return "EISDIR: illegal operation on a directory, read"
	}
	_, err := os.Stat(path)
	for code, is := range map[string]error{
		"ENOENT: no such file or directory": fs.ErrNotExist, "ENOTDIR: not a directory": syscall.ENOTDIR,
		"ENAMETOOLONG: name too long": syscall.ENAMETOOLONG, "EACCES: permission denied": fs.ErrPermission,
	} {
		if errors.Is(err, is) {
			return code + ", access '" + path + "'"
		}
	}
	if f.Problem.Code == quietread.CodeUnreadable {
		return "EACCES: permission denied, open '" + path + "'"
	}
	return f.Problem.What
}
