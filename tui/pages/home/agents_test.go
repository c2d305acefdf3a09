package home_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/home"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// project is a project whose agents read something, with the decisions that were made there.
type project struct {
	*machine
	parts   chan memory.Home
	meant   []memory.Issue
	mends   []memory.Mend
	asked   []string
	folders []string // that were followed
	fail    error
}

func (p *project) FollowHome(_ context.Context, folder string) <-chan memory.Home {
	if p.folders = append(p.folders, folder); len(p.folders) > 1 {
		close(p.parts) // the one before has ended
		p.parts = make(chan memory.Home)
	}
	return p.parts
}

func (p *project) PlanMend(_ context.Context, m memory.Mend) (memory.Plan, error) {
	p.mends = append(p.mends, m)
	return memory.Plan{Store: "/s/2"}, p.fail
}

func (p *project) MeantSo(_ context.Context, issues []memory.Issue, _ string) error {
	p.meant = append(p.meant, issues...)
	return p.fail
}

func (p *project) RecordAt(_ context.Context, file string) (memory.StoreID, memory.ID, error) {
	p.asked = append(p.asked, file)
	return "/s/2", "CLAUDE.md", p.fail
}

func answer() memory.Home {
	source := func(path string) memory.HomeSource {
		return memory.HomeSource{
			Source: memory.Source{Path: path, Kind: memory.SourceInstructions, When: memory.AtStart},
			Inside: true,
		}
	}
	return memory.Home{
		Folder: "/p", Project: "/p", Files: 2,
		Agents: []memory.HomeAgent{
			{Agent: "One", System: "one", Files: 1, Sources: []memory.HomeSource{source("/p/ONE.md")}},
			{Agent: "Two", System: "two", Files: 1, Sources: []memory.HomeSource{source("/p/TWO.md")}},
			{Agent: "Three", System: "three"},
		},
		Issues: []memory.Issue{{
			Kind:        memory.Differ,
			Level:       memory.Warn,
			Fingerprint: "f",
			What:        "The version differs.",
			Slots:       [2]string{"16", "15"},
			Places: []memory.Spot{
				{File: "/p/ONE.md", Line: 1, Text: "Use Postgres 16"},
				{File: "/p/TWO.md", Line: 2, Text: "Use Postgres 15"},
			},
			Mend: &memory.Mend{What: "Say 16 in both", File: "/p/TWO.md"},
		}},
	}
}

// startIn starts a program with Home of a project, in which the store /s/2 is that of the agent Two.
func startIn(t *testing.T, p *project) *tuitest.Driver {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	p.machine = newMachine("/s/1", "/s/2")
	p.survey.Places[1].System, p.survey.Places[1].Project = "two", "/p"
	p.parts = make(chan memory.Home)
	t.Cleanup(func() { close(p.parts) })
	km := keymap.Default()
	app := tui.New(ctx, tui.Config{
		Keys:     km,
		Theme:    theme.Options{Name: theme.Mono},
		Follower: p,
		Plots:    p,
		Survey:   p.survey,
		Store:    "/s/1",
		Now:      time.Now,
		HasHome:  true,
		Pages: []page.Page{home.New(ctx, home.Config{
			Keys: km, Surveyor: p, Summarizer: p, Survey: p.survey, Follower: p, Curator: p,
		})},
	})
	d := tuitest.New(t, app, 120, 30)
	p.states <- summary("/s/1", 87)
	d.Advance(time.Second)
	return d
}

func inProject(t *testing.T, test func(t *testing.T, d *tuitest.Driver, p *project)) {
	synctest.Test(t, func(t *testing.T) {
		p := &project{}
		d := startIn(t, p)
		p.parts <- answer()
		d.Advance(0)
		test(t, d, p)
	})
}

func TestHomeFillsAsAnswersArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &project{}
		d := startIn(t, p)
		d.WantText("reading…", "/s/1", "1/100 records")
		h := answer()
		h.Issues, h.Doing = nil, "Comparing what the agents read."
		p.parts <- h
		d.Advance(0)
		d.WantText("What agents read in /p", "Comparing what", ">  One", "Three reads nothing here")
		d.WantNoText("Where they differ")
		p.parts <- answer()
		d.Advance(0)
		d.WantText("2 agents · 2 files · 0 notes", "Where they differ", "Use Postgres 16", "TWO.md:2")
	})
}

