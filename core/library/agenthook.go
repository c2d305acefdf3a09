package library

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/session"
	"winnow/core/system"
)

// candidate is a record that a hook may give an agent.
type candidate struct {
	system.Served
	store memory.StoreID
}

// key identifies the record among those that a session was given.
func (c *candidate) key() string { return digest(string(c.store) + "\x00" + string(c.ID)) }

// digest returns a short hash of a text, as 16 hex digits.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// HookRecall returns the block that an agent's hook adds to a prompt: the approved lessons of the project
// and of the person that fit it best. The block is empty if none fits, or if the session has them
// already. A lesson's recall is counted when a session is first given it. If a store cannot be read, an
// error is returned together with the block from the others.
func (l *Library) HookRecall(ctx context.Context, h memory.Hook) (string, error) {
	if h.Prompt == "" {
		return "", l.recordRebuild(ctx, h)
	}
	list, unread := l.candidates(ctx, h)
	if len(list) == 0 {
		return "", unread
	}
	if h.Session == "" || l.readOnly || l.state.Dir == "" { // no record of what the session has
		block, _ := blockOf(list)
		return block, unread
	}
	unlock, err := atomicfile.Lock(ctx, l.givenPath()+".lock")
	if err != nil {
		return "", fmt.Errorf("note what the session is given: %w", err)
	}
	defer unlock()
	had, err := l.givenTo(h.Session)
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return had[c.key()] })
	block, n := blockOf(list)
	list = list[:n]
	if err := l.count(ctx, list, had); err != nil {
		return "", err
	}
	var lines []string
	for i := range list {
		lines = append(lines, l.givenLine(h.Session, list[i].key()))
	}
	if err := atomicfile.AppendBounded(atomicfile.OS(), l.givenPath(), mostGiven, false, lines...); err != nil {
		return "", err
	}
	return block, unread
}

// candidates returns the records that fit best, each text once. Among equals, those of the project come
// first.
func (l *Library) candidates(ctx context.Context, h memory.Hook) (list []candidate, unread error) {
	env := l.env
	if filepath.IsAbs(h.Folder) {
		env.Dir = filepath.Clean(h.Folder)
	}
	for i := range l.systems {
		if l.systems[i].Serves == nil {
			continue
		}
		for _, p := range l.systems[i].Serves(env) {
			s, err := l.store(p.Store)
			if a, ok := s.(system.Approving); err == nil && ok {
				var served []system.Served
				served, err = a.Served(ctx, h.Prompt)
				for _, r := range served {
					same := func(c candidate) bool { return c.Title == r.Title && c.Body == r.Body }
					if !slices.ContainsFunc(list, same) {
						list = append(list, candidate{r, p.Store})
					}
				}
			}
			unread = errors.Join(unread, err)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.Score, a.Score) })
	return list[:min(len(list), memory.MostServed)], unread
}

// blockOf returns the block with as many of the records as fit, and their number.
func blockOf(list []candidate) (string, int) {
	memories := make([]prompt.Memory, len(list))
	for i, c := range list {
		memories[i] = prompt.MemoryOf(c.Title, c.Outcome, c.Body)
	}
	text, _, n := prompt.Served(memories, memory.MostServedBytes)
	return text, n
}

// count counts one recall of each record that the session was never given before.
func (l *Library) count(ctx context.Context, list []candidate, had givenRecords) error {
	given := map[memory.StoreID][]system.Served{}
	for i := range list {
		c := &list[i]
		if _, counted := had[c.key()]; !counted {
			given[c.store] = append(given[c.store], c.Served)
		}
	}
	for store, records := range given {
		c, err := l.curator(store)
		if err == nil {
			err = c.Count(ctx, records)
		}
		if err != nil {
			return fmt.Errorf("count the recall: %w", err)
		}
	}
	return nil
}

// givenRecords holds the records that a session was given. The value is false for those from before the session
// rebuilt its context, which no longer has them.
type givenRecords map[string]bool

const (
	mostGiven = 256 << 10 // size limit in bytes of the file that says which session was given what
	anew      = "again"   // stands in a line for a record's key when the session rebuilt its context
)

func (l *Library) givenPath() string {
	return filepath.Join(l.state.Dir, "learn", "given", "lessons")
}

func (l *Library) givenLine(session, what string) string {
	return digest(session) + " " + what + " " + strconv.FormatInt(l.now().Unix(), 10)
}

func (l *Library) givenTo(session string) (givenRecords, error) {
	g := givenRecords{}
	file, err := atomicfile.Look(atomicfile.OS(), l.givenPath())
	if err != nil {
		return g, err
	}
	name := digest(session)
	for line := range bytes.Lines(file.Data) {
		f := strings.Fields(string(line))
		switch {
		case len(f) != 3 || f[0] != name:
		case f[1] == anew:
			for key := range g {
				g[key] = false
			}
		default:
			g[f[1]] = true
		}
	}
	return g, nil
}

