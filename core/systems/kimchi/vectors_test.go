package kimchi

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/vectortest"
)

func vectors(t *testing.T, kind string, fn func(t *testing.T, in, want vectortest.Value)) {
	t.Helper()
	vectortest.Each(t, "kimchi", kind, func(t *testing.T, v vectortest.Vector) { fn(t, v.Input, v.Want) })
}

// bytesOf returns a text, or bytes that are given in base 64.
func bytesOf(t *testing.T, v vectortest.Value, key string) []byte {
	t.Helper()
	if b := v.Member(key + "_b64"); !b.IsNull() {
		raw, err := base64.StdEncoding.DecodeString(b.Str())
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	if v.Member(key).IsNull() {
		return nil
	}
	return []byte(v.Member(key).Str())
}

func TestVectorsParse(t *testing.T) {
	vectors(t, "parse", func(t *testing.T, in, want vectortest.Value) {
		if got := kimchi().entries(string(bytesOf(t, in, "raw"))); !slices.Equal(got, want.Member("entries").Texts()) {
			t.Errorf("entries are %+q, want %+q", got, want.Member("entries").Texts())
		}
	})
}

func TestVectorsWrite(t *testing.T) {
	vectors(t, "write", func(t *testing.T, in, want vectortest.Value) {
		d := kimchi()
		entries := in.Member("entries").Texts()
		text := join(entries)
		if want := string(bytesOf(t, want, "bytes")); text != want {
			t.Errorf("the file holds %q, want %q", text, want)
		}
		if n := d.length(strings.Join(entries, delimiter)); n != int(want.Member("chars").Number()) {
			t.Errorf("%d units, want %v", n, want.Member("chars").Number())
		}
		again := d.entries(text)
		if !slices.Equal(again, want.Member("reparsed").Texts()) {
			t.Errorf("read again: %+q, want %+q", again, want.Member("reparsed").Texts())
		}
		if same := slices.Equal(again, entries); same != want.Member("roundtrips").Bool() {
			t.Errorf("round trip: %v", same)
		}
	})
}

func TestVectorsScan(t *testing.T) {
	vectors(t, "scan", func(t *testing.T, in, want vectortest.Value) {
		if got := kimchi().scan(in.Member("content").Text()); got != want.Member("result").Str() {
			t.Errorf("scan says %q, want %q", got, want.Member("result").Str())
		}
	})
}

// sideOf returns the file of a name with these entries, as a session gets it.
func sideOf(d *dialect, entries []string, limit int, name string) side {
	sd := side{path: name, entries: entries, ids: make([]memory.ID, len(entries))}
	sd.head, sd.shown = d.render(entries, limit, name)
	return sd
}

func TestVectorsBlock(t *testing.T) {
	vectors(t, "block", func(t *testing.T, in, want vectortest.Value) {
		d := kimchi()
		limit := limits{memory: int(in.Member("memory_limit").Number()), user: int(in.Member("user_limit").Number())}
		mem := sideOf(d, d.entries(in.Member("memory").Str()), limit.memory, memoryFile)
		user := sideOf(d, d.entries(in.Member("user").Str()), limit.user, userFile)
		inMemory, inUser := mem.block(), user.block()
		if inMemory.Text != want.Member("memory").Str() || inUser.Text != want.Member("user").Str() {
			t.Errorf(
				"blocks are\n%s\n%s\nwant\n%s\n%s",
				inMemory.Text,
				inUser.Text,
				want.Member("memory").Str(),
				want.Member("user").Str(),
			)
		}
		prompt := ""
		if more := joinedBlock([]side{mem, user}).Text; more != "" {
			prompt = in.Member("base_prompt").Str() + more
		}
		if prompt != want.Member("system_prompt").Str() {
			t.Errorf("the prompt is\n%s\nwant\n%s", prompt, want.Member("system_prompt").Str())
		}
		for i, p := range inMemory.Parts {
			if got := inMemory.Text[p.Start:p.End]; got != mem.entries[mem.shown[i].of] {
				t.Errorf("a part holds %q", got)
			}
		}
	})
}

func TestVectorsAgentBlock(t *testing.T) {
	vectors(t, "agentblock", func(t *testing.T, in, want vectortest.Value) {
		agent := in.Member("agent").Text()
		if why := whyUnsafe(agent); why != want.Member("error").Str() {
			t.Fatalf("the name: %q, want %q", why, want.Member("error").Str())
		} else if why != "" {
			return
		}
		home, cwd := t.TempDir(), t.TempDir()
		scope := in.Member("scope").Str()
		dir := map[string]string{
			scopeUser:    filepath.Join(home, ".config", "kimchi", "harness", "agent-memory", agent),
			scopeProject: filepath.Join(cwd, ".kimchi", "agent-memory", agent),
			scopeLocal:   filepath.Join(cwd, ".kimchi", "agent-memory-local", agent),
		}[scope]
		agentDir := filepath.Join(home, ".config", "kimchi", "harness")
		named := func(text string) string {
			return strings.ReplaceAll(strings.ReplaceAll(text, "{CWD}", cwd), "{AGENT_DIR}", agentDir)
		}
		if dir != named(want.Member("dir").Str()) {
			t.Fatalf("the folder is %s, want %s", dir, want.Member("dir").Str())
		}
		real := dir
		if in.Member("dir_is_symlink").Bool() {
			real = filepath.Join(cwd, "elsewhere")
		}
		if !in.Member("index").IsNull() || real != dir {
			index := filepath.Join(real, memoryFile)
			if err := os.MkdirAll(real, 0o755); err != nil {
				t.Fatal(err)
			}
			if in.Member("index_is_symlink").Bool() {
				index = filepath.Join(cwd, "other.md")
				if err := os.Symlink(index, filepath.Join(real, memoryFile)); err != nil {
					t.Skip(err)
				}
			}
			if err := os.WriteFile(index, []byte(in.Member("index").Text()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if real != dir {
			if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(real, dir); err != nil {
				t.Skip(err)
			}
		}
		s := openAgent(dir, clock, nothingRuns)
		p := s.linkProblem()
		writable, readOnly := s.block(s.index(), true), s.block(s.index(), false)
		if why := want.Member("writable_error"); !why.IsNull() {
			if p == nil || !strings.Contains(p.What, named(why.Str())) {
				t.Errorf("the writable block: %v, want %s", p, why.Str())
			}
		} else if p != nil || writable.Text != named(want.Member("writable").Text()) {
			t.Errorf("the writable block is\n%s\n(%v), want\n%s", writable.Text, p,
				named(want.Member("writable").Text()))
		}
		if readOnly.Text != named(want.Member("read_only").Text()) {
			t.Errorf("the read-only block is\n%s\nwant\n%s", readOnly.Text, named(want.Member("read_only").Text()))
		}
	})
}
