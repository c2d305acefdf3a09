package audit_test

import (
	"testing"

	"winnow/core/audit/audittest"
	"winnow/core/memory"
)

// TestSecretsNobodyHadInMind measures the rules by secrets that were written before them.
func TestSecretsNobodyHadInMind(t *testing.T) {
	vendors, forms := newFigures(), newFigures()
	for _, it := range audittest.LateSecrets(29) {
		vendors.add(&it, scan(it.Text))
	}
	for _, it := range audittest.LateForms(29) {
		forms.add(&it, scan(it.Text))
	}
	for name, got := range map[string]figures{"late secrets": vendors, "late forms": forms} {
		hold(t, name, figures{memory.FamilySecret: got[memory.FamilySecret]})
	}
}
