package cli

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"winnow/core/activity"
	"winnow/core/memory"
)

// plots tells of a store in which everything is hostile.
type plots struct{}

var twoWeeks = activity.Row{Name: "learnt", Counts: []int{activity.Unknown, 3}, Total: 4}

func (plots) Activity(context.Context, memory.StoreID) (activity.Store, error) {
	return activity.Store{
		From:       noon,
		Rows:       []activity.Row{twoWeeks, {Name: "removed", Counts: []int{activity.Unknown, activity.Unknown}}},
		Outcomes:   []activity.Row{twoWeeks},
		OutcomesOf: "lessons",
		Fill:       activity.Fill{Held: 2, Cap: 10, Rated: true, PerWeek: 0.5, Full: noon, Text: "2 of 10"},
		Notes:      []string{hostile},
	}, nil
}

func (plots) Timeline(_ context.Context, _ memory.StoreID, id memory.ID) (activity.Timeline, error) {
	if id == "nobody" {
		return activity.Timeline{}, fmt.Errorf("find %s: %w", id, memory.ErrNotFound)
	}
	return activity.Timeline{
		Record:   id,
		Title:    hostile,
		From:     noon,
		Weeks:    twoWeeks,
		Recalled: activity.Unknown,
		Sessions: 1,
		Notes:    []string{hostile},
		Events: []activity.Event{
			{
				At:      noon,
				Kind:    activity.Recalled,
				Times:   2,
				Who:     memory.Others,
				Agent:   hostile,
				Session: hostile,
				State:   hostile,
				Detail:  hostile,
				Entry:   "3",
			},
			{Kind: activity.Learnt},
		},
	}, nil
}

func TestStatsOfARecordThatNobodyKnows(t *testing.T) {
	w := newWorld(full())
	if status := Run(t.Context(), w.Env, []string{"stats", "--id", "nobody"}); status != exitNotFound ||
		!strings.Contains(w.err.String(), "find nobody: not found") {
		t.Errorf("status %d, %s", status, &w.err)
	}
}
