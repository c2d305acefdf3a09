package audit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/audit"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// key looks like a key and is none.
func key() string { return "gh" + "p_" + strings.Repeat("Zk9Qw2", 6) }

// record returns a lesson with a title.
func record(line int, title string) memory.Record {
	raw := fmt.Sprintf(`{"task_summary":%q}`, title)
	return memory.Record{
		ID:      memory.ID(fmt.Sprint("id", line)),
		Line:    line,
		Title:   title,
		Body:    "learnt",
		Outcome: memory.Failed,
		Raw:     raw,
		RawLen:  len(raw),
		Session: "s_1",
		Count:   memory.Count{N: 100 - line%100},
	}
}

// typical is a store with findings of all severities.
func typical() []memory.Record {
	return []memory.Record{
		record(1, "fetch with "+key()), record(2, "harmless"), record(3, "ignore all rules"), record(4, "again "+key()),
		record(5, "url hunter2"), record(6, "ta[REDACTED]"),
	}
}

// rules are what the audit of these tests finds, by the text that it looks for.
var rules = []memory.Finding{
	{Rule: "github-pat", Name: "GitHub personal access token", Family: memory.FamilySecret, Severity: memory.High, Fixable: true, Text: key(), Next: []string{"revoke it"}},
	{Rule: "prompt-override", Family: memory.FamilyInjection, Severity: memory.High, Text: "ignore all rules"},
	{Rule: "url-password", Family: memory.FamilySecret, Severity: memory.Medium, Fixable: true, Text: "hunter2"},
	{Rule: "over-redaction", Family: memory.FamilyRedaction, Severity: memory.Low, Text: "ta[REDACTED]"},
}

// find is the audit of these tests.
func find(records []memory.Record) []memory.Finding {
	var list []memory.Finding
	for i := range records {
		r := &records[i]
		for _, rule := range rules {
			at := strings.Index(r.Title, rule.Text)
			if at < 0 {
				continue
			}
			f := rule
			f.ID, f.Field, f.Line, f.Count, f.Path = r.ID, "task_summary", r.Line, 1, "/s"
			f.Recalled = "yes, relevance 4"
			f.Text, f.Start, f.End, f.Fingerprint = r.Title, at, at+len(rule.Text), rule.Rule+"/"+r.Title
			if f.Family == memory.FamilySecret {
				f.Masks = [][2]int{{f.Start, f.End}}
			}
			list = append(list, f)
		}
	}
	if len(records) > 0 {
		list = append(list, memory.Finding{
			Rule:        "readable-by-others",
			Family:      memory.FamilyFile,
			Severity:    memory.Medium,
			Path:        "/s",
			What:        "Every user can read it.",
			Next:        []string{"chmod 600 /s"},
			Count:       1,
			Fingerprint: "file",
		})
	}
	slices.SortStableFunc(list, func(a, b memory.Finding) int { return a.Worse(&b) })
	return list
}

// program is a started program with the lessons and the audit page.
type program struct {
	*tuitest.Driver
	b *tuitest.Bench
}

func (p *program) change(f func(*memory.Snapshot)) {
	p.b.Change(f)
	p.Advance(time.Millisecond)
}

// none recalls nothing.
type none struct{}

func (none) Recall(context.Context, memory.StoreID, memory.Task) (memory.Recall, error) {
	return memory.Recall{Empty: "no lesson"}, nil
}

// started is what a test may change before the program starts.
type started struct {
	w, h int
	b    *tuitest.Bench
	c    tui.Config
}

