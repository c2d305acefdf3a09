package arbiter

import "winnow/core/memory"

// Checks returns what can be said of a text without a store.
func Checks() []memory.Check { return nil }
