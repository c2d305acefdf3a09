package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// ignoreDialog is the dialog that asks why to ignore a finding, and until when. For a finding that is
// already ignored, it offers to count it again.
type ignoreDialog struct {
	dialogState
	keys    keymap.Map
	finding memory.Finding
	now     func() time.Time
	lines   [2]page.TextLine
	wrong   string
	leaving leaving
}

// The fields of ignoreDialog.
const (
	onReason = iota
	onUntil
)

// newIgnore returns the dialog for a finding.
func newIgnore(k keymap.Map, f memory.Finding, now func() time.Time) *ignoreDialog {
	return &ignoreDialog{keys: k, finding: f, now: now}
}

// form implements dialog.
func (d *ignoreDialog) form() dialogForm {
	on := d.keys.Dialog
	view := views.Ignoring{Finding: d.finding}
	cancel := dialogAction{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: d.cancel}
	f := dialogForm{Keys: d.keys, Buttons: []dialogAction{cancel}}
	if d.finding.Ignored != nil {
		f.View = view.Dialog
		f.Buttons = append(
			f.Buttons,
			dialogAction{
				Binding: keymap.As(on.Confirm, "count it again"),
				Label:   named("Count it again", on.Confirm),
				Do:      d.restore,
			},
		)
		return f
	}
	do := dialogAction{
		Binding: keymap.As(on.Confirm, "ignore it"),
		Label:   named("Ignore it", d.keys.Text.Accept),
		Do:      d.ignore,
	}
	f.Fields, f.Buttons = len(d.lines), append(f.Buttons, do)
	view.Wrong, view.Focus = d.wrong, d.focus
	for i, name := range []string{"Reason", "Until"} {
		view.Fields = append(view.Fields, views.Field{Name: name, Text: d.lines[i].Text(), Before: d.lines[i].Before()})
	}
	f.View = view.Dialog
	if d.focus < len(d.lines) {
		f.Typed = newTyped(d.keys, &d.lines[d.focus], do)
		f.Typed.Changed = func() { d.wrong, d.leaving.asked = "", false }
		f.Typed.Cancel.Do = d.cancel
	}
	return f
}

// cancel leaves the finding as it is. It asks first if a reason was typed.
func (d *ignoreDialog) cancel() formResult {
	return d.leaving.leave(d.keys, d.lines[onReason].Text() != "", &d.wrong)
}

// restore makes the finding count again.
func (d *ignoreDialog) restore() formResult {
	return closing(msg.Decide{Remove: []string{d.finding.Fingerprint}, What: d.finding.Rule + " counts again"})
}

// ignore returns the decision. If the input is invalid, the dialog stays open and says why.
func (d *ignoreDialog) ignore() formResult {
	reason := strings.TrimSpace(d.lines[onReason].Text())
	if reason == "" {
		d.wrong, d.focus = "a reason is needed: whoever reads this later should know why", onReason
		return formResult{}
	}
	now := d.now()
	end, err := parseEnd(d.lines[onUntil].Text(), now)
	if err != nil {
		d.wrong, d.focus = err.Error(), onUntil
		return formResult{}
	}
	i := memory.Ignore{Fingerprint: d.finding.Fingerprint, Rule: d.finding.Rule, Reason: reason, Added: now, Until: end}
	return closing(msg.Decide{Add: []memory.Ignore{i}, What: "Ignored " + i.Rule + ": " + reason})
}

// parseEnd parses an end date: a day such as 2027-01-31, a number of days from now such as 30d, or ""
// for no end.
func parseEnd(text string, now time.Time) (time.Time, error) {
	const most = 3650 // days
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > most {
			return time.Time{}, fmt.Errorf("%s: want 1d to %dd", text, most)
		}
		return now.AddDate(0, 0, n), nil
	}
	end, err := time.ParseInLocation(time.DateOnly, text, now.Location())
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("%s: want a date such as 2027-01-31, or a number of days such as 30d", text)
	case !end.After(now):
		return time.Time{}, fmt.Errorf("%s is not in the future", text)
	}
	return end, nil
}