// start runs test on a program that shows the audit. change may be nil.
func start(t *testing.T, change func(*started), test func(*testing.T, *program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		km, b := keymap.Default(), tuitest.NewBench(typical()...)
		b.Find = find
		uncovered := []string{"git history", "backups"}
		s := started{w: 120, h: 35, b: b, c: tui.Config{
			Keys:      km,
			Theme:     theme.Options{Name: theme.Mono},
			Follower:  b,
			Curator:   b,
			Auditor:   b,
			Report:    b.Report,
			Store:     "/s",
			Now:       time.Now,
			Recall:    1,
			Uncovered: uncovered,
			Survey:    memory.Survey{Places: []memory.Place{{Store: "/s", Path: "/s", Exists: true}}},
			Pages: []page.Page{
				lessons.New(ctx, lessons.Config{Keys: km}), recall.New(ctx, recall.Config{Keys: km, Recaller: none{}}),
				audit.New(ctx, audit.Config{Keys: km, Rules: 7, Uncovered: uncovered}),
			},
		}}
		if change != nil {
			change(&s)
		}
		p := &program{b: b, Driver: tuitest.New(t, tui.New(ctx, s.c), s.w, s.h)}
		p.Advance(time.Millisecond)
		p.Press("3")
		test(t, p)
	})
}

// chosen returns the row under the cursor.
func chosen(p *program) string {
	for l := range strings.Lines(p.Screen()) {
		if strings.HasPrefix(l, "│>") {
			l, _, _ = strings.Cut(strings.TrimPrefix(l, "│>"), "│")
			return strings.TrimSpace(l)
		}
	}
	return ""
}

func wantChosen(t *testing.T, p *program, parts ...string) {
	t.Helper()
	row := chosen(p)
	for _, s := range parts {
		if !strings.Contains(row, s) {
			t.Errorf("no %q in the row under the cursor: %q\n%s", s, row, p.Screen())
		}
	}
}

func TestVerdictComesFirst(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.WantText("NOT SAFE TO SHARE   3 high  1 to read  1 note  1 file", "scanned 6 lessons   rules 7",
			"[3 Audit 4!]",
			"Not covered: git history, backups.", "redacted before 1", "will be recalled", "1 revoke it")
		wantChosen(t, p, "github-pat", "#1 ", "high")
	})
}

func TestCountIsOnTheTabOfEveryPage(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		for _, k := range []string{"1", "2"} {
			p.Press(k)
			p.WantText(" 3 Audit 4! ")
		}
		p.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
		p.WantText("3 Audit 4!", "* live")
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[:2] })
		p.WantText("3 Audit 1!")
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[1:2] })
		p.WantText("3 Audit ")
		p.WantNoText("Audit 0", "!")
	})
}

// TestNothingIsClaimedBeforeTheAudit: no count, no verdict, and after a while a line
// that says what is being waited for.
func TestNothingIsClaimedBeforeTheAudit(t *testing.T) {
	start(t, func(s *started) { s.b.Unaudited = true }, func(t *testing.T, p *program) {
		p.WantNoText("auditing", "No known problems", "NOT SAFE", "!")
		p.Advance(200 * time.Millisecond)
		p.WantText("auditing…")
		p.b.Unaudited = false
		p.change(func(*memory.Snapshot) {})
		p.WantText("NOT SAFE TO SHARE", "Audit 4!")
		p.WantNoText("auditing")
	})
}

// TestListStaysWhileTheStoreIsAuditedAgain: findings come after the records, and what is
// listed neither flickers nor lies.
func TestListStaysWhileTheStoreIsAuditedAgain(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.b.Unaudited = true
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[1:] })
		p.WantText("NOT SAFE TO SHARE   3 high", "scanned 6 lessons", "Audit 4!")
		p.Advance(200 * time.Millisecond)
		p.WantText("auditing…", "NOT SAFE TO SHARE   3 high")
		p.b.Unaudited = false
		p.change(func(*memory.Snapshot) {})
		p.WantText("NOT SAFE TO SHARE   2 high", "scanned 5 lessons", "Audit 3!")
	})
}

func TestCursorStaysOnItsFinding(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "j", "j")
		wantChosen(t, p, "url-password", "#5")
		p.change(func(s *memory.Snapshot) {
			s.Records = append([]memory.Record{record(9, "new "+key())}, s.Records...)
		})
		wantChosen(t, p, "url-password", "#5")
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[5:] })
		wantChosen(t, p, "url-password", "#5")
	})
}

