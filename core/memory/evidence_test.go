package memory

import "testing"

func TestFewCasesHaveNoPercentage(t *testing.T) {
	for _, test := range []struct {
		e    Evidence
		want string
	}{
		{Evidence{}, ""},
		{Evidence{Without: 3, SucceededWithoutIt: 1}, "recalled in none of 3 sessions"},
		{Evidence{Without: 3, Unknown: "not known"}, "not known"},
		{Evidence{1, 1, 20, 11, "not known", Use{}, nil}, "recalled in 1 session, 1 succeeded; without it 11 of 20; too few to compare"},
		{Evidence{7, 6, 4, 2, "", Use{}, nil}, "recalled in 7 sessions, 6 succeeded; without it 2 of 4; too few to compare"},
		{Evidence{7, 6, 20, 11, "", Use{}, nil}, "recalled in 7 sessions, 6 succeeded; without it 11 of 20 (86 % against 55 %)"},
	} {
		if got := test.e.String(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.e, got, test.want)
		}
	}
}

func TestRecordIsUnhelpfulOnlyByEnoughCases(t *testing.T) {
	for _, test := range []struct {
		e    Evidence
		want bool
	}{
		{Evidence{10, 4, 10, 6, "", Use{}, nil}, true}, {Evidence{10, 5, 10, 6, "", Use{}, nil}, false},
		{Evidence{9, 0, 100, 100, "", Use{}, nil}, false},
		{Evidence{100, 0, 9, 9, "", Use{}, nil}, false},
		{Evidence{50, 50, 50, 0, "", Use{}, nil}, false},
		{Evidence{}, false},
	} {
		if got := test.e.Unhelpful(); got != test.want {
			t.Errorf("%+v: got %v", test.e, got)
		}
	}
}
