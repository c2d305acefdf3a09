package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

func TestAuditSaysTheVerdictFirst(t *testing.T) {
	w, _ := onFakeAuditor()
	out := w.said(t, exitFound, "audit",
		"NOT SAFE TO SHARE: 1 high, 1 place to read, 1 note\n"+
			"S  github-pat  m.jsonl:41, aa11, lesson  GitHub personal access token: push with ghp_************ (40 chars) fails\n",
		"\nTO READ\nH  hidden-tag  n.md:2  a[<U+E0041>]b reads: A\n",
		"\nNotes: home-path. --long lists them.\n",
		"\nNext:\n  revoke it at https://github.com/settings/tokens\n",
		"\nLeft out: 2 ignored by git, such as x.md.\n",
		"Read 3 files, 5 lessons. Not covered: git history. Rules are best effort: this is no guarantee.\n")
	long := w.said(t, exitFound, "audit --long",
		"\nHIGH\nS  github-pat  m.jsonl:41, aa11, lesson\n   push with ghp_************ (40 chars) fails\n",
		"The lesson keeps error text as it came.\n   next: revoke it at https://github.com/settings/tokens\n",
		"   recalled: yes, relevance 4, in Past Experience\n",
		"\nTO READ\nH  hidden-tag  n.md:2\n   a[<U+E0041>]b\n   reads: A\n",
		"\nLOW\nP  home-path  7 places in 1 file, first n.md:3\n   [/Users/jane]/x\n",
		"fingerprint ")
	if n := strings.Count(out, "\n"); n > 20 || n >= strings.Count(long, "\n") {
		t.Errorf("it has %d lines", n)
	}
	if !strings.HasPrefix(out, "NOT SAFE") {
		t.Errorf("it begins with %s", out)
	}
}

func TestAuditOrdersFollowTheArguments(t *testing.T) {
	for args, want := range map[string]memory.AuditOrder{
		"audit":                             {Paths: []string{"."}},
		"audit a b":                         {Paths: []string{"a", "b"}},
		"audit --store s a":                 {Paths: []string{"s", "a"}},
		"audit --stores":                    {Stores: true},
		"audit . --history --all-text":      {Paths: []string{"."}, History: true, AllText: true},
		"audit --staged --shared":           {Paths: []string{"."}, Staged: true, Sharing: memory.SharedOnly},
		"audit --ignored-too --family file": {Paths: []string{"."}, Sharing: memory.SharedAndIgnored},
	} {
		w, d := onFakeAuditor()
		d.found = memory.Audit{Files: 1}
		w.said(t, exitOK, args, "No known problems ", " in 1 file\n")
		if !reflect.DeepEqual(d.asked, want) {
			t.Errorf("winnow %s asks for %+v, want %+v", args, d.asked, want)
		}
	}
}

func TestAuditReadsItsInput(t *testing.T) {
	w, d := onFakeAuditor()
	w.In = strings.NewReader("some text")
	if w.said(t, exitFound, "audit -"); d.input != "some text" {
		t.Errorf("it read %q", d.input)
	}
}

