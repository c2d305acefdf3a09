package judge_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/audit/judge"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/claudecode"
	"winnow/core/systems/handbook"
	"winnow/core/systems/karnevil9"
	"winnow/core/systems/kimchi"
)

// FuzzPieceTellsNoSecret judges any bytes in any form, with a secret planted in them.
func FuzzPieceTellsNoSecret(f *testing.F) {
	f.Add("the token is ", " and more", uint8(0), uint16(3))
	f.Add(lesson(1, "a", "token ")[:100], lesson(2, "a\nb", "## c"), uint8(1), uint16(40))
	f.Add(`{"lesson":"x\u0041\n## a `, `","`+token+`":"b","tool_names":["c"]}`, uint8(1), uint16(9000))
	f.Add("\xff\xfe\x00", "\xe2\x80", uint8(20), uint16(1))
	f.Add("</memory>\n\u202e", "\U000E0041", uint8(7), uint16(70))
	// A database of no system stands for those that have one: they would link SQLite, and fuzzing would build it.
	forms := slices.Concat(karnevil9.Forms(), kimchi.Forms(), handbook.Forms(), claudecode.Forms(),
		[]system.Form{{System: "x", Name: "database", Database: true, Looks: system.Pages, Both: true, ByRecord: true}})
	f.Fuzz(func(t *testing.T, before, after string, which uint8, cut uint16) {
		secret := token
		text := before + " " + secret + " " + after
		d := &judge.Doc{Path: "a/b", OnDisk: true, Mode: 0o644, Git: memory.GitTracked}
		if i := int(which) % (len(forms) + 1); i < len(forms) {
			d.Form = &forms[i]
		}
		plain := covers(detect.Secrets(text), text, secret) && covers(detect.SecretsInLine(text), text, secret)
		r := judge.OfRecords().Open(d, func(f memory.Finding) { check(t, &f, text, secret, plain) })
		for _, p := range pieces(text, int(cut), which >= 128) {
			r.Piece(p)
		}
		r.Done()
	})
}

// covers reports whether spans hold every place of the secret.
func covers(spans []detect.Span, text, secret string) bool {
	for i := 0; ; {
		n := strings.Index(text[i:], secret)
		if n < 0 {
			return true
		}
		start, end := i+n, i+n+len(secret)
		if !slices.ContainsFunc(spans, func(s detect.Span) bool { return s.Start <= start && s.End >= end }) {
			return false
		}
		i = end
	}
}

// pieces cuts a text as a source does: at line ends, or a line in parts that overlap.
func pieces(text string, cut int, inLine bool) (out []judge.Piece) {
	if !inLine {
		i := strings.LastIndexByte(text[:min(cut, len(text))], '\n') + 1
		first := judge.Piece{Text: text[:i], Line: 1, Column: 1}
		second := judge.Piece{Text: text[i:], Line: 1 + strings.Count(text[:i], "\n"), Column: 1, Offset: int64(i)}
		return []judge.Piece{first, second}
	}
	i := charStart(text, min(cut, len(text)))
	from := charStart(text, max(0, i-60))
	return []judge.Piece{
		{Text: text[:i], Line: 1, Column: 1, InLine: true},
		{Text: text[from:], Line: 1, Column: 1 + from, Offset: int64(from), InLine: true},
	}
}

// charStart returns the largest index up to at where no character is cut: there sources part a line.
func charStart(text string, at int) int {
	for i := at; i > max(0, at-utf8.UTFMax) && i < len(text); i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return at
}

func check(t *testing.T, f *memory.Finding, text, secret string, plain bool) {
	t.Helper()
	if f.Start < 0 || f.End < f.Start || f.End > len(f.Text) || len(f.Text) > 400 {
		t.Fatalf("%s: place %d to %d of %d bytes", f.Rule, f.Start, f.End, len(f.Text))
	}
	if f.Text != "" && utf8.ValidString(text) && !strings.Contains(text, `\u`) && !utf8.ValidString(f.Text) {
		t.Errorf("%s: the text is cut inside a character: %q", f.Rule, f.Text)
	}
	if f.Offset < -1 || f.Offset > int64(len(text)) || f.Line < 0 || (f.Line == 0) != (f.Column == 0) || f.Count < 1 {
		t.Errorf("%s: offset %d, line %d, column %d, count %d", f.Rule, f.Offset, f.Line, f.Column, f.Count)
	}
	last := 0
	for _, m := range f.Masks {
		if m[0] < last || m[1] < m[0] || m[1] > len(f.Text) {
			t.Fatalf("%s: masks %v of %d bytes", f.Rule, f.Masks, len(f.Text))
		}
		last = m[1]
	}
	said := strings.Join(
		append(
			[]string{f.What, f.Why, f.Fingerprint, f.Field, f.Name, f.Shown, string(f.ID), f.Recalled, f.Lands},
			f.Next...),
		"\n",
	)
	if strings.Contains(said, secret) {
		t.Errorf("%s tells the secret: %s", f.Rule, said)
	}
	if plain && strings.Contains(masked(*f), secret) {
		t.Errorf("%s shows the secret: %q", f.Rule, masked(*f))
	}
	if len(f.Fingerprint) != 32 || f.Rule == "" || f.Family == "" || f.What == "" || len(f.Next) == 0 {
		t.Errorf("unfinished: %+v", f)
	}
}

// FuzzSoundIsWhatDecodes compares which lines are taken for records with the parser of
// the store. Zeros are what a crash left of a line: the store cannot decode them, and nothing is lost with them.
func FuzzSoundIsWhatDecodes(f *testing.F) {
	f.Add(lesson(1, "a", "b"))
	f.Add(`{"a":[1,2.5e-3,{"b":null}],"c":"\u00e9\n"}`)
	f.Add(`{"a":1,}`)
	f.Add(`[`)
	f.Add("\x00\x00")
	form := lessonForm(f)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n\r") || strings.TrimSpace(line) == "" {
			return
		}
		zeros := strings.TrimSpace(strings.Trim(line, "\x00")) == ""
		want := !zeros && form.Decode(strings.TrimPrefix(line, "\ufeff"), 1).Flags&memory.FlagDamaged != 0
		got := false
		r := judge.OfRecords().Open(inFile(form), func(f memory.Finding) { got = got || f.Rule == judge.RuleDamaged })
		r.Piece(judge.Piece{Text: line + "\n", Line: 1, Column: 1})
		r.Done()
		if got != want {
			t.Errorf("%q: damaged %v, want %v", line, got, want)
		}
	})
}
