package e2e

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/cli/program"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/home"
	inboxpage "winnow/tui/pages/inbox"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// plantIn adds a secret and what acts on a terminal to every text in a value, at any depth.
func plantIn(v reflect.Value) (planted int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + plantedText)
		return 1
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[time.Time]() && v.Type().Field(i).IsExported() {
				planted += plantIn(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			planted += plantIn(v.Index(i))
		}
	}
	return planted
}

// plantedInbox is an inbox with secrets in all texts of its entries, and in what every decision says.
type plantedInbox struct {
	in      memory.Inbox
	refuses bool
}

func (b *plantedInbox) Inbox(context.Context) (memory.Inbox, error)       { return b.in, nil }
func (b *plantedInbox) InboxChanges(context.Context) <-chan struct{}      { return nil }
func (b *plantedInbox) Pending() (memory.Inbox, error)                    { return b.in, nil }
func (b *plantedInbox) InboxForm(context.Context, string) (string, error) { return plantedText, nil }

func (*plantedInbox) Replay(_ context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error) {
	return make([]memory.Firing, len(orders)), nil
}

func (b *plantedInbox) Failures(context.Context, memory.FailureOrder) (memory.Failures, error) {
	f := memory.Failure{Places: make([]memory.FailurePlace, 1), Told: &memory.Told{}}
	plantIn(reflect.ValueOf(&f).Elem())
	return memory.Failures{List: []memory.Failure{f}}, nil
}

func (b *plantedInbox) LearnFailure(context.Context, string, time.Time) (memory.InboxEntry, error) {
	return memory.InboxEntry{}, errors.New(plantedText)
}

func (b *plantedInbox) PlanDistil(context.Context, memory.LearnOrder) (d memory.Distilling, _ error) {
	plantIn(reflect.ValueOf(&d).Elem())
	return d, nil
}

func (b *plantedInbox) Distil(context.Context, memory.Distilling, func(n, of int)) ([]memory.Learnt, error) {
	l := memory.Learnt{}
	plantIn(reflect.ValueOf(&l).Elem())
	return []memory.Learnt{l}, errors.New(plantedText)
}

func (b *plantedInbox) Review(_ context.Context, o memory.InboxOrder) (r memory.InboxResult, err error) {
	plantIn(reflect.ValueOf(&r).Elem())
	if r.Findings, r.Refused = nil, map[string]error{}; b.refuses {
		// the gate redacts before it looks
		finding := memory.Finding{
			Rule:  "prompt-override",
			Field: "lesson",
			What:  "It gives orders.",
			Text:  "You must [REDACTED]",
			End:   8,
		}
		r.Findings, r.What = []memory.Finding{finding}, ""
		for _, id := range o.IDs {
			r.Refused[id] = fmt.Errorf(
				"approve: %w",
				map[bool]error{true: memory.ErrFinding, false: errors.New(plantedText)}[o.Do == memory.InboxApprove],
			)
		}
	}
	return r, nil
}

// TestNothingPlantedIsInTheInbox plants in every text of a proposal, of a clone's line, and of records that
// were changed, came back or are gone, and looks at list, detail, dialogs and toasts.
func TestNothingPlantedIsInTheInbox(t *testing.T) {
	for _, refuses := range []bool{false, true} {
		for _, width := range []int{80, 120, 200} {
			if refuses != (width == 120) && !isLong() {
				continue
			}
			lib := &plantedInbox{refuses: refuses}
			for kind := memory.Proposal; kind <= memory.GoneRecord; kind++ {
				e := memory.InboxEntry{ID: fmt.Sprint(kind), Restorable: true, Targets: make([]memory.Place, 2)}
				if plantIn(reflect.ValueOf(&e).Elem()) < 40 {
					t.Fatal("few texts are planted in")
				}
				e.Kind = kind
				lib.in.Entries = append(lib.in.Entries, e)
			}
			lib.in.Notes = []string{plantedText}
			synctest.Test(t, func(t *testing.T) { lookAtInbox(t, lib, width) })
		}
	}
}

func lookAtInbox(t *testing.T, lib *plantedInbox, width int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	km, m := keymap.Default(), &tuitest.Machine{}
	d := tuitest.New(t, tui.New(ctx, tui.Config{
		Keys: km, Theme: theme.Options{Name: theme.Mono}, Follower: m, Searcher: m, Now: time.Now, Mask: program.Mask,
		Pages: []page.Page{
			inboxpage.New(
				ctx,
				inboxpage.Config{
					Keys:    km,
					Library: lib,
					Editor:  &tuitest.Editor{Write: func(s string) string { return s + "more" }},
				},
			),
			home.New(ctx, home.Config{Keys: km, Surveyor: m, Summarizer: m, Tallier: m}),
		},
	}), width, 45)
	d.Advance(time.Second)
	hidden := 0
	for range lib.in.Entries {
		for _, key := range []string{"enter", "pgdown", "pgdown", "esc", "l", "e", "esc", "t", "esc", "a", "esc", "space", "A", "esc", "x", "esc", "m", "esc", "D", "y", "R", "u", "ctrl+r", "esc", "j"} {
			d.Press(key)
			d.Advance(100 * time.Millisecond)
			screen := d.Screen()
			if what := leaked(screen); what != "" {
				t.Fatalf("width %d, key %s: the screen shows %s", width, key, what)
			}
			if strings.Contains(screen, "ghp_***") || strings.Contains(screen, "<ESC>") {
				hidden++
			}
		}
	}
	if hidden < 20 {
		t.Errorf("width %d: only %d screens hide something", width, hidden)
	}
}
