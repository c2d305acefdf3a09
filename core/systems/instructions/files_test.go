package instructions

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
)

func TestSecretInTheNameOfAFileIsMarked(t *testing.T) {
	s := &Files{Dir: "/shop"}
	path := "/shop/ghp_" + strings.Repeat("a1B2", 9) + ".md"
	r := s.Record(&Item{Path: path, File: filestore.File{Path: path, Text: "plain"}}, 1)
	if !slices.ContainsFunc(r.Secrets, func(secret memory.Secret) bool { return secret.Field == memory.InID }) || r.Flags&memory.FlagSecret == 0 {
		t.Errorf("%s: secrets %+v", r.ID, r.Secrets)
	}
}
