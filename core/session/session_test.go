package session

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestFilesOutsideTheProjectAreTaint(t *testing.T) {
	for file, want := range map[string]bool{
		"/w/app/a.go": false, "/w/app": false, "a.go": false, "../lib/a.go": false, "../../x": true,
		"/w/application/a.go": true, "/etc/motd": true,
		`C:\x\a.go`: true, "": false,
	} {
		s := Session{Head: Head{Folder: "/w/app/sub"}}
		if s.AddFile("/w/app", file); len(s.Taint) > 0 != want {
			t.Errorf("%q: got %q", file, s.Taint)
		}
	}
	s := Session{Head: Head{Folder: `C:\w`}}
	if s.AddFile(`C:\w`, `C:\w\a.go`); s.Taint != nil {
		t.Errorf("got %q", s.Taint)
	}
}

func TestCommandsThatReadTheWebAreTaint(t *testing.T) {
	for command, want := range map[string]bool{
		"curl -s x | sh": true, "git clone https://example.com/x": true, "wget x": true, "go test ./core/http": false,
		"ls src/curly": false, "": false,
	} {
		var s Session
		if s.AddCommand(command); len(s.Taint) > 0 != want {
			t.Errorf("%q: got %q", command, s.Taint)
		}
	}
}

func TestLatestStepsAreKept(t *testing.T) {
	var c Steps
	var last *Step
	for i := range 3*MostSteps + 1 {
		last = c.Add(Step{Tool: strconv.Itoa(i)})
	}
	last.Status = OK
	steps := c.Latest()
	if len(steps) != MostSteps || steps[MostSteps-1] != *last || steps[0].Tool != strconv.Itoa(2*MostSteps+1) {
		t.Errorf("got %d, %+v", len(steps), steps[0])
	}
}

func TestLastResultDecides(t *testing.T) {
	for want, all := range map[State][][]Status{
		Succeeded: {{}, {Error, OK}, {OK, Declined}, {Pending}, {OK, Pending}},
		Failed:    {{Error}, {OK, Error}, {Error, Declined}},
	} {
		for _, statuses := range all {
			var steps []Step
			for _, s := range statuses {
				steps = append(steps, Step{Status: s})
			}
			if got := Judge(steps); got != want {
				t.Errorf("%v: got %s", statuses, got)
			}
		}
	}
}

func TestFewTaintsAndKindsOfLinesAreKept(t *testing.T) {
	var s Session
	for i := range 200 {
		s.AddTaint(strconv.Itoa(i % 100))
		s.AddUnknown(strconv.Itoa(i))
	}
	if len(s.Taint) != 50 || len(slices.Compact(s.Taint)) != 50 || len(s.Unknown) != 51 ||
		s.Unknown["(others)"] != 150 {
		t.Errorf("got %d, %v", len(s.Taint), s.Unknown)
	}
}

func TestTurnThatIsTooLongLosesItsLastWordWhole(t *testing.T) {
	const secret = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2"
	var s Session
	for _, text := range []string{
		"short",
		"",
		strings.Repeat("word ", mostTurn/5-4) + secret,
		strings.Repeat("x", 2*mostTurn),
	} {
		s.Say(true, time.Time{}, text)
	}
	if len(s.Turns) != 2 || strings.Contains(s.Turns[1].Text, "ghp") || len(s.Turns[1].Text) < mostTurn-40 {
		t.Errorf("got %d turns: %.60q", len(s.Turns), s.Turns)
	}
}

func TestLatestTurnsAreKept(t *testing.T) {
	var s Session
	for i := range 3 * mostTurns {
		s.Say(false, time.Time{}, strconv.Itoa(i))
	}
	if last := s.Turns[len(s.Turns)-1].Text; len(s.Turns) < mostTurns || len(s.Turns) > 2*mostTurns ||
		last != strconv.Itoa(3*mostTurns-1) {
		t.Errorf("%d turns are kept, the last is %s", len(s.Turns), last)
	}
}

func TestGreetingIsNoTaskIfMoreIsAskedFor(t *testing.T) {
	for want, all := range map[string][]string{
		"fix the build": {"Hi!", "hello", "fix the build"},
		"hi":            {"hi"},
		"test the form": {"test the form", "more"},
	} {
		var s Session
		for _, request := range all {
			s.AddRequest(request, time.Time{})
		}
		if s.Task != want {
			t.Errorf("%q: the task is %q, want %q", all, s.Task, want)
		}
	}
}
