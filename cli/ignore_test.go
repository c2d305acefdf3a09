package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// mark is a fingerprint that begins with s.
func mark(s string) string { return s + strings.Repeat("0", fingerprintLen-len(s)) }

func TestIgnoringWantsAReasonAndAFingerprint(t *testing.T) {
	for args, want := range map[string]string{
		"ignore":                                    "ignore: which fingerprint",
		"ignore " + mark("a"):                       "ignore: a reason is needed",
		"ignore --reason x " + mark("a")[1:]:        "this is not a fingerprint",
		"ignore --reason x " + mark("G"):            "this is not a fingerprint",
		"ignore --list --remove":                    "do not go together",
		"ignore --list " + mark("a"):                "--list changes nothing",
		"ignore --remove":                           "which fingerprint",
		"ignore --remove --reason x " + mark("a"):   "takes neither",
		"ignore --remove 0f1e2d3":                   "too short",
		"ignore --reason x --until no " + mark("a"): "is not a date",
		"ignore --readonly --reason x " + mark("a"): "--readonly forbids",
	} {
		w, d := onFakeAuditor()
		if w.said(t, exitUsage, args, want); len(d.kept) > 0 {
			t.Errorf("winnow %s ignores", args)
		}
	}
}

func TestWhatIsIgnoredCanBeListedAndTakenBack(t *testing.T) {
	baseline := filepath.Join(t.TempDir(), "baseline")
	for _, where := range []string{"", " --baseline " + baseline} {
		w, _ := onFakeAuditor()
		one, two := mark("aaaaaaaa1"), mark("aaaaaaaa2")
		w.said(t, exitOK, "ignore --reason first --until 2026-12-31 "+one+where, "1 finding ignored from now on")
		w.said(t, exitOK, "ignore --reason second "+two+where)
		w.said(t, exitOK, "ignore --list"+where,
			one+"\t-\t2026-03-15\t2026-12-31\tfirst\n"+two+"\t-\t2026-03-15\t-\tsecond\n")
		w.said(
			t,
			exitOK,
			"ignore --list --json"+where,
			`"fingerprint": "`+one+`"`,
			`"until": "2026-12-31T00:00:00Z"`,
			`"ended": false`,
		)
		w.said(t, exitUsage, "ignore --remove aaaaaaaa"+where, "2 ids begin with this")
		w.said(t, exitNotFound, "ignore --remove bbbbbbbb"+where, "it is not ignored")
		w.said(t, exitOK, "ignore --remove aaaaaaaa1"+where, "1 finding reported again from now on")
		if out := w.said(t, exitOK, "ignore --list"+where); strings.Contains(out, one) || !strings.Contains(out, two) {
			t.Errorf("it lists %s", out)
		}
	}
}

func TestADecisionThatEndedSaysSo(t *testing.T) {
	w, d := onFakeAuditor()
	d.kept = []memory.Ignore{
		{Fingerprint: mark("a"), Rule: "r", Reason: token, Added: noon, Until: noon.Add(-time.Hour)},
	}
	out := w.said(t, exitOK, "ignore --list", "2026-03-15 (ended)") +
		w.said(t, exitOK, "ignore --list --json", `"ended": true`)
	if strings.Contains(out, token) {
		t.Error("a reason shows a secret")
	}
}

func TestARepeatedDecisionReplacesTheFirst(t *testing.T) {
	list := withIgnore(nil, memory.Ignore{Fingerprint: "a", Rule: "r", Reason: "x"})
	list = withIgnore(list, memory.Ignore{Fingerprint: "a", Reason: "y"})
	if len(list) != 1 || list[0].Reason != "y" || list[0].Rule != "r" {
		t.Errorf("it is %+v", list)
	}
}
