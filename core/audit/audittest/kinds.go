package audittest

import (
	"encoding/base64"
	"strings"
)

// kind is a kind of secret.
type kind struct {
	name string
	// label is the variable that holds it, as its vendor's documentation calls it.
	label string
	// bare is set when it can be told by itself; others need their label beside them.
	bare  bool
	shape string           // as expand takes it
	make  func(gen) string // in place of a shape
	// least is how much of a cut one still tells what it is; 0 for 10 characters behind
	// the fixed beginning.
	least int
	// carrier is a text that it always stands in, at "{}": a URL, a header.
	carrier string
}

// leastLength is how much of a cut secret tells what it is.
func (k *kind) leastLength() int {
	if k.least > 0 {
		return k.least
	}
	fixed, _, _ := strings.Cut(k.shape, "‹")
	return len(strings.ReplaceAll(fixed, "·", "")) + 10
}

func (k *kind) secret(g gen) string {
	if k.make != nil {
		return k.make(g)
	}
	return g.expand(k.shape)
}

// hosts are the tokens of places where code lies and is built.
var hosts = []kind{
	{name: "github-classic", label: "GITHUB_TOKEN", bare: true, shape: "gh·p_‹sum:30›"},
	{name: "github-oauth", label: "GH_OAUTH_TOKEN", bare: true, shape: "gh·o_‹sum:30›"},
	{name: "github-user", label: "GH_USER_TOKEN", bare: true, shape: "gh·u_‹sum:30›"},
	{name: "github-server", label: "GH_APP_TOKEN", bare: true, shape: "gh·s_‹sum:30›"},
	{name: "github-refresh", label: "GH_REFRESH_TOKEN", bare: true, shape: "gh·r_‹w:76›"},
	{name: "github-fine-grained", least: 24, label: "GH_TOKEN", bare: true, shape: "github·_pat_11‹A:20›_‹w:59›"},
	{name: "gitlab-personal", label: "GITLAB_TOKEN", bare: true, shape: "gl·pat-‹u:20›"},
	{name: "gitlab-deploy", label: "GITLAB_DEPLOY_TOKEN", bare: true, shape: "gl·dt-‹u:20›"},
	{name: "gitlab-runner", label: "RUNNER_TOKEN", bare: true, shape: "gl·rt-‹u:20›"},
	{name: "gitlab-trigger", label: "TRIGGER_TOKEN", bare: true, shape: "gl·ptt-‹h:40›"},
	{name: "npm", label: "NPM_TOKEN", bare: true, shape: "np·m_‹sum:30›"},
	{name: "pypi", label: "TWINE_PASSWORD", bare: true, shape: "py·pi-AgEIcHlwaS5vcmc‹u:90›"},
	{name: "rubygems", label: "GEM_HOST_API_KEY", bare: true, shape: "ruby·gems_‹h:48›"},
	{name: "docker-hub", label: "DOCKER_PASSWORD", bare: true, shape: "dckr·_pat_‹u:27›"},
	{name: "buildkite", label: "BUILDKITE_API_TOKEN", bare: true, shape: "bk·ua_‹h:40›"},
	{name: "sonar", label: "SONAR_TOKEN", bare: true, shape: "sq·‹u|p|a›_‹h:40›"},
	{name: "postman", label: "POSTMAN_API_KEY", bare: true, shape: "PM·AK-‹h:24›-‹h:34›"},
	{name: "sentry-user", label: "SENTRY_AUTH_TOKEN", bare: true, shape: "sntr·yu_‹h:64›"},
	{name: "artifactory", label: "ARTIFACTORY_API_KEY", bare: true, shape: "AK·Cp‹w:69›"},
	{name: "terraform-cloud", least: 32, label: "TF_TOKEN", bare: true, shape: "‹w:14›.atl·asv1.‹u:64›"},
	{name: "pulumi", label: "PULUMI_ACCESS_TOKEN", bare: true, shape: "pu·l-‹h:40›"},
	{name: "doppler", label: "DOPPLER_TOKEN", bare: true, shape: "dp·.pt.‹w:43›"},
}

