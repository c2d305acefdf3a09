package e2e

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/audit/audittest"
)

// mended is a folder with a store, notes and a transcript that hold secrets.
type mended struct {
	*audited
	secrets []string
	files   []string
}

// certain are kinds of secret that can be told by themselves.
var certain = []string{
	"github-classic",
	"github-fine-grained",
	"gitlab-personal",
	"npm",
	"pypi",
	"aws-access-key",
	"google-api",
	"digitalocean",
	"databricks",
	"vault",
	"openai-project",
	"anthropic",
	"groq",
	"hugging-face",
	"slack-bot",
	"stripe-live",
	"sendgrid",
	"linear",
	"jwt",
	"bearer",
	"https-password",
	"postgres-password",
	"nats-user",
	"private-key-rsa",
	"private-key-openssh",
}

// newMended writes a folder to redact. One secret is there in every spelling.
func newMended(t *testing.T, seed uint64) *mended {
	t.Helper()
	m := &mended{audited: newAudited(t), files: []string{"sessions/memory.jsonl", "MEMORY.md", "notes.md"}}
	var items []audittest.Item
	for _, it := range audittest.Corpus(seed) {
		if slices.Contains(certain, it.Kind) &&
			(it.Context == "prose" || it.Context == "shell" || it.Context == "error") {
			items = append(items, it)
			m.secrets = append(m.secrets, it.Secret)
		}
	}
	lines := slices.Collect(strings.Lines(string(audittest.Lessons(items).Data)))
	first := items[slices.IndexFunc(items, func(it audittest.Item) bool { return it.Kind == "github-classic" })].Secret
	for i, s := range []string{first, base64.StdEncoding.EncodeToString([]byte(first)), strings.ReplaceAll(url.QueryEscape(first), "_", "%5F"), escapedText(first)} {
		lines = append(
			lines,
			strings.Replace(
				lessonLine(fmt.Sprintf("twin-%d", i), "Deploy", 1),
				"Completed using x",
				"Completed with "+s,
				1,
			),
		)
	}
	lines = append(
		lines,
		"{\"damaged\": \"key "+first+"\n",
		"  "+lessonLine("spaced", "Nothing is in this one", 2),
		"\n",
	)
	m.write(m.files[0], strings.Join(lines, ""))
	m.write(m.files[1], string(audittest.Markdown(items).Data))
	m.write(m.files[2], "nothing is in this file\r\nkey "+first+"\r\nlast line without an end")
	return m
}