func TestTheCursorStaysOnItsRowWhileAnswersArrive(t *testing.T) {
	inProject(t, func(t *testing.T, d *tuitest.Driver, p *project) {
		d.Press("j")
		d.WantText(">  Two")
		h := answer()
		h.Agents[0], h.Agents[1] = h.Agents[1], h.Agents[0]
		p.parts <- h
		d.Advance(0)
		d.WantText(">  Two")
	})
}

func TestEnterOnAnAgentOpensItsStore(t *testing.T) {
	inProject(t, func(t *testing.T, d *tuitest.Driver, p *project) {
		d.Press("enter")
		d.WantText("no store is selected")
		d.Press("j", "enter")
		if n := len(p.followed); n != 2 || p.followed[1] != "/s/2" {
			t.Errorf("followed %v", p.followed)
		}
	})
}

func TestADifferenceIsShownEditedMendedAndMeantSo(t *testing.T) {
	inProject(t, func(t *testing.T, d *tuitest.Driver, p *project) {
		d.Press("j", "j", "j", "enter")
		d.WantText("ONE.md:1", "TWO.md:2", "Say 16 in both")
		d.WantNoText("What agents read")
		d.Press("esc", "e")
		p.states <- summary("/s/2", 1) // the store of the record opens first
		d.Advance(0)
		d.Press("E")
		if len(p.asked) != 2 || p.asked[0] != "/p/ONE.md" || p.asked[1] != "/p/TWO.md" {
			t.Errorf("asked for %v", p.asked)
		}
		d.Press("m")
		if len(p.mends) != 1 || p.mends[0].File != "/p/TWO.md" {
			t.Errorf("mended %v", p.mends)
		}
		d.Press("x")
		d.WantText("Meant so: The version differs; winnow ignore")
		d.WantNoText("Where they differ")
		if len(p.meant) != 1 {
			t.Errorf("meant %v", p.meant)
		}
	})
}

func TestAFailureOnHomeIsSaid(t *testing.T) {
	inProject(t, func(t *testing.T, d *tuitest.Driver, p *project) {
		p.fail = errors.New("the disk is gone")
		d.Press("j", "j", "j")
		for _, k := range []string{"e", "m", "x"} {
			d.Press(k)
			d.WantText("the disk is gone")
		}
		d.WantText("Where they differ")
	})
}

// TestEnterOnAnotherProjectShowsWhatAgentsReadThere, and Esc comes back.
func TestEnterOnAnotherProjectShowsWhatAgentsReadThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &project{}
		d := startIn(t, p)
		p.survey.Places[0].Project = "/other"
		p.parts <- answer()
		d.Advance(0)
		d.WantText("Other projects")
		d.Press("j", "j", "j", "j", "enter")
		d.WantText("reading…")
		p.parts <- memory.Home{Folder: "/other", Project: "/other", Agents: answer().Agents}
		d.Advance(0)
		d.WantText("What agents read in /other")
		d.Press("esc")
		if want := []string{"", "/other", ""}; !slices.Equal(p.folders, want) {
			t.Errorf("followed %q, want %q", p.folders, want)
		}
	})
}

// TestFewOtherProjectsAreListedInAProject until a person asks for all, and all outside of one.
func TestFewOtherProjectsAreListedInAProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &project{}
		d := startIn(t, p)
		var places []memory.Place
		for i := range 9 {
			place := p.survey.Places[0]
			place.Store, place.Project = memory.StoreID(fmt.Sprintf("/s/%d", i)), fmt.Sprintf("/other%d", i)
			places = append(places, place)
		}
		p.survey.Places = places
		d.Press("R")
		h := answer()
		p.parts <- h
		d.Advance(0)
		d.WantText("/other2", "and 6 more")
		h.Outside = true
		p.parts <- h
		d.Advance(0)
		d.WantNoText("and 6 more")
		h.Outside = false
		p.parts <- h
		d.Advance(0)
		d.Press("g", "j", "j", "j", "j", "j", "j", "j", "enter")
		d.WantNoText("and 6 more")
	})
}
