package arbiter

import (
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"winnow/core/memory"
)

func TestWhatIsNoRowHasItsReason(t *testing.T) {
	for stored, want := range map[string]string{
		``: "no row", `null`: "null", `[]`: "no row", `{"id":1}}`: "more follows", `{"id":1} {"id":2}`: "more follows",
		`{"id":1}x`: "more follows", `{"id":true}`: "no whole number", `{"id":{}}`: "no value", `{"ID":1}`: "no column",
	} {
		_, err := decodeRow(stored)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: %v, want %q", stored, err, want)
		}
	}
}

func TestAnotherNumberOfRowsThanMeantIsAnError(t *testing.T) {
	if err := exactlyOne(driver.RowsAffected(1), nil); err != nil {
		t.Error(err)
	}
	if err := exactlyOne(driver.RowsAffected(0), nil); err == nil || strings.Contains(err.Error(), "%!") {
		t.Errorf("none was changed: %v", err)
	}
}

func TestWhatStandsBehindAFormIsNotPassedOver(t *testing.T) {
	s := newStore("", clock, nil)
	_, err := s.ParseForm("", s.Form("")+"and this too\n")
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "bad-form" || !strings.Contains(p.What, "unexpected") {
		t.Errorf("%v", err)
	}
}

func TestTheFormOfANewLessonAsksForItsScope(t *testing.T) {
	s := newStore("", clock, nil)
	form := s.Form("")
	if e, err := s.ParseForm("", form); err != nil || e.Scope != nil {
		t.Errorf("a form that is left as it is: %+v, %v", e, err)
	}
	form = strings.Replace(form, `"scope": ""`, `"scope": "acme/scout"`, 1)
	if e, err := s.ParseForm("", form); err != nil || e.Scope == nil || *e.Scope != "acme/scout" {
		t.Errorf("%+v, %v", e, err)
	}
}