func TestAuditStatuses(t *testing.T) {
	unread := []memory.Unread{
		{Path: "locked.md", Problem: &memory.Problem{What: "It may not be read.", Hint: "chmod u+r"}},
	}
	for _, c := range []struct {
		args   string
		change func(*fakeAuditor)
		want   int
		says   string
	}{
		{"audit --fail-on high", nil, exitFound, "NOT SAFE"},
		{"audit --rule home-path", nil, exitOK, "No known problems of the requested kinds in 3 files, 5 lessons; 1 note\n"},
		{"audit --rule home-path --fail-on low", nil, exitFound, "5 lessons; 1 note, and --fail-on low\n"},
		{"audit --family hidden,private --fail-on high", nil, exitOK, "REVIEW: 1 place to read, 1 note\n"},
		{
			"audit --family hidden,private --fail-on review",
			nil,
			exitFound,
			"REVIEW: 1 place to read, 1 note, and --fail-on medium\n",
		},
		{"audit", func(d *fakeAuditor) { d.found.Failed = unread }, exitFound, "NOT SAFE TO SHARE"},
		{
			"audit --rule home-path",
			func(d *fakeAuditor) { d.found.Failed = unread },
			exitUnseen,
			"INCOMPLETE: 1 place could not be read, 1 note\n",
		},
		{
			"audit --rule home-path --incomplete-ok",
			func(d *fakeAuditor) { d.found.Failed = unread },
			exitOK,
			"INCOMPLETE",
		},
		{"audit --rule home-path", func(d *fakeAuditor) { d.found.Failed = unread }, exitUnseen, "Could not be read:\n  locked.md: It may not be read.\n    hint: chmod u+r\n"},
		{"audit --rule home-path", func(d *fakeAuditor) { d.found.More = 3 }, exitUnseen, "INCOMPLETE"},
		{
			"audit",
			func(d *fakeAuditor) { d.found = memory.Audit{} },
			exitOK,
			"Nothing to read: there are no files here",
		},
		{
			"audit somewhere",
			func(d *fakeAuditor) { d.found = memory.Audit{} },
			exitUnseen,
			"INCOMPLETE: there was nothing to read",
		},
		{"audit somewhere --staged", func(d *fakeAuditor) { d.found = memory.Audit{} }, exitOK, "Nothing to read"},
		{"audit --history", func(d *fakeAuditor) {
			d.err = &memory.Problem{Code: "no-git", What: "Git is not installed.", Hint: "install git"}
		}, exitUnseen, "github-pat"},
		{"audit --history", func(d *fakeAuditor) {
			d.found = memory.Audit{}
			d.err = &memory.Problem{Code: "no-git", What: "Git is not installed.", Hint: "install git"}
		}, exitUnseen, "winnow: git is not installed\nhint: install git\n"},
	} {
		w, d := onFakeAuditor()
		if c.change != nil {
			c.change(d)
		}
		w.said(t, c.want, c.args, c.says)
	}
}

func TestAuditRefusesWhatMakesNoSense(t *testing.T) {
	for _, args := range []string{
		"audit --json --sarif", "audit --shared --ignored-too", "audit --stores x", "audit --fail-on never",
		"audit --family none",
		"audit --rule nosuch", "audit --reveal", "audit - --fix", "audit - --history", "audit --dry-run", "audit --yes",
		"audit --fix --staged",
		"audit --write-baseline b", "audit --write-baseline b --reason", "audit --reason x", "audit --until 2027-01-01",
		"audit --force",
		"audit --write-baseline b --reason x --until 2020-01-01", "audit --write-baseline b --reason x --until soon",
		"audit --fix --out x", "audit --fix --readonly", "audit --baseline /no/such/file", "audit --fix --markdown",
	} {
		w, d := onFakeAuditor()
		w.said(t, exitUsage, args, "winnow: ")
		if d.asked.Paths != nil {
			t.Errorf("winnow %s audits", args)
		}
	}
	for _, args := range []string{"--json", "--sarif", "--markdown", "--out x"} {
		w, _ := onFakeAuditor()
		w.OutTTY = true
		w.said(t, exitUsage, "audit --reveal "+args, "do not go together")
	}
}

func TestErrorsAndHooksShowNoSecret(t *testing.T) {
	w, d := onFakeAuditor()
	d.err = &memory.Problem{What: "It cannot open " + token + ".", Hint: "see " + token}
	d.hooks = t.TempDir()
	if err := os.WriteFile(filepath.Join(d.hooks, "pre-commit"), []byte("TOKEN="+token+" make"), 0o755); err != nil {
		t.Fatal(err)
	}
	for args, status := range map[string]int{"audit": exitUnseen, "hook install": exitFailure} {
		if out := w.said(t, status, args, "[REDACTED]"); strings.Contains(out, token) {
			t.Errorf("winnow %s shows the secret: %s", args, out)
		}
	}
}

