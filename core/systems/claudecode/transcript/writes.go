package transcript

import "strings"

// writes notes a use of a tool that changes a memory and returns its places in Writes,
// counted from 1.
func (r *teller) writes(e *entry, tool string, input []byte) []int {
	w := Write{Tool: tool, At: e.at, Side: e.side}
	var edits []byte
	object(input, func(key, value []byte) bool {
		switch string(key) {
		case "file_path":
			w.Path = text(value)
		case "content", "new_string":
			w.Now = cut(text(value), mostWritten)
		case "old_string":
			w.Was = cut(text(value), mostWritten)
		case "edits":
			edits = value
		}
		return true
	})
	if !r.remembered(w.Path) {
		return nil
	}
	if edits != nil {
		w.Was, w.Now = editsOf(edits)
	}
	if len(r.Writes) == mostWrites {
		r.skipped++
		return nil
	}
	w.Path = strings.Clone(w.Path)
	r.Writes = append(r.Writes, w)
	return []int{len(r.Writes)}
}

// editsOf returns the places of several edits, and what they became.
func editsOf(b []byte) (was, now string) {
	array(b, func(value []byte) bool {
		object(value, func(key, value []byte) bool {
			switch string(key) {
			case "old_string":
				was = cut(join(was, text(value)), mostWritten)
			case "new_string":
				now = cut(join(now, text(value)), mostWritten)
			}
			return true
		})
		return len(was)+len(now) < mostWritten
	})
	return was, now
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// written notes what came of a write. The result has the text that was there before.
func (r *teller) written(w *Write, result []byte, failed bool) {
	w.Failed = failed
	if failed {
		return
	}
	object(result, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			w.Created = is(value, "create")
		case "originalFile":
			if w.Tool == "Write" {
				w.Was = cut(text(value), mostWritten)
			}
		}
		return true
	})
}

// started notes a subagent and returns its place in Agents, counted from 1, or 0.
func (r *teller) started(e *entry, input []byte) int {
	if e.side || len(r.Agents) == mostAgents {
		return 0
	}
	var a Agent
	prompt := ""
	object(input, func(key, value []byte) bool {
		switch string(key) {
		case "subagent_type":
			a.Kind = cut(text(value), 200)
		case "description":
			a.Task = cut(text(value), mostError)
		case "prompt":
			prompt = cut(text(value), mostError)
		}
		return true
	})
	if a.Task == "" {
		a.Task = prompt
	}
	r.Agents = append(r.Agents, a)
	return len(r.Agents)
}
