package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The turns of a transcript of Claude Code, as far as the demo has them.
type (
	turn struct {
		Parent  *string `json:"parentUuid"`
		Side    bool    `json:"isSidechain"`
		User    string  `json:"userType"`
		Cwd     string  `json:"cwd"`
		Session string  `json:"sessionId"`
		Version string  `json:"version"`
		Branch  string  `json:"gitBranch"`
		Type    string  `json:"type"`
		Message message `json:"message"`
		UUID    string  `json:"uuid"`
		Time    string  `json:"timestamp"`
		Result  string  `json:"toolUseResult,omitempty"`
	}
	message struct {
		ID      string `json:"id,omitempty"`
		Type    string `json:"type,omitempty"`
		Role    string `json:"role"`
		Model   string `json:"model,omitempty"`
		Content any    `json:"content"` // a text, or a []part
		Stop    string `json:"stop_reason,omitempty"`
	}
	part struct {
		Type    string            `json:"type"`
		Text    string            `json:"text,omitempty"`
		ID      string            `json:"id,omitempty"`
		Name    string            `json:"name,omitempty"`
		Input   map[string]string `json:"input,omitempty"`
		Use     string            `json:"tool_use_id,omitempty"`
		Content string            `json:"content,omitempty"`
		Failed  bool              `json:"is_error,omitempty"`
	}
)

// transcript returns a session that ended at a time. Each line of the text is a step: "ask TASK", "read FILE",
// "run COMMAND | OUTPUT", "fail COMMAND | OUTPUT" or "say TEXT".
func transcript(id, cwd, text string, end time.Time) (string, error) {
	var all []turn
	add := func(kind string, m message, result string) {
		e := turn{
			User: "external", Cwd: cwd, Session: id, Version: "2.1.330", Branch: "main", Type: kind, Message: m,
			UUID: fmt.Sprintf("%s%04x", id[:len(id)-4], len(all)), Result: result,
		}
		if len(all) > 0 {
			e.Parent = &all[len(all)-1].UUID
		}
		all = append(all, e)
	}
	answer := func(p part, stop string) {
		add("assistant", message{
			ID: fmt.Sprintf("m%d", len(all)), Type: "message", Role: "assistant", Model: "claude-example",
			Content: []part{p}, Stop: stop,
		}, "")
	}
	for line := range strings.Lines(text) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		input, output, _ := strings.Cut(rest, " | ")
		use := part{Type: "tool_use", ID: fmt.Sprintf("t%d", len(all)), Name: "Bash"}
		switch verb {
		case "ask":
			add("user", message{Role: "user", Content: rest}, "")
			continue
		case "say":
			answer(part{Type: "text", Text: rest}, "end_turn")
			continue
		case "read":
			use.Name, use.Input, output = "Read", map[string]string{"file_path": input}, "read"
		case "run", "fail":
			use.Input = map[string]string{"command": input, "description": "Run it"}
		default:
			return "", fmt.Errorf("%q is no step of a session", verb)
		}
		if verb == "fail" {
			output = "Exit code 127\n" + output
		}
		answer(use, "tool_use")
		result := part{Type: "tool_result", Use: use.ID, Content: output, Failed: verb == "fail"}
		add("user", message{Role: "user", Content: []part{result}}, output)
	}
	var b strings.Builder
	for i := range all {
		all[i].Time = end.Add(time.Duration(i-len(all)+1) * time.Minute).UTC().Format(isoMillis)
		line, err := json.Marshal(all[i])
		if err != nil {
			return "", err
		}
		b.Write(append(line, '\n'))
	}
	return b.String(), nil
}
