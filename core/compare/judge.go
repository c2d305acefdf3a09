package compare

import (
	"slices"
	"strings"
)

// verdict is how two statements relate.
type verdict uint8

const (
	apart verdict = iota
	same
	contrary
)

// The thresholds, tuned on testdata/pairs.tsv.
const (
	nearly    = 0.74 // lowest score at which two statements say the same
	leastSame = 1.5  // lowest weight that they must share for that
	other     = 0.9  // from this weight on, words that only one has mean another subject
)

// overlap is what two statements share and what only one of them says, by weight.
type overlap struct {
	both            float32
	inLeft, inRight float32
	agree, clash    bool // whether they agree or disagree on a word that one of them denies first
	conditional     bool // something that one denies is only conditional in one of them
	choices         int  // number of choices that both name
}

// withChoices returns the overlap with the choices counted as words.
func (o *overlap) withChoices(a, b *statement) *overlap {
	n := float32(o.choices)
	return &overlap{
		both:   o.both + n,
		inLeft: o.inLeft + max(0, float32(len(a.choices))-n), inRight: o.inRight + max(0, float32(len(b.choices))-n),
	}
}

// judge compares two statements. If they contradict each other, inA and inB are the texts that do.
func (r *reader) judge(a, b *statement) (v verdict, inA, inB string) {
	o := overlapping(a, b)
	if o.both+float32(o.choices) < 1 && (len(a.choices) == 0 || len(b.choices) == 0) {
		return apart, "", ""
	}
	if inA, inB, is := r.chosen(a, b, &o); is {
		return contrary, inA, inB
	}
	figA, figB := differentNumbers(a, b)
	if inA, inB, is := deniedOrCounted(a, b, &o, figA, figB); is {
		return contrary, inA, inB
	}
	if inA, inB, is := r.differentPlaces(a, b, &o); is {
		return contrary, inA, inB
	}
	if inA, inB, is := ordered(a, b); is && !o.clash {
		return contrary, inA, inB
	}
	if !o.clash && !o.conditional && alike(a, b, &o, len(figA), len(figB)) {
		return same, "", ""
	}
	return apart, "", ""
}

// deniedOrCounted returns the texts of two statements that contradict each other because one denies the other, or
// because each gives another number of the same thing.
func deniedOrCounted(a, b *statement, o *overlap, figA, figB []figure) (inA, inB string, is bool) {
	denial := o.clash && !o.agree && !a.hedged && !b.hedged && len(figA) == 0 && len(figB) == 0
	if denial && isDenial(o.withChoices(a, b)) {
		return a.text, b.text, true
	}
	oneNumber := len(figA) == 1 && len(figB) == 1 && !a.listed && !b.listed
	if oneNumber && !o.clash && countSameThing(a, b, o.withChoices(a, b), figA[0], figB[0]) {
		return figA[0].text + figA[0].unit, figB[0].text + figB[0].unit, true
	}
	return "", "", false
}

// overlapping compares the words and choices of two statements.
func overlapping(a, b *statement) (o overlap) {
	merge(a.words, b.words, func(x, y *word) {
		switch {
		case y == nil:
			o.inLeft += x.weight
		case x == nil:
			o.inRight += y.weight
		default:
			o.both += x.weight
			if x.conditional == y.conditional {
				o.addAgreement(a, b, x.id, x.denied == y.denied)
			} else if x.denied || y.denied {
				o.conditional = true
			}
		}
	})
	for _, x := range a.choices {
		for _, y := range b.choices {
			if x.id == y.id {
				o.choices++
				o.addAgreement(a, b, x.id, x.denied == y.denied)
			}
		}
	}
	return o
}

// merge calls each for all words of a and b, with nil for the side that does not have the word.
func merge(a, b []word, each func(x, y *word)) {
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].id < b[j].id:
			each(&a[i], nil)
			i++
		case i == len(a) || a[i].id > b[j].id:
			each(nil, &b[j])
			j++
		default:
			each(&a[i], &b[j])
			i, j = i+1, j+1
		}
	}
}

// addAgreement records agreement or disagreement on a word that both have, if it is one that either denies first.
func (o *overlap) addAgreement(a, b *statement, id int32, agree bool) {
	if slices.Contains(a.heads, id) || slices.Contains(b.heads, id) {
		o.agree = o.agree || agree
		o.clash = o.clash || !agree
	}
}

// sameSubject reports whether both seem to be about the same subject: they share words, at most one of them has
// more words, and what only one says weighs no more than share of what both say.
func (o *overlap) sameSubject(share float32) bool {
	return o.both >= 1 && min(o.inLeft, o.inRight) < other && max(o.inLeft, o.inRight) <= max(other, share*o.both)
}

// leastDenied is the lowest shared weight for a denial. Less would be a single word.
const leastDenied = 1.25

func isDenial(o *overlap) bool { return o.both >= leastDenied && o.sameSubject(0.5) }

// chosen returns the choices of the two statements if they choose differently from the same class.
func (r *reader) chosen(a, b *statement, o *overlap) (string, string, bool) {
	if a.past || b.past || len(a.choices) == 0 || len(b.choices) == 0 {
		return "", "", false
	}
	for i := range a.choices {
		for _, class := range a.choices[i].classes {
			x, y, differ := differentChoice(a, b, class)
			if differ && r.maySameSubject(class, a, b, o) {
				return x.text, y.text, true
			}
		}
	}
	return "", "", false
}

