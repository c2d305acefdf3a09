package remote

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// plainPath are the names of files that are written.
var plainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*(/[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*)*$`)
})

const longestPath = 240

func isPlain(path string) bool { return len(path) <= longestPath && plainPath().MatchString(path) }

// Files returns the objects of the files of a commit by path, but those that it refuses. A folder is listed file by file:
// ten folders can have ten billion files, which git would hold in memory.
func (s *Share) Files(ctx context.Context, commit string, limits Limits, to Reader) (objects map[string]string, err error) {
	p, err := s.git.Start(ctx, s.dir, false, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, explain(ctx, err)
	}
	objects = map[string]string{}
	names, all := map[string]int{}, 0 // how many names are the same but for capital letters
	err = p.Each(0, func(text []byte) error {
		if all++; all > limits.Files {
			return problem(TooLarge, "prune the share, or split it", "the share has more than %d files: nothing of it was read", limits.Files)
		}
		meta, path, _ := strings.Cut(string(text), "\t")
		fields := strings.Fields(meta)
		if len(fields) != 3 { // mode, type, id
			return problem(FromGit, "", "git ls-tree printed what Winnow does not know: %q", text)
		}
		names[strings.ToLower(path)]++
		switch {
		case !limits.Name(path):
		case fields[0] == "120000":
			to.Refuse(path, "a symbolic link")
		case !strings.HasPrefix(fields[0], "100"):
			to.Refuse(path, "another repository (a submodule)")
		default:
			objects[path] = fields[2]
		}
		return nil
	})
	for path := range objects {
		if names[strings.ToLower(path)] > 1 {
			delete(objects, path)
			to.Refuse(path, "another file has the same name but for capital letters")
		}
	}
	return objects, explain(ctx, err)
}

// Diff calls fn for each file in which a commit differs from another, with its objects at both; empty for none. It is false where git
// cannot tell, or a change is more than that of a file.
func (s *Share) Diff(ctx context.Context, old, commit string, limits Limits, fn func(path, was, is string)) (plain bool, err error) {
	p, err := s.git.Start(ctx, s.dir, false, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none", old, commit, "--")
	if err != nil {
		return false, explain(ctx, err)
	}
	var fields []string
	n := 0
	err = p.Each(0, func(text []byte) error {
		if len(fields) == 0 {
			if fields = strings.Fields(string(text)); len(fields) != 5 { // modes, objects, what was done
				return errUnfit
			}
			return nil
		}
		path, mode := string(text), fields[1]
		if n++; n > limits.Files || strings.Trim(mode, "0") != "" && !strings.HasPrefix(mode, "100") {
			return errUnfit
		}
		if limits.Name(path) {
			fn(path, object(fields[2]), object(fields[3]))
		}
		fields = nil
		return nil
	})
	return err == nil, ctx.Err()
}

// object returns the object that git names, and nothing for none.
func object(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}

// Read reads files, given by path, unless they are too large. Git tells a size before a content, and one run of it is enough
// where all are small: the sizes of what follows a file that is too large are asked for first.
func (s *Share) Read(ctx context.Context, objects map[string]string, limits Limits, to Reader) error {
	left := slices.Sorted(maps.Keys(objects))
	var total int64
	read := func(path, kind string, size int64, r *bufio.Reader) error {
		if kind != "blob" || size > limits.Bytes {
			return errUnfit
		}
		if total += size; total > limits.Total {
			return problem(TooLarge, "prune the share, or split it", "the files of the share have more than %d bytes together: nothing of them was taken", limits.Total)
		}
		text := make([]byte, size+1) // a line end follows
		_, err := io.ReadFull(r, text)
		if err == nil {
			to.Add(path, text[:size:size])
			left = left[1:]
		}
		return err
	}
	err := s.answers(ctx, left, objects, "--batch", read)
	if !errors.Is(err, errUnfit) {
		return err
	}
	var small []string
	err = s.answers(ctx, left, objects, "--batch-check", func(path, kind string, size int64, _ *bufio.Reader) error {
		switch {
		case kind != "blob":
			to.Refuse(path, "without content")
		case size > limits.Bytes:
			to.Refuse(path, fmt.Sprintf("larger than %d bytes: %d", limits.Bytes, size))
		default:
			small = append(small, path)
		}
		return nil
	})
	if left = small; err != nil {
		return err
	}
	return s.answers(ctx, small, objects, "--batch", read)
}

// errUnfit ends a git that would print what is too large, or no file.
var errUnfit = errors.New("not a file that is read")

// answers asks one git cat-file for the objects of all paths, and calls fn for each answer.
func (s *Share) answers(ctx context.Context, paths []string, objects map[string]string, batch string, fn func(path, kind string, size int64, r *bufio.Reader) error) error {
	if len(paths) == 0 {
		return nil
	}
	var ask strings.Builder
	for _, path := range paths {
		ask.WriteString(objects[path] + "\n")
	}
	return s.talk(ctx, ask.String(), func(r *bufio.Reader) error {
		for _, path := range paths {
			var kind string
			var size int64
			line, err := r.ReadString('\n')
			if err != nil {
				return err
			}
			if _, err = fmt.Sscan(strings.TrimPrefix(line, objects[path]+" "), &kind, &size); err != nil {
				kind = "" // missing
			}
			if err = fn(path, kind, size, r); err != nil {
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
