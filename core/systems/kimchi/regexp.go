package kimchi

import (
	"slices"
	"strconv"
	"strings"
)

// Both systems look for threats with backtracking engines, whose patterns repeat a
// thousand times over and look behind themselves: package regexp takes neither. These
// expressions say only whether there is a match, and find that out by stepping a whole
// set of positions through the pattern at once, so that the time is linear in the text.
// What they know of the syntax is what the patterns use.

// A subject is a text that is searched, by code points.
type subject []rune

// A node is a part of an expression. From the positions at, in order, it returns those
// at which a match of it can end, in order and each once.
type node interface {
	step(s subject, at []int) []int
}

type (
	literal  []rune
	sequence []node
	choice   []node
	// chars matches min to max characters of a class.
	chars struct {
		in       func(rune) bool
		min, max int
	}
	// repeat matches another node min to max times.
	repeat struct {
		node
		min, max int
	}
	// assertion matches nothing where it holds.
	assertion func(s subject, i int) bool
)

func (l literal) step(s subject, at []int) []int {
	var out []int
	for _, q := range at {
		if end := q + len(l); end <= len(s) && slices.Equal(s[q:end], subject(l)) {
			out = append(out, end)
		}
	}
	return out
}

func (n sequence) step(s subject, at []int) []int {
	for _, part := range n {
		if len(at) == 0 {
			break
		}
		at = part.step(s, at)
	}
	return at
}

func (n choice) step(s subject, at []int) []int {
	var out []int
	for _, part := range n {
		out = united(out, part.step(s, at))
	}
	return out
}

// step relies on the order of at: the ends of what can be matched from each position
// are ranges whose bounds never go back.
func (c chars) step(s subject, at []int) []int {
	var out []int
	end, next := 0, 0
	for _, q := range at {
		if end < q {
			end = q
		}
		for end < len(s) && c.in(s[end]) {
			end++
		}
		last := min(end, q+c.max)
		for p := max(q+c.min, next); p <= last; p++ {
			out = append(out, p)
		}
		next = max(next, last+1)
	}
	return out
}

func (n repeat) step(s subject, at []int) []int {
	var out []int
	if n.min == 0 {
		out = at
	}
	for i := 1; i <= n.max && len(at) > 0; i++ {
		if at = n.node.step(s, at); i >= n.min {
			out = united(out, at)
		}
	}
	return out
}

func (holds assertion) step(s subject, at []int) []int {
	var out []int
	for _, q := range at {
		if holds(s, q) {
			out = append(out, q)
		}
	}
	return out
}

// united returns the positions that are in either set.
func united(a, b []int) []int {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// An expression is a compiled pattern.
type expression struct {
	node
	// needs is a text without which nothing matches; empty when there is none.
	needs string
}

// in reports whether the expression matches anywhere in a text, which is given both
// ways.
func (e expression) in(s subject, text string) bool {
	if !strings.Contains(text, e.needs) {
		return false
	}
	from := make([]int, 0, len(s)+1)
	for i := range len(s) + 1 {
		from = append(from, i)
	}
	return len(e.step(s, from)) > 0
}

// many stands for no upper limit of a repetition.
const many = 1 << 30

// compile reads a pattern, in which space and word are what \s and \w match, for texts
// whose letters went through fold. It panics on syntax that it does not know: the
// patterns are ours.
func compile(pattern string, space, word func(rune) bool, fold func(rune) rune) expression {
	p := parser{rest: []rune(pattern), space: space, word: word, fold: fold}
	n := p.choice()
	if len(p.rest) > 0 {
		panic("pattern ends early: " + pattern)
	}
	e := expression{node: n}
	if all, is := n.(sequence); is {
		for _, part := range all {
			if l, is := part.(literal); is && len(string(l)) > len(e.needs) {
				e.needs = string(l)
			}
		}
	}
	return e
}

type parser struct {
	rest        []rune
	space, word func(rune) bool
	fold        func(rune) rune
}

func (p *parser) eat(prefix string) bool {
	if !strings.HasPrefix(string(p.rest[:min(len(p.rest), len(prefix))]), prefix) {
		return false
	}
	p.rest = p.rest[len(prefix):]
	return true
}

func (p *parser) next() rune {
	r := p.rest[0]
	p.rest = p.rest[1:]
	return r
}

// choice reads up to the end, or to the bracket that closes a group.
func (p *parser) choice() node {
	all := choice{p.sequence()}
	for p.eat("|") {
		all = append(all, p.sequence())
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

func (p *parser) sequence() node {
	var all sequence
	for len(p.rest) > 0 && p.rest[0] != '|' && p.rest[0] != ')' {
		n := p.quantified(p.atom())
		if l, is := n.(literal); is && len(all) > 0 {
			if before, is := all[len(all)-1].(literal); is {
				all[len(all)-1] = append(slices.Clip(before), l...)
				continue
			}
		}
		all = append(all, n)
	}
	return all
}

func (p *parser) atom() node {
	switch {
	case p.eat("(?<![A-Za-z])"):
		return assertion(func(s subject, i int) bool { return i == 0 || !isLetter(s[i-1]) })
	case p.eat("(?![A-Za-z])"):
		return assertion(func(s subject, i int) bool { return i == len(s) || !isLetter(s[i]) })
	case p.eat("(?:"), p.eat("("):
		n := p.choice()
		if !p.eat(")") {
			panic("a group has no end")
		}
		return n
	case p.eat("["):
		return chars{p.class(), 1, 1}
	case p.eat(`\s`):
		return chars{p.space, 1, 1}
	case p.eat(`\w`):
		return chars{p.word, 1, 1}
	case p.eat(`\b`):
		word := p.word
		return assertion(func(s subject, i int) bool {
			return (i > 0 && word(s[i-1])) != (i < len(s) && word(s[i]))
		})
	}
	p.eat(`\`)
	return literal{p.fold(p.next())}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// class reads a class of characters, behind its opening bracket.
func (p *parser) class() func(rune) bool {
	not := p.eat("^")
	var in []func(rune) bool
	for !p.eat("]") {
		switch {
		case p.eat(`\s`):
			in = append(in, p.space)
		case p.eat(`\n`):
			in = append(in, func(r rune) bool { return r == '\n' })
		default:
			p.eat(`\`)
			low := p.fold(p.next())
			high := low
			if len(p.rest) > 1 && p.rest[0] == '-' && p.rest[1] != ']' {
				p.eat("-")
				high = p.fold(p.next())
			}
			in = append(in, func(r rune) bool { return r >= low && r <= high })
		}
	}
	return func(r rune) bool {
		return slices.ContainsFunc(in, func(is func(rune) bool) bool { return is(r) }) != not
	}
}

// quantified reads how often a part is to match, if that is said.
func (p *parser) quantified(n node) node {
	least, most := 1, 1
	switch {
	case p.eat("?"):
		least = 0
	case p.eat("*"):
		least, most = 0, many
	case p.eat("+"):
		most = many
	case p.eat("{"):
		end := slices.Index(p.rest, '}')
		from, to, _ := strings.Cut(string(p.rest[:end]), ",")
		least, _ = strconv.Atoi(from)
		if most = many; to != "" {
			most, _ = strconv.Atoi(to)
		}
		p.rest = p.rest[end+1:]
	default:
		return n
	}
	if c, is := n.(chars); is {
		return chars{c.in, least, most}
	}
	return repeat{n, least, most}
}