func TestSecretsAreRevealedOnATerminalOnly(t *testing.T) {
	w, _ := onFakeAuditor()
	for _, form := range []string{"", " --json", " --sarif", " --markdown"} {
		if out := w.said(t, exitFound, "audit"+form, "ghp_************ (40 chars)"); strings.Contains(out, token) {
			t.Errorf("audit%s shows the secret", form)
		}
	}
	w.OutTTY, w.Width = true, 80
	w.said(t, exitFound, "audit --reveal", token)
}

func TestAuditReportsAreWritten(t *testing.T) {
	w, d := onFakeAuditor()
	path := filepath.Join(t.TempDir(), "report.md")
	out := w.said(t, exitFound, "audit --markdown --out "+path)
	if raw, _ := os.ReadFile(path); out != "NOT SAFE TO SHARE: 1 high, 1 place to read, 1 note\nRead 3 files, 5 lessons. Not covered: git history.\n" || !strings.HasPrefix(string(raw), "## Winnow audit: NOT SAFE") {
		t.Errorf("it prints %q and writes %q", out, raw)
	}
	w.said(t, exitFailure, "audit --json --out "+path, "the file "+path+" exists already", "--force")
	w.said(t, exitFound, "audit --json --out "+path+" --force")
	raw, _ := os.ReadFile(path)
	var doc struct{ Findings []struct{ Rule string } }
	if err := json.Unmarshal(raw, &doc); err != nil || len(doc.Findings) != 3 {
		t.Errorf("it writes %s: %v", raw, err)
	}
	d.writeErr = errors.New("write x: disk full")
	w.said(t, exitFailure, "audit --out x", "winnow: audit: write x: disk full")
}

func TestQuietAuditsPrintTheVerdictOnly(t *testing.T) {
	w, d := onFakeAuditor()
	for args, code := range map[string]int{"audit --quiet": exitFound, "audit --quiet --rule home-path": exitOK} {
		out := w.said(t, code, args)
		if !strings.HasSuffix(out, "\nRead 3 files, 5 lessons. Not covered: git history.\n") ||
			strings.Count(out, "\n") != 2 ||
			!strings.HasPrefix(out, "NOT SAFE") && !strings.HasPrefix(out, "No known") {
			t.Errorf("winnow %s prints %s", args, out)
		}
	}
	d.found = memory.Audit{Files: 2, Commits: 4}
	if out := w.said(t, exitOK, "audit --quiet"); out != "No known problems in 2 files, 4 commits\n" {
		t.Errorf("with everything read it prints %s", out)
	}
	w.said(t, exitOK, "audit --json", `"read": "2 files, 4 commits"`)
	w.said(t, exitOK, "audit --markdown", "\nRead 2 files, 4 commits. Rules")
	d.found = memory.Audit{}
	w.said(t, exitOK, "audit --quiet --json", `"verdict": "nothing"`)
}

func TestWhatCannotBeWrittenIsFoundAllTheSame(t *testing.T) {
	w, d := onFakeAuditor()
	d.writeErr = &memory.Problem{Code: "is-link", What: "Save x: is a link.", Hint: "look where it leads"}
	out := w.said(t, exitFailure, "audit --write-baseline x --reason why", "NOT SAFE TO SHARE",
		"name the file that the link leads to")
	if strings.Contains(out, "finding ignored") || strings.Contains(out, "added to") {
		t.Errorf("it says %s", out)
	}
	w.said(t, exitFailure, "audit --json --out x", "NOT SAFE TO SHARE: 1 high, 1 place to read, 1 note\n")
	w.said(t, exitUnseen, "audit --write-baseline "+t.TempDir()+" --reason why", "it is not a regular file")
	for _, flag := range []string{"--out=", "--baseline=", "--write-baseline="} {
		w.said(t, exitUsage, "audit --reason why "+flag, "a path is empty")
	}
}

func TestInterruptedAuditPrintsWhatWasFound(t *testing.T) {
	w, d := onFakeAuditor()
	ctx, cancel := context.WithCancel(t.Context())
	d.during, d.err = cancel, context.Canceled
	if got := Run(ctx, w.Env, []string{"audit"}); got != exitBroken {
		t.Errorf("the status is %d, want %d", got, exitBroken)
	}
	if out := w.out.String(); !strings.Contains(out, "github-pat") ||
		!strings.Contains(out, "Interrupted: this is what was found so far.") {
		t.Errorf("it prints %s", out)
	}
}