func TestRedactingOneAsksAndGoesToTheNext(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("r")
		p.WantText("Redact 1", "This cannot be undone")
		orders := p.b.Orders()
		o := orders[len(orders)-1]
		if o.Do != memory.Redact || !slices.Equal(o.IDs, []memory.ID{"id1"}) ||
			!slices.Equal(o.Only, []string{"github-pat"}) ||
			!slices.Equal(o.Base, []string{typical()[0].Raw}) {
			t.Errorf("ordered %+v", o)
		}
		p.Press("y")
		p.WantText("2 high", "redacted", "redacted now 1",
			"not covered: git history, backups (winnow audit . --history)", "Audit 3!")
		wantChosen(t, p, "github-pat", "#4")
		p.Press("k")
		wantChosen(t, p, "github-pat", "#1", "redacted")
		p.WantText("its text is gone")
		p.Press("r")
		p.WantText("the finding was redacted already")
	})
}

// TestRedactedStaysWhereItWas also when the store goes by another name by then.
func TestRedactedStaysWhereItWas(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.b.Find = func(records []memory.Record) []memory.Finding {
			list := find(records)
			for i := range list {
				list[i].Path = "/a/longer/name/of/s"
			}
			return list
		}
		p.Press("r", "y", "g")
		wantChosen(t, p, "github-pat", "#1", "redacted")
	})
}

func TestRedactingIsLeftWithCancel(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("r", "enter")
		p.WantText("3 high")
		p.WantNoText("redacted now")
		if n := len(p.b.Applied()); n != 0 {
			t.Errorf("%d plans were applied", n)
		}
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[1:] }) // by another writer
		p.WantText("2 high")
		p.WantNoText("redacted now")
	})
}

// TestRedactingAllSecretsAsksOnce: of every rule, but not what is ignored.
func TestRedactingAllSecretsAsksOnce(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("A")
		p.WantText("Redact 3", "This cannot be undone")
		p.Press("y")
		p.WantText("redacted now 3")
		got := p.b.Applied()
		if len(got) != 1 || !slices.Equal(got[0].Order.IDs, []memory.ID{"id1", "id4", "id5"}) ||
			!slices.Equal(got[0].Order.Only, []string{"github-pat", "url-password"}) {
			t.Errorf("applied %+v", got)
		}
		p.Press("A")
		p.WantText("there is no open secret")
	})
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("i")
		p.Type("a fake")
		p.Press("enter", "A")
		p.WantText("Redact 2")
		if o := p.b.Orders(); !slices.Equal(o[len(o)-1].IDs, []memory.ID{"id4", "id5"}) {
			t.Errorf("ordered %+v", o)
		}
	})
}

func TestRedactingAllOfARule(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("R")
		p.WantText("Redact 2")
		p.Press("y")
		p.WantText("1 high", "redacted now 2", "Audit 2!")
		if got := p.b.Applied()[0].Order; !slices.Equal(got.IDs, []memory.ID{"id1", "id4"}) ||
			!slices.Equal(got.Only, []string{"github-pat"}) {
			t.Errorf("applied %+v", got)
		}
		wantChosen(t, p, "prompt-override")
	})
}

// TestRedactedFindingThatComesBackCountsAgain: an agent wrote the old text.
func TestRedactedFindingThatComesBackCountsAgain(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("r", "y")
		p.WantText("redacted now 1", "2 high")
		p.change(func(s *memory.Snapshot) { s.Records = typical() })
		p.WantText("3 high")
		p.WantNoText("redacted now")
	})
}

func TestOnlySecretsAreRedacted(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "j")
		wantChosen(t, p, "prompt-override")
		p.WantNoText("r redact")
		p.Press("r")
		p.WantText("only secrets are replaced")
		p.Press("G")
		wantChosen(t, p, "readable-by-others", "s")
		p.WantText("1 chmod 600 /s")
		p.WantNoText("r redact", "d delete", "r  replace")
		p.Press("r")
		p.WantText("it is about the file")
		p.Press("d")
		p.WantText("the finding is not in a lesson")
		if len(p.b.Orders()) != 0 {
			t.Error("something was ordered")
		}
	})
}

