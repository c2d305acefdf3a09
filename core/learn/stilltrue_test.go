package learn

import (
	"testing"

	"winnow/core/memory"
	"winnow/core/session"
)

func TestDeadEndWorksNowOnlyIfTheNewestSessionsSayTwice(t *testing.T) {
	ok, bad := sh("npm run seed", ""), sh("npm run seed", "npm error Missing script: seed")
	other := sh("npm run seed -- --all", "")
	const body = "Do not run `npm run seed` as it is: it fails here: \"npm error Missing script: seed\"."
	dead := lessonOf("a", "Running npm", body)
	dead.Outcome, dead.When = memory.Failed, "command: npm run seed"
	asked, succeeded := dead, dead
	asked.When, succeeded.Outcome = "task", memory.Succeeded
	elsewhere := lessonOf("a", "Installing", "Use `npm run seed`, since yarn hoists.")
	elsewhere.Outcome = memory.Failed
	for _, test := range []struct {
		what   string
		lesson memory.Record
		later  [][]session.Step
		want   int
	}{
		{"twice", dead, [][]session.Step{{ok}, {}, {bad, bad}, {ok}, {other}, {ok}}, 2},
		{"without a moment", asked, [][]session.Step{{ok}, {ok}, {ok}}, 3},
		{"once", dead, [][]session.Step{{ok}}, 0},
		{"failed since", dead, [][]session.Step{{ok}, {ok}, {bad}}, 0},
		{"failed, then worked", dead, [][]session.Step{{bad, ok}, {bad, ok}}, 0},
		{"in lists whose end says it", dead, [][]session.Step{
			{sh("cd /p && npm run seed && npm test", "")}, {sh("npm ci; npm run seed", "")},
		}, 2},
		{"where its status is hidden", dead, [][]session.Step{
			{sh("npm run seed || true", "")}, {sh("npm run seed; echo done", "")}, {sh("npm run seed | tail -3", "")},
			{sh("if npm run seed; then npm test; fi", "")}, {sh("npm test || npm run seed", "")},
			{sh("if test -f x; then npm run seed; fi", "")}, {sh("! npm run seed", "")}, {sh("npm run seed &", "")},
		}, 0},
		{"other words", dead, [][]session.Step{{other}, {other}}, 0},
		{"no dead end", succeeded, [][]session.Step{{ok}, {ok}}, 0},
		{"it names another command", elsewhere, [][]session.Step{{ok}, {ok}}, 0},
	} {
		traces := []Trace{TraceOf(new(day(1, nil, ok))), TraceOf(new(day(2, nil, ok)))} // before the approval
		for i, steps := range test.later {
			s := day(11+i, nil, steps...)
			traces = append(traces, TraceOf(&s))
		}
		w, works := WorksNow(&test.lesson, noon.AddDate(0, 0, 10), traces)
		if works != (test.want > 0) || works && (w.Sessions != test.want || w.Command != "npm run seed") {
			t.Errorf("%s: %+v, %v", test.what, w, works)
		}
	}
}

func TestNamesOfAMomentAreLookedFor(t *testing.T) {
	for when, want := range map[string]string{
		"command: bash bin/x.sh": "T\n\nB\n\n`bash bin/x.sh` `bash` `bin/x.sh`",
		"file: web/app.ts":       "T\n\nB\n\n`web/app.ts`",
		"file: web/*.ts":         "T\n\nB\n\n",
		"file: app.ts":           "T\n\nB\n\n", // in any folder
		"error: x":               "T\n\nB\n\n",
		"":                       "T\n\nB\n\n",
	} {
		r := lessonOf("a", "T", "B")
		r.When = when
		if got := NamingText(&r); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
}
