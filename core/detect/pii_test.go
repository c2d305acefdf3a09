package detect

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

const id = "0f8b2c1e-5d6a-4c3b-9e7f-" + "1a2b3c4d5e6f"

// describePII returns the private data in a text as "rule=text".
func describePII(text string) string {
	var out []string
	for _, t := range PII(text) {
		out = append(out, t.Rule+"="+text[t.Start:t.End])
	}
	return strings.Join(out, " ")
}

func TestPrivateDataIsFound(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"see /home/marlene/src/x.go", "home-path=/home/marlene"},
		{"see /Users/marlene.k/src", "home-path=/Users/marlene.k"},
		{`at C:\Users\Marlene\src`, `home-path=C:\Users\Marlene`},
		{`"C:\\Users\\Marlene\\src"`, `home-path=C:\\Users\\Marlene`},
		{"C:/Users/Marlene/x", "home-path=C:/Users/Marlene"},
		{"/mnt/c/Users/Marlene/x", "home-path=/mnt/c/Users/Marlene"},
		{"file:///home/marlene/x", "home-path=/home/marlene"},
		{"/home/marlene and (marlene) or marlenes", "home-path=/home/marlene user-name=marlene"},
		{"/home/bob wrote; bob", "home-path=/home/bob"},
		{"/home/marlene is -home-marlene-src", "home-path=/home/marlene user-name=marlene"},
		{"mail marlene@" + "firm.de, please", "email=marlene@" + "firm.de"},
		{"<a.b+c@" + "sub.firm.co.uk>", "email=a.b+c@" + "sub.firm.co.uk"},
		{"ssh to db-1.internal now", "private-host=db-1.internal"},
		{"http://wiki.corp/x", "private-host=wiki.corp"},
		{"api.staging.internal:8443", "private-host=api.staging.internal"},
		{"printer-2.local.", "private-host=printer-2.local"},
		{"host 10.1.2.3 and 172.20.0.5:80", "private-address=10.1.2.3 private-address=172.20.0.5"},
		{"192.168.178.20, 169.254.3.4", "private-address=192.168.178.20 private-address=169.254.3.4"},
		{"fd12:3456:789a::1 is up", "private-address=fd12:3456:789a::1"},
		{`"session_id": "` + id + `"`, "session-id=" + id},
		{"Session " + id, "session-id=" + id},
		{"projects/x/" + id + ".jsonl", "session-id=" + id},
		{"ses_5f3aB9c1D2e3F4a5b6 ended", "session-id=ses_5f3aB9c1D2e3F4a5b6"},
	} {
		if got := describePII(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestImpersonalDataIsNotPrivate(t *testing.T) {
	for _, text := range []string{
		"~/src", "/home/", "/home/user/x", "/home/runner/work", "/Users/<name>/x", "/home/$USER", "/home/node/app",
		"GET /Users/123",
		"https://example.com/home/page", "/root/x", "example.com/Users/x",
		"a@example.com", "x@sub.example.org", "noreply@github.com", "1+bot@users.noreply.github.com",
		"git@github.com:a/b.git", "x@a.invalid",
		"npm i @scope/pkg.name", "pkg@1.2.3", "actions/checkout@v4.1.0", "icon@2x.png", "getty@tty1.service",
		"https://user:pw@host.example/x", "@decorator.call", "a@b",
		"10.1.2", "v10.1.2.3", "version 10.1.2.3", "10.0.0.0/8", "127.0.0.1", "8.8.8.8", "172.32.0.1", "192.169.1.1",
		"10.0.19041.1", "169.254.169.254", "1.10.1.2.3",
		"localhost", "host.docker.internal", "settings.local.json", ".env.local", "config.local", "this.internal",
		"com.foo.internal.Bar", "x.locale", "/etc/foo.local",
		"fdisk", "fd1234", "fd: bad", "0xfd12:34",
		id, "commit " + id, "session 12", "this_long_identifier_of_a_program1", "s_1", "process_5f3aB9c1D2e3F4a5b6",
	} {
		if got := describePII(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestShortenHomes(t *testing.T) {
	text, n := ShortenHomes(`/home/marlene/a C:\Users\marlene\b /Users/marlene`)
	if text != `~/a ~\b ~` || n != 3 {
		t.Errorf("%q, %d", text, n)
	}
	if text, n := ShortenHomes("nothing /home/runner"); text != "nothing /home/runner" || n != 0 {
		t.Errorf("%q, %d", text, n)
	}
}

func TestEveryPIIRuleIsComplete(t *testing.T) {
	for _, r := range piiRules {
		if r.ID == "" || r.Family != memory.FamilyPrivate || r.Severity != memory.Low || r.Name == "" || r.Why == "" ||
			r.Next == "" ||
			r.Source == "" {
			t.Errorf("%+v", r)
		}
	}
}

func FuzzPII(f *testing.F) {
	for _, s := range []string{"/home/marlene marlene", "a@" + "firm.de", "10.1.2.3", "fd12:3456::1", "session " + id, "db-1.internal", `C:\Users\x`, "s_", ".@_fd:", "/mnt/c/Users/"} {
		f.Add(s)
	}
	rules := map[string]bool{}
	for _, r := range piiRules {
		rules[r.ID] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, tr := range PII(text) {
			if tr.Start < end || tr.End <= tr.Start || tr.End > len(text) || !rules[tr.Rule] {
				t.Fatalf("%+v in %q", tr, text)
			}
			end = tr.End
		}
		shared, n := ShortenHomes(text)
		if n == 0 != (shared == text) {
			t.Fatalf("%q, %d", shared, n)
		}
	})
}

func BenchmarkPIIInProse(b *testing.B) {
	text := strings.Repeat(
		"The build failed because the cache held an old copy of the module graph, so the second step "+
			"could not resolve two of the packages.\nClearing it by hand helped once. It takes 14 minutes.\n",
		800,
	)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if PII(text) != nil {
			b.Fatal("found")
		}
	}
}

func TestSessionIsFoundAtEveryOffset(t *testing.T) {
	const id = "6d530a51-0191-43cd-a689-b225aede56d3"
	for n := range 40 {
		text := strings.Repeat("s", n%3) + strings.Repeat("-", n) + "session " + id + " and ssession=" + id
		first, second := strings.Index(text, id), strings.LastIndex(text, id)
		got := PII(text)
		if len(got) != 2 || got[0].Start != first || got[1].Start != second || got[1].End != len(text) ||
			got[1].Rule != RuleSession {
			t.Errorf("%q: %v", text, got)
		}
	}
}
