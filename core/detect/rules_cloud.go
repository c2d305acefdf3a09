package detect

import "winnow/core/memory"

// Services for machines, networks and data stores.
var (
	aws = issuer{"act in the AWS account", "revoke it in the IAM console: deactivate and delete the access key",
		"https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"}
	bedrock = issuer{"use models on Amazon Bedrock", "revoke it in the Bedrock console, under API keys",
		"https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html"}
	google = issuer{"use Google APIs at its owner's cost", "revoke it at https://console.cloud.google.com/apis/credentials",
		"https://cloud.google.com/docs/authentication/api-keys"}
	googleToken = issuer{"act as its owner on Google Cloud until it ends", "revoke it with gcloud auth revoke",
		"https://developers.google.com/identity/protocols/oauth2"}
	azure = issuer{"sign in as the application", "revoke it in the Azure portal: app registrations, certificates and secrets",
		"https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret"}
	azureStore = issuer{"read and change everything in the storage account", "revoke it in the Azure portal: rotate the access keys of the account",
		"https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage"}
	alibaba      = issuer{"act in the Alibaba Cloud account", "revoke it at https://ram.console.aliyun.com/manage/ak", "https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair"}
	tencent      = issuer{"act in the Tencent Cloud account", "revoke it at https://console.tencentcloud.com/cam/capi", "https://www.tencentcloud.com/document/product/598/34228"}
	yandex       = issuer{"act in the Yandex Cloud account", "revoke it with yc iam", "https://yandex.cloud/en/docs/iam/concepts/authorization/"}
	digitalocean = issuer{"act in the DigitalOcean account", "revoke it at https://cloud.digitalocean.com/account/api/tokens", "https://docs.digitalocean.com/reference/api/create-personal-access-token/"}
	heroku       = issuer{"act as its owner on Heroku", "revoke it with heroku authorizations:revoke", "https://devcenter.heroku.com/articles/authentication"}
	flyio        = issuer{"act in the Fly.io account", "revoke it with fly tokens revoke", "https://fly.io/docs/security/tokens/"}
	cloudflare   = issuer{"change what Cloudflare serves", "revoke it at https://dash.cloudflare.com/profile/api-tokens", "https://developers.cloudflare.com/fundamentals/api/get-started/"}
	fastly       = issuer{"change what Fastly serves", "revoke it at https://manage.fastly.com/account/personal/tokens", "https://docs.fastly.com/en/guides/using-api-tokens"}
	netlify      = issuer{"act as its owner on Netlify", "revoke it at https://app.netlify.com/user/applications", "https://docs.netlify.com/api/get-started/"}
	vercel       = issuer{"act as its owner on Vercel", "revoke it at https://vercel.com/account/settings/tokens", "https://vercel.com/docs/rest-api"}
	scalingo     = issuer{"act as its owner on Scalingo", "revoke it at https://dashboard.scalingo.com/account/tokens", gitleaks}
	supabase     = issuer{"change the Supabase project", "revoke it at https://supabase.com/dashboard/account/tokens", "https://supabase.com/docs/guides/api/api-keys"}
	planetscale  = issuer{"read and change the database", "revoke it with pscale password delete or pscale service-token delete", "https://planetscale.com/docs/concepts/service-tokens"}
	clickhouse   = issuer{"change the ClickHouse Cloud service", "revoke it at https://clickhouse.cloud/organizations/keys", gitleaks}
	databricks   = issuer{"act as its owner in the Databricks workspace", "revoke it in the user settings of Databricks, under access tokens", "https://docs.databricks.com/dev-tools/auth/pat.html"}
	vault        = issuer{"read what the Vault server lets it", "revoke it with vault token revoke", "https://developer.hashicorp.com/vault/docs/concepts/tokens"}
	doppler      = issuer{"read the secrets that Doppler keeps", "revoke it at https://dashboard.doppler.com", "https://docs.doppler.com/docs/service-tokens"}
	onepassword  = issuer{"open a 1Password vault", "revoke it at https://my.1password.com/profile", "https://support.1password.com/secret-key-security/"}
	infisical    = issuer{"read the secrets that Infisical keeps", "revoke it in the project settings of Infisical", "https://infisical.com/docs/documentation/platform/token"}
	tailscale    = issuer{"join machines to the network", "revoke it at https://login.tailscale.com/admin/settings/keys", "https://tailscale.com/kb/1277/key-prefixes"}
	definedNet   = issuer{"change the network", "revoke it at https://admin.defined.net", gitleaks}
	nats         = issuer{"sign in to the NATS server as its user", "revoke it with nsc revocations add-user, and make another key", "https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth"}
	openshift    = issuer{"act as its owner on the cluster", "revoke it with oc delete oauthaccesstoken", "https://docs.openshift.com/container-platform/latest/authentication/managing-oauth-access-tokens.html"}
	confluent    = issuer{"read and write Kafka topics", "revoke it with confluent api-key delete", gitleaks}
	meraki       = issuer{"change the network", "revoke it in the Meraki dashboard profile", gitleaks}
	maxmind      = issuer{"download databases at its owner's cost", "revoke it at https://www.maxmind.com/en/accounts/current/license-key", "https://dev.maxmind.com/release-note/new-license-key-format"}
)

