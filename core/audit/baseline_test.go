package audit_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/audit"
	"winnow/core/memory"
)

var decisions = []memory.Ignore{
	{Fingerprint: strings.Repeat("b2", 16), Rule: "email", Reason: "a <list> & more", Added: now},
	{Fingerprint: strings.Repeat("a1", 16), Rule: "github-pat", Reason: "revoked", Added: now, Until: now.Add(time.Hour)},
}

func TestBaselineIsTheSameForTheSameDecisions(t *testing.T) {
	one := audit.EncodeBaseline(decisions)
	turned := slices.Clone(decisions)
	slices.Reverse(turned)
	earlier := decisions[0]
	earlier.Added, earlier.Reason = now.Add(-time.Hour), "older"
	if two := audit.EncodeBaseline(append(turned, earlier)); !bytes.Equal(one, two) {
		t.Errorf("%s\n%s", one, two)
	}
	got, err := audit.DecodeBaseline(one)
	if err != nil || !reflect.DeepEqual(got, decisions) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := audit.DecodeBaseline(audit.EncodeBaseline(nil)); err != nil || len(got) != 0 {
		t.Errorf("none: %+v, %v", got, err)
	}
}

func TestBaselineThatAPersonWroteIsRead(t *testing.T) {
	text := "\ufeff{\"comment\":\"ours\",\"ignored\":[{\"fingerprint\":\" " + strings.Repeat("AB", 16) + "\",\"reason\":\"r\",\"until\":\"2027-01-31\",\"who\":\"me\"}]}\r\n"
	got, err := audit.DecodeBaseline([]byte(text))
	if err != nil || len(got) != 1 || got[0].Fingerprint != strings.Repeat("ab", 16) || got[0].Until != time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := audit.DecodeBaseline([]byte(" \n")); err != nil || got != nil {
		t.Errorf("an empty file: %+v, %v", got, err)
	}
}

func TestBaselineThatCannotBeReadSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"ignored\": [,]}":                "line 2",
		`{"version":9,"ignored":[]}`:          "version 9",
		`{"ignored":[{"fingerprint":"xyz"}]}`: "entry 1",
		`{"ignored":[{"fingerprint":"` + strings.Repeat("ab", 16) + `","until":"soon"}]}`: "no date",
		`{"ignored":7}`: "line 1",
		`[]`:            "line 1",
	} {
		_, err := audit.DecodeBaseline([]byte(text))
		var p *memory.Problem
		if !errors.As(err, &p) || p.Code != "baseline" || p.Hint == "" || !strings.Contains(p.What, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzBaselineIsReadOrRefused(f *testing.F) {
	f.Add(audit.EncodeBaseline(decisions))
	f.Add([]byte(`{"ignored":[{"fingerprint":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := audit.DecodeBaseline(text)
		if err != nil {
			var p *memory.Problem
			if !errors.As(err, &p) {
				t.Errorf("%v", err)
			}
			return
		}
		once := audit.EncodeBaseline(got)
		again, err := audit.DecodeBaseline(once)
		if err != nil || !bytes.Equal(audit.EncodeBaseline(again), once) {
			t.Errorf("%q: %v", once, err)
		}
	})
}
