package compare

import (
	"cmp"
	"slices"
	"strings"
)

// The limits of a comparison.
const (
	leastShared = 3  // words that two statements must share
	mostSlot    = 3  // words in the slot that differs
	mostWords   = 60 // of a statement that is compared
	mostFound   = 5_000
	mostOthers  = 3 // values that others have in a slot; with more, the statements are a list

	mostOfText   = 10_000    // statements of a text that are compared
	mostCompared = 1_000_000 // words of all statements
)

// Differing is two statements that are the same but for one slot: a number, a path, a flag, a command or a negation.
type Differing struct {
	A, B     int       // the texts
	InA, InB int       // the statements in them
	Slots    [2]string // what each has in the slot, as written; empty for nothing
}

// slotted is what two statements share and where they differ.
type slotted struct {
	shared int
	slots  [2]string
	own    [2]string // paths and code in the slots, in comparable form
}

// differ is one search for differences.
type differ struct {
	texts []*Text
	may   func(a, b int) bool
	at    [][]place // by distinct statement: where it stands
	found []Differing
}

// place is a statement of a text.
type place struct{ text, statement int }

// FindDiffering returns the statements of different texts that differ in one slot, in the order of texts, and whether
// all was compared. It compares two texts if may returns true for their indexes, of which a is the smaller one.
//
// Each statement of a text differs from one at most of another text, and from none that the other text has too: what
// is like several others is one of a list. Time grows linearly with the length of the texts.
func FindDiffering(texts []*Text, may func(a, b int) bool) (all []Differing, whole bool) {
	d := &differ{texts: texts, may: may}
	whole = d.find()
	slices.SortFunc(d.found, func(x, y Differing) int {
		texts := cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
		return cmp.Or(texts, cmp.Compare(x.InA, y.InA), cmp.Compare(x.InB, y.InB))
	})
	return withoutLists(oneEach(d.found)), whole
}

// find fills found, and reports whether all was compared.
func (d *differ) find() (whole bool) {
	forms, whole := d.distinct()
	return d.match(newSkeletons(forms)) && whole
}

// distinct returns the distinct statements that are compared, whose places it puts into at, and whether these are all.
func (d *differ) distinct() (forms []*form, whole bool) {
	numbers := map[string]int{} // by key
	words := 0
	for t, text := range d.texts {
		for i := range text.forms {
			if !text.isCompared(i) {
				continue
			}
			key := codeKey(text, i)
			n, known := numbers[key]
			switch {
			case known:
				d.at[n] = append(d.at[n], place{t, i})
			case words > mostCompared:
				return forms, false
			default:
				words += len(text.forms[i].words)
				numbers[key] = len(d.at)
				forms = append(forms, &text.forms[i])
				d.at = append(d.at, []place{{t, i}})
			}
		}
	}
	return forms, true
}

// codeKey is the key of a statement, which a line of code shares with no sentence.
func codeKey(t *Text, i int) string {
	if t.Statements[i].Code {
		return "`" + t.forms[i].key
	}
	return t.forms[i].key
}

// match looks at the statements that share a skeleton, and reports whether it looked at all of them.
func (d *differ) match(index *skeletons) (whole bool) {
	for j := range d.at {
		y := d.at[j][0]
		f, isCode := &d.texts[y.text].forms[y.statement], d.texts[y.text].Statements[y.statement].Code
		for _, i := range index.before(j) {
			x := d.at[i][0]
			if d.texts[x.text].Statements[x.statement].Code != isCode {
				continue
			}
			if s, ok := differing(&d.texts[x.text].forms[x.statement], f, isCode); ok {
				d.place(&s, d.at[i], d.at[j])
			}
			if len(d.found) >= mostFound {
				return false
			}
		}
	}
	return true
}

// place adds a difference for each two texts that have its statements and are compared.
func (d *differ) place(s *slotted, left, right []place) {
	for _, x := range left {
		for _, y := range right {
			a, b := d.texts[x.text], d.texts[y.text]
			p := Differing{x.text, y.text, x.statement, y.statement, s.slots}
			if x.text > y.text {
				p = Differing{y.text, x.text, y.statement, x.statement, [2]string{s.slots[1], s.slots[0]}}
			}
			both := a.has(b.forms[y.statement].key) || b.has(a.forms[x.statement].key)
			ofItsOwn := a.says(s.own[1]) || b.says(s.own[0]) // each is about a thing of its own
			if x.text != y.text && len(d.found) < mostFound && d.may(p.A, p.B) && !both && !ofItsOwn {
				d.found = append(d.found, p)
			}
		}
	}
}

// oneEach returns the differences without those of statements that are like several others of one text.
func oneEach(all []Differing) []Differing {
	type meeting struct {
		place
		other int
	}
	like := map[meeting]int{}
	for _, f := range all {
		like[meeting{place{f.A, f.InA}, f.B}]++
		like[meeting{place{f.B, f.InB}, f.A}]++
	}
	return slices.DeleteFunc(all, func(f Differing) bool {
		return like[meeting{place{f.A, f.InA}, f.B}] > 1 || like[meeting{place{f.B, f.InB}, f.A}] > 1
	})
}

