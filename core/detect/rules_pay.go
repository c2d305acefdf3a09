package detect

// Services for payments and commerce.
var (
	stripe     = issuer{"read payments and move money", "revoke it at https://dashboard.stripe.com/apikeys: roll the key", "https://docs.stripe.com/keys"}
	stripeHook = issuer{"forge events of Stripe", "revoke it at https://dashboard.stripe.com/webhooks: roll the secret", "https://docs.stripe.com/webhooks"}
	square     = issuer{"read payments and move money", "revoke it at https://developer.squareup.com/apps", "https://developer.squareup.com/docs/build-basics/access-tokens"}
	shopify    = issuer{"read and change the shop", "revoke it in the admin of the shop, under apps", "https://shopify.dev/docs/apps/build/authentication-authorization"}
	plaid      = issuer{"read bank accounts", "revoke it at https://dashboard.plaid.com/developers/keys", "https://plaid.com/docs/quickstart/glossary/"}
	flutter    = issuer{"read payments and move money", "revoke it at https://app.flutterwave.com/dashboard/settings/apis", gitleaks}
	cardless   = issuer{"read payments and move money", "revoke it at https://manage.gocardless.com/developers", "https://developer.gocardless.com/getting-started/api/making-your-first-request/"}
	lob        = issuer{"send post at its owner's cost", "revoke it at https://dashboard.lob.com/settings/api-keys", "https://docs.lob.com"}
	shippo     = issuer{"send parcels at its owner's cost", "revoke it at https://apps.goshippo.com/settings/api", "https://docs.goshippo.com/docs/guides_general/authentication/"}
	easypost   = issuer{"send parcels at its owner's cost", "revoke it at https://app.easypost.com/account/settings?tab=api-keys", "https://docs.easypost.com/docs/authentication"}
	duffel     = issuer{"book travel at its owner's cost", "revoke it at https://app.duffel.com", "https://duffel.com/docs/api/overview/test-your-integration"}
	coinbase   = issuer{"move money", "revoke it at https://www.coinbase.com/settings/api", gitleaks}
	exchange   = issuer{"trade and move money", "revoke it in the settings of the exchange, under API keys", gitleaks}
	banks      = issuer{"read bank accounts", "revoke it at https://developer.mastercard.com", gitleaks}
	freemius   = issuer{"change licences and payments", "revoke it in the settings of the product on Freemius", gitleaks}
	squaresp   = issuer{"read and change the site", "revoke it in the settings of the site, under developer API keys", gitleaks}
	etsy       = issuer{"read and change the shop", "revoke it at https://www.etsy.com/developers/your-apps", gitleaks}
	books      = issuer{"read the books of a company", "revoke it at https://my.freshbooks.com/#/developer", gitleaks}
	paypal     = issuer{"read payments and move money", "revoke it at https://developer.paypal.com/dashboard/applications", "https://developer.paypal.com/api/rest/authentication/"}
	razorpay   = issuer{"read payments and move money", "revoke it at https://dashboard.razorpay.com/app/website-app-settings/api-keys", "https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/"}
)