// escapedText writes each second character as JSON can.
func escapedText(s string) string {
	var out strings.Builder
	for i, r := range s {
		if i%2 == 0 {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// traces returns where a secret, or a long part of it, is in any file below the folders.
func traces(t *testing.T, secrets []string, dirs ...string) (list []string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			raw, err := os.ReadFile(path)
			for _, s := range secrets {
				body := s[len(s)/2-8 : len(s)/2+8]
				for _, spelling := range []string{body, base64.StdEncoding.EncodeToString([]byte(s))[:len(s)], escapedText(s)[len(s):]} {
					if strings.Contains(string(raw), spelling) {
						list = append(list, fmt.Sprintf("%s: part of %.6s…", path, s))
						break
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

const mark = "[REDACTED]"

// TestFixLeavesNoSecretAnywhere redacts a folder: no secret is left in it, in what
// Winnow keeps, or in a folder of temporary files; what was redacted is the secrets and
// nothing else; a second run finds nothing.
func TestFixLeavesNoSecretAnywhere(t *testing.T) {
	t.Parallel()
	m := newMended(t, 21)
	old := map[string]string{}
	for _, f := range m.files {
		old[f] = m.read(f)
	}
	if list := traces(t, m.secrets, m.dir); len(list) < len(m.secrets) {
		t.Fatalf("%d secrets, and only %d are there", len(m.secrets), len(list))
	}
	o := m.run("audit", "--all-text", "--fix", "--yes", ".")
	t.Logf("status %d\n%s%s", o.status, o.out, o.err)
	for _, at := range traces(t, m.secrets, m.dir, m.home, m.temp, "/dev/shm") {
		t.Errorf("after --fix a secret is left in %s", at)
	}
	for _, f := range m.files {
		if err := onlyMarked(old[f], m.read(f), m.secrets); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, at := range traces(t, m.secrets, filepath.Dir(m.dir)) {
		t.Error(at)
	}
	if again := m.run("audit", "--all-text", "."); again.status != 0 {
		t.Errorf("the second run: status %d\n%s%s", again.status, again.out, again.err)
	}
	state := stateBelow(t, m.dir)
	m.run("audit", "--all-text", "--fix", "--yes", ".")
	if stateBelow(t, m.dir) != state {
		t.Error("the second --fix changes something")
	}
}

// onlyMarked reports what a redaction changed besides secrets. Each text between two
// marks stands in the old file, in that order; what is between two of them holds a
// secret or a spelling of one, and little else.
func onlyMarked(old, now string, secrets []string) error {
	at := 0
	for i, kept := range strings.Split(now, mark) {
		next := strings.Index(old[at:], kept)
		if i == 0 && next != 0 || next < 0 {
			return fmt.Errorf("%.60q is not what was there", kept)
		}
		if gone := old[at : at+next]; i > 0 && !spells(gone, secrets) {
			return fmt.Errorf("%.120q was redacted", gone)
		}
		at += next + len(kept)
	}
	if at != len(old) {
		return fmt.Errorf("the end is lost: %.60q", old[at:])
	}
	return nil
}

// spells reports whether a text is a secret and at most the word before it.
func spells(gone string, secrets []string) bool {
	for _, s := range secrets {
		for _, spelling := range []string{s, strings.ReplaceAll(s, "\n", `\n`), base64.StdEncoding.EncodeToString([]byte(s)), strings.ReplaceAll(url.QueryEscape(s), "_", "%5F"), escapedText(s)} {
			if strings.HasSuffix(gone, spelling) && len(gone)-len(spelling) <= len("Bearer ") {
				return true
			}
		}
	}
	return false
}

// TestCampaignKilledFixLeavesFilesWhole kills a redaction at any instant: each line of
// each file is the old or the new one. The next run takes out the rest and leaves nothing behind.
func TestCampaignKilledFixLeavesFilesWhole(t *testing.T) {
	kills := share(t, 200)
	m := newMended(t, 22)
	old, fresh := map[string]string{}, map[string]string{}
	for _, f := range m.files {
		old[f] = m.read(f)
	}
	start := time.Now()
	m.run("audit", "--all-text", "--fix", "--yes", ".")
	whole := time.Since(start)
	for _, f := range m.files {
		if fresh[f] = m.read(f); fresh[f] == old[f] {
			t.Fatalf("%s: nothing was redacted", f)
		}
	}
	random := rand.New(rand.NewPCG(*seed, 22))
	var changed [3]int // files as they were, redacted, and those of them with more to redact
	for range kills {
		for _, f := range m.files {
			m.write(f, old[f])
		}
		cmd := m.command("audit", "--all-text", "--fix", "--yes", ".")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(whole) * 5 / 4)))
		cmd.Process.Kill()
		cmd.Wait()
		for _, f := range m.files {
			n, err := betweenLines(m.read(f), old[f], fresh[f])
			if err != nil {
				t.Fatalf("%s is broken: %v", f, err)
			}
			if changed[min(n, 1)]++; n > 0 && n < strings.Count(fresh[f], mark) {
				changed[2]++
			}
		}
		if random.IntN(10) > 0 {
			continue
		}
		m.run("audit", "--all-text", "--fix", "--yes", ".")
		if left := traces(t, m.secrets, m.dir, m.home, m.temp); len(left) > 0 {
			t.Fatalf("after the next run: %q", left)
		}
		if names := strings.Join(names(t, m.dir), " "); names != "MEMORY.md notes.md sessions sessions/memory.jsonl" {
			t.Fatalf("after the next run there are %s", names)
		}
	}
	t.Logf(
		"%d kills; %d files were as before, %d redacted, of them %d in part",
		kills,
		changed[0],
		changed[1],
		changed[2],
	)
}

// betweenLines returns how many marks a file has, each line of which is that of the old
// one or that of the new one.
func betweenLines(now, old, fresh string) (int, error) {
	a, b, c := strings.SplitAfter(now, "\n"), strings.SplitAfter(old, "\n"), strings.SplitAfter(fresh, "\n")
	if now == fresh {
		return strings.Count(now, mark), nil
	}
	if len(a) != len(b) || len(a) != len(c) && now != old {
		return 0, fmt.Errorf("%d lines of %d", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] && a[i] != c[i] {
			return 0, fmt.Errorf("line %d is another", i+1)
		}
	}
	return strings.Count(now, mark), nil
}

// names are the files and folders below a folder.
func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
