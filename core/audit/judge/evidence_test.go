package judge_test

import (
	"strings"
	"testing"

	"winnow/core/audit/judge"
	"winnow/core/memory"
)

func TestEvidenceIsHighAndTheRestAsksForALook(t *testing.T) {
	const random, format = "k8Kq2LmV9xT4vRb8NcD3", "glpat-" + "x1Y2z3A4b5C6d7E8f9G0"
	const issued, made = "gh" +
		"p_k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2466qYa", "gh" + "p_k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2QpZ1xW"
	const key = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END RSA PRIVATE " + "KEY-----\n"
	const id = "bada5566-a7aa-401f-bd96-45619a55120d"
	const claims, message = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJrYXRlIn0.k8Kq2LmV9xT4vRb8NcD3",
		"eyJhbGciOiJIUzI1NiJ9.eyJtZXNzYWdlIjoiaGVsbG8gd29ybGQifQ.k8Kq2LmV9xT4vRb8NcD3"
	const issuedClaims = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJrYXRlIiwiaWF0IjoxNzYzMDAwMDAwfQ.k8Kq2LmV9xT4vRb8NcD3"
	whole := strings.Replace(key, "NBgk", strings.Repeat("k8Kq2LmV9xT4vRb8", 3), 1)
	const google = "AI" + "zaSyB7q2mZp9LxT4vRb8NcD3eF5gHj7Lm2QpZ"
	for _, c := range []struct {
		path, text string
		want       memory.Severity
	}{
		{"config.py", "API_TOKEN = \"" + random + "\"\n", memory.High},
		{".env", "DB_PASSWORD=" + random + "\n", memory.High},
		{"deploy/values.yaml", "password: " + random + "\n", memory.High},
		{".claude/settings.local.json", `{"allow":["Bash(redis-cli -a ` + random + ` ping)"]}`, memory.High},
		{"-", "export DB_PASSWORD=" + random + "\n", memory.High},
		{"CLAUDE.md", "Use " + format + " here\n", memory.High},
		{"notes.md", key, memory.High},
		{"CLAUDE.md", "The database password is " + random + "\n", memory.Medium},
		{"config.py", "PASSWORD = \"hunter2!\"\n", memory.Medium},
		{"-", "the password is " + random + "\n", memory.Medium},
		{"yarn.lock", "token: " + random + "\n", memory.Low}, {"yarn.lock", "pgpass: \"npm:1.0.5\"\n", memory.Low},
		{"apps/i18n.lock", "login/no_token: c28440cd9c66ba90886caf8415b31e33\n", memory.Low},
		{"apps/i18n.lock", "add_api_key: 3c7633bae18a6e19af7a5af12f9bc3da\n", memory.Low},
		{".env.testing", "APP_TOKEN=" + random + "\n", memory.Medium},
		{".env.production", "APP_TOKEN=" + random + "\n", memory.High},
		{".github/workflows/ci.yml", "  APP_TOKEN: " + random + "\n", memory.High},
		{".github/workflows/ci.yml", "  APP_TOKEN: " + format + "\n", memory.High},
		{"src/about.ts", "const group = 'https://group.shop.io/qr?k=1&authKey=" + random + "';\n", memory.Medium},
		{"README.md", "Join [us](https://group.shop.io/qr?k=1&authKey=" + random + ")\n", memory.Low},
		{"README.md", "`curl 'https://api.shop.io/v1?apiKey=" + random + "'`\n", memory.Medium},
		{"src/keys.ts", "  OnePassword = \"" + id + "\",\n", memory.Low},
		{"src/keys.ts", "  password = \"" + id + "\",\n", memory.High},
		{"src/a.test.ts", "token = '" + message + "'\n", memory.Low},
		{"src/a.test.ts", "token = '" + claims + "'\n", memory.Low},
		{"src/a.test.ts", "token = '" + issuedClaims + "'\n", memory.Medium},
		{"src/a.ts", "token = '" + claims + "'\n", memory.High},
		{"src/a.test.ts", "const invalidToken = '" + random + "'\n", memory.Low},
		{"tests/test_login.py", "TOKEN = \"" + format + "\"\n", memory.Medium},
		{"src/auth.test.ts", "const token = '" + random + "';\n", memory.Medium},
		{".env.example", "DB_PASSWORD=" + random + "\n", memory.Medium}, {"testdata/key.pem", whole, memory.Medium},
		{"testdata/key.pem", key, memory.Low}, {"tests/go_vectors.pem", whole, memory.Low},
		{"node_modules/curves/index.d.ts", "const privateKey = '" + random + "';\n", memory.Low},
		{"vendor/shop/shop.js", "token = '" + claims + "'\n", memory.Low},
		{"docker-compose.yml", "  TOKEN: ${TOKEN:-" + claims + "}\n", memory.Medium},
		{"str.go", "// Masks keys (e.g., \"api_key:" + google + "\")\n", memory.Medium},
		{"page.html", "<script src=\"//maps.io/sdk.js?appkey=" + random + "\"></script>\n", memory.Low},
		{"app.js", "{ apiKey: '" + google + "', authDomain: 'a.firebaseapp.com' }\n", memory.Low},
		{"app.js", "{ apiKey: '" + google + "' }\n", memory.High},
		{"vendor/shop/shop.go", "const key = \"" + format + "\"\n", memory.Medium},
		{"src/vendors.go", "const apiKey = \"" + random + "\"\n", memory.High},
		{"site/src/merch.njk", "var TOKEN = '" + random + "';\n", memory.Medium},
		{"auth_test.go", "Password: \"$2a$10$k8Kq2LmV9xT4vRb8NcD3eOF5gHj7Lm2QpZ1xWk8Kq2LmV9xT4vRb8\"\n", memory.Low},
		{"latest/config.py", "API_TOKEN = \"" + random + "\"\n", memory.High},
		{"src/contest.py", "API_TOKEN = \"" + random + "\"\n", memory.High},
		{"pebble-test/certs/key.pem", whole, memory.Medium},
		{"Store.Tests/Login.cs", "Token = \"" + random + "\";\n", memory.Medium},
		{"contest-app/key.pem", key, memory.High}, {"src/examples.ts", "token: '" + random + "'\n", memory.Medium},
		{"tests/login.py", "password = \"SeedDev2026!\"\n", memory.Low},
		{"src/login.py", "password = \"SeedDev2026!\"\n", memory.Medium},
		{"ci.yml", "URL: postgres://shop:river_walk2@localhost:5432/app\n", memory.Low},
		{"ci.yml", "URL: postgres://shop:river_walk2@db.shop-prod.io:5432/app\n", memory.Medium},
		{"ci.yml", "URL: https://ferris:f3rr1s@example.com/simple\n", memory.Low},
		{"ci.yml", "URL: https://ferris:f3rr1s@example.community/simple\n", memory.Medium},
		{"src/login.dart", "password: event.password!,\n", memory.Low},
		{"MyAppTests/Login.swift", "let token = \"" + random + "\"\n", memory.Medium},
		{"app/src/androidTest/Login.kt", "val token = \"" + random + "\"\n", memory.Medium},
		{"src/Contests/Login.kt", "val token = \"" + random + "\"\n", memory.High},
		{"tests/a.py", "KEY = \"sk-test-other-8c3d5e0a1f\"\n", memory.Low},
		{"static/app.js.map", `{"names":["password","_src$length9"]}`, memory.Low},
		{"src/keys.rs", "const TEST_FAKE_KEY: &str = \"" + key + "\"", memory.Medium},
		{"src/keys.rs", "const FAKED_UP_KEY: &str = \"" + key + "\"", memory.High},
		{"api.graphql", "passwordMode: PasswordMode2!\n", memory.Low},
		{"app/google-services.json", `{"current_key": "` + google + `"}`, memory.Low},
		{"app/services.json", `{"current_key": "` + google + `"}`, memory.High},
		{"src/a.swift", "let overridePassword: CheckGenericStore? = nil\n", memory.Low},
		{"app.yaml", "password: R2hvc3R0eSBib3g=\n", memory.Medium},
		{"go.mod", "\tgithub.com/a/go-libsecret v0.0.0-" + "20210112064538-7e3dcc3d6b4a // indirect\n", 0},
		{"README.md", "token v0.0.0-" + "20210112064538-7e3dcc3d6b4a\n", 0},
		{".env.local", "AUTH0_USERS_DOMAIN=dev-s8w01y10y3szwvfl.us.auth0.com\n", 0},
		{"user.json", `{"password": "$2b$12$k8Kq2LmV9xT4vRb8NcD3eOF5gHj7Lm2QpZ1xWk8Kq2LmV9xT4vRb8"}`, memory.Medium},
		{"run.bat", "PGPASSWORD=%DATABASE_PASSWORD% psql -h %DATABASE_HOST%\n", 0},
		{"manifest.json", `{"lib/secrets.cjs": "02b4k"}`, 0},
		{"manifest.json", `{"lib/secrets.cjs": "0c4f0d8f1b6a5e2d3c9a8b7f6e5d4c3b2a190817263544f3e2d1c0b9a8f7e6d5"}`, 0},
		{"manifest.json", `{"secrets": "0c4f0d8f1b6a5e2d3c9a8b7f6e5d4c3b2a190817263544f3"}`, memory.High},
		{"page.tsx", "  <Button\n    token=\"" + random + "\"\n", memory.Medium},
		{"page.tsx", "  const token=\"" + random + "\"\n", memory.High},
		{"index.tsx", "Bugsnag.start({\n  apiKey: '746833cc883014579ab94b5d1222c638',\n", 0},
		{"index.tsx", "Mail.start({\n  apiKey: '746833cc883014579ab94b5d1222c638',\n", memory.High},
		{"m.json", `{"url": "https://a.io/x?X-Amz-Security-Token=` + random + `"}`, memory.Low},
		{"ci.yml", "URL: postgres://shop:river_walk2@db:5432/app\n", memory.Low},
		{"compose.yml", "  PASSWORD: t4g_pass\n", memory.Low},
		{"compose.yml", "  PASSWORD: prod_pass4\n", memory.Medium},
		{"compose.yml", "  PASSWORD: payments123\n", memory.Low},
		{"compose.yml", "  PASSWORD: payMents713\n", memory.Medium},
		{"compose.yml", "  URL: postgres://app:payments123@db.acme-corp.com/x\n", memory.Medium},
		{"archive.json", `{"html": "<div data-export-token=\"` + random + `\">"}`, memory.Low},
		{"archive.json", `{"html": "<a href=\"/export/?list=a&amp;token=` + random + `\">"}`, memory.Low},
		{"archive.json", `{"log": "level=\"info\" token=\"` + random + `\""}`, memory.High},
		{"scripts/scan.selftest.mjs", "const token = '" + random + "';\n", memory.Medium},
		{"ci.yml", "  MASTER_KEY: QmFzZTY0RW5jb2RlZE1hc3RlcktleU1pbjMyQ2hhcnM=\n", 0},
		{"a_test.go", "t := \"sk-ant-" + "api03-k8Kq_secret_payload-9xT4vRb8NcD3\"\n", memory.Low},
		{"node_modules/http/key.pem", whole, memory.Low}, {"src/vendors/stripe/key.pem", whole, memory.Medium},
		{"src/api.ts", "example: \"" + issuedClaims + "\"\n", memory.Medium},
		{"dist/app.js.map", "\"billing_token\":\"" + random + "\"\n", memory.High},
		{".github/workflows/deploy-production.yml", "  JWT_SECRET: " + random + "\n", memory.High},
		{"dev-ops/prod.env", "SESSION_SECRET=" + random + "\n", memory.High},
		{"src/db.ts", "postgres://app:Preview-Pg-7261@db.acme.io/app\n", memory.Medium},
		{".env.production", "DB_PASSWORD=Sample-Prod-2026!\n", memory.Medium},
		{".env.example", "ADMIN_PASSWORD=Shop123!\n", memory.Low},
		{"lang/prod/.env", "DB_PASSWORD=Sommer/Regen42\n", memory.Medium},
		{"E2E/login.ts", "token = '" + random + "'\n", memory.Medium},
		{"config/dev.exs", "  secret_key_base: \"" + random + "\",\n", memory.Medium},
		{"config/prod.exs", "  secret_key_base: \"" + random + "\",\n", memory.High},
		{"config/dev.exs", "  billing_token: \"" + random + "\",\n", memory.High},
		{".github/workflows/ci.yml", "  JWT_SECRET: " + random + "\n", memory.Medium},
		{".vscode/launch.json", `"COOKIES_ENCRYPTION_KEY": "` + random + `",`, memory.Medium},
		{".next/prerender-manifest.json", `"previewModeSigningKey": "` + random + `",`, memory.Medium},
		{"next/prerender-manifest.json", `"previewModeSigningKey": "` + random + `",`, memory.High},
		{".env", "VITE_SHOP_API_KEY=" + random + "\n", memory.Medium},
		{".env", "SHOP_TEST_TOKEN=" + random + "\n", memory.Medium},
		{".env", "SHOP_LATEST_TOKEN=" + random + "\n", memory.High},
		{".env", "SHOP_TEST_TOKEN=" + format + "\n", memory.High},
		{"docs/openapi.yml", "  token: " + random + "\n", memory.Medium},
		{"api.yml", "  apiKeyField:\n    example: \"" + claims + "\"\n", memory.Low},
		{"api.yml", "  apiKeyField:\n    default: \"" + claims + "\"\n", memory.High},
		{"prisma/seed.ts", "  password: 'Goodtaste2021.,?',\n", memory.Low},
		{"prisma/feed.ts", "  password: 'Goodtaste2021.,?',\n", memory.Medium},
		{"run.yml", "  TEST_CUSTOMER_PASSWORD: Sommer/Regen42\n", memory.Low},
		{"run.yml", "  CUSTOMER_PASSWORD: Sommer/Regen42\n", memory.Medium},
		{"values.yml", "  adminPassword: PreviewAdmin2026\n", memory.Low},
		{"values.yml", "  adminPassword: ReviewAdmin2026\n", memory.Medium},
		{"src/login.ts", "const password = 'Officer123!';\n", memory.Low},
		{"values.yml", "  password: Officer123!\n", memory.Medium},
		{"my-e2e/a.ts", "token = '" + random + "'\n", memory.Medium},
		{"src/i18n/de.json", `{"password": "Mindestens8!"}`, memory.Low},
		{"locales/de.json", `{"password": "Mindestens8!"}`, memory.Low},
		{"tests/config.py", "T = \"" + made + "\"\n", memory.Medium},
		{"tests/config.py", "T = \"" + issued + "\"\n", memory.High},
	} {
		var got []memory.Finding
		r := judge.New().Open(&judge.Doc{Path: c.path}, func(f memory.Finding) { got = append(got, f) })
		r.Piece(judge.Piece{Text: c.text, Line: 1, Column: 1})
		r.Done()
		if c.want == 0 && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].Severity != c.want {
			t.Errorf("%s: %q is %v, want %s", c.path, c.text, got, c.want)
		}
	}
}
