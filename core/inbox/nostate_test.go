package inbox

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/librarytest"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// TestWithoutAFolderForItNothingIsKept: where there is no home folder everything about the inbox says so, and the
// working folder is not taken for it.
func TestWithoutAFolderForItNothingIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := t.TempDir()
	for _, name := range []string{"proposals", "decisions", "key", "queue/x.json"} {
		librarytest.Put(t, name, "not ours")
	}
	env := system.Env{Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	l := New(library.New(all.Systems(time.Now), env, time.Now, start, library.State{Rand: rand.Reader}))
	ctx := t.Context()
	_, inbox := l.Inbox(ctx)
	_, review := l.Review(ctx, memory.InboxOrder{Do: memory.InboxUndo})
	_, propose := l.addProposals(ctx, learn.Proposal{Title: "a", Outcome: "failed", Body: "b"})
	_, learnt := l.Learn(ctx, memory.LearnOrder{Queue: true})
	_, pending := l.Pending()
	for name, err := range map[string]error{
		"inbox": inbox, "review": review, "propose": propose, "learn": learnt, "pending": pending,
		"forget": l.Forget(ctx), "enqueue": l.enqueue(ctx, session.Head{System: "karnevil9", ID: "s"}),
	} {
		if p := (*memory.Problem)(nil); !errors.As(err, &p) || p.Code != "no-state" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
