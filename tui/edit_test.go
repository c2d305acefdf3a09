package tui_test

import (
	"errors"
	"fmt"
	"testing"

	"winnow/core/memory"
)

// TestLessonIsEditedInItsForm: in place, or its text alone in the editor as it is.
func TestLessonIsEditedInItsForm(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("e")
		p.wantDialog(t, true)
		p.WantText("Edit this lesson", "relevance 9", "[fetch_", "ctrl-g")
		p.Type(" twice")
		p.Press("tab", "alt+enter")
		p.Type("and more")
		p.e.Write = func(text string) string { return text + "\nby hand\n" }
		p.Press("ctrl+g")
		if got := p.e.Opened; len(got) != 1 || got[0] != "learnt\nand more" {
			t.Fatalf("the editor was opened on %q", got)
		}
		p.WantText("[by hand_")
		p.Press("tab", "space", "enter")
		o := p.wantOrders(t, memory.EditOne)[0]
		if o.Form != "" || *o.Edit.Title != "fetch twice" || *o.Edit.Body != "learnt\nand more\nby hand" ||
			*o.Edit.Outcome == "" ||
			o.Base[0] != `{"task_summary":"fetch"}` {
			t.Errorf("order %+v", o)
		}
	})
}

// TestNewLessonIsAddedInItsForm as one is edited, and needs both texts.
func TestNewLessonIsAddedInItsForm(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("L")
		p.wantDialog(t, true)
		p.WantText("Add a lesson", "ctrl-g")
		p.Type("deploy the docs")
		p.Press("enter")
		p.WantText("! A new lesson needs a title and a text.")
		p.Press("tab")
		p.Type("use mkdocs")
		p.Press("tab", "space", "enter")
		o := p.wantOrders(t, memory.AddOne)[0]
		if o.Form != "" || len(o.IDs) != 0 || *o.Edit.Title != "deploy the docs" || *o.Edit.Body != "use mkdocs" ||
			*o.Edit.Outcome != string(memory.Failed) {
			t.Errorf("order %+v", o)
		}
	})
}

// TestEditorOpensTheTextFromTheTitleToo, as the form says.
func TestEditorOpensTheTextFromTheTitleToo(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("e")
		p.e.Write = func(string) string { return "one\ntwo\n" }
		p.Press("ctrl+g", "enter")
		o := p.wantOrders(t, memory.EditOne)[0]
		if o.Edit.Title != nil || *o.Edit.Body != "one\ntwo" || p.e.Opened[0] != "learnt" {
			t.Errorf("order %+v, opened %q", o, p.e.Opened)
		}
	})
}

func TestFormSetsOnlyWhatWasEdited(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("e", "enter")
		p.WantText("Nothing changed: the text is the same")
		p.Press("e")
		p.e.Err = errors.New("exit status 1")
		p.Press("ctrl+g")
		p.WantText("! exit status 1", "[fetch_")
		p.Type("!")
		p.Press("enter")
		o := p.wantOrders(t, memory.EditOne)[0]
		if *o.Edit.Title != "fetch!" || o.Edit.Body != nil || o.Edit.Outcome != nil {
			t.Errorf("order %+v", o)
		}
	})
}

// TestFormTakesNoTextThatItWouldChange, nor one whose secrets are masked.
func TestFormTakesNoTextThatItWouldChange(t *testing.T) {
	for name, set := range map[string]func(*memory.Record){
		"a character that is not seen": func(r *memory.Record) { r.Body = "a\x1b[2Jb" },
		"a line end":                   func(r *memory.Record) { r.Body = "a\n" },
		"a secret": func(r *memory.Record) {
			r.Secrets = []memory.Secret{{Field: memory.InBody, End: 3}}
		},
	} {
		curate(t, nil, func(t *testing.T, p *curated) {
			p.change(func(s *memory.Snapshot) { set(&s.Records[0]) })
			p.Press("e")
			if len(p.e.Opened) != 1 {
				t.Errorf("%s: the editor was not opened\n%s", name, p.Screen())
			}
		})
	}
}

// inEditor makes the records ones that have no form.
func (p *curated) inEditor() { p.change(func(s *memory.Snapshot) { s.Described.ByLine = false }) }

func TestEditedTextIsOrderedWithWhatWasSeen(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.e.Write = func(string) string { return "fetch twice\n" }
		p.Press("e")
		o := p.wantOrders(t, memory.EditOne)[0]
		if o.Form != "fetch twice\n" || o.IDs[0] != "fetch" || o.Base[0] != `{"task_summary":"fetch"}` {
			t.Errorf("order %+v", o)
		}
		p.WantText(`Edit: "fetch" - u to undo`, "fetch twice")
		p.Press("u")
		p.WantNoText("fetch twice")
	})
}

