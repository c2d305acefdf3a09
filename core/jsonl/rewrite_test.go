package jsonl

import (
	"strings"
	"testing"

	"winnow/core/lesson"
	"winnow/core/memory"
)

func deletion(before string, line int) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: memory.ID(OwnID(before)), Before: before, Line: line}
}

func editing(before, after string, line int) memory.Change {
	return memory.Change{Do: memory.Editing, ID: memory.ID(OwnID(before)), Before: before, After: after, Line: line}
}

func adding(after string, line int, behind memory.ID) memory.Change {
	return memory.Change{Do: memory.Adding, ID: memory.ID(OwnID(after)), After: after, Line: line, Behind: behind}
}

func pinning(id memory.ID) memory.Change { return memory.Change{Do: memory.Pinning, ID: id} }

func fatesOf(made Made) string {
	var words []string
	for _, f := range made.Fates {
		words = append(words, f.Fate.String())
	}
	return strings.Join(words, " ")
}

// rewritten applies changes and checks what must be true of every Rewrite.
func rewritten(t *testing.T, file string, changes ...memory.Change) (string, Made) {
	t.Helper()
	made := Rewrite(file, changes)
	out := made.Text
	if got, ok := Splice(file, made.Parts); !ok || got != out {
		t.Errorf("the parts %+v give %q, want %q", made.Parts, got, out)
	}
	if got, ok := Splice(out, Inverse(made.Parts)); !ok || got != file {
		t.Errorf("the parts %+v inverted give %q, want %q", made.Parts, got, file)
	}
	if len(made.Fates) != len(changes) {
		t.Fatalf("%d fates of %d changes", len(made.Fates), len(changes))
	}
	return out, made
}

const (
	lineA = `{"lesson_id":"a","task_summary":"x","lesson":"y","relevance_count":1}`
	lineB = `{ "lesson_id" : "b", "relevance_count":1.0 ,"task_summary":"\u0078", "n":1e2}`
	lineC = `{"lesson_id":"c","task_summary":"z","lesson":"w","relevance_count":3,"last_retrieved_at":"2026-03-14T00:00:00.000Z"}`
)

func counted(line, from, to string) string {
	return strings.Replace(line, `"relevance_count":`+from, `"relevance_count":`+to, 1)
}

// dated returns lineC, last recalled on another day of March.
func dated(line, day string) string { return strings.Replace(line, "-14T", "-"+day+"T", 1) }

