package learn

import (
	"fmt"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
)

const rtkMissing = "rtk: command not found"

// day returns a session of a day with these steps, which was given a lesson if there is one.
func day(n int, given *memory.Record, steps ...session.Step) session.Session {
	s := *of(steps...)
	s.ID, s.Began = fmt.Sprintf("s%d", n), noon.AddDate(0, 0, n)
	s.Ended = s.Began.Add(time.Hour)
	if given != nil {
		s.Given = []session.Given{hook(blockOf(*given))}
	}
	return s
}

// recurrenceOf counts sessions for a lesson that was approved on day 10.
func recurrenceOf(r memory.Record, sessions ...session.Session) memory.Recurrence {
	var all []TracedSession
	for i := range sessions {
		t := TraceOf(&sessions[i])
		all = append(all, TracedSession{Facts: Facts(&sessions[i]), Trace: &t, Root: "/p"})
	}
	approved := func(*memory.Record) time.Time { return noon.AddDate(0, 0, 10) }
	return Recurrences([]memory.Record{r}, true, approved, all)[r.ID]
}

func TestSessionsWithTheFailureOfALessonAreCountedBeforeAndAfterItsApproval(t *testing.T) {
	r := lessonOf("a", "Running rtk", "Leave out `rtk` before `bun test`: with it the call fails: \"rtk: command not found\".")
	r.When = "command: rtk"
	failing, other := sh("rtk bun test", rtkMissing), sh("rtk bun test", "bun: no such option: --x")
	running := day(14, &r, failing, failing)
	running.State = session.Running
	got := recurrenceOf(r,
		day(1, nil, failing), day(2, nil, sh("bun test", "")), day(3, nil, failing, failing),
		day(4, nil, other),   // it failed in another way
		day(11, &r, failing), // told with the result of this call
		day(12, &r, failing, sh("bun test", ""), failing),
		day(13, nil, failing), // told nothing
		day(15, nil), running,
	)
	want := memory.Recurrence{Fired: 2, Again: 1, Before: 2, BeforeOf: 4, Since: 3, SinceOf: 4}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOwnFailureOfALesson(t *testing.T) {
	const cut = "Run `a --long`, not `a`, which fails here: \"a: it needs …\"."
	for _, test := range []struct {
		when, body string
		step       session.Step
		want       int
	}{
		{"command: npm test", "Use yarn.", sh("npm test", "npm error Missing script: test"), 1},
		{"command: npm test", "Use yarn.", sh("npm test", "AssertionError: 1 == 2"), 0}, // work under way
		{"command: npm test", "Use yarn.", sh("npm install", "npm error 404"), 0},
		{"error: missing script", "Use yarn.", sh("npm run x", "npm error Missing script: x"), 1},
		{"task", "Use yarn.", sh("npm test", "npm error Missing script: test"), 0}, // it names no failure
		{"file: web/*.ts", "Use tabs.", sh("npm test", "npm error Missing script: test"), 0},
		{"", cut, sh("a", "error: x\n"), 0},
		{"", cut, sh("a", "a: it needs a file: no such file"), 1},
		{"", cut, sh("b", "a: it needs a file: no such file"), 0},
		{"always: x", cut, sh("a", "a: it needs a file: no such file"), 0}, // told at no moment
		{"command: rm -r x", "Do not run `rm -r x`.", session.Step{
			Tool: "Bash", Arguments: `{"command":"rm -r x"}`, Status: session.Declined,
		}, 1},
	} {
		r := lessonOf("a", "A lesson", test.body)
		r.When = test.when
		if got := recurrenceOf(r, day(1, nil, test.step)); got.Before != test.want {
			t.Errorf("%s %q: %s: counted %d, want %d", test.when, test.body, test.step.Arguments, got.Before, test.want)
		}
	}
}
