// Package all lists every memory system that the program knows.
package all

import (
	"time"

	"winnow/core/system"
	"winnow/core/systems/karnevil9"
)

// Kinds returns the systems, in the order in which they are asked. now tells
// the time at which an agent is thought to load a store.
func Kinds(now func() time.Time) []system.Kind {
	return []system.Kind{karnevil9.Kind(now)}
}
