package detect

import "strings"

// leadingHost returns the host name at the start of s, after an optional user name and @.
func leadingHost(s string) string {
	if at := strings.IndexByte(s, '@'); at >= 0 && at < 40 {
		s = s[at+1:]
	}
	return s[:runEnd(s, 0, slug|dot)]
}

// isPublicIP reports whether a host is a public IP address.
func isPublicIP(host string) bool {
	return strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == "" && len(host) > 8 &&
		!hasAnyPrefix(host, "10.;192.168.;127.;172.;0.0;255.")
}

// isDomain reports whether a host ends in a known top-level domain, so that file names do not count.
func isDomain(host string) bool {
	at := strings.LastIndexByte(host, '.')
	return at > 0 && (host[0] != '.' || strings.Count(host, ".") > 2) && topDomains()[host[at+1:]]
}

var topDomains = wordSet("com net org io ru cn xyz info biz top site online cloud dev app ai co eu de fr uk test example invalid")

// isTrustedHost reports whether a host is this machine, a private one, or a site that documentation
// commonly links to.
func isTrustedHost(host string) bool {
	return !strings.Contains(host, ".") || hasAnyPrefix(host, "127.;10.;192.168.;0.0.0.0") || containsAny(host, ".internal;.local") ||
		hasAnySuffix(host, documentationHosts)
}

const documentationHosts = "github.com;githubusercontent.com;gitlab.com;bitbucket.org;anthropic.com;claude.com;claude.ai;openai.com;google.com;googleapis.com;microsoft.com;" +
	"azure.com;amazonaws.com;npmjs.org;npmjs.com;pypi.org;pythonhosted.org;golang.org;go.dev;rust-lang.org;crates.io;docker.com;docker.io;debian.org;ubuntu.com;" +
	"rubygems.org;packagist.org;maven.org;gradle.org;shields.io;slack.com;stripe.com;notion.com;linear.app;atlassian.net;atlassian.com;sentry.io;" +
	"huggingface.co;cloudflare.com;vercel.com;vercel.app;supabase.co;supabase.com;python.org;nodejs.org;apache.org;wikipedia.org;twitter.com;x.com;linkedin.com;" +
	"youtube.com;w3.org;json-schema.org;schemastore.org;npmmirror.com;yarnpkg.com;pnpm.io;nodesource.com;jsdelivr.net;unpkg.com;ghcr.io;quay.io;gcr.io;" +
	"mcr.microsoft.com;k8s.io;kubernetes.io;hashicorp.com;terraform.io;figma.com;telegram.org;discord.com;mozilla.org;apple.com;jetbrains.com;astral.sh"
