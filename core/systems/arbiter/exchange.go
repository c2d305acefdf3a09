package arbiter

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
)

// round is one round of a recorded exchange.
type round struct {
	iteration
	line int // of its results, from 1
}

const endOfResults = "[END TOOL RESULTS]"

// rounds parts an exchange. Lines that begin with / and a letter are commands; from a
// line that begins with [/ on there are results, up to [END TOOL RESULTS], or up to a line
// behind an end of a result that begins no other.
func rounds(text string) (all []round) {
	var now round
	var results strings.Builder
	inside, framed := false, false // in results; in one of them
	finish := func() {
		now.results = "\n" + results.String()
		if len(now.commands) == 0 {
			now.commands = heads(now.results)
		}
		all = append(all, now)
		now, inside, framed = round{}, false, false
		results.Reset()
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		begins := strings.HasPrefix(line, "[/")
		if inside && !framed && !begins && line != "" && !strings.HasPrefix(line, "[END ") && !strings.HasPrefix(line, "[TOOL RESULTS") {
			finish()
		}
		switch {
		case inside || begins:
			if !inside {
				now.line, inside = i+1, true
			}
			results.WriteString(line + "\n")
			framed = (framed || begins) && !strings.HasPrefix(line, "[END ")
			if line == endOfResults {
				finish()
			}
		case isCommand(line):
			name, args, _ := strings.Cut(line[1:], " ")
			now.commands = append(now.commands, command{name, strings.TrimRight(args, " ")})
		}
	}
	if inside {
		finish()
	}
	return all
}

// isCommand reports whether a line of a reply is a command.
func isCommand(line string) bool {
	return len(line) > 1 && line[0] == '/' && line[1]|0x20 >= 'a' && line[1]|0x20 <= 'z' && !strings.HasPrefix(line, "/end")
}

// heads returns the commands that the heads of results name.
func heads(results string) (commands []command) {
	for line := range strings.Lines(results) {
		head, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "[/")
		if !ok {
			continue
		}
		name, args, _ := strings.Cut(strings.TrimSuffix(head, "]"), " ")
		commands = append(commands, command{name, args})
	}
	return commands
}

func checkLoop(text string) (remarks []memory.Remark) {
	say := func(line int, level memory.Level, what, next string) {
		remarks = append(remarks, memory.Remark{Line: line, Level: level, What: what, Next: next})
	}
	all := rounds(text)
	var before []command
	looped := false
	for i, r := range all {
		failed := r.failed()
		switch {
		case len(failed) == 0:
			say(r.line, memory.Good, fmt.Sprintf("Round %d: %s, none failed.", i+1, calls(len(r.commands))), "")
		default:
			say(r.line, memory.Note, fmt.Sprintf("Round %d: %s, failed: %s.", i+1, calls(len(r.commands)), named(failed)), "")
		}
		for _, trap := range r.traps() {
			say(r.line, memory.Warn, fmt.Sprintf("Round %d: %s", i+1, trap), "")
		}
		if again := repeated(before, failed); len(again) > 0 {
			looped = true
			say(r.line, memory.Stop, fmt.Sprintf("Rounds %d and %d make a loop: Arbiter puts [LOOP DETECTED] before these results, and names %s.", i, i+1, named(again)),
				"change an argument or the tool, or record why it fails")
		}
		before = failed
	}
	if len(all) == 0 {
		say(0, memory.Note, "There are no results in the text: they begin with a line such as [/fetch https://…].", "paste the exchange with its results")
		return remarks
	}
	if looped {
		say(0, memory.Note, "Only --send, A2A, the scheduler, /loop and delegated agents look for loops. A chat in the TUI does not.", "")
	} else {
		say(0, memory.Good, fmt.Sprintf("No call fails twice in a row in %s.", roundsOf(len(all))), "")
	}
	return remarks
}

// repeated returns the commands that failed before and now, each once.
func repeated(before, now []command) (again []command) {
	for _, c := range now {
		if slices.Contains(before, c) && !slices.Contains(again, c) {
			again = append(again, c)
		}
	}
	return again
}

// traps says where Arbiter judges a command by what is not its own result.
func (r *round) traps() (traps []string) {
	seen := map[string]int{}
	for _, c := range r.commands {
		seen[c.name]++
		if seen[c.name] == 2 {
			traps = append(traps, "all calls of /"+c.name+" are judged by the first result of that name.")
		}
		if seen[c.name] > 1 {
			continue
		}
		part, _ := verdict(r.results, c.name)
		if next := strings.Index(part[min(1, len(part)):], "\n[/"); next >= 0 {
			traps = append(traps, "[END "+upper(c.name)+"] does not end the result of /"+c.name+", so errors of the results behind it count as its own.")
		}
		if part == "" {
			traps = append(traps, "there is no result of /"+c.name+", which counts as no failure.")
		}
	}
	return traps
}

func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

func roundsOf(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// named returns commands as a list.
func named(commands []command) string {
	list := make([]string, len(commands))
	for i, c := range commands {
		list[i] = shown(strings.TrimRight("/"+c.name+" "+c.args, " "))
	}
	return strings.Join(list, ", ")
}
