package codex

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"winnow/core/session"
)

// refusals are the beginnings of outputs of calls that did not run, each with its kind of failure.
// The kind is empty if the person declined the call.
var refusals = [...][2]string{
	{"rejected by user", ""},
	{"patch rejected by user", ""},
	{"exec command rejected by user", ""},
	{"user rejected MCP tool call", ""},
	{aborted, ""},
	{"failed to parse function arguments", "bad arguments"},
	{"apply_patch verification failed", "patch does not apply"},
	{"unsupported call", "no such tool"},
	{"exec_command failed", "not started"},
	{"write_stdin failed", "not written"},
	{"tool call error", "tool error"},
	{"err: ", "tool error"},
	{"execution error", "not started"},
	{"failed in sandbox", "sandbox"},
	{timedOut, "timeout"},
}

const (
	aborted  = "aborted by user"
	timedOut = "command timed out after"
)

// result is what a tool's output says about its call.
type result struct {
	status     session.Status
	kind       string // of failure
	text       string // what the command wrote, without the header
	background string // the number of a command that is still running
}

// resultOf reads the output of a tool. Only the header lines are trusted: what follows "Output:"
// may say anything.
func resultOf(output string) result {
	for _, begin := range refusals {
		if strings.HasPrefix(output, begin[0]) {
			status := session.Error
			if begin[1] == "" {
				status = session.Declined
			}
			return result{status: status, kind: begin[1], text: output}
		}
	}
	var old struct {
		Output   *string
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		}
	}
	if !strings.HasPrefix(output, "{") || !session.Decode([]byte(output), &old) || old.Output == nil {
		return resultOfHead(output)
	}
	r := result{status: session.OK, text: *old.Output}
	if old.Metadata.ExitCode != nil {
		r.recordExit(*old.Metadata.ExitCode)
	}
	return r
}

// resultOfHead is resultOf for the header lines that newer versions put before the output of a
// command.
func resultOfHead(output string) result {
	r, rest := result{status: session.OK}, output
	for line := range strings.Lines(output) {
		rest = rest[len(line):]
		line = strings.TrimRight(line, "\n")
		i := slices.IndexFunc(headLines, func(begin string) bool { return strings.HasPrefix(line, begin) })
		switch {
		case line == "Output:":
			if r.text = rest; strings.HasPrefix(rest, timedOut) {
				r.status, r.kind = session.Error, "timeout"
			}
			return r
		case strings.HasPrefix(line, aborted):
			return result{status: session.Declined, text: output}
		case i < 0:
			return result{status: session.OK, text: output}
		}
		switch value := line[len(headLines[i]):]; headLines[i] {
		case exitCode, exitedWith:
			if code, err := strconv.Atoi(value); err == nil {
				r.recordExit(code)
			}
		case goesOn:
			r.status, r.background = session.Pending, value
		}
	}
	return result{status: session.OK, text: output}
}

const (
	exitCode   = "Exit code: "
	exitedWith = "Process exited with code "
	goesOn     = "Process running with session ID "
)

// headLines are the beginnings of the lines before a command's output.
var headLines = []string{
	exitCode,
	exitedWith,
	goesOn,
	"Chunk ID: ",
	"Wall time: ",
	"Total output lines: ",
	"Original token count: ",
	"Warning: ",
}

// recordExit records how a command ended, according to its exit code.
func (r *result) recordExit(code int) {
	switch {
	case strings.HasPrefix(r.text, timedOut):
		r.status, r.kind = session.Error, "timeout"
	case code == 0:
		r.status, r.kind = session.OK, ""
	default:
		r.status, r.kind = session.Error, "exit "+strconv.Itoa(code)
	}
}

// outcomeOfMCP returns how the call of an MCP server ended, and the message in its result.
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
		return session.Error, jsonText(r.Err)
	case r.Ok.IsError:
		return session.Error, session.Text(r.Ok.Content)
	}
	return session.OK, ""
}
