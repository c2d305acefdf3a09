package detect

// Services for monitoring, measuring and development.
var (
	grafana    = issuer{"read and change dashboards", "revoke it in Grafana, under service accounts", "https://grafana.com/docs/grafana/latest/administration/service-accounts/"}
	sentry     = issuer{"read errors and change projects on Sentry", "revoke it at https://sentry.io/settings/account/api/auth-tokens/", "https://docs.sentry.io/account/auth-tokens/"}
	newrelic   = issuer{"read and write the measurements of a system", "revoke it at https://one.newrelic.com/api-keys", "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/"}
	datadog    = issuer{"read and write the measurements of a system", "revoke it at https://app.datadoghq.com/organization-settings/api-keys", "https://docs.datadoghq.com/account_management/api-app-keys/"}
	dynatrace  = issuer{"read and write the measurements of a system", "revoke it in Dynatrace, under access tokens", "https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens"}
	sumologic  = issuer{"read and write logs", "revoke it in Sumo Logic, under access keys", "https://help.sumologic.com/docs/manage/security/access-keys/"}
	beamer     = issuer{"post for its owner", "revoke it at https://app.getbeamer.com/settings", gitleaks}
	postman    = issuer{"read and change collections", "revoke it at https://go.postman.co/settings/me/api-keys", "https://learning.postman.com/docs/reference/postman-api/authentication/"}
	launchd    = issuer{"switch features", "revoke it at https://app.launchdarkly.com/settings/authorization", "https://launchdarkly.com/docs/home/account/api"}
	okta       = issuer{"change who can sign in", "revoke it in the admin console of Okta, under API tokens", "https://developer.okta.com/docs/guides/create-an-api-token/main/"}
	authress   = issuer{"act as the service", "revoke it at https://authress.io/app/", gitleaks}
	figma      = issuer{"read designs", "revoke it at https://www.figma.com/settings", "https://www.figma.com/developers/api#access-tokens"}
	airtable   = issuer{"read and change tables", "revoke it at https://airtable.com/create/tokens", "https://airtable.com/developers/web/guides/personal-access-tokens"}
	asana      = issuer{"read and change tasks", "revoke it at https://app.asana.com/0/my-apps", "https://developers.asana.com/docs/authentication"}
	algolia    = issuer{"read and change search indexes", "revoke it at https://dashboard.algolia.com/account/api-keys", gitleaks}
	mapbox     = issuer{"use maps at its owner's cost", "revoke it at https://account.mapbox.com/access-tokens/", "https://docs.mapbox.com/accounts/guides/tokens/"}
	contentf   = issuer{"read content", "revoke it at https://app.contentful.com", gitleaks}
	typeform   = issuer{"read the answers to forms", "revoke it at https://admin.typeform.com/user/tokens", "https://www.typeform.com/developers/get-started/personal-access-token/"}
	adobe      = issuer{"use Adobe's services as its owner", "revoke it at https://developer.adobe.com/console", gitleaks}
	dropbox    = issuer{"read and change files", "revoke it at https://www.dropbox.com/account/connected_apps", "https://developers.dropbox.com/oauth-guide"}
	frameio    = issuer{"read and change videos", "revoke it at https://developer.frame.io/app/tokens", gitleaks}
	hubspot    = issuer{"read and change what is known of customers", "revoke it in HubSpot, under private apps", "https://developers.hubspot.com/docs/api/private-apps"}
	settlemint = issuer{"act as its owner on SettleMint", "revoke it in SettleMint, under access tokens", gitleaks}
	intra      = issuer{"act as the application on 42 intra", "revoke it at https://profile.intra.42.fr/oauth/applications", gitleaks}
	rapidapi   = issuer{"use services at its owner's cost", "revoke it at https://rapidapi.com/developer/apps", gitleaks}
	posthog    = issuer{"read what users do", "revoke it at https://app.posthog.com/settings/user-api-keys", "https://posthog.com/docs/api"}
	ngrok      = issuer{"open tunnels as its owner", "revoke it at https://dashboard.ngrok.com/get-started/your-authtoken", "https://ngrok.com/docs/agent/"}
	various    = issuer{"act as its owner on that service", "revoke it in the settings of the service", gitleaks}
)

