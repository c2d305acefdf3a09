package compare

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// word is a meaningful word of a statement.
type word struct {
	id          int32
	weight      float32 // 1, or less for a word that says little
	denied      bool    // the statement denies it
	conditional bool    // it is said only on a condition
	code        bool    // in a code span of several words
}

// choice is a word that is a value of classes.
type choice struct {
	id      int32
	text    string // as written
	classes []int
	denied  bool
}

// figure is a number in a statement, with the words before and after it.
type figure struct {
	numeral
	beside [2]int32
}

// statement is one thing that a record says.
type statement struct {
	record  int // index of its record
	text    string
	words   []word // sorted by id, each once
	choices []choice
	figures []figure
	places  []int32
	spans   []string
	// heads are the first words after each denial: what not to do.
	heads   []int32
	placing bool // it says where something is
	past    bool // it was true in the past
	listed  bool // one of several that differ only in a number
	hedged  bool // it has exceptions
	bound   int8 // -1 for "at most", 1 for "at least"
	weight  float32
}

// reader parses statements. It numbers words, so that comparing them is fast.
type reader struct {
	*lexicon
	ids   map[string]int32
	names []string
}

func newReader() *reader {
	return &reader{lexicon: lexiconOf(), ids: map[string]int32{}}
}

func (r *reader) id(name string) int32 {
	id, known := r.ids[name]
	if !known {
		id = int32(len(r.names))
		r.ids[name] = id
		r.names = append(r.names, name)
	}
	return id
}

// reading is the state while a statement is parsed.
type reading struct {
	*reader
	s       statement
	denied  bool // an odd number of denying words came before
	one     bool // the denial covers only the next word
	head    bool // the next words are heads
	prefers bool
	moves   bool
	last    int32 // the previous word, or -1
	from    int   // index of the clause's first word
	stop    bool
	cues    []string // stems of all words
	pending []choice // choices whose cue is not yet known
}

