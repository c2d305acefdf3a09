package jstext

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Quoted returns s as [AppendQuoted] writes it.
func Quoted(s string) string { return string(AppendQuoted(nil, s)) }

// AppendQuoted appends s as JSON.stringify writes a string: lone surrogates as \udxxx, and
// everything that needs no escape as it is.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := plainEnd(s, 0)
		dst = appendSurrogates(dst, s[:i], appendHex)
		if i == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[i])
		s = s[i+1:]
	}
}

// escapable are the characters with a two-character escape, and escapes are the second characters.
const (
	escapable = "\"\\/\b\f\n\r\t"
	escapes   = `"\/bfnrt`
)

func appendEscape(dst []byte, c byte) []byte {
	if i := strings.IndexByte(escapable, c); i >= 0 {
		return append(dst, '\\', escapes[i])
	}
	return appendHex(dst, rune(c))
}

func appendHex(dst []byte, unit rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}

// AppendJSON appends v as JSON.stringify(v) writes it.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendLines(dst, "", "") }

// AppendIndent appends v as JSON.stringify(v, null, n) writes it; n is 1 to 10.
func (v Value) AppendIndent(dst []byte, n int) []byte {
	return v.appendLines(dst, "\n", strings.Repeat(" ", n))
}

// appendLines appends v with each of its parts on a line of its own. line begins a line at the
// depth of v, and each level adds indent to it. Both are empty to write a single line.
func (v Value) appendLines(dst []byte, line, indent string) []byte {
	if len(v.kids) == 0 {
		return v.appendLeaf(dst)
	}
	brackets, colon, inner := "[]", ":", line+indent
	if v.kind == Object {
		brackets = "{}"
	}
	if indent != "" {
		colon = ": "
	}
	dst = append(dst, brackets[0])
	for i := range v.kids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, inner...)
		if v.kind == Object {
			dst = append(AppendQuoted(dst, v.kids[i].Key), colon...)
		}
		dst = v.kids[i].Value.appendLines(dst, inner, indent)
	}
	return append(append(dst, line...), brackets[1])
}

// appendLeaf appends a value that has no elements or members.
func (v Value) appendLeaf(dst []byte) []byte {
	switch v.kind {
	case Number:
		return appendNumber(dst, v.str)
	case String:
		return AppendQuoted(dst, v.str)
	case Array:
		return append(dst, "[]"...)
	case Object:
		return append(dst, "{}"...)
	}
	return append(dst, v.ToString()...)
}

// appendNumber appends the number with the given source. It keeps the source if that is certainly
// canonical.
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

// isWhole reports whether the source of a number consists of digits and is not -0.
func isWhole(s string) bool {
	return s != "-0" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == ""
}

// parseNumber returns the double that s denotes: a JSON number, NaN or a signed
// Infinity.
func parseNumber(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // out of range becomes an infinity, as it should
	return f
}

// formatNumber returns f as JavaScript prints it. Package json does the same, except for what JSON
// cannot express.
func formatNumber(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	if text, err := json.Marshal(f); err == nil {
		return string(text)
	}
	return strings.Replace(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"), "Inf", "Infinity", 1)
}

// bases are the number bases by prefix.
var bases = map[string]int{"0x": 16, "0o": 8, "0b": 2}

// textToNumber converts text as Number(text) does.
func textToNumber(s string) float64 {
	s = Trim(s)
	if s == "" {
		return 0
	}
	if base := bases[strings.ToLower(s[:min(2, len(s))])]; base > 0 && len(s) > 2 {
		return integer(s[2:], base)
	}
	if digits := strings.TrimLeft(s[:1], "+-") + s[1:]; digits == "Infinity" {
		return parseNumber(s)
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN() // ParseFloat would take "inf", "0x1p4" and "1_0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// integer returns the integer that digits denote, rounded to a double.
func integer(digits string, base int) float64 {
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '-' || digits[0] == '+' {
		return math.NaN()
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
