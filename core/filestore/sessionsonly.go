package filestore

import (
	"context"
	"fmt"
	"os"

	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// SessionsOnly completes a system of which only the sessions can be read, which are in dir. Its stores
// are neither found nor opened.
func SessionsOnly(s system.System, dir func(system.Env) string) system.System {
	s.Find = func(_ context.Context, env system.Env) (survey memory.Survey) {
		note := "only sessions, which are no store"
		if _, err := os.Lstat(dir(env)); err != nil {
			note = quietread.Reason(err)
		}
		survey.Look(dir(env), 0, note)
		return survey
	}
	s.Open = func(string) (system.Store, error) {
		return nil, &memory.Problem{
			Code: "sessions-only", What: fmt.Sprintf("Stores of %s cannot be opened yet; its sessions can be read.", s.Name), Hint: "winnow session list",
		}
	}
	s.Abilities = []system.Ability{{
		Store: "sessions", Learn: "from its sessions",
		Note: fmt.Sprintf("Only the sessions of %s can be read yet, with winnow session; its stores cannot be opened.", s.Name),
	}}
	return s
}