var payRules = []secretRule{
	{id: "stripe-key", name: "Stripe secret key", issuer: &stripe, forms: []tokenForm{
		{"sk_live_", "w10+", 24, nil}, {"sk_test_", "w10+", 24, nil}, {"sk_prod_", "w10+", 24, nil},
		{"rk_live_", "w10+", 24, nil}, {"rk_test_", "w10+", 24, nil}, {"rk_prod_", "w10+", 24, nil}}},
	{id: "stripe-webhook-secret", name: "Stripe webhook secret", issuer: &stripeHook, forms: []tokenForm{{"whsec_", "b16+", 26, nil}}},
	{id: "square-access-token", name: "Square access token", issuer: &square, forms: []tokenForm{{"sq0atp-", "s22,60", 28, nil}, {"sq0csp-", "s40,60", 28, nil}, {"EAAA", "s56,60", 36, isMixed}}},
	{id: "shopify-access-token", name: "Shopify access token", issuer: &shopify, forms: []tokenForm{{"shpat_", "X32", 28, nil}}},
	{id: "shopify-custom-access-token", name: "Shopify custom app token", issuer: &shopify, forms: []tokenForm{{"shpca_", "X32", 28, nil}}},
	{id: "shopify-private-app-access-token", name: "Shopify private app token", issuer: &shopify, forms: []tokenForm{{"shppa_", "X32", 28, nil}}},
	{id: "shopify-shared-secret", name: "Shopify shared secret", issuer: &shopify, forms: []tokenForm{{"shpss_", "X32", 28, nil}}},
	{id: "plaid-api-token", name: "Plaid access token", issuer: &plaid, forms: []tokenForm{
		{"access-sandbox-", uuidBody, 28, nil}, {"access-development-", uuidBody, 28, nil}, {"access-production-", uuidBody, 28, nil}}},
	{id: "plaid-secret-key", name: "Plaid secret", issuer: &plaid, named: []namedForm{{"plaid", "l30"}}},
	{id: "flutterwave-secret-key", name: "Flutterwave secret key", issuer: &flutter, forms: []tokenForm{{"FLWSECK_TEST-", "q32 - X", 28, nil}, {"FLWSECK-", "q32 - X", 28, nil}, {"FLWPUBK_TEST-", "q32 - X", 28, nil}}},
	{id: "flutterwave-encryption-key", name: "Flutterwave encryption key", issuer: &flutter, forms: []tokenForm{{"FLWSECK_TEST", "q12", 28, nil}, {"FLWSECK_TEST-", "q12", 28, nil}}},
	{id: "gocardless-api-token", name: "GoCardless access token", issuer: &cardless, forms: []tokenForm{{"live_", "t40", 36, isMixed}}},
	{id: "lob-api-key", name: "Lob API key", issuer: &lob, forms: []tokenForm{{"live_", "x35", 28, nil}, {"test_", "x35", 28, nil}, {"live_pub_", "x31", 28, nil}, {"test_pub_", "x31", 28, nil}}},
	{id: "shippo-api-token", name: "Shippo API token", issuer: &shippo, forms: []tokenForm{{"shippo_live_", "X40", 28, nil}, {"shippo_test_", "X40", 28, nil}}},
	{id: "easypost-api-token", name: "EasyPost API key", issuer: &easypost, forms: []tokenForm{{"EZAK", "a54", 33, nil}, {"EZTK", "a54", 33, nil}}},
	{id: "duffel-api-token", name: "Duffel access token", issuer: &duffel, forms: []tokenForm{{"duffel_live_", "t43", 30, nil}, {"duffel_test_", "t43", 30, nil}}},
	{id: "coinbase-access-token", name: "Coinbase access token", issuer: &coinbase, named: []namedForm{{"coinbase", "s64"}}},
	{id: "exchange-key", name: "Key of an exchange", issuer: &exchange, named: []namedForm{
		{"bittrex", "l32"}, {"kraken", "c80,90"}, {"kucoin", "x24"}, {"kucoin", uuidBody}, {"binance", "a64"}}},
	{id: "finicity-api-token", name: "Finicity key or secret", issuer: &banks, named: []namedForm{{"finicity", "x32"}, {"finicity", "l20"}}},
	{id: "freemius-secret-key", name: "Freemius secret key", issuer: &freemius, named: []namedForm{{"secret_key", "sk_g29"}}},
	{id: "squarespace-access-token", name: "Squarespace API key", issuer: &squaresp, named: []namedForm{{"squarespace", uuidBody}}},
	{id: "etsy-access-token", name: "Etsy API key", issuer: &etsy, named: []namedForm{{"etsy", "l24"}}},
	{id: "freshbooks-access-token", name: "FreshBooks access token", issuer: &books, named: []namedForm{{"freshbooks", "a64"}}},
	{id: "paypal-access-token", name: "PayPal access token", issuer: &paypal, forms: []tokenForm{{"access_token$production$", "l16 $ x32", 28, nil}, {"access_token$sandbox$", "l16 $ x32", 28, nil}}},
	{id: "razorpay-key", name: "Razorpay key", issuer: &razorpay, forms: []tokenForm{{"rzp_live_", "a14", 28, nil}, {"rzp_test_", "a14", 28, nil}}},
}
