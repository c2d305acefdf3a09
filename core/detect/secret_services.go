package detect

import "winnow/core/memory"

// Services for code, packages and builds.
var (
	github = issuer{"act as its owner on GitHub", "revoke it at https://github.com/settings/tokens",
		"https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github"}
	githubApp = issuer{
		"act as the app that it was made for, on GitHub",
		"revoke it in the app's settings at https://github.com/settings/apps",
		github.source,
	}
	gitlab = issuer{
		"act as its owner on GitLab",
		"revoke it at https://gitlab.com/-/user_settings/personal_access_tokens",
		"https://docs.gitlab.com/security/tokens/",
	}
	gitlabProject = issuer{
		"reach the GitLab project that it was made for",
		"revoke it in the settings of the GitLab project or group",
		gitlab.source,
	}
	bitbucket = issuer{
		"act as its owner on Bitbucket",
		"revoke it at https://bitbucket.org/account/settings/app-passwords/",
		"https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/",
	}
	npmjs = issuer{
		"publish packages as its owner",
		"revoke it with npm token revoke or at https://www.npmjs.com/settings/~/tokens",
		"https://github.blog/engineering/platform-security/announcing-npms-new-access-token-format/",
	}
	pypi = issuer{"publish packages as its owner", "revoke it at https://pypi.org/manage/account/token/",
		"https://pypi.org/help/#apitoken"}
	rubygems = issuer{"publish gems as its owner", "revoke it at https://rubygems.org/profile/api_keys",
		"https://guides.rubygems.org/api-key-scopes/"}
	cratesio = issuer{
		"publish crates as its owner",
		"revoke it at https://crates.io/settings/tokens",
		"https://doc.rust-lang.org/cargo/reference/publishing.html",
	}
	nuget = issuer{
		"publish packages as its owner",
		"revoke it at https://www.nuget.org/account/apikeys",
		"https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys",
	}
	clojars = issuer{
		"publish jars as its owner",
		"revoke it at https://clojars.org/tokens",
		"https://github.com/clojars/clojars-web/wiki/Deploy-Tokens",
	}
	dockerHub = issuer{
		"pull and push images as its owner",
		"revoke it at https://app.docker.com/settings/personal-access-tokens",
		"https://docs.docker.com/security/access-tokens/",
	}
	jfrog = issuer{
		"read and change the packages on Artifactory",
		"revoke it in the user profile of Artifactory",
		"https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens",
	}
	atlassian = issuer{
		"act as its owner in Jira and Confluence",
		"revoke it at https://id.atlassian.com/manage-profile/security/api-tokens",
		"https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/",
	}
	sourcegraph = issuer{
		"read the code that Sourcegraph indexes",
		"revoke it in the user settings of Sourcegraph, under access tokens",
		"https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
	}
	sonar = issuer{
		"read and change analyses of code",
		"revoke it in the security page of the SonarQube account",
		"https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/",
	}
	snyk = issuer{
		"act as its owner on Snyk",
		"revoke it at https://app.snyk.io/account",
		"https://docs.snyk.io/snyk-api/authentication-for-api",
	}
	harness = issuer{
		"run pipelines as its owner",
		"revoke it in the Harness profile, under API keys",
		"https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/",
	}
	octopus = issuer{
		"deploy as its owner",
		"revoke it in the Octopus profile, under API keys",
		"https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key",
	}
	buildkite = issuer{
		"act as its owner on Buildkite",
		"revoke it at https://buildkite.com/user/api-access-tokens",
		"https://buildkite.com/docs/apis/managing-api-tokens",
	}
	circleci = issuer{
		"act as its owner on CircleCI",
		"revoke it at https://app.circleci.com/settings/user/tokens",
		"https://circleci.com/docs/managing-api-tokens/",
	}
	pulumi = issuer{
		"change the infrastructure that Pulumi manages",
		"revoke it at https://app.pulumi.com/account/tokens",
		"https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/",
	}
	hashicorp = issuer{
		"change the infrastructure that Terraform manages",
		"revoke it at https://app.terraform.io/app/settings/tokens",
		"https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
	}
	infracost = issuer{"use the Infracost account", "revoke it in the organisation settings of Infracost", gitleaks}
	prefect   = issuer{
		"run flows as its owner",
		"revoke it in the Prefect profile, under API keys",
		"https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys",
	}
	readme = issuer{
		"change documentation on ReadMe",
		"revoke it in the project settings of ReadMe, under API keys",
		gitleaks,
	}
)

