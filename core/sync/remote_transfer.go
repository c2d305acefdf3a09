package sync

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"winnow/core/git"
)

// lookAtRemote returns the tips of the repository's branches by name, and the name of its main branch. An empty
// repository has neither.
//
// Ask and silence are as in [remotePlace].
func lookAtRemote(
	ctx context.Context,
	url string,
	ask bool,
	silence time.Duration,
) (tips map[string]string, head string, err error) {
	if url, err = addressOf(url, nil); err != nil {
		return nil, "", err
	}
	g, err := findGit(ask)
	if err != nil {
		return nil, "", err
	}
	far := g.EndingSilence(silence)
	address, _, err := addresses(ctx, g, os.DevNull, url)
	if err != nil {
		return nil, "", err
	}
	serve, err := serving(ctx, address, "upload-pack")
	if err != nil {
		return nil, "", err
	}
	args := append([]string{"ls-remote", "--symref"}, serve...)
	p, err := far.Start(ctx, os.DevNull, false, append(args, "--", url, "HEAD", "refs/heads/*")...)
	if err != nil {
		return nil, "", explain(ctx, err)
	}
	tips = map[string]string{}
	err = p.Each('\n', func(line []byte) error {
		what, ref, _ := strings.Cut(string(line), "\t")
		name, isBranch := strings.CutPrefix(ref, "refs/heads/")
		switch to, isLink := strings.CutPrefix(what, "ref: refs/heads/"); {
		case isLink && ref == "HEAD":
			head = to
		case isBranch && len(tips) < mostBranches:
			tips[name] = what
		}
		return nil
	})
	return tips, head, explain(ctx, err)
}

// mostBranches is how many branches of a remote lookAtRemote returns.
const mostBranches = 10_000

// fetchChecked fetches the branch and returns its tip. If the tip does not descend from the last one seen,
// it returns the problem codeRewound or codeReplaced, unless a person allowed that with rewritten. If the
// branch is missing, it returns the problem codeNoBranch.
//
// Base is the commit from which to merge the tip. That is the last one seen, or, if the branch was
// rewritten, the newest that both histories have, or "". So what a rewritten branch lacks does not look
// deleted.
func (s *remoteShare) fetchChecked(ctx context.Context, rewritten bool) (tip, base string, err error) {
	for range mostFetches {
		if tip, err = s.fetchOnce(ctx); err == nil || !strings.Contains(err.Error(), "cannot lock ref '"+fetchedRef) {
			break
		}
	}
	if err != nil || s.seen == "" || tip == s.seen {
		return tip, s.seen, err
	}
	out, err := s.git.Run(ctx, s.dir, "merge-base", s.seen, tip)
	if f := (*git.Failure)(nil); err != nil && (!errors.As(err, &f) || f.Status != 1) {
		return "", "", explain(ctx, err)
	}
	switch base = strings.TrimSpace(string(out)); {
	case base == s.seen || rewritten:
		return tip, base, nil
	case base == tip:
		return "", "", remoteProblem(
			codeRewound,
			"ask who did it; what you have here stays. To go on from there: winnow sync --rewritten",
			"the branch %s was set back to an older commit, %.12s: what came after it up to %.12s is no longer there",
			s.place.Branch,
			tip,
			s.seen,
		)
	}
	return "", "", remoteProblem(
		codeReplaced,
		"ask who did it; what you have here stays. To go on from there: winnow sync --rewritten",
		"the history of the branch %s was replaced: its tip %.12s does not follow %.12s, which was seen here",
		s.place.Branch,
		tip,
		s.seen,
	)
}

// mostFetches is how often fetchChecked tries when the ref is locked. A git left behind by a killed Winnow may
// still be fetching.
const mostFetches = 3

