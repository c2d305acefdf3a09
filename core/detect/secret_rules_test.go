package detect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomBody returns a random text that matches a body.
func randomBody(r *rand.Rand, body string, long bool) string {
	var out strings.Builder
	for body != "" {
		var it bodyItem
		if it, body = parseBodyItem(body); it.set == 0 {
			out.WriteByte(it.literal)
			continue
		}
		n := it.min
		if long {
			n = max(it.min, min(it.max, it.min+9))
		}
		var set []byte
		for c := byte('!'); c < 0x7F; c++ {
			if inClass(c, it.set) && (!inClass(c, dot|plusSlash|dash|underscore|equals|tilde) || r.IntN(9) == 0) &&
				!inClass(c, endsValue) {
				set = append(set, c)
			}
		}
		for range n {
			out.WriteByte(set[r.IntN(len(set))])
		}
	}
	return out.String()
}

// sample is a token of a rule with text around it.
type sample struct{ before, token, after string }

// samplesOf returns random tokens of a rule.
func samplesOf(r *rand.Rand, of *secretRule) (out []sample) {
	for _, long := range []bool{false, true} {
		for _, f := range of.forms {
			out = append(out, sample{"it was ", f.prefix + randomBody(r, f.body, long), " then"})
		}
		for _, t := range of.infixes {
			if t.infix == discordText {
				t = infixForm{infix: "MTIz", after: "a20 . s6 . a27"}
			}
			before := ""
			if t.before != "" {
				before = randomBody(r, t.before, long)
			}
			prose := "it was "
			if t.needsKeyword {
				prose = "the key was "
			}
			out = append(out, sample{prose, before + t.infix + randomBody(r, t.after, long), " then"})
		}
		for _, n := range of.named {
			out = append(out, sample{"export " + n.name + "_access = \"", randomBody(r, n.body, long), "\";"})
		}
	}
	return out
}

// Nearly all random tokens of a rule must be found, by that rule or a more certain one. The others
// happen to look like words.
func TestEveryRuleFindsWhatItDescribes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	const rounds = 40
	for i := range secretRules() {
		of := &secretRules()[i]
		all, hit, named := 0, 0, 0
		for range rounds {
			for _, s := range samplesOf(r, of) {
				if of.id == "jwt" || of.id == "jwt-base64" {
					s.token = "eyJhbGciOiJIUzI1" + "NiJ9." + "eyJ" + randomBody(r, "a27 . s43", false)
					if of.id == "jwt-base64" {
						s.token = "ZXlKaGJHY2lPaUpJVXpJ" + randomBody(r, "a60", false)
					}
				}
				all++
				for _, p := range Secrets(s.before + s.token + s.after) {
					if p.Start <= len(s.before)+2 && p.End >= len(s.before+s.token)-2 {
						hit++
						if ruleIndex(p.Rule) <= int16(i) {
							named++
						}
						break
					}
				}
			}
		}
		if hit*20 < all*17 || named*20 < all*12 {
			t.Errorf("%s: of %d found %d, by their name %d", of.id, all, hit, named)
		}
	}
}

func TestPlaceholderAndShortTokensAreNotFound(t *testing.T) {
	for i := range secretRules() {
		for _, f := range secretRules()[i].forms {
			body := strings.Repeat("x", 40)
			if got := Secrets("set it to " + f.prefix + body); len(got) > 0 && f.minEntropy > 0 {
				t.Errorf("%s: %q is a placeholder, found %+v", secretRules()[i].id, f.prefix+body, got)
			}
			if it, _ := parseBodyItem(f.body); it.set != 0 && len(f.body) < 5 && it.max > 0 {
				short := f.prefix + strings.Repeat("a1", it.min)[:it.min-1]
				if got := Secrets("see " + short + " there"); len(got) > 0 {
					t.Errorf("%s: %q is too short, found %+v", secretRules()[i].id, short, got)
				}
			}
		}
	}
}

func TestSecretRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range secretAuditRules() {
		if seen[r.ID] || r.ID == "" || strings.ToLower(r.ID) != r.ID || strings.ContainsAny(r.ID, " _") {
			t.Errorf("the ID %q is used twice or no name", r.ID)
		}
		seen[r.ID] = true
		if !strings.HasPrefix(r.Next, "revoke it") || !strings.HasPrefix(r.Source, "https://") ||
			!strings.HasPrefix(r.Why, "Whoever reads it can ") ||
			!strings.HasSuffix(r.Why, ".") ||
			r.Severity == 0 ||
			r.Name == "" {
			t.Errorf("%+v", r)
		}
	}
}

// TestScanIsLinear counts the bytes examined after the first pass in texts that may hold a secret
// everywhere.
func TestScanIsLinear(t *testing.T) {
	for _, s := range []string{
		"token=", "password: ", "ghp_", "sk-ant-", "-----BEGIN RSA PRIVATE KEY-----\n", "http://a:", "Z2hwXzEy", "eyJ",
		"eyJ.", "bearer ",
		"SK0a", "api_key ", "heroku_token=", "Authorization: ", "curl -u ", "\"pass\":", "{{token}}", "8Q~", "_mmk",
		".atlasv1.", "AKIA", "%41", `\u0041`,
		"x", "token is ", "c2stYW50", "MTIzNDU2Nzg5.", "Private-Lines: 1\n", "ghp_\u200b",
	} {
		work := func(n int) int {
			text := strings.Repeat(s, n/len(s)+1)
			c := secretScanner{literals: allLiterals()}
			c.scanDecoded(&decodedText{text: text})
			return c.steps
		}
		const n = 1 << 14
		small, large := work(n), work(4*n)
		if large > 200*4*n || large > 5*small+4096 {
			t.Errorf("%q: %d steps for %d bytes, %d for four times as many", s, small, n, large)
		}
	}
}

func FuzzRedactRemovesToken(f *testing.F) {
	f.Add("a ", " b", uint16(3), uint16(1))
	f.Add("password: '", "'", uint16(90), uint16(7))
	f.Fuzz(func(t *testing.T, before, after string, which, seed uint16) {
		of := &secretRules()[int(which)%len(secretRules())]
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		if len(of.forms) == 0 || strings.Contains(before+after, "ghp") {
			return
		}
		form := of.forms[int(seed)%len(of.forms)]
		token := form.prefix + randomBody(r, form.body, true)
		if len(Secrets(token)) == 0 {
			return // chance made it look like a word
		}
		s := before + " " + token + " " + after
		if with, _ := Scan(s); !slices.Equal(with, Secrets(s)) {
			t.Fatalf("%q: beside flags %v are found, alone %v", s, with, Secrets(s))
		}
		if got := Redact(s); strings.Contains(got, token) {
			t.Fatalf("%s: %q keeps %q: %q", of.id, s, token, got)
		}
	})
}
