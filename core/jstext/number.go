package jstext

import (
	"encoding/json"
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

// formatNumber returns f as JavaScript prints it. So does package json, but for what JSON
// has no numbers for.
func formatNumber(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	if text, err := json.Marshal(f); err == nil {
		return string(text)
	}
	return strings.Replace(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"), "Inf", "Infinity", 1)
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