// fetchOnce fetches the branch once and returns its tip.
func (s *remoteShare) fetchOnce(ctx context.Context) (tip string, err error) {
	serve, err := serving(ctx, s.fetchURL, "upload-pack")
	if err != nil {
		return "", err
	}
	if err := s.remember(); err != nil {
		return "", err
	}
	args := append(
		[]string{"fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-show-forced-updates"},
		serve...)
	p, err := s.far.Start(
		ctx,
		s.dir,
		false,
		append(args, "--", s.place.URL, "+refs/heads/"+s.place.Branch+":"+fetchedRef)...)
	if err == nil {
		err = p.Each('\n', func([]byte) error { return nil })
	}
	if err == nil && strings.Contains(p.Said(), "warning: rejected "+fetchedRef) {
		return "", remoteProblem(
			codeShallow,
			"share a whole clone of it",
			"the remote has only a part of its history (a shallow clone)",
		)
	}
	if err = explain(ctx, err); err != nil {
		return "", err
	}
	return s.ref(fetchedRef)
}

// accept records that tip was merged or pushed here. tipSeen returns it from now on.
func (s *remoteShare) accept(ctx context.Context, tip string) error {
	if tip == s.seen {
		return nil
	}
	_, err := s.run(ctx, "update-ref", "--no-deref", seenRef, tip)
	if err == nil {
		s.seen, s.before = tip, nil
	}
	return err
}

// push pushes a commit if the branch's tip is still the expected one; "" expects no branch. If it is
// not, push returns errOvertaken.
func (s *remoteShare) push(ctx context.Context, commit, expected string) error {
	ref := "refs/heads/" + s.place.Branch
	serve, err := serving(ctx, s.pushURL, "receive-pack")
	if err != nil {
		return err
	}
	args := []string{"push", "--porcelain", "--no-verify", "--progress", "--force-with-lease=" + ref + ":" + expected}
	if len(serve) > 0 {
		// the folder's settings would name the program that checks a signature
		args = append(args, "--no-signed", serve[0])
	}
	out, err := s.far.Run(ctx, s.dir, append(args, "--", s.place.URL, commit+":"+ref)...)
	if err == nil || ctx.Err() != nil {
		return explain(ctx, err)
	}
	for line := range bytes.Lines(out) {
		why, rejected := strings.CutPrefix(string(line), "!\t")
		if !rejected {
			continue
		}
		if i := strings.IndexByte(why, '\t'); i >= 0 {
			why = strings.TrimSpace(why[i+1:])
		}
		for _, sign := range overtaken {
			if strings.Contains(why, sign) {
				return errOvertaken
			}
		}
		return remoteProblem(
			codeDeclined,
			"ask who runs the remote: the branch may be protected",
			"the remote does not take the commit: %s",
			withoutCredentials(why),
		)
	}
	return explain(ctx, err)
}

// overtaken are git's messages for a branch whose tip is not the expected one.
var overtaken = []string{
	"stale info",
	"fetch first",
	"non-fast-forward",
	"already exists",
	"cannot lock ref",
	"failed to update ref",
	"incorrect old value",
}

// addresses returns the addresses that git uses to fetch from url and to push to it: the user's settings
// url.BASE.insteadOf and pushInsteadOf may put another in its place.
func addresses(ctx context.Context, g git.Git, dir, url string) (fetch, push string, err error) {
	out, err := g.Run(ctx, dir, "config", "-z", "--get-regexp", `^url\..*\.(push)?insteadof$`)
	if f := (*git.Failure)(nil); errors.As(err, &f) && f.Status == 1 {
		return url, url, nil // none is set
	}
	if err != nil {
		return "", "", explain(ctx, err)
	}
	var longest struct{ fetch, push string }
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, prefix, _ := strings.Cut(string(entry), "\n")
		base := strings.TrimPrefix(key, "url.")
		end := max(strings.LastIndexByte(base, '.'), 0)
		rest, fits := strings.CutPrefix(url, prefix)
		switch {
		case !fits:
		case base[end:] == ".insteadof" && len(prefix) > len(longest.fetch):
			fetch, longest.fetch = base[:end]+rest, prefix
		case base[end:] == ".pushinsteadof" && len(prefix) > len(longest.push):
			push, longest.push = base[:end]+rest, prefix
		}
	}
	fetch = cmp.Or(fetch, url)
	return fetch, cmp.Or(push, fetch), nil
}
