// Package shell says which commands a shell line has.
package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits on what is read of a line. A line that is longer, or in which more brackets lie within each other, has no
// commands: nobody typed it.
const (
	mostLine     = 64 << 10 // bytes
	mostCommands = 200
	mostBrackets = 200
	mostNested   = 4 // shells within shells
)

// Command is a simple command of a line.
type Command struct {
	Text  string   // as written, without redirections at its end
	Words []string // without quotes, variables that are set for it first; at least one
	// After is the operator before it: "&&", "||", "|", ";", or "" for the first.
	After string
	// Inner is set for a command whose output is a part of another, and for one that a shell runs for the option -c.
	Inner bool
}

// Split returns the simple commands of a line in the order in which they stand there. What a here document says is
// no command, and neither is a comment. If a part of the line is no shell, it returns the commands before it.
func Split(line string) []Command {
	r := reader{}
	r.read(line, "", false)
	return r.all
}

// reader collects commands.
type reader struct {
	line   string
	nested int
	all    []Command
}

// read adds the commands of a line.
func (r *reader) read(line, after string, inner bool) {
	if len(line) > mostLine || strings.Count(line, "(")+strings.Count(line, "{") > mostBrackets ||
		r.nested > mostNested {
		return
	}
	outer := r.line
	r.line = line
	for stmt, err := range syntax.NewParser().StmtsSeq(strings.NewReader(line)) {
		if err == nil && stmt != nil { // to leave the loop at an error makes the parser panic
			r.stmt(stmt, after, inner)
			after = ";"
		}
	}
	r.line = outer
}

// list adds the commands of a list.
func (r *reader) list(stmts []*syntax.Stmt, after string, inner bool) {
	for _, s := range stmts {
		r.stmt(s, after, inner)
		after = ";"
	}
}

// stmt adds the commands of a statement that follows an operator.
func (r *reader) stmt(s *syntax.Stmt, after string, inner bool) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(c, after, inner)
	case *syntax.DeclClause:
		r.declaration(c, after, inner)
	case *syntax.BinaryCmd:
		r.stmt(c.X, after, inner)
		operator := c.Op.String()
		if c.Op == syntax.PipeAll {
			operator = syntax.Pipe.String()
		}
		r.stmt(c.Y, operator, inner)
	case *syntax.Subshell:
		r.list(c.Stmts, after, inner)
	case *syntax.Block:
		r.list(c.Stmts, after, inner)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			r.stmt(c.Stmt, after, inner)
		}
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.list(c.Cond, after, inner)
			r.list(c.Then, ";", inner)
			after = ";"
		}
	case *syntax.WhileClause:
		r.list(c.Cond, after, inner)
		r.list(c.Do, ";", inner)
	case *syntax.ForClause:
		r.list(c.Do, after, inner)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			r.list(item.Stmts, after, inner)
		}
	}
	for _, to := range s.Redirs {
		if to.Word != nil {
			r.within(to.Word)
		}
	}
}

// call adds a simple command, and before it those that it takes words from.
func (r *reader) call(c *syntax.CallExpr, after string, inner bool) {
	var words []string
	for _, a := range c.Assigns {
		words = append(words, r.assignment(a))
	}
	for _, w := range c.Args {
		words = append(words, r.word(w))
	}
	r.add(c, words, after, inner)
}

// declaration adds a command such as export.
func (r *reader) declaration(c *syntax.DeclClause, after string, inner bool) {
	words := []string{c.Variant.Value}
	for _, a := range c.Args {
		words = append(words, r.assignment(a))
	}
	r.add(c, words, after, inner)
}

// add adds a command, and what a shell runs that it calls.
func (r *reader) add(node syntax.Node, words []string, after string, inner bool) {
	if len(words) == 0 || len(r.all) >= mostCommands {
		return
	}
	r.all = append(r.all, Command{Text: r.text(node), Words: words, After: after, Inner: inner})
	if script, runs := scriptOf(words); runs {
		r.nested++
		r.read(script, ";", true)
		r.nested--
	}
}

// text returns what is written of a node.
func (r *reader) text(node syntax.Node) string {
	from, to := int(node.Pos().Offset()), int(node.End().Offset())
	return r.line[min(from, len(r.line)):min(to, len(r.line))]
}

// assignment returns a variable with its value. The value of a list stays as it is written.
func (r *reader) assignment(a *syntax.Assign) string {
	if a.Naked || a.Array != nil || a.Name == nil {
		return r.text(a)
	}
	value := ""
	if a.Value != nil {
		value = r.word(a.Value)
	}
	return a.Name.Value + "=" + value
}

// word returns a word without its quotes. What a shell would put in place of a part stays as it is written.
func (r *reader) word(w *syntax.Word) string {
	r.within(w)
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					b.WriteString(unescaped(lit.Value, "\"\\$`\n"))
				} else {
					b.WriteString(r.text(inner))
				}
			}
		default:
			b.WriteString(r.text(part))
		}
	}
	return b.String()
}

// unescaped returns a text without the backslashes that escape one of the characters, or any if none are given.
func unescaped(text, characters string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		escapes := text[i] == '\\' && i+1 < len(text)
		if !escapes || characters != "" && strings.IndexByte(characters, text[i+1]) < 0 {
			b.WriteByte(text[i])
			continue
		}
		if i++; text[i] != '\n' {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// within adds the commands of which a word takes the output.
func (r *reader) within(w *syntax.Word) {
	syntax.Walk(w, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst:
			r.list(n.Stmts, ";", true)
			return false
		case *syntax.ProcSubst:
			r.list(n.Stmts, ";", true)
			return false
		}
		return true
	})
}

// scriptOf returns what a command has a shell run: the word behind an option like -c or -lc, or the words of eval.
func scriptOf(words []string) (string, bool) {
	shells := []string{"sh", "bash", "zsh", "dash", "eval"}
	at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(shells, path.Base(w)) })
	if at < 0 {
		return "", false
	}
	rest := words[at+1:]
	if words[at] == "eval" {
		return strings.Join(rest, " "), len(rest) > 0
	}
	takesScript := func(w string) bool {
		return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "c")
	}
	option := slices.IndexFunc(rest, takesScript)
	if option < 0 || option+1 >= len(rest) {
		return "", false
	}
	return rest[option+1], true
}
