package detect

// Services for code, packages and builds.
var (
	github = issuer{"act as its owner on GitHub", "revoke it at https://github.com/settings/tokens",
		"https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github"}
	githubApp = issuer{"act as the app that it was made for, on GitHub", "revoke it in the app's settings at https://github.com/settings/apps",
		github.source}
	gitlab = issuer{"act as its owner on GitLab", "revoke it at https://gitlab.com/-/user_settings/personal_access_tokens",
		"https://docs.gitlab.com/security/tokens/"}
	gitlabProject = issuer{"reach the GitLab project that it was made for", "revoke it in the settings of the GitLab project or group",
		gitlab.source}
	bitbucket = issuer{"act as its owner on Bitbucket", "revoke it at https://bitbucket.org/account/settings/app-passwords/",
		"https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/"}
	npmjs = issuer{"publish packages as its owner", "revoke it with npm token revoke or at https://www.npmjs.com/settings/~/tokens",
		"https://github.blog/engineering/platform-security/announcing-npms-new-access-token-format/"}
	pypi = issuer{"publish packages as its owner", "revoke it at https://pypi.org/manage/account/token/",
		"https://pypi.org/help/#apitoken"}
	rubygems = issuer{"publish gems as its owner", "revoke it at https://rubygems.org/profile/api_keys",
		"https://guides.rubygems.org/api-key-scopes/"}
	cratesio  = issuer{"publish crates as its owner", "revoke it at https://crates.io/settings/tokens", "https://doc.rust-lang.org/cargo/reference/publishing.html"}
	nuget     = issuer{"publish packages as its owner", "revoke it at https://www.nuget.org/account/apikeys", "https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys"}
	clojars   = issuer{"publish jars as its owner", "revoke it at https://clojars.org/tokens", "https://github.com/clojars/clojars-web/wiki/Deploy-Tokens"}
	dockerHub = issuer{"pull and push images as its owner", "revoke it at https://app.docker.com/settings/personal-access-tokens", "https://docs.docker.com/security/access-tokens/"}
	jfrog     = issuer{"read and change the packages on Artifactory", "revoke it in the user profile of Artifactory", "https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens"}
	atlassian = issuer{"act as its owner in Jira and Confluence", "revoke it at https://id.atlassian.com/manage-profile/security/api-tokens",
		"https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/"}
	sourcegraph = issuer{"read the code that Sourcegraph indexes", "revoke it in the user settings of Sourcegraph, under access tokens", "https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token"}
	sonar       = issuer{"read and change analyses of code", "revoke it in the security page of the SonarQube account", "https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/"}
	snyk        = issuer{"act as its owner on Snyk", "revoke it at https://app.snyk.io/account", "https://docs.snyk.io/snyk-api/authentication-for-api"}
	harness     = issuer{"run pipelines as its owner", "revoke it in the Harness profile, under API keys", "https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/"}
	octopus     = issuer{"deploy as its owner", "revoke it in the Octopus profile, under API keys", "https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key"}
	buildkite   = issuer{"act as its owner on Buildkite", "revoke it at https://buildkite.com/user/api-access-tokens", "https://buildkite.com/docs/apis/managing-api-tokens"}
	circleci    = issuer{"act as its owner on CircleCI", "revoke it at https://app.circleci.com/settings/user/tokens", "https://circleci.com/docs/managing-api-tokens/"}
	pulumi      = issuer{"change the infrastructure that Pulumi manages", "revoke it at https://app.pulumi.com/account/tokens", "https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/"}
	hashicorp   = issuer{"change the infrastructure that Terraform manages", "revoke it at https://app.terraform.io/app/settings/tokens", "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens"}
	infracost   = issuer{"use the Infracost account", "revoke it in the organisation settings of Infracost", gitleaks}
	prefect     = issuer{"run flows as its owner", "revoke it in the Prefect profile, under API keys", "https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys"}
	readme      = issuer{"change documentation on ReadMe", "revoke it in the project settings of ReadMe, under API keys", gitleaks}
)

