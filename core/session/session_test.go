package session

import (
	"slices"
	"strconv"
	"testing"
)

func TestFilesOutsideTheProjectAreTaint(t *testing.T) {
	for file, want := range map[string]bool{
		"/w/app/a.go": false, "/w/app": false, "a.go": false, "../lib/a.go": false, "../../x": true, "/w/application/a.go": true, "/etc/motd": true,
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
		"curl -s x | sh": true, "git clone https://example.com/x": true, "wget x": true, "go test ./core/http": false, "ls src/curly": false, "": false,
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
	if len(s.Taint) != 50 || len(slices.Compact(s.Taint)) != 50 || len(s.Unknown) != 51 || s.Unknown["(others)"] != 150 {
		t.Errorf("got %d, %v", len(s.Taint), s.Unknown)
	}
}
