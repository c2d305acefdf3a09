package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// systems are those that keep memories in the home, each with how a store of it is named.
func (h *filledHome) systems() map[string]string {
	return map[string]string{
		"karnevil9":  filepath.Join(h.shop, "sessions", "memory.jsonl"),
		"claudecode": "claudecode:.",
		"opencode":   "opencode:" + h.shop,
		"kimchi":     "kimchi:" + h.at(".config/kimchi/harness/memory/MEMORY.md"),
		"hermes":     h.at(".hermes/memories/MEMORY.md"),
		"arbiter":    "arbiter",
		"handbook":   "handbook",
	}
}

// TestHomeRecallsAndAuditsEachSystem: what is printed is JSON, the same a second time.
func TestHomeRecallsAndAuditsEachSystem(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	named := h.systems()
	var jobs [][]string
	for a, store := range named {
		jobs = append(
			jobs,
			[]string{"recall", "deploy the shop", "--json", "--store", store},
			[]string{"audit", "--json", "--store", store},
			[]string{"stores", "--json", "--system", a},
			[]string{"list", "--json", "--limit", "3", "--store", store},
		)
	}
	alongside(jobs, func(args []string) {
		o := h.run(args...)
		if o.status > 1 || o.status == 1 && args[0] != "audit" || !json.Valid([]byte(o.out)) {
			t.Errorf("winnow %q: status %d, %s%.300s", args, o.status, o.err, o.out)
		}
		// what git says of a store has to come in time
		if again := h.run(args...); args[0] != "stores" && again.out != o.out {
			t.Errorf("winnow %q prints something else the second time:\n%s\n%s", args, o.out, again.out)
		}
	})
}

// TestHomeResultsAreOpenedAsTheySay searches all stores, and runs the command that each
// result names: it shows that record.
func TestHomeResultsAreOpenedAsTheySay(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	type result struct {
		Store struct{ Path string }
		Open  string
	}
	var doc struct {
		Stores []struct{ Results []result }
	}
	h.into(&doc, "search", "--all", "shop")
	systems := map[string]bool{}
	var results []result
	for _, store := range doc.Stores {
		results = append(results, store.Results...)
	}
	for _, r := range results {
		args := append([]string{"-c", r.Open + " --raw"}, "sh")
		cmd := h.command()
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh"}, args...)
		cmd.Env = append(slices.Clone(cmd.Env), "PATH="+filepath.Dir(h.program)+":"+os.Getenv("PATH"))
		if o := ended(cmd); o.status != 0 || o.out == "" {
			t.Errorf("%s: status %d, %s", r.Open, o.status, o.err)
		}
		systems[r.Store.Path] = true
	}
	if len(systems) < 5 {
		t.Errorf("only in %d stores are results: %v", len(systems), systems)
	}
}

// TestHomeWithoutAnySystemCostsNothing counts the system calls about files of a search for
// stores in an empty home: a few for each place. It says where it looked.
func TestHomeWithoutAnySystemCostsNothing(t *testing.T) {
	long(t)
	strace := needStrace(t)
	root := t.TempDir()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	h := &filledHome{t: t, program: program, home: filepath.Join(root, "dev"), temp: filepath.Join(root, "tmp")}
	h.shop = filepath.Join(h.home, "work")
	h.check(os.MkdirAll(h.shop, 0o755))
	h.check(os.MkdirAll(h.temp, 0o755))
	log := filepath.Join(root, "log")
	h.before = []string{strace, "-f", "-qq", "-e", "trace=%file", "-e", "signal=none", "-o", log}
	o := h.run("stores")
	raw, err := os.ReadFile(log)
	h.check(err)
	below, all := 0, strings.Count(string(raw), "\n")
	for line := range strings.Lines(string(raw)) {
		if strings.Contains(line, h.home) {
			below++
		}
	}
	t.Logf("%d calls about files, %d of them in the home", all, below)
	if below > 250 || all > 450 {
		t.Errorf("%d calls about files, %d of them in the home:\n%s", all, below, raw)
	}
	text := o.out + o.err
	for _, where := range []string{".claude", "opencode", ".config/kimchi", ".hermes", ".arbiter", "sessions/memory.jsonl", "memory"} {
		if !strings.Contains(text, where) {
			t.Errorf("it does not say that it looked at %s:\n%s", where, text)
		}
	}
}