func TestRewriteChangesWhatItNames(t *testing.T) {
	xA := strings.Replace(lineA, `"x"`, `"new"`, 1)
	for _, c := range []struct {
		name, file string
		changes    []memory.Change
		want       string
		fates      string
	}{
		{"delete the first", lineA + "\n" + lineB + "\n", []memory.Change{deletion(lineA, 1)}, lineB + "\n", "done"},
		{
			"delete the last without a line end",
			lineA + "\n" + lineB,
			[]memory.Change{deletion(lineB, 2)},
			lineA + "\n",
			"done",
		},
		{"delete a damaged line", "{oops\n" + lineA, []memory.Change{deletion("{oops", 1)}, lineA, "done"},
		{
			"delete all",
			lineA + "\r\n" + lineB + "\r\n",
			[]memory.Change{deletion(lineA, 1), deletion(lineB, 2)},
			"",
			"done done",
		},
		{
			"delete the second of two",
			lineA + "\n" + lineA + "\r\n",
			[]memory.Change{deletion(lineA, 2)},
			lineA + "\n",
			"done",
		},
		{
			"delete both of two",
			lineA + "\n" + lineA + "\n",
			[]memory.Change{deletion(lineA, 1), deletion(lineA, 1)},
			"",
			"done done",
		},
		{"delete what was counted", counted(lineA, "1", "7") + "\n", []memory.Change{deletion(lineA, 1)}, "", "done"},
		{"delete what was changed", xA + "\n", []memory.Change{deletion(lineA, 1)}, xA + "\n", "conflict"},
		{"delete what is gone", lineB + "\n", []memory.Change{deletion(lineA, 1)}, lineB + "\n", "gone"},
		{"edit", lineA + "\r\n" + lineB, []memory.Change{editing(lineA, xA, 1)}, xA + "\r\n" + lineB, "done"},
		{
			"edit what was counted",
			counted(lineA, "1", "7") + "\n",
			[]memory.Change{editing(lineA, xA, 1)},
			counted(xA, "1", "7") + "\n",
			"merged",
		},
		{
			"edit what was spelled anew",
			" " + lineA + "\n",
			[]memory.Change{editing(lineA, xA, 1)},
			" " + xA + "\n",
			"done",
		},
		{"edit what stands already", xA + "\n", []memory.Change{editing(lineA, xA, 1)}, xA + "\n", "done"},
		{"edit what was removed", lineB + "\n", []memory.Change{editing(lineA, xA, 1)}, lineB + "\n", "conflict"},
		{"edit what others edited", strings.Replace(lineA, `"x"`, `"third"`, 1), []memory.Change{editing(lineA, xA, 1)}, strings.Replace(lineA, `"x"`, `"third"`, 1), "conflict"},
		{
			"raise what rose more",
			counted(lineA, "1", "7"),
			[]memory.Change{editing(lineA, counted(lineA, "1", "5"), 1)},
			counted(lineA, "1", "7"),
			"merged",
		},
		{
			"lower what rose",
			counted(lineC, "3", "5"),
			[]memory.Change{editing(lineC, counted(lineC, "3", "0"), 1)},
			counted(lineC, "3", "2"),
			"merged",
		},
		{
			"lower what fell",
			counted(lineC, "3", "1"),
			[]memory.Change{editing(lineC, counted(lineC, "3", "0"), 1)},
			counted(lineC, "3", "0"),
			"merged",
		},
		{"pin", lineA, []memory.Change{pinning("a")}, lineA, "done"},
		{
			"one refused of two",
			lineA + "\n" + lineB + "\n",
			[]memory.Change{deletion(lineB, 2), editing(lineC, lineC+" ", 3)},
			lineA + "\n" + lineB + "\n",
			"done conflict",
		},
		{"add to nothing", "", []memory.Change{adding(lineA, 0, "")}, lineA + "\n", "done"},
		{"add at the end", lineA + "\n", []memory.Change{adding(lineB, 0, "")}, lineA + "\n" + lineB + "\n", "done"},
		{
			"add at the end without a line end",
			lineA,
			[]memory.Change{adding(lineB, 0, "")},
			lineA + "\n" + lineB,
			"done",
		},
		{
			"add at the end of CRLF",
			lineA + "\r\n",
			[]memory.Change{adding(lineB, 0, "")},
			lineA + "\r\n" + lineB + "\r\n",
			"done",
		},
		{
			"add at the end of CRLF without one",
			lineA + "\r\n" + lineB,
			[]memory.Change{adding(lineC, 0, "")},
			lineA + "\r\n" + lineB + "\r\n" + lineC,
			"done",
		},
		{
			"put back the first",
			lineB + "\n",
			[]memory.Change{adding(lineA, 1, "")},
			lineA + "\n" + lineB + "\n",
			"done",
		},
		{
			"put back behind",
			lineA + "\n" + lineC + "\n",
			[]memory.Change{adding(lineB, 2, "a")},
			lineA + "\n" + lineB + "\n" + lineC + "\n",
			"done",
		},
		{
			"put back behind its neighbour, before blank lines",
			lineA + "\n\n\n" + lineC,
			[]memory.Change{adding(lineB, 3, "a")},
			lineA + "\n" + lineB + "\n\n\n" + lineC,
			"done",
		},
		{
			"put back behind one that moved",
			lineC + "\n" + lineA + "\n",
			[]memory.Change{adding(lineB, 1, "a")},
			lineC + "\n" + lineA + "\n" + lineB + "\n",
			"done",
		},
		{
			"put back behind one that is gone",
			lineC + "\n",
			[]memory.Change{adding(lineB, 1, "a")},
			lineB + "\n" + lineC + "\n",
			"done",
		},
		{
			"put back far down",
			lineC + "\n",
			[]memory.Change{adding(lineB, 9, "a")},
			lineC + "\n" + lineB + "\n",
			"done",
		},
		{
			"put back two in a row",
			lineC + "\n",
			[]memory.Change{adding(lineB, 2, "a"), adding(lineA, 1, "")},
			lineA + "\n" + lineB + "\n" + lineC + "\n",
			"done done",
		},
		{"add what stands", lineA + "\n", []memory.Change{adding(lineA, 1, "")}, lineA + "\n", "gone"},
		{
			"add what stands with more counts",
			counted(lineA, "1", "2") + "\n",
			[]memory.Change{adding(lineA, 1, "")},
			counted(lineA, "1", "2") + "\n",
			"gone",
		},
		{
			"add what stands with less counts",
			counted(lineA, "1", "0") + "\n",
			[]memory.Change{adding(lineA, 1, "")},
			lineA + "\n",
			"merged",
		},
		{"add an id that stands", xA + "\n", []memory.Change{adding(lineA, 1, "")}, xA + "\n", "conflict"},
		{
			"add a second of its id",
			xA + "\n",
			[]memory.Change{{Do: memory.Adding, ID: "a~2", After: lineA}},
			xA + "\n" + lineA + "\n",
			"done",
		},
		{
			"a mark at the beginning stays there",
			"\ufeff" + lineA + "\n",
			[]memory.Change{adding(lineB, 1, "")},
			"\ufeff" + lineB + "\n" + lineA + "\n",
			"done",
		},
		{
			"white space at the end stays there",
			lineA + "\u00a0\n\n",
			[]memory.Change{adding(lineB, 0, "")},
			lineA + "\n" + lineB + "\u00a0\n\n",
			"done",
		},
		{
			"replace the last without a line end",
			lineA + "\n" + lineB,
			[]memory.Change{deletion(lineB, 2), adding(lineC, 0, "")},
			lineA + "\n" + lineC,
			"done done",
		},
	} {
		out, made := rewritten(t, c.file, c.changes...)
		if out != c.want || fatesOf(made) != c.fates {
			t.Errorf("%s:\n got %q %s\nwant %q %s", c.name, out, fatesOf(made), c.want, c.fates)
		}
	}
}

