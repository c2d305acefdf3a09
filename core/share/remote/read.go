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

// Read reads files, given by path, unless they are too large.
func (s *Share) Read(ctx context.Context, objects map[string]string, limits Limits, to Reader) error {
	var small []string
	var total int64
	err := s.answers(ctx, slices.Sorted(maps.Keys(objects)), objects, "--batch-check", func(path, kind string, size int64, _ *bufio.Reader) error {
		switch { // git knows the size without reading
		case kind != "blob":
			to.Refuse(path, "without content")
		case size > limits.Bytes:
			to.Refuse(path, fmt.Sprintf("larger than %d bytes: %d", limits.Bytes, size))
		default:
			small = append(small, path)
			total += size
		}
		if total > limits.Total {
			return problem(TooLarge, "prune the share, or split it", "the files of the share have more than %d bytes together: nothing of them was read", limits.Total)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.answers(ctx, small, objects, "--batch", func(path, _ string, size int64, r *bufio.Reader) error {
		text := make([]byte, size+1) // a line end follows
		_, err := io.ReadFull(r, text)
		if err == nil {
			to.Add(path, text[:size:size])
		}
		return err
	})
}

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