// differentChoice reports whether two statements choose differently from a class, and what. A statement that names
// several values is a list and makes no choice.
func differentChoice(a, b *statement, class int) (x, y choice, yes bool) {
	one := func(s *statement) (chosen choice, n int) {
		for _, c := range s.choices {
			if slices.Contains(c.classes, class) && !c.denied && (n == 0 || c.id != chosen.id) {
				chosen, n = c, n+1
			}
		}
		return chosen, n
	}
	x, n := one(a)
	y, m := one(b)
	return x, y, n == 1 && m == 1 && x.id != y.id
}

// maySameSubject reports whether the words around a choice leave it open that both are about the same subject. Words
// that belong to the choice are ignored if only one side has them.
func (r *reader) maySameSubject(class int, a, b *statement, o *overlap) bool {
	c := &r.classes[class]
	if c.subject {
		return o.sameSubject(0.5)
	}
	var restLeft, restRight float32
	rest := func(w *word) float32 {
		if c.free[r.names[w.id]] {
			return 0
		}
		return w.weight
	}
	merge(a.words, b.words, func(x, y *word) {
		if y == nil {
			restLeft += rest(x)
		} else if x == nil {
			restRight += rest(y)
		}
	})
	if min(restLeft, restRight) >= other ||
		min(o.inLeft, o.inRight) >= other && o.both < 1 && min(restLeft, restRight)+max(restLeft, restRight) > 0.7 {
		return false
	}
	limit := max(0.7, 0.5*o.both)
	return max(restLeft, restRight) <= limit
}

// differentNumbers returns the numbers that only one of the statements has.
func differentNumbers(a, b *statement) (left, right []figure) {
	only := func(s, t *statement) (out []figure) {
		for _, f := range s.figures {
			if !slices.ContainsFunc(
				t.figures,
				func(g figure) bool { return f.kind == g.kind && f.text == g.text && f.unit == g.unit },
			) {
				out = append(out, f)
			}
		}
		return out
	}
	return only(a, b), only(b, a)
}

// countSameThing reports whether two different numbers count the same thing.
func countSameThing(a, b *statement, o *overlap, x, y figure) bool {
	if a.past || b.past || a.bound*b.bound < 0 || !x.comparable(y.numeral) || !o.sameSubject(0.5) {
		return false
	}
	beside := func(f figure, s *statement) bool {
		for _, id := range f.beside {
			isWord := func(w word) bool { return w.id == id }
			isChoice := func(c choice) bool { return c.id == id }
			if id >= 0 && (slices.ContainsFunc(s.words, isWord) || slices.ContainsFunc(s.choices, isChoice)) {
				return true
			}
		}
		return false
	}
	return beside(x, b) && beside(y, a)
}

// differentPlaces returns the places that two statements give if they put the same thing in different ones.
func (r *reader) differentPlaces(a, b *statement, o *overlap) (string, string, bool) {
	if !a.placing || !b.placing || a.past || b.past || len(a.places) != 1 || len(b.places) != 1 || o.clash {
		return "", "", false
	}
	p, q := r.names[a.places[0]], r.names[b.places[0]]
	if p == q || within(p, q) || within(q, p) || host(p) == host(q) && host(p) != "" {
		return "", "", false
	}
	rest := *o.withChoices(a, b)
	rest.inLeft--
	rest.inRight--
	return p, q, rest.sameSubject(0.5)
}

// host returns the host of an address. Addresses on one host do not contradict each other.
func host(p string) string {
	_, rest, found := strings.Cut(p, "://")
	if !found {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// within reports whether p is inside q, or the end of q.
func within(p, q string) bool {
	return strings.HasPrefix(q, p+"/") || strings.HasSuffix(q, "/"+p)
}

// ordered returns the commands of two statements if they give different ones for the same purpose, as in
// "run the tests with `a b`".
func ordered(a, b *statement) (string, string, bool) {
	if len(a.spans) != 1 || len(b.spans) != 1 || a.past || b.past || a.hedged || b.hedged {
		return "", "", false
	}
	p, q := a.spans[0], b.spans[0]
	if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) || strings.Contains(a.text, "<") {
		return "", "", false
	}
	around := func(s *statement) (out []word) {
		for _, w := range s.words {
			if !w.code {
				out = append(out, w)
			}
		}
		return out
	}
	x, y := statement{words: around(a)}, statement{words: around(b)}
	o := overlapping(&x, &y)
	return p, q, o.both >= 1 && o.inLeft+o.inRight == 0 && a.namesMeans() && b.namesMeans()
}

// namesMeans reports whether a statement says with which command something is done.
func (s *statement) namesMeans() bool {
	return strings.Contains(s.text, "with `") || strings.Contains(s.text, "using `")
}

// alike reports whether two statements say nearly the same.
func alike(a, b *statement, o *overlap, moreA, moreB int) bool {
	both, inLeft, inRight := o.both, o.inLeft+float32(moreA), o.inRight+float32(moreB)
	for _, x := range a.choices {
		if slices.ContainsFunc(b.choices, func(y choice) bool { return x.id == y.id && x.denied == y.denied }) {
			both++
		} else {
			inLeft++
		}
	}
	both += float32(len(a.figures) - moreA)
	for _, y := range b.choices {
		if !slices.ContainsFunc(a.choices, func(x choice) bool { return x.id == y.id && x.denied == y.denied }) {
			inRight++
		}
	}
	if inLeft+inRight == 0 && both >= 1 {
		return true
	}
	if both < leastSame || moreA > 0 && moreB > 0 {
		return false
	}
	jaccard := both / (both + inLeft + inRight)
	cover := both / (both + min(inLeft, inRight))
	if min(inLeft, inRight) >= other && jaccard < 0.7 {
		return false
	}
	return (jaccard+cover)/2 >= nearly
}
