package detect

import (
	"slices"
	"strings"
)

// addSecrets adds the literals of all secrets.
func (t *literals) addSecrets() {
	t.addWords()
	all := table()
	for i, r := range slices.Backward(all) {
		for k, f := range slices.Backward(r.forms) {
			t.addText(f.prefix, f.body, node{kind: aForm, rule: int16(i), form: uint8(k)})
		}
		for k, f := range slices.Backward(r.tails) {
			if f.text == discordText {
				t.addDiscord(int16(i))
				continue
			}
			t.addText(f.text, f.body, node{kind: aTail, rule: int16(i), form: uint8(k)})
		}
	}
}

// addText adds the four bytes of a text that are rarest elsewhere. If the text is too short, bytes
// that can follow it by the body are used as well.
func (t *literals) addText(text, body string, n node) {
	if len(text) >= 4 {
		if !strings.HasPrefix(text, "sk-") { // these differ only at the beginning
			n.off = uint8(rarestGram(text))
		}
		t.add(gramOf(text, int(n.off)), n)
		return
	}
	it, rest := nextItem(body)
	if it.set == 0 {
		t.addText(text+string(it.is), rest, n)
		return
	}
	if it.least--; it.least > 0 {
		rest = body // the class continues
	}
	for c := range 128 {
		if is(byte(c), it.set) {
			t.addText(text+string(byte(c)), rest, n)
		}
	}
}

// rarestGram returns the offset of the four bytes of a text that are rarest in prose.
func rarestGram(text string) (at int) {
	most := -1
	for i := 0; i+4 <= len(text) && i < 200; i++ {
		n := 0
		for _, c := range []byte(text[i : i+4]) {
			if c < 'a' || c > 'z' {
				n++
			}
		}
		if n > most {
			most, at = n, i
		}
	}
	return at
}

// discordText is a placeholder for the base64 number that Discord tokens begin with.
const discordText = "number"

// addDiscord adds the first three digits of a number in base64.
func (t *literals) addDiscord(rule int16) {
	for _, first := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, third := range "AEIMQUYcgk" {
			for _, fourth := range "wxyz012345" {
				t.add(gramOf(first+string(third)+string(fourth), 0), node{kind: aDiscord, rule: rule})
			}
		}
	}
}

// addWords adds the words that say what a value is, and the literals of matchers with their own
// code.
func (t *literals) addWords() {
	for i, w := range t.words {
		off := rarestGram(w.word)
		g := w.word[off : off+4]
		for _, spelled := range spellingsOf(g, off == 0) {
			t.add(gramOf(spelled, 0), node{kind: aWord, off: uint8(off), rule: int16(i)})
		}
	}
	for _, g := range []string{"bear", "Bear", "BEAR"} {
		t.add(gramOf(g, 0), node{kind: aBearer})
	}
	for _, g := range []string{"_key", "-key", " key", ".key", "_KEY", "-KEY", " KEY", ".KEY", "_Key", "-Key", " Key", ".Key"} {
		t.add(gramOf(g, 0), node{kind: aName})
	}
	for c := range byte(26) {
		t.add(gramOf(string('a'+c)+"Key", 0), node{kind: aName})
		t.add(gramOf(string('a'+c)+"key", 0), node{kind: aName})
		t.add(gramOf(string('A'+c)+"KEY", 0), node{kind: aName})
	}
	for c := byte('!'); c < 0x7F; c++ {
		t.add(gramOf("://"+string(c), 0), node{kind: aURL})
	}
	t.add(gramOf("BEGI", 0), node{kind: aKeyHead})
	t.add(gramOf("Priv", 0), node{kind: aPutty})
	t.add(gramOf(" -u ", 0), node{kind: aCurl})
	t.add(gramOf("-use", 0), node{kind: aCurl})
}

// spellingsOf returns part of a word in each letter case that names use.
func spellingsOf(part string, first bool) []string {
	upper := strings.ToUpper(part)
	out := []string{part}
	if upper != part {
		out = append(out, upper)
	}
	if title := upper[:1] + part[1:]; first && title != part && title != upper {
		out = append(out, title)
	}
	return out
}
