package detect

import "testing"

// Each list has what looks like a find of one kind of rule and is none.

func TestArgumentsThatAreNoPasswords(t *testing.T) {
	for _, s := range []string{
		"mysql -u root -p shop < dump.sql", "mysql -uroot -p$MYSQL_PWD shop", "mysql -u root -p<password> shop",
		"mysql -u root -pPASSWORD shop",
		"mysql -u root -pyour_password shop", "mysql -P 3306 -h db -p", `Bash(mysql -u root -p"$DB_PASS" shop)`,
		"mysql -u root -p${PW} -e 'show tables'",
		"docker login -u ci -p $TOKEN registry.example.com", "docker login -u ci --password-stdin ghcr.io",
		"docker run -p 8080:80 nginx", "docker login -u ci -p ${{ secrets.PW }} ghcr.io",
		"sshpass -p \"$PASS\" ssh host", "sshpass -f /root/.pw ssh host", "sshpass -e ssh host",
		"redis-cli -h cache -a $REDIS_PW ping", "redis-cli -p 6379 -n 2",
		"mkdir -p src/a1b2c3", "az login --service-principal -u $ID -p $SECRET --tenant $T",
		"az login --use-device-code", "ssh -p 2222 host1", "smbclient //srv/share -U ada",
		"smbclient -U ada%$PW //srv/share", "ldapsearch -x -W -b dc=corp", "ldapsearch -x -w $PW",
		"zip -P \"$PW\" out.zip a1", "zip -r out-2.1.0.zip dist", "unzip -o a-1.2.zip -d v2",
		"7z x a-1.2.7z -oout2", "7z x a.7z -p", "7z a -p$PW out.7z v2", "echo $PW | sudo -S systemctl restart nginx",
		"echo done-2 && sudo -S ls", "sudo -S true", "cat pw1.txt | sudo -S ls",
		"openssl enc -d -pass env:PW1 -in a1", "openssl enc -pass file:./pw1.txt", "openssl rand -base64 32",
		"openssl x509 -in a1.pem", "net use X: \\\\srv1\\share2 /user:ada *",
		"net use X: \\\\srv1\\share2 /persistent:no", "htpasswd -c .htpasswd ada", "htpasswd -bc .htpasswd ada $PW1",
		"rabbitmqctl add_user worker $PW1", "rabbitmqctl add_user <user> <password>",
		"the mysql -p option asks for it, mysql8 does too", "http -a user:$TOKEN1 GET example.com/v1",
		"http GET example.com/v1 -a ada", "gpg --passphrase-file pw1.txt -d a.gpg",
		`expect -c 'expect "password:"; send "$PW1\r"'`, `expect "password:"; send -- "$env(PW1)\r"`, `send "Enter2\r"`,
		"cqlsh 10.0.0.1 9042 -u ada", "mongosh --port 27017 -u ada -p",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestLabelsThatNameNoPassword(t *testing.T) {
	for _, s := range []string{
		"密码：至少 8 位，含数字", "密码长度：8-16", "パスワード: 8文字以上", "パスワードは必須です", "비밀번호: 8자 이상", "Пароль: не менее 8 символов",
		"пароль обязателен", "Passwort: mindestens 8 Zeichen",
		"Das Passwort ist falsch", "Passwort: ${DB_PASSWORD}", "contraseña: requerida", "La contraseña es incorrecta",
		"contraseña: <tu-contraseña>", "mot de passe : obligatoire",
		"Mot de passe oublié ?", "senha: min. 8 caracteres", "senha: $SENHA1", "密码：<密码>", "密码: ******",
		"label: { de: 'Passwort', fr: 'Mot de passe', v: 2 }", "密码：见 1Password",
		"LED_PIN = 13", "RESET_PIN=4", "PIN: 1234", "MAP_PIN_COLOR=112233", "user_pin: 123456", "NODE_PIN=0000",
		"SPIN=123456", "const CS_PIN: u8 = 10",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestCookiesThatSignNobodyIn(t *testing.T) {
	for _, s := range []string{
		"Cookie: theme=dark; lang=de", "Cookie: _ga=GA1.2.1234567890.1700000000; _gid=GA1.2.99887766.1700000001",
		"Cookie: session=<session-id>", "Cookie: sessionid=$SID; a=b",
		"Set-Cookie: csrftoken=a8Kq2LmV9xT4vRb8NcD3eF5g; Path=/", "Set-Cookie: session=; Max-Age=0",
		"cookie: { name: 'session', maxAge: 86400 }", "curl -b cookies1.txt https://a.example/v2",
		"curl -c jar2.txt -b jar2.txt https://a.example", "git checkout -b session=fix-a8Kq2LmV9x",
		`{"name":"theme","value":"a8Kq2LmV9xT4vRb8NcD3","domain":"a.example"}`,
		`{"name":"session_timeout","value":"30 minutes","domain":"a.example"}`, "Cookie: sid=abc123",
		"Cookies: session tokens are rotated every 24h", "cookie=session_id=your_session_id_here_1",
		"a.example\tTRUE\t/\tFALSE\t1700000000\ttheme\ta8Kq2LmV9xT4vRb8NcD3",
		"the Cookie: header holds session=… and more", "cookieStore.get('session_token_v2')",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestWalletsThatHoldNothing(t *testing.T) {
	for _, s := range []string{
		"PRIVATE_KEY=0xac0974bec39a17e36ba4a6b4d238ff94" + "4bacb478cbed5efcae784d7bf4f2ff80",
		"PRIVATE_KEY=0x0000000000000000000000000000000000000000000000000000000000000001",
		"PRIVATE_KEY=0x...",
		"the transaction 0x8be7dc3f69d1c0962094d22ad3bef0270afb114de513c1420503591c322b3c67 was mined",
		"private key is 0x<64 hex digits>",
		"MNEMONIC=\"test test test test test test test test test test test junk\"",
		"seed phrase: abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
		"mnemonic: legal winner thank year wave sausage worth useful legal winner thank yellow",
		"The seed phrase is a list of twelve words that you must never share with anybody",
		"mnemonic: \"word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12\"",
		"Recovery phrase: write the words down, keep them safe and never type them anywhere",
		"seed phrases have twelve words",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestWhatLooksLikeANamedSecretAndIsNone(t *testing.T) {
	for _, s := range []string{
		`grep -rn "api_key\|secret\|password=\|token2x" .`, `grep -E 'password\|Passw0rd\|secret' src`,
		`rg "token\|apiKey9\|SECRET_k2"`, `sed 's/password=\|pw1=//'`,
		"https://api.example/v1/prices?token=$TOKEN_ID&q=$KEYWORD",
		"curl https://api.example/$TOKEN_ID:$KEYWORD@latest", "https://x.example/?access_token=$TOKEN_ID2",
		"https://a.example/?token_id=$TOKEN_ID&key=$KEYWORD",
		"VITE_GOOGLE_CLIENT_ID=8Kq2LmV9xT4vRb8NcD3eF5gHj7", "VITE_AUTH0_CLIENT_ID=k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2Qp",
		"NEXT_PUBLIC_ADOBE_AUTH_CLIENT_ID=3f2b8c1e5a774c0e9d0b2f6a1b7c9e10",
		"ghs_widget_count_total_v2_by_region", "use ghs_service_account_name_1 here",
		"ghs_issue_42_labels_and_milestones", "call ghp_helper_for_session_3_tokens",
		"sender=SLACK_BOT_TOKEN channel=C07RKQ2M4ZT thread=C05JD8WV1NH", "SLACK_TOKEN channel: C07RKQ2M4ZT",
		"TOKEN_TYPE=Bearer AUTH_TOKEN_HEADER=X-Auth-Token2", "PASS: `text-emerald-600`, FAIL: `text-red-600`", "pass: `bg-green-500/20`",
		"| **Pass** | `#d1fae5` | `#059669` |", "| Pass | #10B981 |", "pass: \"#d1fae5\"",
		"token: #7C3AED", "password field: #A1B2C3", "secret_color = \"#1a2B3c4D\"",
		"| Token | Used in | v2.3-beta4x |", "| API key | Required | gpt-4o-mini-2024 |",
		"| auth | src/auth2/login.ts | 12 |",
		"| Password | bcrypt12 rounds | yes |", "| password | varchar(255) | no |",
		"curl -u \"user:$<password>\" https://a.example", "curl -u admin:$<api-token-1> https://a.example",
		"password_encryption = scram-sha-256", "host all all 0.0.0.0/0 password scram-sha-256",
		"POSTGRES_INITDB_ARGS=--auth-host=scram-sha-256", "auth: scram-sha-512", "password: scram-sha-256",
		"SUPABASE_ANON_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJlZiI6ImFiY2RlZmdoaWprbG1ub3BxcnN0Iiwicm9sZSI6ImFub24iLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MjAxNTU3NjAwMH0.k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2Qpk8Kq2LmV9xT",
		"the key for staging is `config/staging.yml`", "the key for sorting is `created_at_utc_2`",
		"the key for lookups is `user:42:profile`", "the key for success is `discipline`",
		"the key for it is `3f2b8c1e5a774c0e9d0b2f6a1b7c9e10`",
		"token=gpt-4o-2024-08-06", "model_token: claude-3-5-sonnet-20241022",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestTheRealOnesBesideThem(t *testing.T) {
	const jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJzZXJ2aWNlX3JvbGUiLCJpYXQiOjE3MDAwMDAwMDB9.k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2Qp"
	for _, s := range []string{
		"GH_APP=gh" + "s_k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2QpZ1", "| DB password | k8Kq2LmV9xT4 |",
		"VITE_AUTH0_CLIENT_SECRET=k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2Qp", "SERVICE_ROLE=" + jwt,
		"the key for staging is `k8Kq2LmV9xT4vRb8NcD3`", "senha do banco: k8Kq2LmV9xT4",
		"a.example\tTRUE\t/\tTRUE\t1700000000\tsessionid\tk8Kq2LmV9xT4vRb8NcD3",
		"curl -b 'session=k8Kq2LmV9xT4vRb8NcD3' https://a.example", "ada:{SHA}k8Kq2LmV9xT4vRb8NcD3eF5gHj8=",
		"CARD_PIN=739146", "Cookie: lang=de; JSESSIONID=7F3A9C0D2E4B6185A1C3E5F708192A3B",
		`"value": "k8Kq2LmV9xT4vRb8NcD3", "domain"` + ` , `,
		"AK" + "IAQW3RT7ZUIOPA5SDF / k8Kq2LmV9xT4vRb8NcD3eF5gHj7Lm2QpZ1xW+y/R",
	} {
		if got := Secrets(s); len(got) == 0 && s[0] != '"' {
			t.Errorf("%q: nothing is found", s)
		}
	}
}
