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
	{id: "anthropic-admin-api-key", name: "Anthropic admin API key", issuer: &anthropic, forms: []tokenForm{{"sk-ant-admin", "s20+", 30, nil}}},
	{id: "anthropic-api-key", name: "Anthropic API key", issuer: &anthropic, forms: []tokenForm{{"sk-ant-", "s16+", 28, nil}}},
	{id: "openai-api-key", name: "OpenAI API key", issuer: &openai, forms: []tokenForm{
		{"sk-proj-", "s16+", 28, isMixed}, {"sk-svcacct-", "s16+", 28, isMixed}, {"sk-admin-", "s16+", 28, isMixed}, {"sk-None-", "s16+", 28, isMixed},
		{"sk-", "w20+", 28, isOpenAIKey}}},
	{id: "openrouter-api-key", name: "OpenRouter API key", issuer: &openrouter, forms: []tokenForm{{"sk-or-v1-", "x32+", 28, nil}}},
	{id: "langfuse-secret-key", name: "Langfuse secret key", issuer: &langsmith, source: "https://langfuse.com/docs/api", forms: []tokenForm{{"sk-lf-", uuidBody, 28, nil}}},
	{id: "sk-api-key", name: "API key in the form of OpenAI's", issuer: &modelKey, forms: []tokenForm{{"sk-", "s20+", 30, isMixed}}},
	{id: "groq-api-key", name: "Groq API key", issuer: &groq, forms: []tokenForm{{"gsk_", "a40+", 30, nil}}},
	{id: "xai-api-key", name: "xAI API key", issuer: &xai, forms: []tokenForm{{"xai-", "a40+", 30, nil}}},
	{id: "huggingface-token", name: "Hugging Face access token", issuer: &huggingface, forms: []tokenForm{{"hf_", "a30,39", 28, isNotName}}},
	{id: "huggingface-organization-token", name: "Hugging Face organisation token", issuer: &huggingface, forms: []tokenForm{{"api_org_", "a30,39", 28, isNotName}}},
	{id: "replicate-api-token", name: "Replicate API token", issuer: &replicate, forms: []tokenForm{{"r8_", "a37", 30, nil}}},
	{id: "perplexity-api-key", name: "Perplexity API key", issuer: &perplexity, forms: []tokenForm{{"pplx-", "a40+", 30, nil}}},
	{id: "fireworks-api-key", name: "Fireworks API key", issuer: &fireworks, forms: []tokenForm{{"fw_", "a22,26", 33, isMixed}}},
	{id: "nvidia-api-key", name: "NVIDIA API key", issuer: &nvidia, forms: []tokenForm{{"nvapi-", "s40+", 33, nil}}},
	{id: "cerebras-api-key", name: "Cerebras API key", issuer: &cerebras, forms: []tokenForm{{"csk-", "a40+", 33, isMixed}}},
	{id: "elevenlabs-api-key", name: "ElevenLabs API key", issuer: &elevenlabs, forms: []tokenForm{{"sk_", "x48", 28, nil}}},
	{id: "cohere-api-token", name: "Cohere API key", issuer: &cohere, named: []namedForm{{"cohere", "a40"}, {"co_api_key", "a40"}}},
	{id: "langsmith-api-key", name: "LangSmith API key", issuer: &langsmith, forms: []tokenForm{{"lsv2_pt_", "w30+", 28, nil}, {"lsv2_sk_", "w30+", 28, nil}}},
	{id: "tavily-api-key", name: "Tavily API key", issuer: &tavily, forms: []tokenForm{{"tvly-", "s24+", 30, isMixed}}},
	{id: "pinecone-api-key", name: "Pinecone API key", issuer: &pinecone, forms: []tokenForm{{"pcsk_", "w40+", 33, nil}}},
	{id: "notion-api-token", name: "Notion API token", issuer: &notion, forms: []tokenForm{{"ntn_", "d11 a35", 30, nil}, {"secret_", "a43", 36, isMixed}}},
	{id: "linear-api-key", name: "Linear API key", issuer: &linear, forms: []tokenForm{{"lin_api_", "a32+", 28, nil}, {"lin_oauth_", "a32+", 28, nil}}},
	{id: "linear-client-secret", name: "Linear client secret", issuer: &linear, named: []namedForm{{"linear", "x32"}}},
	{id: "privateai-api-token", name: "Private AI API token", issuer: &privateai, named: []namedForm{{"privateai", "l32"}, {"private_ai", "l32"}, {"private-ai", "l32"}}},
}
