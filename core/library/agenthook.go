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

// key names the record among all that a session was given.
func (c *candidate) key() string { return digest(string(c.store) + "\x00" + string(c.ID)) }

// digest returns a short name for a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// HookRecall returns the block that an agent's hook adds to what the person asks for: the approved
// lessons of the project and of the person that fit best. It is empty when none fits, and when the
// session has them already. Lessons that a session is given for the first time are counted. A
// store that cannot be read does not hide the others: the error then comes with a block.
func (l *Library) HookRecall(ctx context.Context, h memory.Hook) (string, error) {
	if h.Prompt == "" {
		return "", l.forgotten(ctx, h)
	}
	list, unread := l.candidates(ctx, h)
	if len(list) == 0 {
		return "", unread
	}
	if h.Session == "" || l.readOnly || l.state.Dir == "" { // nobody can tell what the session has
		block, _ := blockOf(list)
		return block, unread
	}
	unlock, err := atomicfile.Lock(ctx, l.givenPath()+".lock")
	if err != nil {
		return "", fmt.Errorf("note what the session is given: %w", err)
	}
	defer unlock()
	had, err := l.given(h.Session)
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

// candidates returns the records that fit best, the project's first among equals, and each
// text once.
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

// blockOf returns the block with the records, and how many of them it holds.
func blockOf(list []candidate) (string, int) {
	memories := make([]prompt.Memory, len(list))
	for i, c := range list {
		memories[i] = prompt.MemoryOf(c.Title, c.Outcome, c.Body)
	}
	text, _, n := prompt.Served(memories, memory.MostServedBytes)
	return text, n
}

// count counts one recall of each record that a session had not been given.
func (l *Library) count(ctx context.Context, list []candidate, had given) error {
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

// given are the records that a session was given, and whether it has them still: not those from before its
// context was made anew.
type given map[string]bool

const (
	mostGiven = 256 << 10 // bytes of the file that says which session was given what
	anew      = "again"   // in place of a record: the session's context was made anew
)

func (l *Library) givenPath() string {
	return filepath.Join(l.state.Dir, "learn", "given", "lessons")
}

func (l *Library) givenLine(session, what string) string {
	return digest(session) + " " + what + " " + strconv.FormatInt(l.now().Unix(), 10)
}

func (l *Library) given(session string) (given, error) {
	g := given{}
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

// forgotten notes that a session's context was made anew, if the hook says so: lessons that it was
// given before are not in it any more.
func (l *Library) forgotten(ctx context.Context, h memory.Hook) error {
	fresh := slices.Contains([]string{"compact", "resume", "clear"}, h.Source) || h.Event == "PreCompact" || h.Event == "PreCompress"
	if !fresh || h.Session == "" || l.readOnly || l.state.Dir == "" {
		return nil
	}
	had, err := l.given(h.Session)
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

// The log of what went wrong in hooks.
const (
	mostHookLog  = 1 << 20
	mostHookLine = 500
	hookLogWait  = 200 * time.Millisecond
	hookDays     = 7 // so far doctor looks back
)

func (l *Library) hookLog() string { return filepath.Join(l.state.Dir, "agent-hook.log") }

// NoteHook adds what went wrong in a hook to its log. Nobody can be told where that fails.
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

// HookHealth says what went wrong in hooks in the last days.
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

// HookLearn puts a session that its agent says is over into the queue of those to be learnt from.
// The end of a turn is not the end of a session: one that is idle waits until it is silent.
func (l *Library) HookLearn(ctx context.Context, h memory.Hook) error {
	if h.Event != "SessionEnd" && h.Event != "session.idle" {
		return nil
	}
	agent := h.Agent
	if agent == "" {
		agent = l.agentOf(ctx, h)
	}
	if h.Session == "" || agent == "" {
		return errors.New("which session, and of which agent?")
	}
	head := session.Head{System: agent, ID: h.Session, Path: h.Transcript, Folder: h.Folder, Changed: l.now()}
	if h.Event == "SessionEnd" {
		head.Over = head.Changed
	}
	return errors.Join(l.Enqueue(ctx, head), l.syncDue(ctx))
}

// agentOf returns the system of a session that its hook does not name: the one after whose folder in
// the home folder the session's file lies, or else the one that has the session.
func (l *Library) agentOf(ctx context.Context, h memory.Hook) memory.SystemID {
	for _, name := range strings.Split(filepath.ToSlash(h.Transcript), "/") {
		name, hidden := strings.CutPrefix(name, ".")
		for i := range l.systems {
			if k := &l.systems[i]; hidden && name != "" && k.Sessions != nil && strings.HasPrefix(string(k.ID), name) {
				return k.ID
			}
		}
	}
	heads, _ := l.heads(ctx, h.Folder, "") // what cannot be read has no such session
	for _, head := range heads {
		if head.ID == h.Session {
			return head.System
		}
	}
	return ""
}
