package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine is the longest message in bytes, far more than any tool accepts.
const maxLine = 1 << 20

// The codes of errors in JSON-RPC and in the protocol.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	unsupportedVersion = -32022
)

// message is a request or a notification.
type message struct {
	id     json.RawMessage // as the client spelled it; nil for a notification
	method string
	params map[string]json.RawMessage // empty for none; nil if they are no object
}

// answer is the answer to a request. Its ID is null if the request has no valid one.
type answer struct {
	Version version         `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *problem        `json:"error,omitempty"`
}

// version is that of JSON-RPC.
type version struct{}

// MarshalText implements encoding.TextMarshaler.
func (version) MarshalText() ([]byte, error) { return []byte("2.0"), nil }

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// problem is an error that the protocol tells the client.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// readLines passes on the lines that are not empty, until the input ends or ctx is done. It passes
// nil for a line that is too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readLine(r)
		if long {
			line = nil
		}
		if len(bytes.TrimSpace(line)) > 0 || long {
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine returns the next line, or the beginning of a long one.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// decode returns the message in a line, or what is wrong with the line, with the id of the message if
// it has a valid one. An answer, although nothing was asked, becomes a notification without a method.
func decode(line []byte) (m message, complaint *problem) {
	if line == nil {
		return m, &problem{Code: invalidRequest, Message: fmt.Sprintf("the message is longer than %d bytes", maxLine)}
	}
	if !json.Valid(line) || !utf8.Valid(line) {
		return m, &problem{Code: parseError, Message: "the line is not JSON"}
	}
	complaint = &problem{Code: invalidRequest, Message: "the line is not one message of JSON-RPC 2.0"}
	var fields map[string]json.RawMessage
	var version string
	if json.Unmarshal(line, &fields) != nil || json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0" {
		return m, complaint
	}
	id, hasID := fields["id"]
	if hasID && !isID(id) {
		return m, complaint
	}
	m.id = id
	method, hasMethod := fields["method"]
	if !hasMethod {
		if !isAnswer(fields) {
			return m, complaint
		}
		return message{}, nil
	}
	if method[0] != '"' || json.Unmarshal(method, &m.method) != nil {
		return m, complaint
	}
	m.params = map[string]json.RawMessage{}
	if params, ok := fields["params"]; ok && string(params) != "null" {
		m.params = objectOf(params)
	}
	return m, nil
}

// objectOf returns the fields of a JSON object, or nil if it is none.
func objectOf(value json.RawMessage) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(value, &fields) != nil {
		return nil
	}
	return fields
}

// isAnswer reports whether a message without a method is an answer.
func isAnswer(fields map[string]json.RawMessage) bool {
	_, id := fields["id"]
	_, result := fields["result"]
	_, failed := fields["error"]
	return id && (result || failed)
}

// isID reports whether a value is a string or a number.
func isID(value json.RawMessage) bool {
	return value[0] == '"' || value[0] == '-' || '0' <= value[0] && value[0] <= '9'
}

// idKey returns the same text for the same ID, however a string is escaped.
func idKey(id json.RawMessage) string {
	var text string
	if len(id) > 0 && id[0] == '"' && json.Unmarshal(id, &text) == nil {
		return `"` + text
	}
	return string(id)
}