func TestASecondRecordOfAnIDKeepsItsNameInWhatWasMade(t *testing.T) {
	xA := strings.Replace(lineA, `"x"`, `"new"`, 1)
	second := memory.Change{Do: memory.Deleting, ID: "a~2", Before: xA, Line: 2}
	if _, made := rewritten(t, lineA+"\n"+xA+"\n", second); len(made.Changes) != 1 ||
		made.Changes[0].Record.ID != "a~2" {
		t.Errorf("%s, %+v", fatesOf(made), made.Changes)
	}
}

func TestMadeSaysWhatWasDoneToTheFileAsItStood(t *testing.T) {
	file := lineB + "\n\n" + counted(lineA, "1", "4") + "\n" + lineC + "\n"
	xA := strings.Replace(lineA, `"x"`, `"new"`, 1)
	added := strings.ReplaceAll(lineA, `"a"`, `"d"`)
	_, made := rewritten(t, file, editing(lineA, xA, 1), pinning("b"), deletion(lineC, 9), adding(added, 1, ""))
	if len(made.Changes) != 3 || fatesOf(made) != "merged done done done" {
		t.Fatalf("%s, %+v", fatesOf(made), made.Changes)
	}
	e, d, a := made.Changes[0], made.Changes[1], made.Changes[2]
	if e.Line != 3 || e.Before != counted(lineA, "1", "4") || e.After != counted(xA, "1", "4") ||
		e.Record.Raw != e.Before || e.Edited.Title != "new" || e.Edited.Count.N != 4 {
		t.Errorf("edit %+v", e)
	}
	if d.Line != 4 || d.Before != lineC || d.Behind != "a" || d.Record.ID != "c" {
		t.Errorf("deletion %+v", d)
	}
	if a.Line != 1 || a.After != added {
		t.Errorf("addition %+v", a)
	}
	refused, none := rewritten(
		t,
		file,
		editing(lineC, lineC, 1),
		editing(xA, strings.Replace(lineA, `"x"`, `"third"`, 1), 3),
	)
	if f := none.Fates[1]; refused != file || f.Fate != memory.Refused || f.Theirs != counted(lineA, "1", "4") ||
		f.TheirRecord.Title != "x" || f.Why == "" || none.Changes != nil {
		t.Errorf("refused %+v", none)
	}
}

