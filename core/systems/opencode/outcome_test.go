package opencode

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

const (
	asked    = `{"role":"user"}`
	answered = `{"role":"assistant","time":{"completed":2},"finish":"stop"}`
)

func tool(name, state string) string {
	return `{"type":"tool","tool":"` + name + `","state":` + state + `}`
}

func TestHowASessionEnded(t *testing.T) {
	for name, c := range map[string]struct {
		messages []messageJSON
		want     memory.Outcome
	}{
		"no message":               {nil, empty},
		"no answer":                {[]messageJSON{{data: asked}}, noReply},
		"asked again":              {[]messageJSON{{data: asked}, {data: answered}, {data: asked}}, noReply},
		"answered":                 {[]messageJSON{{data: asked}, {data: answered}}, finished},
		"answered up to a limit":   {[]messageJSON{{data: asked}, {data: `{"role":"assistant","time":{"completed":2},"finish":"length"}`}}, finished},
		"answered without a word":  {[]messageJSON{{data: asked}, {data: `{"role":"assistant","time":{"completed":2}}`}}, finished},
		"wants a tool":             {[]messageJSON{{data: asked}, {data: `{"role":"assistant","time":{"completed":2},"finish":"tool-calls"}`}}, unsettled},
		"still writes":             {[]messageJSON{{data: asked}, {data: `{"role":"assistant","time":{"created":2}}`}}, unsettled},
		"waits for a tool":         {[]messageJSON{{data: asked}, {answered, []string{tool("bash", `{"status":"running"}`)}}}, unsettled},
		"stopped before a word":    {[]messageJSON{{data: asked}, {data: `{"role":"assistant","error":{"name":"MessageAbortedError"}}`}}, aborted},
		"stopped while a tool ran": {[]messageJSON{{data: asked}, {`{"role":"assistant","error":{"name":"MessageAbortedError"}}`, []string{tool("bash", `{"status":"running"}`)}}}, aborted},
		"refused by the provider":  {[]messageJSON{{data: asked}, {data: `{"role":"assistant","time":{"completed":2},"error":{"name":"APIError","data":{"message":"no"}}}`}}, failed},
		"went on after an error":   {[]messageJSON{{data: asked}, {data: `{"role":"assistant","error":{"name":"APIError"}}`}, {data: asked}, {data: answered}}, finished},
		"not JSON":                 {[]messageJSON{{data: asked}, {data: `{"role":`}, {data: answered}}, finished},
		"nothing but broken ones":  {[]messageJSON{{data: `]`}, {data: `null`}}, noReply},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "opencode.db")
			newDatabase(t, path, func(w *written) { w.session("ses_1", "/x", 1, c.messages...) })
			if got := readAll(t, openDatabase(t, path))["ses_1"].outcome; got != c.want {
				t.Errorf("it is %q, want %q", got, c.want)
			}
		})
	}
}

func TestAllThreeKindsOfFailuresAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	newDatabase(t, path, func(w *written) {
		w.session(
			"ses_1",
			"/x",
			1,
			messageJSON{
				asked,
				[]string{
					`{"type":"text","text":"not this","synthetic":true}`,
					`{"type":"text","text":"Deploy"}`,
					`{"type":"text","text":"nor this","ignored":true}`,
				},
			},
			messageJSON{answered, []string{
				tool("edit", `{"status":"error","error":"no match"}`),
				tool("bash", `{"status":"completed","metadata":{"exit":3}}`),
				tool("bash", `{"status":"completed","metadata":{"exit":null}}`),
				tool("bash", `{"status":"completed","metadata":{"exit":0}}`),
				tool("invalid", `{"status":"completed","input":{"tool":"ship"}}`),
				`{"type":"text","text":"I tried the \"tool\""}`, `{"type": "tool"`,
			}},
		)
	})
	s := readAll(t, openDatabase(t, path))["ses_1"]
	if s.task != "Deploy" || !slices.Equal(s.toolErrors(), []string{"edit: no match"}) ||
		!slices.Equal(s.softFailures(), []string{"bash exit 3", "unknown tool: ship"}) {
		t.Errorf("task %q, errors %q, soft failures %q", s.task, s.toolErrors(), s.softFailures())
	}
	r := s.record(1, "")
	if !slices.Equal(r.Tools, []string{"edit", "bash", "invalid"}) {
		t.Errorf("tools are %q", r.Tools)
	}
}

func TestLargeValuesAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	large := strings.Repeat("x", maxPart+1)
	newDatabase(t, path, func(w *written) {
		w.session(
			"ses_1",
			"/x",
			1,
			messageJSON{
				`{"role":"user","summary":{"diffs":["` + large + `"]}}`,
				[]string{`{"type":"text","text":"Deploy"}`},
			},
			messageJSON{
				answered,
				[]string{
					tool("bash", `{"status":"completed","output":"`+large+`"}`),
					tool("read", `{"status":"completed"}`),
				},
			},
		)
	})
	s := readAll(t, openDatabase(t, path))["ses_1"]
	if s.task != "Deploy" || s.outcome != finished || len(s.calls) != 1 || len(s.cut) != 2 {
		t.Errorf("%q, %q, %d calls, %q", s.task, s.outcome, len(s.calls), s.cut)
	}
}

func TestKilledSessionIsNotTakenForARunningOne(t *testing.T) {
	m := testMachine(t.TempDir(), nil)
	lock := func(name string, pid int) {
		put(
			t,
			filepath.Join(m.locks(), name+".lock", "meta.json"),
			fmt.Sprintf(`{"token":"x","pid":%d,"createdAt":1795220338725}`, pid),
		)
	}
	lock("dead", 2147483646)
	put(t, filepath.Join(m.locks(), "odd.lock", "meta.json"), "[")
	if got := m.running(); len(got) != 0 {
		t.Errorf("running are %+v", got)
	}
	lock("alive", os.Getpid())
	got := m.running()
	if len(got) != 1 || got[0].PID != os.Getpid() || got[0].Since.Year() != 2026 {
		t.Errorf("running are %+v", got)
	}
	put(
		t,
		filepath.Join(m.locks(), "alive.lock", "meta.json"),
		`{"pid":1,"hostname":"nowhere.example","createdAt":"2026-11-21T00:00:00Z"}`,
	)
	if got = m.running(); len(got) != 1 || !strings.Contains(got[0].State, "another machine") ||
		!got[0].Since.Equal(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("running are %+v", got)
	}
}

func TestDamagedDatabasesHaveTheirSentence(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(stores, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	torn := slices.Clone(whole)
	for i := 4096 * 3; i < len(torn); i += 64 {
		torn[i] ^= 0x5a
	}
	for name, text := range map[string][]byte{
		"half": whole[:len(whole)/2], "a page": whole[:4096], "torn": torn,
		"text": []byte(strings.Repeat("no database ", 1000)),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "opencode.db")
			put(t, path, string(text))
			snap := snapshot(t, openDatabase(t, path))
			if p := snap.Problem; p == nil || p.Code == "" || p.What == "" || p.Hint == "" {
				t.Errorf("problem is %+v with %d records", p, len(snap.Records))
			}
		})
	}
}

func TestUnknownVersionIsReadWithANote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	newDatabase(t, path, func(w *written) {
		twoSessions(w)
		w.do("INSERT INTO migration VALUES('20991231000000_what_comes', 1)")
		w.do("ALTER TABLE session DROP COLUMN revert")
		w.do("ALTER TABLE session ADD COLUMN mood TEXT")
	})
	snap := snapshot(t, openDatabase(t, path))
	if len(snap.Records) != 2 || snap.ReadOnly == "" || healthOf(snap, "unknown-version").Level != memory.Note {
		t.Errorf("%d records, health %+v", len(snap.Records), snap.Health)
	}
}

func TestForeignDatabaseIsNoStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	write(t, path, func(w *written) { w.do("CREATE TABLE credential(id TEXT)") })
	snap := snapshot(t, openDatabase(t, path))
	if snap.Problem == nil || snap.Problem.Code != "unknown-schema" {
		t.Errorf("problem is %+v", snap.Problem)
	}
}

