package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine is the longest message in bytes, far more than any tool accepts.
	maxLine = 1 << 20
	// mostBusy limits the calls answered at the same time. Later ones wait unread.
	mostBusy = 32
)

// transport reads and writes messages, one on each line. It answers an invalid message with an
// error and skips it, because the protocol library would end the server.
type transport struct {
	in  io.Reader
	out io.Writer
}

// Connect implements [mcp.Transport].
func (t transport) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{out: t.out, lines: make(chan []byte), done: make(chan struct{}), busy: map[jsonrpc.ID]bool{}}
	c.changed.L = &c.mu
	go c.read(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

type conn struct {
	lines chan []byte // nil stands for a line that was too long
	done  chan struct{}

	mu      sync.Mutex // guards the fields below
	changed sync.Cond  // a call was answered, or the connection closed
	out     io.Writer
	busy    map[jsonrpc.ID]bool // calls not answered yet
	closed  bool
}

// read passes on the lines of the input until it ends or the connection is closed. A blocked read
// of standard input ends at the latest with the process.
func (c *conn) read(in *bufio.Reader) {
	defer close(c.lines)
	for {
		line, long, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 || long {
			if long {
				line = nil
			}
			select {
			case c.lines <- line:
			case <-c.done:
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

// Read implements [mcp.Connection]. At the end of the input it waits until all calls are answered.
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	for c.wait(mostBusy - 1) {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.wait(0)
				return nil, io.EOF
			}
			msg, complaint := c.decode(line)
			if complaint == nil {
				return msg, nil
			}
			if err := c.write(complaint); err != nil {
				return nil, err
			}
		case <-c.done:
		}
	}
	return nil, io.EOF
}

// wait waits until at most `most` calls are unanswered, and reports whether the connection is still
// open.
func (c *conn) wait(most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.busy) > most && !c.closed {
		c.changed.Wait()
	}
	return !c.closed
}

// decode returns the message in a line, or the answer to an invalid one.
func (c *conn) decode(line []byte) (jsonrpc.Message, []byte) {
	if line == nil {
		return nil, complaint(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxLine))
	}
	if !json.Valid(line) {
		return nil, complaint(jsonrpc.CodeParseError, "the line is not JSON")
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, complaint(jsonrpc.CodeInvalidRequest, "the line is not one message of JSON-RPC 2.0")
	}
	call, ok := msg.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return msg, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy[call.ID] {
		return nil, complaint(jsonrpc.CodeInvalidRequest, "a call with this id is not answered yet")
	}
	c.busy[call.ID] = true
	return msg, nil
}

// complaint returns an error answer to something without an ID.
func complaint(code int, what string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, what)
}

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	err = c.write(line)
	if answer, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.busy, answer.ID)
		c.mu.Unlock()
		c.changed.Signal()
	}
	return err
}

func (c *conn) write(line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}

// Close implements [mcp.Connection].
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.done)
		c.changed.Signal()
	}
	return nil
}

// SessionID implements [mcp.Connection]. There is only one session.
func (c *conn) SessionID() string { return "" }