// clouds are the keys of places where programs run and data lies.
var clouds = []kind{
	{name: "aws-access-key", label: "AWS_ACCESS_KEY_ID", bare: true, shape: "AK·IA‹2:16›"},
	{name: "aws-temporary-key", label: "AWS_ACCESS_KEY_ID", bare: true, shape: "AS·IA‹2:16›"},
	{name: "aws-secret", label: "AWS_SECRET_ACCESS_KEY", shape: "‹b:40›"},
	{name: "google-api", label: "GOOGLE_API_KEY", bare: true, shape: "AI·za‹u:35›"},
	{name: "google-access", label: "GOOGLE_OAUTH_TOKEN", bare: true, shape: "ya·29.a0‹u:120›"},
	{name: "google-client-secret", label: "GOOGLE_CLIENT_SECRET", bare: true, shape: "GOC·SPX-‹u:28›"},
	{name: "azure-client-secret", least: 18, label: "AZURE_CLIENT_SECRET", bare: true, shape: "‹w:3›8·Q~‹u:34›"},
	{
		name:    "azure-storage",
		least:   16,
		label:   "AZURE_STORAGE_KEY",
		shape:   "‹b:86›==",
		carrier: "DefaultEndpointsProtocol=https;AccountName=prodlogs;AccountKey={};EndpointSuffix=core.windows.net",
	},
	{name: "digitalocean", label: "DIGITALOCEAN_TOKEN", bare: true, shape: "do·p_v1_‹h:64›"},
	{name: "heroku", label: "HEROKU_API_KEY", bare: true, shape: "HR·KU-AA‹u:58›"},
	{name: "fly", label: "FLY_API_TOKEN", bare: true, shape: "fo1·_‹u:43›"},
	{name: "netlify", label: "NETLIFY_AUTH_TOKEN", bare: true, shape: "nf·p_‹w:36›"},
	{name: "cloudflare", label: "CLOUDFLARE_API_TOKEN", shape: "‹u:40›"},
	{name: "databricks", label: "DATABRICKS_TOKEN", bare: true, shape: "da·pi‹h:32›"},
	{name: "vault", label: "VAULT_TOKEN", bare: true, shape: "hv·s.‹u:95›"},
	{name: "planetscale", label: "PLANETSCALE_TOKEN", bare: true, shape: "psc·ale_tkn_‹u:43›"},
	{name: "supabase", label: "SUPABASE_ACCESS_TOKEN", bare: true, shape: "sb·p_‹h:40›"},
	{name: "grafana-service", label: "GRAFANA_TOKEN", bare: true, shape: "gl·sa_‹w:32›_‹H:8›"},
	{name: "new-relic", label: "NEW_RELIC_API_KEY", bare: true, shape: "NR·AK-‹A:27›"},
	{name: "datadog", label: "DD_API_KEY", shape: "‹h:32›"},
	{name: "dynatrace", label: "DT_API_TOKEN", bare: true, shape: "dt0·c01.‹2:24›.‹2:64›"},
	{name: "tailscale", label: "TS_AUTHKEY", bare: true, shape: "ts·key-auth-‹w:12›CNTRL-‹w:32›"},
	{name: "alibaba", label: "ALIBABA_ACCESS_KEY_ID", bare: true, shape: "LT·AI‹w:20›"},
	{name: "nats-user", least: 20, label: "NATS_SEED", bare: true, make: func(g gen) string { return g.seed(20 << 3) }},
	{name: "nats-account", least: 20, label: "NATS_SEED", bare: true, make: func(g gen) string { return g.seed(0) }},
	{
		name:  "nats-operator",
		least: 20,
		label: "NATS_SEED",
		bare:  true,
		make:  func(g gen) string { return g.seed(14 << 3) },
	},
}

