package detect

import (
	"slices"
	"strings"
)

// addSecrets adds the literals of all secrets.
func (t *literalIndex) addSecrets() {
	t.addNames()
	all := secretRules()
	for i, r := range slices.Backward(all) {
		for k, f := range slices.Backward(r.forms) {
			t.addText(f.prefix, f.body, literalEntry{kind: tokenLiteral, rule: int16(i), form: uint8(k)})
		}
		for k, f := range slices.Backward(r.infixes) {
			if f.infix == discordText {
				t.addDiscord(int16(i))
				continue
			}
			t.addText(f.infix, f.after, literalEntry{kind: infixLiteral, rule: int16(i), form: uint8(k)})
		}
	}
}

// addText adds the four bytes of a text that are rarest elsewhere. If the text is too short, bytes
// that can follow it by the body are used as well.
func (t *literalIndex) addText(text, body string, n literalEntry) {
	if len(text) >= 4 {
		if !strings.HasPrefix(text, "sk-") { // these differ only at the beginning
			n.offset = uint8(rarestGram(text))
		}
		t.add(gramAt(text, int(n.offset)), n)
		return
	}
	it, rest := parseBodyItem(body)
	if it.set == 0 {
		t.addText(text+string(it.literal), rest, n)
		return
	}
	if it.min--; it.min > 0 {
		rest = body // the class continues
	}
	for c := range 128 {
		if inClass(byte(c), it.set) {
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
func (t *literalIndex) addDiscord(rule int16) {
	for _, first := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, third := range "AEIMQUYcgk" {
			for _, fourth := range "wxyz012345" {
				t.add(gramAt(first+string(third)+string(fourth), 0), literalEntry{kind: discordLiteral, rule: rule})
			}
		}
	}
}

// addNames adds the words that say what a value is, and the literals of matchers with their own
// code.
func (t *literalIndex) addNames() {
	for i, w := range t.nameWords {
		off := rarestGram(w.word)
		g := w.word[off : off+4]
		for _, spelled := range letterCases(g, off == 0) {
			t.add(gramAt(spelled, 0), literalEntry{kind: nameLiteral, offset: uint8(off), rule: int16(i)})
		}
	}
	for _, g := range []string{"bear", "Bear", "BEAR"} {
		t.add(gramAt(g, 0), literalEntry{kind: bearerLiteral})
	}
	for _, g := range []string{"_key", "-key", " key", ".key", "_KEY", "-KEY", " KEY", ".KEY", "_Key", "-Key", " Key", ".Key"} {
		t.add(gramAt(g, 0), literalEntry{kind: keyNameLiteral})
	}
	for c := range byte(26) {
		t.add(gramAt(string('a'+c)+"Key", 0), literalEntry{kind: keyNameLiteral})
		t.add(gramAt(string('a'+c)+"key", 0), literalEntry{kind: keyNameLiteral})
		t.add(gramAt(string('A'+c)+"KEY", 0), literalEntry{kind: keyNameLiteral})
	}
	for c := byte('!'); c < 0x7F; c++ {
		t.add(gramAt("://"+string(c), 0), literalEntry{kind: urlLiteral})
	}
	t.add(gramAt("BEGI", 0), literalEntry{kind: pemLiteral})
	t.add(gramAt("Priv", 0), literalEntry{kind: puttyLiteral})
	t.add(gramAt(" -u ", 0), literalEntry{kind: curlLiteral})
	t.add(gramAt("-use", 0), literalEntry{kind: curlLiteral})
}

// letterCases returns part of a word in each letter case that names use.
func letterCases(part string, first bool) []string {
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
