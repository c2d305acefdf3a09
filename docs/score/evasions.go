package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// An evasion writes a secret so that a person, a shell or a parser still gets it.
type evasion struct {
	name  string
	write func(secret string) string
}

// perEvasion is how many secrets each evasion hides.
const perEvasion = 4

var evasions = []evasion{
	{"plain", func(s string) string { return "The token is " + s + " for now." }},
	{"zero width", func(s string) string { return "token: " + strings.Join(strings.Split(s, ""), "\u200b") }},
	{"soft hyphen", func(s string) string { return "token: " + s[:9] + "\u00ad" + s[9:] }},
	{"word joiner", func(s string) string { return "token: " + s[:14] + "\u2060" + s[14:] }},
	{"variation selector", func(s string) string { return "token: " + s[:20] + "\ufe0f" + s[20:] }},
	{"tag characters", func(s string) string { return "token: " + s[:8] + "\U000e0020" + s[8:] }},
	{"colours", func(s string) string { return "token: " + s[:8] + "\x1b[32m" + s[8:] + "\x1b[0m" }},
	{"base64", func(s string) string { return "data: " + base64.StdEncoding.EncodeToString([]byte("token="+s)) }},
	{"double base64", func(s string) string {
		return "data: " +
			base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("token="+s))))
	}},
	{"hex", func(s string) string { return "data: " + hex.EncodeToString([]byte("token="+s)) }},
	{"hex escapes", func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		}
		return `token = "` + b.String() + `"`
	}},
	{"percent", func(s string) string {
		return "https://example.com/?t=" + strings.ReplaceAll(url.QueryEscape(s), "_", "%5F")
	}},
	{"all percent", func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
		return "https://example.com/?t=" + b.String()
	}},
	{"entities", func(s string) string { return "token: " + strings.ReplaceAll(html.EscapeString(s), "_", "&#95;") }},
	{"all entities", func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "&#x%x;", s[i])
		}
		return "token: " + b.String()
	}},
	{"escaped underscore", func(s string) string { return "token: " + strings.ReplaceAll(s, "_", `\_`) }},
	{"JSON escapes", func(s string) string { return `{"token": "` + strings.ReplaceAll(s, "_", `\u005f`) + `"}` }},
	{"full width", func(s string) string {
		return "token: " + strings.Map(func(r rune) rune {
			if r > ' ' && r < 0x7f {
				return r + 0xfee0
			}
			return r
		}, s)
	}},
	{"emphasis", func(s string) string { return "token: " + s[:4] + "**" + s[4:] + "**" }},
	{"two lines", func(s string) string { return "token: " + s[:24] + "\n" + s[24:] }},
	{"continued line", func(s string) string { return "export TOKEN=" + s[:18] + "\\\n" + s[18:] }},
	{"joined strings", func(s string) string { return `token = "` + s[:12] + `" + "` + s[12:] + `"` }},
	{"quoted printable", func(s string) string { return "token: " + s[:22] + "=\n" + s[22:] }},
	{"broken UTF-8 beside it", func(s string) string { return "token: \xff\xfe\xfd" + s + "\xff" }},
	{"NUL in the file", func(s string) string { return "a\x00b\x00\ntoken: " + s + "\n\x00" }},
	{"UTF-16", func(s string) string { return string(utf16Bytes("\ufefftoken: " + s + "\n")) }},
	{"UTF-16 without mark", func(s string) string { return string(utf16Bytes("token: " + s + "\n")) }},
	{"comment of HTML", func(s string) string { return "<!-- " + s + " -->" }},
	{"Kubernetes secret", func(s string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  password: " +
			base64.StdEncoding.EncodeToString([]byte(s[4:16])) + "\n"
	}},
}

func utf16Bytes(s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// token returns a made-up secret in the form of a GitHub token.
func token(r *rand.Rand) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := []byte("ghp_")
	for range 36 {
		b = append(b, letters[r.IntN(len(letters))])
	}
	return string(b)
}

// evasions counts the ways of hiding a secret that are all seen through.
func (s scorer) evasions(w io.Writer) error {
	dir, err := os.MkdirTemp("", "score-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	random := rand.New(rand.NewPCG(20261123, 11))
	for i, e := range evasions {
		for k := range perEvasion {
			path := filepath.Join(dir, fmt.Sprintf("e%02d-%d.md", i, k))
			if err := os.WriteFile(path, []byte(e.write(token(random))), 0o600); err != nil {
				return err
			}
		}
	}
	findings, _, err := s.audit(dir)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for _, f := range findings {
		if f.Family == "secret" && f.Severity != "low" {
			found[filepath.Base(f.Path)] = true
		}
	}
	whole := 0
	for i, e := range evasions {
		n := 0
		for k := range perEvasion {
			if found[fmt.Sprintf("e%02d-%d.md", i, k)] {
				n++
			}
		}
		if n == perEvasion {
			whole++
		} else if s.list {
			fmt.Fprintf(w, "  %s: %d of %d\n", e.name, n, perEvasion)
		}
	}
	fmt.Fprintf(w, "evasions: %d of %d\n", whole, len(evasions))
	return nil
}
