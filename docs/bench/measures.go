//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// frameCells is how many printable characters make a first frame: more than a
// cursor, fewer than one row.
const frameCells = 20

func isFrame(visible string) bool {
	n := 0
	for _, r := range visible {
		if r > ' ' {
			n++
		}
	}
	return n >= frameCells
}

func hasRow(visible string) bool { return strings.Contains(visible, rowToken) }

// start launches a program of the bench and waits for its first frame.
func (b *bench) start(p program) (s *session, frame time.Duration, err error) {
	if s, err = launch(p.argv, b.dir, p.mute); err != nil {
		return nil, 0, err
	}
	if frame, err = s.waitFor("the first frame", isFrame); err != nil {
		s.quit()
		return nil, 0, err
	}
	return s, frame, nil
}

// firstFrames starts each program in turn, a round at a time, and reports the
// first painted frame, the first visible row, and the memory after that.
func (b *bench) firstFrames() ([]line, error) {
	programs := []program{b.floor, b.ours(100), b.ours(10_000), b.ours(50_000)}
	n := len(programs)
	frames, rowsAt, memory := make([]sample, n), make([]sample, n), make([]sample, n)
	err := b.eachRound(b.rounds, programs, func(i int, s *session, frame time.Duration) error {
		row := frame
		if !hasRow(ansi.Strip(string(s.text))) {
			var err error
			if row, err = s.waitFor("the first row", hasRow); err != nil {
				return err
			}
		}
		s.settle()
		frames[i].add(frame)
		rowsAt[i].add(row)
		memory[i] = append(memory[i], float64(rss(s.cmd.Process.Pid))/1024)
		return nil
	})
	if err != nil {
		return nil, err
	}
	limits := []float64{1: 1.25, 2: 1.4, 3: 2}
	var out []line
	for i := 1; i < len(programs); i++ {
		out = append(out, against("first frame, "+programs[i].name, limits[i], "ms", frames[i], frames[0]))
	}
	for i := 1; i < len(programs); i++ {
		out = append(out, against("first row visible, "+programs[i].name, 0, "ms", rowsAt[i], rowsAt[0]))
	}
	return append(out,
		against("memory, "+programs[1].name, 2.2, "MiB", memory[1], memory[0]),
		against("memory, "+programs[3].name, 0, "MiB", memory[3], memory[0])), nil
}

// muteTerminal holds a terminal that answers nothing against one that does.
func (b *bench) muteTerminal() ([]line, error) {
	programs := []program{b.ours(100), b.ours(100)}
	programs[1].mute = true
	var frames [2]sample
	err := b.eachRound(b.rounds, programs, func(i int, _ *session, frame time.Duration) error {
		frames[i].add(frame)
		return nil
	})
	if err != nil {
		return nil, err
	}
	l := against("first frame, terminal that answers no query", 1.1, "ms", frames[1], frames[0])
	l.goal = "1.1x the answering one"
	return []line{l}, nil
}

// keys measures from a key press to the frame that it causes, at 50,000
// lessons. Pauses vary, so that keys do not keep step with the frame clock.
func (b *bench) keys() ([]line, error) {
	floor := program{name: "floor", argv: []string{b.floor.argv[0], "-n", "50000"}}
	programs := []program{floor, b.ours(50_000)}
	frames := make([]sample, len(programs))
	err := b.eachRound(b.rounds, programs, func(i int, s *session, _ time.Duration) error {
		s.settle()
		for range b.rounds * 3 {
			s.drain(time.Duration(rand.Int64N(int64(20*time.Millisecond))), 20*time.Millisecond, false)
			at, err := s.press("j")
			if err != nil {
				return err
			}
			seen := s.answer(60 * time.Millisecond)
			if seen.bytes == 0 {
				return fmt.Errorf("press j: %s drew nothing", programs[i].name)
			}
			frames[i].add(seen.first.Sub(at))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	half := against("key to frame at 50,000 rows, p50", 1.1, "ms", frames[1], frames[0])
	half.result = frames[1].median() / frames[0].median()
	most := half
	most.what = "key to frame at 50,000 rows, p95"
	most.ours, most.base = fmt.Sprintf("%.1f ms", frames[1].p95()), fmt.Sprintf("%.1f ms", frames[0].p95())
	most.result = frames[1].p95() / frames[0].p95()
	return []line{half, most}, nil
}

// idleTime is how long programs are watched doing nothing.
const idleTime = 10 * time.Second

// idle reports what programs do when nothing happens.
func (b *bench) idle() ([]line, error) {
	programs := []program{b.floor, b.ours(100)}
	cpu, wakeups, written := make([]sample, 2), make([]sample, 2), make([]sample, 2)
	err := b.eachRound(min(b.rounds, 3), programs, func(i int, s *session, _ time.Duration) error {
		s.settle()
		s.drain(time.Second, time.Second, false)
		before := used(s.cmd.Process.Pid)
		seen := s.drain(idleTime, idleTime, false)
		after := used(s.cmd.Process.Pid)
		cpu[i].add(after.cpu - before.cpu)
		wakeups[i] = append(wakeups[i], float64(after.wakeups-before.wakeups))
		written[i] = append(written[i], float64(seen.bytes))
		return nil
	})
	if err != nil {
		return nil, err
	}
	silent := line{what: "idle 10 s, bytes written", goal: "0",
		ours: fmt.Sprintf("%.0f", written[1].quantile(1)), base: fmt.Sprintf("%.0f", written[0].quantile(1))}
	return []line{
		silent,
		against("idle 10 s, CPU", 1.1, "ms", cpu[1], cpu[0]),
		against("idle 10 s, wake-ups", 1.1, "", wakeups[1], wakeups[0]),
	}, nil
}