// services are the keys of models and of what teams use.
var services = []kind{
	{name: "openai-old", label: "OPENAI_API_KEY", bare: true, shape: "s·k-‹w:20›T3Bl·bkFJ‹w:20›"},
	{name: "openai-project", label: "OPENAI_API_KEY", bare: true, shape: "s·k-proj-‹u:74›T3Bl·bkFJ‹u:74›"},
	{name: "openai-bare", label: "OPENAI_API_KEY", bare: true, shape: "s·k-‹w:48›"},
	{name: "anthropic", label: "ANTHROPIC_API_KEY", bare: true, shape: "s·k-ant-api03-‹u:93›AA"},
	{name: "openrouter", label: "OPENROUTER_API_KEY", bare: true, shape: "s·k-or-v1-‹h:64›"},
	{name: "groq", label: "GROQ_API_KEY", bare: true, shape: "gs·k_‹w:52›"},
	{name: "xai", label: "XAI_API_KEY", bare: true, shape: "xa·i-‹w:80›"},
	{name: "perplexity", label: "PERPLEXITY_API_KEY", bare: true, shape: "pp·lx-‹w:48›"},
	{name: "hugging-face", label: "HF_TOKEN", bare: true, shape: "h·f_‹l:34›"},
	{name: "replicate", label: "REPLICATE_API_TOKEN", bare: true, shape: "r·8_‹w:37›"},
	{name: "langsmith", label: "LANGSMITH_API_KEY", bare: true, shape: "ls·v2_pt_‹h:32›_‹h:10›"},
	{name: "slack-bot", least: 38, label: "SLACK_BOT_TOKEN", bare: true, shape: "xo·xb-‹d:12›-‹d:13›-‹w:24›"},
	{name: "slack-user", least: 54, label: "SLACK_USER_TOKEN", bare: true, shape: "xo·xp-‹d:12›-‹d:12›-‹d:12›-‹h:32›"},
	{name: "slack-app", least: 44, label: "SLACK_APP_TOKEN", bare: true, shape: "xa·pp-1-A‹A:10›-‹d:13›-‹h:64›"},
	{
		name:  "slack-webhook",
		least: 67,
		label: "SLACK_WEBHOOK",
		bare:  true,
		shape: "https://hooks.sla·ck.com/services/T‹A:10›/B‹A:10›/‹w:24›",
	},
	{name: "discord-bot", least: 42, label: "DISCORD_TOKEN", bare: true, make: func(g gen) string {
		return base64.RawURLEncoding.EncodeToString([]byte(g.expand("1‹d:18›"))) + g.expand(".‹u:6›.‹u:38›")
	}},
	{
		name:  "discord-webhook",
		least: 64,
		label: "DISCORD_WEBHOOK",
		bare:  true,
		shape: "https://disc·ord.com/api/webhooks/1‹d:18›/‹u:68›",
	},
	{name: "telegram", least: 24, label: "TELEGRAM_BOT_TOKEN", bare: true, shape: "7‹d:9›:A·A‹u:33›"},
	{name: "stripe-live", label: "STRIPE_SECRET_KEY", bare: true, shape: "sk·_live_‹w:24›"},
	{name: "stripe-restricted", label: "STRIPE_KEY", bare: true, shape: "rk·_live_‹w:24›"},
	{name: "stripe-webhook", label: "STRIPE_WEBHOOK_SECRET", bare: true, shape: "wh·sec_‹w:32›"},
	{name: "square", label: "SQUARE_ACCESS_TOKEN", bare: true, shape: "sq0·atp-‹u:22›"},
	{name: "shopify", label: "SHOPIFY_TOKEN", bare: true, shape: "sh·pat_‹h:32›"},
	{name: "twilio", least: 20, label: "TWILIO_API_KEY", bare: true, shape: "S·K‹h:32›"},
	{name: "sendgrid", label: "SENDGRID_API_KEY", bare: true, shape: "S·G.‹u:22›.‹u:43›"},
	{name: "mailgun", label: "MAILGUN_API_KEY", shape: "ke·y-‹h:32›"},
	{name: "mailchimp", label: "MAILCHIMP_API_KEY", shape: "‹h:32›-us1‹d:1›"},
	{name: "brevo", label: "BREVO_API_KEY", bare: true, shape: "xke·ysib-‹h:64›-‹w:16›"},
	{name: "linear", label: "LINEAR_API_KEY", bare: true, shape: "lin·_api_‹w:40›"},
	{name: "notion", label: "NOTION_TOKEN", bare: true, shape: "nt·n_‹d:11›‹w:35›"},
	{name: "figma", label: "FIGMA_TOKEN", bare: true, shape: "fi·gd_‹u:40›"},
	{name: "airtable", least: 26, label: "AIRTABLE_API_KEY", bare: true, shape: "pa·t‹w:14›.‹h:64›"},
	{name: "atlassian", label: "JIRA_API_TOKEN", bare: true, shape: "ATA·TT3xFfGF0‹u:178›=‹H:8›"},
	{name: "hubspot", label: "HUBSPOT_TOKEN", bare: true, shape: "pa·t-na1-‹uuid›"},
	{name: "onepassword", label: "OP_SERVICE_ACCOUNT_TOKEN", bare: true, shape: "op·s_eyJ‹w:260›"},
}

// forms are secrets that have a form but no vendor.
var forms = []kind{
	{name: "jwt", least: 30, label: "SESSION_TOKEN", bare: true, make: gen.jwt},
	{name: "bearer", label: "AUTH_HEADER", shape: "‹u:40›", carrier: "Authorization: Bearer {}"},
	{name: "basic-header", label: "AUTH_HEADER", carrier: "Authorization: Basic {}", make: func(g gen) string {
		return base64.StdEncoding.EncodeToString([]byte("ci:" + g.expand("‹w:22›")))
	}},
	{
		name:    "https-password",
		label:   "GIT_REMOTE",
		shape:   "‹w:18›",
		carrier: "https://ci-bot:{}@git.corp.internal/app.git",
	},
	{
		name:    "postgres-password",
		label:   "DATABASE_URL",
		shape:   "‹w:20›",
		carrier: "postgres://app:{}@db-3.corp.internal:5432/orders",
	},
	{
		name:    "mysql-password",
		label:   "DATABASE_URL",
		shape:   "‹w:16›",
		carrier: "mysql://root:{}@db-1.corp.internal/shop",
	},
	{
		name:    "mongodb-password",
		label:   "MONGO_URL",
		shape:   "‹w:20›",
		carrier: "mongodb+srv://svc:{}@cluster0.k3fzq.example/prod",
	},
	{name: "redis-password", label: "REDIS_URL", shape: "‹w:24›", carrier: "redis://:{}@cache-1.corp.internal:6379/0"},
	{name: "amqp-password", label: "AMQP_URL", shape: "‹w:16›", carrier: "amqps://worker:{}@mq.corp.internal/jobs"},
	{name: "password", label: "DB_PASSWORD", shape: "‹p:18›"},
	{name: "client-secret", label: "OAUTH_CLIENT_SECRET", shape: "‹w:32›"},
	{name: "api-key", label: "INTERNAL_API_KEY", shape: "‹w:32›"},
	{
		name:  "private-key-rsa",
		least: 38,
		label: "SSH_KEY",
		bare:  true,
		make:  func(g gen) string { return g.pem("RSA PRIV"+"ATE KEY", 12) },
	},
	{
		name:  "private-key-ec",
		least: 38,
		label: "TLS_KEY",
		bare:  true,
		make:  func(g gen) string { return g.pem("EC PRIV"+"ATE KEY", 2) },
	},
	{
		name:  "private-key-openssh",
		least: 42,
		label: "SSH_KEY",
		bare:  true,
		make:  func(g gen) string { return g.pem("OPENSSH PRIV"+"ATE KEY", 6) },
	},
	{
		name:  "private-key-pkcs8",
		least: 36,
		label: "TLS_KEY",
		bare:  true,
		make:  func(g gen) string { return g.pem("PRIV"+"ATE KEY", 3) },
	},
	{name: "age", label: "AGE_KEY", bare: true, shape: "AGE-SEC·RET-KEY-1‹x:58›"},
}