// read parses a statement.
func (r *reader) read(text string) statement {
	words, spans := r.tokens(text)
	d := reading{reader: r, s: statement{text: text, spans: spans, words: make([]word, 0, len(words))}, last: -1}
	for i, t := range words {
		if t.apart {
			d.endClause()
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		if d.addToken(t, next); d.stop {
			break
		}
	}
	d.endClause()
	d.finish()
	return d.s
}

// endClause ends a clause. If a denial is not followed by a word of full weight, it covers the words before it,
// as in "secrets never go there".
func (d *reading) endClause() {
	if d.head && d.denied && !d.one {
		for i := d.from; i < len(d.s.words); i++ {
			if w := &d.s.words[i]; w.weight == 1 && !w.denied {
				w.denied = true
				d.s.heads = append(d.s.heads, w.id)
			}
		}
	}
	d.denied, d.one, d.head, d.from = false, false, false, len(d.s.words)
}

// undo removes the denial of the clause's words and makes them conditional: "never commit without tests"
// does not forbid commits.
func (d *reading) undo() {
	for i := d.from; i < len(d.s.words); i++ {
		if w := &d.s.words[i]; w.denied {
			w.denied, w.conditional = false, true
			d.s.heads = slices.DeleteFunc(d.s.heads, func(h int32) bool { return h == w.id })
		}
	}
}

// addToken handles a token.
func (d *reading) addToken(t token, next string) {
	w := t.text
	switch w {
	case "because", "since", "otherwise", "due":
		d.stop = len(d.s.words) > 0
		return
	case "unless", "except", "only":
		d.s.hedged = d.s.hedged || w != "only"
		return
	case "but":
		d.endClause()
		return
	case "atleast", "minimum", "min":
		d.s.bound = 1
	case "atmost", "under", "below", "maximum", "max", "limit":
		d.s.bound = -1
	}
	switch {
	case w == "insteadof", w == "over" && d.prefers, w == "from" && d.moves:
		d.denied, d.one, d.head = !d.denied, true, true
	case d.denying[w]:
		switch {
		case next == "only", next == "just":
		case w == "without" && d.denied:
			d.undo()
			d.denied, d.head = false, false
		default:
			d.denied, d.head = !d.denied, true
		}
	default:
		d.addPlain(t)
	}
}

// moving are the stems of the words that say that something else is used from now on.
var moving = [...]string{"switch", "migrat", "mov", "chang"}

// addPlain handles a token that denies nothing: a number, a place, or a word.
func (d *reading) addPlain(t token) {
	if n := number(t.text); n.kind != noNumber {
		d.s.figures = append(d.s.figures, figure{n, [2]int32{d.last, -1}})
		return
	}
	if d.past[t.text] {
		d.s.past = true
	}
	if d.placing[t.text] {
		d.s.placing = true
	}
	stemmed, where, denied := normalPlace(t.text), true, d.denied
	if stemmed == "" {
		where = false
		stemmed = d.stem(t.text)
		if base, is := d.opposites[t.text]; is && base != t.text {
			stemmed, denied, d.head = base, !denied, true
		}
	}
	if where {
		d.addLineNumber(t.text)
	}
	d.cues = append(d.cues, stemmed)
	d.prefers = d.prefers || stemmed == "prefer"
	d.moves = d.moves || slices.Contains(moving[:], stemmed)
	if !t.quoted && (d.silent[t.text] || d.silent[stemmed] && !where) {
		return
	}
	d.addWord(stemmed, t.text, where, denied, t.code)
}

// addLineNumber adds the number of the line that a place names, if it names one.
func (d *reading) addLineNumber(place string) {
	if i := strings.LastIndexByte(place, ':'); i > 0 && digits(place[i+1:]) {
		d.s.figures = append(d.s.figures, figure{numeral{kind: lineNumber, text: place[i+1:]}, [2]int32{-1, -1}})
	}
}

// addWord adds a word to the statement.
func (d *reading) addWord(name, text string, where, denied, code bool) {
	id := d.id(name)
	if n := len(d.s.figures); n > 0 && d.s.figures[n-1].beside[1] < 0 {
		d.s.figures[n-1].beside[1] = id
	}
	d.last = id
	classes, chosen := d.classOf[name]
	chosen = chosen && !code
	w := word{id: id, weight: 1, denied: denied, code: code}
	if !chosen && d.weak[name] {
		w.weight = 0.3
	}
	if d.head { // heads end with the first word of full weight
		d.s.heads, d.head = append(d.s.heads, id), w.weight < 1
	}
	if d.one && !d.head {
		d.denied, d.one = !d.denied, false
	}
	if chosen {
		d.pending = append(d.pending, choice{id, text, classes, denied})
		return
	}
	d.s.words = append(d.s.words, w)
	if where {
		d.s.places = append(d.s.places, id)
	}
}

// finish keeps the choices whose cue is present, makes the others words, and sorts the words.
func (d *reading) finish() {
	for _, c := range d.pending {
		var fits []int
		for _, class := range c.classes {
			if cue := d.classes[class].cue; cue == nil ||
				slices.ContainsFunc(d.cues, func(w string) bool { return cue[w] }) {
				fits = append(fits, class)
			}
		}
		if fits == nil {
			d.s.words = append(d.s.words, word{id: c.id, weight: 1, denied: c.denied})
			continue
		}
		c.classes = fits
		d.s.choices = append(d.s.choices, c)
	}
	slices.SortStableFunc(d.s.words, func(a, b word) int { return cmp.Compare(a.id, b.id) })
	d.s.words = slices.CompactFunc(d.s.words, func(a, b word) bool { return a.id == b.id })
	for _, w := range d.s.words {
		d.s.weight += w.weight
	}
	d.s.weight += float32(len(d.s.choices))
}

// normalPlace returns a path or address in a normal form, or "" for any other word.
func normalPlace(w string) string {
	if strings.Contains(w, "://") {
		return strings.TrimRight(w, "/")
	}
	if i := strings.LastIndexByte(w, ':'); i > 0 && digits(w[i+1:]) {
		w = w[:i]
	}
	if !strings.Contains(w, "/") && !fileLike(w) {
		return ""
	}
	return strings.TrimRight(strings.TrimPrefix(w, "./"), "/")
}

// fileLike reports whether a word looks like a file name.
func fileLike(w string) bool {
	if strings.HasPrefix(w, ".") && len(w) > 2 {
		return true
	}
	ext := path.Ext(w)
	return len(ext) < len(w) && slices.Contains(extensions, ext)
}

var extensions = []string{
	".md", ".go", ".ts", ".tsx", ".js", ".jsx", ".py", ".rs", ".rb", ".java", ".json", ".yaml", ".yml", ".toml", ".sh",
	".sql",
	".env", ".txt", ".css", ".html", ".ini", ".cfg", ".conf", ".lock", ".xml", ".proto", ".c", ".h", ".cpp",
}
