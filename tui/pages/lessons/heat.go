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

// heat is the data of the column that shows recalls by week.
type heat struct {
	store memory.StoreID
	weeks map[memory.ID][]int
	asked time.Time
}

// heatAge is how old recalls by week may be. They are not recomputed more often, because that reads
// everything known about a store.
const heatAge = time.Minute

// requestHeat requests the recalls by week if their column is shown and they are missing or too old.
func (p *Page) requestHeat() tea.Cmd {
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
		weeks, _ := heater.Heat(ctx, store, views.HeatWeeks) // the page already says if the store cannot be read
		return page.Then(func(p *Page) tea.Cmd { return p.onHeat(store, weeks) })
	}
}

func (p *Page) onHeat(store memory.StoreID, weeks map[memory.ID][]int) tea.Cmd {
	if store == p.heat.store {
		p.heat.weeks = weeks
	}
	return nil
}
