package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// Sharing is what sync needs from the core.
type Sharing interface {
	// Shares returns the shares that this machine takes part in.
	Shares(ctx context.Context) ([]memory.Share, error)
	// StartShare creates a share for a store, or joins one.
	StartShare(ctx context.Context, o memory.ShareStart) (memory.Share, error)
	// LeaveShare forgets a share on this machine. Waits is called if it has to wait for a sync.
	LeaveShare(ctx context.Context, key string, waits func()) error
	// Sync synchronizes a store with its share.
	Sync(ctx context.Context, o memory.SyncOrder) (memory.Synced, error)
	// ShareLog returns the newest commits of a share, at most `most`, and whether there are more. Waits is
	// called if it has to wait for a sync.
	ShareLog(ctx context.Context, key string, most int, waits func()) ([]memory.ShareCommit, bool, error)
	// SyncsDue signals the end of each agent session, until ctx ends.
	SyncsDue(ctx context.Context) <-chan struct{}
}

// sharing is one call of sync, with its flags.
type sharing struct {
	change
	watch, rewritten      bool
	take, branch, machine string
}

const mostLogged = 50

func syncActs() []string { return []string{"init", "join", "leave", "status", "log"} }

func (p *program) sync() command {
	f, sides := sharing{change: p.changing()}, []string{"mine", "theirs", "both"}
	return command{
		use:   "sync [init|join|leave|status|log] [REMOTE]",
		short: "Share lessons with other machines through git",
		long: `Brings a store and its share together. A share is a git repository, or a branch of its own
in one, with a file for each lesson. Your own git reaches it, with your settings
and credentials; Winnow opens no connection itself.

init URL makes a share of the store that --store names, on a branch that is not there yet;
without URL it is the branch winnow/share in the origin of the repository around you. join
URL takes part in one. Neither sends a lesson: that does sync. leave forgets the share here,
and changes neither the store nor the share; it waits for a sync. status says how each share stands, and log what
was brought here last. REMOTE is the address of a share, or a part of it.

A sync fetches, merges lesson by lesson, audits what would leave, and pushes. Without REMOTE it
does so for all shares of this machine. It does not change the store. A lesson with a secret,
an injection or hidden text in it stays here and is named. One with personal data stays too,
until you say yes or give --yes.

What others send is not trusted: new lessons, edits and deletions wait in winnow inbox, by
person and machine. Rejecting a deletion keeps the lesson, and the next sync shares it again.
What you delete is deleted in the share; what an agent dropped is not. A lesson that was
changed on both sides waits: --take theirs ID takes the other text, mine keeps yours, both
keeps the other as a lesson of its own. ID is that of the lesson or of the entry, or the
beginning of one of them. How often a lesson was recalled is not shared.
docs/systems.md says which stores can be.

--watch syncs after each session of an agent that has our hook, at most once a minute. The
status is 6 when lessons stayed here because of the audit, 7 when some were changed on both
sides, and 1 when the share could not be reached: the store is then as it was. A remote that
says nothing for 60 seconds, or timeout under [share] in config.toml, counts as unreachable.`,
		examples: []string{
			"winnow sync init git@example.org:team/lessons.git",
			"winnow sync join git@example.org:team/lessons.git --store winnow",
			"winnow sync --dry-run", "winnow sync", "winnow sync --take theirs 7f3c", "winnow sync status --json",
		},
		offer: offerOf(syncActs()...),
		flags: []flag{
			{to: &f.dryRun, name: "dry-run", help: "print what would be sent and taken, and write nothing anywhere"},
			{
				to:   &f.yes,
				name: "yes",
				help: "send lessons with personal data too, and what others may have deleted long ago",
			},
			{
				to:    &f.take,
				name:  "take",
				help:  "decide about lessons that both sides changed: `WHOSE` is mine, theirs or both",
				offer: offerOf(sides...),
			},
			{to: &f.watch, name: "watch", help: "sync after each session of an agent, until interrupted"},
			{to: &f.rewritten, name: "rewritten", help: "go on although the history of the share was replaced"},
			{to: &f.branch, name: "branch", help: "with init and join: the branch `NAME`"},
			{to: &f.machine, name: "machine", help: "with init and join: call this machine `NAME` in the share"},
			p.jsonFlag(),
		},
		exclusive: [][]string{{"watch", "dry-run"}, {"watch", "take"}, {"watch", "json"}, {"take", "dry-run"}},
		check:     f.verify, run: f.run,
	}
}

