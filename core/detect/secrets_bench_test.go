package detect

import (
	"strings"
	"testing"
)

const prose = "Add a retry with backoff to the upload client and cover it with tests. Completed using read-file, " +
	"edit-file, run-tests, git-diff. 7 step(s) succeeded. The flaky test waits for the mock clock: it must be advanced " +
	"by hand. See docs/testing.md for the details, and the task-runner config. Failed: ENOENT no such file or directory, " +
	"open '/srv/app/config.json'; exit code 1; the server answers with status=503."

// megabyteOf repeats a text up to one MiB.
func megabyteOf(s string) string { return strings.Repeat(s, 1<<20/len(s)+1)[:1<<20] }

// BenchmarkSecrets scans one MiB of prose, of prose full of secrets, of base64, and of texts that
// may hold a secret everywhere.
func BenchmarkSecrets(b *testing.B) {
	dense := "the push failed with ghp_" + fakeBody + " and key " + "AKIA" + "QW3RT7ZUIOPA5SDF" + ", api_key = \"" +
		fakeBody + "\"; see 3f2b8c1e5a774c0e9d0b2f6a1b7c9e10, password: 'hunter2!x9'\n"
	for name, s := range map[string]string{
		"sparse":  prose + "\n" + strings.ToUpper(prose[:80]) + "\n",
		"dense":   prose + dense,
		"base64":  fakeBody + "Zm9vYmFyIHdhcyBoZXJlIGFuZCB0aGVyZQ/+x",
		"names":   "token=",
		"prefix":  "ghp_",
		"prefix2": "sk-ant-",
		"dashes":  "-----BEGIN ",
		"urls":    "http://a:",
		"wrapped": "Z2hwXzEy",
		"prose2":  "the password for the token is a secret of the api key; ",
	} {
		s := megabyteOf(s)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Secrets(s)
			}
		})
	}
}

// BenchmarkSecretsInLine scans a line of the lesson format.
func BenchmarkSecretsInLine(b *testing.B) {
	s := `{"lesson_id":"92bc278f-c3c0-4a60-b9f3-e4485d26ec62","task_summary":"` + prose[:120] + `","outcome":"failed","lesson":"` + prose[120:300] +
		`","tool_names":["read-file","grep"],"created_at":"2026-05-06T05:19:23.392Z","session_id":"7eb56d9a-e635-479c-af88-3c6c1b8116c0","relevance_count":3}`
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		SecretsInLine(s)
	}
}

func BenchmarkRedactOriginal(b *testing.B) {
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		RedactOriginal(prose)
	}
}
