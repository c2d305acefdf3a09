package learn

import (
	"testing"

	"winnow/core/memory"
	"winnow/core/session"
)

func TestMomentIsReplayedOverPastSessions(t *testing.T) {
	edit := session.Step{Tool: "Edit", Arguments: `{"file_path":"web/app.ts"}`, Status: session.OK}
	var traces []Trace
	for _, steps := range [][]session.Step{
		{sh("cd x && rtk bun test", "rtk: command not found"), sh("bun test", ""), edit},
		{sh("FOO=1 rtk bun test", "")},
		{sh("echo rtk bun", ""), sh("rtkbun", ""), sh("git log", "")},
		{edit, edit},
	} {
		s := of(steps...)
		s.Folder = "/p/sub"
		traces = append(traces, TraceOf(s))
	}
	for when, want := range map[string]string{
		"command: rtk":            "would have fired in 2 of 4 sessions; in 1 the command then failed, in 1 not",
		"command: rtk bun test":   "would have fired in 2 of 4 sessions; in 1 the command then failed, in 1 not",
		"command: docker":         "would have fired in 0 of 4 sessions",
		"command: git":            "would have fired in 0 of 4 sessions", // nearly every session runs it: it is told never
		"file: sub/web/*.ts":      "would have fired in 2 of 4 sessions",
		"file: web/*.ts":          "would have fired in 0 of 4 sessions",
		"error: rtk: command not": "would have fired in 1 of 4 sessions",
		"always":                  "",
		"task":                    "",
	} {
		w, err := memory.ParseWhen(when)
		if err != nil {
			t.Fatal(err)
		}
		f := Replay(traces, w, "/p")
		if got := f.String(); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
}

func TestOnlySoManyCommandsOfASessionAreKept(t *testing.T) {
	var steps []session.Step
	for i := range session.MostSteps {
		steps = append(steps, sh("make "+string(rune('a'+i%26))+string(rune('a'+i/26%26)), ""))
	}
	if got := TraceOf(of(steps...)); len(got.Ran) != mostRan {
		t.Errorf("%d commands are kept", len(got.Ran))
	}
}