func TestRawLineIsEditedAsItStands(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.e.Write = func(text string) string { return text + " \n" }
		p.Press("E")
		o := p.wantOrders(t, memory.EditOne)[0]
		if o.Form != "" || *o.Edit.Raw != `{"task_summary":"fetch"} ` || p.e.Opened[0] != `{"task_summary":"fetch"}` {
			t.Errorf("order %+v, opened %q", o, p.e.Opened)
		}
	})
}

func TestUnchangedOrEmptyTextWritesNothing(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.Press("e")
		p.WantText("Nothing changed: the text is the same")
		p.Press("E")
		p.WantText("Nothing changed: the text is the same")
		p.Press("L")
		p.WantText("Nothing changed: the text is the same")
		p.e.Write = func(string) string { return " \n\n" }
		p.Press("e")
		p.WantText("Nothing changed: the text is empty")
		p.e.Err = errors.New("exit status 1")
		p.Press("e")
		p.WantText("! Nothing changed: exit status 1; set EDITOR or VISUAL to your editor")
		p.wantOrders(t)
	})
}

func TestMistakeKeepsTheText(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.b.PlanErr = &memory.Problem{Code: "field", What: "outcome is not a word"}
		p.e.Write = func(string) string { return "fetch, mistaken" }
		p.Press("e")
		p.wantDialog(t, true)
		p.WantText("outcome is not a word")
		p.change(func(s *memory.Snapshot) { s.Records = append(s.Records, some("fetch", "more")[1]) })
		p.b.PlanErr = nil
		p.e.Write = func(text string) string { return text + " no more" }
		p.Press("e")
		if len(p.e.Opened) != 2 || p.e.Opened[1] != "fetch, mistaken" {
			t.Fatalf("opened on %q", p.e.Opened)
		}
		o := p.wantOrders(t, memory.EditOne, memory.EditOne)[1]
		if o.Form != "fetch, mistaken no more" || o.Base[0] != `{"task_summary":"fetch"}` {
			t.Errorf("order %+v", o)
		}
	})
}

// TestTextSurvivesAFailedSave: what was typed is offered again when it could not
// be stored.
func TestTextSurvivesAFailedSave(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.b.ApplyErr = &memory.Problem{Code: "no-space", What: "no space left for /s", Hint: "free some space"}
		p.e.Write = func(string) string { return "long thought" }
		p.Press("L")
		p.wantOrders(t, memory.AddOne)
		p.wantDialog(t, true)
		p.WantText("no space left")
		p.b.ApplyErr, p.e.Write = nil, nil
		p.Press("e")
		if o := p.wantOrders(t, memory.AddOne, memory.AddOne)[1]; o.Form != "long thought" {
			t.Errorf("order %+v", o)
		}
		p.wantApplied(t, 2)
	})
}

func TestDamagedLineIsEditedRawOnly(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.change(func(s *memory.Snapshot) {
			s.Records = some("fetch", "cut")
			s.Records[0].Problem = &memory.Problem{Code: "json", What: "not JSON"}
			s.Records[1].RawLen++
		})
		p.Press("e")
		p.WantText("E edits its stored line")
		p.Press("E")
		p.WantText("the text is the same")
		p.Press("k", "E")
		p.WantText("too long to edit")
		p.Press("d")
		p.WantText("too long to be held whole")
		if len(p.e.Opened) != 1 {
			t.Errorf("opened on %q", p.e.Opened)
		}
	})
}

// TestTextIsOfferedAgainAfterAConflict cancels a conflict, edits another record, and goes
// on with the text that was refused, until it is left to the other writer.
func TestTextIsOfferedAgainAfterAConflict(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.b.ApplyErr = fmt.Errorf("edit fetch: %w", memory.ErrConflict)
		p.b.Refused = memory.Result{Changes: []memory.Applied{{ID: "fetch", Fate: memory.Refused, Theirs: "{}"}}}
		p.e.Write = func(string) string { return "long thought" }
		p.Press("e")
		p.wantDialog(t, true)
		p.Press("esc")
		p.wantDialog(t, false)
		p.e.Write = func(text string) string { return text }
		p.Press("e")
		if n := len(p.e.Opened); p.e.Opened[n-1] != "long thought" {
			t.Fatalf("opened on %q", p.e.Opened)
		}
		p.wantDialog(t, true)
		p.Press("t")
		p.WantText("Kept the other writer's version")
		p.Press("e")
		if n := len(p.e.Opened); n != 3 || p.e.Opened[n-1] == "long thought" {
			t.Fatalf("opened on %q", p.e.Opened)
		}
	})
}