func TestSnapshotShowsTheSessionsStoredLastFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	newDatabase(t, path, func(w *written) {
		for i := range 350 {
			w.session(fmt.Sprintf("ses_%03d", i), "/x", i)
		}
	})
	d := openDatabase(t, path)
	parts := 0
	snap, err := d.Snapshot(t.Context(), func(s memory.Snapshot) {
		if parts++; !s.Partial || s.Total != 350 {
			t.Errorf("part of %d, partial %t", s.Total, s.Partial)
		}
	})
	if err != nil || len(snap.Records) != 350 || snap.Total != 350 || snap.Records[0].ID != "ses_349" ||
		snap.Records[199].ID != "ses_150" ||
		parts == 0 {
		t.Errorf("%d of %d, %d parts, %v", len(snap.Records), snap.Total, parts, err)
	}
	if snap.Records[0].Line != 1 || snap.Records[199].Line != 200 {
		t.Errorf("lines are %d and %d", snap.Records[0].Line, snap.Records[199].Line)
	}
}

func TestLogIsReadAndLeftAlone(t *testing.T) {
	dir := copied(t, "opencode-wal")
	path := filepath.Join(dir, "opencode.db")
	before := listing(t, dir)
	d := openDatabase(t, path)
	snapshot(t, d)
	if _, err := d.Summary(t.Context()); err != nil {
		t.Error(err)
	}
	if after := listing(t, dir); !slices.Equal(before, after) {
		t.Errorf("the folder was\n%s\nand is\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// listing returns what a folder holds, with sizes, dates and contents.
func listing(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(e.Name(), info.Mode(), info.ModTime(), info.Size(), len(text), hash(text)))
	}
	return all
}

func TestWriterBesideIsSeenAndNotDisturbed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	newDatabase(t, path, func(w *written) {
		w.do("PRAGMA journal_mode=WAL")
		twoSessions(w)
		d := openDatabase(t, path)
		if n := len(snapshot(t, d).Records); n != 2 {
			t.Fatalf("%d records while the writer is there", n)
		}
		w.session("ses_3", "/shop", 30)
		w.do("UPDATE session SET title='Another' WHERE id='ses_1'")
		snap := snapshot(t, d)
		i := slices.IndexFunc(snap.Records, func(r memory.Record) bool { return r.ID == "ses_1" })
		if len(snap.Records) != 3 || snap.Records[i].Title != "Another" {
			t.Errorf("records are %+v", snap.Records)
		}
		w.do("INSERT INTO message VALUES('msg_9','ses_1',9,9,?)", asked)
		if got := readAll(t, d)["ses_1"].outcome; got != noReply {
			t.Errorf("after one more prompt it is %q", got)
		}
		if snap = snapshot(t, d); snap.Records[i].Outcome != noReply {
			t.Errorf("the snapshot says %q", snap.Records[i].Outcome)
		}
	})
}

func TestDetailsOfUnchangedSessionsAreReadOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	newDatabase(t, path, func(w *written) {
		twoSessions(w)
		w.do("INSERT INTO message VALUES('msg_8','ses_1',8,8,?)", asked)
		w.do(
			"INSERT INTO part VALUES('prt_8','msg_8','ses_1',8,8,?)",
			tool("bash", `{"status":"completed","metadata":{"exit":3}}`),
		)
		d := openDatabase(t, path)
		snapshot(t, d)
		first, again := (*d.known.Load())["ses_1"], readAll(t, d)["ses_1"]
		if len(again.calls) != 2 || &first.calls[0] != &again.calls[0] {
			t.Errorf("the calls %+v were read again as %+v", first.calls, again.calls)
		}
		w.do("UPDATE part SET data=replace(data, '\"exit\":3', '\"exit\":4') WHERE id='prt_8'") // as long as before
		w.do("INSERT INTO message VALUES('msg_9','ses_2',9,9,?)", asked)
		got, want := snapshot(t, d).Records, snapshot(t, openDatabase(t, path)).Records
		if c := readAll(t, d)["ses_1"].calls; c[1].exit != 4 || !reflect.DeepEqual(got, want) {
			t.Errorf("after changes the records are %+v, want %+v", got, want)
		}
	})
}

