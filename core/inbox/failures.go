package inbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"winnow/core/charset"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sessions"
)

// Failures returns what failed in the sessions of the project around the working folder. Sessions that another session
// started are left out. It changes nothing but what Winnow keeps of sessions that it read.
func (b *Reviewer) Failures(ctx context.Context, o memory.FailureOrder) (memory.Failures, error) {
	root := sessions.ProjectRoot(b.env.Dir)
	out, err := b.sessions.FailuresIn(ctx, root, o)
	if err == nil {
		out.List = b.toldBySources(ctx, root, out.List)
		err = ctx.Err()
	}
	return out, err
}

// toldBySources marks the failures of which a source of the project says already what worked.
func (b *Reviewer) toldBySources(ctx context.Context, root string, fs []memory.Failure) []memory.Failure {
	if !slices.ContainsFunc(fs, func(f memory.Failure) bool { return f.Worked != "" && f.Left == "" }) {
		return fs
	}
	b.eachSource(ctx, root, func(path, text string) {
		for j := range fs {
			if fs[j].Told == nil && fs[j].Left == "" {
				fs[j].Told = learn.ToldBy(&fs[j], b.lib.Short(path), text)
			}
		}
	})
	return fs
}

// eachSource calls fn with the text of each source of a project.
func (b *Reviewer) eachSource(ctx context.Context, root string, fn func(path, text string)) {
	seen := map[string]bool{}
	for _, a := range b.lib.Sources(ctx, root, false) {
		for i := range a.List {
			s := &a.List[i]
			if seen[s.Path] || s.Problem != nil || s.Encoding == "binary" {
				continue
			}
			seen[s.Path] = true
			data, _, err := quietread.ReadFile(s.Path, mostSource)
			if err != nil {
				continue // the Home screen says so
			}
			fn(s.Path, charset.Decode(string(data)).String)
		}
	}
}

// LearnFailure makes a proposal of the failure with that id, or a prefix of it, and puts it into the inbox.
func (b *Reviewer) LearnFailure(ctx context.Context, id string, since time.Time) (memory.InboxEntry, error) {
	fs, err := b.Failures(ctx, memory.FailureOrder{Since: since, All: true})
	if err != nil {
		return memory.InboxEntry{}, err
	}
	names := make([]memory.Named, len(fs.List))
	for i := range fs.List {
		names[i] = memory.Named{ID: fs.List[i].ID}
	}
	at, err := memory.Find(id, names)
	if err != nil {
		return memory.InboxEntry{}, fmt.Errorf("find failure %s: %w", id, err)
	}
	f := &fs.List[at]
	place := &f.Places[0]
	for i := range f.Places {
		if f.Places[i].How == f.How {
			place = &f.Places[i]
			break
		}
	}
	s, err := b.sessions.Session(ctx, string(place.Agent)+":"+place.Session)
	if err != nil {
		return memory.InboxEntry{}, err
	}
	t := learn.TraceOf(&s)
	p := learn.LessonOf(f, &t, place, b.now())
	p.Origin.Door = memory.DoorPerson
	added, err := b.addProposals(ctx, p)
	if err != nil {
		return memory.InboxEntry{}, err
	}
	if why := added[0].Why; why != "" {
		return memory.InboxEntry{}, &memory.Problem{
			Code: "not-proposed", What: "no lesson was made of failure " + f.ID + ": " + why,
			Hint: "see what waits: winnow inbox",
		}
	}
	return entryOf(&p, added[0].ID), nil
}

// mostSource is how many bytes of a source are searched for what a failure would teach.
const mostSource = 1 << 20
