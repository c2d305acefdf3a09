package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

// unknownStart says why it is unknown what a session received at its start.
const unknownStart = "OpenCode does not record what stood in the system prompt. Only files that came with a read are on record."

// lastReceived returns what the last session in a folder received, as far as a database shows. It returns
// nil if there was no session.
func (m machine) lastReceived(
	ctx context.Context, q instructions.Question, _ []memory.Block,
) (g *memory.LastSession, notes []string, err error) {
	if q.Dir == "" {
		return nil, nil, ctx.Err()
	}
	var last *session
	for _, path := range m.databases() {
		l, err := lastSession(ctx, path, q.Dir)
		if err != nil {
			notes = append(notes, fmt.Sprintf(
				"What the last session received is not known: %s was not read. %v", filepath.Base(path), err,
			))
		}
		if l != nil && (last == nil || l.updated > last.updated) {
			last = l
		}
	}
	if last == nil {
		return nil, notes, ctx.Err()
	}
	g = &memory.LastSession{
		Session: last.id, At: moment(last.updated).Time, Source: "the database of sessions", Unknown: unknownStart,
		Running: last.outcome == unsettled && len(m.running()) > 0,
	}
	seen := map[string]bool{}
	for _, c := range last.calls {
		at := strings.LastIndex(c.output, reminderBegin+heading)
		if at < 0 || seen[c.output[at:]] {
			continue
		}
		seen[c.output[at:]] = true
		g.Blocks = append(g.Blocks, annotate.Block(toolResult, "end of the read of "+c.target, c.output[at:]))
		for _, path := range c.loaded {
			g.Differs = append(g.Differs, differences(path, c.output[at:])...)
		}
	}
	if v := last.version; v != "" && !strings.HasPrefix(v, "1.18.") {
		notes = append(
			notes, fmt.Sprintf("The last session here was of version %s, whose order Winnow does not know.", v),
		)
	}
	return g, notes, ctx.Err()
}

// differences compares the text of a file that a session received with the file as it is now.
func differences(path, block string) []memory.Difference {
	_, was, found := strings.Cut(block, heading+path+"\n")
	if !found {
		return nil
	}
	now := filestore.Read(path, instructions.MostFile)
	text := jstext.DecodeString(now.Text)
	if text != "" && strings.HasPrefix(was, text) {
		rest := was[len(text):]
		if rest == reminderEnd || strings.HasPrefix(rest, "\n\n"+heading) {
			return nil
		}
	}
	was, _, _ = strings.Cut(was, "\n\n"+heading)
	was = strings.TrimSuffix(was, reminderEnd)
	return []memory.Difference{{Name: "nested instructions", Path: path, Was: was, Now: text}}
}

// maxLook is how long reading the database may take: recall works without it.
const maxLook = 2 * time.Second

// lastSession returns the last session in a folder, with the reads that brought instructions, or nil
// if there was none.
func lastSession(ctx context.Context, path, dir string) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, maxLook)
	defer cancel()
	p, err := pageOf(ctx, path, func(db *sql.DB, p *page) error {
		if len(p.sessions) == 0 {
			return nil
		}
		return p.sessions[0].read(ctx, db)
	}, "WHERE directory = ? ORDER BY time_updated DESC LIMIT 1", dir)
	if err != nil || len(p.sessions) == 0 {
		return nil, err
	}
	return &p.sessions[0], nil
}
