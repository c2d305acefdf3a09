package jstext

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// parseNumber returns the double that s denotes: a JSON number, NaN or a signed
// Infinity.
func parseNumber(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // out of range is an infinity, as wanted
	return f
}

// formatNumber returns f as JavaScript prints it.
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0" // also for -0
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if n := len(s); s[n-2] == '0' && (s[n-3] == '-' || s[n-3] == '+') {
		s = s[:n-2] + s[n-1:] // 1e-07 is written 1e-7
	}
	return s
}

// bases are those of whole numbers, by what these begin with.
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

// integer returns the whole number that digits denote, rounded to a double.
func integer(digits string, base int) float64 {
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '-' || digits[0] == '+' {
		return math.NaN()
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
