package plan

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"unicode/utf16"

	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/memory"
)

// RedactText returns the text of a file without the given secrets, and the number of replacements.
// A secret is replaced wherever it occurs, in any spelling. One that is not [detect.Distinctive] is
// replaced only where a rule finds it. With lines, each line is a JSON text of its own. JSON stays
// valid. UTF-16 is kept as UTF-16 if it is valid; a byte order mark before any other text changes
// nothing.
func RedactText(text []byte, lines bool, secrets []string) ([]byte, int) {
	if order, ok := isUTF16(text); ok {
		if narrow, whole := toUTF8(text, order); whole {
			if out, n := RedactText(narrow, lines, secrets); n > 0 {
				return toUTF16(out, order), n
			}
		}
		if !bytes.HasPrefix(text, []byte("\xff\xfe")) && !bytes.HasPrefix(text, []byte("\xfe\xff")) {
			return text, 0
		}
	}
	redaction := memory.Redaction{Only: []string{}}
	// A secret can have been found in very many places.
	for _, s := range slices.Compact(slices.Sorted(slices.Values(secrets))) {
		if detect.Distinctive(s) {
			redaction.Also = append(redaction.Also, s)
		} else if s != "" {
			redaction.Found = append(redaction.Found, s)
		}
	}
	if !lines {
		return redactWhole(text, redaction)
	}
	return redactLines(text, redaction)
}

// redactLines redacts a text line by line. It searches for the texts once for all lines.
func redactLines(text []byte, redaction memory.Redaction) ([]byte, int) {
	spans := detect.NewTextSet(redaction.Also).Find(string(text))
	if len(spans)+len(redaction.Found) == 0 {
		return text, 0
	}
	out := make([]byte, 0, len(text))
	n, at := 0, 0
	for line := range bytes.Lines(text) {
		end := at + len(line)
		for len(spans) > 0 && spans[0].End <= at {
			spans = spans[1:]
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		if len(redaction.Found) > 0 || len(spans) > 0 && spans[0].Start < end {
			redacted, places := jsonl.Redacted(string(body), redaction)
			out = append(out, redacted...)
			n += places
		} else {
			out = append(out, body...)
		}
		out = append(out, line[len(body):]...)
		at = end
	}
	return out, n
}

// redactWhole redacts a text that is not read line by line.
func redactWhole(text []byte, redaction memory.Redaction) ([]byte, int) {
	const most = 4 << 20 // longer JSON is not parsed
	s := string(text)
	if len(s) <= most && json.Valid(text) {
		out, n := jsonl.Redacted(s, redaction)
		return []byte(out), n
	}
	out, n := jsonl.RedactedText(s, redaction)
	return []byte(out), n
}

// isUTF16 reports whether a text is UTF-16: by its byte order mark, or because nearly every other byte
// is 0.
func isUTF16(text []byte) (binary.ByteOrder, bool) {
	switch {
	case len(text) < 4 || len(text)%2 != 0:
		return nil, false
	case bytes.HasPrefix(text, []byte("\xff\xfe")) && (text[2] != 0 || text[3] != 0):
		return binary.LittleEndian, true
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return binary.BigEndian, true
	}
	var zeros [2]int
	head := text[:min(len(text), 8<<10)]
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most, few := len(head)/3, len(head)/64
	switch {
	case zeros[1] > most && zeros[0] <= few:
		return binary.LittleEndian, true
	case zeros[0] > most && zeros[1] <= few:
		return binary.BigEndian, true
	}
	return nil, false
}

// toUTF8 converts UTF-16 to UTF-8. It returns false if the text is not valid.
func toUTF8(text []byte, order binary.ByteOrder) ([]byte, bool) {
	units := make([]uint16, len(text)/2)
	_, _ = binary.Decode(text, order, units)
	runes := utf16.Decode(units)
	return []byte(string(runes)), slices.Equal(utf16.Encode(runes), units)
}

// toUTF16 converts UTF-8 to UTF-16.
func toUTF16(text []byte, order binary.ByteOrder) []byte {
	out, _ := binary.Append(nil, order, utf16.Encode([]rune(string(text))))
	return out
}
