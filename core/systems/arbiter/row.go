package arbiter

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/system"
)

// columns are the columns of the table lessons, in the order of the stored form.
var columns = [...]string{
	"id", "tenant_id", "agent_id", "signature", "lesson_text", "hit_count", "created_at", "updated_at", "last_seen_at",
}

// The indexes of the columns.
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

// The limits of Arbiter's command for lessons.
const (
	defaultAgent   = "index"
	signatureBytes = 200
	textBytes      = 4096
)

// row is a row of the table lessons, with one SQLite value per column.
type row [width]any

// blob is a value that SQLite stores as bytes rather than text.
type blob string

func (r *row) text(col int) string { return textOf(r[col]) }

// textOf returns a value as text.
func textOf(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func (r *row) number(col int) int64 {
	n, _ := r[col].(int64)
	return n
}

// oddColumn names the first column whose value does not have the type that Arbiter writes, or returns "".
func (r *row) oddColumn() string {
	for col, v := range r {
		text, isText := v.(string)
		_, isNumber := v.(int64)
		valid := isNumber
		if col == colAgent || col == colSignature || col == colText {
			valid = isText && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
		}
		if !valid {
			return columns[col]
		}
	}
	return ""
}

// The keys for values that JSON cannot express.
const (
	asText = "text" // text that is not UTF-8, in base 64
	asBlob = "blob" // bytes, in base 64
	asReal = "real" // a number with a fraction, or a value that is not a number
)

// encode returns the stored form of a row.
func (r *row) encode() string { return encodeRow(columns[:], r[:]) }

// encodeRow returns a row as a JSON object with the columns in order.
func encodeRow(columns []string, values []any) string {
	var b bytes.Buffer
	for col, v := range values {
		b.WriteString(`,"` + columns[col] + `":`)
		encodeValue(&b, v)
	}
	return "{" + b.String()[1:] + "}"
}

// scanRow reads the values of a row, and the length in the column after them.
func scanRow(rows interface{ Scan(...any) error }, values []any) (length int, err error) {
	to := make([]any, 0, len(values)+1)
	for i := range values {
		to = append(to, &values[i])
	}
	var n sql.NullInt64
	err = rows.Scan(append(to, &n)...)
	for i, v := range values {
		if b, ok := v.([]byte); ok {
			values[i] = blob(b)
		}
	}
	return int(n.Int64), err
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
		_ = e.Encode(v) // encoding a string cannot fail
		b.Truncate(b.Len() - 1)
	default:
		b.WriteString("null")
	}
}

