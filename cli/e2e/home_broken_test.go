package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damages are what can be in the way of a file, or of a folder.
var damages = map[string]func(path string) error{
	"folder":  func(path string) error { return os.Mkdir(path, 0o755) },
	"fifo":    makePipe,
	"loop":    func(path string) error { return os.Symlink(filepath.Base(path), path) },
	"nowhere": func(path string) error { return os.Symlink("not-there", path) },
	"binary":  func(path string) error { return os.WriteFile(path, []byte("\x00\xff\xfe\x01SQLite\x80\n\x00"), 0o644) },
	"empty":   func(path string) error { return os.WriteFile(path, nil, 0o644) },
	"huge": func(path string) error {
		err := os.WriteFile(path, nil, 0o644)
		if err != nil {
			return err
		}
		size := int64(5 << 30)
		if isSmall() { // all of it is read, which takes half a minute
			size = 1 << 30
		}
		return os.Truncate(path, size)
	},
	"half": nil, // the first half of what was there
}

// TestHomeWithABrokenStoreShowsTheOthers puts something in the way of a key file of each
// system in turn: the others are listed as before, the broken one says what is wrong in a
// sentence, and nothing waits or crashes.
func TestHomeWithABrokenStoreShowsTheOthers(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	all := h.stores()
	keys := map[string]string{
		"karnevil9":  filepath.Join(h.shop, "sessions", "memory.jsonl"),
		"claudecode": filepath.Join(h.memories(), "MEMORY.md"),
		"opencode":   h.at(".local/share/opencode/opencode.db"),
		"kimchi":     h.at(".config/kimchi/harness/memory/MEMORY.md"),
		"hermes":     h.at(".hermes/memories/MEMORY.md"),
		"arbiter":    h.at(".arbiter/tenants.db"),
		"handbook":   filepath.Join(h.shop, "memory", "MEMORY.md"),
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			if name != "folder" && name != "half" && name != "fifo" {
				long(t)
			}
			h := *h
			h.t = t
			for _, path := range keys { // all at once: each must leave the others alone too
				h.broken(path, damage)
				defer h.mended(path)
			}
			var doc struct{ Stores []listed }
			out := h.run("stores", "--json")
			if err := json.Unmarshal([]byte(out.out), &doc); err != nil || out.status != 0 {
				t.Fatalf("winnow stores: status %d, %v: %.500s%s", out.status, err, out.out, out.err)
			}
			for _, was := range all {
				if slices.Contains(slices.Collect(maps.Values(keys)), was.Path) || was.System == "handbook" ||
					strings.HasPrefix(was.Name, "project") {
					continue
				}
				i := slices.IndexFunc(
					doc.Stores,
					func(is listed) bool { return is.Path == was.Path && is.System == was.System },
				)
				if i < 0 {
					t.Errorf("%s %s is not listed any more", was.System, was.Path)
				} else if is := doc.Stores[i]; is.Total != was.Total || is.Problem != nil {
					t.Errorf("%s %s: %d records, %+v; was %d", was.System, was.Path, is.Total, is.Problem, was.Total)
				}
			}
			for system, path := range keys {
				for _, args := range [][]string{{"list"}, {"doctor"}} {
					h.said(system+" "+path, append(args, "--store", path))
				}
			}
		})
	}
}

// broken puts a damage in the place of a file, which mended puts back.
func (h *filledHome) broken(path string, damage func(string) error) {
	h.t.Helper()
	h.check(os.Rename(path, path+"~"))
	if damage != nil {
		h.check(damage(path))
		return
	}
	raw, err := os.ReadFile(path + "~")
	h.check(err)
	h.check(os.WriteFile(path, raw[:len(raw)/2], 0o644))
}

func (h *filledHome) mended(path string) {
	h.check(os.RemoveAll(path))
	h.check(os.Rename(path+"~", path))
}

// said runs a command on something broken: it ends with a status that is documented, and
// when it fails it says what is wrong, and what to do.
func (h *filledHome) said(what string, args []string) {
	h.t.Helper()
	o := h.run(args...)
	text := o.out + o.err
	switch {
	case o.status < 0 || o.status > 5:
		h.t.Errorf("%s: winnow %q: status %d: %s", what, args, o.status, o.err)
	case strings.Contains(text, "goroutine ") || strings.Contains(text, "panic") || strings.Contains(text, "(0x") || strings.Contains(text, "<nil>"):
		h.t.Errorf("%s: winnow %q crashes, or talks to programmers:\n%s", what, args, text)
	case !strings.HasPrefix(what, "karnevil9") && strings.HasSuffix(args[2], ".db") && strings.Contains(text, "JSON"):
		h.t.Errorf("%s: winnow %q takes it for a file of another system: %s", what, args, text)
	case o.status != 0 && args[0] == "list" && !strings.Contains(o.err, "\nhint: "):
		h.t.Errorf("%s: winnow %q does not say what to do: status %d, %s", what, args, o.status, o.err)
	}
}
