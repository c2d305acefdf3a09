package views

import (
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/theme"
)

// group describes the stores below a heading.
func (v Stores) group(t theme.Theme, d *prose, l StoreLine) {
	s := v.sum(l.Of)
	parts := []string{count(len(l.Of), "store")}
	if said := strings.TrimSpace(s.records()); said != "" {
		parts = append(parts, said)
	}
	if s.running > 0 {
		parts = append(parts, strconv.Itoa(s.running)+" running")
	}
	d.add(t.Text, "", strings.Join(parts, "   "))
	if s.size.Bytes > 0 {
		d.add(t.Text, "", "injected at every start, all together: "+byteSize(int64(s.size.Bytes))+", at most "+short(s.size.TokensHigh)+" tokens")
	}
	if s.tallied > 0 {
		d.add(t.Text, "", "findings: "+strings.TrimSuffix(s.findings(), "..")+" ("+strconv.Itoa(s.tallied)+" of "+strconv.Itoa(s.of)+" audited)")
	}
	shown := 0
	for _, i := range l.Of {
		r := &v.Rows[i]
		said := ""
		switch {
		case r.Failed != "":
			said = r.Failed
		case r.Loaded && r.Summary.Problem != nil:
			said = r.Summary.Problem.What
		default:
			continue
		}
		if shown++; shown <= 5 {
			d.add(t.Danger, "", "! "+v.Mask.line(r.path()+": "+said, 1000))
		}
	}
}

// more says what a store of one of several systems is: what it adds to each session, how
// full it is, who runs, and its parts.
func (v Stores) more(t theme.Theme, d *prose, r *StoreRow) {
	s := &r.Summary
	if !v.Grouped || !r.Loaded || s.Problem != nil {
		return
	}
	if s.ReadOnly != "" {
		d.add(t.Warn, "", "read-only: "+v.Mask.line(s.ReadOnly, 1000))
	}
	if n := s.Start; n.Bytes > 0 {
		d.add(t.Text, "", "at every start: "+byteSize(int64(n.Bytes))+", about "+strconv.Itoa(n.TokensLow)+"-"+
			strconv.Itoa(n.TokensHigh)+" tokens, models differ")
	}
	for _, u := range s.Usage {
		d.add(t.Text, "", v.Mask.line(usageText(u), 1000))
	}
	if r.Tallied {
		said := v.sum([]int{v.rowOf(r)}).findings()
		if r.Tally.Files > 0 {
			said += ", " + strconv.Itoa(r.Tally.Files) + " about its files"
		}
		d.add(t.Text, "", "findings: "+said)
	}
	for i := range s.Running {
		d.add(t.Info, "", v.Mask.line(RunningText(s.Running[i], v.Now), 1000))
	}
	for i, sc := range s.Scopes {
		if i == maxScopes {
			d.add(t.Dim, "  ", strconv.Itoa(len(s.Scopes)-i)+" more parts")
			break
		}
		d.add(t.Dim, "  ", v.Mask.line(sc.Name+": "+s.Noun.Count(sc.Records)+withNote(sc.Note), 1000))
	}
	for _, f := range s.Facts {
		d.add(t.Dim, "", v.Mask.line(f.Name+": "+f.Text, 1000))
	}
}

// maxScopes is how many parts of a store are listed.
const maxScopes = 12

func (v Stores) rowOf(r *StoreRow) int {
	for i := range v.Rows {
		if &v.Rows[i] == r {
			return i
		}
	}
	return 0
}

func withNote(note string) string {
	if note == "" {
		return ""
	}
	return ", " + note
}

// usageText says how full a part of a store is, in the words of its system where it has
// any.
func usageText(u memory.Usage) string {
	if u.Text != "" {
		return strings.TrimPrefix(u.Name+": "+u.Text, ": ")
	}
	said := u.Name + ": " + strconv.Itoa(u.Used)
	if u.Limit > 0 {
		said += " of " + strconv.Itoa(u.Limit) + " (" + strconv.Itoa(u.Used*100/u.Limit) + "%)"
	}
	return said
}

// RunningText says which agent runs, where and since when. It is not safe yet.
func RunningText(r memory.Running, now time.Time) string {
	parts := []string{"running"}
	if r.State != "" {
		parts = append(parts, r.State)
	}
	if r.PID > 0 {
		parts = append(parts, "pid "+strconv.Itoa(r.PID))
	}
	if r.Session != "" {
		parts = append(parts, "session "+r.Session)
	}
	if r.Folder != "" {
		parts = append(parts, "in "+r.Folder)
	}
	if !r.Since.IsZero() && !now.IsZero() {
		parts = append(parts, "since "+Age(now.Sub(r.Since)))
	}
	return strings.Join(parts, ", ")
}
