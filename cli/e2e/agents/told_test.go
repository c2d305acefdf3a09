//go:build agents

package agents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/cli/e2e/agents"
)

// adds has a person write a lesson that is told at a moment.
func (p *person) adds(title, body, when string) {
	p.t.Helper()
	p.runs(
		"winnow", "add", "--store", lessons, "--set", "task_summary="+title, "--set", "lesson="+body, "--when", when,
	)
}

// asksOf returns how often each request that offers tools holds a text.
func (p *person) asksOf(requests []agents.Request, text string) (counts []int) {
	for _, r := range requests {
		if strings.Contains(string(r.Body), `"tools"`) {
			counts = append(counts, strings.Count(string(r.Body), text))
		}
	}
	return counts
}

// TestLessonIsToldAtItsMoment: a session fails, a person writes what helps and when, and the next session is told
// before its next call, once. No other call brings it up.
func TestLessonIsToldAtItsMoment(t *testing.T) {
	for _, a := range agents.All() {
		t.Run(string(a), func(t *testing.T) {
			p := newPerson(t, a)
			t.Log(p.runs("winnow", "setup", string(a), "--triggers", "--write"))
			p.trust()
			agents.Run(t, a, p.home, p.project, task, a.Shell("publish report.txt"))
			p.adds("Publish a report", "Call sh publish.sh in place of publish.", "command: publish")
			p.adds("Missing chart", "Draw chart.svg with make first.", "error: chart.svg")
			p.adds("Rules here", "Answer in one sentence.", "always")
			calls := []agents.Step{
				a.Shell("echo publish"), a.Shell("cd . && publish report.txt"), a.Shell("publish2 || ls chart.svg"),
				a.Shell("publish report.txt"), a.Shell("echo end"),
			}
			requests := agents.Run(t, a, p.home, p.project, "write it down", calls...)
			for text, want := range map[string][]int{
				"sh publish.sh in place": {0, 0, 1, 1},
				"Draw chart.svg":         {0, 0, 0, 1},
				"Answer in one sentence": {1, 1, 1, 1},
			} {
				counts := p.asksOf(requests, text)
				t.Logf("%q stands in the requests %v times", text, counts)
				if len(counts) < len(want)+2 {
					t.Fatalf("%d requests", len(counts))
				}
				for i, n := range want {
					if counts[i] != n {
						t.Errorf("%q stands in request %d %d times, want %d", text, i+1, counts[i], n)
					}
				}
			}
			store, err := os.ReadFile(filepath.Join(p.project, lessons))
			if err != nil || strings.Contains(string(store), `"relevance_count":0`) {
				t.Errorf("what was told is not counted: %s, %v", store, err)
			}
		})
	}
}