// takes maps the values of --take to decisions.
var takes = map[string]memory.InboxAct{
	"mine":   memory.InboxReject,
	"theirs": memory.InboxApprove,
	"both":   memory.InboxBoth,
}

// act splits args into the action and its arguments. The action is empty for the sync itself.
func (f *sharing) act(args []string) (string, []string) {
	if len(args) > 0 && slices.Contains(syncActs(), args[0]) {
		return args[0], args[1:]
	}
	return "", args
}

// ofSync returns the first flag given that only the sync itself has, or "".
func (f *sharing) ofSync() string {
	switch {
	case f.dryRun:
		return "--dry-run"
	case f.watch:
		return "--watch"
	case f.rewritten:
		return "--rewritten"
	case f.yes:
		return "--yes"
	}
	return ""
}

// verify rejects arguments that do not fit together.
func (f *sharing) verify(args []string) error {
	act, rest := f.act(args)
	begins, looks := act == "init" || act == "join", act == "status" || act == "log"
	return refuse(
		refusal{
			f.take != "" && takes[f.take] == "",
			"give one of: mine, theirs, both",
			"sync: --take " + f.take + ": no such side",
		},
		refusal{
			f.take != "" && (act != "" || len(rest) == 0),
			"see the ids: winnow inbox",
			"sync: --take is for the ids of lessons that both sides changed",
		},
		refusal{
			f.take == "" && len(rest) > 1,
			"see winnow sync --help",
			fmt.Sprintf("sync: unexpected argument %q", append(rest, "", "")[1]),
		},
		refusal{act == "join" && len(rest) == 0, "give the address of its repository", "sync join: which share?"},
		refusal{
			!begins && f.branch+f.machine != "",
			"leave them out",
			"sync: --branch and --machine are for init and join",
		},
		refusal{
			act != "" && f.ofSync() != "",
			"leave it out",
			"sync " + act + ": " + f.ofSync() + " is for the sync itself",
		},
		refusal{
			f.readOnly && !looks && !f.dryRun,
			"leave out --readonly, or see what would be done with --dry-run",
			"sync: --readonly forbids it",
		},
	)
}

func (f *sharing) run(ctx context.Context, args []string) error {
	act, rest := f.act(args)
	switch act {
	case "init", "join":
		return f.start(ctx, act, append(rest, "")[0])
	case "leave", "log":
		list, err := f.named(ctx, rest)
		if err == nil && len(list) > 1 {
			err = usage("name one: winnow sync status lists them", "sync %s: which of %d shares?", act, len(list))
		}
		if err == nil && act == "log" {
			err = f.log(ctx, &list[0])
		} else if err == nil {
			err = f.leave(ctx, &list[0])
		}
		return err
	case "status":
		return f.status(ctx, rest)
	}
	if f.take != "" {
		return f.applyTake(ctx, rest)
	}
	if f.watch {
		return f.follow(ctx, rest)
	}
	return f.syncAll(ctx, rest)
}

// named returns the selected shares: that of the store in --store, that of the address in args, or
// all.
func (f *sharing) named(ctx context.Context, args []string) ([]memory.Share, error) {
	all, err := f.Sharing.Shares(ctx)
	if err != nil {
		return nil, during("sync", err)
	}
	if f.store != "" || f.system != "" {
		place, err := f.choose(ctx, choice{})
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(s memory.Share) bool { return s.Store != place.Store })
	}
	if len(args) > 0 {
		all = slices.DeleteFunc(
			all,
			func(s memory.Share) bool { return !strings.Contains(s.URL, args[0]) && s.Place != args[0] },
		)
	}
	if len(all) == 0 {
		return nil, failed(
			exitNotFound,
			"make one: winnow sync init URL; or take part in one: winnow sync join URL",
			"sync: no such share",
		)
	}
	return all, nil
}