// recordRebuild records that a session rebuilt its context, if the hook says so. The context then no longer
// has the lessons given before.
func (l *Library) recordRebuild(ctx context.Context, h memory.Hook) error {
	fresh := slices.Contains([]string{"compact", "resume", "clear"}, h.Source) || h.Event == "PreCompact" || h.Event == "PreCompress"
	if !fresh || h.Session == "" || l.readOnly || l.state.Dir == "" {
		return nil
	}
	had, err := l.givenTo(h.Session)
	if err != nil || !slices.Contains(slices.Collect(maps.Values(had)), true) {
		return err
	}
	unlock, err := atomicfile.Lock(ctx, l.givenPath()+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	return atomicfile.AppendBounded(atomicfile.OS(), l.givenPath(), mostGiven, false, l.givenLine(h.Session, anew))
}

// The limits of the log of hook errors.
const (
	mostHookLog  = 1 << 20 // bytes of the log
	mostHookLine = 500     // bytes of a message
	hookLogWait  = 200 * time.Millisecond
	hookDays     = 7 // how many days doctor looks back
)

func (l *Library) hookLog() string { return filepath.Join(l.state.Dir, "agent-hook.log") }

// NoteHook adds an error in a hook to the log. If that fails, there is nobody to tell.
func (l *Library) NoteHook(ctx context.Context, what string, cause error) {
	if l.state.Dir == "" || l.readOnly {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hookLogWait)
	defer cancel()
	unlock, err := atomicfile.Lock(ctx, l.hookLog()+".lock")
	if err != nil {
		return
	}
	defer unlock()
	text := strings.Trim(strconv.QuoteToASCII(detect.Redact(what+": "+cause.Error())), `"`)
	line := l.now().UTC().Format(time.RFC3339) + " " + text[:min(len(text), mostHookLine)]
	_ = atomicfile.AppendBounded(atomicfile.OS(), l.hookLog(), mostHookLog, false, line)
}

// HookHealth reports the hooks that failed in the last seven days.
func (l *Library) HookHealth() []memory.Health {
	if l.state.Dir == "" {
		return nil
	}
	file, err := atomicfile.Look(atomicfile.OS(), l.hookLog())
	n, last := 0, ""
	for line := range bytes.Lines(file.Data) {
		when, what, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if at, err := time.Parse(time.RFC3339, when); err == nil && l.now().Sub(at) < hookDays*24*time.Hour {
			n++
			last = at.In(l.now().Location()).Format("2006-01-02 15:04") + ": " + what
		}
	}
	next := "its log is " + l.short(l.hookLog())
	return system.Report("",
		system.When(err != nil, "agent-hook", memory.Warn, 1, fmt.Sprint("the log of agent hooks cannot be read: ", err), next),
		system.When(n > 0, "agent-hook", memory.Warn, n, fmt.Sprintf("agent hooks that failed in the last %d days: %d; the last one on %s", hookDays, n, last), next))
}

// HookLearn puts a session that ended or is idle into the queue of sessions to learn from. An idle session
// may just have ended a turn, so it stays in the queue until it is silent.
func (l *Library) HookLearn(ctx context.Context, h memory.Hook) error {
	if h.Event != "SessionEnd" && h.Event != "session.idle" {
		return nil
	}
	agent := h.Agent
	if agent == "" {
		agent = l.agentOf(ctx, h)
	}
	if h.Session == "" || agent == "" {
		return errors.New("the hook names no session, or no agent")
	}
	head := session.Head{System: agent, ID: h.Session, Path: h.Transcript, Folder: h.Folder, Changed: l.now()}
	if h.Event == "SessionEnd" {
		head.Over = head.Changed
	}
	return errors.Join(l.Enqueue(ctx, head), l.syncDue(ctx))
}

// agentOf returns the system of a session if the hook does not name it. It recognizes the system by a
// folder in the transcript's path, such as .codex, or else looks for the session among those of all
// systems.
func (l *Library) agentOf(ctx context.Context, h memory.Hook) memory.SystemID {
	for _, name := range strings.Split(filepath.ToSlash(h.Transcript), "/") {
		name, hidden := strings.CutPrefix(name, ".")
		for i := range l.systems {
			if k := &l.systems[i]; hidden && name != "" && k.Sessions != nil && strings.HasPrefix(string(k.ID), name) {
				return k.ID
			}
		}
	}
	heads, _ := l.heads(ctx, h.Folder, "") // a system that cannot be read counts as not having it
	for _, head := range heads {
		if head.ID == h.Session {
			return head.System
		}
	}
	return ""
}
