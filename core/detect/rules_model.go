package detect

// Services for models and tools built around them.
var (
	anthropic = issuer{"use the Anthropic account at its owner's cost", "revoke it at https://console.anthropic.com/settings/keys",
		"https://docs.anthropic.com/en/api/overview"}
	openai = issuer{"use the OpenAI account at its owner's cost", "revoke it at https://platform.openai.com/api-keys",
		"https://platform.openai.com/docs/api-reference/authentication"}
	openrouter  = issuer{"use models at its owner's cost", "revoke it at https://openrouter.ai/settings/keys", "https://openrouter.ai/docs/api-reference/authentication"}
	groq        = issuer{"use models at its owner's cost", "revoke it at https://console.groq.com/keys", "https://console.groq.com/docs/quickstart"}
	xai         = issuer{"use models at its owner's cost", "revoke it at https://console.x.ai", "https://docs.x.ai/docs/overview"}
	huggingface = issuer{"read and change models as its owner", "revoke it at https://huggingface.co/settings/tokens", "https://huggingface.co/docs/hub/security-tokens"}
	replicate   = issuer{"use models at its owner's cost", "revoke it at https://replicate.com/account/api-tokens", "https://replicate.com/docs/topics/security/api-tokens"}
	perplexity  = issuer{"use models at its owner's cost", "revoke it at https://www.perplexity.ai/settings/api", "https://docs.perplexity.ai/guides/getting-started"}
	fireworks   = issuer{"use models at its owner's cost", "revoke it at https://fireworks.ai/account/api-keys", "https://docs.fireworks.ai/getting-started/quickstart"}
	nvidia      = issuer{"use models at its owner's cost", "revoke it at https://build.nvidia.com/settings/api-keys", "https://docs.api.nvidia.com"}
	cerebras    = issuer{"use models at its owner's cost", "revoke it at https://cloud.cerebras.ai", "https://inference-docs.cerebras.ai/quickstart"}
	elevenlabs  = issuer{"use voices at its owner's cost", "revoke it at https://elevenlabs.io/app/settings/api-keys", "https://elevenlabs.io/docs/api-reference/authentication"}
	cohere      = issuer{"use models at its owner's cost", "revoke it at https://dashboard.cohere.com/api-keys", "https://docs.cohere.com/docs/rate-limits"}
	langsmith   = issuer{"read the traces of an application", "revoke it at https://smith.langchain.com/settings", "https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key"}
	tavily      = issuer{"search at its owner's cost", "revoke it at https://app.tavily.com", "https://docs.tavily.com/documentation/api-reference/introduction"}
	pinecone    = issuer{"read and change vector indexes", "revoke it at https://app.pinecone.io", "https://docs.pinecone.io/guides/projects/manage-api-keys"}
	notion      = issuer{"read and change pages on Notion", "revoke it at https://www.notion.so/profile/integrations", "https://developers.notion.com/page/changelog"}
	linear      = issuer{"act as its owner on Linear", "revoke it at https://linear.app/settings/account/security", "https://linear.app/developers/graphql"}
	privateai   = issuer{"use the Private AI account", "revoke it at https://portal.private-ai.com", gitleaks}
	modelKey    = issuer{"use models at its owner's cost", "revoke it where it was made: it has the form of OpenAI's keys, which many services share", openai.source}
)

var modelRules = []secretRule{
	{id: "anthropic-admin-api-key", name: "Anthropic admin API key", by: &anthropic, forms: []form{{"sk-ant-admin", "s20+", 30, nil}}},
	{id: "anthropic-api-key", name: "Anthropic API key", by: &anthropic, forms: []form{{"sk-ant-", "s16+", 28, nil}}},
	{id: "openai-api-key", name: "OpenAI API key", by: &openai, forms: []form{
		{"sk-proj-", "s16+", 28, mixed}, {"sk-svcacct-", "s16+", 28, mixed}, {"sk-admin-", "s16+", 28, mixed}, {"sk-None-", "s16+", 28, mixed},
		{"sk-", "w20+", 28, ofOpenAI}}},
	{id: "openrouter-api-key", name: "OpenRouter API key", by: &openrouter, forms: []form{{"sk-or-v1-", "x32+", 28, nil}}},
	{id: "langfuse-secret-key", name: "Langfuse secret key", by: &langsmith, source: "https://langfuse.com/docs/api", forms: []form{{"sk-lf-", uuidBody, 28, nil}}},
	{id: "sk-api-key", name: "API key in the form of OpenAI's", by: &modelKey, forms: []form{{"sk-", "s20+", 30, mixed}}},
	{id: "groq-api-key", name: "Groq API key", by: &groq, forms: []form{{"gsk_", "a40+", 30, nil}}},
	{id: "xai-api-key", name: "xAI API key", by: &xai, forms: []form{{"xai-", "a40+", 30, nil}}},
	{id: "huggingface-token", name: "Hugging Face access token", by: &huggingface, forms: []form{{"hf_", "a30,39", 28, notName}}},
	{id: "huggingface-organization-token", name: "Hugging Face organisation token", by: &huggingface, forms: []form{{"api_org_", "a30,39", 28, notName}}},
	{id: "replicate-api-token", name: "Replicate API token", by: &replicate, forms: []form{{"r8_", "a37", 30, nil}}},
	{id: "perplexity-api-key", name: "Perplexity API key", by: &perplexity, forms: []form{{"pplx-", "a40+", 30, nil}}},
	{id: "fireworks-api-key", name: "Fireworks API key", by: &fireworks, forms: []form{{"fw_", "a22,26", 33, mixed}}},
	{id: "nvidia-api-key", name: "NVIDIA API key", by: &nvidia, forms: []form{{"nvapi-", "s40+", 33, nil}}},
	{id: "cerebras-api-key", name: "Cerebras API key", by: &cerebras, forms: []form{{"csk-", "a40+", 33, mixed}}},
	{id: "elevenlabs-api-key", name: "ElevenLabs API key", by: &elevenlabs, forms: []form{{"sk_", "x48", 28, nil}}},
	{id: "cohere-api-token", name: "Cohere API key", by: &cohere, near: []nearValue{{"cohere", "a40"}, {"co_api_key", "a40"}}},
	{id: "langsmith-api-key", name: "LangSmith API key", by: &langsmith, forms: []form{{"lsv2_pt_", "w30+", 28, nil}, {"lsv2_sk_", "w30+", 28, nil}}},
	{id: "tavily-api-key", name: "Tavily API key", by: &tavily, forms: []form{{"tvly-", "s24+", 30, mixed}}},
	{id: "pinecone-api-key", name: "Pinecone API key", by: &pinecone, forms: []form{{"pcsk_", "w40+", 33, nil}}},
	{id: "notion-api-token", name: "Notion API token", by: &notion, forms: []form{{"ntn_", "d11 a35", 30, nil}, {"secret_", "a43", 36, mixed}}},
	{id: "linear-api-key", name: "Linear API key", by: &linear, forms: []form{{"lin_api_", "a32+", 28, nil}, {"lin_oauth_", "a32+", 28, nil}}},
	{id: "linear-client-secret", name: "Linear client secret", by: &linear, near: []nearValue{{"linear", "x32"}}},
	{id: "privateai-api-token", name: "Private AI API token", by: &privateai, near: []nearValue{{"privateai", "l32"}, {"private_ai", "l32"}, {"private-ai", "l32"}}},
}
