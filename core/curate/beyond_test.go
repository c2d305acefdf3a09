package curate

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

func secretIn(file, path, commit string) memory.Finding {
	return memory.Finding{Family: memory.FamilySecret, Rule: "password", File: file, Path: path, Commit: commit}
}

// beyondText returns what Beyond says, one line for each sentence or command.
func beyondText(list []memory.Beyond) string {
	var out []string
	for _, b := range list {
		out = append(out, b.What)
		for _, c := range b.Commands {
			out = append(out, "  "+c)
		}
	}
	return strings.Join(out, "\n")
}

func wantsAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		at := strings.Index(text, p)
		if at < 0 {
			t.Fatalf("nothing says %q after what comes before it:\n%s", p, text)
		}
		text = text[at+len(p):]
	}
}

func TestEveryPlaceThatIsOutOfReachIsNamedWithWhatHelps(t *testing.T) {
	const store = "/w/it's here/sessions/memory.jsonl"
	text := beyondText(Beyond([]memory.Finding{
		secretIn(store, "sessions/memory.jsonl", ""),
		secretIn(store, "sessions/memory.jsonl", ""),
		secretIn("", "old.md", "0123abc"),
		secretIn("/h/.arbiter/tenants.db", "~/.arbiter/tenants.db", ""),
		secretIn("/w/it's here/notes.md", "notes.md", ""),
	}, func(file string) Around {
		switch file {
		case store:
			return Around{
				Work:    "/w/it's here",
				Git:     memory.GitTracked,
				Journal: "/w/it's here/journal/events.jsonl",
				Writer:  "pid 4711 holds journal.lock",
			}
		case "old.md":
			return Around{Work: "/w/it's here"}
		case "/w/it's here/notes.md":
			return Around{Work: "/w/it's here", Git: memory.GitIgnored}
		}
		return Around{Git: memory.GitNone, Database: true}
	}))
	wantsAll(
		t,
		text,
		"git history of sessions/memory.jsonl and 1 more: revoke the secret first",
		`  git -C '/w/it'\''s here' commit -m 'Redact secrets' -- ':(literal)sessions/memory.jsonl'`+"\n",
		"  umask 077 && F=$(mktemp)",
		`  git -C '/w/it'\''s here' filter-repo --force --replace-text "$F" && rm -- "$F"`,
		"bfg.jar",
		"gc --prune=now",
		"push --force --all URL",
		"git history of notes.md, if it was ever committed",
		`log --all --oneline -- ':(literal)notes.md'`,
		"a running agent (pid 4711 holds journal.lock)",
		`  winnow audit --fix -- '/w/it'\''s here/sessions/memory.jsonl'`,
		"the agent's journal /w/it's here/journal/events.jsonl: its events are chained by hashes",
		"the pages of ~/.arbiter/tenants.db",
		"  sqlite3 /h/.arbiter/tenants.db 'PRAGMA secure_delete=ON; VACUUM;",
		"copies made by editors, backups and disk snapshots",
		"  find '/w/it'\\''s here/sessions' -maxdepth 1",
		"  find /h/.arbiter ",
		"clones, forks, pull requests, and logs and caches of CI",
		"remote -v",
		"gh run delete RUN-ID",
	)
	if strings.Count(text, "journal/events.jsonl: its") != 1 || strings.Contains(text, "0123abc") {
		t.Error(text)
	}
}

func TestNothingIsBeyondWhereNothingWasFound(t *testing.T) {
	ignored := secretIn("/a", "a", "")
	ignored.Ignored = &memory.Ignore{}
	for _, list := range [][]memory.Finding{nil, {{Family: memory.FamilyInjection, File: "/a", Path: "a"}}, {ignored}} {
		if got := Beyond(list, nil); got != nil {
			t.Errorf("%+v", got)
		}
	}
	text := beyondText(Beyond([]memory.Finding{secretIn("/a/b.md", "b.md", "")}, nil))
	if strings.Contains(text, "git") || !strings.Contains(text, "find /a ") {
		t.Error(text)
	}
}

func TestNoSecretOfAPathIsSaid(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	text := beyondText(Beyond([]memory.Finding{secretIn("/w/"+key+"/x.md", key+"/x.md", "")}, func(string) Around {
		return Around{
			Work:     "/w/" + key,
			Git:      memory.GitTracked,
			Journal:  "/w/" + key + "/j",
			Writer:   "pid 1",
			Database: true,
		}
	}))
	if strings.Contains(text, key) || strings.Contains(text, key[4:20]) {
		t.Error(text)
	}
}
