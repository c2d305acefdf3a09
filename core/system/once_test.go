package system

import "testing"

// TestOnceComputesOnceAndMayAskForAnotherKey also asks in a context made of one that remembers already.
func TestOnceComputesOnceAndMayAskForAnotherKey(t *testing.T) {
	computed := 0
	inner := func() int {
		computed++
		return computed
	}
	ctx := Remember(t.Context())
	for range 2 {
		got := Once(ctx, "outer", func() int { return 10 + Once(ctx, "inner", inner) })
		if again := Once(Remember(ctx), "inner", inner); got != 11 || again != 1 {
			t.Errorf("outer %d, inner %d; want 11 and 1", got, again)
		}
	}
	if Once(t.Context(), "inner", inner) != 2 || Once(t.Context(), "inner", inner) != 3 {
		t.Error("a context that does not remember did")
	}
}
