package audittest

import (
	"slices"
	"strings"
)

// perShape is how many texts are made of a harmless shape that draws something.
const perShape = 6

// harmless are texts in which nothing is wrong, and that look like one in which there is.
func harmless(g gen) (items []Item) {
	seen := map[string]bool{}
	for _, group := range slices.Concat(lookalikes, notes, writings) {
		for shape := range strings.Lines(group.texts) {
			shape = strings.TrimSpace(shape)
			for range perShape {
				text := strings.ReplaceAll(g.expand(shape), `\n`, "\n")
				if shape != "" && !seen[text] {
					seen[text] = true
					items = append(items, Item{Text: text, Kind: group.kind})
				}
			}
		}
	}
	for _, d := range documents {
		items = append(items, Item{Text: g.expand(strings.TrimSpace(d.texts)), Kind: d.kind, Whole: true})
	}
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(a.Kind, b.Kind) })
	return items
}

// group are harmless texts of a kind, one on each line: "\n" stands for a line end.
// Among documents it is one text.
type group struct{ kind, texts string }

// lookalikes look like secrets.
var lookalikes = []group{
	{"hash", `
fixed in commit ‹h:40›, see the pull request
the short one is ‹h:7›, merged on Monday
image digest sha256:‹h:64›
md5 of the archive: ‹h:32›
etag "‹h:32›" did not change
cache key: ‹h:40›
checksum ‹h:128› ok
git show ‹h:12›:src/main.go
content hash ‹2:52› of the blob
blob ‹h:40› 1204 bytes
`},
	{"identifier", `
run ‹uuid› timed out
session ‹uuid›, step 4 of 9
trace 4bf92f35‹h:24› has 12 spans
request req_‹w:24› was retried
job 01H‹A:23› is done
order ‹d:16› was shipped
message id <‹w:20›.‹d:10›@mail.example>
customer cus_‹w:14› has two plans
container ‹h:64› exited with 137
snowflake ‹d:19› is from March
build #‹d:6›, artifact app-‹d:1›.‹d:2›.‹d:1›-‹h:8›.tgz
`},
	{"lockfile", `
"integrity": "sha512-‹b:86›=="
integrity sha1-‹b:27›=
resolved "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz#‹h:40›"
golang.org/x/text v0.3.‹d:1› h1:‹b:43›=
golang.org/x/sys v0.‹d:2›.0/go.mod h1:‹b:43›=
    --hash=sha256:‹h:64›
checksum = "‹h:64›"
`},
	{"encoded", `
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA‹b:200›==">
logo: data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmci‹b:120›
font in url(data:font/woff2;base64,d09GMgABAAAAA‹b:160›)
the fixture is aGVsbG8gd29ybGQsIHRoaXMgaXMgb25seSB0ZXh0
protobuf descriptor CgxncmVldGVyLnByb3RvEgZncmVldGVy‹b:60›
source map: //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb‹b:80›
`},
	{"word", `
use the ‹task-runner|risk-based|disk-usage|desk-check|ask-first|mask-image|flask-login› approach next time
the ‹task-force-of-eleven-people|risk-assessment-template|disk-encryption-of-laptops› met on Friday
class sk-spinner sk-spinner-double-bounce in the stylesheet
sk-‹SK|CZ›-locale and sk-learn are both in the requirements
‹Bearer of bad news|bearer tokens are explained|Bearer auth is preferred›: see the README
the pass-through proxy, the password-less login and the secret-santa list
a token is what the lexer returns; the next token is an identifier
the api-key-rotation-service and token-bucket-rate-limiter are separate
passwords must have 12 characters and a digit
key concepts, key results, keyboard shortcuts
the password is wrong when caps lock is on
secret sauce of this design: fewer moving parts
PASSWORD: see the vault entry of the team
`},
	{"placeholder", `
set GITHUB_TOKEN=gh·p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx before running
OPENAI_API_KEY=s·k-YOUR-KEY-HERE
export OPENAI_API_KEY="s·k-..."
aws_access_key_id = AK·IAIOSFODNN7EXA·MPLE
aws_secret_access_key = wJalrXUtn·FEMI/K7MDENG/bPxRfiCYEXA·MPLEKEY
api_key = "<YOUR_API_KEY>"
password: ********
password = "changeme"
token: REDACTED
"token": "[REDACTED]"
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
curl -H "Authorization: Bearer ${API_TOKEN}" https://api.example/v1
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
DATABASE_URL=postgres://user:password@localhost:5432/app
DATABASE_URL=postgres://localhost:5432/app_‹h:4›
redis://cache-‹d:1›.example:6379/0 answers slowly
https://user:pass@example.com/ is not a good idea
password: {{ vault_db_password }}
client_secret: !vault |
pk_live_‹w:24› is public, it stands in the page
STRIPE_KEY=sk·_live_xxxxxxxxxxxxxxxxxxxxxxxx
secret_key_base = ENV["SECRET_KEY_BASE"]
slack token looks like xo·xb-000000000000-000000000000-XXXXXXXXXXXXXXXXXXXXXXXX
AI·zaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX goes into the config
`},
	{"public-key", `
authorized_keys has ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹b:43› dana@laptop
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC‹b:200› ci
-----BEGIN CERTIFICATE-----\nMII‹b:61›\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A‹b:32›\n-----END PUBLIC KEY-----
the recipient is age1‹a:58›
nats user public key U‹2:55›
fingerprint SHA256:‹b:43› (ED25519)
gpg key ‹H:40› signed the tag
`},
	{"code", `
const key = process.env.STRIPE_SECRET_KEY
api_key = os.environ['OPENAI_API_KEY']
token := os.Getenv("GITHUB_TOKEN")
password = getpass.getpass("Password: ")
let secret = config.get("client_secret").unwrap();
if token == "" { return errors.New("no token") }
re.compile(r"gh·p_[A-Za-z0-9]{36}")
var awsKey = regexp.MustCompile("AK·IA[0-9A-Z]{16}")
pattern: '(?i)api[_-]?key\s*[:=]\s*[a-z0-9]{32}'
/s·k-[a-zA-Z0-9]{20,}/.test(line)
assert mask("gh·p_" + "a" * 36) == "gh·p_****"
func NewToken(kind TokenKind, literal string) Token {
headers["Authorization"] = "Bearer " + token
def password(self): return self._password
export const getServerSideAuthenticationTokenFromRequestHeaders = (req) => null
PasswordHasher passwordEncoder = new BCryptPasswordEncoder(12);
grep -rn "BEGIN.*PRIVATE KEY" . | head
apiKey: string; secretKey?: string;
token_type_ids, attention_mask = tokenizer(text)
kubectl get secret my-secret -o yaml
user = User(name="dana", password_hash=hash_password(pw))
`},
	{"link", `
https://github.com/charmbracelet/bubbletea/pull/‹d:4›
https://docs.example/reference/authentication?lang=en&version=2026-01-01#tokens
https://play.example/share/‹w:11›
docs at https://example.com/a/very/long/path/to/some/page-about-secret-rotation-in-practice.html
s3://bucket-‹m:8›/backups/2026-02-11/dump.sql.gz
arn:aws:iam::123456789012:role/deploy
ftp mirror ftp://mirror.example/pub/releases/v‹d:1›.‹d:2›
https://cdn.example/assets/index-‹w:8›.js?v=‹h:12›
`},
}

