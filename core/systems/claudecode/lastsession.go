package claudecode

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/systems/claudecode/transcript"
)

// received is what a session received, according to its transcript.
type received struct {
	file transcript.File
	in   transcript.Injection
}

// lastReceived returns what the last session received, and how that differs from what a session would
// receive now. It returns nil if there was no session.
func (r *reading) lastReceived(ctx context.Context, now *memory.Block) (*memory.LastSession, error) {
	f, ok := r.s.lastOf(transcript.List(r.folders...))
	if !ok {
		return nil, nil
	}
	out := &memory.LastSession{Session: f.Session, At: f.ModTime, Source: "its transcript"}
	for _, run := range r.s.running() {
		out.Running = out.Running || run.Session == f.Session
	}
	in, err := r.s.readReceived(ctx, f)
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		out.Unknown = "The transcript cannot be read. " + p.What
		return out, nil
	} else if err != nil {
		return nil, err
	}
	out.Unknown = in.Unknown
	if !in.Began.IsZero() {
		out.At = in.Began
	}
	held := in.Received()
	for _, how := range [...]transcript.How{transcript.Instructions, transcript.Nested, transcript.Recalled} {
		if b, ok := r.recordedBlock(how, held); ok {
			out.Blocks = append(out.Blocks, b)
		}
	}
	out.Differs = r.differences(out, now, held)
	return out, nil
}

// readReceived reads what a session received, unless it was read before.
func (s *store) readReceived(ctx context.Context, f transcript.File) (transcript.Injection, error) {
	if known := s.injection.Load(); known != nil && known.file == f {
		return known.in, nil
	}
	in, err := transcript.Injected(ctx, f.Path)
	if err == nil {
		s.injection.Store(&received{f, in})
	}
	return in, err
}

var howNames = map[transcript.How][2]string{
	transcript.Instructions: {"first user message", "instructions, as recorded"},
	transcript.Nested:       {"messages with files that were read", "rules and nested instructions, as recorded"},
	transcript.Recalled:     {"messages of the person", "recalled memories, as recorded"},
}

// recordedBlock joins the recorded texts of one kind. The frame around them is not recorded.
func (r *reading) recordedBlock(how transcript.How, held []transcript.Piece) (memory.Block, bool) {
	var text strings.Builder
	var parts []memory.Part
	for _, p := range held {
		if p.How != how {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n\n")
		}
		start := text.Len()
		text.WriteString(jstext.Trim(p.Content))
		part := memory.Part{Name: cmp.Or(p.Type, "memory"), Path: filepath.Clean(p.Path), Start: start, End: text.Len()}
		if p.Differs {
			part.Note = "Claude Code noted that it is not as in the file"
		}
		if how != transcript.Instructions && !r.mayOpen(p.Path) {
			part.Note = "not compared with the file: no session is given it from there"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return memory.Block{}, false
	}
	names := howNames[how]
	return annotate.Block(names[0], names[1], text.String(), parts...), true
}

// differences compares what a session received with the files as they are now.
func (r *reading) differences(got *memory.LastSession, now *memory.Block, held []transcript.Piece) []memory.Difference {
	current := memory.Block{Text: now.Text, Parts: slices.Clone(now.Parts)}
	for i := range current.Parts {
		current.Parts[i].ID = ""
	}
	var stands []memory.Block
	if slices.ContainsFunc(
		got.Blocks,
		func(b memory.Block) bool { return b.Name == howNames[transcript.Instructions][1] },
	) {
		stands = append(stands, current)
	}
	for _, p := range held {
		if p.How == transcript.Instructions {
			continue
		}
		if text, there := r.currentText(p); there {
			stands = append(
				stands,
				memory.Block{
					Text: text,
					Parts: []memory.Part{
						{Name: cmp.Or(p.Type, "memory"), Path: filepath.Clean(p.Path), End: len(text)},
					},
				},
			)
		}
	}
	return compare.Differences(got.Blocks, stands)
}

// currentText returns what a session would receive now of a file that a transcript names, or false
// if the file is gone. For a file that may not be opened, it returns what the session received.
func (r *reading) currentText(p transcript.Piece) (string, bool) {
	same := jstext.Trim(p.Content)
	if !r.mayOpen(p.Path) {
		return same, true
	}
	f := filestore.Read(filepath.Clean(p.Path), maxTopic)
	switch {
	case f.Missing():
		return "", false
	case f.Problem != nil || f.Cut:
		return same, true
	}
	text := jstext.WellFormed(f.Text)
	if p.How == transcript.Nested {
		text = content(text)
	}
	return jstext.Trim(text), true
}

// mayOpen reports whether a file that a transcript names may be opened: Markdown in the project, in a
// memory folder, in the configuration or in the administrator's folder. Anybody could have written
// the transcript, so no other file is opened. Links are resolved first.
func (r *reading) mayOpen(path string) bool {
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) || !strings.HasSuffix(path, ".md") {
		return false
	}
	bases := []string{r.s.m.config, r.s.m.managed, r.s.root}
	for _, sh := range r.memoryFolders {
		bases = append(bases, sh.dir)
	}
	in := func(path string, base func(string) string) bool {
		return slices.ContainsFunc(
			bases,
			func(dir string) bool { return dir != "" && filestore.Within(base(dir), path) },
		)
	}
	if !in(path, func(dir string) string { return dir }) {
		return r.chain.byPath[path] != nil // instructions above the project
	}
	led, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true // there is nothing to open
	}
	return err == nil && strings.HasSuffix(led, ".md") && in(led, filestore.Real)
}