// start creates a share or joins one.
func (f *sharing) start(ctx context.Context, act, url string) error {
	o := memory.ShareStart{
		URL:     url,
		Branch:  f.branch,
		Machine: f.machine,
		New:     act == "init",
		Ask:     f.canAsk(),
		Waits:   f.waits,
	}
	if f.store != "" || f.system != "" {
		place, err := f.choose(ctx, choice{writes: true})
		if err != nil {
			return err
		}
		o.Store = place.Store
	}
	s, err := f.Sharing.StartShare(ctx, o)
	if err != nil {
		return during("sync "+act, err)
	}
	if f.json {
		f.out.JSON(oneShareJSON{schemaVersion, f.share(&s)})
		return nil
	}
	f.out.Line("%s is shared through %s, branch %s. This machine is %s there.", s.Place, s.URL, s.Branch, s.Machine)
	f.out.Line("Nothing was sent yet: winnow sync --dry-run says what would be.")
	return nil
}

// waits says that another Winnow holds the share.
func (f *sharing) waits() {
	f.notef("Another winnow is syncing this share. Waiting until it is done; Ctrl-C stops waiting.")
}

func (f *sharing) leave(ctx context.Context, s *memory.Share) error {
	if err := f.Sharing.LeaveShare(ctx, s.Key, f.waits); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return during("sync leave", err)
	}
	if f.json {
		f.out.JSON(oneShareJSON{schemaVersion, f.share(s)})
		return nil
	}
	f.out.Line("Left %s. The %s stay in %s, and in the share.", s.URL, s.Noun.OrRecord().Many, s.Place)
	return nil
}

// status prints the state of shares.
func (f *sharing) status(ctx context.Context, args []string) error {
	all, err := f.named(ctx, args)
	if err != nil {
		return err
	}
	if f.json {
		f.out.JSON(sharesJSON{schemaVersion, output.Each(all, f.share)})
		return nil
	}
	for i := range all {
		s := &all[i]
		f.out.Line("%s", s.Place)
		last := "never"
		if !s.Synced.IsZero() {
			last = f.since(s.Synced)
		}
		failed := output.When(s.Failures > 0, s.Failed)
		if s.Failures > 1 {
			failed = fmt.Sprintf("%d times in a row: ", s.Failures) + failed
		}
		for _, fact := range [][2]string{
			{"share", s.URL + ", branch " + s.Branch}, {"machine", s.Machine}, {"synced", last},
			{"failed", failed},
			{"due", output.When(s.Due, "a session ended since: winnow sync")},
			{"inbox", output.When(s.Waiting > 0, s.Noun.Count(s.Waiting)+" of others: winnow inbox"+output.When(
				s.More > 0,
				fmt.Sprintf("; %d more come when some of these are decided", s.More),
			))},
			{"conflicts", output.When(s.Conflicts > 0, fmt.Sprintf(
				"%s changed on both sides: winnow sync --take mine|theirs|both ID",
				s.Noun.Count(s.Conflicts),
			))},
			{"stopped", output.When(
				s.Stopped > 0,
				s.Noun.Count(s.Stopped)+" stay here because of the audit: winnow sync --dry-run names them",
			)},
		} {
			if fact[1] != "" {
				f.out.Line("  %-10s%s", output.Safe(fact[0]), fact[1])
			}
		}
	}
	return nil
}

