package agents

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Step is what the model does in answer to one request: it calls a tool, fails with an HTTP status, or
// says something.
type Step struct {
	Tool   string // the name, or a part of it
	Args   map[string]any
	Say    string        // "done" when it is empty and there is no tool
	Status int           // of the failure; all later requests fail too
	Wait   time.Duration // before the answer
}

// Request is what an agent asked the model.
type Request struct {
	Path string
	Body []byte
}

// Model plays a script for real agents on the loopback, and keeps each request. It speaks Anthropic
// Messages, OpenAI Responses and Chat Completions, and Gemini. A request that offers no tools, such as
// one for a title, is no part of the script.
type Model struct {
	URL string

	mu       sync.Mutex // guards what follows
	steps    []Step
	requests []Request
	answered int // requests of the script
	asked    chan struct{}
	closed   chan struct{}
}

// NewModel starts a model, which ends with the test.
func NewModel(t testing.TB) *Model {
	m := &Model{asked: make(chan struct{}), closed: make(chan struct{})}
	server := httptest.NewServer(m)
	m.URL = server.URL
	t.Cleanup(func() {
		close(m.closed)
		server.CloseClientConnections()
		server.Close()
	})
	return m
}

// Play sets what the model does from now on. After the last step it says "done".
func (m *Model) Play(steps ...Step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps, m.asked = steps, make(chan struct{})
}

// Requests returns the requests so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

// Asked is closed when the first request for a step came.
func (m *Model) Asked() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// next returns the step for a request that offers tools.
func (m *Model) next(tools []string) (s Step, number int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answered++
	s = Step{Say: "done"}
	if len(tools) == 0 {
		return s, m.answered
	}
	select {
	case <-m.asked:
	default:
		close(m.asked)
	}
	if len(m.steps) > 0 {
		s = m.steps[0]
		if s.Status == 0 {
			m.steps = m.steps[1:]
		}
	}
	for _, name := range tools {
		if s.Tool != "" && strings.Contains(name, s.Tool) {
			s.Tool = name
			return s, m.answered
		}
	}
	if s.Tool != "" {
		s = Step{Say: "there is no tool " + s.Tool + " among " + strings.Join(tools, " ")}
	}
	if s.Say == "" {
		s.Say = "done"
	}
	return s, m.answered
}

// ServeHTTP implements [http.Handler].
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what came
	if r.Header.Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, _ = io.ReadAll(z)
		}
	}
	var play func(map[string]any, []string, Step, int, *reply)
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/v1/messages"):
		play = anthropic
	case strings.HasSuffix(path, "/responses"):
		play = responses
	case strings.HasSuffix(path, "/chat/completions"):
		play = completions
	case strings.Contains(path, "enerateContent"):
		play = gemini
	}
	var in map[string]any
	if r.Method != http.MethodPost || play == nil || json.Unmarshal(body, &in) != nil {
		(&reply{w: w}).whole(map[string]any{"data": []any{}, "models": []any{}, "input_tokens": 1})
		return
	}
	m.mu.Lock()
	m.requests = append(m.requests, Request{Path: r.URL.Path, Body: body})
	m.mu.Unlock()
	tools := toolsOf(in)
	s, number := m.next(tools)
	select {
	case <-time.After(s.Wait):
	case <-r.Context().Done():
		return
	case <-m.closed:
		return
	}
	if s.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(s.Status)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":"the model says no","code":%d,"status":"INVALID_ARGUMENT"}}`, s.Status)
		return
	}
	stream, _ := in["stream"].(bool)
	play(in, tools, s, number, &reply{w: w, stream: stream || strings.Contains(r.URL.Path, "stream")})
}