func TestIgnoringNeedsAReason(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("i")
		p.WantText("Ignore this finding", "GitHub personal access token")
		p.Press("enter")
		p.WantText("a reason is needed")
		p.Type("a fake Xi")
		p.Press("tab")
		p.Type("soon")
		p.Press("enter")
		p.WantText("soon: want a date")
		p.Press("ctrl+u")
		p.Type("30d")
		p.Press("enter")
		p.WantText("Ignored github-pat: a fake Xi", "2 high", "ignored: a fak", "ignored 1")
		for _, i := range p.b.Ignored() {
			if i.Rule != "github-pat" || i.Reason != "a fake Xi" ||
				i.Until.Sub(i.Added).Round(time.Hour) != 30*24*time.Hour {
				t.Errorf("kept %+v", i)
			}
		}
		wantChosen(t, p, "github-pat", "#4")
	})
}

func TestIgnoringIsTakenBack(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("i")
		p.Type("why not")
		p.Press("enter", "k")
		wantChosen(t, p, "github-pat", "#1", "ignored: why not")
		p.WantText("i take back")
		p.Press("r")
		p.WantText("the finding is ignored; i takes that back")
		p.Press("i")
		p.WantText("Ignored already", "why not")
		p.Press("esc")
		p.WantText("ignored: why not")
		p.Press("i", "y")
		p.WantText("github-pat counts again", "3 high")
		if len(p.b.Ignored()) != 0 {
			t.Errorf("kept %v", p.b.Ignored())
		}
	})
}

func TestDecisionThatCannotBeKeptIsToldOf(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.b.IgnoreErr = &memory.Problem{What: "the folder is full", Hint: "free some space"}
		p.Press("i")
		p.Type("x")
		p.Press("enter")
		p.WantText("! ignore: the folder is full; free some space", "3 high")
	})
}

func TestReportIsWrittenAndReplacedOnlyWhenAsked(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("E")
		p.WantText("Write a report of 6 findings", "[winnow-audit.md_", "(o) md")
		p.Press("tab", "l", "l")
		p.WantText("winnow-audit.sarif", "(o) sarif")
		p.Press("h", "enter")
		p.WantText("Wrote winnow-audit.json")
		r := p.b.Reports()
		if len(r) != 1 || r[0].Form != "json" || len(r[0].Audit.Findings) != 6 || r[0].Audit.Records != 6 || r[0].Audit.Uncovered[0] != "git history" {
			t.Fatalf("wrote %+v", r)
		}
		p.Press("E", "tab", "l", "enter")
		p.WantText("There is a file of that name", "[ Cancel (Esc) ]", "Replace it (y)", "(o) json")
		p.Press("enter")
		if len(p.b.Reports()) != 1 {
			t.Fatal("a file was replaced that nobody wanted replaced")
		}
		p.Press("E", "tab", "l", "enter", "y")
		if r := p.b.Reports(); len(r) != 2 || !r[1].Replaced {
			t.Fatalf("wrote %+v", r)
		}
		p.Press("E")
		p.Press("ctrl+u", "enter")
		p.WantText("a file is needed")
		p.Send(tea.PasteMsg{Content: "out/1.md\n"})
		p.Press("enter")
		p.WantText("Wrote out/1.md")
	})
}

func TestReportThatCannotBeWrittenIsToldOf(t *testing.T) {
	start(t, func(s *started) {
		s.c.Report = func(context.Context, string, memory.Audit, string, bool) (string, error) {
			return "", errors.New("write x: permission denied")
		}
	}, func(t *testing.T, p *program) {
		p.Press("E", "ctrl+u")
		p.Type("out/x.json")
		p.Press("enter")
		p.WantText("! write x: permission denied", "[out/x.json_", "(o) json")
		p.Press("esc")
		p.WantNoText("permission denied")
	})
	start(t, func(s *started) { s.c.ReadOnly = true }, func(t *testing.T, p *program) {
		p.Press("E")
		p.WantText("No report: Winnow was started with --readonly")
	})
}

