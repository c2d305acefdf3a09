package compare

import (
	"strings"
	"unicode"
)

// Text is what a file or a record says, in a form in which texts can be compared.
type Text struct {
	Statements []Statement
	forms      []form
	firsts     map[string]int  // the first statement with each key
	words      map[string]bool // of all forms; see says
}

// form is a statement in a comparable form.
type form struct {
	words []word
	key   string // the same for statements that say the same in the same words
}

// word is a part of a statement between spaces. A code span is one word.
type word struct {
	text string // in lower case, without punctuation, plural and names of agents
	as   string // as written
	code bool
}

// agent stands for the name of any agent, and of any of its files.
const agent = "\x00"

// Names are the words by which agents and their files are known, in lower case: "claude", "code", "agents.md". Texts
// that differ in them only say the same.
type Names map[string]bool

// AddAgent adds the name of an agent, also in short: "Claude Code" is "claude" too.
func (n Names) AddAgent(name string) {
	name = strings.ToLower(name)
	first, _, _ := strings.Cut(name, " ")
	n[name], n[first] = true, true
}

// AddFile adds the name of a file that an agent reads.
func (n Names) AddFile(file string) {
	n[strings.ToLower(file[strings.LastIndexAny(file, `/\`)+1:])] = true
}

// has reports whether a word names an agent, one of its files or something in its folder.
func (n Names) has(w string) bool {
	w = strings.TrimSuffix(w, "'s")
	if folder, hidden := strings.CutPrefix(w, "."); hidden {
		folder, _, _ = strings.Cut(folder, "/")
		return n[w] || n[folder]
	}
	return n[w]
}

// NewText returns statements in a comparable form.
func NewText(statements []Statement, names Names) *Text {
	t := &Text{Statements: statements, forms: make([]form, len(statements)), firsts: map[string]int{}}
	for i := range statements {
		t.forms[i] = names.formOf(&statements[i])
		if _, known := t.firsts[t.forms[i].key]; !known {
			t.firsts[t.forms[i].key] = i
		}
	}
	return t
}

// Keys returns the first statement with each key. Statements that say the same in the same words have one key.
func (t *Text) Keys() map[string]int { return t.firsts }

// Key returns the key of a statement, and how many words it has.
func (t *Text) Key(i int) (key string, words int) { return t.forms[i].key, len(t.forms[i].words) }

// has reports whether a text has a statement with a key.
func (t *Text) has(key string) bool {
	_, is := t.firsts[key]
	return is
}

// says reports whether a path or a span stands somewhere in a text.
func (t *Text) says(w string) bool {
	if w == "" {
		return false
	}
	if t.words == nil {
		t.words = map[string]bool{}
		for _, f := range t.forms {
			for _, w := range f.words {
				t.words[w.text] = true
			}
		}
	}
	return t.words[w]
}

func (n Names) formOf(s *Statement) (f form) {
	f.words = make([]word, 0, strings.Count(s.Text, " ")+1)
	if s.Code {
		for w := range strings.FieldsSeq(s.Text) {
			f.words = append(f.words, n.word(w, true))
		}
	} else {
		n.addProse(&f, s.Text)
	}
	var key strings.Builder
	key.Grow(len(s.Text) + 1)
	for i, w := range f.words {
		if w.text == agent && i > 0 && f.words[i-1].text == agent {
			continue // "Claude Code" and "Codex" are one name each
		}
		key.WriteString(w.text)
		key.WriteByte(' ')
	}
	f.key = key.String()
	return f
}

// addProse adds the words of a sentence, of which a code span is one.
func (n Names) addProse(f *form, text string) {
	isSpan := false
	for part := range strings.SplitSeq(text, "`") {
		if isSpan {
			if part = strings.TrimSpace(part); part != "" {
				f.words = append(f.words, n.word(part, true))
			}
		} else {
			for w := range strings.FieldsSeq(part) {
				if w := n.word(w, false); w.text != "" {
					f.words = append(f.words, w)
				}
			}
		}
		isSpan = !isSpan
	}
}

// word returns a part of a statement in its comparable form.
func (n Names) word(as string, code bool) word {
	w := word{as: as, code: code}
	w.text = strings.ToLower(as)
	if !code {
		w.text = strings.TrimFunc(w.text, func(r rune) bool {
			return unicode.IsPunct(r) && r != '-' && r != '/' && r != '.' && r != '§' ||
				unicode.IsSymbol(r) && r != '<' && r != '>'
		})
		w.text = strings.TrimRight(w.text, ".-")
	}
	if n.has(w.text) {
		w.text = agent
		return w
	}
	if n := len(w.text); !code && n > 3 && w.text[n-1] == 's' && w.text[n-2] != 's' {
		w.text = w.text[:n-1]
	}
	return w
}
