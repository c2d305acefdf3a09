package detect

import (
	"strings"
	"testing"
)

func TestPlaceholdersAreNotSecrets(t *testing.T) {
	for _, s := range []string{
		`password = "password123"`, `password: "Test123!@#"`, `"password": "WrongPassword123"`, `$password: String!`,
		`password: cGFzc3dvcmQtMTIzNA==`,
		`qpdf --password=secret123 --decrypt in.pdf`, `const password = "admin123";`, `password: 'P@ssw0rd123'`,
		`DATABASE_PASSWORD=test1234`,
		`api_key = "sk-abc123xyz789"`, `api_key: sk-1234567890abcdef1234567890abcdef`,
		`const API_KEY = 'sk_live_1234567890abcdef'`,
		`use crate::entities::new_api_key_row::NewApiKeyRow;`, `"as follows：AppId|SecretId|SecretKey"`,
		`TOTP_SECRET="KRSXG5DSN5XW4ZLP"`, `"secret": "JBSWY3DPEHPK3PXP"`, `X-API-Key:\s+a8Kd2mQz7Lw4Xp9T\.\.\.`,
		`SETUP_ADMIN_PASSWORD: {{ .Values.initData.adminPassword | b64enc | quote }}`,
		"AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
		`api_key = "your-api-key"`, `GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789`,
		`token: "abc123def456ghi789"`,
		"- Private keys: `-----BEGIN PRIVATE KEY-----`",
		"-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----",
		`ffmpeg -af "highpass=f=200,lowpass=f=3000" x.wav`,
		"Authorization: S3-R168-C2-A", "Authorization: Bearer token123",
		"Authorization: Bearer eyJhbGciOiJIUzI1NiIs...", "Authorization: Basic dXNlcjpwYXNz",
		"authorization_code: SplxlOBeZQQYbYS6WxSbIA", "token: agent:main:subagent:3f2b8c1e-5a77-4c0e-9d0b-2f6a1b7c9e10",
		"postgres://${DB_USER}:${DB_PASS}@localhost/db", "postgres://user:%s@localhost/db",
		"postgres://{user}:{password}@{host}/db",
		"https://x-access-token:$(gh auth token)@github.com/o/r", "https://oauth2:<token>@gitlab.com",
		"postgres://postgres:postgres123@localhost:5432/app",
		"authorized_keys has ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5q0kzQh7uX1m2n3o4p5q6r7s8t9u0v1w2x3y4z5A6B",
		"![Auth](https://img.shields.io/badge/api_key-A1b2C3d4E5f6-brightgreen.svg)",
		"STRIPE_KEY=sk_test_4eC39HqLyjWDarjtT1zdp7dc",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		`const hasKey = data?.hasAiApiKey;`, `return { models, hasUserApiKey: !!userAi.aiApiKey };`,
		`apiKey: userAi.aiApiKey,`,
		`Culture=neutral, PublicKeyToken=31bf3856ad364e35`, `publicKeyToken="6595b64144ccf1df"`,
		`token = "sk-ant-` + `ort01-super-secret-value"`,
		`${DB_PASSWORD:?DB_PASSWORD is not set}`, `mongodb+srv://<user>:<password>@cluster.mongodb.net/db`,
		`case "${MVNW_PASSWORD:+has-password}" in`, "PASSWORD = \"<password_fuerte>\"\nNAME = \"Nombre1 Apellido\"",
		"- **FR1 PASS:** `@internal/postgres-4/migration` re-exports it", `token: "eyJhbGciOiJSUzI1NiJ9.test.sig"`,
		`data: "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.test-jwt-payload.signature"`,
		`/v0/b/x.appspot.com/o/a.png?alt=media&token=7cadaad8-b069-4cde-b426-39aa986579cf`,
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0." +
			"EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU",
		`COMPASS_ICONS="node_modules/@mattermost/compass-icons/font/compass-icons1.ttf"`,
		`pass => $cred->{'password'},`,
		`pass => $self->causes_fail2 ? 0 : 1`, `pwd=SET_A_PASSWORD_HERE_123;database=vault`,
		"-----BEGIN PRIVATE KEY-----\nfakeprivatekeymaterial4blob\n-----END PRIVATE KEY-----",
		`"\<sk-ecdsa-sha2-nistp256-cert-v01@openssh\.com\>"`,
		`https://codecov.io/gh/a/b/graph/badge.svg?token=qkNcTJ4TmI`,
		`{ stage: 2, passKey: 'summitPassInput2' }`, `'password' => 'required|string|min:8|confirmed'`,
		`['@clickable', '@password', '@selected']`,
		`const password1 = password1Input?.value || '';`, `print("PASS: B3F-SH no-false-close guard")`,
		`async (payload: JWTPayload, privateKey: HonoJsonWebKey) => {`,
		`| 3 | source details | PASS | F3-3-e9-source.txt |`,
		"Items that pass land in the base as 01-Raw entries.",
		`"apiKey": "phc_` + `zJO1n3rjHlhqKiJ0gqLDwT4qvfWF1wzHDq2gfl0moQm"`,
		`GOOGLE_APPLICATION_CREDENTIALS=astral-439509-h4-2cfc6b202fa3.json`,
		`"SAML bearer SubjectConfirmationData is missing"`,
		"EAAF" + strings.Repeat("834E76D9307E592A2E3C", 6),
		"P4: `sk-ant-" + "api03-PROBESECRET` verbatim", "apiKey: apiKeyToUse,", "apiKeyEnvVar: ctx.provider.apiKeyEnvVar,", "`pip install onepassword-sdk==0.4.1b1`",
		"Then pass the scenario ID via URL: `?scenario=yourScenarioId`", "**Forgot Password:** 5-digit code via e-mail",
		`"The passwords entered twice are inconsistent!",`,
		"MAPBOX_ACCESS_TOKEN=pk.eyJ1IjoieW91cnVzZXJuYW1lIiwiYSI6ImNsaGJhcGczaDAwZDl2MnJvZGdtdDU4Nzk0In0.example",
		"X-Amz-Credential=AKIAIWNJYAX4CSVEH53Q%2F20231210%2Fus-east-1%2Fs3%2Faws4_request",
		"authenticated by `Bearer CRON_SECRET` + `CANARY_ENABLED=1`", "| `BLUESKY_APP_PASSWORD` | `2026-04-25T04:04:47Z` |",
		"- Token program: `TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA` (legacy SPL Token)",
		`tokenAddress: "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",`,
		"rows added since the AGN-310 pass): `AGN-316`, `AGN-317`", "the tree of this pass: `3f6c1e9ab2d47508c1d2e3f4a5b6c7d8e9f01234`",
		"the test pass rate = `min_pass_rate` (95 %)", "agents: web-auth=a1b2c3d4e5f60718",
		"status = failed == 0 ? \"PASS\" : \"✗ 3F-missing\"", "kubectl create secret --from-file=1password-credentials.json=../s1/Creds.json",
		"$ROOT_PASSWORD = $env:MONGO_ROOT_PASSWORD2 ?? ''",
		"exercises `parseUrlFile`, `redactApiKey`, `joinLogForUrl`, `countBySystem`",
		`DEFAULT_PASSWORD = "0DPiKuNIrrVmD8IUCuw1hQxNqZc="`, "password: 21232F297A57A5A743894A0E4A801FC3",
		"SESSION_SECRET_KEY=" + strings.Repeat("a1b2c3d4e5f67890", 4),
		`token: "a1b2c3d4e5f67890a1b2c3d4e5f67890a1b2c3d4"`,
		"font/ttf;base64," + strings.Repeat("AAEAAQAIAAgAAQ", 30) + "/EAAk" + strings.Repeat("k8Kq2LmV9xT4vRb8NcD3", 6),
		"four `except Exception: pass` blocks: `main.py:211-212`, `:262-263`", "secretName: joinLogForUrl",
		`header("Authorization", "Bearer oauth2-generated-token")`,
		`"secretKey": "0x45a915e4d060149eb4365960e6a7a45f` + `334393093061116b197e3240065ff2d8"`,
		`xlink:href="data:image/png;base64,` + strings.Repeat("RP4nqVWD1fselq9Zk+M/", 8) + `1//0` + strings.Repeat("aB3dE5fG7hJ9kL1m", 3) + `//+Mc"`,
		"Confirm that these tests pass: `test_e2e_trailing.py`, `test_process.py`", `setKey('anthropic', 'sk-ant-very-long-key-123')`,
		"Authorization: Bearer AbCdEf0123456789AbCdEf01", "ELASTIC_PASSWORD=ChangeM3",
		"const t = eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.AbCdEf0123456789",
		"flag scenarios pass | `tests/accountability/test_e2e.py` |",
		`otpauth://totp/shop:ada?secret=JBSWY3DPEHPK3PXP&issuer=shop`, "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI",
		"SECRET_DIR=/run/a8Kd2mQz7Lw4Xp9T", "secret_storage: a8Kd2mQz7Lw4Xp9T",
		"--from-literal=ADMIN_PASSWORD='<initial admin password>' \\\n  --from-literal=INVENTARIO_RUN_SMTP2GO_API_KEY='x'",
		`["step-01-end-discord-bot", "step-02-design-epics-discord-bot", "x"]`, "- Password storage: Argon2id only for new code.",
		`filepath.Join(multiTokenDir, "Show.S01E01+E02.mkv")`, "Pick a password. htpasswd is in apache2-utils",
		`passwdContent := "root:x:0:0:root:/root:/bin/sh\n"`,
		"htpasswd -c .htpasswd ada k8Kq2LmV",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

// TestKeysThatAPageGivesToEverybody: the key of a map is sent to each visitor, and one beside it in a script is not.
func TestKeysThatAPageGivesToEverybody(t *testing.T) {
	const key = "AIza" + "SyCk8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2Qp"
	for text, rule := range map[string]string{
		`<script src="https://maps.googleapis.com/maps/api/js?key=` + key + `&libraries=places">`: ruleFirebaseKey,
		`curl "https://maps.googleapis.com/maps/api/geocode/json?key=` + key + `"`:                ruleGoogleKey,
		"MAP=https://maps.googleapis.com/maps/api/js?key=KEY\nGOOGLE_KEY=" + key:                  ruleGoogleKey,
		"VITE_FIREBASE_API_KEY=" + key:                              ruleFirebaseKey,
		"VITE_FIREBASE_PROJECT_ID=shop\nVITE_GEMINI_API_KEY=" + key: ruleGoogleKey,
	} {
		if got := Secrets(text); len(got) != 1 || got[0].Rule != rule {
			t.Errorf("%q: found %+v", text, got)
		}
	}
}

func TestRealisticValuesAreSecrets(t *testing.T) {
	for _, s := range []string{
		`password = "hunter2"`, `password: "Summer-Rain-42"`, `db_password: kT9v!mQ2`, `"password": "tr0ub4dor&3"`,
		"smtppass=q8Zk2LmV",
		"PreAuthorization: Bearer k7Qw2mZp9LxT", "postgres://app:kT9vmQ2@db.internal/x",
		"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE", "userpass: kT9vmQ2x!",
		"Authorization: Basic a2F0ZTprVDl2bVEyeA==", `apiKey: "k8Kq2LmV.9xT4vRb8Key"`,
		`privateKeyToken="6595b64144ccf1df"`,
		`token = "sk-ant-` + `ort01-k8Kq2LmV9xT4vRb8NcD3"`, `${DB_PASSWORD:-kT9vmQ2x!}`,
		`<password>kT9vmQ2x!</password>`,
		`${DB_PASSWORD:-kT9vmQ2+x!}`, `url?media&token=7cadaad8-b069-4cde-b426-39aa986579cf`,
		`DBPASS=kT9vmQ2+x!`, `SMTPPASS: "kT9vmQ2+x!"`,
		`passKey: 'kT9vmQ2xPass2'`, `password: 'Blue|River9|kT9v'`, `password: "@kT9vmQ2x"`,
		`const password = 'SummerTime22';`, "dd_api_key: 3c7633bae18a6e19af7a5af12f9bc3da", "the pass is kT9vmQ2x!",
		`DB_PASS: B3F-SH9x and more`, `Authorization: Bearer kTbvmQcxRdzLpTxvRbNcDs`,
		"EAAD" + strings.Repeat("k8Kq2LmV9xT4vRb8NcD3", 6),
		`otpauth://totp/shop:ada?secret=LJVVC6DWK5XFI4SINJGHAQTEKNTVSZSD&issuer=shop`, "secret_director=a8Kd2mQz7Lw4Xp9T",
		`"sk-ant-` + `api03-aaaaaa1234k8Kq2LmV9xT4vRb8NcD3"`, "<admin>k8Kq2LmV9xT4</admin> password: k8Kq2LmV9xT4",
		"password: Sommer2|Winter|Blau",
		"SECRET_STORAGE_KEY=k8Kq2LmV9xT4vRb8NcD3",
		"token_store_password=Kx7!qPz92vLm",
		"SECRET_REGIONAL=k8Kq2LmV9xT4vRb8NcD3",
		"<db password>Kx7!qPz92vLm", "htpasswd -c -b .htpasswd ada k8Kq2LmV", "htpasswd -nbB ada k8Kq2LmV",
		`"discord-bot-token", "k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2QpZ1xW"`, `"passwordDir", ` + "`password: 'kT9vmQ2x.mkv7'`",
		`TOTP_SECRET="LJVVC6DWK5XFI4SINJGHAQTEKNTVSZSD"`, // base32 of 20 random letters, as some libraries make seeds
	} {
		if len(Secrets(s)) == 0 {
			t.Errorf("%q: nothing is found", s)
		}
	}
}

// TestExamplePasswordsOfReportsAreNoSecrets: what is said about an attack names what was tried. The same word is a
// secret where it is assigned, or where somebody is told it.
func TestExamplePasswordsOfReportsAreNoSecrets(t *testing.T) {
	for _, s := range []string{
		"The attacker logged in with the password `Summer2024!`, which was reused.",
		"Password spraying: each account was tried with the password \"Winter2023!\" once.",
		"Weak: the admin's password was `Summer2024!` and in every wordlist.",
		"Common passwords such as `Password: Summer2024!` were tried.",
		"- Example: password: \"October2025\" is weak.", "Attackers guess first that a password is 'Monday@2024'.",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
	for _, s := range []string{
		"DB_PASSWORD=Summer2024!", "# weak, change it\npassword: \"Summer2024!\"",
		"example:\n  - password: 'Summer2024!'",
		"{\"note\": \"weak one\", \"password\": \"Summer2024!\"}", "$password = \"Summer2024!\" # common",
		"The password for staging is `Summer2024!`.", "After the attack the new password is `Summer2024!kT9v`.",
		"The attacker used the password `k8Kq2LmV9xT4`.", "conn: Server=db;password: 'Summer2024!' # example",
	} {
		if len(Secrets(s)) == 0 {
			t.Errorf("%q: nothing is found", s)
		}
	}
}
