package plan_test

import (
	"strings"
	"testing"

	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
)

// Made of two parts, so that no scanner takes this file for a leak.
const password = "Tr0ub4dor" + "&3x"

// saying returns a lesson with a text.
func saying(id, text string) string {
	return strings.Replace(line(id, 0, 1, -1), "lesson of "+id, text, 1)
}

func ruleOf(t *testing.T, text string) string {
	t.Helper()
	spans := detect.Secrets(text)
	if len(spans) != 1 {
		t.Fatalf("%q holds %v", text, spans)
	}
	return spans[0].Rule
}

func TestCopiesOfASecretAreRedactedInTheWholeStore(t *testing.T) {
	inTool := strings.Replace(line("b", 0, 1, -1), "http-get", password, 1)
	unknown := strings.TrimSuffix(line("e", 0, 1, -1), "}") + `,"n":1.0,"x":{"y":["log in as ` + password + `!"]}}`
	v := view(
		saying("d", "with "+password+" it works"),
		saying("a", "the password: "+password),
		inTool,
		line("c", 0, 1, -1),
		unknown,
	)
	p := must(
		t,
		memory.Order{Do: memory.Redact, IDs: []memory.ID{"a"}, Only: []string{ruleOf(t, "password: "+password)}},
		v,
	)
	if changesText(p) != "edit d, edit a, edit b, edit e" || p.What != "Redacted 4 secrets in 4 lessons" || !p.Final {
		t.Fatalf("%s: %s", p.What, changesText(p))
	}
	wantNote(t, p, "3 more lessons hold the same secret")
	for _, c := range p.Changes {
		if want := strings.ReplaceAll(c.Before, password, detect.Redacted); c.After != want {
			t.Errorf("%s becomes\n%s, want\n%s", c.ID, c.After, want)
		}
	}
}

func TestOnlyWhatTheChosenRulesFindIsRedacted(t *testing.T) {
	both := saying("a", "the password: "+password+" and "+token)
	v := view(both, saying("b", token))
	p := must(t, memory.Order{Do: memory.Redact, Only: []string{ruleOf(t, "password: "+password)}}, v)
	if changesText(p) != "edit a" || p.Changes[0].After != strings.ReplaceAll(both, password, detect.Redacted) {
		t.Errorf("%s: %+v", changesText(p), p.Changes)
	}
	p = must(t, memory.Order{Do: memory.Redact, IDs: []memory.ID{"a"}, Only: []string{"no such rule"}}, v)
	if p.Final || p.What != "Nothing to redact" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
}

func TestASecretThatIsAlsoAWordStaysWhereNothingSaysThatItIsOne(t *testing.T) {
	for text, want := range map[string]bool{
		password: true, token: true, "hunter22x": true, "aBcDeFgH": true, "correct horse battery 9": true,
		"qwertyuiopasdfghjkl": true, "hf" + "_DGhNgECuquHYwzJnEpFFSOwWZRIAVtzpZH": true, "1234567890123": true,
		"пароль7890": true,
		"abc1":       false, "ab12x": false, "changeme": false, "Sunshine": false, "PASSWORD": false,
		"maxRetries":            false,
		"correct horse battery": false, "secret-word": false, "2026-11-21": false, "123456": false, "10.0.0.1": false,
		"пароль": false,
	} {
		if got := detect.Distinctive(text); got != want {
			t.Errorf("%s tells: %t", text, got)
		}
	}
}

func TestTheTextOfASecretIsWithoutItsEscapes(t *testing.T) {
	r := composer{}.Decode(`{"lesson_id":"a","x":"\u0067` + token[1:] + `"}`)
	var texts []string
	for _, s := range r.Secrets {
		if text := plan.SecretText(&r, s); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 || texts[0] != token {
		t.Errorf("texts are %q of %+v", texts, r.Secrets)
	}
	if got := plan.SecretText(&r, memory.Secret{Field: memory.InBody, Start: 3, End: 9}); got != "" {
		t.Errorf("a place that is not there holds %q", got)
	}
}

func TestACopyInALineThatIsTooLongIsSaid(t *testing.T) {
	v := view(saying("a", "the password: "+password), saying("b", password), saying("c", "nothing"))
	v.Records[1].RawLen++
	v.Records[2].RawLen++
	p := must(t, memory.Order{Do: memory.Redact, IDs: []memory.ID{"a"}}, v)
	if changesText(p) != "edit a" || kept(p) != "b: too long to be changed here" {
		t.Errorf("%s; kept %s", changesText(p), kept(p))
	}
}
