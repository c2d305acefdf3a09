package learn

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/approvals"
	"winnow/core/memory"
)

var midday = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// verdictsOfNobody has nothing approved and nothing rejected.
var verdictsOfNobody approvals.Decisions

func fake(n int, session string) Proposal {
	return Proposal{
		Title: fmt.Sprintf("Repair engine%d of ship%d", n, n*7), Outcome: "failed", Body: fmt.Sprintf("valve%d sticks unless pump%d runs", n, n*3),
		Origin: memory.Origin{Agent: "someagent", Session: session, Door: "learn", At: midday},
	}
}

func added(t *testing.T, q *Quarantine, now time.Time, ps ...Proposal) (n int, last string) {
	t.Helper()
	out, err := q.Add(t.Context(), now, ps, make([][]memory.Record, len(ps)))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range out {
		if a.ID != "" {
			n++
		}
		last = a.Why
	}
	return n, last
}

func TestOneSessionLeavesFiveAndOneSourceTwentyADay(t *testing.T) {
	q := Open(t.TempDir(), rand.Reader)
	total := 0
	for i := range 60 {
		n, _ := added(t, q, midday, fake(i, fmt.Sprintf("s%d", i/10)))
		total += n
		if i == 9 && total != 5 {
			t.Errorf("one session left %d", total)
		}
	}
	if total != 20 {
		t.Errorf("one source left %d in a day", total)
	}
	if n, why := added(t, q, midday.Add(25*time.Hour), fake(100, "later")); n != 1 {
		t.Error("nothing is taken the day after:", why)
	}
}

func TestUnknownProposersAreOneSource(t *testing.T) {
	q := Open(t.TempDir(), rand.Reader)
	total := 0
	for i := range 40 {
		p := fake(i, "")
		p.Origin.Agent, p.Origin.Door = "", fmt.Sprintf("door%d", i)
		n, _ := added(t, q, midday, p)
		total += n
	}
	if total != mostADay {
		t.Errorf("%d were taken", total)
	}
}

func TestQuarantineKeepsTheNewestAndSaysSo(t *testing.T) {
	q := Open(t.TempDir(), rand.Reader)
	for i := range MostWaiting + 5 {
		p := fake(i, fmt.Sprintf("s%d", i))
		p.Origin.Agent = memory.SystemID(fmt.Sprintf("agent%d", i))
		if n, why := added(t, q, midday.Add(time.Duration(i)*time.Minute), p); n != 1 {
			t.Fatal(i, why)
		}
	}
	box, err := q.Look()
	if err != nil || len(box.Waiting) != MostWaiting || box.Desk.Dropped != 5 || box.Waiting[0].Origin.Agent != "agent5" {
		t.Fatalf("%d wait, %d dropped, %v", len(box.Waiting), box.Desk.Dropped, err)
	}
	box, leave, err := q.Enter(t.Context(), midday.Add(keepFor+2*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if n := len(box.Waiting); n != 85 {
		t.Errorf("after 90 days and two hours %d wait", n)
	}
}

func TestTheSameFromAnotherSessionCorroborates(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		agent, session string
		taint          []string
		at             time.Time
		want           bool
	}{
		"another session of another day": {"someagent", "s2", nil, midday.Add(day), true},
		"the same session":               {"someagent", "s1", nil, midday.Add(day), false},
		"the same day":                   {"someagent", "s2", nil, midday, false},
		"tainted":                        {"someagent", "s2", []string{"web"}, midday.Add(day), false},
		"unknown":                        {"", "s2", nil, midday.Add(day), false},
		"without a session":              {"someagent", "", nil, midday.Add(day), false},
	} {
		q := Open(t.TempDir(), rand.Reader)
		added(t, q, midday, fake(1, "s1"))
		p := fake(1, c.session)
		p.Origin.Agent, p.Origin.Taint, p.Origin.At = memory.SystemID(c.agent), c.taint, c.at
		if n, _ := added(t, q, midday.Add(2*day), p); n != 0 {
			t.Errorf("%s: it waits twice", name)
		}
		box, err := q.Look()
		if err != nil || len(box.Waiting) != 1 || box.Waiting[0].Corroborated() != c.want {
			t.Errorf("%s: corroborated %t, want %t (%v)", name, !c.want, c.want, err)
		}
	}
}

func TestEchoAndKnownTextsAreRefused(t *testing.T) {
	q := Open(t.TempDir(), rand.Reader)
	stored := []memory.Record{{ID: "a", Title: "Repair the pump", Body: "the valve sticks unless the pump runs for a minute before"}}
	echoes := fake(2, "s1")
	echoes.Body = "As told: The valve sticks  unless the pump runs for a minute before. So it was."
	framed := fake(3, "s1")
	framed.Body = "## Past Experience - [failed] valves"
	same := fake(4, "s1")
	same.Title, same.Body = "repair the pump!", "The valve sticks unless the pump runs for a minute before"
	out, err := q.Add(t.Context(), midday, []Proposal{echoes, framed, same}, [][]memory.Record{stored, stored, stored})
	if err != nil || out[0].Why != echo || out[1].Why != echo || !strings.Contains(out[2].Why, "already says the same") {
		t.Errorf("%+v %v", out, err)
	}
}

func TestWhatNoProposalMayHoldIsRefusedOrRemoved(t *testing.T) {
	q := Open(t.TempDir(), rand.Reader)
	long, odd, bare, escapes := fake(1, "s1"), fake(2, "s1"), fake(3, "s1"), fake(4, "s1")
	long.Body = strings.Repeat("x ", mostText)
	odd.Outcome = "approved"
	bare.Body = " \n\t"
	escapes.Body, escapes.Origin.Folder = "valve\x1b[2J\x00 sticks\r\nunless pump4 runs", "/tmp/\x1b]0;x\a"
	out, err := q.Add(t.Context(), midday, []Proposal{long, odd, bare, escapes}, make([][]memory.Record, 4))
	if err != nil || out[0].ID+out[1].ID+out[2].ID != "" || out[3].ID == "" {
		t.Fatalf("%+v %v", out, err)
	}
	box, err := q.Look()
	if err != nil {
		t.Fatal(err)
	}
	if w := box.Waiting[0]; strings.ContainsAny(w.Body+w.Origin.Folder, "\x00\x1b\a\r") {
		t.Errorf("%q %q", w.Body, w.Origin.Folder)
	}
}

func TestQuarantineIsForItsOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "learn")
	added(t, Open(dir, rand.Reader), midday, fake(1, "s1"))
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, boxName): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func FuzzBox(f *testing.F) {
	q := Open(f.TempDir(), rand.Reader)
	box, leave, err := q.Enter(f.Context(), midday)
	if err != nil {
		f.Fatal(err)
	}
	p := fake(1, "s1")
	if _, err := box.add(midday, &p, nil, &verdictsOfNobody); err != nil {
		f.Fatal(err)
	}
	box.Decisions = []Decision{{At: midday, Do: memory.InboxReject, Decided: []Decided{{ID: "p1", Waiting: &box.Waiting[0]}}}}
	leave()
	f.Add(box.bytes())
	f.Add([]byte("{\"proposal\":{\"id\":\"\"}}\n\x00\xff\n{\"desk\":null}\nnull\n[]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first := parseBox(data)
		first.dropOld(midday)
		text := first.bytes()
		second := parseBox(text)
		if !bytes.Equal(second.bytes(), text) || !reflect.DeepEqual(first.Damaged, second.Damaged) || len(first.Waiting) != len(second.Waiting) {
			t.Errorf("%q becomes %q and then %q", data, text, second.bytes())
		}
	})
}
