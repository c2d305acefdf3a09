package jsonl

import (
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// Splice returns the file with the parts replaced. Parts are in order, do not
// overlap, and their offsets are of the file before. It is false when a part does
// not find its old bytes at its place.
func Splice(file string, parts []memory.Splice) (string, bool) {
	if len(parts) == 0 {
		return file, true
	}
	var out strings.Builder
	out.Grow(len(file))
	from := int64(0)
	for _, p := range parts {
		if p.At < from || p.At > int64(len(file)) || !strings.HasPrefix(file[p.At:], p.Old) {
			return "", false
		}
		out.WriteString(file[from:p.At])
		out.WriteString(p.New)
		from = p.At + int64(len(p.Old))
	}
	out.WriteString(file[from:])
	return out.String(), true
}

// Inverse returns the parts that take back what the parts do.
func Inverse(parts []memory.Splice) []memory.Splice {
	out := make([]memory.Splice, len(parts))
	moved := int64(0)
	for i, p := range parts {
		out[i] = memory.Splice{At: p.At + moved, Old: p.New, New: p.Old}
		moved += int64(len(p.New) - len(p.Old))
	}
	return out
}

// difference returns what turns old, which stands at the offset, into new: one part
// without the bytes that both begin and end with. It cuts no character in two.
func difference(at int, old, new string) memory.Splice {
	i := 0
	for i < len(old) && i < len(new) && old[i] == new[i] {
		i++
	}
	for i > 0 && (!starts(old, i) || !starts(new, i)) {
		i--
	}
	a, b := len(old), len(new)
	for a > i && b > i && old[a-1] == new[b-1] {
		a, b = a-1, b-1
	}
	for a < len(old) && !starts(old, a) {
		a, b = a+1, b+1
	}
	return memory.Splice{At: int64(at + i), Old: old[i:a], New: new[i:b]}
}

// starts reports whether a character of s can begin at i.
func starts(s string, i int) bool { return i >= len(s) || utf8.RuneStart(s[i]) }

// appendPart adds a part of the file behind the others, joining those that touch.
func appendPart(parts []memory.Splice, p memory.Splice, file string) []memory.Splice {
	if p.Old == p.New {
		return parts
	}
	if n := len(parts); n > 0 {
		if last := &parts[n-1]; last.At+int64(len(last.Old)) == p.At {
			last.Old = file[last.At : p.At+int64(len(p.Old))]
			last.New += p.New
			return parts
		}
	}
	return append(parts, p)
}

// Difference returns the one part by which two files differ, or none.
func Difference(from, to string) []memory.Splice {
	return appendPart(nil, difference(0, from, to), from)
}