// log prints the newest commits of a share.
func (f *sharing) log(ctx context.Context, s *memory.Share) error {
	commits, more, err := f.Sharing.ShareLog(ctx, s.Key, mostLogged, f.waits)
	if err != nil {
		return during("sync log", err)
	}
	if f.json {
		f.out.JSON(shareLogJSON{
			Schema: schemaVersion,
			Share:  f.share(s),
			More:   more,
			Commits: output.Each(commits, func(c *memory.ShareCommit) shareCommitJSON {
				return shareCommitJSON{
					Commit:  f.out.Text(c.ID),
					At:      output.Instant(c.At),
					Person:  f.out.Text(c.Person),
					Machine: f.out.Text(c.Machine),
					Subject: f.out.Text(c.Subject),
					Files:   c.Files,
				}
			}),
		})
		return nil
	}
	for i := range commits {
		c := &commits[i]
		at := output.Safe(c.At.In(f.zone()).Format("2006-01-02 15:04"))
		f.out.Line(
			"%s  %s  %s: %s",
			at,
			c.ID[:min(len(c.ID), 10)],
			output.Joined(" on ", c.Person, c.Machine),
			c.Subject,
		)
	}
	if more {
		f.out.Line("There are more: see them with git.")
	}
	return nil
}

// applyTake applies --take, and then syncs.
func (f *sharing) applyTake(ctx context.Context, names []string) error {
	in, err := f.Inbox.Inbox(ctx)
	if err != nil {
		return during("sync", err)
	}
	in.Entries = slices.DeleteFunc(in.Entries, func(e memory.InboxEntry) bool { return !e.Both })
	o := memory.InboxOrder{Do: takes[f.take], Anyway: true}
	for _, name := range names {
		at, err := memory.Find(name, output.Each(in.Entries, entryNames))
		switch {
		case errors.Is(err, memory.ErrNotFound):
			return failed(
				exitNotFound,
				"see them: winnow inbox",
				"sync --take %s: nothing that both sides changed waits under this id",
				name,
			)
		case err != nil:
			return unclearName("sync --take", "give more of the id", err)
		}
		o.IDs = append(o.IDs, in.Entries[at].ID)
	}
	r, err := f.Inbox.Review(ctx, o)
	for _, why := range r.Refused {
		err = cmp.Or(err, why)
	}
	if err != nil {
		return during("sync", err)
	}
	f.notef("%s", r.What)
	return f.syncAll(ctx, nil)
}

