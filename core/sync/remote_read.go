package sync

import (
	"bufio"
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

// plainPath matches the paths that Winnow writes.
var plainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*(/[A-Za-z0-9_][A-Za-z0-9 ._@+~-]*)*$`)
})

const longestPath = 240

func isPlain(path string) bool { return len(path) <= longestPath && plainPath().MatchString(path) }

// files returns the objects of the files in a commit, by path, without those it refuses. It reads the
// listing file by file and stops at the limit: ten folders can list ten billion files.
func (s *remoteShare) files(
	ctx context.Context,
	commit string,
	limits readLimits,
	to fileReader,
) (objects map[string]string, err error) {
	p, err := s.git.Start(ctx, s.dir, false, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, explain(ctx, err)
	}
	objects = map[string]string{}
	names, all := map[string]int{}, 0 // names counts the paths that are equal in lower case
	err = p.Each(0, func(text []byte) error {
		if all++; all > limits.Files {
			return remoteProblem(
				codeTooLarge,
				"prune the share, or split it",
				"the share has more than %d files: nothing of it was read",
				limits.Files,
			)
		}
		meta, path, _ := strings.Cut(string(text), "\t")
		fields := strings.Fields(meta)
		if len(fields) != 3 { // mode, type, id
			return remoteProblem(codeFromGit, "", "git ls-tree printed what Winnow does not know: %q", text)
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

// read reads files, given as objects by path, and refuses those that are too large. If all fit, one
// run of git is enough, as it prints each size before the content. At the first that does not fit, read
// asks for the sizes of all files left, and then reads the small ones.
func (s *remoteShare) read(ctx context.Context, objects map[string]string, limits readLimits, to fileReader) error {
	left := slices.Sorted(maps.Keys(objects))
	var total int64
	read := func(path, kind string, size int64, r *bufio.Reader) error {
		if kind != "blob" || size > limits.Bytes {
			return errUnfit
		}
		if total += size; total > limits.Total {
			return remoteProblem(
				codeTooLarge,
				"prune the share, or split it",
				"the files of the share have more than %.4g MiB together: nothing of them was taken",
				mebibytes(limits.Total),
			)
		}
		text := make([]byte, size+1) // git adds a newline
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
			to.Refuse(path, fmt.Sprintf("larger than %.4g MiB: %.4g MiB", mebibytes(limits.Bytes), mebibytes(size)))
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

// errUnfit stops a run of git before it prints something too large, or something that is not a file.
var errUnfit = errors.New("not a file that is read")

// answers asks one git cat-file process for the objects of all paths, and calls fn for each answer.
func (s *remoteShare) answers(
	ctx context.Context,
	paths []string,
	objects map[string]string,
	batch string,
	fn func(path, kind string, size int64, r *bufio.Reader) error,
) error {
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

// talk runs git with an input while listen reads its output.
func (s *remoteShare) talk(
	ctx context.Context,
	input string,
	listen func(r *bufio.Reader) error,
	args ...string,
) error {
	p, err := s.git.Start(ctx, s.dir, true, args...)
	if err != nil {
		return explain(ctx, err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.WriteString(p.In, input) // if git ended early, Wait returns why
		_ = p.In.Close()
	}()
	err = listen(bufio.NewReaderSize(p.Out, 64<<10))
	switch {
	case err == nil:
		err = p.Wait()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		if why := p.Wait(); why != nil {
			err = why
		}
	default:
		p.Stop()
	}
	<-written
	return explain(ctx, err)
}

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }
