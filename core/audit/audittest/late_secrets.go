package audittest

import (
	"math/rand/v2"
	"strings"

	"winnow/core/memory"
)

// LateContexts are where the secrets of LateSecrets stand.
var LateContexts = []string{"env", "json", "yaml", "code", "prose", "log"}

// LateSecrets returns 300 secrets of the vendors that agents meet today, each in all of LateContexts. They were written
// before the rules that find them were looked at again.
func LateSecrets(seed uint64) (items []Item) {
	g := gen{rand.New(rand.NewPCG(seed, 0x6c617465))}
	for i := range late {
		k := &late[i]
		for _, c := range LateContexts {
			secret := k.secret(g)
			it := marked(memory.FamilySecret, k.name, k.lateText(g, c, k.inCarrier(markSecret(secret))))
			it.Context, it.Secret = c, secret
			items = append(items, it)
		}
	}
	return items
}

// lateText returns a text of a context with the secret in it.
func (k *kind) lateText(g gen, context, shown string) string {
	name := strings.ToLower(k.label)
	camel := strings.ReplaceAll(name, "_", " ")
	switch context {
	case "env":
		return "NODE_ENV=production\n" + k.label + "=" + shown + "\nPORT=3000\n"
	case "json":
		return "{\n  \"retries\": 3,\n  \"" + name + "\": \"" + shown + "\"\n}\n"
	case "yaml":
		return "deploy:\n  env:\n    " + k.label + ": " +
			pick(g, []string{shown, `"` + shown + `"`, "'" + shown + "'"}) + "\n  replicas: 2\n"
	case "code":
		return pick(g, []string{
			"const " + name + " = '" + shown + "';\n", k.label + " = \"" + shown + "\"  # prod\n",
			"client = Client(" + name + "=\"" + shown + "\")\n", "os.environ[\"" + k.label + "\"] = \"" + shown +
				"\"\n",
		})
	case "prose":
		return pick(g, []string{
			"- The " + camel + " is `" + shown + "`; it is shared by all stages.\n", "Use " + k.label + " " + shown +
				" when the build asks.\n",
			"**" + k.label + "**: `" + shown + "`\n",
		})
	}
	return pick(g, []string{
		"2026-10-02T11:04:07Z DEBUG config loaded " + k.label + "=" + shown + " region=eu-1\n",
		"[11:04:07] env: { " + k.label + ": '" + shown + "' }\n", "+ export " + k.label + "=\"" + shown + "\"\n",
	})
}

// late are the kinds of LateSecrets.
var late = []kind{
	{name: "openai-service-account", label: "OPENAI_API_KEY", shape: "s·k-svcacct-‹u:74›T3Bl·bkFJ‹u:74›"},
	{name: "openai-admin", label: "OPENAI_ADMIN_KEY", shape: "s·k-admin-‹u:58›T3Bl·bkFJ‹u:58›"},
	{name: "anthropic-admin", label: "ANTHROPIC_ADMIN_KEY", shape: "s·k-ant-admin01-‹u:93›AA"},
	{name: "anthropic-oauth", label: "CLAUDE_CODE_OAUTH_TOKEN", shape: "s·k-ant-oat01-‹u:93›AA"},
	{name: "gemini", label: "GEMINI_API_KEY", shape: "A·Q.Ab8RN6‹u:43›"},
	{name: "mistral", label: "MISTRAL_API_KEY", shape: "‹w:32›"},
	{name: "deepseek", label: "DEEPSEEK_API_KEY", shape: "s·k-‹h:32›"},
	{name: "cohere", label: "COHERE_API_KEY", shape: "‹w:40›"},
	{name: "together", label: "TOGETHER_API_KEY", shape: "tg·p_v1_‹u:43›"},
	{name: "cerebras", label: "CEREBRAS_API_KEY", shape: "cs·k-‹a:48›"},
	{name: "fireworks", label: "FIREWORKS_API_KEY", shape: "f·w_‹w:22›"},
	{name: "elevenlabs", label: "ELEVENLABS_API_KEY", shape: "s·k_‹h:48›"},
	{name: "tavily", label: "TAVILY_API_KEY", shape: "tv·ly-dev-‹w:32›"},
	{name: "exa", label: "EXA_API_KEY", shape: "‹uuid›"},
	{name: "firecrawl", label: "FIRECRAWL_API_KEY", shape: "f·c-‹h:32›"},
	{name: "brave", label: "BRAVE_API_KEY", shape: "BS·A‹u:28›"},
	{name: "pinecone", label: "PINECONE_API_KEY", shape: "pc·sk_‹w:6›_‹w:63›"},
	{name: "voyage", label: "VOYAGE_API_KEY", shape: "p·a-‹u:43›"},
	{name: "jina", label: "JINA_API_KEY", shape: "ji·na_‹h:32›‹w:28›"},
	{name: "langfuse", label: "LANGFUSE_SECRET_KEY", shape: "s·k-lf-‹uuid›"},
	{name: "wandb", label: "WANDB_API_KEY", shape: "‹h:40›"},
	{name: "modal", label: "MODAL_TOKEN_SECRET", shape: "a·s-‹w:22›"},
	{name: "runpod", label: "RUNPOD_API_KEY", shape: "rp·a_‹A:42›‹m:4›"},
	{name: "supabase-secret", label: "SUPABASE_SECRET_KEY", shape: "sb·_secret_‹u:22›_‹u:8›"},
	{name: "neon", label: "NEON_API_KEY", shape: "na·pi_‹a:64›"},
	{name: "vercel", label: "VERCEL_TOKEN", shape: "‹w:24›"},
	{name: "resend", label: "RESEND_API_KEY", shape: "r·e_‹w:8›_‹w:24›"},
	{name: "upstash", label: "UPSTASH_REDIS_REST_TOKEN", shape: "A‹w:3›AAIjcD‹w:50›"},
	{name: "railway", label: "RAILWAY_TOKEN", shape: "‹uuid›"},
	{name: "render", label: "RENDER_API_KEY", shape: "rn·d_‹w:28›"},
	{name: "gitlab-routable", label: "GITLAB_TOKEN", shape: "gl·pat-‹u:27›.01.‹h:9›"},
	{name: "cloudflare-global", label: "CLOUDFLARE_API_KEY", shape: "‹h:37›"},
	{name: "azure-openai", label: "AZURE_OPENAI_API_KEY", shape: "‹w:52›JQ·QJ99BB‹w:10›ACOG‹w:6›"},
	{name: "azure-devops", label: "AZURE_DEVOPS_EXT_PAT", shape: "‹w:52›JQ·QJ99BB‹w:10›AZDO‹w:4›"},
	{name: "slack-refresh", label: "SLACK_CONFIG_TOKEN", shape: "xo·xe.xo·xp-1-‹w:160›"},
	{name: "twilio-auth", label: "TWILIO_AUTH_TOKEN", shape: "‹h:32›"},
	{name: "postmark", label: "POSTMARK_SERVER_TOKEN", shape: "‹uuid›"},
	{name: "paypal", label: "PAYPAL_CLIENT_SECRET", shape: "E‹u:79›"},
	{name: "honeycomb", label: "HONEYCOMB_API_KEY", shape: "hc·aik_01‹a:56›"},
	{name: "axiom", label: "AXIOM_TOKEN", shape: "xa·at-‹uuid›"},
	{name: "doppler-service", label: "DOPPLER_TOKEN", shape: "dp·.st.prd.‹w:43›"},
	{name: "auth0", label: "AUTH0_CLIENT_SECRET", shape: "‹u:64›"},
	{name: "google-refresh", label: "GOOGLE_REFRESH_TOKEN", shape: "1·//0‹u:100›"},
	{name: "databricks-numbered", label: "DATABRICKS_TOKEN", shape: "da·pi‹h:32›-2"},
	{name: "mongodb-atlas", label: "MONGODB_ATLAS_CLIENT_SECRET", shape: "md·b_sa_sk_‹u:40›"},
	{name: "apify", label: "APIFY_TOKEN", shape: "apify·_api_‹w:36›"},
	{name: "e2b", label: "E2B_API_KEY", shape: "e2·b_‹h:40›"},
	{name: "bedrock", label: "AWS_BEARER_TOKEN_BEDROCK", shape: "AB·SK‹b:128›"},
	{name: "fly-macaroon", label: "FLY_API_TOKEN", shape: "fm·2_‹b:160›=="},
	{name: "nvidia", label: "NVIDIA_API_KEY", shape: "nva·pi-‹u:64›"},
}

// LateForms returns 25 secrets that no vendor's form tells: passwords as options of programs, behind labels in other
// languages, in cookies, and keys of wallets. They were written before the rules that find them.
func LateForms(seed uint64) (items []Item) {
	g := gen{rand.New(rand.NewPCG(seed, 0x666f726d))}
	for line := range strings.Lines(lateForms) {
		kind, shape, _ := strings.Cut(strings.TrimSpace(line), " ")
		it := marked(memory.FamilySecret, kind, strings.ReplaceAll(g.expand(shape), `\n`, "\n"))
		it.Secret = it.Place()
		items = append(items, it)
	}
	return items
}

// lateForms are the kinds and texts of LateForms, one a line.
const lateForms = `mysqldump mysqldump -h db.corp.example -u root --password=⟦‹w:14›⟧ shop > shop.sql
mongosh mongosh "db.corp.example/shop" -u admin -p ⟦‹w:15›⟧ --eval "db.stats()"
sshpass Deploy: sshpass -p "⟦‹w:12›⟧" scp -r dist ada@host.example:/srv
ldapsearch ldapsearch -x -H ldap://dc.corp.example -D "cn=admin,dc=corp" -w ⟦‹w:13›⟧ -b dc=corp
smbclient smbclient //srv/share -U ada%⟦‹w:12›⟧ -c ls
az-login az login --service-principal -u ‹uuid› -p ⟦‹w:3›8Q~‹u:34›⟧ --tenant ‹uuid›
sudo echo "⟦‹w:12›⟧" | sudo -S apt-get update
rabbitmqctl rabbitmqctl add_user worker ⟦‹w:16›⟧
htpasswd-command htpasswd -bc /etc/nginx/.htpasswd ada ⟦‹w:14›⟧
openssl openssl enc -aes-256-cbc -d -in a.enc -out a -pass pass:⟦‹w:16›⟧
chinese 测试服务器的登录密码：⟦‹w:12›⟧
japanese 管理画面のパスワードは ⟦‹w:12›⟧ です
german Das Passwort für den Testserver ist ⟦‹w:12›⟧
spanish La contraseña de la base de datos es ⟦‹w:12›⟧
russian Пароль от тестовой базы: ⟦‹w:12›⟧
portuguese senha do banco: ⟦‹w:12›⟧
french Mot de passe admin : ⟦‹w:12›⟧
korean 관리자 비밀번호: ⟦‹w:12›⟧
cookie-header curl -H 'Cookie: sessionid=⟦‹a:32›⟧; theme=dark' https://app.corp.example/api/orders
set-cookie Set-Cookie: connect.sid=⟦s%3A‹u:32›.‹w:43›⟧; Path=/; HttpOnly
storage-state {"cookies":[{"name":"session_token","value":"⟦‹w:40›⟧","domain":"app.corp.example","path":"/"}]}
wallet The deployer wallet's private key is ⟦0x‹h:64›⟧
seed-phrase seed phrase: ⟦legal winner ‹thank|absent|ribbon› year wave sausage ‹worth|orbit|velvet› useful ‹zebra|lunar|coral› timber kidney vapor⟧
htpasswd ada:⟦$apr1$‹w:8›$‹w:22›⟧
aws-pair keys for the backup user: AK·IA‹2:16›:⟦‹b:40›⟧
`
