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
func Remember(ctx context.Context) context.Context {
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
	defer r.mu.Unlock()
	if known, ok := r.values[key].(T); ok {
		return known
	}
	value := compute()
	r.values[key] = value
	return value
}