// decodeRow returns the row of a stored form. Missing columns get Arbiter's defaults, and unknown
// ones are refused.
func decodeRow(stored string) (row, error) {
	r := row{nil, int64(0), "", "", "", int64(0), int64(0), int64(0), int64(0)}
	d := json.NewDecoder(strings.NewReader(stored))
	d.UseNumber()
	members := map[string]any{}
	if err := d.Decode(&members); err != nil {
		return r, fmt.Errorf("no row of the table: %w", err)
	}
	switch _, err := d.Token(); {
	case members == nil:
		return r, errors.New("no row of the table: null is no object")
	case !errors.Is(err, io.EOF):
		return r, errors.New("no row of the table: more follows")
	}
	for name, member := range members {
		col := slices.Index(columns[:], name)
		if col < 0 {
			return r, fmt.Errorf("there is no column %q", name)
		}
		var err error
		if r[col], err = decodeValue(member); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

// decodeValue returns the SQLite value for a JSON value.
func decodeValue(member any) (any, error) {
	switch v := member.(type) {
	case string, nil:
		return v, nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
	case map[string]any:
		for as, text := range v {
			if text, ok := text.(string); ok && len(v) == 1 {
				return decodeWrapped(as, text)
			}
		}
		return nil, fmt.Errorf("%.20v is no value", member)
	}
	return nil, fmt.Errorf("%.20v is no whole number", member)
}

// decodeWrapped returns a value that JSON cannot express.
func decodeWrapped(as, text string) (any, error) {
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
	return nil, fmt.Errorf("%.20q is no value", as)
}

// lessonID returns the ID of a lesson as Arbiter prints it.
func lessonID(id int64) memory.ID { return memory.ID("#" + strconv.FormatInt(id, 10)) }

// newLesson is the ID of a lesson that is not stored yet. The database assigns its number.
const newLesson memory.ID = "#new"

// idOf returns the record ID of a row.
func (r *row) idOf() memory.ID {
	if id, ok := r[colID].(int64); ok {
		return lessonID(id)
	}
	return newLesson
}

// lessonRecord returns the record of a row of the table lessons. stored is its stored form. long is
// set if a text was too long to read.
func (s *schema) lessonRecord(r *row, stored string, long int) memory.Record {
	signature, text := wellFormed(r.text(colSignature)), wellFormed(r.text(colText))
	rec := memory.Record{
		ID: r.idOf(), Title: signature, Body: text, Raw: stored,
		Created: moment(r.number(colCreated)), Count: countOf(r[colHits]),
		Scope: wellFormed(s.scope(r.number(colTenant), r.text(colAgent))),
	}
	if signature == "" {
		rec.Title = annotate.Title(text)
	}
	hits, created, updated, seen := r.number(colHits), r.number(colCreated), r.number(colUpdated), r.number(colSeen)
	if hits > 0 {
		rec.Used = moment(seen)
	}
	tenant, agent, _ := strings.Cut(rec.Scope, "/") // hardly any name contains a slash
	rec.Facts = append([]memory.Fact{{Name: "tenant", Text: tenant}, {Name: "agent", Text: agent}}, system.Facts(
		memory.Fact{Name: "signature", Text: system.Say(signature == "", "empty")},
		memory.Fact{Name: "updated", Text: system.Say(updated != created, moment(updated).Text)},
		memory.Fact{Name: "last seen", Text: system.Say(hits == 0 && seen != created, moment(seen).Text)})...)
	rec.Notes = remarks(signature, text)
	switch col := r.oddColumn(); {
	case long > 0:
		rec.RawLen = max(long, len(stored)+1)
		rec.Problem = &memory.Problem{
			Code: "too-long",
			What: fmt.Sprintf("A text of this row is %d bytes long and was not read.", long),
			Hint: "look at it with sqlite3; Arbiter itself stores at most 4096",
		}
	case col != "" && r[colID] != nil:
		rec.Problem = &memory.Problem{
			Code: "odd-row",
			What: "The column " + col + " holds what Arbiter never writes there.",
			Hint: "delete the lesson, or look at it with sqlite3",
		}
	}
	annotate.Mark(&rec)
	return rec
}

// remarks says what is odd about a lesson, as far as the way it was written explains it.
func remarks(signature, text string) []string {
	verb, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimLeft(signature, " \t"), "\t", " "), " ")
	return system.Notes(
		system.Say(
			strings.HasPrefix(text, "//") &&
				(strings.HasSuffix(signature, "http") || strings.HasSuffix(signature, "https")),
			"The first colon of the writ was that of a URL, so the signature ends in the middle of it.",
		),
		system.Say(
			slices.Contains([]string{"list", "search", "delete"}, verb),
			"The signature begins with the verb "+verb+": no writ can record it so.",
		),
		system.Say(len(signature) > signatureBytes || len(text) > textBytes, "It is longer than a writ may be."),
	)
}

// countOf returns a hit count.
func countOf(v any) memory.Count {
	if n, ok := v.(int64); ok && n >= 0 && n == int64(int(n)) {
		return memory.Count{N: int(n)}
	}
	return memory.Count{Odd: fmt.Sprintf("%.40v", v)}
}

// moment returns a time stored in seconds.
func moment(seconds int64) memory.Moment {
	const most = 253402300800 // the year 10000
	if seconds <= 0 || seconds >= most {
		if seconds == 0 {
			return memory.Moment{}
		}
		return memory.Moment{Text: fmt.Sprint(seconds)}
	}
	at := time.Unix(seconds, 0).UTC()
	return memory.Moment{Text: at.Format(time.RFC3339), Time: at}
}

func wellFormed(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