var codeRules = []secretRule{
	{
		id:     "github-pat",
		name:   "GitHub personal access token",
		issuer: &github,
		forms:  []tokenForm{{"ghp_", "w16+", 24, isNotName}},
	},
	{
		id:     "github-fine-grained-pat",
		name:   "GitHub fine-grained personal access token",
		issuer: &github,
		forms:  []tokenForm{{"github_pat_", "w20+", 24, isNotName}},
	},
	{
		id:     "github-oauth",
		name:   "GitHub OAuth token",
		issuer: &github,
		forms:  []tokenForm{{"gho_", "w16+", 24, isNotName}},
	},
	{
		id:     "github-app-token",
		name:   "GitHub app token",
		issuer: &githubApp,
		forms:  []tokenForm{{"ghu_", "w16+", 24, isNotName}, {"ghs_", "w16+", 24, isNotName}},
	},
	{
		id:     "github-refresh-token",
		name:   "GitHub refresh token",
		issuer: &githubApp,
		forms:  []tokenForm{{"ghr_", "w16+", 24, isNotName}},
	},
	{
		id:     "gitlab-pat",
		name:   "GitLab personal access token",
		issuer: &gitlab,
		forms:  []tokenForm{{"glpat-", "j20+", 26, nil}},
	},
	{
		id:     "gitlab-deploy-token",
		name:   "GitLab deploy token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"gldt-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-runner-token",
		name:   "GitLab runner authentication token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glrt-", "j20+", 26, nil}, {"glrtr-", "j20+", 26, nil}},
	},
	{
		id:     "gitlab-rrt",
		name:   "GitLab runner registration token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"GR1348941", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-ptt",
		name:   "GitLab pipeline trigger token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glptt-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-cicd-job-token",
		name:   "GitLab CI job token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glcbt-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-feature-flag-client-token",
		name:   "GitLab feature flags client token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glffct-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-feed-token",
		name:   "GitLab feed token",
		issuer: &gitlab,
		forms:  []tokenForm{{"glft-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-incoming-mail-token",
		name:   "GitLab incoming mail token",
		issuer: &gitlab,
		forms:  []tokenForm{{"glimt-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-kubernetes-agent-token",
		name:   "GitLab agent token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glagent-", "s50+", 26, nil}},
	},
	{
		id:     "gitlab-oauth-app-secret",
		name:   "GitLab OAuth application secret",
		issuer: &gitlab,
		forms:  []tokenForm{{"gloas-", "s40+", 26, nil}},
	},
	{
		id:     "gitlab-scim-token",
		name:   "GitLab SCIM token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glsoat-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-workspace-token",
		name:   "GitLab workspace token",
		issuer: &gitlabProject,
		forms:  []tokenForm{{"glwt-", "s20+", 26, nil}},
	},
	{
		id:     "gitlab-session-cookie",
		name:   "GitLab session cookie",
		issuer: &gitlab,
		forms:  []tokenForm{{"_gitlab_session=", "l32", 26, nil}},
	},
	{
		id:     "bitbucket-app-password",
		name:   "Bitbucket app password",
		issuer: &bitbucket,
		forms:  []tokenForm{{"ATBB", "a28,36", 33, nil}, {"ATCTT3", "c50+", 33, nil}},
	},
	{id: "npm-token", name: "npm access token", issuer: &npmjs, forms: []tokenForm{{"npm_", "a36", 24, nil}}},
	{id: "pypi-token", name: "PyPI API token", issuer: &pypi, forms: []tokenForm{{"pypi-", "s36+", 30, isMixed}}},
	{
		id:     "rubygems-api-key",
		name:   "RubyGems API key",
		issuer: &rubygems,
		forms:  []tokenForm{{"rubygems_", "x48", 24, nil}},
	},
	{
		id:     "crates-io-token",
		name:   "crates.io API token",
		issuer: &cratesio,
		forms:  []tokenForm{{"cio", "a32", 36, isMixed}},
	},
	{id: "nuget-api-key", name: "NuGet API key", issuer: &nuget, forms: []tokenForm{{"oy2", "l43", 36, isMixed}}},
	{
		id:     "clojars-api-token",
		name:   "Clojars deploy token",
		issuer: &clojars,
		forms:  []tokenForm{{"CLOJARS_", "a60", 24, nil}, {"clojars_", "a60", 24, nil}},
	},
	{
		id:     "docker-pat",
		name:   "Docker access token",
		issuer: &dockerHub,
		forms:  []tokenForm{{"dckr_pat_", "s20+", 26, nil}, {"dckr_oat_", "s20+", 26, nil}},
	},
	{
		id:     "artifactory-api-key",
		name:   "Artifactory API key",
		issuer: &jfrog,
		forms:  []tokenForm{{"AKCp", "a69", 40, nil}},
	},
	{
		id:     "artifactory-reference-token",
		name:   "Artifactory reference token",
		issuer: &jfrog,
		forms:  []tokenForm{{"cmVmd", "a59", 40, nil}},
	},
	{
		id:     "atlassian-api-token",
		name:   "Atlassian API token",
		issuer: &atlassian,
		forms:  []tokenForm{{"ATATT3", "c50+", 33, nil}},
		named:  []namedForm{{"atlassian", "a24"}, {"confluence", "a24"}, {"jira", "a24"}},
	},
	{id: "sourcegraph-access-token", name: "Sourcegraph access token", issuer: &sourcegraph,
		forms: []tokenForm{
			{"sgp_", "X40", 28, nil},
			{"sgp_local_", "X40", 28, nil},
			{"sgp_", "X16 _ X40", 28, nil},
		}, named: []namedForm{{"sourcegraph", "X40"}}},
	{
		id:     "sonar-api-token",
		name:   "SonarQube token",
		issuer: &sonar,
		forms:  []tokenForm{{"squ_", "x40", 28, nil}, {"sqp_", "x40", 28, nil}, {"sqa_", "x40", 28, nil}},
		named:  []namedForm{{"sonar", "t40"}, {"sonar", "t44"}},
	},
	{id: "snyk-api-token", name: "Snyk API token", issuer: &snyk, named: []namedForm{{"snyk", uuidBody}}},
	{
		id:     "harness-api-key",
		name:   "Harness API key",
		issuer: &harness,
		forms:  []tokenForm{{"pat.", "s22 . a24 . a20", 30, nil}, {"sat.", "s22 . a24 . a20", 30, nil}},
	},
	{
		id:     "octopus-deploy-api-key",
		name:   "Octopus Deploy API key",
		issuer: &octopus,
		forms:  []tokenForm{{"API-", "u26", 28, isMixed}},
	},
	{
		id:     "buildkite-token",
		name:   "Buildkite token",
		issuer: &buildkite,
		forms:  []tokenForm{{"bkua_", "x40", 28, nil}, {"bkct_", "a40+", 28, nil}},
	},
	{
		id:     "circleci-token",
		name:   "CircleCI token",
		issuer: &circleci,
		forms:  []tokenForm{{"CCIPAT_", "w40+", 30, nil}, {"CCIPRJ_", "w40+", 30, nil}},
	},
	{
		id:     "pulumi-api-token",
		name:   "Pulumi access token",
		issuer: &pulumi,
		forms:  []tokenForm{{"pul-", "x40", 28, nil}},
	},
	{
		id:      "terraform-api-token",
		name:    "HCP Terraform API token",
		issuer:  &hashicorp,
		infixes: []infixForm{{before: "a14", infix: ".atlasv1.", after: "t60,70"}},
	},
	{
		id:     "infracost-api-token",
		name:   "Infracost API key",
		issuer: &infracost,
		forms:  []tokenForm{{"ico-", "a32", 30, isNotDigest}},
	},
	{id: "prefect-api-token", name: "Prefect API key", issuer: &prefect, forms: []tokenForm{{"pnu_", "a36", 28, nil}}},
	{id: "readme-api-token", name: "ReadMe API key", issuer: &readme, forms: []tokenForm{{"rdme_", "l70", 28, nil}}},
}

// uuidBody is the body of a UUID.
const uuidBody = "X8 - X4 - X4 - X4 - X12"

// Services for models and tools built around them.
var (
	anthropic = issuer{
		"use the Anthropic account at its owner's cost",
		"revoke it at https://console.anthropic.com/settings/keys",
		"https://docs.anthropic.com/en/api/overview",
	}
	openai = issuer{"use the OpenAI account at its owner's cost", "revoke it at https://platform.openai.com/api-keys",
		"https://platform.openai.com/docs/api-reference/authentication"}
	openrouter = issuer{
		"use models at its owner's cost",
		"revoke it at https://openrouter.ai/settings/keys",
		"https://openrouter.ai/docs/api-reference/authentication",
	}
	groq = issuer{
		"use models at its owner's cost",
		"revoke it at https://console.groq.com/keys",
		"https://console.groq.com/docs/quickstart",
	}
	xai = issuer{
		"use models at its owner's cost",
		"revoke it at https://console.x.ai",
		"https://docs.x.ai/docs/overview",
	}
	huggingface = issuer{
		"read and change models as its owner",
		"revoke it at https://huggingface.co/settings/tokens",
		"https://huggingface.co/docs/hub/security-tokens",
	}
	replicate = issuer{
		"use models at its owner's cost",
		"revoke it at https://replicate.com/account/api-tokens",
		"https://replicate.com/docs/topics/security/api-tokens",
	}
	perplexity = issuer{
		"use models at its owner's cost",
		"revoke it at https://www.perplexity.ai/settings/api",
		"https://docs.perplexity.ai/guides/getting-started",
	}
	fireworks = issuer{
		"use models at its owner's cost",
		"revoke it at https://fireworks.ai/account/api-keys",
		"https://docs.fireworks.ai/getting-started/quickstart",
	}
	nvidia = issuer{
		"use models at its owner's cost",
		"revoke it at https://build.nvidia.com/settings/api-keys",
		"https://docs.api.nvidia.com",
	}
	cerebras = issuer{
		"use models at its owner's cost",
		"revoke it at https://cloud.cerebras.ai",
		"https://inference-docs.cerebras.ai/quickstart",
	}
	elevenlabs = issuer{
		"use voices at its owner's cost",
		"revoke it at https://elevenlabs.io/app/settings/api-keys",
		"https://elevenlabs.io/docs/api-reference/authentication",
	}
	cohere = issuer{
		"use models at its owner's cost",
		"revoke it at https://dashboard.cohere.com/api-keys",
		"https://docs.cohere.com/docs/rate-limits",
	}
	langsmith = issuer{
		"read the traces of an application",
		"revoke it at https://smith.langchain.com/settings",
		"https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key",
	}
	tavily = issuer{
		"search at its owner's cost",
		"revoke it at https://app.tavily.com",
		"https://docs.tavily.com/documentation/api-reference/introduction",
	}
	pinecone = issuer{
		"read and change vector indexes",
		"revoke it at https://app.pinecone.io",
		"https://docs.pinecone.io/guides/projects/manage-api-keys",
	}
	notion = issuer{
		"read and change pages on Notion",
		"revoke it at https://www.notion.so/profile/integrations",
		"https://developers.notion.com/page/changelog",
	}
	linear = issuer{
		"act as its owner on Linear",
		"revoke it at https://linear.app/settings/account/security",
		"https://linear.app/developers/graphql",
	}
	privateai = issuer{"use the Private AI account", "revoke it at https://portal.private-ai.com", gitleaks}
	modelKey  = issuer{
		"use models at its owner's cost",
		"revoke it where it was made: it has the form of OpenAI's keys, which many services share",
		openai.source,
	}
)

var modelRules = []secretRule{
	{
		id:     "anthropic-admin-api-key",
		name:   "Anthropic admin API key",
		issuer: &anthropic,
		forms:  []tokenForm{{"sk-ant-admin", "s20+", 30, nil}},
	},
	{
		id:     "anthropic-api-key",
		name:   "Anthropic API key",
		issuer: &anthropic,
		forms:  []tokenForm{{"sk-ant-", "s16+", 28, nil}},
	},
	{id: "openai-api-key", name: "OpenAI API key", issuer: &openai, forms: []tokenForm{
		{
			"sk-proj-",
			"s16+",
			28,
			isMixed,
		}, {"sk-svcacct-", "s16+", 28, isMixed}, {"sk-admin-", "s16+", 28, isMixed}, {"sk-None-", "s16+", 28, isMixed},
		{"sk-", "w20+", 28, isOpenAIKey}}},
	{
		id:     "openrouter-api-key",
		name:   "OpenRouter API key",
		issuer: &openrouter,
		forms:  []tokenForm{{"sk-or-v1-", "x32+", 28, nil}},
	},
	{
		id:     "langfuse-secret-key",
		name:   "Langfuse secret key",
		issuer: &langsmith,
		source: "https://langfuse.com/docs/api",
		forms:  []tokenForm{{"sk-lf-", uuidBody, 28, nil}},
	},
	{
		id:     "sk-api-key",
		name:   "API key in the form of OpenAI's",
		issuer: &modelKey,
		forms:  []tokenForm{{"sk-", "s20+", 30, isModelKey}},
	},
	{id: "groq-api-key", name: "Groq API key", issuer: &groq, forms: []tokenForm{{"gsk_", "a40+", 30, nil}}},
	{id: "xai-api-key", name: "xAI API key", issuer: &xai, forms: []tokenForm{{"xai-", "a40+", 30, nil}}},
	{
		id:     "huggingface-token",
		name:   "Hugging Face access token",
		issuer: &huggingface,
		forms:  []tokenForm{{"hf_", "a30,39", 28, isNotName}},
	},
	{
		id:     "huggingface-organization-token",
		name:   "Hugging Face organisation token",
		issuer: &huggingface,
		forms:  []tokenForm{{"api_org_", "a30,39", 28, isNotName}},
	},
	{
		id:     "replicate-api-token",
		name:   "Replicate API token",
		issuer: &replicate,
		forms:  []tokenForm{{"r8_", "a37", 30, nil}},
	},
	{
		id:     "perplexity-api-key",
		name:   "Perplexity API key",
		issuer: &perplexity,
		forms:  []tokenForm{{"pplx-", "a40+", 30, nil}},
	},
	{
		id:     "fireworks-api-key",
		name:   "Fireworks API key",
		issuer: &fireworks,
		forms:  []tokenForm{{"fw_", "a22,26", 33, isMixed}},
	},
	{id: "nvidia-api-key", name: "NVIDIA API key", issuer: &nvidia, forms: []tokenForm{{"nvapi-", "s40+", 33, nil}}},
	{
		id:     "cerebras-api-key",
		name:   "Cerebras API key",
		issuer: &cerebras,
		forms:  []tokenForm{{"csk-", "a40+", 33, isMixed}},
	},
	{
		id:     "elevenlabs-api-key",
		name:   "ElevenLabs API key",
		issuer: &elevenlabs,
		forms:  []tokenForm{{"sk_", "x48", 28, nil}},
	},
	{
		id:     "cohere-api-token",
		name:   "Cohere API key",
		issuer: &cohere,
		named:  []namedForm{{"cohere", "a40"}, {"co_api_key", "a40"}},
	},
	{
		id:     "langsmith-api-key",
		name:   "LangSmith API key",
		issuer: &langsmith,
		forms:  []tokenForm{{"lsv2_pt_", "w30+", 28, nil}, {"lsv2_sk_", "w30+", 28, nil}},
	},
	{id: "tavily-api-key", name: "Tavily API key", issuer: &tavily, forms: []tokenForm{{"tvly-", "s24+", 30, isMixed}}},
	{
		id:     "pinecone-api-key",
		name:   "Pinecone API key",
		issuer: &pinecone,
		forms:  []tokenForm{{"pcsk_", "w40+", 33, nil}},
	},
	{
		id:     "notion-api-token",
		name:   "Notion API token",
		issuer: &notion,
		forms:  []tokenForm{{"ntn_", "d11 a35", 30, nil}, {"secret_", "a43", 36, isMixed}},
	},
	{
		id:     "linear-api-key",
		name:   "Linear API key",
		issuer: &linear,
		forms:  []tokenForm{{"lin_api_", "a32+", 28, nil}, {"lin_oauth_", "a32+", 28, nil}},
	},
	{id: "linear-client-secret", name: "Linear client secret", issuer: &linear, named: []namedForm{{"linear", "x32"}}},
	{
		id:     "privateai-api-token",
		name:   "Private AI API token",
		issuer: &privateai,
		named:  []namedForm{{"privateai", "l32"}, {"private_ai", "l32"}, {"private-ai", "l32"}},
	},
}

// Services for machines, networks and data stores.
var (
	aws = issuer{"act in the AWS account", "revoke it in the IAM console: deactivate and delete the access key",
		"https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"}
	bedrock = issuer{"use models on Amazon Bedrock", "revoke it in the Bedrock console, under API keys",
		"https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html"}
	firebase = issuer{
		"use what everybody may who opens the page or the app",
		"revoke it only if the rules of the database, or the limits of the map's key, let anybody in",
		"https://firebase.google.com/docs/projects/api-keys",
	}
	google = issuer{
		"use Google APIs at its owner's cost",
		"revoke it at https://console.cloud.google.com/apis/credentials",
		"https://cloud.google.com/docs/authentication/api-keys",
	}
	googleToken = issuer{"act as its owner on Google Cloud until it ends", "revoke it with gcloud auth revoke",
		"https://developers.google.com/identity/protocols/oauth2"}
	azure = issuer{
		"sign in as the application",
		"revoke it in the Azure portal: app registrations, certificates and secrets",
		"https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret",
	}
	azureKey = issuer{
		"use the Azure service, or Azure DevOps, as its owner",
		"revoke it in the Azure portal, or at https://dev.azure.com under personal access tokens",
		"https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate",
	}
	azureStore = issuer{
		"read and change everything in the storage account",
		"revoke it in the Azure portal: rotate the access keys of the account",
		"https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage",
	}
	alibaba = issuer{
		"act in the Alibaba Cloud account",
		"revoke it at https://ram.console.aliyun.com/manage/ak",
		"https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair",
	}
	tencent = issuer{
		"act in the Tencent Cloud account",
		"revoke it at https://console.tencentcloud.com/cam/capi",
		"https://www.tencentcloud.com/document/product/598/34228",
	}
	yandex = issuer{
		"act in the Yandex Cloud account",
		"revoke it with yc iam",
		"https://yandex.cloud/en/docs/iam/concepts/authorization/",
	}
	digitalocean = issuer{
		"act in the DigitalOcean account",
		"revoke it at https://cloud.digitalocean.com/account/api/tokens",
		"https://docs.digitalocean.com/reference/api/create-personal-access-token/",
	}
	heroku = issuer{
		"act as its owner on Heroku",
		"revoke it with heroku authorizations:revoke",
		"https://devcenter.heroku.com/articles/authentication",
	}
	flyio = issuer{
		"act in the Fly.io account",
		"revoke it with fly tokens revoke",
		"https://fly.io/docs/security/tokens/",
	}
	cloudflare = issuer{
		"change what Cloudflare serves",
		"revoke it at https://dash.cloudflare.com/profile/api-tokens",
		"https://developers.cloudflare.com/fundamentals/api/get-started/",
	}
	fastly = issuer{
		"change what Fastly serves",
		"revoke it at https://manage.fastly.com/account/personal/tokens",
		"https://docs.fastly.com/en/guides/using-api-tokens",
	}
	netlify = issuer{
		"act as its owner on Netlify",
		"revoke it at https://app.netlify.com/user/applications",
		"https://docs.netlify.com/api/get-started/",
	}
	vercel = issuer{
		"act as its owner on Vercel",
		"revoke it at https://vercel.com/account/settings/tokens",
		"https://vercel.com/docs/rest-api",
	}
	scalingo = issuer{
		"act as its owner on Scalingo",
		"revoke it at https://dashboard.scalingo.com/account/tokens",
		gitleaks,
	}
	supabase = issuer{
		"change the Supabase project",
		"revoke it at https://supabase.com/dashboard/account/tokens",
		"https://supabase.com/docs/guides/api/api-keys",
	}
	planetscale = issuer{
		"read and change the database",
		"revoke it with pscale password delete or pscale service-token delete",
		"https://planetscale.com/docs/concepts/service-tokens",
	}
	clickhouse = issuer{
		"change the ClickHouse Cloud service",
		"revoke it at https://clickhouse.cloud/organizations/keys",
		gitleaks,
	}
	databricks = issuer{
		"act as its owner in the Databricks workspace",
		"revoke it in the user settings of Databricks, under access tokens",
		"https://docs.databricks.com/dev-tools/auth/pat.html",
	}
	vault = issuer{
		"read what the Vault server lets it",
		"revoke it with vault token revoke",
		"https://developer.hashicorp.com/vault/docs/concepts/tokens",
	}
	doppler = issuer{
		"read the secrets that Doppler keeps",
		"revoke it at https://dashboard.doppler.com",
		"https://docs.doppler.com/docs/service-tokens",
	}
	onepassword = issuer{
		"open a 1Password vault",
		"revoke it at https://my.1password.com/profile",
		"https://support.1password.com/secret-key-security/",
	}
	infisical = issuer{
		"read the secrets that Infisical keeps",
		"revoke it in the project settings of Infisical",
		"https://infisical.com/docs/documentation/platform/token",
	}
	tailscale = issuer{
		"join machines to the network",
		"revoke it at https://login.tailscale.com/admin/settings/keys",
		"https://tailscale.com/kb/1277/key-prefixes",
	}
	definedNet = issuer{"change the network", "revoke it at https://admin.defined.net", gitleaks}
	nats       = issuer{
		"sign in to the NATS server as its user",
		"revoke it with nsc revocations add-user, and make another key",
		"https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth",
	}
	openshift = issuer{
		"act as its owner on the cluster",
		"revoke it with oc delete oauthaccesstoken",
		"https://docs.openshift.com/container-platform/latest/authentication/managing-oauth-access-tokens.html",
	}
	confluent = issuer{"read and write Kafka topics", "revoke it with confluent api-key delete", gitleaks}
	meraki    = issuer{"change the network", "revoke it in the Meraki dashboard profile", gitleaks}
	maxmind   = issuer{
		"download databases at its owner's cost",
		"revoke it at https://www.maxmind.com/en/accounts/current/license-key",
		"https://dev.maxmind.com/release-note/new-license-key-format",
	}
)

var cloudRules = []secretRule{
	{id: "aws-access-key-id", name: "AWS access key id", issuer: &aws, forms: []tokenForm{
		{
			"AKIA",
			"u16",
			25,
			isNotExample,
		}, {"ASIA", "u16", 25, isNotExample}, {"ABIA", "e16", 30, isNotExample}, {"ACCA", "e16", 30, isNotExample},
		{"A3T", "u1 e16", 30, isNotExample}}},
	{id: "aws-secret-access-key", name: "AWS secret access key", issuer: &aws},
	{
		id:     "aws-bedrock-api-key",
		name:   "Amazon Bedrock API key",
		issuer: &bedrock,
		forms: []tokenForm{
			{"ABSK", "b109,271", 36, nil},
			{"bedrock-api-key-" + "YmVkcm9jay5hbWF6b25hd3MuY29t", "c0+", 30, nil},
		},
	},
	{id: ruleGoogleKey, name: "Google API key", issuer: &google, forms: []tokenForm{{"AIza", "s35", 33, nil}}},
	{id: ruleFirebaseKey, name: "key of a Firebase app or a map on a page", issuer: &firebase, severity: memory.Low},
	{
		id:     "gcp-oauth-token",
		name:   "Google OAuth access token",
		issuer: &googleToken,
		forms:  []tokenForm{{"ya29.", "s20+", 30, nil}},
	},
	{
		id:     "gcp-refresh-token",
		name:   "Google OAuth refresh token",
		issuer: &googleToken,
		forms:  []tokenForm{{"1//0", "s40+", 36, nil}},
	},
	{
		id:     "gcp-client-secret",
		name:   "Google OAuth client secret",
		issuer: &google,
		forms:  []tokenForm{{"GOCSPX-", "s20+", 30, nil}},
	},
	{id: "azure-ad-client-secret", name: "Microsoft Entra client secret", issuer: &azure, infixes: []infixForm{
		{
			before: "r3",
			infix:  "0Q~",
			after:  "r31,34",
		},
		{before: "r3", infix: "1Q~", after: "r31,34"},
		{before: "r3", infix: "2Q~", after: "r31,34"},
		{before: "r3", infix: "3Q~", after: "r31,34"},
		{before: "r3", infix: "4Q~", after: "r31,34"},
		{
			before: "r3",
			infix:  "5Q~",
			after:  "r31,34",
		},
		{before: "r3", infix: "6Q~", after: "r31,34"},
		{before: "r3", infix: "7Q~", after: "r31,34"},
		{before: "r3", infix: "8Q~", after: "r31,34"},
		{before: "r3", infix: "9Q~", after: "r31,34"}}},
	{
		id:      "azure-service-key",
		name:    "Azure service key",
		issuer:  &azureKey,
		infixes: []infixForm{{before: "a52", infix: "JQQJ99", after: "a18,30"}},
	},
	{
		id:     "azure-storage-key",
		name:   "Azure storage account key",
		issuer: &azureStore,
		named:  []namedForm{{"accountkey", "B86 = ="}, {"account_key", "B86 = ="}},
	},
	{
		id:     "azure-sas-signature",
		name:   "Azure shared access signature",
		issuer: &azureStore,
		source: "https://learn.microsoft.com/azure/storage/common/storage-sas-overview",
		forms:  []tokenForm{{"&sig=", "v40+", 36, isMixed}, {"?sig=", "v40+", 36, isMixed}},
	},
	{
		id:     "alibaba-access-key-id",
		name:   "Alibaba Cloud access key id",
		issuer: &alibaba,
		forms:  []tokenForm{{"LTAI", "a12,26", 30, isMixed}},
	},
	{
		id:     "alibaba-secret-key",
		name:   "Alibaba Cloud secret key",
		issuer: &alibaba,
		named:  []namedForm{{"alibaba", "a30"}, {"aliyun", "a30"}},
	},
	{
		id:     "tencent-secret-id",
		name:   "Tencent Cloud secret id",
		issuer: &tencent,
		forms:  []tokenForm{{"AKID", "a32", 36, isMixed}},
	},
	{
		id:     "yandex-api-key",
		name:   "Yandex Cloud API key",
		issuer: &yandex,
		source: gitleaks,
		forms:  []tokenForm{{"AQVN", "s35,38", 36, nil}},
	},
	{
		id:     "yandex-access-token",
		name:   "Yandex Cloud access token",
		issuer: &yandex,
		source: gitleaks,
		named:  []namedForm{{"yandex", "t 1 . p90+"}, {"yandex", "YCs38"}},
	},
	{
		id:     "digitalocean-pat",
		name:   "DigitalOcean personal access token",
		issuer: &digitalocean,
		forms:  []tokenForm{{"dop_v1_", "X64", 28, nil}},
	},
	{
		id:     "digitalocean-access-token",
		name:   "DigitalOcean OAuth token",
		issuer: &digitalocean,
		forms:  []tokenForm{{"doo_v1_", "X64", 28, nil}},
	},
	{
		id:     "digitalocean-refresh-token",
		name:   "DigitalOcean refresh token",
		issuer: &digitalocean,
		forms:  []tokenForm{{"dor_v1_", "X64", 28, nil}, {"DOR_V1_", "X64", 28, nil}},
	},
	{id: "heroku-api-key-v2", name: "Heroku API key", issuer: &heroku, forms: []tokenForm{{"HRKU-AA", "s58", 36, nil}}},
	{id: "heroku-api-key", name: "Heroku API key", issuer: &heroku, named: []namedForm{{"heroku", uuidBody}}},
	{
		id:     "flyio-access-token",
		name:   "Fly.io access token",
		issuer: &flyio,
		forms: []tokenForm{
			{"fo1_", "s43", 36, nil},
			{"fm1a_", "b100+", 36, nil},
			{"fm1r_", "b100+", 36, nil},
			{"fm2_", "b100+", 36, nil},
		},
	},
	{
		id:     "cloudflare-origin-ca-key",
		name:   "Cloudflare origin CA key",
		issuer: &cloudflare,
		forms:  []tokenForm{{"v1.0-", "x24 - x146", 28, nil}},
	},
	{
		id:     "cloudflare-global-api-key",
		name:   "Cloudflare global API key",
		issuer: &cloudflare,
		named:  []namedForm{{"cloudflare", "x37"}},
	},
	{
		id:     "cloudflare-api-key",
		name:   "Cloudflare API token",
		issuer: &cloudflare,
		forms:  []tokenForm{{"cfut_", "a40+", 33, nil}, {"cfat_", "a40+", 33, nil}},
		named:  []namedForm{{"cloudflare", "s40"}},
	},
	{id: "fastly-api-token", name: "Fastly API token", issuer: &fastly, named: []namedForm{{"fastly", "t32"}}},
	{
		id:     "netlify-access-token",
		name:   "Netlify access token",
		issuer: &netlify,
		forms:  []tokenForm{{"nfp_", "a36+", 33, nil}},
		named:  []namedForm{{"netlify", "t40,46"}},
	},
	{
		id:     "vercel-token",
		name:   "Vercel token",
		issuer: &vercel,
		forms:  []tokenForm{{"vercel_blob_rw_", "w30+", 33, nil}},
		named:  []namedForm{{"vercel", "a24"}},
	},
	{
		id:     "scalingo-api-token",
		name:   "Scalingo API token",
		issuer: &scalingo,
		forms:  []tokenForm{{"tk-us-", "s48", 28, nil}},
	},
	{
		id:     "supabase-token",
		name:   "Supabase token",
		issuer: &supabase,
		forms:  []tokenForm{{"sbp_", "a40+", 28, nil}, {"sb_secret_", "s20+", 30, nil}},
	},
	{
		id:     "planetscale-password",
		name:   "PlanetScale password",
		issuer: &planetscale,
		forms:  []tokenForm{{"pscale_pw_", "p32,64", 28, nil}},
	},
	{
		id:     "planetscale-api-token",
		name:   "PlanetScale API token",
		issuer: &planetscale,
		forms:  []tokenForm{{"pscale_tkn_", "p32,64", 28, nil}},
	},
	{
		id:     "planetscale-oauth-token",
		name:   "PlanetScale OAuth token",
		issuer: &planetscale,
		forms:  []tokenForm{{"pscale_oauth_", "p32,64", 28, nil}},
	},
	{
		id:     "clickhouse-cloud-api-secret-key",
		name:   "ClickHouse Cloud API secret",
		issuer: &clickhouse,
		forms:  []tokenForm{{"4b1d", "a38", 40, isMixed}},
	},
	{
		id:     "databricks-api-token",
		name:   "Databricks access token",
		issuer: &databricks,
		forms:  []tokenForm{{"dapi", "x32", 28, nil}},
	},
	{
		id:     "vault-service-token",
		name:   "Vault service token",
		issuer: &vault,
		forms:  []tokenForm{{"hvs.", "s24+", 30, nil}},
		named:  []namedForm{{"vault", "s.a24"}},
	},
	{
		id:     "vault-batch-token",
		name:   "Vault batch token",
		issuer: &vault,
		forms:  []tokenForm{{"hvb.", "s100+", 33, nil}, {"hvr.", "s24+", 33, nil}},
	},
	{id: "doppler-api-token", name: "Doppler token", issuer: &doppler, forms: []tokenForm{
		{
			"dp.pt.",
			"a40,44",
			28,
			nil,
		},
		{"dp.st.", "j40+", 28, nil},
		{"dp.ct.", "a40,44", 28, nil},
		{"dp.sa.", "a40,44", 28, nil},
		{"dp.scim.", "a40,44", 28, nil},
		{"dp.audit.", "a40,44", 28, nil}}},
	{
		id:     "1password-secret-key",
		name:   "1Password secret key",
		issuer: &onepassword,
		forms: []tokenForm{
			{"A3-", "u6 - u6 - u5 - u5 - u5 - u5", 33, nil},
			{"A3-", "u6 - u11 - u5 - u5 - u5", 33, nil},
		},
	},
	{
		id:     "1password-service-account-token",
		name:   "1Password service account token",
		issuer: &onepassword,
		source: "https://developer.1password.com/docs/service-accounts/security/",
		forms:  []tokenForm{{"ops_eyJ", "b100+", 36, nil}},
	},
	{
		id:     "infisical-token",
		name:   "Infisical token",
		issuer: &infisical,
		forms:  []tokenForm{{"st.", "x24 . x32 . x32", 28, nil}},
	},
	{
		id:     "tailscale-key",
		name:   "Tailscale key",
		issuer: &tailscale,
		forms:  []tokenForm{{"tskey-", "s20+", 30, isMixed}},
	},
	{
		id:     "defined-networking-api-token",
		name:   "Defined Networking API token",
		issuer: &definedNet,
		forms:  []tokenForm{{"dnkey-", "t26,79", 30, nil}},
	},
	{id: "nats-seed", name: "NATS seed", issuer: &nats, forms: []tokenForm{
		{
			"SUA",
			"e55,56",
			30,
			nil,
		},
		{"SAA", "e55,56", 30, nil},
		{"SOA", "e55,56", 30, nil},
		{"SNA", "e55,56", 30, nil},
		{"SCA", "e55,56", 30, nil},
		{"SXA", "e55,56", 30, nil}}},
	{
		id:     "openshift-user-token",
		name:   "OpenShift user token",
		issuer: &openshift,
		forms:  []tokenForm{{"sha256~", "s43", 35, nil}},
	},
	{
		id:     "confluent-secret-key",
		name:   "Confluent secret",
		issuer: &confluent,
		named:  []namedForm{{"confluent", "a64"}, {"confluent", "a16"}},
	},
	{id: "cisco-meraki-api-key", name: "Cisco Meraki API key", issuer: &meraki, named: []namedForm{{"meraki", "x40"}}},
	{
		id:       "maxmind-license-key",
		name:     "MaxMind licence key",
		issuer:   &maxmind,
		severity: memory.Medium,
		infixes:  []infixForm{{before: "w36", infix: "_mmk"}},
	},
}

// Services for messages, mail and calls.
var (
	slack = issuer{
		"read and write messages in the Slack workspace",
		"revoke it with the auth.revoke method, or at https://api.slack.com/apps",
		"https://api.slack.com/concepts/token-types",
	}
	slackHook = issuer{
		"post to the channel",
		"revoke it at https://api.slack.com/apps, under incoming webhooks",
		"https://api.slack.com/messaging/webhooks",
	}
	discord = issuer{
		"act as the bot",
		"revoke it at https://discord.com/developers/applications: reset the token",
		"https://discord.com/developers/docs/reference",
	}
	telegram = issuer{
		"act as the bot",
		"revoke it by sending /revoke to @BotFather",
		"https://core.telegram.org/bots/api",
	}
	teams = issuer{
		"post to the channel",
		"revoke it in the connectors of the Teams channel",
		"https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
	}
	twilio = issuer{
		"call and send messages at its owner's cost",
		"revoke it at https://console.twilio.com, under API keys and tokens",
		"https://www.twilio.com/docs/iam/api-keys",
	}
	sendgrid = issuer{
		"send mail as its owner",
		"revoke it at https://app.sendgrid.com/settings/api_keys",
		"https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
	}
	mailgun = issuer{
		"send mail as its owner",
		"revoke it at https://app.mailgun.com/settings/api_security",
		"https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/",
	}
	mailchimp = issuer{
		"send mail as its owner",
		"revoke it at https://admin.mailchimp.com/account/api",
		"https://mailchimp.com/developer/marketing/guides/quick-start/",
	}
	brevo = issuer{
		"send mail as its owner",
		"revoke it at https://app.brevo.com/settings/keys/api",
		"https://developers.brevo.com/docs/getting-started",
	}
	resend = issuer{
		"send mail as its owner",
		"revoke it at https://resend.com/api-keys",
		"https://resend.com/docs/dashboard/api-keys/introduction",
	}
	postmark = issuer{"send mail as its owner", "revoke it in the server settings of Postmark", gitleaks}
	intercom = issuer{
		"read conversations with customers",
		"revoke it at https://app.intercom.com/a/apps/_/developer-hub",
		gitleaks,
	}
	mattermost = issuer{
		"act as its owner on Mattermost",
		"revoke it in the profile of Mattermost, under personal access tokens",
		gitleaks,
	}
	messageb = issuer{"send messages at its owner's cost", "revoke it at https://dashboard.messagebird.com", gitleaks}
	sendbird = issuer{"read and write messages", "revoke it at https://dashboard.sendbird.com", gitleaks}
	twitch   = issuer{
		"act as the application on Twitch",
		"revoke it at https://dev.twitch.tv/console/apps",
		"https://dev.twitch.tv/docs/authentication/",
	}
	twitter = issuer{
		"act as the application on X",
		"revoke it at https://developer.x.com/en/portal/projects-and-apps",
		"https://docs.x.com/resources/fundamentals/authentication",
	}
	facebook = issuer{
		"act as its owner on Facebook",
		"revoke it at https://developers.facebook.com/apps",
		"https://developers.facebook.com/docs/facebook-login/guides/access-tokens/",
	}
	gitter  = issuer{"act as its owner on Gitter", "revoke it at https://developer.gitter.im/apps", gitleaks}
	zendesk = issuer{"read the tickets of customers", "revoke it in the admin center of Zendesk", gitleaks}
)

var chatRules = []secretRule{
	{
		id:     "slack-app-token",
		name:   "Slack app-level token",
		issuer: &slack,
		forms:  []tokenForm{{"xapp-", "s20+", 28, hasDigit}},
	},
	{
		id:     "slack-bot-token",
		name:   "Slack bot token",
		issuer: &slack,
		forms:  []tokenForm{{"xoxb-", "d8,14 - s8+", 25, nil}},
	},
	{
		id:     "slack-user-token",
		name:   "Slack user token",
		issuer: &slack,
		forms:  []tokenForm{{"xoxp-", "d8,14 - s10+", 25, nil}, {"xoxe-", "s20+", 25, hasDigit}},
	},
	{
		id:     "slack-config-token",
		name:   "Slack configuration token",
		issuer: &slack,
		forms:  []tokenForm{{"xoxe.xox", "s20+", 25, hasDigit}},
	},
	{id: "slack-legacy-token", name: "Slack legacy token", issuer: &slack, forms: []tokenForm{
		{
			"xoxa-",
			"s10+",
			25,
			hasDigit,
		},
		{"xoxr-", "s10+", 25, hasDigit},
		{"xoxs-", "d6,16 - s10+", 25, hasDigit},
		{"xoxo-", "d6,16 - s10+", 25, hasDigit},
		{"xoxd-", "s10+", 25, hasDigit},
		{"xoxc-", "s10+", 25, hasDigit}}},
	{id: "slack-webhook-url", name: "Slack webhook address", issuer: &slackHook, forms: []tokenForm{
		{
			"hooks.slack.com/services/",
			"B40+",
			30,
			nil,
		}, {"hooks.slack.com/workflows/", "B40+", 30, nil}, {"hooks.slack.com/triggers/", "B40+", 30, nil}}},
	{id: "discord-bot-token", name: "Discord bot token", issuer: &discord, infixes: []infixForm{{infix: discordText}}},
	{
		id:     "discord-webhook-url",
		name:   "Discord webhook address",
		issuer: &discord,
		source: "https://discord.com/developers/docs/resources/webhook",
		forms: []tokenForm{
			{
				"discord.com/api/webhooks/",
				"d17,20 / s60+",
				30,
				nil,
			}, {"discordapp.com/api/webhooks/", "d17,20 / s60+", 30, nil}},
	},
	{
		id:     "discord-client-secret",
		name:   "Discord client secret",
		issuer: &discord,
		named:  []namedForm{{"discord", "t32"}, {"discord", "x64"}},
	},
	{
		id:      "telegram-bot-token",
		name:    "Telegram bot token",
		issuer:  &telegram,
		infixes: []infixForm{{before: "d8,10", infix: ":AA", after: "s32,33"}},
		named:   []namedForm{{"telegr", "d5,16 : As34"}},
	},
	{id: "microsoft-teams-webhook", name: "Microsoft Teams webhook address", issuer: &teams, forms: []tokenForm{
		{
			".webhook.office.com/webhookb2/",
			"l8 - l4 - l4 - l4 - l12 @ l8 - l4 - l4 - l4 - l12 / IncomingWebhook/ l32 / l8 - l4 - l4 - l4 - l12",
			30,
			nil,
		}}},
	{id: "twilio-api-key", name: "Twilio API key", issuer: &twilio, forms: []tokenForm{{"SK", "X32", 28, nil}}},
	{id: "twilio-auth-token", name: "Twilio auth token", issuer: &twilio, named: []namedForm{{"twilio", "x32"}}},
	{
		id:     "sendgrid-api-key",
		name:   "SendGrid API key",
		issuer: &sendgrid,
		forms:  []tokenForm{{"SG.", "p40,120", 30, nil}},
	},
	{
		id:     "mailgun-api-key",
		name:   "Mailgun API key",
		issuer: &mailgun,
		forms:  []tokenForm{{"key-", "x32", 28, nil}, {"key-", "l32", 33, isMixed}},
		named:  []namedForm{{"mailgun", "key-l32"}},
	},
	{
		id:     "mailgun-signing-key",
		name:   "Mailgun signing key",
		issuer: &mailgun,
		named:  []namedForm{{"mailgun", "q32 - q8 - q8"}},
	},
	{
		id:      "mailchimp-api-key",
		name:    "Mailchimp API key",
		issuer:  &mailchimp,
		named:   []namedForm{{"mailchimp", "x32 - us d2"}},
		infixes: []infixForm{{before: "x32", infix: "-us", after: "d1,2"}},
	},
	{
		id:     "brevo-api-key",
		name:   "Brevo API key",
		issuer: &brevo,
		forms:  []tokenForm{{"xkeysib-", "x64 - a16", 28, nil}, {"xsmtpsib-", "x64 - a16", 28, nil}},
	},
	{
		id:     "resend-api-key",
		name:   "Resend API key",
		issuer: &resend,
		forms:  []tokenForm{{"re_", "a8 _ a20,26", 33, isMixed}},
	},
	{
		id:     "postmark-server-token",
		name:   "Postmark server token",
		issuer: &postmark,
		named:  []namedForm{{"postmark", uuidBody}},
	},
	{id: "intercom-api-key", name: "Intercom API key", issuer: &intercom, named: []namedForm{{"intercom", "t60"}}},
	{
		id:     "mattermost-access-token",
		name:   "Mattermost access token",
		issuer: &mattermost,
		named:  []namedForm{{"mattermost", "l26"}},
	},
	{
		id:     "messagebird-api-token",
		name:   "MessageBird API key",
		issuer: &messageb,
		named: []namedForm{
			{"messagebird", "l25"},
			{"message_bird", "l25"},
			{"message-bird", "l25"},
			{"messagebird", uuidBody},
		},
	},
	{
		id:     "sendbird-access-token",
		name:   "Sendbird API token",
		issuer: &sendbird,
		named:  []namedForm{{"sendbird", "x40"}, {"sendbird", uuidBody}},
	},
	{id: "twitch-api-token", name: "Twitch token", issuer: &twitch, named: []namedForm{{"twitch", "l30"}}},
	{
		id:     "twitter-bearer-token",
		name:   "X bearer token",
		issuer: &twitter,
		forms:  []tokenForm{{"AAAAAAAAAAAAAAAAAAAAA", "A h80,102", 0, isMixed}},
	},
	{
		id:     "twitter-access-token",
		name:   "X access token",
		issuer: &twitter,
		named:  []namedForm{{"twitter", "d15,25 - a20,40"}},
	},
	{
		id:     "twitter-api-secret",
		name:   "X API key or secret",
		issuer: &twitter,
		named:  []namedForm{{"twitter", "a50"}, {"twitter", "a45"}, {"twitter", "a25"}},
	},
	{
		id:     "facebook-page-access-token",
		name:   "Facebook page access token",
		issuer: &facebook,
		forms:  []tokenForm{{"EAA", "a100+", 36, hasSmallLetter}},
	},
	{
		id:     "facebook-access-token",
		name:   "Facebook access token",
		issuer: &facebook,
		named:  []namedForm{{"facebook", "d15,16 | s27,40"}, {"facebook", "d15,16 % s27,40"}},
	},
	{id: "facebook-secret", name: "Facebook app secret", issuer: &facebook, named: []namedForm{{"facebook", "x32"}}},
	{id: "gitter-access-token", name: "Gitter access token", issuer: &gitter, named: []namedForm{{"gitter", "s40"}}},
	{id: "zendesk-secret-key", name: "Zendesk API token", issuer: &zendesk, named: []namedForm{{"zendesk", "a40"}}},
}

// Services for payments and commerce.
var (
	stripe = issuer{
		"read payments and move money",
		"revoke it at https://dashboard.stripe.com/apikeys: roll the key",
		"https://docs.stripe.com/keys",
	}
	stripeHook = issuer{
		"forge events of Stripe",
		"revoke it at https://dashboard.stripe.com/webhooks: roll the secret",
		"https://docs.stripe.com/webhooks",
	}
	square = issuer{
		"read payments and move money",
		"revoke it at https://developer.squareup.com/apps",
		"https://developer.squareup.com/docs/build-basics/access-tokens",
	}
	shopify = issuer{
		"read and change the shop",
		"revoke it in the admin of the shop, under apps",
		"https://shopify.dev/docs/apps/build/authentication-authorization",
	}
	plaid = issuer{
		"read bank accounts",
		"revoke it at https://dashboard.plaid.com/developers/keys",
		"https://plaid.com/docs/quickstart/glossary/",
	}
	flutter = issuer{
		"read payments and move money",
		"revoke it at https://app.flutterwave.com/dashboard/settings/apis",
		gitleaks,
	}
	cardless = issuer{
		"read payments and move money",
		"revoke it at https://manage.gocardless.com/developers",
		"https://developer.gocardless.com/getting-started/api/making-your-first-request/",
	}
	lob = issuer{
		"send post at its owner's cost",
		"revoke it at https://dashboard.lob.com/settings/api-keys",
		"https://docs.lob.com",
	}
	shippo = issuer{
		"send parcels at its owner's cost",
		"revoke it at https://apps.goshippo.com/settings/api",
		"https://docs.goshippo.com/docs/guides_general/authentication/",
	}
	easypost = issuer{
		"send parcels at its owner's cost",
		"revoke it at https://app.easypost.com/account/settings?tab=api-keys",
		"https://docs.easypost.com/docs/authentication",
	}
	duffel = issuer{
		"book travel at its owner's cost",
		"revoke it at https://app.duffel.com",
		"https://duffel.com/docs/api/overview/test-your-integration",
	}
	coinbase = issuer{"move money", "revoke it at https://www.coinbase.com/settings/api", gitleaks}
	exchange = issuer{"trade and move money", "revoke it in the settings of the exchange, under API keys", gitleaks}
	banks    = issuer{"read bank accounts", "revoke it at https://developer.mastercard.com", gitleaks}
	freemius = issuer{
		"change licences and payments",
		"revoke it in the settings of the product on Freemius",
		gitleaks,
	}
	squaresp = issuer{
		"read and change the site",
		"revoke it in the settings of the site, under developer API keys",
		gitleaks,
	}
	etsy   = issuer{"read and change the shop", "revoke it at https://www.etsy.com/developers/your-apps", gitleaks}
	books  = issuer{"read the books of a company", "revoke it at https://my.freshbooks.com/#/developer", gitleaks}
	paypal = issuer{
		"read payments and move money",
		"revoke it at https://developer.paypal.com/dashboard/applications",
		"https://developer.paypal.com/api/rest/authentication/",
	}
	razorpay = issuer{
		"read payments and move money",
		"revoke it at https://dashboard.razorpay.com/app/website-app-settings/api-keys",
		"https://razorpay.com/docs/payments/dashboard/account-settings/api-keys/",
	}
)

var payRules = []secretRule{
	{id: "stripe-key", name: "Stripe secret key", issuer: &stripe, forms: []tokenForm{
		{"sk_live_", "w10+", 24, nil}, {"sk_test_", "w10+", 24, nil}, {"sk_prod_", "w10+", 24, nil},
		{"rk_live_", "w10+", 24, nil}, {"rk_test_", "w10+", 24, nil}, {"rk_prod_", "w10+", 24, nil}}},
	{
		id:     "stripe-webhook-secret",
		name:   "Stripe webhook secret",
		issuer: &stripeHook,
		forms:  []tokenForm{{"whsec_", "b16+", 26, nil}},
	},
	{
		id:     "square-access-token",
		name:   "Square access token",
		issuer: &square,
		forms: []tokenForm{
			{"sq0atp-", "s22,60", 28, nil},
			{"sq0csp-", "s40,60", 28, nil},
			{"EAAA", "s56,60", 36, isMixed},
		},
	},
	{
		id:     "shopify-access-token",
		name:   "Shopify access token",
		issuer: &shopify,
		forms:  []tokenForm{{"shpat_", "X32", 28, nil}},
	},
	{
		id:     "shopify-custom-access-token",
		name:   "Shopify custom app token",
		issuer: &shopify,
		forms:  []tokenForm{{"shpca_", "X32", 28, nil}},
	},
	{
		id:     "shopify-private-app-access-token",
		name:   "Shopify private app token",
		issuer: &shopify,
		forms:  []tokenForm{{"shppa_", "X32", 28, nil}},
	},
	{
		id:     "shopify-shared-secret",
		name:   "Shopify shared secret",
		issuer: &shopify,
		forms:  []tokenForm{{"shpss_", "X32", 28, nil}},
	},
	{id: "plaid-api-token", name: "Plaid access token", issuer: &plaid, forms: []tokenForm{
		{
			"access-sandbox-",
			uuidBody,
			28,
			nil,
		}, {"access-development-", uuidBody, 28, nil}, {"access-production-", uuidBody, 28, nil}}},
	{id: "plaid-secret-key", name: "Plaid secret", issuer: &plaid, named: []namedForm{{"plaid", "l30"}}},
	{
		id:     "flutterwave-secret-key",
		name:   "Flutterwave secret key",
		issuer: &flutter,
		forms: []tokenForm{
			{"FLWSECK_TEST-", "q32 - X", 28, nil},
			{"FLWSECK-", "q32 - X", 28, nil},
			{"FLWPUBK_TEST-", "q32 - X", 28, nil},
		},
	},
	{
		id:     "flutterwave-encryption-key",
		name:   "Flutterwave encryption key",
		issuer: &flutter,
		forms:  []tokenForm{{"FLWSECK_TEST", "q12", 28, nil}, {"FLWSECK_TEST-", "q12", 28, nil}},
	},
	{
		id:     "gocardless-api-token",
		name:   "GoCardless access token",
		issuer: &cardless,
		forms:  []tokenForm{{"live_", "t40", 36, isMixed}},
	},
	{
		id:     "lob-api-key",
		name:   "Lob API key",
		issuer: &lob,
		forms: []tokenForm{
			{"live_", "x35", 28, nil},
			{"test_", "x35", 28, nil},
			{"live_pub_", "x31", 28, nil},
			{"test_pub_", "x31", 28, nil},
		},
	},
	{
		id:     "shippo-api-token",
		name:   "Shippo API token",
		issuer: &shippo,
		forms:  []tokenForm{{"shippo_live_", "X40", 28, nil}, {"shippo_test_", "X40", 28, nil}},
	},
	{
		id:     "easypost-api-token",
		name:   "EasyPost API key",
		issuer: &easypost,
		forms:  []tokenForm{{"EZAK", "a54", 33, nil}, {"EZTK", "a54", 33, nil}},
	},
	{
		id:     "duffel-api-token",
		name:   "Duffel access token",
		issuer: &duffel,
		forms:  []tokenForm{{"duffel_live_", "t43", 30, nil}, {"duffel_test_", "t43", 30, nil}},
	},
	{
		id:     "coinbase-access-token",
		name:   "Coinbase access token",
		issuer: &coinbase,
		named:  []namedForm{{"coinbase", "s64"}},
	},
	{id: "exchange-key", name: "Key of an exchange", issuer: &exchange, named: []namedForm{
		{"bittrex", "l32"}, {"kraken", "c80,90"}, {"kucoin", "x24"}, {"kucoin", uuidBody}, {"binance", "a64"}}},
	{
		id:     "finicity-api-token",
		name:   "Finicity key or secret",
		issuer: &banks,
		named:  []namedForm{{"finicity", "x32"}, {"finicity", "l20"}},
	},
	{
		id:     "freemius-secret-key",
		name:   "Freemius secret key",
		issuer: &freemius,
		named:  []namedForm{{"secret_key", "sk_g29"}},
	},
	{
		id:     "squarespace-access-token",
		name:   "Squarespace API key",
		issuer: &squaresp,
		named:  []namedForm{{"squarespace", uuidBody}},
	},
	{id: "etsy-access-token", name: "Etsy API key", issuer: &etsy, named: []namedForm{{"etsy", "l24"}}},
	{
		id:     "freshbooks-access-token",
		name:   "FreshBooks access token",
		issuer: &books,
		named:  []namedForm{{"freshbooks", "a64"}},
	},
	{
		id:     "paypal-access-token",
		name:   "PayPal access token",
		issuer: &paypal,
		forms: []tokenForm{
			{"access_token$production$", "l16 $ x32", 28, nil},
			{"access_token$sandbox$", "l16 $ x32", 28, nil},
		},
	},
	{
		id:     "razorpay-key",
		name:   "Razorpay key",
		issuer: &razorpay,
		forms:  []tokenForm{{"rzp_live_", "a14", 28, nil}, {"rzp_test_", "a14", 28, nil}},
	},
}

// Services for monitoring, measuring and development.
var (
	grafana = issuer{
		"read and change dashboards",
		"revoke it in Grafana, under service accounts",
		"https://grafana.com/docs/grafana/latest/administration/service-accounts/",
	}
	sentry = issuer{
		"read errors and change projects on Sentry",
		"revoke it at https://sentry.io/settings/account/api/auth-tokens/",
		"https://docs.sentry.io/account/auth-tokens/",
	}
	newrelic = issuer{
		"read and write the measurements of a system",
		"revoke it at https://one.newrelic.com/api-keys",
		"https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
	}
	datadog = issuer{
		"read and write the measurements of a system",
		"revoke it at https://app.datadoghq.com/organization-settings/api-keys",
		"https://docs.datadoghq.com/account_management/api-app-keys/",
	}
	dynatrace = issuer{
		"read and write the measurements of a system",
		"revoke it in Dynatrace, under access tokens",
		"https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens",
	}
	sumologic = issuer{
		"read and write logs",
		"revoke it in Sumo Logic, under access keys",
		"https://help.sumologic.com/docs/manage/security/access-keys/",
	}
	beamer  = issuer{"post for its owner", "revoke it at https://app.getbeamer.com/settings", gitleaks}
	postman = issuer{
		"read and change collections",
		"revoke it at https://go.postman.co/settings/me/api-keys",
		"https://learning.postman.com/docs/reference/postman-api/authentication/",
	}
	launchd = issuer{
		"switch features",
		"revoke it at https://app.launchdarkly.com/settings/authorization",
		"https://launchdarkly.com/docs/home/account/api",
	}
	okta = issuer{
		"change who can sign in",
		"revoke it in the admin console of Okta, under API tokens",
		"https://developer.okta.com/docs/guides/create-an-api-token/main/",
	}
	authress = issuer{"act as the service", "revoke it at https://authress.io/app/", gitleaks}
	figma    = issuer{
		"read designs",
		"revoke it at https://www.figma.com/settings",
		"https://www.figma.com/developers/api#access-tokens",
	}
	airtable = issuer{
		"read and change tables",
		"revoke it at https://airtable.com/create/tokens",
		"https://airtable.com/developers/web/guides/personal-access-tokens",
	}
	asana = issuer{
		"read and change tasks",
		"revoke it at https://app.asana.com/0/my-apps",
		"https://developers.asana.com/docs/authentication",
	}
	algolia = issuer{
		"read and change search indexes",
		"revoke it at https://dashboard.algolia.com/account/api-keys",
		gitleaks,
	}
	mapbox = issuer{
		"use maps at its owner's cost",
		"revoke it at https://account.mapbox.com/access-tokens/",
		"https://docs.mapbox.com/accounts/guides/tokens/",
	}
	contentf = issuer{"read content", "revoke it at https://app.contentful.com", gitleaks}
	typeform = issuer{
		"read the answers to forms",
		"revoke it at https://admin.typeform.com/user/tokens",
		"https://www.typeform.com/developers/get-started/personal-access-token/",
	}
	adobe = issuer{
		"use Adobe's services as its owner",
		"revoke it at https://developer.adobe.com/console",
		gitleaks,
	}
	dropbox = issuer{
		"read and change files",
		"revoke it at https://www.dropbox.com/account/connected_apps",
		"https://developers.dropbox.com/oauth-guide",
	}
	frameio = issuer{"read and change videos", "revoke it at https://developer.frame.io/app/tokens", gitleaks}
	hubspot = issuer{
		"read and change what is known of customers",
		"revoke it in HubSpot, under private apps",
		"https://developers.hubspot.com/docs/api/private-apps",
	}
	settlemint = issuer{"act as its owner on SettleMint", "revoke it in SettleMint, under access tokens", gitleaks}
	intra      = issuer{
		"act as the application on 42 intra",
		"revoke it at https://profile.intra.42.fr/oauth/applications",
		gitleaks,
	}
	rapidapi = issuer{
		"use services at its owner's cost",
		"revoke it at https://rapidapi.com/developer/apps",
		gitleaks,
	}
	posthog = issuer{
		"read what users do",
		"revoke it at https://app.posthog.com/settings/user-api-keys",
		"https://posthog.com/docs/api",
	}
	ngrok = issuer{
		"open tunnels as its owner",
		"revoke it at https://dashboard.ngrok.com/get-started/your-authtoken",
		"https://ngrok.com/docs/agent/",
	}
	various = issuer{"act as its owner on that service", "revoke it in the settings of the service", gitleaks}
)

var toolRules = []secretRule{
	{
		id:     "grafana-service-account-token",
		name:   "Grafana service account token",
		issuer: &grafana,
		forms:  []tokenForm{{"glsa_", "w32+", 28, nil}},
	},
	{
		id:     "grafana-cloud-api-token",
		name:   "Grafana Cloud token",
		issuer: &grafana,
		forms:  []tokenForm{{"glc_", "b32+", 30, nil}},
	},
	{
		id:     "grafana-api-key",
		name:   "Grafana API key",
		issuer: &grafana,
		forms:  []tokenForm{{"eyJrIjoi", "b60+", 30, nil}},
	},
	{
		id:     "sentry-org-token",
		name:   "Sentry organisation token",
		issuer: &sentry,
		forms:  []tokenForm{{"sntrys_eyJ", "c60+", 33, nil}},
	},
	{
		id:     "sentry-user-token",
		name:   "Sentry user token",
		issuer: &sentry,
		forms:  []tokenForm{{"sntryu_", "x64", 28, nil}},
	},
	{id: "sentry-access-token", name: "Sentry access token", issuer: &sentry, named: []namedForm{{"sentry", "x64"}}},
	{
		id:     "new-relic-user-api-key",
		name:   "New Relic user key",
		issuer: &newrelic,
		forms:  []tokenForm{{"NRAK-", "a27", 30, nil}},
		named:  []namedForm{{"new-relic", "a64"}, {"newrelic", "a64"}, {"new_relic", "a64"}},
	},
	{id: "new-relic-license-key", name: "New Relic ingest key", issuer: &newrelic, forms: []tokenForm{
		{"NRII-", "k32", 30, nil}, {"NRJS-", "x19", 26, nil}}, infixes: []infixForm{{before: "X36", infix: "NRAL"}}},
	{
		id:     "datadog-access-token",
		name:   "Datadog key",
		issuer: &datadog,
		named:  []namedForm{{"datadog", "l40"}, {"datadog", "x32"}, {"dd_api_key", "x32"}, {"dd_app_key", "x40"}},
	},
	{
		id:     "dynatrace-api-token",
		name:   "Dynatrace token",
		issuer: &dynatrace,
		forms:  []tokenForm{{"dt0c01.", "a24 . a64", 36, nil}, {"dt0s01.", "a24 . a64", 36, nil}},
	},
	{
		id:     "sumologic-access-token",
		name:   "Sumo Logic access key",
		issuer: &sumologic,
		named:  []namedForm{{"sumo", "a64"}, {"sumo", "su a12"}},
	},
	{id: "beamer-api-token", name: "Beamer API key", issuer: &beamer, named: []namedForm{{"beamer", "b_t44"}}},
	{
		id:     "postman-api-key",
		name:   "Postman API key",
		issuer: &postman,
		forms:  []tokenForm{{"PMAK-", "X24 - X34", 28, nil}, {"PMAT-", "u26", 28, nil}},
	},
	{
		id:     "launchdarkly-access-token",
		name:   "LaunchDarkly token",
		issuer: &launchd,
		forms:  []tokenForm{{"sdk-", uuidBody, 28, nil}, {"api-", uuidBody, 28, nil}},
		named:  []namedForm{{"launchdarkly", "t40"}},
	},
	{id: "okta-access-token", name: "Okta API token", issuer: &okta, named: []namedForm{{"okta", "00t40"}}},
	{id: "authress-service-client-access-key", name: "Authress service key", issuer: &authress, forms: []tokenForm{
		{
			"sc_",
			authressBody,
			28,
			nil,
		}, {"ext_", authressBody, 28, nil}, {"scauth_", authressBody, 28, nil}, {"authress_", authressBody, 28, nil}}},
	{id: "figma-token", name: "Figma access token", issuer: &figma, forms: []tokenForm{{"figd_", "s40+", 30, nil}}},
	{
		id:     "airtable-personal-access-token",
		name:   "Airtable personal access token",
		issuer: &airtable,
		forms:  []tokenForm{{"pat", "a14 . x64", 30, nil}},
	},
	{id: "airtable-api-key", name: "Airtable API key", issuer: &airtable, named: []namedForm{{"airtable", "a17"}}},
	{
		id:     "asana-client-secret",
		name:   "Asana token",
		issuer: &asana,
		named:  []namedForm{{"asana", "l32"}, {"asana", "d1 / d16 : x32"}},
	},
	{id: "algolia-api-key", name: "Algolia API key", issuer: &algolia, named: []namedForm{{"algolia", "l32"}}},
	{
		id:     "mapbox-api-token",
		name:   "Mapbox token",
		issuer: &mapbox,
		forms:  []tokenForm{{"sk.eyJ", "a60,120 . s22", 33, nil}},
		named:  []namedForm{{"mapbox", "pk.a60 . a22"}},
	},
	{
		id:     "contentful-delivery-api-token",
		name:   "Contentful token",
		issuer: &contentf,
		forms:  []tokenForm{{"CFPAT-", "s43", 30, nil}},
		named:  []namedForm{{"contentful", "t43"}},
	},
	{id: "typeform-api-token", name: "Typeform token", issuer: &typeform, forms: []tokenForm{{"tfp_", "p59", 33, nil}}},
	{
		id:     "adobe-client-secret",
		name:   "Adobe client secret",
		issuer: &adobe,
		forms:  []tokenForm{{"p8e-", "a32", 30, nil}},
	},
	{
		id:     "dropbox-api-token",
		name:   "Dropbox token",
		issuer: &dropbox,
		forms:  []tokenForm{{"sl.", "t130,140", 36, nil}, {"sl.u.", "s100+", 36, nil}},
		named:  []namedForm{{"dropbox", "a11 AAAAAAAAAA t43"}, {"dropbox", "l15"}},
	},
	{id: "frameio-api-token", name: "Frame.io token", issuer: &frameio, forms: []tokenForm{{"fio-u-", "t64", 30, nil}}},
	{
		id:     "hubspot-api-key",
		name:   "HubSpot key",
		issuer: &hubspot,
		forms:  []tokenForm{{"pat-na1-", uuidBody, 28, nil}, {"pat-eu1-", uuidBody, 28, nil}},
		named:  []namedForm{{"hubspot", uuidBody}},
	},
	{
		id:     "settlemint-access-token",
		name:   "SettleMint access token",
		issuer: &settlemint,
		forms:  []tokenForm{{"sm_aat_", "a16", 26, nil}, {"sm_pat_", "a16", 26, nil}, {"sm_sat_", "a16", 26, nil}},
	},
	{
		id:     "intra42-client-secret",
		name:   "42 intra client secret",
		issuer: &intra,
		forms:  []tokenForm{{"s-s4t2ud-", "X64", 28, nil}, {"s-s4t2af-", "X64", 28, nil}},
	},
	{id: "rapidapi-access-token", name: "RapidAPI key", issuer: &rapidapi, named: []namedForm{{"rapidapi", "s50"}}},
	{
		id:     "posthog-api-key",
		name:   "PostHog personal API key",
		issuer: &posthog,
		forms:  []tokenForm{{"phx_", "a40+", 30, nil}},
	},
	{id: "ngrok-authtoken", name: "ngrok authtoken", issuer: &ngrok, named: []namedForm{{"ngrok", "w43,49"}}},
}

// authressBody is the body of Authress's keys.
const authressBody = "l5,30 . l4,6 . acc s11,33 . c30,120"

var variousRules = []secretRule{
	{id: "service-token", name: "Token of a service", issuer: &various, named: []namedForm{
		{
			"adafruit",
			"s32",
		}, {"bitbucket", "t64"}, {"bitbucket", "l32"}, {"codecov", "l32"}, {"codecov", uuidBody}, {"droneci", "l32"},
		{
			"finnhub",
			"l20",
		}, {"flickr", "l32"}, {"jfrog", "l73"}, {"artifactory", "l73"}, {"bintray", "l73"}, {"xray", "l73"},
		{
			"jfrog",
			"l64",
		},
		{"artifactory", "l64"},
		{"bintray", "l64"},
		{"xray", "l64"},
		{"linkedin", "a16"},
		{"linked_in", "a16"},
		{"linked-in", "a16"},
		{"looker", "l24"}, {"nytimes", "t32"}, {"newyorktimes", "t32"}, {"new-york-times", "t32"}, {"travis", "a22"},
		{"contribsys__com", "x8 : x8"}, {"adobe", "x32"}}},
}
