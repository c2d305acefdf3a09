// Package all lists every memory system that the program knows.
package all

import (
	"slices"
	"time"

	"winnow/core/system"
	"winnow/core/systems/arbiter"
	"winnow/core/systems/claudecode"
	"winnow/core/systems/codex"
	"winnow/core/systems/gemini"
	"winnow/core/systems/goose"
	"winnow/core/systems/handbook"
	"winnow/core/systems/instructions"
	"winnow/core/systems/karnevil9"
	"winnow/core/systems/kimchi"
	"winnow/core/systems/mcpmemory"
	"winnow/core/systems/opencode"
	"winnow/core/systems/qwen"
	"winnow/core/systems/rulefiles"
	"winnow/core/systems/serena"
	"winnow/core/systems/winnow"
)

// Systems returns every system, in the order in which they are asked about a path. The first one
// accepts any file that a person names and no other system recognizes. now returns the time at
// which an agent is assumed to load a store.
func Systems(now func() time.Time) []system.System { return On(system.ThisMachine(), now) }

// On returns the systems for a machine.
func On(machine system.Env, now func() time.Time) []system.System {
	return slices.Concat(
		[]system.System{karnevil9.System(now), claudecode.System(machine, now), opencode.System(machine, now)},
		kimchi.Systems(now),
		[]system.System{
			arbiter.System(now),
			handbook.System(now),
			winnow.System(now),
			codex.System(machine, now),
			gemini.System(machine, now),
			qwen.System(machine, now),
			goose.System(machine, now),
			serena.System(machine, now),
			mcpmemory.System(now),
			rulefiles.System(machine, now),
		},
	)
}

// Forms returns the file forms of all systems, including systems whose stores cannot be opened. The
// first form that matches a file wins.
func Forms() []system.Form {
	return slices.Concat(
		winnow.Forms(),
		karnevil9.Forms(),
		kimchi.Forms(),
		handbook.Forms(),
		claudecode.Forms(),
		codex.Forms(),
		gemini.Forms(),
		qwen.Forms(),
		goose.Forms(),
		serena.Forms(),
		mcpmemory.Forms(),
		opencode.Forms(),
		arbiter.Forms(),
		rulefiles.Forms(),
		instructions.Forms(),
	)
}