// syncAll syncs the selected shares independently: a failure does not stop the others.
func (f *sharing) syncAll(ctx context.Context, args []string) error {
	list, err := f.named(ctx, args)
	if err != nil {
		return err
	}
	var worst *failure
	results := make([]syncedJSON, 0, len(list))
	for i := range list {
		y, err := f.syncOne(ctx, &list[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, f.synced(&y, err))
		if err == nil && !f.json {
			f.print(&y)
		}
		failure := f.verdict(&y, err)
		if failure != nil && len(list) > 1 && worst != nil {
			f.notef("winnow: %s", worst.Error())
		}
		if failure != nil && (worst == nil || failure.code == exitFailure) {
			worst = failure
		}
	}
	if f.json {
		f.out.JSON(syncsJSON{schemaVersion, f.dryRun, results})
	}
	if worst == nil {
		return nil
	}
	return worst
}

// syncOne syncs a share. If lessons contain personal data, it asks whether to send them.
func (f *sharing) syncOne(ctx context.Context, s *memory.Share) (memory.Synced, error) {
	o := memory.SyncOrder{Key: s.Key, Private: f.yes, Ask: f.canAsk(), Rewritten: f.rewritten, Waits: f.waits}
	if f.dryRun {
		dir, remove, err := f.scratch()
		if err != nil {
			return memory.Synced{Share: *s}, err
		}
		defer remove()
		o.Scratch = dir
	}
	y, err := f.Sharing.Sync(ctx, o)
	if err != nil || len(y.Private) == 0 || f.dryRun || f.watch || f.json || !f.canAsk() {
		return y, err
	}
	f.print(&y)
	if f.confirmed(ctx, fmt.Sprintf("Send %s too?", y.Share.Noun.Count(len(y.Private)))) != nil {
		y.In, y.Out, y.Notes = nil, nil, nil // already printed
		return y, ctx.Err()
	}
	o.Private = true
	return f.Sharing.Sync(ctx, o)
}

// verdict returns why the exit status of a sync is not 0, or nil.
func (f *sharing) verdict(y *memory.Synced, err error) *failure {
	switch {
	case err != nil:
		return during("sync "+y.Share.Place, err)
	case len(y.Stopped)+len(y.Private) > 0:
		hint := "take out what the audit found: winnow audit " + storeFlag(
			memory.Place{Store: y.Share.Store, Path: y.Share.Place},
		)
		if len(y.Stopped) == 0 {
			hint = "send those too that wait for you: winnow sync --yes"
		}
		return failed(
			exitRefused,
			hint,
			"sync %s: %s not sent because of what the audit found",
			y.Share.Place,
			y.Share.Noun.Count(len(y.Stopped)+len(y.Private)),
		)
	case y.Share.Conflicts > 0:
		return failed(
			exitConflict,
			"see them: winnow inbox; decide: winnow sync --take mine|theirs|both ID",
			"sync %s: %s changed on both sides",
			y.Share.Place,
			y.Share.Noun.Count(y.Share.Conflicts),
		)
	}
	return nil
}

// syncMarks are the marks before the changes of a sync.
var syncMarks = map[memory.ChangeKind]string{memory.Adding: "+", memory.Editing: "~", memory.Deleting: "-"}

// print prints what a sync did, or would do.
func (f *sharing) print(y *memory.Synced) {
	o := f.out
	list := func(heading string, lines []memory.SyncLine, mark string, inbox bool) {
		if len(lines) > 0 {
			o.Line("%s", heading)
		}
		for i := range lines {
			l := &lines[i]
			to := output.When(inbox, " -> inbox") + output.When(l.Both, ", changed on both sides")
			o.Line(
				"  %s %s  %s%s%s",
				cmp.Or(mark, syncMarks[l.Do]),
				l.ID,
				l.Title,
				output.When(l.From != "", "  ("+l.From+")")+to,
				output.When(l.Why != "", ": "+l.Why),
			)
		}
	}
	list(output.When(f.dryRun, "Would be sent:")+output.When(!f.dryRun, "Sent:"), y.Out, "", false)
	list(output.When(f.dryRun, "Would come:")+output.When(!f.dryRun, "Came:"), y.In, "", true)
	list("Not sent, as the audit finds what others must not get:", y.Stopped, "!", false)
	list("Not sent until you say so:", y.Private, "?", false)
	for _, n := range y.Notes {
		f.notef("%s", n)
	}
	if len(y.Out)+len(y.In)+len(y.Stopped)+len(y.Private) == 0 {
		o.Line("%s: nothing new.", y.Share.Place)
	}
	if y.Share.Waiting > 0 && !f.dryRun {
		o.Line("%s of others in the inbox: winnow inbox", y.Share.Noun.Count(y.Share.Waiting))
	}
}

// shareJSON is a store that is shared, and the state of its share.
type shareJSON struct {
	Store     text       `json:"store"`
	URL       text       `json:"url"`
	Branch    text       `json:"branch"`
	Machine   text       `json:"machine"`
	Joined    *time.Time `json:"joined"`
	Synced    *time.Time `json:"synced"`
	Tried     *time.Time `json:"tried"`
	Failed    text       `json:"failed"`
	Failures  int        `json:"failures"`
	Due       bool       `json:"due"`
	Waiting   int        `json:"waiting"`
	More      int        `json:"more"`
	Conflicts int        `json:"conflicts"`
	Stopped   int        `json:"stopped"`
}

type oneShareJSON struct {
	Schema int       `json:"schema"`
	Share  shareJSON `json:"share"`
}

type sharesJSON struct {
	Schema int         `json:"schema"`
	Shares []shareJSON `json:"shares"`
}

// shareLogJSON is the newest commits of a share.
type shareLogJSON struct {
	Schema  int               `json:"schema"`
	Share   shareJSON         `json:"share"`
	More    bool              `json:"more"`
	Commits []shareCommitJSON `json:"commits"`
}

type shareCommitJSON struct {
	Commit  text       `json:"commit"`
	At      *time.Time `json:"at"`
	Person  text       `json:"person"`
	Machine text       `json:"machine"`
	Subject text       `json:"subject"`
	Files   int        `json:"files"`
}

// syncsJSON is what was sent to shares and came from them.
type syncsJSON struct {
	Schema int          `json:"schema"`
	DryRun bool         `json:"dry_run"`
	Shares []syncedJSON `json:"shares"`
}

type syncedJSON struct {
	Share   shareJSON      `json:"share"`
	Sent    []syncLineJSON `json:"sent"`
	Came    []syncLineJSON `json:"came"`
	Stopped []syncLineJSON `json:"stopped"`
	Private []syncLineJSON `json:"private"`
	Notes   []text         `json:"notes"`
	Error   text           `json:"error"`
}

// syncLineJSON is a lesson that was sent or came, or was not.
type syncLineJSON struct {
	Do    string `json:"do"`
	ID    text   `json:"id"`
	Title text   `json:"title"`
	From  text   `json:"from"`
	Inbox bool   `json:"inbox"`
	Both  bool   `json:"both"`
	Why   text   `json:"why"`
}

func (f *sharing) share(s *memory.Share) shareJSON {
	o := f.out
	return shareJSON{
		Store:     text(s.Store),
		URL:       o.Text(s.URL),
		Branch:    o.Text(s.Branch),
		Machine:   text(s.Machine),
		Joined:    output.Instant(s.Joined),
		Synced:    output.Instant(s.Synced),
		Tried:     output.Instant(s.Tried),
		Failed:    o.Text(s.Failed),
		Failures:  s.Failures,
		Due:       s.Due,
		Waiting:   s.Waiting,
		More:      s.More,
		Conflicts: s.Conflicts,
		Stopped:   s.Stopped,
	}
}

func (f *sharing) synced(y *memory.Synced, err error) syncedJSON {
	o := f.out
	lines := func(list []memory.SyncLine, inbox bool) []syncLineJSON {
		return output.Each(list, func(l *memory.SyncLine) syncLineJSON {
			return syncLineJSON{
				Do:    l.Do.String(),
				ID:    o.Text(l.ID),
				Title: o.Text(l.Title),
				From:  o.Text(l.From),
				Inbox: inbox,
				Both:  l.Both,
				Why:   o.Text(l.Why),
			}
		})
	}
	j := syncedJSON{
		Share:   f.share(&y.Share),
		Sent:    lines(y.Out, false),
		Came:    lines(y.In, true),
		Stopped: lines(y.Stopped, false),
		Private: lines(y.Private, false),
		Notes:   o.Texts(y.Notes),
	}
	if err != nil {
		j.Error = o.Text(err.Error())
	}
	return j
}

// Intervals of --watch: the shortest time between two syncs, and the longest while the share cannot
// be reached.
const (
	leastBetween = time.Minute
	mostBetween  = time.Hour
)

// follow syncs once, and again after each agent session. After a failure it doubles the wait each
// time.
func (f *sharing) follow(ctx context.Context, args []string) error {
	due := f.Sharing.SyncsDue(ctx)
	for failures := 0; ; {
		err := f.syncAll(ctx, args)
		f.out.Flush()
		var fail *failure
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.As(err, &fail) && fail.code == exitNotFound {
			return err
		}
		if failures++; fail == nil || fail.code != exitFailure {
			failures = 0
		}
		f.report(err)
		if err := f.pause(ctx, min(leastBetween<<min(failures, 10), mostBetween)); err != nil {
			return err
		}
		if failures > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-due:
		}
	}
}

// pause waits for d, or until ctx ends.
func (f *sharing) pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