func TestRecordsOfOneIDAreToldApartByTheirNames(t *testing.T) {
	first, second := counted(lineA, "1", "2"), strings.Replace(counted(lineA, "1", "3"), `"x"`, `"2nd"`, 1)
	file := first + "\n" + lineB + "\n" + second + "\n"
	change := deletion(strings.Replace(second, `:3}`, `:1}`, 1), 1) // the count has changed since
	change.ID = "a~2"
	if out, made := rewritten(t, file, change); out != first+"\n"+lineB+"\n" {
		t.Errorf("%q, %s", out, fatesOf(made))
	}
}

func TestALineThatWasNotReadWholeIsFoundByItsBeginning(t *testing.T) {
	long := lineA[:len(lineA)-1] + `,"n":"` + strings.Repeat("x", 100) + `"}`
	change := deletion(long[:80], 2)
	change.Record = lesson.TooLong(long[:80], len(long), 2)
	out, made := rewritten(t, lineB+"\n"+long+"\n", change)
	if out != lineB+"\n" || made.Changes[0].Before != long {
		t.Errorf("%q, %+v", out, made.Fates)
	}
	if out, made := rewritten(t, lineB+"\n"+long+" \n", change); out != lineB+"\n"+long+" \n" {
		t.Errorf("%q, %+v", out, made.Fates)
	}
}

func TestPartsAreNoLongerThanWhatDiffers(t *testing.T) {
	_, made := rewritten(
		t,
		lineA+"\n"+lineB+"\n",
		editing(lineA, strings.Replace(lineA, `"x"`, `"éx"`, 1), 1),
		deletion(lineB, 2),
	)
	want := []memory.Splice{
		{At: int64(strings.Index(lineA, `x"`)), New: "é"},
		{At: int64(len(lineA) + 1), Old: lineB + "\n"},
	}
	same(t, "parts", made.Parts, want)
	two := difference(0, "aéb", "aèb")
	same(t, "part", two, memory.Splice{At: 1, Old: "é", New: "è"})
}

func TestSplicesThatDoNotFitAreRefused(t *testing.T) {
	for _, parts := range [][]memory.Splice{
		{{At: 1, Old: "a"}}, {{At: 4}}, {{At: -1}}, {{At: 1, Old: "b"}, {At: 0, Old: "a"}}, {{At: 2, Old: "cd"}},
	} {
		if out, ok := Splice("abc", parts); ok {
			t.Errorf("%+v gives %q", parts, out)
		}
	}
}

func TestCountOfTheOtherWriterStaysAsItIsSpelled(t *testing.T) {
	theirs := counted(lineA, "1", "7.0")
	if m, ok := merge(lineA, counted(lineA, "1", "5"), theirs); !ok || m.text != theirs {
		t.Errorf("merged, it is %q, want %q", m.text, theirs)
	}
}

func TestChangeOfTheFirstLineTakesThatOfItsCopies(t *testing.T) {
	edited := strings.Replace(lineA, `"y"`, `"edited"`, 1)
	file := lineA + "\n" + lineB + "\n" + lineA + "\n"
	out, _ := rewritten(t, file, editing(lineA, edited, 9), deletion(lineA, 1))
	if want := lineB + "\n" + edited + "\n"; out != want {
		t.Errorf("it is %q, want %q", out, want)
	}
}

func TestOnlyRecordsOfOneLineAreAdded(t *testing.T) {
	file := lineA + "\n"
	out, made := rewritten(t, file, adding("{\n}", 0, ""), adding(" ", 0, ""))
	if out != file || fatesOf(made) != "conflict conflict" {
		t.Errorf("it is %q, %s", out, fatesOf(made))
	}
}
