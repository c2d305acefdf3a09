package remote

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// plainPath are the names of files that are written, and read unless Limits.Name says otherwise.
var plainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*(/[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*)*$`)
})

const longestPath = 240

func isPlain(path string) bool { return len(path) <= longestPath && plainPath().MatchString(path) }

// defaults fills in what a caller left open.
func (l Limits) defaults() Limits {
	l.Files = cmp.Or(l.Files, 100_000)
	l.Bytes = cmp.Or(l.Bytes, 4<<20)
	l.Total = cmp.Or(l.Total, 64<<20)
	if l.Name == nil {
		l.Name = func(path string) (bool, string) {
			if isPlain(path) {
				return true, ""
			}
			return false, "no name of a file in a share"
		}
	}
	return l
}

// entry is a file of a commit.
type entry struct{ path, mode, id string }

// Changed returns what differs between two commits. Old may be empty: then it is all that new has. Both are listed,
// which git does file by file: a comparison by git would hold ten billion files in memory, which ten
// folders can have.
func (s *Share) Changed(ctx context.Context, old, new string, limits Limits) (*Changes, error) {
	limits = limits.defaults()
	now, twins, err := s.list(ctx, limits.Files, new)
	var before []entry
	var oldTwins map[string]int
	if err == nil && old != "" {
		before, oldTwins, err = s.list(ctx, limits.Files, old)
	}
	if err != nil {
		return nil, err
	}
	was := make(map[string]entry, len(before))
	for _, e := range before {
		was[e.path] = e
	}
	c := &Changes{Files: map[string][]byte{}}
	var wanted []entry
	for _, e := range now {
		lone := twins[strings.ToLower(e.path)] == 1
		same := was[e.path] == e && lone == (oldTwins[strings.ToLower(e.path)] == 1)
		delete(was, e.path)
		if same {
			continue
		}
		take, why := limits.Name(e.path)
		switch {
		case !take:
		case !lone:
			why = "another file has the same name but for capital letters"
		case e.mode == "120000":
			why = "a symbolic link"
		case !strings.HasPrefix(e.mode, "100"):
			why = "another repository (a submodule)"
		default:
			wanted = append(wanted, e)
		}
		if why != "" {
			c.Refused = append(c.Refused, Refused{e.path, why})
		}
	}
	for path := range was {
		if take, _ := limits.Name(path); take {
			c.Deleted = append(c.Deleted, path)
		}
	}
	slices.Sort(c.Deleted)
	if wanted, err = s.smallEnough(ctx, wanted, limits, c); err == nil {
		err = s.contents(ctx, wanted, c.Files)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// list returns the files of a commit, at most so many, and how many names are the same but for capital letters.
func (s *Share) list(ctx context.Context, most int, commit string) (entries []entry, same map[string]int, err error) {
	p, err := s.git.Start(ctx, s.dir, false, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, nil, explain(ctx, err)
	}
	same = map[string]int{}
	err = p.Each(0, func(text []byte) error {
		if len(entries) == most {
			return problem(TooLarge, "prune the share, or split it", "the share has more than %d files: nothing of it was read", most)
		}
		meta, path, _ := strings.Cut(string(text), "\t")
		fields := strings.Fields(meta)
		if len(fields) != 3 { // mode, type, id
			return problem(FromGit, "", "git ls-tree printed what Winnow does not know: %q", text)
		}
		entries = append(entries, entry{path: path, mode: fields[0], id: fields[2]})
		same[strings.ToLower(path)]++
		return nil
	})
	return entries, same, explain(ctx, err)
}

// smallEnough returns the entries that may be read, by the sizes that git knows without reading.
func (s *Share) smallEnough(ctx context.Context, entries []entry, limits Limits, c *Changes) (small []entry, err error) {
	var total int64
	err = s.answers(ctx, entries, "--batch-check", func(e entry, kind string, size int64, _ *bufio.Reader) error {
		if kind != "blob" {
			c.Refused = append(c.Refused, Refused{e.path, "without content"})
		} else if size > limits.Bytes {
			c.Refused = append(c.Refused, Refused{e.path, fmt.Sprintf("larger than %d bytes: %d", limits.Bytes, size)})
		} else if total += size; total > limits.Total {
			return problem(TooLarge, "prune the share, or split it", "the files of the share have more than %d bytes together: nothing of them was read", limits.Total)
		} else {
			small = append(small, e)
		}
		return nil
	})
	return small, err
}

// contents reads the entries.
func (s *Share) contents(ctx context.Context, entries []entry, to map[string][]byte) error {
	return s.answers(ctx, entries, "--batch", func(e entry, kind string, size int64, r *bufio.Reader) error {
		text := make([]byte, size+1) // a line end follows
		_, err := io.ReadFull(r, text)
		to[e.path] = text[:size:size]
		return err
	})
}

// answers asks one git cat-file for all entries, and calls fn for each answer.
func (s *Share) answers(ctx context.Context, entries []entry, batch string, fn func(e entry, kind string, size int64, r *bufio.Reader) error) error {
	if len(entries) == 0 {
		return nil
	}
	var ask strings.Builder
	for _, e := range entries {
		ask.WriteString(e.id + "\n")
	}
	return s.talk(ctx, ask.String(), func(r *bufio.Reader) error {
		for _, e := range entries {
			var kind string
			var size int64
			line, err := r.ReadString('\n')
			if err != nil {
				return err
			}
			if _, err = fmt.Sscan(strings.TrimPrefix(line, e.id+" "), &kind, &size); err != nil {
				kind = "" // missing
			}
			if err = fn(e, kind, size, r); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", batch, "--buffer")
}

// talk runs git with an input while listen reads what it prints.
func (s *Share) talk(ctx context.Context, input string, listen func(r *bufio.Reader) error, args ...string) error {
	p, err := s.git.Start(ctx, s.dir, true, args...)
	if err != nil {
		return explain(ctx, err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.WriteString(p.In, input) // a git that ended early says why
		_ = p.In.Close()
	}()
	err = listen(bufio.NewReaderSize(p.Out, 64<<10))
	switch {
	case err == nil:
		err = p.Wait()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		err = cmp.Or(p.Wait(), err)
	default:
		p.Stop()
	}
	<-written
	return explain(ctx, err)
}
