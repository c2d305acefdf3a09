package lessons

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/page"
	"winnow/views"
)

// Heater counts the recalls of each record of a store in each of the latest weeks.
type Heater interface {
	Heat(ctx context.Context, store memory.StoreID, weeks int) (map[memory.ID][]int, error)
}

// heat is what the column of recalls shows.
type heat struct {
	store memory.StoreID
	weeks map[memory.ID][]int
	asked time.Time
}

// heatAge is how old recalls by week may be: they are put together from all that is known of a store.
const heatAge = time.Minute

// warm asks for the recalls by week while they are listed.
func (p *Page) warm() tea.Cmd {
	store, h := p.shown.snap.Place.Store, &p.heat
	if p.cfg.Heater == nil || store == "" || !slices.Contains(p.columns, "heat") || h.store == store && p.Now.Sub(h.asked) < heatAge {
		return nil
	}
	if h.store != store {
		h.weeks = nil
	}
	h.store, h.asked = store, p.Now
	ctx, heater := p.ctx, p.cfg.Heater
	return func() tea.Msg {
		weeks, _ := heater.Heat(ctx, store, views.HeatWeeks) // a store that cannot be read says so itself
		return page.Then(func(p *Page) tea.Cmd { return p.onHeat(store, weeks) })
	}
}

func (p *Page) onHeat(store memory.StoreID, weeks map[memory.ID][]int) tea.Cmd {
	if store == p.heat.store {
		p.heat.weeks = weeks
	}
	return nil
}
