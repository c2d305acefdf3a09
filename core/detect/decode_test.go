package detect

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Removing the first characters of a text must not copy the text once for each of them.
func TestDecodeRemovesRunesInOneCopy(t *testing.T) {
	text := strings.Repeat("\u200b\u200c", 10_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, ok := decode(text, invisibleRunes)
	runtime.ReadMemStats(&after)
	if !ok || d.text != "" {
		t.Fatalf("decoded %q %v", d.text, ok)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16*uint64(len(text)) {
		t.Errorf("%d bytes were taken for a text of %d", took, len(text))
	}
}

// The span of a secret covers its whole encoding, also for one encoding inside another.
func TestSecretsAreFoundInEveryEncoding(t *testing.T) {
	const secret = "ghp_" + fakeBody
	encode := base64.StdEncoding.EncodeToString
	each := func(format string) string {
		var out strings.Builder
		for i := range len(secret) {
			fmt.Fprintf(&out, format, secret[i])
		}
		return out.String()
	}
	for name, spelled := range map[string]string{
		"base64 of base64":     encode([]byte(encode([]byte(secret)))),
		"hexadecimal":          hex.EncodeToString([]byte(secret)),
		"hexadecimal escapes":  each(`\x%02x`),
		"octal escapes":        each(`\%03o`),
		"entities":             each("&#%d;"),
		"a named entity":       strings.Replace(secret, "_", "&lowbar;", 1),
		"Markdown":             strings.Replace(secret, "_", `\_`, 1),
		"Markdown in JSON":     strings.Replace(secret, "_", `\\_`, 1),
		"percents of entities": strings.ReplaceAll(each("%%26#%d;"), ";", "%3B"),
		"entities of base64":   strings.ReplaceAll(encode([]byte("my key: "+secret)), "a", "&#97;"),
		"wrapped base64": encode([]byte(strings.Repeat("text. ", 5) + secret))[:76] + "\n" +
			encode([]byte(strings.Repeat("text. ", 5) + secret))[76:],
		"percents of a base64 end": strings.ReplaceAll(encode([]byte(secret+"1")), "=", "%3D"),
	} {
		s := "é a " + spelled + " b"
		want := []Span{{4 + 1, 4 + 1 + len(spelled), "github-pat"}}
		if got := Secrets(s); !slices.Equal(got, want) {
			t.Errorf("%s: %s: got %v, want %v", name, s, got, want)
		}
		if got := Redact(s); got != "é a "+Redacted+" b" {
			t.Errorf("%s: redacted to %s", name, got)
		}
	}
	full := strings.Map(func(r rune) rune { return r + 0xFEE0 }, secret)
	if got := Redact("a " + full + " b"); got != "a "+Redacted+" b" {
		t.Errorf("full width: redacted to %s", got)
	}
	if got := Redact(`x = "` + secret[:9] + `" + "` + secret[9:] + `"`); got != `x = "`+Redacted+`"` {
		t.Errorf("joined: redacted to %s", got)
	}
}
