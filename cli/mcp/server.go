// Package mcp serves agents over standard input and output. It gives them approved lessons and lets
// them propose new ones. It speaks the Model Context Protocol, of which tools are all that it needs,
// and writes nothing but protocol messages. Its errors do not repeat what the agent sent.
package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// The versions of the protocol. With the stateless one, and later, every request names its version
// in its metadata, and nothing is initialized.
const (
	stateless = "2026-07-28"
	latest    = "2025-11-25" // of those with a session
)

func versions() []string {
	return []string{stateless, latest, "2025-06-18", "2025-03-26", "2024-11-05"}
}

// mostBusy limits the calls answered at the same time. Later ones wait unread.
const mostBusy = 32

// server answers one client.
type server struct {
	out   io.Writer
	self  implementation
	tools []tool
	find  callerFinder
	room  chan struct{} // holds a value for each call being answered
	end   context.CancelCauseFunc
	open  bool // the client initialized the session, or named the stateless version

	mu   sync.Mutex // guards the field below, and writing
	busy map[string]context.CancelFunc
}

type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

// Serve answers the messages from in on out, until in ends or ctx is done. At the end of in it waits
// until all calls are answered. A blocked read of in ends at the latest with the process.
func Serve(
	ctx context.Context,
	in io.Reader,
	out io.Writer,
	version string,
	lookup func(string) (string, bool),
	t Tools,
) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &server{
		out: out, self: implementation{"winnow", "Winnow", version}, tools: t.list(), find: callerFinder{lookup},
		room: make(chan struct{}, mostBusy), end: end, busy: map[string]context.CancelFunc{},
	}
	lines := make(chan []byte)
	go readLines(ctx, in, lines)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return s.finish(ctx)
			}
			s.receive(ctx, line)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// finish waits until all calls are answered.