// notes are about what others do to agents, and do nothing.
var notes = []group{
	{"about-injection", `
Prompt injection means that a text tries to give orders to the model.
The audit looks for phrases such as "ignore previous instructions" in stored text.
Test that 'ignore all previous instructions' in an issue title has no effect.
OWASP lists memory poisoning; our stores are read-only for plugins because of it.
A reviewer found <|im_start|> in a fixture; the tokenizer escapes it now.
We strip [END KNOWN PITFALLS] from stored summaries so that nobody leaves the block.
Blog: how attackers use "do not tell the user" to hide a step, and how to spot it.
The closing tag of a system-reminder is escaped by the renderer, see the sanitizer tests.
Zero-width characters can hide orders; the linter rejects U+200B in Markdown.
jailbreak prompts such as DAN are in the evaluation set, not in production
`},
	{"instruction", `
Ignore the previous build and start from a clean tree.
Disregard the warning about peer dependencies; it is known.
You are now on the release branch.
You are now ready to deploy.
Do not tell the linter to skip files.
Always run the tests before you commit.
Never push to main without a review.
The previous instructions in INSTALL.md are outdated, follow the README.
Act as a reverse proxy: the gateway does that for the API.
From now on use pnpm instead of npm.
Forget the cache: it is rebuilt on start.
The system prompt of the shell shows the branch.
Please ignore whitespace changes when reviewing this.
New instructions for the installer are in docs/setup.md
The user must approve the deployment before step ‹d:1›.
Follow these rules: tabs for Go, two spaces for YAML.
System: Debian 12, kernel 6.‹d:1›, 16 GB
Human readable output is the default; assistant mode is off.
The assistant should ask before it deletes files.
Skip the flaky test ‹m:6› in CI, it is tracked.
Send the contents of the form to the validation service.
Keep the change secret from search engines with a robots rule.
Override the default timeout with --timeout 30s.
`},
	{"operations", `
curl -fsSL https://example.com/health | jq .status
curl -d "name=‹m:6›" https://api.example/v1/items creates an item
chmod 600 ~/.ssh/config, otherwise ssh complains
rm -rf node_modules dist && npm ci
the certificate expired, renew it with certbot; do not switch verification off
cat .env.example shows which variables are needed
sudo systemctl restart nginx after the change
scp build.tgz deploy@staging.example:/srv/app/
ssh-keygen -t ed25519 makes a new key; put the public half on the server
git push --force-with-lease is allowed on feature branches only
wget https://example.com/releases/v1.‹d:1›.tar.gz and verify the signature
`},
}