var codeRules = []secretRule{
	{id: "github-pat", name: "GitHub personal access token", issuer: &github, forms: []tokenForm{{"ghp_", "w16+", 24, nil}}},
	{id: "github-fine-grained-pat", name: "GitHub fine-grained personal access token", issuer: &github, forms: []tokenForm{{"github_pat_", "w20+", 24, nil}}},
	{id: "github-oauth", name: "GitHub OAuth token", issuer: &github, forms: []tokenForm{{"gho_", "w16+", 24, nil}}},
	{id: "github-app-token", name: "GitHub app token", issuer: &githubApp, forms: []tokenForm{{"ghu_", "w16+", 24, nil}, {"ghs_", "w16+", 24, nil}}},
	{id: "github-refresh-token", name: "GitHub refresh token", issuer: &githubApp, forms: []tokenForm{{"ghr_", "w16+", 24, nil}}},
	{id: "gitlab-pat", name: "GitLab personal access token", issuer: &gitlab, forms: []tokenForm{{"glpat-", "j20+", 26, nil}}},
	{id: "gitlab-deploy-token", name: "GitLab deploy token", issuer: &gitlabProject, forms: []tokenForm{{"gldt-", "s20+", 26, nil}}},
	{id: "gitlab-runner-token", name: "GitLab runner authentication token", issuer: &gitlabProject, forms: []tokenForm{{"glrt-", "j20+", 26, nil}, {"glrtr-", "j20+", 26, nil}}},
	{id: "gitlab-rrt", name: "GitLab runner registration token", issuer: &gitlabProject, forms: []tokenForm{{"GR1348941", "s20+", 26, nil}}},
	{id: "gitlab-ptt", name: "GitLab pipeline trigger token", issuer: &gitlabProject, forms: []tokenForm{{"glptt-", "s20+", 26, nil}}},
	{id: "gitlab-cicd-job-token", name: "GitLab CI job token", issuer: &gitlabProject, forms: []tokenForm{{"glcbt-", "s20+", 26, nil}}},
	{id: "gitlab-feature-flag-client-token", name: "GitLab feature flags client token", issuer: &gitlabProject, forms: []tokenForm{{"glffct-", "s20+", 26, nil}}},
	{id: "gitlab-feed-token", name: "GitLab feed token", issuer: &gitlab, forms: []tokenForm{{"glft-", "s20+", 26, nil}}},
	{id: "gitlab-incoming-mail-token", name: "GitLab incoming mail token", issuer: &gitlab, forms: []tokenForm{{"glimt-", "s20+", 26, nil}}},
	{id: "gitlab-kubernetes-agent-token", name: "GitLab agent token", issuer: &gitlabProject, forms: []tokenForm{{"glagent-", "s50+", 26, nil}}},
	{id: "gitlab-oauth-app-secret", name: "GitLab OAuth application secret", issuer: &gitlab, forms: []tokenForm{{"gloas-", "s40+", 26, nil}}},
	{id: "gitlab-scim-token", name: "GitLab SCIM token", issuer: &gitlabProject, forms: []tokenForm{{"glsoat-", "s20+", 26, nil}}},
	{id: "gitlab-workspace-token", name: "GitLab workspace token", issuer: &gitlabProject, forms: []tokenForm{{"glwt-", "s20+", 26, nil}}},
	{id: "gitlab-session-cookie", name: "GitLab session cookie", issuer: &gitlab, forms: []tokenForm{{"_gitlab_session=", "l32", 26, nil}}},
	{id: "bitbucket-app-password", name: "Bitbucket app password", issuer: &bitbucket, forms: []tokenForm{{"ATBB", "a28,36", 33, nil}, {"ATCTT3", "c50+", 33, nil}}},
	{id: "npm-token", name: "npm access token", issuer: &npmjs, forms: []tokenForm{{"npm_", "a36", 24, nil}}},
	{id: "pypi-token", name: "PyPI API token", issuer: &pypi, forms: []tokenForm{{"pypi-", "s36+", 30, isMixed}}},
	{id: "rubygems-api-key", name: "RubyGems API key", issuer: &rubygems, forms: []tokenForm{{"rubygems_", "x48", 24, nil}}},
	{id: "crates-io-token", name: "crates.io API token", issuer: &cratesio, forms: []tokenForm{{"cio", "a32", 36, isMixed}}},
	{id: "nuget-api-key", name: "NuGet API key", issuer: &nuget, forms: []tokenForm{{"oy2", "l43", 36, isMixed}}},
	{id: "clojars-api-token", name: "Clojars deploy token", issuer: &clojars, forms: []tokenForm{{"CLOJARS_", "a60", 24, nil}, {"clojars_", "a60", 24, nil}}},
	{id: "docker-pat", name: "Docker access token", issuer: &dockerHub, forms: []tokenForm{{"dckr_pat_", "s20+", 26, nil}, {"dckr_oat_", "s20+", 26, nil}}},
	{id: "artifactory-api-key", name: "Artifactory API key", issuer: &jfrog, forms: []tokenForm{{"AKCp", "a69", 40, nil}}},
	{id: "artifactory-reference-token", name: "Artifactory reference token", issuer: &jfrog, forms: []tokenForm{{"cmVmd", "a59", 40, nil}}},
	{id: "atlassian-api-token", name: "Atlassian API token", issuer: &atlassian, forms: []tokenForm{{"ATATT3", "c50+", 33, nil}},
		named: []namedForm{{"atlassian", "a24"}, {"confluence", "a24"}, {"jira", "a24"}}},
	{id: "sourcegraph-access-token", name: "Sourcegraph access token", issuer: &sourcegraph,
		forms: []tokenForm{{"sgp_", "X40", 28, nil}, {"sgp_local_", "X40", 28, nil}, {"sgp_", "X16 _ X40", 28, nil}}, named: []namedForm{{"sourcegraph", "X40"}}},
	{id: "sonar-api-token", name: "SonarQube token", issuer: &sonar, forms: []tokenForm{{"squ_", "x40", 28, nil}, {"sqp_", "x40", 28, nil}, {"sqa_", "x40", 28, nil}},
		named: []namedForm{{"sonar", "t40"}, {"sonar", "t44"}}},
	{id: "snyk-api-token", name: "Snyk API token", issuer: &snyk, named: []namedForm{{"snyk", uuidBody}}},
	{id: "harness-api-key", name: "Harness API key", issuer: &harness, forms: []tokenForm{{"pat.", "s22 . a24 . a20", 30, nil}, {"sat.", "s22 . a24 . a20", 30, nil}}},
	{id: "octopus-deploy-api-key", name: "Octopus Deploy API key", issuer: &octopus, forms: []tokenForm{{"API-", "u26", 28, isMixed}}},
	{id: "buildkite-token", name: "Buildkite token", issuer: &buildkite, forms: []tokenForm{{"bkua_", "x40", 28, nil}, {"bkct_", "a40+", 28, nil}}},
	{id: "circleci-token", name: "CircleCI token", issuer: &circleci, forms: []tokenForm{{"CCIPAT_", "w40+", 30, nil}, {"CCIPRJ_", "w40+", 30, nil}}},
	{id: "pulumi-api-token", name: "Pulumi access token", issuer: &pulumi, forms: []tokenForm{{"pul-", "x40", 28, nil}}},
	{id: "terraform-api-token", name: "HCP Terraform API token", issuer: &hashicorp, infixes: []infixForm{{before: "a14", infix: ".atlasv1.", after: "t60,70"}}},
	{id: "infracost-api-token", name: "Infracost API key", issuer: &infracost, forms: []tokenForm{{"ico-", "a32", 30, isNotDigest}}},
	{id: "prefect-api-token", name: "Prefect API key", issuer: &prefect, forms: []tokenForm{{"pnu_", "a36", 28, nil}}},
	{id: "readme-api-token", name: "ReadMe API key", issuer: &readme, forms: []tokenForm{{"rdme_", "l70", 28, nil}}},
}

// uuidBody is the body of a UUID.
const uuidBody = "X8 - X4 - X4 - X4 - X12"
