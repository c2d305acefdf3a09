package serve_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"winnow/core/librarytest"
	"winnow/core/serve"
)

func TestSettingsAndTheirNoteAreOfOneChange(t *testing.T) {
	d := librarytest.NewDesk(t)
	path := filepath.Join(d.Dir, "settings.json")
	change := func(l *serve.Server, n int) error {
		for i := range 20 {
			was, _, err := l.AgentSettings(path, false)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("{\"n\": \"%d %d\"}\n", n, i)
			_ = l.ChangeSettings(t.Context(), path, false, was, text, text) // somebody else may have been faster
		}
		return nil
	}
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			if err := change(serve.New(d.Library), n); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if text, noted, err := serve.New(d.Library).AgentSettings(path, false); err != nil || text == "" || text != noted {
		t.Errorf("settings %q, note %q, %v", text, noted, err)
	}
}
