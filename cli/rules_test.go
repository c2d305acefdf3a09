package cli

import "testing"

func TestRulesAreListedAndTold(t *testing.T) {
	w, _ := onFakeAuditor()
	w.said(
		t,
		exitOK,
		"rules",
		"github-pat\tsecret\thigh\tGitHub personal access token\nhome-path\tprivate\tlow\tHome path\n",
	)
	w.said(
		t,
		exitOK,
		"rules github-pat home-path",
		"id        github-pat\n",
		"why\n  Whoever has it acts as its owner.\n",
		"source\n  https://docs.github.com/x\n\nid        home-path\n",
	)
	w.said(t, exitOK, "rules --json home-path", `"id": "home-path"`, `"severity": "low"`)
	w.said(t, exitUsage, "rules nosuch", "rules nosuch: no such rule")
	w.said(t, exitOK, "__complete rules g", "github-pat\n")
	w.said(t, exitOK, "__complete audit --rule=g", "github-pat\n")
	w.OutTTY, w.Width = true, 60
	w.said(t, exitOK, "rules", "github-pat  secret     high    GitHub personal access token\n")
}
