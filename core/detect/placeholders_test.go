package detect

import "testing"

func TestPlaceholdersAreNotSecrets(t *testing.T) {
	for _, s := range []string{
		`password = "password123"`, `password: "Test123!@#"`, `"password": "WrongPassword123"`, `$password: String!`, `password: cGFzc3dvcmQtMTIzNA==`,
		`qpdf --password=secret123 --decrypt in.pdf`, `const password = "admin123";`, `password: 'P@ssw0rd123'`, `DATABASE_PASSWORD=test1234`,
		`api_key = "sk-abc123xyz789"`, `api_key: sk-1234567890abcdef1234567890abcdef`, `const API_KEY = 'sk_live_1234567890abcdef'`,
		`api_key = "your-api-key"`, `GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789`, `token: "abc123def456ghi789"`,
		"- Private keys: `-----BEGIN PRIVATE KEY-----`", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----", `ffmpeg -af "highpass=f=200,lowpass=f=3000" x.wav`,
		"Authorization: S3-R168-C2-A", "Authorization: Bearer token123", "Authorization: Bearer eyJhbGciOiJIUzI1NiIs...", "Authorization: Basic dXNlcjpwYXNz",
		"authorization_code: SplxlOBeZQQYbYS6WxSbIA", "token: agent:main:subagent:3f2b8c1e-5a77-4c0e-9d0b-2f6a1b7c9e10",
		"postgres://${DB_USER}:${DB_PASS}@localhost/db", "postgres://user:%s@localhost/db", "postgres://{user}:{password}@{host}/db",
		"https://x-access-token:$(gh auth token)@github.com/o/r", "https://oauth2:<token>@gitlab.com", "postgres://postgres:postgres123@localhost:5432/app",
		"authorized_keys has ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5q0kzQh7uX1m2n3o4p5q6r7s8t9u0v1w2x3y4z5A6B",
		"![Auth](https://img.shields.io/badge/api_key-A1b2C3d4E5f6-brightgreen.svg)", "STRIPE_KEY=sk_test_4eC39HqLyjWDarjtT1zdp7dc",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestRealisticValuesAreSecrets(t *testing.T) {
	for _, s := range []string{
		`password = "hunter2"`, `password: "Summer-Rain-42"`, `db_password: kT9v!mQ2`, `"password": "tr0ub4dor&3"`, "smtppass=q8Zk2LmV",
		"PreAuthorization: Bearer k7Qw2mZp9LxT", "postgres://app:kT9vmQ2@db.internal/x", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE", "userpass: kT9vmQ2x!",
		"Authorization: Basic a2F0ZTprVDl2bVEyeA==",
	} {
		if len(Secrets(s)) == 0 {
			t.Errorf("%q: nothing is found", s)
		}
	}
}
