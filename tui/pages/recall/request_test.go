package recall_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/tui/msg"
)

func TestTypingFiveKeysAsksOnce(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Press("i")
		for _, k := range []string{"f", "e", "t", "c", "h"} {
			d.Press(k)
			d.Advance(79 * time.Millisecond)
		}
		d.wantAsked(0)
		d.Advance(time.Millisecond)
		d.wantAsked(1)
		if got := d.a.asked[0]; got.Text != "fetch" || got.Mode != memory.Single {
			t.Errorf("asked for %+v", got)
		}
		d.WantText("Lesson 0 of answer 1", "words used 1 of 50: fetch", "5/2000 chars")
	})
}

func TestLateRecallIsDropped(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.slow, d.a.deaf = time.Second, true
		d.Press("i")
		d.Type("first")
		d.Advance(100 * time.Millisecond)
		d.a.slow = 0
		d.Type(" second")
		d.Advance(100 * time.Millisecond)
		d.WantText("answer 2")
		d.Advance(10 * time.Second)
		d.WantText("answer 2", `Task "first second"`)
		d.WantNoText("answer 1", "canceled")
	})
}

func TestChangedTaskCancelsTheRequest(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.a.slow = time.Minute
		d.Press("m", "i", "x")
		d.WantText("answer 1")
		d.WantNoText("canceled")
		if d.a.cancelled != 1 {
			t.Errorf("%d requests were cancelled", d.a.cancelled)
		}
		d.a.slow = 0
		d.Advance(time.Second)
		d.WantText("answer 3")
	})
}

func TestSnapshotAsksAgain(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.wantAsked(1)
		d.snap("/s/1", true)
		d.wantAsked(1)
		d.snap("/s/1", false)
		d.wantAsked(2)
		d.WantText("answer 2")
	})
}

func TestNoTaskAsksNothing(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.snap("/s/1", false)
		d.Press("m", "b", "x", "y", "tab", "j")
		d.wantAsked(0)
		d.WantText("press i and write a task", "dry run  agentic")
		d.write("a")
		d.Press("i", "backspace")
		d.Advance(time.Second)
		d.wantAsked(1)
		d.WantText("appears here")
	})
}

func TestOtherStoreForgetsTheAnswerAndKeepsTheTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.a.slow = time.Minute
		d.Send(msg.OpenStore{Store: "/s/2"})
		d.WantNoText("answer 1")
		d.a.slow = 0
		d.snap("/s/2", false)
		d.WantText("fetch", "answer 2")
		d.a.slow = time.Minute
		d.snap("/s/3", false)
		d.WantNoText("answer 2")
		d.Advance(time.Minute)
		d.WantText("answer 3")
		if got := fmt.Sprint(d.a.stores); got != "[/s/1 /s/2 /s/3]" {
			t.Errorf("asked %s", got)
		}
	})
}

func TestWordIsLeftOutAndPutBack(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch notes from it")
		d.Press("x")
		d.WantText("Leave words out", ">      from") // the word that is noise is offered
		d.Press("x")
		if got := d.a.asked[1].Without; len(got) != 1 || got[0] != "from" {
			t.Errorf("left out %q", got)
		}
		d.WantText("without: from", "> out  from")
		d.Press("x")
		if got := d.a.asked[2].Without; len(got) != 0 {
			t.Errorf("left out %q", got)
		}
		d.WantNoText("without:")
		d.Press("esc")
		d.WantText("1/2 Past Experience")
	})
}

func TestToolHintsAreTyped(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("t")
		d.Type("http-get, shell")
		d.wantAsked(1)
		d.Press("enter")
		if got := strings.Join(d.a.asked[1].Tools, "|"); got != "http-get|shell" {
			t.Errorf("tools %q", got)
		}
		d.WantText("tools: http-get, shell (+2 each")
		d.Press("t", "ctrl+u", "esc")
		d.WantText("Esc again throws away what you typed", "Tools:")
		d.Press("esc")
		d.WantText("tools: http-get, shell (+2 each")
		d.Press("t", "ctrl+u", "enter")
		d.WantNoText("tools:")
		d.wantAsked(3)
	})
}

func TestModeIsAskedFor(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("m")
		if got := d.a.asked[1].Mode; got != memory.Agentic {
			t.Errorf("mode %q", got)
		}
		d.WantText("dry run  agentic")
		d.Press("m")
		d.WantText("dry run  single")
	})
}