// toolsOf returns the names of the tools that a request offers, in any of the forms.
func toolsOf(v any) (names []string) {
	in, _ := v.(map[string]any)
	list, _ := in["tools"].([]any)
	list2, _ := in["functionDeclarations"].([]any)
	for _, t := range append(list, list2...) {
		tool, _ := t.(map[string]any)
		if inner := toolsOf(tool); len(inner) > 0 {
			names = append(names, inner...)
			continue
		}
		if f, ok := tool["function"].(map[string]any); ok {
			tool = f
		}
		if name, _ := tool["name"].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// spaceOf returns the namespace of a tool in a request for OpenAI Responses.
func spaceOf(in map[string]any, name string) string {
	list, _ := in["tools"].([]any)
	for _, t := range list {
		tool, _ := t.(map[string]any)
		for _, inner := range toolsOf(tool) {
			if space, _ := tool["name"].(string); inner == name {
				return space
			}
		}
	}
	return ""
}

// reply is an answer of one of the services.
type reply struct {
	w      http.ResponseWriter
	stream bool
}

type object = map[string]any

func (r *reply) whole(v any) {
	r.w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(r.w).Encode(v) // an agent may be gone
}

// events sends server-sent events, each named by its type where it has one.
func (r *reply) events(all ...object) {
	r.w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		if name, ok := e["type"].(string); ok {
			fmt.Fprintf(r.w, "event: %s\n", name)
		}
		b, _ := json.Marshal(e) // of values that can be spelled
		fmt.Fprintf(r.w, "data: %s\n\n", b)
	}
}

// spelled returns arguments as JSON.
func spelled(args map[string]any) string {
	if args == nil {
		return "{}"
	}
	b, _ := json.Marshal(args) // of values that can be spelled
	return string(b)
}

func anthropic(in map[string]any, _ []string, s Step, n int, r *reply) {
	usage := object{
		"input_tokens":                1,
		"output_tokens":               1,
		"cache_creation_input_tokens": 0,
		"cache_read_input_tokens":     0,
	}
	message := object{
		"id":            fmt.Sprintf("msg_%04d", n),
		"type":          "message",
		"role":          "assistant",
		"model":         in["model"],
		"content":       []any{},
		"stop_reason":   nil,
		"stop_sequence": nil,
		"usage":         usage,
	}
	block, whole := object{"type": "text", "text": ""}, object{"type": "text", "text": s.Say}
	delta, stop := object{"type": "text_delta", "text": s.Say}, "end_turn"
	if s.Tool != "" {
		id := fmt.Sprintf("toolu_%04d", n)
		block = object{"type": "tool_use", "id": id, "name": s.Tool, "input": object{}}
		whole = object{"type": "tool_use", "id": id, "name": s.Tool, "input": s.Args}
		delta, stop = object{"type": "input_json_delta", "partial_json": spelled(s.Args)}, "tool_use"
	}
	if !r.stream {
		message["content"], message["stop_reason"] = []any{whole}, stop
		r.whole(message)
		return
	}
	r.events(object{"type": "message_start", "message": message},
		object{"type": "content_block_start", "index": 0, "content_block": block},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		object{"type": "message_stop"})
}

func responses(in map[string]any, _ []string, s Step, n int, r *reply) {
	item := object{
		"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": s.Say, "annotations": []any{}}},
	}
	if s.Tool != "" {
		item = object{
			"type":      "function_call",
			"id":        fmt.Sprintf("fc_%d", n),
			"call_id":   fmt.Sprintf("call_%d", n),
			"name":      s.Tool,
			"arguments": spelled(s.Args),
			"status":    "completed",
		}
		if space := spaceOf(in, s.Tool); space != "" {
			item["namespace"] = space
		}
	}
	usage := object{
		"input_tokens":          1,
		"input_tokens_details":  object{"cached_tokens": 0},
		"output_tokens":         1,
		"output_tokens_details": object{"reasoning_tokens": 0},
		"total_tokens":          2,
	}
	id := fmt.Sprintf("resp_%d", n)
	r.events(object{
		"type":     "response.created",
		"response": object{"id": id, "object": "response", "status": "in_progress", "output": []any{}},
	},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": object{
			"id":     id,
			"object": "response",
			"status": "completed",
			"output": []any{item},
			"usage":  usage,
		}})
}

func completions(_ map[string]any, _ []string, s Step, n int, r *reply) {
	delta, end := object{"role": "assistant", "content": s.Say}, "stop"
	if s.Tool != "" {
		call := object{
			"index":    0,
			"id":       fmt.Sprintf("call_%d", n),
			"type":     "function",
			"function": object{"name": s.Tool, "arguments": spelled(s.Args)},
		}
		delta, end = object{"role": "assistant", "tool_calls": []any{call}}, "tool_calls"
	}
	chunk := func(delta object, end any) object {
		return object{
			"id": fmt.Sprintf("c%d", n), "object": "chat.completion.chunk", "created": 1, "model": "m",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": end}},
			"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
		}
	}
	r.events(chunk(delta, nil), chunk(object{}, end))
	fmt.Fprint(r.w, "data: [DONE]\n\n")
}

func gemini(_ map[string]any, _ []string, s Step, _ int, r *reply) {
	part := object{"text": s.Say}
	if s.Tool != "" {
		part = object{"functionCall": object{"name": s.Tool, "args": s.Args}}
	}
	answer := object{
		"candidates": []any{
			object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0},
		},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "m",
	}
	if r.stream {
		r.events(answer)
		return
	}
	r.whole(answer)
}
