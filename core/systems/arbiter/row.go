package arbiter

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// columns are those of the table lessons, in the order of a stored form.
var columns = [...]string{
	"id", "tenant_id", "agent_id", "signature", "lesson_text", "hit_count", "created_at", "updated_at", "last_seen_at",
}

// The places of the columns.
const (
	colID = iota
	colTenant
	colAgent
	colSignature
	colText
	colHits
	colCreated
	colUpdated
	colSeen
	width
)

// What Arbiter's command for lessons takes.
const (
	defaultAgent   = "index"
	signatureBytes = 200
	textBytes      = 4096
)

// row is a row of the table lessons: a value of SQLite in each column.
type row [width]any

// blob is a value that SQLite stores as bytes and not as text.
type blob string

func (r *row) text(col int) string {
	switch v := r[col].(type) {
	case string:
		return v
	case blob:
		return string(v)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

func (r *row) number(col int) int64 {
	n, _ := r[col].(int64)
	return n
}

// odd names the first column whose value is not of the sort that Arbiter writes, or
// returns "".
func (r *row) odd() string {
	for col, v := range r {
		text := col == colAgent || col == colSignature || col == colText
		switch v := v.(type) {
		case int64:
			if text {
				return columns[col]
			}
		case string:
			if !text || !utf8.ValidString(v) || strings.IndexByte(v, 0) >= 0 {
				return columns[col]
			}
		default:
			return columns[col]
		}
	}
	return ""
}

// The members that stand for values which JSON has no words for.
const (
	asText = "text" // text that is not UTF-8, in base 64
	asBlob = "blob" // bytes, in base 64
	asReal = "real" // a number with a fraction, or one that is none
)

// encode returns the stored form of a row: a JSON object with its columns in their
// order.
func (r *row) encode() string {
	var b bytes.Buffer
	for col, v := range r {
		b.WriteByte(",{"[min(1, max(0, 1-col))])
		b.WriteString(`"` + columns[col] + `":`)
		encodeValue(&b, v)
	}
	b.WriteByte('}')
	return b.String()
}

func encodeValue(b *bytes.Buffer, v any) {
	wrapped := func(as, text string) { fmt.Fprintf(b, `{"%s":"%s"}`, as, text) }
	switch v := v.(type) {
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case float64:
		wrapped(asReal, strconv.FormatFloat(v, 'g', -1, 64))
	case blob:
		wrapped(asBlob, base64.StdEncoding.EncodeToString([]byte(v)))
	case string:
		if !utf8.ValidString(v) {
			wrapped(asText, base64.StdEncoding.EncodeToString([]byte(v)))
			return
		}
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		_ = e.Encode(v) // a text has a form
		b.Truncate(b.Len() - 1)
	default:
		b.WriteString("null")
	}
}

// decodeRow returns the row of a stored form. Members that it lacks are as Arbiter fills
// them in; others than the columns are refused.
func decodeRow(stored string) (row, error) {
	r := row{nil, int64(0), "", "", "", int64(0), int64(0), int64(0), int64(0)}
	d := json.NewDecoder(strings.NewReader(stored))
	members := map[string]json.RawMessage{}
	if err := d.Decode(&members); err != nil {
		return r, fmt.Errorf("no row of the table: %w", err)
	}
	switch _, err := d.Token(); {
	case members == nil:
		return r, errors.New("no row of the table: null is no object")
	case !errors.Is(err, io.EOF):
		return r, errors.New("no row of the table: more follows")
	}
	for col, name := range columns {
		raw, ok := members[name]
		if !ok {
			continue
		}
		delete(members, name)
		v, err := decodeValue(raw)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		r[col] = v
	}
	for name := range members {
		return r, fmt.Errorf("there is no column %q", name)
	}
	return r, nil
}

func decodeValue(raw json.RawMessage) (any, error) {
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case 'n':
		return nil, nil
	case '{':
		return decodeWrapped(raw)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%.20s is no whole number", raw)
	}
	return n, nil
}

func decodeWrapped(raw json.RawMessage) (any, error) {
	var w map[string]string
	if err := json.Unmarshal(raw, &w); err != nil || len(w) != 1 {
		return nil, fmt.Errorf("%.20s is no value", raw)
	}
	for as, text := range w {
		if as == asReal {
			return strconv.ParseFloat(text, 64)
		}
		data, err := base64.StdEncoding.DecodeString(text)
		switch {
		case err != nil:
			return nil, err
		case as == asBlob:
			return blob(data), nil
		case as == asText:
			return string(data), nil
		}
	}
	return nil, fmt.Errorf("%.20s is no value", raw)
}

// lessonID returns the name of a lesson, as Arbiter prints it.
func lessonID(id int64) memory.ID { return memory.ID("#" + strconv.FormatInt(id, 10)) }

// newLesson is the name of a lesson that is not stored yet: the database numbers it.
const newLesson memory.ID = "#new"

// idOf returns the name of the record of a row.
func (r *row) idOf() memory.ID {
	if id, ok := r[colID].(int64); ok {
		return lessonID(id)
	}
	return newLesson
}