func TestFailLevel(t *testing.T) {
	start(t, func(s *started) {
		s.b.Change(func(s *memory.Snapshot) { s.Records = s.Records[4:] })
	}, func(t *testing.T, p *program) {
		p.WantText("REVIEW   1 to read  1 note  1 file", "fails at high")
		p.Press("f")
		p.WantText("REVIEW", "fails at medium")
		p.Press("f")
		p.WantText("REVIEW", "fails at low")
		p.Press("f")
		p.WantText("REVIEW", "fails at high")
	})
}

func TestNextOpenFindingSkipsTheSettled(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "i")
		p.Type("x")
		p.Press("enter", "g")
		wantChosen(t, p, "github-pat", "#1")
		p.Press("n")
		wantChosen(t, p, "prompt-override")
		p.Press("n", "n", "n", "n")
		wantChosen(t, p, "readable-by-others")
		p.Press("N", "N", "N", "N")
		wantChosen(t, p, "github-pat", "#1")
	})
}

func TestEnterOpensTheLesson(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("1", "/")
		p.Type("harmless")
		p.Press("enter", "3", "G", "k", "enter")
		p.WantText("[1 Lessons]", "6 of 6")
		wantChosen(t, p, "ta[REDACTED]")
	})
}

// TestEnterShowsTheDetailFirstWhereItIsShort: below 100 columns.
func TestEnterShowsTheDetailFirstWhereItIsShort(t *testing.T) {
	start(t, func(s *started) { s.w, s.h = 80, 24 }, func(t *testing.T, p *program) {
		p.WantText("Enter details")
		p.Press("enter")
		p.WantText("Finding 1 of 6", "Do next", "Enter open lesson")
		p.Press("esc")
		p.WantNoText("Do next")
		p.Press("enter", "enter")
		p.WantText("[1 Lessons]")
		wantChosen(t, p, "fetch with")
		p.Press("3")
		p.Press("q", "G", "enter")
		p.WantText("Finding 6 of 6", "chmod 600 /s", "Enter back to the list")
		p.Press("enter")
		p.WantNoText("Do next")
	})
}

func TestDeletingTheLesson(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "j", "d")
		p.WantText("2 high", "u to undo")
		wantChosen(t, p, "url-password")
		if o := p.b.Applied()[0].Order; o.Do != memory.Delete || o.IDs[0] != "id3" {
			t.Errorf("applied %+v", o)
		}
		p.WantNoText("redacted now")
	})
}

func TestSecretsAreMaskedUntilRevealed(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.WantText("ghp_************", "(40 chars)")
		p.WantNoText(key())
		p.Press("y")
		if c := p.Clipboard(); !strings.Contains(c, "/s:1 task_summary: fetch with ghp_****") ||
			strings.Contains(c, key()) {
			t.Errorf("copied %q", c)
		}
		p.WantText("secrets masked")
		p.Press("i")
		p.WantNoText(key())
		p.Press("esc", "X")
		if n := strings.Count(p.Screen(), key()); n != 1 {
			t.Errorf("the secret is shown %d times", n)
		}
		p.Press("y")
		if c := p.Clipboard(); !strings.Contains(c, key()) {
			t.Errorf("copied %q", c)
		}
		p.Press("X")
		p.WantNoText(key())
	})
}

func TestReadOnlyStoreIsOnlyLookedAt(t *testing.T) {
	start(t, func(s *started) {
		s.b.Change(func(s *memory.Snapshot) { s.ReadOnly = "the file system is mounted read-only" })
	}, func(t *testing.T, p *program) {
		p.WantNoText("r redact", "R redact all", "d delete", "r  replace")
		p.WantText("i ignore", "E export report")
		p.Press("r")
		p.WantText("read-only")
		p.Press("R")
		p.WantText("read-only")
		p.Press("d")
		p.WantText("read-only")
		if len(p.b.Orders()) != 0 {
			t.Error("something was ordered")
		}
	})
	start(t, func(s *started) { s.c.ReadOnly = true }, func(t *testing.T, p *program) {
		p.Press("i")
		p.WantText("Nothing ignored", "--readonly")
	})
}