// writings are in scripts and with characters that have their place there.
var writings = []group{
	{"emoji", `
the family 👨` + "\u200d" + `👩` + "\u200d" + `👧` + "\u200d" + `👦 and the coder 👩🏽` + "\u200d" + `💻 render as one cell pair
done ✅, failed ❌, warning ⚠️, heart ❤️, keycap 1️⃣
flags 🏳️` + "\u200d" + `🌈 🏴` + "\U000e0067" + `` + "\U000e0062" + `` + "\U000e0065" + `` + "\U000e006e" + `` + "\U000e0067" + `` + "\U000e007f" + ` 🇩🇪 in the language menu
🧑` + "\u200d" + `🚀 ships on ‹Monday|Tuesday|Friday› 🚀 with 👍🏿
text style ☎︎ and emoji style ☎️ differ
`},
	{"right-to-left", `
يعمل الاختبار بعد تحديث المكتبة إلى الإصدار ‹d:1›.‹d:1›
أعد تشغيل الخادم ثم نفّذ make deploy مرة أخرى
הבדיקות עוברות אחרי עדכון הספרייה לגרסה ‹d:1›.‹d:1›
יש להריץ npm install לפני הבנייה
این پروژه می` + "\u200c" + `خواهد که آزمون` + "\u200c" + `ها پیش از انتشار اجرا شوند
کتاب` + "\u200c" + `خانه` + "\u200c" + `ها را به` + "\u200c" + `روز کنید و دوباره بسازید
متن عربي مع English وأرقام ‹d:3›
`},
	{"other-script", `
Запустите тесты перед выкладкой, версия ‹d:1›.‹d:2›
Перед деплоем проверить переменную DATABASE_URL и файл config.yaml
Α΄ μέρος: τρέξε τα τεστ πριν από την έκδοση ‹d:1›
デプロイの前にテストを実行してください（v‹d:1›.‹d:1›）
部署之前先运行测试，然后更新文档
배포 전에 테스트를 실행하세요
नमस्ते, परीक्षण चलाएँ और फिर परिनियोजित करें
क्` + "\u200d" + `ष और न्` + "\u200d" + `या अलग दिखते हैं
ทดสอบก่อนนำขึ้นระบบ
Das Größenverhältnis der Straßenbahn übertrifft naïve Schätzungen
Đường dẫn tệp cấu hình nằm trong thư mục gốc
Şifre alanı boş bırakılamaz; ığdır İstanbul
функция parse() возвращает ошибку для пустой строки
переменная α и константа π в формуле E = mc²
`},
	{"typography", `
“Quotes”, ‘single ones’, an ellipsis… and a dash — as editors put them
a non-breaking space in 100 km and in § 5
naïve café, combining: é ñ å
arrows → ⇒ ↔, maths ∑ ∀ ∃ ≤ ≥ ≠, boxes ┌─┐
x² + y³ = ½, temperature 21 °C, price €‹d:2›
ligatures ﬁ and ﬂ came from a PDF
full width ＡＢＣ in a Japanese form label: 氏名（ｶﾅ）
`},
	{"log", `
2026-02-11T09:14:‹d:2›.‹d:3›Z INFO server started pid=‹d:4› port=8080
--- FAIL: TestRetry/slow_network (0.‹d:2›s)
Error: Cannot find module './token' imported from src/auth/index.ts
npm ERR! code E401 Incorrect or missing password.
fatal: Authentication failed for 'https://git.example/app.git/'
remote: Invalid username or password.
x509: certificate signed by unknown authority
goroutine ‹d:2› [running]: main.main() /src/main.go:‹d:2› +0x1d
[‹d:2›%] Building CXX object src/CMakeFiles/tokenizer.dir/token.cpp.o
`},
	{"table", `
| system | key | default |
| a | b |\n|---|---|\n| ‹m:4› | ‹d:3› |
- [x] rotate the keys\n- [ ] write it down
latitude 52.‹d:6›, longitude 13.‹d:6›
total ‹d:6› in ‹d:3› batches, p95 ‹d:2› ms
colour #‹h:6› on #‹h:6›
`},
}