// BenchmarkRefresh reads 2,000 sessions again of which one changed.
func BenchmarkRefresh(b *testing.B) {
	path := filepath.Join(b.TempDir(), "opencode.db")
	newDatabase(b, path, func(w *written) {
		w.do("BEGIN")
		big := tool(
			"bash",
			`{"status":"completed","metadata":{"exit":0},"output":"`+strings.Repeat("line of a file ", 400)+`"}`,
		)
		for i := range 2000 {
			id := fmt.Sprintf("ses_%04d", i)
			w.session(id, "/shop", i)
			w.do("INSERT INTO message VALUES(?,?,8,8,?)", "msg_"+id, id, asked)
			for n := range 10 {
				w.do("INSERT INTO part VALUES(?,?,?,8,8,?)", fmt.Sprintf("prt_%s_%d", id, n), "msg_"+id, id, big)
			}
		}
		w.do("COMMIT")
		d := &Database{path: path, now: noon, m: testMachine(b.TempDir(), nil)}
		for b.Loop() {
			w.do("UPDATE message SET time_updated=time_updated+1 WHERE session_id='ses_0007'")
			if snap, err := d.Snapshot(b.Context(), func(memory.Snapshot) {}); err != nil || len(snap.Records) != 2000 {
				b.Fatal(len(snap.Records), err)
			}
		}
	})
}

func TestLastSessionSaysWhichInstructionsItGot(t *testing.T) {
	m, home := unpack(t, nil)
	dir := filepath.Join(home, "work/demo")
	loaded := filepath.Join(dir, "packages/web/AGENTS.md")
	sent := "<system-reminder>\\nInstructions from: " + loaded + "\\n# WEB-AGENTS (fake)\\n\\n</system-reminder>"
	newDatabase(t, filepath.Join(m.data(), "opencode.db"), func(w *written) {
		w.session("ses_other", home, 90)
		w.session("ses_old", dir, 10)
		w.session("ses_new", dir, 20, messageJSON{data: asked}, messageJSON{answered, []string{
			tool(
				"read",
				`{"status":"completed","input":{"filePath":"`+dir+`/packages/web/x"},"metadata":{"loaded":["`+loaded+`"]},"output":"1: hi\n\n`+sent+`"}`,
			),
		}})
	})
	s := openFolder(m, dir)
	r, err := s.Recall(t.Context(), memory.Task{})
	if err != nil || r.LastSession == nil {
		t.Fatalf("%+v, %v", r.LastSession, err)
	}
	g := r.LastSession
	if g.Session != "ses_new" || g.Unknown == "" || len(g.Blocks) != 1 ||
		g.Blocks[0].Text != strings.ReplaceAll(sent, "\\n", "\n") ||
		len(g.Differs) != 0 {
		t.Errorf("it got %+v", g)
	}
	put(t, loaded, "# WEB-AGENTS (changed)\n")
	if r, err = s.Recall(t.Context(), memory.Task{}); err != nil || len(r.LastSession.Differs) != 1 {
		t.Fatalf("differs %+v, %v", r.LastSession.Differs, err)
	}
	if d := r.LastSession.Differs[0]; d.Path != loaded || d.Was != "# WEB-AGENTS (fake)\n" ||
		d.Now != "# WEB-AGENTS (changed)\n" {
		t.Errorf("difference is %+v", d)
	}
}

func TestLastSessionThatIsNotReadIsSaid(t *testing.T) {
	m, home := unpack(t, nil)
	dir := filepath.Join(home, "work/demo")
	put(t, filepath.Join(m.data(), "opencode.db"), strings.Repeat("no database ", 100))
	r, err := openFolder(m, dir).Recall(t.Context(), memory.Task{})
	if err != nil || r.LastSession != nil {
		t.Fatalf("%+v, %v", r.LastSession, err)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "opencode.db was not read.") {
		t.Errorf("notes %q do not say it", notes)
	}
}