var cloudRules = []secretRule{
	{id: "aws-access-key-id", name: "AWS access key id", issuer: &aws, forms: []tokenForm{
		{"AKIA", "u16", 25, isNotExample}, {"ASIA", "u16", 25, isNotExample}, {"ABIA", "e16", 30, isNotExample}, {"ACCA", "e16", 30, isNotExample},
		{"A3T", "u1 e16", 30, isNotExample}}},
	{id: "aws-secret-access-key", name: "AWS secret access key", issuer: &aws},
	{id: "aws-bedrock-api-key", name: "Amazon Bedrock API key", issuer: &bedrock, forms: []tokenForm{{"ABSK", "b109,271", 36, nil}, {"bedrock-api-key-" + "YmVkcm9jay5hbWF6b25hd3MuY29t", "c0+", 30, nil}}},
	{id: "gcp-api-key", name: "Google API key", issuer: &google, forms: []tokenForm{{"AIza", "s35", 33, nil}}},
	{id: "gcp-oauth-token", name: "Google OAuth access token", issuer: &googleToken, forms: []tokenForm{{"ya29.", "s20+", 30, nil}}},
	{id: "gcp-refresh-token", name: "Google OAuth refresh token", issuer: &googleToken, forms: []tokenForm{{"1//0", "s40+", 36, nil}}},
	{id: "gcp-client-secret", name: "Google OAuth client secret", issuer: &google, forms: []tokenForm{{"GOCSPX-", "s20+", 30, nil}}},
	{id: "azure-ad-client-secret", name: "Microsoft Entra client secret", issuer: &azure, infixes: []infixForm{
		{before: "r3", infix: "0Q~", after: "r31,34"}, {before: "r3", infix: "1Q~", after: "r31,34"}, {before: "r3", infix: "2Q~", after: "r31,34"}, {before: "r3", infix: "3Q~", after: "r31,34"}, {before: "r3", infix: "4Q~", after: "r31,34"},
		{before: "r3", infix: "5Q~", after: "r31,34"}, {before: "r3", infix: "6Q~", after: "r31,34"}, {before: "r3", infix: "7Q~", after: "r31,34"}, {before: "r3", infix: "8Q~", after: "r31,34"}, {before: "r3", infix: "9Q~", after: "r31,34"}}},
	{id: "azure-storage-key", name: "Azure storage account key", issuer: &azureStore, named: []namedForm{{"accountkey", "B86 = ="}, {"account_key", "B86 = ="}}},
	{id: "azure-sas-signature", name: "Azure shared access signature", issuer: &azureStore, source: "https://learn.microsoft.com/azure/storage/common/storage-sas-overview",
		forms: []tokenForm{{"&sig=", "v40+", 36, percentEncoded}, {"?sig=", "v40+", 36, percentEncoded}}},
	{id: "alibaba-access-key-id", name: "Alibaba Cloud access key id", issuer: &alibaba, forms: []tokenForm{{"LTAI", "a12,26", 30, isMixed}}},
	{id: "alibaba-secret-key", name: "Alibaba Cloud secret key", issuer: &alibaba, named: []namedForm{{"alibaba", "a30"}, {"aliyun", "a30"}}},
	{id: "tencent-secret-id", name: "Tencent Cloud secret id", issuer: &tencent, forms: []tokenForm{{"AKID", "a32", 36, isMixed}}},
	{id: "yandex-api-key", name: "Yandex Cloud API key", issuer: &yandex, source: gitleaks, forms: []tokenForm{{"AQVN", "s35,38", 36, nil}}},
	{id: "yandex-access-token", name: "Yandex Cloud access token", issuer: &yandex, source: gitleaks, named: []namedForm{{"yandex", "t 1 . p90+"}, {"yandex", "YCs38"}}},
	{id: "digitalocean-pat", name: "DigitalOcean personal access token", issuer: &digitalocean, forms: []tokenForm{{"dop_v1_", "X64", 28, nil}}},
	{id: "digitalocean-access-token", name: "DigitalOcean OAuth token", issuer: &digitalocean, forms: []tokenForm{{"doo_v1_", "X64", 28, nil}}},
	{id: "digitalocean-refresh-token", name: "DigitalOcean refresh token", issuer: &digitalocean, forms: []tokenForm{{"dor_v1_", "X64", 28, nil}, {"DOR_V1_", "X64", 28, nil}}},
	{id: "heroku-api-key-v2", name: "Heroku API key", issuer: &heroku, forms: []tokenForm{{"HRKU-AA", "s58", 36, nil}}},
	{id: "heroku-api-key", name: "Heroku API key", issuer: &heroku, named: []namedForm{{"heroku", uuidBody}}},
	{id: "flyio-access-token", name: "Fly.io access token", issuer: &flyio, forms: []tokenForm{{"fo1_", "s43", 36, nil}, {"fm1a_", "b100+", 36, nil}, {"fm1r_", "b100+", 36, nil}, {"fm2_", "b100+", 36, nil}}},
	{id: "cloudflare-origin-ca-key", name: "Cloudflare origin CA key", issuer: &cloudflare, forms: []tokenForm{{"v1.0-", "x24 - x146", 28, nil}}},
	{id: "cloudflare-global-api-key", name: "Cloudflare global API key", issuer: &cloudflare, named: []namedForm{{"cloudflare", "x37"}}},
	{id: "cloudflare-api-key", name: "Cloudflare API token", issuer: &cloudflare, forms: []tokenForm{{"cfut_", "a40+", 33, nil}, {"cfat_", "a40+", 33, nil}}, named: []namedForm{{"cloudflare", "s40"}}},
	{id: "fastly-api-token", name: "Fastly API token", issuer: &fastly, named: []namedForm{{"fastly", "t32"}}},
	{id: "netlify-access-token", name: "Netlify access token", issuer: &netlify, forms: []tokenForm{{"nfp_", "a36+", 33, nil}}, named: []namedForm{{"netlify", "t40,46"}}},
	{id: "vercel-token", name: "Vercel token", issuer: &vercel, forms: []tokenForm{{"vercel_blob_rw_", "w30+", 33, nil}}, named: []namedForm{{"vercel", "a24"}}},
	{id: "scalingo-api-token", name: "Scalingo API token", issuer: &scalingo, forms: []tokenForm{{"tk-us-", "s48", 28, nil}}},
	{id: "supabase-token", name: "Supabase token", issuer: &supabase, forms: []tokenForm{{"sbp_", "a40+", 28, nil}, {"sb_secret_", "s20+", 30, nil}}},
	{id: "planetscale-password", name: "PlanetScale password", issuer: &planetscale, forms: []tokenForm{{"pscale_pw_", "p32,64", 28, nil}}},
	{id: "planetscale-api-token", name: "PlanetScale API token", issuer: &planetscale, forms: []tokenForm{{"pscale_tkn_", "p32,64", 28, nil}}},
	{id: "planetscale-oauth-token", name: "PlanetScale OAuth token", issuer: &planetscale, forms: []tokenForm{{"pscale_oauth_", "p32,64", 28, nil}}},
	{id: "clickhouse-cloud-api-secret-key", name: "ClickHouse Cloud API secret", issuer: &clickhouse, forms: []tokenForm{{"4b1d", "a38", 40, isMixed}}},
	{id: "databricks-api-token", name: "Databricks access token", issuer: &databricks, forms: []tokenForm{{"dapi", "x32", 28, nil}}},
	{id: "vault-service-token", name: "Vault service token", issuer: &vault, forms: []tokenForm{{"hvs.", "s24+", 30, nil}}, named: []namedForm{{"vault", "s.a24"}}},
	{id: "vault-batch-token", name: "Vault batch token", issuer: &vault, forms: []tokenForm{{"hvb.", "s100+", 33, nil}, {"hvr.", "s24+", 33, nil}}},
	{id: "doppler-api-token", name: "Doppler token", issuer: &doppler, forms: []tokenForm{
		{"dp.pt.", "a40,44", 28, nil}, {"dp.st.", "j40+", 28, nil}, {"dp.ct.", "a40,44", 28, nil}, {"dp.sa.", "a40,44", 28, nil}, {"dp.scim.", "a40,44", 28, nil}, {"dp.audit.", "a40,44", 28, nil}}},
	{id: "1password-secret-key", name: "1Password secret key", issuer: &onepassword, forms: []tokenForm{{"A3-", "u6 - u6 - u5 - u5 - u5 - u5", 33, nil}, {"A3-", "u6 - u11 - u5 - u5 - u5", 33, nil}}},
	{id: "1password-service-account-token", name: "1Password service account token", issuer: &onepassword, source: "https://developer.1password.com/docs/service-accounts/security/", forms: []tokenForm{{"ops_eyJ", "b100+", 36, nil}}},
	{id: "infisical-token", name: "Infisical token", issuer: &infisical, forms: []tokenForm{{"st.", "x24 . x32 . x32", 28, nil}}},
	{id: "tailscale-key", name: "Tailscale key", issuer: &tailscale, forms: []tokenForm{{"tskey-", "s20+", 30, isMixed}}},
	{id: "defined-networking-api-token", name: "Defined Networking API token", issuer: &definedNet, forms: []tokenForm{{"dnkey-", "t26,79", 30, nil}}},
	{id: "nats-seed", name: "NATS seed", issuer: &nats, forms: []tokenForm{
		{"SUA", "e55,56", 30, nil}, {"SAA", "e55,56", 30, nil}, {"SOA", "e55,56", 30, nil}, {"SNA", "e55,56", 30, nil}, {"SCA", "e55,56", 30, nil}, {"SXA", "e55,56", 30, nil}}},
	{id: "openshift-user-token", name: "OpenShift user token", issuer: &openshift, forms: []tokenForm{{"sha256~", "s43", 35, nil}}},
	{id: "confluent-secret-key", name: "Confluent secret", issuer: &confluent, named: []namedForm{{"confluent", "a64"}, {"confluent", "a16"}}},
	{id: "cisco-meraki-api-key", name: "Cisco Meraki API key", issuer: &meraki, named: []namedForm{{"meraki", "x40"}}},
	{id: "maxmind-license-key", name: "MaxMind licence key", issuer: &maxmind, severity: memory.Medium, infixes: []infixForm{{before: "w36", infix: "_mmk"}}},
}
