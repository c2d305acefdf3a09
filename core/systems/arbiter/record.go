package arbiter

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/memory"
)

// titleBytes is how much of a text stands for a signature that is empty.
const titleBytes = 80

// lessonRecord returns the record of a row of the table lessons. Stored is its stored
// form; long is set when a text was too long to be read.
func (s *schema) lessonRecord(r *row, stored string, long int) memory.Record {
	signature, text := wellFormed(r.text(colSignature)), wellFormed(r.text(colText))
	rec := memory.Record{
		ID: r.idOf(), Title: signature, Body: text, Raw: stored,
		Created: moment(r.number(colCreated)), Count: countOf(r[colHits]),
		Scope: wellFormed(s.scope(r.number(colTenant), r.text(colAgent))),
	}
	if signature == "" {
		rec.Title = firstLine(text)
	}
	if r.number(colHits) > 0 {
		rec.Used = moment(r.number(colSeen))
	}
	tenant, agent, _ := cutLast(rec.Scope)
	rec.Facts = []memory.Fact{{Name: "tenant", Text: tenant}, {Name: "agent", Text: agent}}
	if signature == "" {
		rec.Facts = append(rec.Facts, memory.Fact{Name: "signature", Text: "empty"})
	}
	if u := r.number(colUpdated); u != r.number(colCreated) {
		rec.Facts = append(rec.Facts, memory.Fact{Name: "updated", Text: moment(u).Text})
	}
	if r.number(colHits) == 0 && r.number(colSeen) != r.number(colCreated) {
		rec.Facts = append(rec.Facts, memory.Fact{Name: "last seen", Text: moment(r.number(colSeen)).Text})
	}
	rec.Notes = oddities(signature, text)
	switch col := r.odd(); {
	case long > 0:
		rec.RawLen = max(long, len(stored)+1)
		rec.Problem = &memory.Problem{
			Code: "too-long", What: fmt.Sprintf("A text of this row is %d bytes long and was not read.", long), Hint: "look at it with sqlite3; Arbiter itself stores at most 4096",
		}
	case col != "" && r[colID] != nil:
		rec.Problem = &memory.Problem{
			Code: "odd-row", What: "The column " + col + " holds what Arbiter never writes there.", Hint: "delete the lesson, or look at it with sqlite3",
		}
	}
	annotate.Mark(&rec)
	return rec
}

// cutLast parts a scope into tenant and agent. The name of a tenant may hold a slash, so
// may that of an agent; nearly none does.
func cutLast(scope string) (tenant, agent string, ok bool) { return strings.Cut(scope, "/") }

// oddities says what is odd about a lesson, as far as the way of writing it explains.
func oddities(signature, text string) (notes []string) {
	if strings.HasPrefix(text, "//") && (strings.HasSuffix(signature, "http") || strings.HasSuffix(signature, "https")) {
		notes = append(notes, "The first colon of the writ was that of a URL, so the signature ends in the middle of it.")
	}
	switch verb, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimLeft(signature, " \t"), "\t", " "), " "); verb {
	case "list", "search", "delete":
		notes = append(notes, "The signature begins with the verb "+verb+": no writ can record it so.")
	}
	if len(signature) > signatureBytes || len(text) > textBytes {
		notes = append(notes, "It is longer than a writ may be.")
	}
	return notes
}

// countOf returns a number of hits.
func countOf(v any) memory.Count {
	if n, ok := v.(int64); ok && n >= 0 && n == int64(int(n)) {
		return memory.Count{N: int(n)}
	}
	return memory.Count{Odd: fmt.Sprintf("%.40v", v)}
}

// moment returns a date that is stored in seconds.
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

// firstLine returns the beginning of a text as a title.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if len(line) <= titleBytes {
		return line
	}
	cut := titleBytes
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}
