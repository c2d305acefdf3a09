package baseline_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/audit/baseline"
	"winnow/core/memory"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

var decisions = []memory.Ignore{
	{Fingerprint: strings.Repeat("b2", 16), Rule: "email", Reason: "a <list> & more", Added: now},
	{
		Fingerprint: strings.Repeat("a1", 16),
		Rule:        "github-pat",
		Reason:      "revoked",
		Added:       now,
		Until:       now.Add(time.Hour),
	},
}

func TestBaselineIsTheSameForTheSameDecisions(t *testing.T) {
	one := baseline.Encode(decisions)
	turned := slices.Clone(decisions)
	slices.Reverse(turned)
	earlier := decisions[0]
	earlier.Added, earlier.Reason = now.Add(-time.Hour), "older"
	if two := baseline.Encode(append(turned, earlier)); !bytes.Equal(one, two) {
		t.Errorf("%s\n%s", one, two)
	}
	got, err := baseline.Decode(one)
	if err != nil || !reflect.DeepEqual(got, decisions) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := baseline.Decode(baseline.Encode(nil)); err != nil || len(got) != 0 {
		t.Errorf("none: %+v, %v", got, err)
	}
}

func TestBaselineThatAPersonWroteIsRead(t *testing.T) {
	text := "\ufeff{\"comment\":\"ours\",\"ignored\":[{\"fingerprint\":\" " + strings.Repeat("AB", 16) +
		"\",\"reason\":\"r\",\"until\":\"2027-01-31\",\"who\":\"me\"}]}\r\n"
	got, err := baseline.Decode([]byte(text))
	if err != nil || len(got) != 1 || got[0].Fingerprint != strings.Repeat("ab", 16) ||
		got[0].Until != time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := baseline.Decode([]byte(" \n")); err != nil || got != nil {
		t.Errorf("an empty file: %+v, %v", got, err)
	}
}

func TestBaselineThatCannotBeReadSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"ignored\": [,]}":                "line 2",
		`{"version":9,"ignored":[]}`:          "version 9",
		`{"ignored":[{"fingerprint":"xyz"}]}`: "entry 1",
		`{"ignored":[{"fingerprint":"` + strings.Repeat("ab", 16) + `","until":"soon"}]}`: "not a date",
		`{"ignored":7}`: "line 1",
		`[]`:            "line 1",
	} {
		_, err := baseline.Decode([]byte(text))
		var p *memory.Problem
		if !errors.As(err, &p) || p.Code != "baseline" || p.Hint == "" || !strings.Contains(p.What, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzBaselineIsReadOrRefused(f *testing.F) {
	f.Add(baseline.Encode(decisions))
	f.Add([]byte(`{"ignored":[{"fingerprint":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := baseline.Decode(text)
		if err != nil {
			var p *memory.Problem
			if !errors.As(err, &p) {
				t.Errorf("%v", err)
			}
			return
		}
		once := baseline.Encode(got)
		again, err := baseline.Decode(once)
		if err != nil || !bytes.Equal(baseline.Encode(again), once) {
			t.Errorf("%q: %v", once, err)
		}
	})
}
