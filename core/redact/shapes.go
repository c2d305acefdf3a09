package redact

import "strings"

// shape is the form of a token that is known by its beginning: at least min
// bytes of a set after the prefix. A token that begins like one but goes on with
// more letters than an exact shape has is something else.
type shape struct {
	rule   string
	prefix string
	set    class
	min    int
	exact  bool
	check  func(token string) bool // may be nil
}

// shapes are the token forms that their issuers document.
var shapes = []shape{
	{rule: "github-pat", prefix: "ghp_", set: word, min: 16},
	{rule: "github-oauth", prefix: "gho_", set: word, min: 16},
	{rule: "github-app-token", prefix: "ghu_", set: word, min: 16},
	{rule: "github-app-token", prefix: "ghs_", set: word, min: 16},
	{rule: "github-refresh-token", prefix: "ghr_", set: word, min: 16},
	{rule: "github-fine-grained-pat", prefix: "github_pat_", set: word, min: 20},
	{rule: "gitlab-pat", prefix: "glpat-", set: slug, min: 20},
	{rule: "gitlab-deploy-token", prefix: "gldt-", set: slug, min: 20},
	{rule: "gitlab-runner-token", prefix: "glrt-", set: slug, min: 20},
	{rule: "gitlab-trigger-token", prefix: "glptt-", set: slug, min: 20},
	{rule: "anthropic-api-key", prefix: "sk-ant-", set: slug, min: 16},
	{rule: "openai-api-key", prefix: "sk-proj-", set: slug, min: 16, check: mixed},
	{rule: "openai-api-key", prefix: "sk-svcacct-", set: slug, min: 16, check: mixed},
	{rule: "openrouter-api-key", prefix: "sk-or-v1-", set: hex, min: 32},
	{rule: "openai-api-key", prefix: "sk-", set: word, min: 20, check: mixed},
	{rule: "aws-access-key-id", prefix: "AKIA", set: upper | digit, min: 16, exact: true},
	{rule: "aws-access-key-id", prefix: "ASIA", set: upper | digit, min: 16, exact: true},
	{rule: "slack-bot-token", prefix: "xoxb-", set: slug, min: 10},
	{rule: "slack-user-token", prefix: "xoxp-", set: slug, min: 10},
	{rule: "slack-legacy-token", prefix: "xoxa-", set: slug, min: 10},
	{rule: "slack-legacy-token", prefix: "xoxs-", set: slug, min: 10},
	{rule: "slack-legacy-token", prefix: "xoxr-", set: slug, min: 10},
	{rule: "slack-config-token", prefix: "xoxe.xox", set: slug, min: 20},
	{rule: "slack-app-token", prefix: "xapp-", set: slug, min: 20},
	{rule: "gcp-api-key", prefix: "AIza", set: slug, min: 35, exact: true},
	{rule: "gcp-oauth-token", prefix: "ya29.", set: slug, min: 20},
	{rule: "gcp-client-secret", prefix: "GOCSPX-", set: slug, min: 20},
	{rule: "stripe-key", prefix: "sk_live_", set: word, min: 10},
	{rule: "stripe-key", prefix: "sk_test_", set: word, min: 10},
	{rule: "stripe-key", prefix: "rk_live_", set: word, min: 10},
	{rule: "stripe-key", prefix: "rk_test_", set: word, min: 10},
	{rule: "stripe-webhook-secret", prefix: "whsec_", set: alnum | base64s, min: 16},
	{rule: "sendgrid-api-key", prefix: "SG.", set: slug | dot, min: 40, check: twoParts},
	{rule: "npm-token", prefix: "npm_", set: alnum, min: 36, exact: true},
	{rule: "pypi-token", prefix: "pypi-", set: slug, min: 36, check: mixed},
	{rule: "jwt", prefix: "eyJ", set: slug | dot, min: 17, check: isWebToken},
	{rule: "huggingface-token", prefix: "hf_", set: alnum, min: 30},
	{rule: "digitalocean-pat", prefix: "dop_v1_", set: hex, min: 64, exact: true},
	{rule: "shopify-access-token", prefix: "shpat_", set: alnum, min: 32, exact: true},
	{rule: "linear-api-key", prefix: "lin_api_", set: alnum, min: 32},
	{rule: "databricks-token", prefix: "dapi", set: hex, min: 32, exact: true},
	{rule: "vault-service-token", prefix: "hvs.", set: slug, min: 24},
	{rule: "age-secret-key", prefix: "AGE-SECRET-KEY-1", set: upper | digit, min: 50},
	{rule: "supabase-token", prefix: "sbp_", set: alnum, min: 40, exact: true},
	{rule: "atlassian-api-token", prefix: "ATATT3", set: slug | base64s, min: 50},
	{rule: "docker-pat", prefix: "dckr_pat_", set: slug, min: 20},
	{rule: "grafana-service-account-token", prefix: "glsa_", set: word, min: 32},
	{rule: "groq-api-key", prefix: "gsk_", set: alnum, min: 40},
	{rule: "xai-api-key", prefix: "xai-", set: alnum, min: 40},
	{rule: "replicate-token", prefix: "r8_", set: alnum, min: 37, exact: true},
	{rule: "tailscale-key", prefix: "tskey-", set: slug, min: 20, check: mixed},
	{rule: "postman-api-key", prefix: "PMAK-", set: hex | dash, min: 50},
	{rule: "twilio-api-key", prefix: "SK", set: hex, min: 32, exact: true},
	{rule: "nats-seed", prefix: "SU", set: base32, min: 56, exact: true},
	{rule: "nats-seed", prefix: "SA", set: base32, min: 56, exact: true},
	{rule: "nats-seed", prefix: "SO", set: base32, min: 56, exact: true},
	{rule: "nats-seed", prefix: "SN", set: base32, min: 56, exact: true},
	{rule: "nats-seed", prefix: "SC", set: base32, min: 56, exact: true},
	{rule: "nats-seed", prefix: "SX", set: base32, min: 56, exact: true},
}

