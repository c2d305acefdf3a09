package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"winnow/core/session"
)

// refused are what an output begins with when the call did not run, and what kind of failure that is.
var refused = [...][2]string{
	{"failed to parse function arguments", "bad arguments"},
	{"apply_patch verification failed", "patch does not apply"},
	{"unsupported call", "no such tool"},
	{"exec_command failed", "not started"},
	{"write_stdin failed", "not written"},
	{"tool call error", "tool error"},
	{"err: ", "tool error"},
	{"execution error", "not started"},
	{"failed in sandbox", "sandbox"},
	{"command timed out after", "timeout"},
}

// declined are what an output says when the person did not want the call.
var declined = [...]string{"rejected by user", "patch rejected by user", "exec command rejected by user", "user rejected MCP tool call", aborted}

const aborted = "aborted by user"

// outcome returns how a call ended by its output, in which only the head of the output of a command
// counts: what stands behind "Output:" may say anything. background is the number of a command that
// still runs.
func outcome(output string) (status session.Status, kind, background string) {
	for _, d := range declined {
		if strings.HasPrefix(output, d) {
			return session.Declined, "", ""
		}
	}
	for _, r := range refused {
		if strings.HasPrefix(output, r[0]) {
			return session.Error, r[1], ""
		}
	}
	var old struct {
		Output   *string
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		}
	}
	if strings.HasPrefix(output, "{") && session.Decode([]byte(output), &old) && old.Output != nil && old.Metadata.ExitCode != nil {
		status, kind = exited(*old.Metadata.ExitCode)
		if strings.HasPrefix(*old.Output, "command timed out after") {
			status, kind = session.Error, "timeout"
		}
		return status, kind, ""
	}
	return outcomeOfHead(output)
}

// outcomeOfHead is outcome for the lines that newer versions put before the output of a command.
func outcomeOfHead(output string) (status session.Status, kind, background string) {
	status = session.OK
	rest, isHead := output, false
	for line := range strings.Lines(output) {
		rest = rest[len(line):]
		line = strings.TrimRight(line, "\n")
		for _, begin := range [...]string{"Exit code: ", "Process exited with code "} {
			code, found := strings.CutPrefix(line, begin)
			if n, err := strconv.Atoi(code); found && err == nil {
				status, kind = exited(n)
			}
		}
		if n, runs := strings.CutPrefix(line, "Process running with session ID "); runs {
			status, background = session.Pending, n
		}
		if line == "Output:" {
			isHead = true
			break
		}
		if strings.HasPrefix(line, aborted) {
			return session.Declined, "", ""
		}
		if !inHead(line) {
			break
		}
	}
	switch {
	case !isHead:
		return session.OK, "", ""
	case strings.HasPrefix(rest, "command timed out after"):
		return session.Error, "timeout", ""
	}
	return status, kind, background
}

// inHead reports whether a line is one of those before the output of a command.
func inHead(line string) bool {
	for _, begin := range [...]string{"Chunk ID: ", "Wall time: ", "Exit code: ", "Total output lines: ", "Original token count: ", "Process exited with code ", "Process running with session ID "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return strings.HasPrefix(line, "Warning: ")
}

// said returns what a command wrote, without the head.
func said(output string) string {
	var old struct{ Output *string }
	if strings.HasPrefix(output, "{") && session.Decode([]byte(output), &old) && old.Output != nil {
		return *old.Output
	}
	head, rest, found := strings.Cut(output, "Output:\n")
	for line := range strings.Lines(head) {
		found = found && inHead(line)
	}
	if found {
		return rest
	}
	return output
}

// exited returns the status of a command by its exit code.
func exited(code int) (session.Status, string) {
	if code == 0 {
		return session.OK, ""
	}
	return session.Error, "exit " + strconv.Itoa(code)
}

// outcomeOfMCP returns how a call of an MCP server ended by its result, and what it said then.
func outcomeOfMCP(result json.RawMessage) (status session.Status, message string) {
	var r struct {
		Err json.RawMessage
		Ok  struct {
			IsError bool
			Content json.RawMessage
		}
	}
	session.Decode(result, &r)
	switch {
	case r.Err != nil:
		return session.Error, spelled(r.Err)
	case r.Ok.IsError:
		return session.Error, session.Text(r.Ok.Content)
	}
	return session.OK, ""
}
