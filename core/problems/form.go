package problems

import (
	"strings"
	"unicode"

	"winnow/core/compare"
)

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

// formsOf computes the forms of the statements of a text once.
func (p *Project) formsOf(t *text) *text {
	if t.keys != nil {
		return t
	}
	t.keys = map[string]int{}
	for i, s := range t.statements {
		f := p.formOf(&s)
		t.forms = append(t.forms, f)
		if _, known := t.keys[f.key]; !known {
			t.keys[f.key] = i
		}
	}
	return t
}

func (p *Project) formOf(s *compare.Statement) (f form) {
	if s.Code {
		for _, w := range strings.Fields(s.Text) {
			f.words = append(f.words, p.word(w, true))
		}
	} else {
		for i, part := range strings.Split(s.Text, "`") {
			if i%2 == 1 {
				if part = strings.TrimSpace(part); part != "" {
					f.words = append(f.words, p.word(part, true))
				}
				continue
			}
			for _, w := range strings.Fields(part) {
				if w := p.word(w, false); w.text != "" {
					f.words = append(f.words, w)
				}
			}
		}
	}
	var key strings.Builder
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

// word returns a part of a statement in its comparable form.
func (p *Project) word(as string, code bool) word {
	w := word{as: as, code: code}
	w.text = strings.ToLower(as)
	if !code {
		w.text = strings.TrimFunc(w.text, func(r rune) bool {
			return unicode.IsPunct(r) && r != '-' && r != '/' && r != '.' && r != '§' ||
				unicode.IsSymbol(r) && r != '<' && r != '>'
		})
		w.text = strings.TrimRight(w.text, ".-")
	}
	if p.isAgent(w.text) {
		w.text = agent
		return w
	}
	if n := len(w.text); !code && n > 3 && w.text[n-1] == 's' && w.text[n-2] != 's' {
		w.text = w.text[:n-1]
	}
	return w
}

// isAgent reports whether a word names an agent, one of its files or something in its folder.
func (p *Project) isAgent(w string) bool {
	w = strings.TrimSuffix(w, "'s")
	for _, name := range p.names {
		if w == name || strings.HasPrefix(w, "."+name+"/") || w == "."+name {
			return true
		}
	}
	return false
}