// TestKeysThatMoveSettleNothing also not where only one of list and detail is seen.
func TestKeysThatMoveSettleNothing(t *testing.T) {
	km := keymap.Default()
	for _, w := range []int{60, 120} {
		start(t, func(s *started) { s.w, s.h = w, 15 }, func(t *testing.T, p *program) {
			for _, s := range km.Sections() {
				if s.Title != "Move" && s.Title != "Everywhere" {
					continue
				}
				for _, b := range s.Bindings {
					for _, k := range b.Keys() {
						ks := []string{k}
						if !slices.Equal(ks, km.Global.Abort.Keys()) && !slices.Equal(ks, km.Global.Quit.Keys()) &&
							!slices.Contains(km.Global.Undo.Keys(), k) && !slices.Contains(km.Global.Redo.Keys(), k) {
							p.Press(k, "esc", "3")
						}
					}
				}
			}
			if len(p.b.Orders()) != 0 || len(p.b.Ignored()) != 0 || len(p.b.Reports()) != 0 {
				t.Errorf("ordered %v, ignored %v, wrote %v", p.b.Orders(), p.b.Ignored(), p.b.Reports())
			}
		})
	}
}

// TestDetailIsScrolledWhereItDoesNotFit, and the cursor stays where it is.
func TestDetailIsScrolledWhereItDoesNotFit(t *testing.T) {
	start(t, func(s *started) { s.h = 15 }, func(t *testing.T, p *program) {
		p.WantNoText("no copy is kept for undo")
		p.Press("tab", "G")
		p.WantText("no copy is kept for undo")
		wantChosen(t, p, "github-pat", "#1")
		p.Press("g")
		p.WantText("GitHub personal access token")
		p.Press("esc", "j")
		wantChosen(t, p, "github-pat", "#4")
	})
}

func TestStoreWithoutLessons(t *testing.T) {
	start(t, func(s *started) {
		s.b.Change(func(s *memory.Snapshot) { s.Records = nil })
	}, func(t *testing.T, p *program) {
		p.WantText("Nothing to audit: there are no lessons yet in /s")
		p.Press("r", "R", "i", "d", "y", "n", "N", "enter", "j", "G", "tab", "\\", "f")
		p.Send(msg.Click{X: 5, Y: 5})
		p.Send(msg.Wheel{X: 5, Y: 5, Lines: 3})
		p.change(func(s *memory.Snapshot) { s.Records = typical() })
		p.WantText("NOT SAFE TO SHARE")
	})
}

func TestStoreThatCannotBeRead(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.change(func(s *memory.Snapshot) {
			s.Problem = &memory.Problem{Code: "denied", What: "permission denied", Hint: "chmod u+r /s"}
		})
		p.WantText("Nothing to audit. permission denied", "chmod u+r /s")
		p.WantNoText("Audit 4!", "NOT SAFE")
		p.Press("r", "i", "E", "enter")
		p.change(func(s *memory.Snapshot) { s.Problem = nil })
		p.WantText("NOT SAFE TO SHARE   3 high", "Audit 4!")
	})
}

func TestCleanStoreSaysWhatThatIsWorth(t *testing.T) {
	start(t, func(s *started) {
		s.b.Find = func([]memory.Record) []memory.Finding { return nil }
	}, func(t *testing.T, p *program) {
		p.WantText("No known problems in 6 lessons", "not a guarantee", "Not covered: git history, backups.",
			"E export report")
		p.Press("E", "enter")
		p.WantText("Wrote winnow-audit.md")
	})
}

// TestLateFindingsAreDropped: findings of the store before say nothing of this one.
func TestLateFindingsAreDropped(t *testing.T) { synctest.Test(t, lateFindings) }

