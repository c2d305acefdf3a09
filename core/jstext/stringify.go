package jstext

import "strings"

// AppendQuoted appends s as JSON.stringify writes a string: lone surrogates as
// \udxxx, everything that needs no escape as it is.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := plain(s, 0)
		dst = appendSurrogates(dst, s[:i])
		if i == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[i])
		s = s[i+1:]
	}
}

// appendSurrogates appends s with its lone surrogates escaped.
func appendSurrogates(dst []byte, s string) []byte {
	for i := nextSurrogate(s); i >= 0; i = nextSurrogate(s) {
		dst = append(dst, s[:i]...)
		dst = appendHex(dst, surrogate(s[i:]))
		s = s[i+3:]
	}
	return append(dst, s...)
}

func appendEscape(dst []byte, c byte) []byte {
	short := c
	switch c {
	case '"', '\\':
	case '\b':
		short = 'b'
	case '\t':
		short = 't'
	case '\n':
		short = 'n'
	case '\f':
		short = 'f'
	case '\r':
		short = 'r'
	default:
		return appendHex(dst, rune(c))
	}
	return append(dst, '\\', short)
}

func appendHex(dst []byte, unit rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}

// AppendJSON appends v as JSON.stringify(v) writes it.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendIndent(dst, 0) }

// AppendIndent appends v as JSON.stringify(v, null, n) writes it; n is 1 to 10.
func (v Value) AppendIndent(dst []byte, n int) []byte { return v.appendIndent(dst, n) }

// appendIndent keeps the open containers on a stack of its own: values may be
// nested deeper than the call stack should grow.
func (v Value) appendIndent(dst []byte, indent int) []byte {
	type frame struct {
		v Value
		i int
	}
	var buf [8]frame
	open := buf[:0]
	for {
		if len(v.kids) > 0 {
			dst = append(dst, bracket(v.kind, '[', '{'))
			open = append(open, frame{v: v})
		} else {
			dst = v.appendLeaf(dst)
		}
		for len(open) > 0 && open[len(open)-1].i == open[len(open)-1].v.Len() {
			top := open[len(open)-1].v
			open = open[:len(open)-1]
			dst = appendLine(dst, indent, len(open))
			dst = append(dst, bracket(top.kind, ']', '}'))
		}
		if len(open) == 0 {
			return dst
		}
		top := &open[len(open)-1]
		if top.i > 0 {
			dst = append(dst, ',')
		}
		dst = appendLine(dst, indent, len(open))
		m := &top.v.kids[top.i]
		if top.v.kind == Object {
			dst = append(AppendQuoted(dst, m.Key), ':')
			if indent > 0 {
				dst = append(dst, ' ')
			}
		}
		v = m.Value
		top.i++
	}
}

func bracket(k Kind, array, object byte) byte {
	if k == Array {
		return array
	}
	return object
}

// appendLine begins a line at the given depth, when lines are indented at all.
func appendLine(dst []byte, indent, depth int) []byte {
	if indent == 0 {
		return dst
	}
	dst = append(dst, '\n')
	for range indent * depth {
		dst = append(dst, ' ')
	}
	return dst
}

// appendLeaf appends a value that has no elements or members.
func (v Value) appendLeaf(dst []byte) []byte {
	switch v.kind {
	case Bool:
		return append(dst, v.ToString()...)
	case Number:
		return appendNumber(dst, v.str)
	case String:
		return AppendQuoted(dst, v.str)
	case Array:
		return append(dst, "[]"...)
	case Object:
		return append(dst, "{}"...)
	}
	return append(dst, "null"...)
}

// appendNumber appends the number with the given source, which is kept where it
// is canonical beyond doubt.
func appendNumber(dst []byte, s string) []byte {
	if len(s) <= 15 && isWhole(s) {
		return append(dst, s...)
	}
	s = formatNumber(parseNumber(s))
	if c := s[len(s)-1]; c == 'N' || c == 'y' {
		return append(dst, "null"...)
	}
	return append(dst, s...)
}

// isWhole reports whether the source of a number has digits alone, and is not -0.
func isWhole(s string) bool {
	return s != "-0" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == ""
}
