package detect

// Services for messages, mail and calls.
var (
	slack = issuer{"read and write messages in the Slack workspace", "revoke it with the auth.revoke method, or at https://api.slack.com/apps",
		"https://api.slack.com/concepts/token-types"}
	slackHook  = issuer{"post to the channel", "revoke it at https://api.slack.com/apps, under incoming webhooks", "https://api.slack.com/messaging/webhooks"}
	discord    = issuer{"act as the bot", "revoke it at https://discord.com/developers/applications: reset the token", "https://discord.com/developers/docs/reference"}
	telegram   = issuer{"act as the bot", "revoke it by sending /revoke to @BotFather", "https://core.telegram.org/bots/api"}
	teams      = issuer{"post to the channel", "revoke it in the connectors of the Teams channel", "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook"}
	twilio     = issuer{"call and send messages at its owner's cost", "revoke it at https://console.twilio.com, under API keys and tokens", "https://www.twilio.com/docs/iam/api-keys"}
	sendgrid   = issuer{"send mail as its owner", "revoke it at https://app.sendgrid.com/settings/api_keys", "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys"}
	mailgun    = issuer{"send mail as its owner", "revoke it at https://app.mailgun.com/settings/api_security", "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/"}
	mailchimp  = issuer{"send mail as its owner", "revoke it at https://admin.mailchimp.com/account/api", "https://mailchimp.com/developer/marketing/guides/quick-start/"}
	brevo      = issuer{"send mail as its owner", "revoke it at https://app.brevo.com/settings/keys/api", "https://developers.brevo.com/docs/getting-started"}
	resend     = issuer{"send mail as its owner", "revoke it at https://resend.com/api-keys", "https://resend.com/docs/dashboard/api-keys/introduction"}
	postmark   = issuer{"send mail as its owner", "revoke it in the server settings of Postmark", gitleaks}
	intercom   = issuer{"read conversations with customers", "revoke it at https://app.intercom.com/a/apps/_/developer-hub", gitleaks}
	mattermost = issuer{"act as its owner on Mattermost", "revoke it in the profile of Mattermost, under personal access tokens", gitleaks}
	messageb   = issuer{"send messages at its owner's cost", "revoke it at https://dashboard.messagebird.com", gitleaks}
	sendbird   = issuer{"read and write messages", "revoke it at https://dashboard.sendbird.com", gitleaks}
	twitch     = issuer{"act as the application on Twitch", "revoke it at https://dev.twitch.tv/console/apps", "https://dev.twitch.tv/docs/authentication/"}
	twitter    = issuer{"act as the application on X", "revoke it at https://developer.x.com/en/portal/projects-and-apps", "https://docs.x.com/resources/fundamentals/authentication"}
	facebook   = issuer{"act as its owner on Facebook", "revoke it at https://developers.facebook.com/apps", "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/"}
	gitter     = issuer{"act as its owner on Gitter", "revoke it at https://developer.gitter.im/apps", gitleaks}
	zendesk    = issuer{"read the tickets of customers", "revoke it in the admin center of Zendesk", gitleaks}
)

