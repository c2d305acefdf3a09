package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Crashed writes what is known of a panic to a file below the state folder, with
// secrets masked, and returns the error that names it.
func (e Env) Crashed(value, stack string) error {
	first, _, _ := strings.Cut(value, "\n")
	failed := &failure{code: exitFailure, err: fmt.Errorf("the program stopped: %s", e.Redact(first))}
	text := e.Redact(fmt.Sprintf("winnow %s\n%s\n\n%s", e.Version, value, stack))
	path := filepath.Join(e.stateFolder(), "crash-"+e.Now().UTC().Format("20060102-150405")+".txt")
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	failed.hint = "what is known is in " + path + "; secrets in it are masked"
	if err != nil {
		failed.hint = "the report could not be written: " + err.Error()
	}
	return failed
}

// stateFolder is where reports and drafts go. A user without a home has the folder
// for temporary files.
func (e Env) stateFolder() string {
	if e.State == "" {
		return filepath.Join(os.TempDir(), "winnow")
	}
	return e.State
}