var toolRules = []secretRule{
	{id: "grafana-service-account-token", name: "Grafana service account token", issuer: &grafana, forms: []tokenForm{{"glsa_", "w32+", 28, nil}}},
	{id: "grafana-cloud-api-token", name: "Grafana Cloud token", issuer: &grafana, forms: []tokenForm{{"glc_", "b32+", 30, nil}}},
	{id: "grafana-api-key", name: "Grafana API key", issuer: &grafana, forms: []tokenForm{{"eyJrIjoi", "b60+", 30, nil}}},
	{id: "sentry-org-token", name: "Sentry organisation token", issuer: &sentry, forms: []tokenForm{{"sntrys_eyJ", "c60+", 33, nil}}},
	{id: "sentry-user-token", name: "Sentry user token", issuer: &sentry, forms: []tokenForm{{"sntryu_", "x64", 28, nil}}},
	{id: "sentry-access-token", name: "Sentry access token", issuer: &sentry, named: []namedForm{{"sentry", "x64"}}},
	{id: "new-relic-user-api-key", name: "New Relic user key", issuer: &newrelic, forms: []tokenForm{{"NRAK-", "a27", 30, nil}}, named: []namedForm{{"new-relic", "a64"}, {"newrelic", "a64"}, {"new_relic", "a64"}}},
	{id: "new-relic-license-key", name: "New Relic ingest key", issuer: &newrelic, forms: []tokenForm{
		{"NRII-", "k32", 30, nil}, {"NRJS-", "x19", 26, nil}}, infixes: []infixForm{{before: "X36", infix: "NRAL"}}},
	{id: "datadog-access-token", name: "Datadog key", issuer: &datadog, named: []namedForm{{"datadog", "l40"}, {"datadog", "x32"}, {"dd_api_key", "x32"}, {"dd_app_key", "x40"}}},
	{id: "dynatrace-api-token", name: "Dynatrace token", issuer: &dynatrace, forms: []tokenForm{{"dt0c01.", "a24 . a64", 36, nil}, {"dt0s01.", "a24 . a64", 36, nil}}},
	{id: "sumologic-access-token", name: "Sumo Logic access key", issuer: &sumologic, named: []namedForm{{"sumo", "a64"}, {"sumo", "su a12"}}},
	{id: "beamer-api-token", name: "Beamer API key", issuer: &beamer, named: []namedForm{{"beamer", "b_t44"}}},
	{id: "postman-api-key", name: "Postman API key", issuer: &postman, forms: []tokenForm{{"PMAK-", "X24 - X34", 28, nil}, {"PMAT-", "u26", 28, nil}}},
	{id: "launchdarkly-access-token", name: "LaunchDarkly token", issuer: &launchd, forms: []tokenForm{{"sdk-", uuidBody, 28, nil}, {"api-", uuidBody, 28, nil}}, named: []namedForm{{"launchdarkly", "t40"}}},
	{id: "okta-access-token", name: "Okta API token", issuer: &okta, named: []namedForm{{"okta", "00t40"}}},
	{id: "authress-service-client-access-key", name: "Authress service key", issuer: &authress, forms: []tokenForm{
		{"sc_", authressBody, 28, nil}, {"ext_", authressBody, 28, nil}, {"scauth_", authressBody, 28, nil}, {"authress_", authressBody, 28, nil}}},
	{id: "figma-token", name: "Figma access token", issuer: &figma, forms: []tokenForm{{"figd_", "s40+", 30, nil}}},
	{id: "airtable-personal-access-token", name: "Airtable personal access token", issuer: &airtable, forms: []tokenForm{{"pat", "a14 . x64", 30, nil}}},
	{id: "airtable-api-key", name: "Airtable API key", issuer: &airtable, named: []namedForm{{"airtable", "a17"}}},
	{id: "asana-client-secret", name: "Asana token", issuer: &asana, named: []namedForm{{"asana", "l32"}, {"asana", "d1 / d16 : x32"}}},
	{id: "algolia-api-key", name: "Algolia API key", issuer: &algolia, named: []namedForm{{"algolia", "l32"}}},
	{id: "mapbox-api-token", name: "Mapbox token", issuer: &mapbox, forms: []tokenForm{{"sk.eyJ", "a60,120 . s22", 33, nil}}, named: []namedForm{{"mapbox", "pk.a60 . a22"}}},
	{id: "contentful-delivery-api-token", name: "Contentful token", issuer: &contentf, forms: []tokenForm{{"CFPAT-", "s43", 30, nil}}, named: []namedForm{{"contentful", "t43"}}},
	{id: "typeform-api-token", name: "Typeform token", issuer: &typeform, forms: []tokenForm{{"tfp_", "p59", 33, nil}}},
	{id: "adobe-client-secret", name: "Adobe client secret", issuer: &adobe, forms: []tokenForm{{"p8e-", "a32", 30, nil}}},
	{id: "dropbox-api-token", name: "Dropbox token", issuer: &dropbox, forms: []tokenForm{{"sl.", "t130,140", 36, nil}, {"sl.u.", "s100+", 36, nil}}, named: []namedForm{{"dropbox", "a11 AAAAAAAAAA t43"}, {"dropbox", "l15"}}},
	{id: "frameio-api-token", name: "Frame.io token", issuer: &frameio, forms: []tokenForm{{"fio-u-", "t64", 30, nil}}},
	{id: "hubspot-api-key", name: "HubSpot key", issuer: &hubspot, forms: []tokenForm{{"pat-na1-", uuidBody, 28, nil}, {"pat-eu1-", uuidBody, 28, nil}}, named: []namedForm{{"hubspot", uuidBody}}},
	{id: "settlemint-access-token", name: "SettleMint access token", issuer: &settlemint, forms: []tokenForm{{"sm_aat_", "a16", 26, nil}, {"sm_pat_", "a16", 26, nil}, {"sm_sat_", "a16", 26, nil}}},
	{id: "intra42-client-secret", name: "42 intra client secret", issuer: &intra, forms: []tokenForm{{"s-s4t2ud-", "X64", 28, nil}, {"s-s4t2af-", "X64", 28, nil}}},
	{id: "rapidapi-access-token", name: "RapidAPI key", issuer: &rapidapi, named: []namedForm{{"rapidapi", "s50"}}},
	{id: "posthog-api-key", name: "PostHog personal API key", issuer: &posthog, forms: []tokenForm{{"phx_", "a40+", 30, nil}}},
	{id: "ngrok-authtoken", name: "ngrok authtoken", issuer: &ngrok, named: []namedForm{{"ngrok", "w43,49"}}},
}

// authressBody is the body of Authress's keys.
const authressBody = "l5,30 . l4,6 . acc s11,33 . c30,120"

var variousRules = []secretRule{
	{id: "service-token", name: "Token of a service", issuer: &various, named: []namedForm{
		{"adafruit", "s32"}, {"bitbucket", "t64"}, {"bitbucket", "l32"}, {"codecov", "l32"}, {"codecov", uuidBody}, {"droneci", "l32"},
		{"finnhub", "l20"}, {"flickr", "l32"}, {"jfrog", "l73"}, {"artifactory", "l73"}, {"bintray", "l73"}, {"xray", "l73"},
		{"jfrog", "l64"}, {"artifactory", "l64"}, {"bintray", "l64"}, {"xray", "l64"}, {"linkedin", "a16"}, {"linked_in", "a16"}, {"linked-in", "a16"},
		{"looker", "l24"}, {"nytimes", "t32"}, {"newyorktimes", "t32"}, {"new-york-times", "t32"}, {"travis", "a22"},
		{"contribsys__com", "x8 : x8"}, {"adobe", "x32"}}},
}
