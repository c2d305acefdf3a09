package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// printArgs is a shell function in the place of winnow, which prints its arguments.
const printArgs = `winnow() { for a; do printf '<%s>' "$a"; done; }; `

// arguments returns what each shell that is here makes of each command. A shell is started once for all of them.
func arguments(t *testing.T, commands ...string) (shells [][]string) {
	t.Helper()
	script := printArgs + strings.Join(commands, "\nprintf '\\036'\n")
	for _, shell := range []string{"sh", "dash", "bash"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		cmd := exec.Command(path, "-c", script)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s runs %q: %v\n%s", shell, commands, err, out)
		}
		got := strings.Split(string(out), "\036")
		if len(got) != len(commands) {
			t.Fatalf("%s ran %d commands of %d:\n%s", shell, len(got), len(commands), out)
		}
		shells = append(shells, got)
	}
	return shells
}

// TestEveryShellOpensTheResult runs the commands of search with ids and paths that a shell could misinterpret: the
// exact ones in JSON, and printable ones for a reader. Each must mean the very record that was found.
func TestEveryShellOpensTheResult(t *testing.T) {
	ids := []string{
		"les-1", "it's", "\x01'; touch RAN; #", "$(touch RAN)", "`touch RAN`", "a\nb", "-rf", "--", "-", "a b", `a\`,
		"\u202eb", ":2", "*", "~", "!x", "a\tb",
	}
	for _, path := range []string{"/s/memory.jsonl", "/s/it's $(touch RAN)\n/m.jsonl"} {
		lib := standard()
		lib.places[0].Store, lib.places[0].Path = memory.StoreID(path), path
		lib.snap.Records = nil
		for i, id := range ids {
			lib.snap.Records = append(
				lib.snap.Records,
				memory.Record{ID: memory.ID(id), Line: i + 1, Title: "Deploy the docs", Raw: "{}", RawLen: 2},
			)
		}
		w := newWorld(lib)
		var all struct {
			Stores []struct {
				Results []struct {
					Open string `json:"open"`
				} `json:"results"`
			} `json:"stores"`
		}
		err := json.Unmarshal([]byte(w.run(t, 0, "search", "--all", "deploy", "--json")), &all)
		if err != nil || len(all.Stores) != 1 || len(all.Stores[0].Results) != len(ids) {
			t.Fatal(err, all)
		}
		found := all.Stores[0]
		opens := map[string]int{} // the index of the record
		for i := range found.Results {
			opens[found.Results[i].Open] = i
		}
		for i, line := range strings.Split(strings.TrimSuffix(w.run(t, 0, "search", "--all", "deploy"), "\n"), "\n") {
			opens[line[strings.LastIndex(line, "\t")+1:]] = i
		}
		commands := slices.Sorted(maps.Keys(opens))
		for _, read := range arguments(t, commands...) {
			for n, open := range commands {
				args := strings.Split(strings.Trim(read[n], "<>"), "><")
				want := fmt.Sprintf("\nline      %d\n", opens[open]+1)
				if out := w.run(t, 0, args...); !strings.Contains(out, want) {
					t.Errorf("%s is read as %q and shows %q, want line %d", open, args, out, opens[open]+1)
				}
			}
		}
	}
}

// TestHintsNameTheStoreSoThatAShellReadsIt, as it was named on the command line.
func TestHintsNameTheStoreSoThatAShellReadsIt(t *testing.T) {
	for value, want := range map[string]string{
		"/s/it's": "/s/it's", "/s/\x1b\n": "file:///s/%1B%0A", "-x": "-x",
		"karnevil9:/s/\x01": "karnevil9:file:///s/%01", "$(touch RAN)": "$(touch RAN)",
	} {
		w := newWorld(standard())
		p := program{Env: w.Env, store: value}
		for _, read := range arguments(t, "winnow list"+p.named()) {
			if got := read[0]; got != "<list><--store><"+want+">" {
				t.Errorf("%q is given as %s", value, got)
			}
		}
	}
}
