package quietread_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"winnow/core/quietread"
)

// stuck answers like a disk that hangs: its reads never return.
type stuck struct{ reached chan struct{} }

func (s stuck) Read([]byte) (int, error) {
	close(s.reached)
	select {}
}

func TestUntilReadsWhatThereIs(t *testing.T) {
	want := strings.Repeat("line\n", 50_000)
	got, err := io.ReadAll(quietread.Until(t.Context(), strings.NewReader(want)))
	if string(got) != want || err != nil {
		t.Errorf("read %d bytes, %v; want %d", len(got), err, len(want))
	}
}

func TestUntilLeavesAReadThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := stuck{make(chan struct{})}
	go func() {
		<-s.reached
		cancel()
	}()
	r := quietread.Until(ctx, io.MultiReader(strings.NewReader("first\n"), s))
	got, err := io.ReadAll(r)
	if string(got) != "first\n" || !errors.Is(err, context.Canceled) {
		t.Errorf("read %q, %v; want what came before, and the error of the context", got, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("a later read gave %d, %v", n, err)
	}
}
