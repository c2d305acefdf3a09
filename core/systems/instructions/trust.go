package instructions

import (
	"path/filepath"

	"winnow/core/filestore"
	"winnow/core/jstext"
)

// DoNotTrust is the level of a folder whose files are not read.
const DoNotTrust = "DO_NOT_TRUST"

// TrustRule returns what the longest rule of a file of trusted folders says about dir. It returns false if no
// rule is about it.
func TrustRule(rules jstext.Value, dir string) (level string, decided bool) {
	longest := -1
	for i := range rules.Len() {
		rule := rules.Key(i)
		of := rule
		if rules.At(i).Str() == "TRUST_PARENT" {
			of = filepath.Dir(rule)
		}
		if filestore.Within(filestore.Real(of), filestore.Real(dir)) && len(rule) > longest {
			longest, level, decided = len(rule), rules.At(i).Str(), true
		}
	}
	return level, decided
}
