//go:build !race

package e2e

// raced says that the race detector is at work.
const raced = false