func lateFindings(t *testing.T) {
	page := audit.New(t.Context(), audit.Config{Keys: keymap.Default()})
	page.Update(msg.Theme{Theme: theme.New(theme.Options{Name: theme.Mono})})
	late := page.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{
			Seq:      1,
			Records:  typical(),
			Findings: find(typical()),
			Audited:  true,
		}),
	})
	page.Update(msg.OpenStore{Store: "/other"})
	deliver(page, late)
	if b := page.Badge(); b != "" {
		t.Errorf("the badge is %q", b)
	}
	first := page.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{
			Seq:      2,
			Records:  typical(),
			Findings: find(typical()),
			Audited:  true,
		}),
	})
	second := page.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{
			Seq:      3,
			Records:  typical()[:1],
			Findings: find(typical()[:1]),
			Audited:  true,
		}),
	})
	deliver(page, second)
	deliver(page, first)
	if b := page.Badge(); b != "1!" {
		t.Errorf("the badge is %q", b)
	}
}

// deliver runs a command and hands what it delivers to the page, but for timers.
func deliver(p *audit.Page, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range m {
			deliver(p, c)
		}
	default:
		p.Update(m)
	}
}

func TestMouseChoosesOpensAndScrolls(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		lines := strings.Split(p.Screen(), "\n")
		y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "url-password") })
		click := tea.MouseClickMsg{X: 12, Y: y, Button: tea.MouseLeft}
		p.Send(click)
		wantChosen(t, p, "url-password")
		p.Send(tea.MouseWheelMsg{X: 12, Y: y, Button: tea.MouseWheelUp})
		p.Advance(time.Second)
		wantChosen(t, p, "github-pat", "#1")
		p.Send(click)
		p.Send(click)
		p.WantText("[1 Lessons]")
		wantChosen(t, p, "url ")
	})
}

func TestDialogsTakeClicks(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		press := func(name string) {
			lines := strings.Split(p.Screen(), "\n")
			y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, name) })
			x := len([]rune(lines[y][:strings.Index(lines[y], name)]))
			p.Send(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
		}
		p.Press("i")
		press("Ignore it")
		p.WantText("a reason is needed")
		press("Cancel")
		p.WantNoText("Ignore this finding")
		p.Press("E")
		press("( ) sarif")
		press("Write (Enter)")
		p.WantText("Wrote winnow-audit.sarif")
	})
}

// many returns a store with a finding in each lesson.
func many(n int) memory.Snapshot {
	s := memory.Snapshot{Place: memory.Place{Store: "/s", Path: "/s"}, Seq: 1, Audited: true, Total: n}
	for i := range n {
		s.Records = append(s.Records, record(i+1, "fetch with "+key()))
	}
	s.Findings = find(s.Records)
	return s
}

func TestTenThousandFindingsAreWalkedThrough(t *testing.T) {
	start(t, func(s *started) {
		s.b.Change(func(s *memory.Snapshot) { s.Records = many(10_000).Records })
	}, func(t *testing.T, p *program) {
		p.WantText("10000 high", "1 of 10001")
		p.Press("G", "k", "ctrl+u", "G", "k")
		wantChosen(t, p, "github-pat", "#10000")
		p.Press("g", "pgdown", "n")
		p.WantText("Audit 10000!")
		p.Press("R")
		p.WantText("Redact 10000")
	})
}

func BenchmarkTenThousandFindings(b *testing.B) {
	s := many(10_000)
	down := msg.Press("j")
	page := audit.New(b.Context(), audit.Config{Keys: keymap.Default()})
	page.Update(msg.Theme{Theme: theme.New(theme.Options{Name: theme.Dark})})
	page.Update(tea.WindowSizeMsg{Width: 120, Height: 35})
	deliver(page, page.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(s)}))
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			deliver(page, page.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(s)}))
		}
	})
	b.Run("key and frame", func(b *testing.B) {
		for b.Loop() {
			page.Update(down)
			page.Render(120, 31)
		}
	})
}