// withoutLists leaves out the differences of statements that say something else in each of many texts, such as the
// first line of each note about a release.
func withoutLists(all []Differing) []Differing {
	others := map[place]map[string]bool{}
	add := func(p place, value string) {
		if others[p] == nil {
			others[p] = map[string]bool{}
		}
		others[p][value] = true
	}
	for _, f := range all {
		add(place{f.A, f.InA}, f.Slots[1])
		add(place{f.B, f.InB}, f.Slots[0])
	}
	return slices.DeleteFunc(all, func(f Differing) bool {
		return len(others[place{f.A, f.InA}]) > mostOthers && len(others[place{f.B, f.InB}]) > mostOthers
	})
}

// isCompared reports whether a statement is compared with others: short ones differ in everything, and what is beyond
// the limits is left out.
func (t *Text) isCompared(i int) bool {
	n := len(t.forms[i].words)
	return i < mostOfText && n > leastShared && n <= mostWords
}

// withoutSharedEnds returns two lists of words without those with which both begin and end.
func withoutSharedEnds(a, b []word) ([]word, []word) {
	for len(a) > 0 && len(b) > 0 && a[0].text == b[0].text {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].text == b[len(b)-1].text {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// differing reports whether two statements differ in one slot whose content matters.
func differing(a, b *form, isCode bool) (d slotted, ok bool) {
	x, y := withoutSharedEnds(a.words, b.words)
	d.shared = len(a.words) - len(x)
	if len(x) > mostSlot || len(y) > mostSlot || d.shared < leastShared || d.shared < 2*max(len(x), len(y)) {
		return d, false
	}
	d.slots = [2]string{slot(x), slot(y)}
	switch {
	case isCode:
		return d, d.inCommands(x, y)
	case len(x) == 1 && len(y) == 1 && x[0].code && y[0].code:
		d.own = [2]string{x[0].text, y[0].text}
		return d, d.inSpans(x[0].as, y[0].as)
	case len(x) == 1 && len(y) == 1 && differentValues(x[0].text, y[0].text):
		if numberOf(x[0].text) == "" || isPath(x[0].text) {
			d.own = [2]string{x[0].text, y[0].text}
		}
		return d, true
	}
	return d, isDenial(x, y)
}

func slot(words []word) string {
	var parts []string
	for _, w := range words {
		parts = append(parts, w.as)
	}
	return strings.Join(parts, " ")
}

// inSpans reports whether two code spans are a choice: commands of one program, or paths to one thing, or numbers.
func (d *slotted) inSpans(x, y string) bool {
	a, b := strings.Fields(x), strings.Fields(y)
	if len(a) > 1 || len(b) > 1 {
		return d.shared >= leastShared && sharedWords(a, b) > 0
	}
	return differentValues(x, y)
}

// sharedWords counts the words that two commands have at the same place from their start or end.
func sharedWords(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	head := n
	for k := 1; k <= len(a)-head && k <= len(b)-head && a[len(a)-k] == b[len(b)-k]; k++ {
		n++
	}
	return n
}

// inCommands reports whether two lines of code are one command with another number, flag or place.
func (d *slotted) inCommands(x, y []word) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if len(x) == 1 && len(y) == 1 && numberOf(x[0].text) != "" && numberOf(y[0].text) != "" {
		return numberOf(x[0].text) != numberOf(y[0].text)
	}
	return strings.HasPrefix(x[0].as, "-") && strings.HasPrefix(y[0].as, "-") && d.shared > leastShared
}

// differentValues reports whether two words are different numbers, or different paths to what has one name.
func differentValues(x, y string) bool {
	if n, m := numberOf(x), numberOf(y); n != "" && m != "" {
		return n != m && around(x, n) == around(y, m)
	}
	if !isPath(x) || !isPath(y) {
		return false
	}
	x, y = strings.Trim(strings.TrimPrefix(x, "./"), "/"), strings.Trim(strings.TrimPrefix(y, "./"), "/")
	return !strings.EqualFold(x, y)
}

// isPath reports whether a word has the shape of a path of more than one element.
func isPath(w string) bool {
	return strings.Contains(strings.Trim(w, "/"), "/") && !strings.Contains(w, "://") && !strings.ContainsAny(w, " |")
}

// numberOf returns the first number in a word, with its dots: "3.12" of "python3.12". It is empty if there is none.
func numberOf(w string) string {
	start := strings.IndexAny(w, "0123456789")
	if start < 0 {
		return ""
	}
	end := start
	for end < len(w) && (w[end] >= '0' && w[end] <= '9' || strings.IndexByte(".,:_", w[end]) >= 0) {
		end++
	}
	return strings.TrimRight(w[start:end], ".,:_")
}

// around returns a word without its number.
func around(w, n string) string { return strings.Replace(w, n, "#", 1) }

// isDenial reports whether one of two slots denies, and the other does not. Beside nothing, it only denies.
func isDenial(x, y []word) bool {
	n, m := denying(x), denying(y)
	if m > 0 {
		x, y, n, m = y, x, m, n
	}
	return n > 0 && m == 0 && (len(y) > 0 || n == len(x))
}

// denying counts the words that deny.
func denying(words []word) (n int) {
	for _, w := range words {
		if !w.code && denies(w.text) {
			n++
		}
	}
	return n
}