// shapesBy holds the shapes by the first byte of their prefix.
var shapesBy = bucketed()

func bucketed() (by [256][]shape) {
	for _, s := range shapes {
		by[s.prefix[0]] = append(by[s.prefix[0]], s)
	}
	return by
}

// shapeAt finds the token that begins at s[i], the first letter of a word. It also
// reports whether at least a prefix that tells stands there.
func shapeAt(s string, i int) (p Span, begun bool) {
	rest := s[i:]
	by := shapesBy[rest[0]]
	for j := range by {
		if strings.HasPrefix(rest, by[j].prefix) {
			if end := by[j].end(rest); end > 0 {
				return Span{i, i + end, by[j].rule}, true
			}
			begun = begun || by[j].tells()
		}
	}
	return Span{}, begun
}

// tells reports whether the prefix is long enough to be more than a word's.
func (p *shape) tells() bool { return len(p.prefix) > 2 }

// end returns the end of the token that s begins with, or 0 when it has not the
// shape. A long token is judged by its beginning, so that a text of prefixes
// alone takes linear time.
func (p *shape) end(s string) int {
	const judged = 1024
	start := len(p.prefix)
	seen := s[:min(len(s), judged)]
	end := run(seen, start, p.set)
	if end-start < p.min || p.exact && end-start > p.min {
		return 0
	}
	if p.exact && end < len(s) && is(s[end], word) {
		return 0
	}
	if p.check != nil && !p.check(s[:end]) {
		return 0
	}
	if end == judged {
		end = run(s, end, p.set)
	}
	for end > start && is(s[end-1], dot) {
		end-- // the end of a sentence
	}
	return end
}

// mixed reports whether letters and digits alternate as chance has it, not as in
// a name: three changes between lower case, upper case and digits, not counting
// a capital first letter of a word.
func mixed(s string) bool {
	changes, last := 0, class(0)
	for i := range len(s) {
		now := classes[s[i]] & (digit | upper | lower)
		if now == 0 {
			last = 0
			continue
		}
		if last != 0 && now != last && (last != upper || now != lower) {
			changes++
		}
		last = now
	}
	return changes >= 3
}

// twoParts reports whether a dot parts the token in two long halves.
func twoParts(token string) bool {
	_, rest, _ := strings.Cut(token, ".")
	first, second, _ := strings.Cut(rest, ".")
	return len(first) >= 16 && len(second) >= 16
}

// isWebToken reports whether the token has a head of 10 letters or more and a
// body; the signature may be missing.
func isWebToken(token string) bool {
	head, rest, ok := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	return ok && len(head) >= 13 && len(body) >= 4
}