func (s *server) finish(ctx context.Context) error {
	for range mostBusy {
		select {
		case s.room <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return context.Cause(ctx)
}

// receive answers one message. Calls of tools are answered later.
func (s *server) receive(ctx context.Context, line []byte) {
	m, complaint := decode(line)
	switch {
	case complaint != nil:
		s.write(answer{ID: m.id, Error: complaint})
	case m.id == nil && m.method == "notifications/cancelled":
		s.cancel(m)
	case m.id == nil:
	case s.isBusy(m.id):
		s.write(answer{Error: &problem{Code: invalidRequest, Message: "a call with this id is not answered yet"}})
	default:
		s.call(ctx, m)
	}
}

// call answers a request.
func (s *server) call(ctx context.Context, m message) {
	if m.params == nil {
		s.write(answer{ID: m.id, Error: &problem{Code: invalidParams, Message: "params are no object"}})
		return
	}
	meta, era, wrong := s.metadata(m)
	if wrong == nil && m.method == "tools/call" {
		if wrong = s.start(ctx, m, meta, era); wrong == nil {
			return
		}
	}
	if wrong != nil {
		s.write(answer{ID: m.id, Error: wrong})
		return
	}
	result, wrong := s.respond(m, era)
	s.write(answer{ID: m.id, Result: result, Error: wrong})
}

// respond returns the result of a request that no tool answers.
func (s *server) respond(m message, e *era) (any, *problem) {
	switch {
	case m.method == "initialize" && e == nil:
		return s.initialize(m)
	case m.method == "ping" && e == nil:
		return struct{}{}, nil
	case m.method == "tools/list":
		return s.listTools(m, e)
	case m.method == "server/discover" && e != nil:
		return discovered{e, uncached(), versions(), capabilities{}, instructions}, nil
	case m.method == "subscriptions/listen" && e != nil:
		return s.listen(m, e)
	}
	return nil, &problem{Code: methodNotFound, Message: "this server does not know the method"}
}

const instructions = "Lessons from earlier sessions that a person approved, and a way to propose new ones."

// capabilities are tools that never change.
type capabilities struct {
	Tools struct{} `json:"tools"`
}

type initialized struct {
	Capabilities capabilities   `json:"capabilities"`
	Instructions string         `json:"instructions"`
	Version      string         `json:"protocolVersion"`
	Server       implementation `json:"serverInfo"`
}

func (s *server) initialize(m message) (any, *problem) {
	if s.open {
		return nil, &problem{Code: invalidRequest, Message: "the session is initialized already"}
	}
	version := ""
	if json.Unmarshal(m.params["protocolVersion"], &version) != nil {
		return nil, &problem{Code: invalidParams, Message: "protocolVersion is no string"}
	}
	if version == stateless || !slices.Contains(versions(), version) {
		version = latest
	}
	s.open = true
	return initialized{capabilities{}, instructions, version, s.self}, nil
}

// era is what results carry since the stateless version.
type era struct {
	ResultType string         `json:"resultType"`
	Meta       map[string]any `json:"_meta"`
}

const metaPrefix = "io.modelcontextprotocol/"

// metadata returns the metadata of a request, and what its result carries if it follows the
// stateless version. Other requests need a session.
func (s *server) metadata(m message) (meta map[string]any, e *era, wrong *problem) {
	if given, ok := m.params["_meta"]; ok && json.Unmarshal(given, &meta) != nil {
		return nil, nil, &problem{Code: invalidParams, Message: "_meta is no object"}
	}
	version, _ := meta[metaPrefix+"protocolVersion"].(string)
	if version < stateless {
		if needsSession := m.method == "tools/list" || m.method == "tools/call"; needsSession && !s.open {
			return nil, nil, &problem{Code: invalidRequest, Message: "the session is not initialized"}
		}
		return meta, nil, nil
	}
	if _, object := meta[metaPrefix+"clientCapabilities"].(map[string]any); !object {
		return nil, nil, &problem{Code: invalidParams, Message: "clientCapabilities in _meta are no object"}
	}
	client, named := meta[metaPrefix+"clientInfo"]
	if _, object := client.(map[string]any); named && !object {
		return nil, nil, &problem{Code: invalidParams, Message: "clientInfo in _meta is no object"}
	}
	if version != stateless {
		return nil, nil, unsupported(version)
	}
	s.open = true
	return meta, &era{"complete", map[string]any{metaPrefix + "serverInfo": s.self}}, nil
}

// unsupported returns the error about a version of the protocol. It repeats the version only if it
// is a date, as versions are.
func unsupported(version string) *problem {
	data := struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested"`
	}{Supported: versions()}
	if _, err := time.Parse(time.DateOnly, version); err == nil {
		data.Requested = version
	}
	return &problem{Code: unsupportedVersion, Message: "unsupported protocol version", Data: data}
}

// cache says that a result must not be kept.
type cache struct {
	TTL   int    `json:"ttlMs"`
	Scope string `json:"cacheScope"`
}

func uncached() cache { return cache{0, "public"} }

type discovered struct {
	*era
	cache
	Versions     []string     `json:"supportedVersions"`
	Capabilities capabilities `json:"capabilities"`
	Instructions string       `json:"instructions"`
}

type toolList struct {
	*era
	cache
	Tools []toolInfo `json:"tools"`
}

// listTools lists the tools. All are on the first page, so no cursor of a client is valid.
func (s *server) listTools(m message, e *era) (any, *problem) {
	cursor := ""
	if given, ok := m.params["cursor"]; ok && json.Unmarshal(given, &cursor) != nil || cursor != "" {
		return nil, &problem{Code: invalidParams, Message: "there is no such page"}
	}
	list := toolList{e, uncached(), nil}
	for _, t := range s.tools {
		list.Tools = append(list.Tools, t.info())
	}
	return list, nil
}

// listen accepts a subscription and ends it at once, since nothing here ever changes.
func (s *server) listen(m message, e *era) (any, *problem) {
	var wanted map[string]any
	if json.Unmarshal(m.params["notifications"], &wanted) != nil || wanted == nil {
		return nil, &problem{Code: invalidParams, Message: "notifications are no object"}
	}
	id := map[string]any{metaPrefix + "subscriptionId": m.id}
	s.write(notification{"2.0", "notifications/subscriptions/acknowledged", acknowledged{id, struct{}{}}})
	e.Meta[metaPrefix+"subscriptionId"] = m.id
	return e, nil
}

type acknowledged struct {
	Meta          map[string]any `json:"_meta"`
	Notifications struct{}       `json:"notifications"`
}

// start begins a call of a tool, as soon as there is room for it.
func (s *server) start(ctx context.Context, m message, meta map[string]any, e *era) *problem {
	name := ""
	if json.Unmarshal(m.params["name"], &name) != nil {
		return &problem{Code: invalidParams, Message: "the name of the tool is no string"}
	}
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.name == name })
	if i < 0 {
		return &problem{Code: invalidParams, Message: "there is no such tool"}
	}
	select {
	case s.room <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.busy[idKey(m.id)] = cancel
	s.mu.Unlock()
	go func() {
		text, err := s.tools[i].run(ctx, s.find.caller(meta), m.params["arguments"])
		s.done(ctx, m.id, called(e, text, err))
		cancel()
		<-s.room
	}()
	return nil
}

// done answers a call of a tool, unless the client has cancelled it.
func (s *server) done(ctx context.Context, id json.RawMessage, r result) {
	s.mu.Lock()
	delete(s.busy, idKey(id))
	s.mu.Unlock()
	if ctx.Err() == nil {
		s.write(answer{ID: id, Result: r})
	}
}

// cancel ends a call of a tool.
func (s *server) cancel(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.busy[idKey(m.params["requestId"])]; ok {
		cancel()
	}
}

func (s *server) isBusy(id json.RawMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, busy := s.busy[idKey(id)]
	return busy
}

// write writes a message. If that fails, nobody is left to answer, and the server ends.
func (s *server) write(message any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		s.end(fmt.Errorf("answer the agent: %w", err))
	}
}
