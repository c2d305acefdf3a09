package system

import (
	"context"
	"sync"
)

// remembered holds what was computed for one question to several systems.
type remembered struct {
	mu     sync.Mutex
	values map[any]any
}

type rememberedKey struct{}

// Remember returns a context in which [Once] computes each value only once. It is for a question that is
// put to several systems at one moment, such as what they read below a folder.
//
// A context that remembers already is returned as it is.
func Remember(ctx context.Context) context.Context {
	if _, ok := ctx.Value(rememberedKey{}).(*remembered); ok {
		return ctx
	}
	return context.WithValue(ctx, rememberedKey{}, &remembered{values: map[any]any{}})
}

// Once returns what compute returned for the key before, in a context of [Remember]; in another context,
// and the first time, it computes it.
func Once[T any](ctx context.Context, key any, compute func() T) T {
	r, ok := ctx.Value(rememberedKey{}).(*remembered)
	if !ok {
		return compute()
	}
	r.mu.Lock()
	value, known := r.values[key].(func() T)
	if !known {
		value = sync.OnceValue(compute)
		r.values[key] = value
	}
	r.mu.Unlock()
	return value() // without the lock: it may ask for what another key has
}
