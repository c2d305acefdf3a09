package claudecode

import (
	"strings"
	"testing"
)

// TestASecretInTheNameOfAProjectIsShownNowhere: Claude Code writes a dash for each sign of a path, so that no rule
// knows the secret in the name of its folder.
func TestASecretInTheNameOfAProjectIsShownNowhere(t *testing.T) {
	const secret = "ghp-Zq7Rk2Vw9Xt4Nb6Mc1Hd8Jf3Ls5Pg0YaEuTo"
	dir := shownFolder("/home/ada/.claude/projects/-home-ada-shop-" + secret + "/memory")
	if strings.Contains(dir, secret) || !strings.HasSuffix(dir, "/memory") {
		t.Errorf("shown: %s", dir)
	}
	const plain = "/home/ada/.claude/projects/-home-ada-shop/memory"
	if dir := shownFolder(plain); dir != plain {
		t.Errorf("shown: %s", dir)
	}
}
