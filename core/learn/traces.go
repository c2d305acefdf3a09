package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/statefile"
)

const (
	// TracesName is the file of traces in the folder of the quarantine. tracesForm must be raised when its content
	// changes, or how sessions are read.
	TracesName = "traces"
	tracesForm = "6"
	mostTraces = 64 << 20 // bytes; then the older half is dropped
)

// Traces keeps the traces of sessions that were read, so that each is read once. It is safe for use by several
// processes.
type Traces struct{ dir string }

// OpenTraces returns the traces in the folder of the quarantine. The folder is created when something is first kept.
func OpenTraces(dir string) *Traces { return &Traces{dir: dir} }

func (k *Traces) file() statefile.File {
	return statefile.File{Path: filepath.Join(k.dir, TracesName), Most: mostTraces + mostTraces/2}
}

// TraceKey returns the name under which the trace of a session is kept: another one as soon as its file changes.
func TraceKey(h *session.Head) string {
	return fmt.Sprintf("%016x", uint64(SumOf(fmt.Sprint(
		tracesForm, "\x00", h.System, "\x00", h.ID, "\x00", h.Path, "\x00",
		h.Changed.UnixNano(), "\x00", h.Size, "\x00", h.Over.UnixNano(),
	))))
}

// Load returns the traces that are kept, by [TraceKey], as they are written: see [keptTrace]. It returns none if they
// cannot be read.
func (k *Traces) Load() map[string]KeptTrace {
	all := map[string]KeptTrace{}
	if k.dir == "" || memory.NoPlace(k.dir, "the inbox") != nil {
		return all
	}
	data, err := k.file().Read()
	if err != nil {
		return all
	}
	for line := range bytes.Lines(data) {
		key, rest, is := bytes.Cut(bytes.TrimSpace(line), []byte{' '})
		if is && len(rest) > 0 {
			all[string(key)] = rest
		}
	}
	return all
}

// KeptTrace is a trace as it is written.
type KeptTrace []byte

// Trace returns the trace, or false if it cannot be decoded.
func (k KeptTrace) Trace() (t Trace, ok bool) {
	return t, json.Unmarshal(k, &t) == nil
}

// Keep adds traces by their keys. They may be lost in a crash: then the sessions are read again.
func (k *Traces) Keep(ctx context.Context, traces map[string]*Trace) error {
	if len(traces) == 0 || k.dir == "" {
		return nil
	}
	unlock, err := hold(ctx, k.dir, k.file(), statefile.ForLook)
	if err != nil {
		return err
	}
	defer unlock()
	var lines []string
	for key, t := range traces {
		data, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("keep what was read of session %s: %w", t.ID, err)
		}
		lines = append(lines, key+" "+string(data))
	}
	slices.Sort(lines)
	if err := k.file().Append(mostTraces, false, lines...); err != nil {
		return fmt.Errorf("keep what was read of sessions: %w", err)
	}
	return nil
}