func TestProgressIsToldAfterAWhileOnATerminal(t *testing.T) {
	for _, c := range []struct {
		tty   bool
		took  time.Duration
		args  string
		tells bool
	}{
		{true, 2 * time.Second, "audit", true},
		{true, 400 * time.Millisecond, "audit", false},
		{false, 2 * time.Second, "audit", false},
		{true, 2 * time.Second, "audit --quiet", false},
	} {
		w, d := onFakeAuditor()
		now := noon
		w.ErrTTY, w.Now = c.tty, func() time.Time { was := now; now = now.Add(c.took); return was }
		d.tells = []memory.Progress{{Doing: "reading\x1b", Files: 3, Bytes: 2_500_000, Findings: 1}}
		w.run(t, exitFound, strings.Fields(c.args)...)
		said := w.err.String()
		if told := strings.HasPrefix(said, "\rreading<ESC>: 3 files, 2.5 MB, 1 finding so far "); told != c.tells ||
			told != strings.HasSuffix(said, " \r") {
			t.Errorf("%+v: it says %q", c, said)
		}
	}
}

func TestBaselinesAreWrittenAndRead(t *testing.T) {
	w, d := onFakeAuditor()
	path := filepath.Join(t.TempDir(), "baseline")
	out := w.run(t, exitOK, "audit", "--write-baseline", path, "--reason", "test data", "--until", "30d",
		"--show-ignored")
	for _, want := range []string{
		"No known problems in 3 files, 5 lessons\n",
		"\nIGNORED\n",
		": ignored: test data, until 2026-04-14\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it prints\n%s\nwant %q in it", out, want)
		}
	}
	if said := w.err.String(); said != "3 findings added to "+path+"\n" {
		t.Errorf("it says %s", said)
	}
	w.said(t, exitOK, "audit --baseline "+path, "No new problems, 3 accepted, in 3 files, 5 lessons\n",
		"3 findings ignored, as you decided: --show-ignored lists them.")
	if len(d.asked.Ignored) != 3 || d.asked.Ignored[0].Reason != "test data" ||
		d.asked.Ignored[0].Rule != "github-pat" {
		t.Errorf("it asks for %+v", d.asked)
	}
	// Writing it anew keeps what is in it, once.
	w.run(t, exitOK, "audit", "--write-baseline", path, "--reason", "again")
	if list, err := (&program{Env: w.Env}).readBaseline(t.Context(), path); err != nil || len(list) != 3 ||
		list[0].Reason != "again" {
		t.Errorf("it is %+v, %v", list, err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.said(t, exitUnseen, "audit --baseline "+path, "winnow: read baseline "+path)
	w.said(t, exitUnseen, "audit --write-baseline "+path+" --reason x", "winnow: read baseline "+path)
}

func TestFixAsksAndLooksAgain(t *testing.T) {
	w, d := onFakeAuditor()
	d.after = memory.Audit{Files: 3, Records: 5}
	d.fixed = memory.Fixed{Secrets: 2, Files: []memory.FixedFile{{Path: "m.jsonl", Secrets: 2, Records: 1}},
		Beyond: []memory.Beyond{{What: "git history of m.jsonl", Commands: []string{"git log -p -- m.jsonl"}}}}
	w.said(t, exitUsage, "audit --fix", "Redact 1 secret in 1 place of 1 file, keeping no copy? there is no terminal to ask on", "github-pat")
	w.said(t, exitFound, "audit --fix --dry-run", "has secrets: m.jsonl\n", "dry run: nothing was changed; --fix would replace 1 secret in 1 place of 1 file")
	w.InTTY, w.ErrTTY, w.In = true, true, strings.NewReader("n\n")
	w.said(t, exitFailure, "audit --fix", "audit: not confirmed, and nothing was changed")
	if d.isFixed {
		t.Fatal("it was changed all the same")
	}
	w.In = strings.NewReader("y\n")
	w.said(t, exitOK, "audit --fix", "No known problems in 3 files, 5 lessons\n\nRedacted 2 secrets, keeping no copy:\n  m.jsonl: 2 secrets in 1 lesson\n",
		"revoke them first. They may also be in:\n  git history of m.jsonl\n    git log -p -- m.jsonl\n")
	d.isFixed = false
	w.said(t, exitOK, "audit --fix --yes --json", `"secrets": 2`, `"what": "git history of m.jsonl"`)
	w.said(t, exitOK, "audit --fix --yes", "audit: there is no secret to replace here", "No known problems")
}

func TestFailedFixIsToldAndFails(t *testing.T) {
	w, d := onFakeAuditor()
	d.after = memory.Audit{Files: 3}
	d.fixed = memory.Fixed{
		Failed: []memory.Unread{{Path: "m.jsonl", Problem: &memory.Problem{What: "It is read-only."}}},
	}
	w.said(t, exitFailure, "audit --fix --yes", "Not changed:\n  m.jsonl: It is read-only.\n")
	d.isFixed, d.fixErr = false, errors.New("redact m.jsonl: disk full")
	w.said(t, exitFailure, "audit --fix --yes", "winnow: redact m.jsonl: disk full", "github-pat")
}

func TestAuditFitsItsTerminal(t *testing.T) {
	w, d := onFakeAuditor()
	d.found.Findings[0].Path = strings.Repeat("long/", 30)
	w.OutTTY = true
	for _, w.Width = range []int{40, 80, 120} {
		for line := range strings.Lines(w.run(t, exitFound, "audit")) {
			// which are copied
			n := len([]rune(strings.TrimSuffix(line, "\n")))
			if n > w.Width && !strings.Contains(line, "fingerprint 0") && !strings.Contains(line, " --fix") {
				t.Errorf("a line has %d columns of %d: %s", n, w.Width, line)
			}
		}
	}
}

func TestHostileAuditsHarmNoTerminal(t *testing.T) {
	w, d := onFakeAuditor()
	for i := range d.found.Findings {
		f := &d.found.Findings[i]
		f.Path = hostile
		f.ID = hostile
		f.Field = hostile
		f.Text = hostile
		f.Shown = hostile
		f.What = hostile
		f.Next = []string{hostile}
		f.Recalled = hostile
	}
	d.found.Left[0].Why, d.found.Uncovered = hostile, []string{hostile}
	d.kept = []memory.Ignore{{Fingerprint: hostile, Rule: hostile, Reason: hostile}}
	d.shared = memory.Shared{Audit: d.found, Dropped: []memory.Kept{{Record: memory.Record{ID: hostile}, Why: hostile}}}
	for _, args := range []string{
		"audit", "audit --json", "audit --sarif", "audit --markdown", "export --share x",
		"export --share x --json", "audit --fix --dry-run",
	} {
		if out := w.said(t, exitFound, args); strings.ContainsFunc(out, unseen) {
			t.Errorf("winnow %s prints %q", args, out)
		}
	}
	for _, args := range []string{"ignore --list", "ignore --list --json"} {
		if out := w.said(t, exitOK, args); strings.ContainsFunc(out, unseen) {
			t.Errorf("winnow %s prints %q", args, out)
		}
	}
}

func TestReportsOfTheScreensAreThose(t *testing.T) {
	w, d := onFakeAuditor()
	for form, begins := range map[string]string{
		"md":    "## Winnow audit: NOT SAFE",
		"json":  "{\n  \"schema\": 2,",
		"sarif": "{\n  \"$schema\": ",
	} {
		path := filepath.Join(t.TempDir(), "report."+form)
		if written, err := w.WriteReport(t.Context(), form, d.found, path, false); written != path || err != nil {
			t.Errorf("%s: %s, %v", form, written, err)
		}
		if raw, _ := os.ReadFile(path); !strings.HasPrefix(string(raw), begins) ||
			strings.Contains(string(raw), token) {
			t.Errorf("%s begins with %.60s", form, raw)
		}
		if _, err := w.WriteReport(t.Context(), form, d.found, path, false); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s was written over: %v", form, err)
		}
	}
}