var chatRules = []secretRule{
	{id: "slack-app-token", name: "Slack app-level token", issuer: &slack, forms: []tokenForm{{"xapp-", "s20+", 28, hasDigit}}},
	{id: "slack-bot-token", name: "Slack bot token", issuer: &slack, forms: []tokenForm{{"xoxb-", "d8,14 - s8+", 25, nil}}},
	{id: "slack-user-token", name: "Slack user token", issuer: &slack, forms: []tokenForm{{"xoxp-", "d8,14 - s10+", 25, nil}, {"xoxe-", "s20+", 25, hasDigit}}},
	{id: "slack-config-token", name: "Slack configuration token", issuer: &slack, forms: []tokenForm{{"xoxe.xox", "s20+", 25, hasDigit}}},
	{id: "slack-legacy-token", name: "Slack legacy token", issuer: &slack, forms: []tokenForm{
		{"xoxa-", "s10+", 25, hasDigit}, {"xoxr-", "s10+", 25, hasDigit}, {"xoxs-", "d6,16 - s10+", 25, hasDigit}, {"xoxo-", "d6,16 - s10+", 25, hasDigit}, {"xoxd-", "s10+", 25, hasDigit}, {"xoxc-", "s10+", 25, hasDigit}}},
	{id: "slack-webhook-url", name: "Slack webhook address", issuer: &slackHook, forms: []tokenForm{
		{"hooks.slack.com/services/", "B40+", 30, nil}, {"hooks.slack.com/workflows/", "B40+", 30, nil}, {"hooks.slack.com/triggers/", "B40+", 30, nil}}},
	{id: "discord-bot-token", name: "Discord bot token", issuer: &discord, infixes: []infixForm{{infix: discordText}}},
	{id: "discord-webhook-url", name: "Discord webhook address", issuer: &discord, source: "https://discord.com/developers/docs/resources/webhook", forms: []tokenForm{
		{"discord.com/api/webhooks/", "d17,20 / s60+", 30, nil}, {"discordapp.com/api/webhooks/", "d17,20 / s60+", 30, nil}}},
	{id: "discord-client-secret", name: "Discord client secret", issuer: &discord, named: []namedForm{{"discord", "t32"}, {"discord", "x64"}}},
	{id: "telegram-bot-token", name: "Telegram bot token", issuer: &telegram, infixes: []infixForm{{before: "d8,10", infix: ":AA", after: "s32,33"}}, named: []namedForm{{"telegr", "d5,16 : As34"}}},
	{id: "microsoft-teams-webhook", name: "Microsoft Teams webhook address", issuer: &teams, forms: []tokenForm{
		{".webhook.office.com/webhookb2/", "l8 - l4 - l4 - l4 - l12 @ l8 - l4 - l4 - l4 - l12 / IncomingWebhook/ l32 / l8 - l4 - l4 - l4 - l12", 30, nil}}},
	{id: "twilio-api-key", name: "Twilio API key", issuer: &twilio, forms: []tokenForm{{"SK", "X32", 28, nil}}},
	{id: "twilio-auth-token", name: "Twilio auth token", issuer: &twilio, named: []namedForm{{"twilio", "x32"}}},
	{id: "sendgrid-api-key", name: "SendGrid API key", issuer: &sendgrid, forms: []tokenForm{{"SG.", "p40,120", 30, nil}}},
	{id: "mailgun-api-key", name: "Mailgun API key", issuer: &mailgun, forms: []tokenForm{{"key-", "x32", 28, nil}, {"key-", "l32", 33, isMixed}}, named: []namedForm{{"mailgun", "key-l32"}}},
	{id: "mailgun-signing-key", name: "Mailgun signing key", issuer: &mailgun, named: []namedForm{{"mailgun", "q32 - q8 - q8"}}},
	{id: "mailchimp-api-key", name: "Mailchimp API key", issuer: &mailchimp, named: []namedForm{{"mailchimp", "x32 - us d2"}}, infixes: []infixForm{{before: "x32", infix: "-us", after: "d1,2"}}},
	{id: "brevo-api-key", name: "Brevo API key", issuer: &brevo, forms: []tokenForm{{"xkeysib-", "x64 - a16", 28, nil}, {"xsmtpsib-", "x64 - a16", 28, nil}}},
	{id: "resend-api-key", name: "Resend API key", issuer: &resend, forms: []tokenForm{{"re_", "a8 _ a20,26", 33, isMixed}}},
	{id: "postmark-server-token", name: "Postmark server token", issuer: &postmark, named: []namedForm{{"postmark", uuidBody}}},
	{id: "intercom-api-key", name: "Intercom API key", issuer: &intercom, named: []namedForm{{"intercom", "t60"}}},
	{id: "mattermost-access-token", name: "Mattermost access token", issuer: &mattermost, named: []namedForm{{"mattermost", "l26"}}},
	{id: "messagebird-api-token", name: "MessageBird API key", issuer: &messageb, named: []namedForm{{"messagebird", "l25"}, {"message_bird", "l25"}, {"message-bird", "l25"}, {"messagebird", uuidBody}}},
	{id: "sendbird-access-token", name: "Sendbird API token", issuer: &sendbird, named: []namedForm{{"sendbird", "x40"}, {"sendbird", uuidBody}}},
	{id: "twitch-api-token", name: "Twitch token", issuer: &twitch, named: []namedForm{{"twitch", "l30"}}},
	{id: "twitter-bearer-token", name: "X bearer token", issuer: &twitter, forms: []tokenForm{{"AAAAAAAAAAAAAAAAAAAAA", "A h80,102", 0, isMixed}}},
	{id: "twitter-access-token", name: "X access token", issuer: &twitter, named: []namedForm{{"twitter", "d15,25 - a20,40"}}},
	{id: "twitter-api-secret", name: "X API key or secret", issuer: &twitter, named: []namedForm{{"twitter", "a50"}, {"twitter", "a45"}, {"twitter", "a25"}}},
	{id: "facebook-page-access-token", name: "Facebook page access token", issuer: &facebook, forms: []tokenForm{{"EAAM", "a100+", 36, nil}, {"EAAC", "a100+", 36, nil}, {"EAAB", "a100+", 36, nil}, {"EAAG", "a100+", 36, nil}}},
	{id: "facebook-access-token", name: "Facebook access token", issuer: &facebook, named: []namedForm{{"facebook", "d15,16 | s27,40"}, {"facebook", "d15,16 % s27,40"}}},
	{id: "facebook-secret", name: "Facebook app secret", issuer: &facebook, named: []namedForm{{"facebook", "x32"}}},
	{id: "gitter-access-token", name: "Gitter access token", issuer: &gitter, named: []namedForm{{"gitter", "s40"}}},
	{id: "zendesk-secret-key", name: "Zendesk API token", issuer: &zendesk, named: []namedForm{{"zendesk", "a40"}}},
}
