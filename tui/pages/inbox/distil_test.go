package inbox_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"winnow/core/memory"
)

// teacher sets a program that is given two sessions.
func teacher(s *started) {
	s.core.answer, s.core.next = make(chan struct{}, 1), make(chan int, 1)
	s.core.plan = memory.Distilling{Program: []string{"~/bin/teacher", "-p"}, More: 3, Sessions: []memory.DistilSession{
		{Agent: "planner", ID: "s1", Title: "Run the report", Input: make([]byte, 300)},
		{Agent: "planner", ID: "s2", Title: "Mend the docs", Input: make([]byte, 40)},
	}}
}

// answers lets the program answer.
func answers(p *program) {
	p.core.answer <- struct{}{}
	p.Advance(time.Millisecond)
}

func wantGiven(t *testing.T, p *program, want ...int) {
	t.Helper()
	if got := p.core.given; !slices.Equal(got, want) {
		t.Fatalf("given %v bytes, want %v", got, want)
	}
}

func TestProgramIsGivenSessionsAfterAQuestion(t *testing.T) {
	start(t, teacher, func(t *testing.T, p *program) {
		p.Press("D")
		p.WantText("Give 2 sessions to ~/bin/teacher -p, 340 bytes in all?", "planner, 300 bytes: Run the report",
			"Mend the docs", "3 sessions more wait", "the built-in prompt", "before you approve it")
		p.Press("enter") // Cancel has the focus
		p.Press("D", "esc")
		wantGiven(t, p)
		p.Press("D", "y")
		wantGiven(t, p, 340)
		p.WantText("teacher reads session 1 of 2, 0 s; D stops it: Run the report")
		p.Advance(3 * time.Second)
		p.WantText("session 1 of 2, 3 s")
		p.core.next <- 2
		p.Advance(0)
		p.WantText("teacher reads session 2 of 2, 3 s; D stops it: Mend the docs")
		p.Press("a") // keys work meanwhile
		wantOrders(t, p, "approve p1")
		answers(p)
		p.WantText("teacher proposed 1 lesson; dropped 1: lesson 2 of its answer: its quote", "Running reports")
		p.WantNoText("teacher reads")
	})
}

func TestProgramThatFailsSaysWhy(t *testing.T) {
	fails := func(s *started) {
		teacher(s)
		s.core.wrong = errors.New("run ~/bin/teacher: exit status 3: not logged in")
	}
	start(t, fails, func(t *testing.T, p *program) {
		p.Press("D", "y")
		answers(p)
		p.WantText("teacher proposed 1 lesson", "not logged in; once that is mended, D tries again", "Running reports")
	})
}

func TestProgramIsGivenNothingWithoutAPlan(t *testing.T) {
	for said, change := range map[string]func(*core){
		"No finished session of this project is left":  func(c *core) { c.plan.Sessions = nil },
		"! No program is set for this: [learn] distil": func(c *core) { c.plan = memory.Distilling{} },
		"! distil.md is a folder": func(c *core) {
			c.planErr = errors.New("distil.md is a folder")
		},
	} {
		start(t, func(s *started) { teacher(s); change(s.core) }, func(t *testing.T, p *program) {
			p.Press("D")
			p.WantText(said)
			p.Press("y", "enter")
			p.WantNoText(said)
			wantGiven(t, p)
		})
	}
}

func TestProgramIsOffWithAReason(t *testing.T) {
	start(t, func(s *started) { teacher(s); s.c.ReadOnly = true }, func(t *testing.T, p *program) {
		p.Press("D")
		p.WantText("Winnow was started with --readonly")
		p.Press("y")
		wantGiven(t, p)
	})
}

func TestKeyStopsTheProgram(t *testing.T) {
	start(t, teacher, func(t *testing.T, p *program) {
		p.Press("D", "y")
		p.core.next <- 2
		p.Advance(0)
		p.WantText("teacher reads session 2 of 2")
		p.Press("D")
		p.WantText("Stopped teacher after 1 of 2 sessions; teacher proposed 1 lesson", "Running reports")
		p.WantNoText("teacher reads", "Stopping")
		p.Press("D") // what it was not given is asked about again
		p.WantText("Give 2 sessions to ~/bin/teacher -p")
	})
}

func TestProgramReadsForAnEmptyInbox(t *testing.T) {
	empty := func(s *started) { teacher(s); s.core.entries, s.w, s.h = nil, 80, 24 }
	start(t, empty, func(t *testing.T, p *program) {
		p.WantText("Nothing waits for you.", "D let your program read sessions")
		p.Press("D", "y")
		p.WantText("teacher reads session 1 of 2, 0 s; D stops it")
		p.Press("2") // another screen
		answers(p)
		p.WantText("teacher proposed 1 lesson", "1 Inbox 1")
	})
}