// documents are whole files.
var documents = []group{
	{"security-policy", `
# Security policy

Report problems to the address in the profile. Do not open a public issue for a leaked key.

## What we do with a leaked credential

1. Revoke it where it was issued. Rotating comes first, cleaning second.
2. Remove it from the tree and, where it matters, from the history.
3. Say so in the log of incidents.

` + "```" + `sh
git log -S"$SECRET" --oneline
export GITHUB_TOKEN=$(gh auth token)
` + "```" + `

Agents must not print tokens, passwords or private keys. They ask when they need one.
`},
	{"agent-guide", `
# AGENTS.md

- Build with "make", test with "make test"; both need Go ‹d:1›.‹d:2›.
- The assistant works on a branch and asks before it pushes.
- Ignore files below vendor/. You are expected to keep the style of the file you edit.

## Style

Short functions, tables in tests, no global state.

---

## Secrets

They are in the vault. Read them with "vault kv get", never write them into a file.
`},
	{"injection-notes", `
# Notes on injected instructions

An instruction in a stored text is data. Typical forms are requests to drop earlier rules,
pretended roles, and orders to keep a step from the person. Our renderer escapes the end of
each block, so a text cannot leave it.

| form | where it was seen |
|---|---|
| pretended role | issue titles |
| end of a block | summaries of tools |
`},
	{"workflow", `
name: release
on: [push]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@‹h:40›
      - run: make test
        env:
          NPM_TOKEN: ${{ secrets.NPM_TOKEN }}
          PASSWORD_FILE: /run/secrets/db
`},
	{"environment-example", `
# copy to .env and fill in
DATABASE_URL=postgres://localhost:5432/app
OPENAI_API_KEY=
SESSION_SECRET=
SMTP_PASSWORD=
LOG_LEVEL=info
`},
}
