package memory

import "testing"

func TestRecurrenceSaysWhatIsKnown(t *testing.T) {
	for _, test := range []struct {
		r           Recurrence
		long, short string
	}{
		{Recurrence{}, "", "0"},
		{Recurrence{Unknown: true}, "", "0"},
		{Recurrence{BeforeOf: 97, SinceOf: 40}, "", "0"},
		{Recurrence{Unknown: true, Fired: 9}, "fired 9", "9"},
		{
			Recurrence{Fired: 9, Again: 1, Before: 62, BeforeOf: 97},
			"fired 9, failed again 1; before: 62 of 97 sessions", "9, 1 again",
		},
		{Recurrence{Before: 1, BeforeOf: 1}, "fired 0, failed again 0; before: 1 of 1 session", "0"},
		{
			Recurrence{Fired: 2, Before: 3, BeforeOf: 97, SinceOf: 4},
			"fired 2, failed again 0; before: 3 of 97 sessions; since: 0 of 4", "2",
		},
		{
			Recurrence{Fired: 9, Again: 1, Before: 62, BeforeOf: 97, Since: 1, SinceOf: 40},
			"fired 9, failed again 1; before: 62 of 97 sessions; since: 1 of 40 (64 % against 3 %)", "9, 1 again",
		},
	} {
		if got := test.r.String(); got != test.long {
			t.Errorf("%+v: got %q, want %q", test.r, got, test.long)
		}
		if got := test.r.Short(); got != test.short {
			t.Errorf("%+v: got %q, want %q", test.r, got, test.short)
		}
	}
}

func TestFiredInVainNeedsEnoughSessions(t *testing.T) {
	for _, test := range []struct {
		fired, again int
		want         bool
	}{{0, 0, false}, {4, 4, false}, {5, 2, false}, {5, 3, true}, {6, 3, true}, {100, 49, false}} {
		if got := (Recurrence{Fired: test.fired, Again: test.again}).FiredInVain(); got != test.want {
			t.Errorf("%d of %d: got %v", test.again, test.fired, got)
		}
	}
}
