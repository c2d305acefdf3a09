package library

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/system"
)

// manyNotes is a library with so many stores of n notes each; the word of note i of store s is "s<s>n<i>".
func manyNotes(t *testing.T, stores, n int) (*Library, []memory.StoreID) {
	t.Helper()
	dir, l := threeSystems(t)
	var ids []memory.StoreID
	for s := range stores {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "s%dn%d ", s, i)
		}
		folder := filepath.Join(dir, fmt.Sprint("d", s))
		put(t, filepath.Join(folder, "notes"), text.String())
		ids = append(ids, memory.At("red", folder))
	}
	return l, ids
}

func TestSearchLosesAndDoublesNoHit(t *testing.T) {
	const stores, notes = 23, 700 // a store comes in several parts
	l, ids := manyNotes(t, stores, notes)
	got, read, has, ended := map[memory.StoreID][]string{}, 0, 0, map[memory.StoreID]int{}
	failed, err := l.Search(t.Context(), ids, filter.Parse("n !n9"), func(p memory.SearchPart) error {
		for i := range p.Records {
			if got[p.Store] = append(got[p.Store], p.Records[i].Title); p.Records[i].Raw != "" {
				t.Error("the stored form is kept")
			}
		}
		if ended[p.Store] > 0 {
			t.Errorf("%s goes on after its last part", p.Store)
		}
		if p.Last {
			ended[p.Store]++
		}
		read, has = read+p.Read, has+p.Has[1]
		return nil
	})
	if err != nil || failed != nil || read != stores*notes || len(ended) != stores || has != stores*11 {
		t.Errorf(
			"%d of %d records read, %d have n9, %d stores ended, %v, %v",
			read,
			stores*notes,
			has,
			len(ended),
			failed,
			err,
		)
	}
	for s, id := range ids {
		var want []string
		for i := range notes {
			if !strings.HasPrefix(fmt.Sprint(i), "9") {
				want = append(want, fmt.Sprintf("s%dn%d", s, i))
			}
		}
		if !slices.Equal(got[id], want) {
			t.Errorf("store %d: %d hits, want %d in the order of the store", s, len(got[id]), len(want))
		}
	}
}

// blockedStore is a store whose listing does not go on before it is let.
type blockedStore struct {
	notes
	let <-chan struct{}
}

func (s blockedStore) List(ctx context.Context, fn func(memory.Record) error) error {
	select {
	case <-s.let:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.notes.List(ctx, fn)
}

// withBlockedStore is a library in which the first store is stuck until let is closed.
func withBlockedStore(t *testing.T, let <-chan struct{}) (*Library, []memory.StoreID) {
	t.Helper()
	plain, ids := manyNotes(t, 30, 3)
	k := noteKind("red")
	k.Open = func(path string) (system.Store, error) {
		if n := (notes{"red", path}); path == ids[0].Path() {
			return blockedStore{n, let}, nil
		} else {
			return n, nil
		}
	}
	return New([]system.System{k}, plain.env, plain.now, plain.start, plain.state), ids
}

func TestASlowStoreHoldsUpNoOther(t *testing.T) {
	let := make(chan struct{})
	l, ids := withBlockedStore(t, let)
	ended := 0
	_, err := l.Search(t.Context(), ids, filter.Parse("n1"), func(p memory.SearchPart) error {
		if ended++; ended == len(ids)-1 { // all others are through
			close(let)
		}
		if p.Store == ids[0] && ended != len(ids) {
			t.Errorf("the stuck store came as number %d", ended)
		}
		return nil
	})
	if err != nil || ended != len(ids) {
		t.Errorf("%d of %d stores, %v", ended, len(ids), err)
	}
}

func TestASearchThatIsGivenUpEndsAtOnce(t *testing.T) {
	l, ids := withBlockedStore(t, nil)
	enough, calls := errors.New("enough"), 0
	_, err := l.Search(t.Context(), ids, filter.Parse("n1"), func(memory.SearchPart) error { calls++; return enough })
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("%d calls, %v, want the error of the first", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = l.Search(ctx, ids, filter.Parse("n1"), func(memory.SearchPart) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
}

func TestStoresThatASearchCannotReadAreNamedInTheirOrder(t *testing.T) {
	l, ids := manyNotes(t, 6, 1)
	missing := func(name string) memory.StoreID { return memory.At("red", filepath.Join(ids[0].Path(), name, "\x00")) }
	ids = slices.Concat([]memory.StoreID{missing("b")}, ids, []memory.StoreID{missing("a")})
	hits := 0
	failed, err := l.Search(
		t.Context(),
		ids,
		filter.Parse("n0"),
		func(p memory.SearchPart) error { hits += len(p.Records); return nil },
	)
	if err != nil || hits != 6 || len(failed) != 2 || !strings.Contains(failed[0].Path, "/b/") ||
		failed[1].Problem == nil {
		t.Errorf("%d hits, failed %+v, %v", hits, failed, err)
	}
	if failed, err := l.Search(t.Context(), nil, nil, nil); failed != nil || err != nil {
		t.Errorf("of no stores: %v, %v", failed, err)
	}
}

func TestASearchInWhichAReadPanicsFails(t *testing.T) {
	kind := system.System{Open: func(string) (system.Store, error) { return broken{}, nil }}
	catch := func(f func()) {
		go func() {
			defer func() { _ = recover() }()
			f()
		}()
	}
	l := New([]system.System{kind}, system.Env{}, time.Now, catch, State{})
	if _, err := l.Search(t.Context(), []memory.StoreID{"x", "y"}, filter.Parse("a"), func(memory.SearchPart) error { return nil }); !errors.Is(
		err,
		errPanicked,
	) {
		t.Errorf("%v, want that it panicked", err)
	}
}
